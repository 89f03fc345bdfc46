//! The walk: one line of play at a time through the tree of a game, kept on the heap.
//!
//! In: a game, a horizon and the meter of a run. Out: the steps that every search here is made of:
//! arrive at a position, open it, go on to its next child, close it; with the moves that led
//! there, so that a fault can be shown, and the best line so far of every open position.
//! A line may be a million plies long, so nothing here calls itself.
//! Must not know which move is better: that belongs to the algorithms.

use super::engine::Quiet;
use super::limits::Meter;
use super::line::Reversed;
use super::repetition::{LineHashes, Repetition};
use super::result::{LineEnd, SearchError};
use super::visits::{Bounds, Hearer, Visit};
use crate::game::{Game, Heuristic, Score, Side, ToMove, widened_by_endless_play};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::mem;

/// Why a walk ends before its time.
pub(super) enum SearchHalt<F, M> {
    /// A limit or the stop flag.
    Stopped,
    /// The game went wrong.
    Failed(SearchError<F, M>),
}

impl<F, M: Clone> SearchHalt<F, M> {
    /// The same behind a move: whoever comes back from a fault names the moves that lead to it,
    /// the last one first.
    pub(super) fn after(mut self, mv: &M) -> SearchHalt<F, M> {
        if let SearchHalt::Failed(error) = &mut self {
            error.line_mut().push(mv.clone());
        }
        self
    }
}

/// What a step of a walk gives, unless the walk is halted.
pub(super) type Walked<T, G> = Result<T, SearchHalt<<G as Game>::Fault, <G as Game>::Move>>;

/// What a position turns out to be when a walk arrives at it.
#[derive(Clone, Copy)]
pub(super) enum Arrival {
    /// It has no children in this search.
    Leaf(Leaf),
    /// It lies before the horizon, and this side moves.
    Inner(Side),
    /// It lies before the horizon, and chance moves.
    Chance,
}

/// A position without children in a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    /// The game is over.
    Over,
    /// It stands on the line already, and that is a draw.
    Repeated,
    /// It lies at the horizon, and the game goes on.
    Horizon,
}

impl Leaf {
    /// Whether its worth is known, and no estimate.
    pub(super) fn is_certain(self) -> bool {
        self != Leaf::Horizon
    }
}

/// A position on the line that still has children to visit.
struct Open<S, M, N> {
    /// The position, unless the move that led to it holds it.
    state: Option<S>,
    /// The algorithm's own numbers.
    note: N,
    /// Where this position's moves begin in the walk's list; they end where the next one's begin.
    first: usize,
    /// The move tried last, until a line takes it over.
    tried: Option<M>,
    best: Reversed<M>,
}

/// The position behind `open`: `state`, or what the last move tried there leads to.
fn position<'w, G: Game, N>(
    game: &G,
    open: &'w [Open<G::State, G::Move, N>],
    state: &'w Option<G::State>,
) -> &'w G::State {
    let held = || game.held(open.last()?.tried.as_ref()?);
    state.as_ref().or_else(held).expect("a position that is kept nowhere else is held by the move to it")
}

/// A walk through the tree; `N` is what an algorithm notes about each open position.
pub(super) struct SearchStack<'a, G: Game, N> {
    game: &'a G,
    meter: &'a Meter<'a>,
    depth: Option<u32>,
    repetition: Repetition,
    /// The open positions, where repetitions matter.
    standing: LineHashes,
    /// The hash of the position arrived at, where repetitions matter.
    hash: u64,
    open: Vec<Open<G::State, G::Move, N>>,
    /// The position arrived at, unless the move that led to it holds it.
    state: Option<G::State>,
    /// The moves not yet tried of every open position, one stretch after the other, each with its
    /// last move first.
    moves: Vec<G::Move>,
    /// The best line of the position that was left last.
    left: Reversed<G::Move>,
    spare: Vec<Vec<G::Move>>,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Positions judged by the heuristic.
    pub(super) evals: u64,
    /// Visits to the horizon, where only an estimate tells the value.
    pub(super) horizons: u64,
    /// The greatest depth in plies visited.
    pub(super) reached: u32,
}

