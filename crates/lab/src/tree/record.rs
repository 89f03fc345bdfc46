//! Record: a search that keeps its tree.
//!
//! In: a game, a heuristic, a position, how to search. Out: the tree, with the value that the search
//! of that name gives, from the same positions. One recursion serves all, since the algorithms of a
//! book differ in little but the window that they hand down: none (minimax), the parent's bound (F1;
//! Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975), or the bounds of all
//! ancestors (F2, alpha-beta). Must not know how a tree is folded, or shown.

mod averaging;
mod players;
mod quiet;

use super::grow::{Branch, GrowingTree};
use super::{CutReason, NodeKind, NodeResult, ScoreBound, SearchTree, Window};
use alphorn_search::game::{Game, Heuristic, Score, Side, ToMove, widened_by_endless_play};
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::worth;
use alphorn_search::search::result::{SearchError, Searched};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Plies of the deepest search that a tree is made of.
pub const DEEPEST: u32 = 1000;

/// How often the room on the stack is looked at, in plies.
const LOOK: u32 = 8;

/// What is to be recorded.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions<'a> {
    /// Which search.
    pub algorithm: Algorithm,
    /// How many plies ahead, [`DEEPEST`] at most.
    pub depth: u32,
    /// How many positions are kept; the line of best play is kept in any case.
    pub most: usize,
    /// Whether what is cut off is there as well, to the same depth, as positions that are not seen.
    pub whole: bool,
    /// Positions after which the search is stopped.
    pub nodes: Option<u64>,
    /// Stops the search soon after it becomes true.
    pub stop: &'a AtomicBool,
}

/// Whether there is a tree of what `algorithm` does: not where it deepens, keeps a table, or plays
/// at random.
pub fn records(algorithm: Algorithm) -> bool {
    !matches!(algorithm, Algorithm::Mtdf | Algorithm::Star2 | Algorithm::Auto) && !algorithm.samples()
}

/// Which bounds a position hands down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounds {
    None,
    OfParent,
    OfAll,
}

/// How the search of a name goes about it.
#[derive(Clone, Copy)]
struct Style {
    bounds: Bounds,
    /// Whether a value below the window is told as the window's end, as in the paper.
    hard: bool,
    /// Whether moves come in the order of the heuristic.
    ordered: bool,
    /// Whether moves after the first are expected to be no better.
    scouts: bool,
}

impl Style {
    const PLAIN: Style = Style { bounds: Bounds::None, hard: false, ordered: false, scouts: false };

    fn of(algorithm: Algorithm) -> Style {
        match algorithm {
            Algorithm::Minimax | Algorithm::Expectiminimax => Style::PLAIN,
            Algorithm::F1 => Style { bounds: Bounds::OfParent, hard: true, ..Style::PLAIN },
            Algorithm::F2 | Algorithm::F2G2 => Style { bounds: Bounds::OfAll, hard: true, ..Style::PLAIN },
            Algorithm::Pvs => Style { bounds: Bounds::OfAll, ordered: true, scouts: true, ..Style::PLAIN },
            _ => Style { bounds: Bounds::OfAll, ordered: true, ..Style::PLAIN },
        }
    }
}

/// Why a recording ends before its time.
enum Halt<F, M> {
    Stopped,
    Failed(SearchError<F, M>),
}

type Step<T, G> = Result<T, Halt<<G as Game>::Fault, <G as Game>::Move>>;

/// Where a position stands.
#[derive(Clone, Copy)]
struct At {
    ply: u32,
    window: Window,
}

/// A recording under way.
struct Recorder<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    how: &'a TreeOptions<'a>,
    style: Style,
    growth: GrowingTree<G::Move>,
    /// The positions above, where repetitions matter.
    line: Vec<G::State>,
    draws_repetitions: bool,
    averages: bool,
    /// What bounds every value, where values are averaged.
    range: Option<(f64, f64)>,
    /// Whether what is looked at was cut off.
    unseen: bool,
    visited: u64,
    judged: u64,
}

