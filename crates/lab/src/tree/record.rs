//! A search that records its tree.
//!
//! The tree has the value that the search of that name gives, found by the same visits. One recursion
//! serves all algorithms, because they differ mainly in the windows that they pass down. These are none
//! (minimax), the parent's bound (F1; Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning",
//! 1975), or the bounds of all ancestors (F2, alpha-beta). It does not know how a tree is folded or
//! drawn.

mod averaging;
mod players;
mod quiet;

use super::grow::{Branch, GrowingTree};
use super::{CutReason, NodeKind, NodeResult, ScoreBound, SearchTree, TreeWindow};
use alphorn_search::game::{Game, Heuristic, Score, Side, ToMove, widened_by_endless_play};
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::worth;
use alphorn_search::search::result::{SearchError, Searched};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The maximum depth of a recorded search in plies.
pub const DEEPEST: u32 = 1000;

/// The number of plies between two checks of the stack.
const LOOK: u32 = 8;

/// What to record.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions<'a> {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// The depth in plies, at most [`DEEPEST`].
    pub depth: u32,
    /// The maximum number of kept positions, beside the principal variation.
    pub most: usize,
    /// Whether cut-off moves are included to the same depth, as nodes that are not seen.
    pub whole: bool,
    /// The number of visited positions after which the search stops.
    pub nodes: Option<u64>,
    /// A flag that stops the search soon after it is set.
    pub stop: &'a AtomicBool,
}

/// Whether the search tree of `algorithm` can be recorded. An algorithm that deepens, uses a table or plays at
/// random has no such tree.
pub fn records(algorithm: Algorithm) -> bool {
    Style::of(algorithm).is_some()
}

/// The bounds that a position passes down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounds {
    None,
    OfParent,
    OfAll,
}

/// The style of a search algorithm.
#[derive(Clone, Copy)]
struct Style {
    bounds: Bounds,
    /// Whether a score below the window counts as the bound (fail-hard), as in the paper.
    hard: bool,
    /// Whether the heuristic orders the moves.
    ordered: bool,
    /// Whether later moves are searched with a null window.
    scouts: bool,
}

impl Style {
    const PLAIN: Style = Style { bounds: Bounds::None, hard: false, ordered: false, scouts: false };

    const ALPHA_BETA: Style = Style { bounds: Bounds::OfAll, ordered: true, ..Style::PLAIN };

    /// The style of an algorithm, if this recorder can repeat its search.
    fn of(algorithm: Algorithm) -> Option<Style> {
        Some(match algorithm {
            Algorithm::Minimax | Algorithm::Expectiminimax => Style::PLAIN,
            Algorithm::F1 => Style { bounds: Bounds::OfParent, hard: true, ..Style::PLAIN },
            Algorithm::F2 | Algorithm::F2G2 => Style { bounds: Bounds::OfAll, hard: true, ..Style::PLAIN },
            Algorithm::Pvs => Style { bounds: Bounds::OfAll, ordered: true, scouts: true, ..Style::PLAIN },
            Algorithm::AlphaBeta | Algorithm::Star1 => Style::ALPHA_BETA,
            _ => return None,
        })
    }
}

/// The reason why a recording ends early.
enum RecordHalt<F, M> {
    Stopped,
    Failed(SearchError<F, M>),
}

type Step<T, G> = Result<T, RecordHalt<<G as Game>::Fault, <G as Game>::Move>>;

/// The ply and the window of a visited position.
#[derive(Clone, Copy)]
struct NodePlace {
    ply: u32,
    window: TreeWindow,
}

/// A recording search.
struct Recorder<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    how: &'a TreeOptions<'a>,
    style: Style,
    growth: GrowingTree<G::Move>,
    /// The positions of the current line, if repetitions matter.
    line: Vec<G::State>,
    draws_repetitions: bool,
    averages: bool,
    /// The payoff range, if values are averages.
    range: Option<(f64, f64)>,
    /// Whether the search is inside a cut-off move.
    unseen: bool,
    visited: u64,
    judged: u64,
}