impl<'a, G: Game, N> SearchStack<'a, G, N> {
    /// A walk before `root`, to be as deep as `depth` plies.
    pub(super) fn new(
        game: &'a G,
        root: G::State,
        depth: Option<u32>,
        repetition: Repetition,
        meter: &'a Meter<'a>,
    ) -> Self {
        SearchStack {
            game,
            meter,
            depth,
            repetition,
            standing: LineHashes::default(),
            hash: 0,
            open: Vec::new(),
            state: Some(root),
            moves: Vec::new(),
            left: Reversed::none(Vec::new()),
            spare: Vec::new(),
            nodes: 0,
            evals: 0,
            horizons: 0,
            reached: 0,
        }
    }

    /// Plies from the root to the position that the walk has arrived at and not opened.
    pub(super) fn ply(&self) -> u32 {
        u32::try_from(self.open.len()).expect("memory ends before plies of 32 bits do")
    }

    /// The position that the walk has arrived at.
    fn here(&self) -> &G::State {
        position(self.game, &self.open, &self.state)
    }

    /// Visits the root, or the position that `next_child` went to, and asks what it is.
    pub(super) fn arrive(&mut self) -> Walked<Arrival, G> {
        if !self.meter.admits_one_more() {
            return Err(SearchHalt::Stopped);
        }
        let ply = self.ply();
        self.nodes += 1;
        self.reached = self.reached.max(ply);
        if self.repetition != Repetition::Ignored {
            let state = self.here();
            let hash = FxBuildHasher.hash_one(state);
            let stands = |ply: usize| position(self.game, &self.open[..ply], &self.open[ply].state) == state;
            if self.standing.holds(hash, stands) {
                return self.arrive_again();
            }
            self.hash = hash;
        }
        if self.depth.is_some_and(|depth| ply >= depth) {
            if self.game.is_over(self.here()).map_err(|fault| self.fault(fault))? {
                return Ok(Arrival::Leaf(Leaf::Over));
            }
            self.horizons += 1;
            self.left.become_end(LineEnd::Horizon);
            return Ok(Arrival::Leaf(Leaf::Horizon));
        }
        Ok(match self.game.to_move(self.here()).map_err(|fault| self.fault(fault))? {
            ToMove::Over => Arrival::Leaf(Leaf::Over),
            ToMove::Max => Arrival::Inner(Side::Max),
            ToMove::Min => Arrival::Inner(Side::Min),
            ToMove::Chance => Arrival::Chance,
        })
    }

    /// What becomes of an algorithm that knows of no chance where the walk has arrived.
    pub(super) fn by_chance<T>(&self) -> Walked<T, G> {
        Err(SearchHalt::Failed(SearchError::Chance { line: self.line(self.open.len()) }))
    }

    /// Deals with a position that stands on the line already.
    fn arrive_again(&mut self) -> Walked<Arrival, G> {
        if self.repetition == Repetition::Draw {
            self.left.become_end(LineEnd::Repeated);
            return Ok(Arrival::Leaf(Leaf::Repeated));
        }
        let line = self.line(self.open.len());
        Err(SearchHalt::Failed(SearchError::Repetition { line }))
    }

    /// How many moves there are in the inner position that the walk has arrived at and does not open.
    pub(super) fn count(&mut self) -> Walked<usize, G> {
        self.game.count_moves(self.here()).map_err(|fault| self.fault(fault))
    }

    /// Puts the inner position that the walk has arrived at on the line, with its moves; gives how
    /// many there are.
    pub(super) fn open(&mut self, note: N) -> Walked<usize, G> {
        if self.meter.is_too_long(self.open.len()) {
            let line = self.line(self.open.len());
            return Err(SearchHalt::Failed(SearchError::Endless { line }));
        }
        let first = self.moves.len();
        let state = position(self.game, &self.open, &self.state);
        self.game.moves(state, &mut self.moves).map_err(|fault| self.fault(fault))?;
        let count = self.moves.len() - first;
        assert!(count > 0, "Game::moves finds a move where Game::turn names a side");
        self.moves[first..].reverse();
        if self.repetition != Repetition::Ignored {
            self.standing.push(self.hash);
        }
        let room = self.spare.pop().unwrap_or_default();
        let state = self.state.take();
        self.open.push(Open { state, note, first, tried: None, best: Reversed::none(room) });
        Ok(count)
    }