/// The tree of the search of `state`.
///
/// Costs what the search costs, and memory for `how.most` positions. Errs when the rules or the
/// heuristic fault, and where chance moves if the algorithm knows of none. Of an algorithm that has
/// no tree ([`records`]) it is that of alpha-beta, or of Star1 where there is chance.
pub fn record<G: Game, H: Heuristic<G>>(
    game: &G,
    heuristic: &H,
    state: &G::State,
    how: &TreeOptions<'_>,
) -> Searched<SearchTree<G::Move>, G> {
    let draws_repetitions = game.repetition_is_draw() && !game.acyclic();
    let averages = game.has_chance() && how.algorithm.knows_chance();
    let range = game.payoff_range().filter(|_| averages);
    let mut recorder = Recorder {
        game,
        heuristic,
        how,
        style: Style::of(how.algorithm),
        growth: GrowingTree::new(how.most),
        line: Vec::new(),
        draws_repetitions,
        averages,
        range: range.map(|range| widened_by_endless_play(game, range)),
        unseen: false,
        visited: 0,
        judged: 0,
    };
    let window = recorder.open_window();
    recorder.growth.enter(Branch::new(None, 0, None, game.key(state)));
    let stopped = match recorder.node(state, At { ply: 0, window }) {
        Ok(_) => false,
        Err(Halt::Stopped) => true,
        Err(Halt::Failed(error)) => return Err(error),
    };
    let (visited, judged) = (recorder.visited, recorder.judged);
    let nodes = recorder.growth.finish();
    Ok(SearchTree { algorithm: how.algorithm, depth: how.depth, nodes, visited, judged, stopped })
}