/// Records the tree of the search of `state`.
///
/// Takes the time of the search, and memory for `how.most` positions. Errs if the rules or the heuristic
/// fail, and at a chance move if the algorithm does not know chance. An algorithm without a tree
/// ([`records`]) gives the tree of alpha-beta, or of Star1 in a game with chance.
pub fn record<G: Game, H: Heuristic<G>>(
    game: &G,
    heuristic: &H,
    state: &G::State,
    how: &TreeOptions<'_>,
) -> Searched<SearchTree<G::Move>, G> {
    let draws_repetitions = game.facts().draws_repetitions();
    let averages = game.facts().has_chance && how.algorithm.knows_chance();
    let range = game.facts().payoff_range.filter(|_| averages);
    let mut recorder = Recorder {
        game,
        heuristic,
        how,
        style: Style::of(how.algorithm).unwrap_or(Style::ALPHA_BETA),
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
    let stopped = match recorder.node(state, NodePlace { ply: 0, window }) {
        Ok(_) => false,
        Err(RecordHalt::Stopped) => true,
        Err(RecordHalt::Failed(error)) => return Err(error),
    };
    let (visited, judged) = (recorder.visited, recorder.judged);
    let nodes = recorder.growth.finish();
    Ok(SearchTree { algorithm: how.algorithm, depth: how.depth, nodes, visited, judged, stopped })
}

impl<G: Game, H: Heuristic<G>> Recorder<'_, G, H> {
    /// The window that holds every value of a position with moves.
    fn open_window(&self) -> TreeWindow {
        match self.averages {
            true => TreeWindow { alpha: Score::Value(f64::NEG_INFINITY), beta: Score::Value(f64::INFINITY) },
            false => TreeWindow { alpha: Score::Loss { plies: 0 }, beta: Score::Win { plies: 0 } },
        }
    }

    /// Searches the position on top of the line, records its result, and returns its score.
    fn node(&mut self, state: &G::State, at: NodePlace) -> Step<Score, G> {
        match at.ply.is_multiple_of(LOOK) {
            true => stacker::maybe_grow(256 << 10, 4 << 20, || self.visit(state, at)),
            false => self.visit(state, at),
        }
    }

    fn visit(&mut self, state: &G::State, at: NodePlace) -> Step<Score, G> {
        self.count()?;
        let (unseen, windows) = (self.unseen, self.style.bounds != Bounds::None);
        let top = self.growth.top();
        top.seen = !unseen;
        top.window = windows.then_some(at.window);
        if let Some(score) = self.mate_distance_bound(at.ply, at.window) {
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
                return Err(RecordHalt::Failed(SearchError::Chance { line: self.moves_made() }));
            }
            ToMove::Chance => NodeKind::Chance,
            ToMove::Max => NodeKind::Player(Side::Max),
            ToMove::Min => NodeKind::Player(Side::Min),
        };
        self.growth.top().kind = kind;
        if let Some(score) = self.mate_distance_bound(at.ply + 1, at.window) {
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

    /// Mate-distance pruning of principal variation search: a score that bounds every value from this ply
    /// on, if the window is about sooner wins.
    fn mate_distance_bound(&mut self, ply: u32, TreeWindow { alpha, beta }: TreeWindow) -> Option<Score> {
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

    /// Records the kind of a position that mate-distance pruning leaves.
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

    /// Counts a visited position. Errs if the search must stop.
    fn count(&mut self) -> Step<(), G> {
        let enough = self.how.nodes.is_some_and(|most| !self.unseen && self.visited >= most);
        if enough || self.how.stop.load(Relaxed) {
            return Err(RecordHalt::Stopped);
        }
        self.visited += u64::from(!self.unseen);
        Ok(())
    }

    /// Records a node without children.
    fn leaf(&mut self, kind: NodeKind, score: Score) -> Score {
        let top = self.growth.top();
        top.kind = kind;
        top.value = Some(NodeResult { score, bound: ScoreBound::Exact });
        score
    }

    /// Records a finished game.
    fn over(&mut self, state: &G::State, ply: u32) -> Step<Score, G> {
        let score = self.finish(state, ply)?;
        Ok(self.leaf(NodeKind::Over, score))
    }

    /// The score of a finished game.
    fn finish(&mut self, state: &G::State, ply: u32) -> Step<Score, G> {
        let ending = self.asked(self.game.result(state))?;
        if ending.is_none() {
            return self.judge(state);
        }
        let score = match self.averages {
            true => Score::number(self.asked(worth(self.game, ending, || Ok(0.0)))?),
            false => ending.map_or(Score::Value(0.0), |ending| Score::of_result(ending, ply)),
        };
        Ok(score)
    }

    /// Searches a position at the horizon.
    fn horizon(&mut self, state: &G::State, at: NodePlace) -> Step<Score, G> {
        if !self.averages && self.heuristic.has_unquiet_positions(self.game) {
            // Only principal variation search passes its window beyond the horizon.
            let window = if self.style.scouts { at.window } else { self.open_window() };
            return self.unquiet(state, None, 0, NodePlace { window, ..at });
        }
        let score = self.judge(state)?;
        self.growth.top().judged = Some(score);
        Ok(self.leaf(NodeKind::Horizon, score))
    }

    fn judge(&mut self, state: &G::State) -> Step<Score, G> {
        self.judged += u64::from(!self.unseen);
        // Adding 0 turns -0 into 0, because averages distinguish the two.
        Ok(Score::number(self.asked(self.heuristic.evaluate(self.game, state))? + 0.0))
    }

    /// An answer of the game. A fault after the stop flag is set counts as a stop.
    fn asked<T>(&self, answer: Result<T, G::Fault>) -> Step<T, G> {
        answer.map_err(|fault| match self.how.stop.load(Relaxed) {
            true => RecordHalt::Stopped,
            false => RecordHalt::Failed(SearchError::Fault { fault, line: self.moves_made() }),
        })
    }

    /// The moves from the root to the current position.
    fn moves_made(&self) -> Vec<G::Move> {
        self.growth.open.iter().filter_map(|branch| branch.mv.clone()).collect()
    }
}