    /// The same; what the heuristic finds promising is tried first.
    pub(super) fn open_best_first<H: Heuristic<G>>(&mut self, heuristic: &H, note: N) -> Walked<usize, G> {
        let first = self.moves.len();
        let count = self.open(note)?;
        if count == 1 || !heuristic.weighs_moves(self.game) {
            return Ok(count);
        }
        let Some((open, above)) = self.open.split_last() else { return Ok(count) };
        let state = position(self.game, above, &open.state);
        let depth = self.depth.map_or(u32::MAX, |depth| depth - above.len() as u32);
        let mut weights = Vec::with_capacity(count);
        let weighed = heuristic.weigh(self.game, state, &self.moves[first..], depth, &mut weights);
        let before = above.len();
        weighed.map_err(|fault| self.fault_after(before, fault))?;
        let mut weighed: Vec<(f64, G::Move)> = weights.into_iter().zip(self.moves.drain(first..)).collect();
        // The last is tried first, and of equals the first in the game's order.
        weighed.sort_by(|(left, _), (right, _)| left.total_cmp(right));
        self.moves.extend(weighed.into_iter().map(|(_, mv)| mv));
        Ok(count)
    }

    /// Tells of the position arrived at; its window follows from the note above.
    pub(super) fn tell_in(&self, hear: Option<Hearer<'_, G::State>>, window: impl FnOnce(Option<&N>) -> Bounds) {
        if let Some(hear) = hear {
            let window = window(self.open.last().map(|open| &open.note));
            hear(Visit::In { state: self.here(), ply: self.ply(), window });
        }
    }

    /// Tells of leaving the position arrived at, without opening it.
    pub(super) fn tell_leaf(&self, hear: Option<Hearer<'_, G::State>>, score: Score) {
        if let Some(hear) = hear {
            hear(Visit::Out { state: self.here(), ply: self.ply(), score, cut: 0 });
        }
    }

    /// Tells of leaving the position opened last, which has a score by its note.
    pub(super) fn tell_out(&self, hear: Option<Hearer<'_, G::State>>, score: impl FnOnce(&N) -> Option<Score>) {
        if let (Some(hear), Some((open, above))) = (hear, self.open.split_last())
            && let Some(score) = score(&open.note)
        {
            let state = position(self.game, above, &open.state);
            hear(Visit::Out { state, ply: above.len() as u32, score, cut: self.moves.len() - open.first });
        }
    }

    /// The note on the position opened last, while there is one.
    pub(super) fn top(&mut self) -> Option<&mut N> {
        self.open.last_mut().map(|open| &mut open.note)
    }

    /// Goes on to the position after the next move of the position opened last; false when all
    /// were tried.
    pub(super) fn next_child(&mut self) -> Walked<bool, G> {
        let Some((open, above)) = self.open.split_last_mut() else {
            return Ok(false);
        };
        if self.moves.len() == open.first {
            return Ok(false);
        }
        open.tried = self.moves.pop();
        let mv = open.tried.as_ref().expect("a stretch that does not begin at the end has a move");
        if self.game.held(mv).is_none() {
            let child = self.game.apply(position(self.game, above, &open.state), mv);
            let above = above.len();
            self.state = Some(child.map_err(|fault| self.fault_after(above, fault))?);
        }
        Ok(true)
    }

    /// Makes the move tried last, and the best line behind it, the best line of the position
    /// opened last.
    pub(super) fn keep_line(&mut self) {
        let open = self.open.last_mut().expect("a move was tried in an open position");
        mem::swap(&mut open.best, &mut self.left);
        // Nothing is asked about the line before the next move is tried.
        open.best.begin_with(open.tried.take().expect("a move is kept once"));
    }

    /// Takes the position opened last off the line; gives its note.
    pub(super) fn close(&mut self) -> N {
        let open = self.open.pop().expect("only an open position is closed");
        self.moves.truncate(open.first);
        if self.repetition != Repetition::Ignored {
            self.standing.pop();
        }
        let old = mem::replace(&mut self.left, open.best);
        self.spare.push(old.into_room());
        open.note
    }

    /// The note on the root and its best line so far, of a walk that was halted; `None` where the
    /// root was not opened.
    pub(super) fn halted_root(&mut self) -> Option<(N, Reversed<G::Move>)> {
        self.open.truncate(1);
        self.open.pop().map(|root| (root.note, root.best))
    }