impl<G: Game, H: Heuristic<G>> Recorder<'_, G, H> {
    /// Everything that a position with moves to make can be worth.
    fn open_window(&self) -> Window {
        match self.averages {
            true => Window { alpha: Score::Value(f64::NEG_INFINITY), beta: Score::Value(f64::INFINITY) },
            false => Window { alpha: Score::Loss { plies: 0 }, beta: Score::Win { plies: 0 } },
        }
    }

    /// Looks at the position on top of the line, notes what is found of it, and gives its score.
    fn node(&mut self, state: &G::State, at: At) -> Step<Score, G> {
        match at.ply.is_multiple_of(LOOK) {
            true => stacker::maybe_grow(256 << 10, 4 << 20, || self.visit(state, at)),
            false => self.visit(state, at),
        }
    }

    fn visit(&mut self, state: &G::State, at: At) -> Step<Score, G> {
        self.count()?;
        let (unseen, windows) = (self.unseen, self.style.bounds != Bounds::None);
        let top = self.growth.top();
        top.seen = !unseen;
        top.window = windows.then_some(at.window);
        if let Some(score) = self.too_late(at.ply, at.window) {
            self.left_over(state, at.ply)?;
            return Ok(score);
        }
        if self.draws_repetitions && self.line.contains(state) {
            return Ok(self.leaf(NodeKind::Repeated, Score::Value(0.0)));
        }
        if at.ply >= self.how.depth {
            if self.asked(self.game.is_over(state))? {
                return self.over(state, at.ply);
            }
            return self.horizon(state, at);
        }
        let turn = self.asked(self.game.to_move(state))?;
        let kind = match turn {
            ToMove::Over => return self.over(state, at.ply),
            ToMove::Chance if !self.averages => {
                return Err(Halt::Failed(SearchError::Chance { line: self.moves_made() }));
            }
            ToMove::Chance => NodeKind::Chance,
            ToMove::Max => NodeKind::Player(Side::Max),
            ToMove::Min => NodeKind::Player(Side::Min),
        };
        self.growth.top().kind = kind;
        if let Some(score) = self.too_late(at.ply + 1, at.window) {
            self.left_over(state, at.ply)?;
            return Ok(score);
        }
        if self.draws_repetitions {
            self.line.push(state.clone());
        }
        let found = match kind {
            NodeKind::Player(mover) => self.choice(state, at, mover)?,
            _ => self.chance(state, at)?,
        };
        if self.draws_repetitions {
            self.line.pop();
        }
        self.growth.top().value = Some(found);
        Ok(found.score)
    }

    /// A bound that is enough for a search by null windows where nobody wins before a ply, and the
    /// window is about sooner wins.
    fn too_late(&mut self, ply: u32, Window { alpha, beta }: Window) -> Option<Score> {
        let (win, loss) = (Score::Win { plies: ply }, Score::Loss { plies: ply });
        let (score, bound) = match () {
            () if !self.style.scouts => return None,
            () if alpha >= win => (win, ScoreBound::AtMost),
            () if beta <= loss => (loss, ScoreBound::AtLeast),
            () => return None,
        };
        self.growth.top().value = Some(NodeResult { score, bound });
        Some(score)
    }

    /// Notes what a position is that the search leaves before it has asked that.
    fn left_over(&mut self, state: &G::State, ply: u32) -> Step<(), G> {
        let repeats = self.draws_repetitions && self.line.contains(state);
        let kind = match self.asked(self.game.to_move(state))? {
            _ if repeats => NodeKind::Repeated,
            ToMove::Over => NodeKind::Over,
            _ if ply >= self.how.depth => NodeKind::Horizon,
            ToMove::Chance => NodeKind::Chance,
            ToMove::Max => NodeKind::Player(Side::Max),
            ToMove::Min => NodeKind::Player(Side::Min),
        };
        self.growth.top().kind = kind;
        if let NodeKind::Player(_) = kind {
            self.growth.top().cut = Some(CutReason::Late);
            let moves = self.in_order(state, ply)?;
            self.pass_over(state, ply, &moves)?;
        }
        Ok(())
    }

    /// Counts a position, unless the search is to be stopped.
    fn count(&mut self) -> Step<(), G> {
        let enough = self.how.nodes.is_some_and(|most| !self.unseen && self.visited >= most);
        if enough || self.how.stop.load(Relaxed) {
            return Err(Halt::Stopped);
        }
        self.visited += u64::from(!self.unseen);
        Ok(())
    }

    /// A position without children.
    fn leaf(&mut self, kind: NodeKind, score: Score) -> Score {
        let top = self.growth.top();
        top.kind = kind;
        top.value = Some(NodeResult { score, bound: ScoreBound::Exact });
        score
    }

    /// A finished game.
    fn over(&mut self, state: &G::State, ply: u32) -> Step<Score, G> {
        let score = self.finish(state, ply)?;
        Ok(self.leaf(NodeKind::Over, score))
    }

    /// What a finished game is worth.
    fn finish(&mut self, state: &G::State, ply: u32) -> Step<Score, G> {
        let ending = self.asked(self.game.result(state))?;
        if ending.is_none() {
            return self.judge(state);
        }
        let score = match self.averages {
            true => Score::number(self.asked(worth(self.game, ending, || Ok(0.0)))?),
            false => ending.map_or(Score::Value(0.0), |ending| Score::of_ending(ending, ply)),
        };
        Ok(score)
    }

    /// A position at the horizon.
    fn horizon(&mut self, state: &G::State, at: At) -> Step<Score, G> {
        if !self.averages && self.heuristic.knows_unrest(self.game) {
            // Only the search by null windows looks behind the horizon in its window.
            let window = if self.style.scouts { at.window } else { self.open_window() };
            return self.unquiet(state, None, 0, At { window, ..at });
        }
        let score = self.judge(state)?;
        self.growth.top().judged = Some(score);
        Ok(self.leaf(NodeKind::Horizon, score))
    }

    fn judge(&mut self, state: &G::State) -> Step<Score, G> {
        self.judged += u64::from(!self.unseen);
        // Not -0, which is another number to an average.
        Ok(Score::number(self.asked(self.heuristic.evaluate(self.game, state))? + 0.0))
    }

    /// What the game says; after the stop flag was set, a fault is the stop.
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Step<T, G> {
        answer.map_err(|fault| match self.how.stop.load(Relaxed) {
            true => Halt::Stopped,
            false => Halt::Failed(SearchError::Fault { fault, line: self.moves_made() }),
        })
    }

    /// The moves from the root to the position that is looked at.
    fn moves_made(&self) -> Vec<G::Move> {
        self.growth.open.iter().filter_map(|branch| branch.mv.clone()).collect()
    }
}