    /// The best line of a walk that came back to its root.
    pub(super) fn finished_line(&mut self) -> Reversed<G::Move> {
        mem::replace(&mut self.left, Reversed::none(Vec::new()))
    }

    /// What the leaf that the walk has arrived at is worth, by the heuristic at the horizon.
    pub(super) fn worth<H>(&mut self, heuristic: &H, leaf: Leaf) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        match leaf {
            Leaf::Over => self.finish(heuristic),
            Leaf::Repeated => Ok(Score::Value(0.0)),
            Leaf::Horizon if heuristic.knows_unrest(self.game) => self.rest(heuristic),
            Leaf::Horizon => self.judge(heuristic),
        }
    }

    /// The least and the greatest that the leaf which the walk has arrived at can be worth,
    /// whatever the heuristic says at the horizon.
    pub(super) fn range<H>(&mut self, heuristic: &H, leaf: Leaf) -> Walked<(Score, Score), G>
    where
        H: Heuristic<G>,
    {
        if !leaf.is_certain() {
            return Ok(self.range_beyond());
        }
        let worth = self.worth(heuristic, leaf)?;
        Ok((worth, worth))
    }

    /// The exact worth of the finished game that the walk has arrived at.
    fn finish<H>(&mut self, heuristic: &H) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        let ending = self.game.result(self.here()).map_err(|fault| self.fault(fault))?;
        let score = match ending {
            Some(ending) => Score::of_ending(ending, self.ply()),
            None => self.judge(heuristic)?,
        };
        self.left.become_end(ending.map_or(LineEnd::Numbered, LineEnd::Ended));
        Ok(score)
    }

    /// What the position at the horizon is worth when it has come to rest.
    fn rest<H>(&mut self, heuristic: &H) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        let mut quiet = Quiet::new(self.game, heuristic);
        let window = (-i64::MAX, i64::MAX);
        let rank = quiet.value(self.here(), self.ply(), window, self.meter).map_err(|halt| match halt {
            SearchHalt::Failed(error) => {
                // It was told from its end, and the moves to the horizon come before it.
                let mut error = error.rooted();
                let mut line = self.line(self.open.len());
                line.append(error.line_mut());
                *error.line_mut() = line;
                SearchHalt::Failed(error)
            }
            SearchHalt::Stopped => SearchHalt::Stopped,
        })?;
        self.nodes += quiet.nodes;
        self.evals += quiet.evals;
        Ok(Score::of_rank(rank))
    }

    /// What the heuristic says of the position that the walk has arrived at.
    fn judge<H>(&mut self, heuristic: &H) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        self.evals += 1;
        let number = heuristic.evaluate(self.game, self.here());
        Ok(Score::number(number.map_err(|fault| self.fault(fault))?))
    }

    /// The least and the greatest that the position at the horizon, which the walk has arrived at,
    /// can be worth: what the game's numbers allow, or else an end on the very next ply.
    pub(super) fn range_beyond(&self) -> (Score, Score) {
        let Some(range) = self.game.value_range() else {
            let plies = self.ply() + 1;
            return (Score::Loss { plies }, Score::Win { plies });
        };
        let (least, greatest) = widened_by_endless_play(self.game, range);
        (Score::number(least), Score::number(greatest))
    }

    /// A fault in the position that the walk has arrived at.
    fn fault(&self, fault: G::Fault) -> SearchHalt<G::Fault, G::Move> {
        self.fault_after(self.open.len(), fault)
    }

    /// A fault after the moves tried in the first `positions` open positions. Rules that were cut
    /// short by the stop flag may fault for that alone, so after it a fault only stops.
    fn fault_after(&self, positions: usize, fault: G::Fault) -> SearchHalt<G::Fault, G::Move> {
        if self.meter.stop_is_asked() {
            return SearchHalt::Stopped;
        }
        let line = self.line(positions);
        SearchHalt::Failed(SearchError::Fault { fault, line })
    }

    /// The moves tried last in the first `positions` open positions.
    fn line(&self, positions: usize) -> Vec<G::Move> {
        let tried = self.open.iter().take(positions).map(|open| open.tried.clone());
        tried.map(|mv| mv.expect("a move leads on from every position on a line")).collect()
    }
}
