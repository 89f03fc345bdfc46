//! The stack of a search: one line at a time through the game tree, stored on the heap.
//!
//! It takes a game, a depth and the meter of a search. It provides the steps of a search: arrive at
//! a position, open it, go to the next successor, close it. It keeps the moves of the line, to
//! report faults, and the best line so far of every open position. Nothing here is recursive,
//! because a line may have a million plies. It must not decide which move is better: algorithms do.

use super::limits::Meter;
use super::line::Reversed;
use super::quiesce::Quiet;
use super::repetition::{LineHashes, Repetition};
use super::result::{LineEnd, SearchError, SearchHalt, Walked};
use super::visits::{Bounds, Visit, VisitObserver};
use crate::game::{Game, Heuristic, Score, Side, ToMove, widened_by_endless_play};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::mem;

/// The kind of a position at which a search arrives.
#[derive(Clone, Copy)]
pub(super) enum Arrival {
    /// It has no successors in this search.
    Leaf(LeafKind),
    /// It lies before the horizon, with this side to move.
    Inner(Side),
    /// It lies before the horizon, with a chance move.
    Chance,
}

/// A position without successors in a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LeafKind {
    /// The game is over.
    Over,
    /// It repeats a position of the line, which is a draw.
    Repeated,
    /// It lies at the horizon and the game is not over.
    Horizon,
}

impl LeafKind {
    /// Whether its value is no estimate.
    pub(super) fn is_certain(self) -> bool {
        self != LeafKind::Horizon
    }
}

/// A position on the line with successors left to visit.
struct Open<S, M, N> {
    /// The position, unless the move that led to it contains it.
    state: Option<S>,
    /// The data of the algorithm.
    note: N,
    /// The index of its first move in the stack's move list; its moves end where those of the next
    /// open position begin.
    first: usize,
    /// The move tried last, until the best line takes it.
    tried: Option<M>,
    best: Reversed<M>,
}

/// The position after the line `open`: `state`, or the position that its last move contains.
fn position<'w, G: Game, N>(
    game: &G,
    open: &'w [Open<G::State, G::Move, N>],
    state: &'w Option<G::State>,
) -> &'w G::State {
    let held = || game.held(open.last()?.tried.as_ref()?);
    state.as_ref().or_else(held).expect("a position that is kept nowhere else is held by the move to it")
}

/// The stack of a search; `N` is the data that an algorithm keeps for each open position.
pub(super) struct SearchStack<'a, G: Game, N> {
    game: &'a G,
    meter: &'a Meter<'a>,
    depth: Option<u32>,
    repetition: Repetition,
    /// The hashes of the open positions, if repetitions matter.
    line_hashes: LineHashes,
    /// The hash of the current position, if repetitions matter.
    hash: u64,
    open: Vec<Open<G::State, G::Move, N>>,
    /// The current position, unless the move that led to it contains it.
    state: Option<G::State>,
    /// The untried moves of all open positions, one position after the other, each with its last
    /// move first.
    moves: Vec<G::Move>,
    /// The best line of the position that was closed last.
    left: Reversed<G::Move>,
    spare: Vec<Vec<G::Move>>,
    pub(super) nodes: u64,
    /// Evaluations.
    pub(super) evals: u64,
    /// Visits at the horizon, where the value is an estimate.
    pub(super) horizons: u64,
    /// The greatest depth in plies visited.
    pub(super) reached: u32,
}

impl<'a, G: Game, N> SearchStack<'a, G, N> {
    /// A stack before the visit of `root`, for a search of `depth` plies.
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
            line_hashes: LineHashes::default(),
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

    /// Plies from the root to the current position.
    pub(super) fn ply(&self) -> u32 {
        u32::try_from(self.open.len()).expect("memory ends before plies of 32 bits do")
    }

    /// The current position: the one that the search has arrived at.
    fn here(&self) -> &G::State {
        position(self.game, &self.open, &self.state)
    }

    /// Visits the root or the position that `next_child` went to, and returns its kind.
    pub(super) fn arrive(&mut self) -> Walked<Arrival, G> {
        if !self.meter.count_node() {
            return Err(SearchHalt::Stopped);
        }
        let ply = self.ply();
        self.nodes += 1;
        self.reached = self.reached.max(ply);
        if self.repetition != Repetition::Ignored {
            let state = self.here();
            let hash = FxBuildHasher.hash_one(state);
            let stands = |ply: usize| position(self.game, &self.open[..ply], &self.open[ply].state) == state;
            if self.line_hashes.holds(hash, stands) {
                return self.arrive_again();
            }
            self.hash = hash;
        }
        if self.depth.is_some_and(|depth| ply >= depth) {
            if self.game.is_over(self.here()).map_err(|fault| self.fault(fault))? {
                return Ok(Arrival::Leaf(LeafKind::Over));
            }
            self.horizons += 1;
            self.left.become_end(LineEnd::Horizon);
            return Ok(Arrival::Leaf(LeafKind::Horizon));
        }
        Ok(match self.game.to_move(self.here()).map_err(|fault| self.fault(fault))? {
            ToMove::Over => Arrival::Leaf(LeafKind::Over),
            ToMove::Max => Arrival::Inner(Side::Max),
            ToMove::Min => Arrival::Inner(Side::Min),
            ToMove::Chance => Arrival::Chance,
        })
    }

    /// The error of an algorithm without chance at a chance position.
    pub(super) fn by_chance<T>(&self) -> Walked<T, G> {
        Err(SearchHalt::Failed(SearchError::Chance { line: self.line(self.open.len()) }))
    }

    /// Handles a position that is already on the line.
    fn arrive_again(&mut self) -> Walked<Arrival, G> {
        if self.repetition == Repetition::Draw {
            self.left.become_end(LineEnd::Repeated);
            return Ok(Arrival::Leaf(LeafKind::Repeated));
        }
        let line = self.line(self.open.len());
        Err(SearchHalt::Failed(SearchError::Repetition { line }))
    }

    /// The number of moves in the current position, which stays closed.
    pub(super) fn count(&mut self) -> Walked<usize, G> {
        self.game.count_moves(self.here()).map_err(|fault| self.fault(fault))
    }

    /// Opens the current position: puts it on the line with its moves. Returns the number of moves.
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
            self.line_hashes.push(self.hash);
        }
        let room = self.spare.pop().unwrap_or_default();
        let state = self.state.take();
        self.open.push(Open { state, note, first, tried: None, best: Reversed::none(room) });
        Ok(count)
    }

    /// Opens the current position; moves with a greater weight come first.
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
        // The last move of the list is tried first; of equals, the first in the game's order.
        weighed.sort_by(|(left, _), (right, _)| left.total_cmp(right));
        self.moves.extend(weighed.into_iter().map(|(_, mv)| mv));
        Ok(count)
    }

    /// Reports the visit of the current position; its window follows from the data of its parent.
    pub(super) fn tell_in(&self, hear: Option<VisitObserver<'_, G::State>>, window: impl FnOnce(Option<&N>) -> Bounds) {
        if let Some(hear) = hear {
            let window = window(self.open.last().map(|open| &open.note));
            hear(Visit::In { state: self.here(), ply: self.ply(), window });
        }
    }

    /// Reports that the search leaves the current position without opening it.
    pub(super) fn tell_leaf(&self, hear: Option<VisitObserver<'_, G::State>>, score: Score) {
        if let Some(hear) = hear {
            hear(Visit::Out { state: self.here(), ply: self.ply(), score, cut: 0 });
        }
    }

    /// Reports that the search leaves the position opened last, with the score of its data.
    pub(super) fn tell_out(&self, hear: Option<VisitObserver<'_, G::State>>, score: impl FnOnce(&N) -> Option<Score>) {
        if let (Some(hear), Some((open, above))) = (hear, self.open.split_last())
            && let Some(score) = score(&open.note)
        {
            let state = position(self.game, above, &open.state);
            hear(Visit::Out { state, ply: above.len() as u32, score, cut: self.moves.len() - open.first });
        }
    }

    /// The data of the position opened last, if any.
    pub(super) fn top(&mut self) -> Option<&mut N> {
        self.open.last_mut().map(|open| &mut open.note)
    }

    /// Goes to the next successor of the position opened last; false if all moves were tried.
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

    /// Makes the move tried last, followed by its best line, the best line of the position opened
    /// last.
    pub(super) fn keep_line(&mut self) {
        let open = self.open.last_mut().expect("a move was tried in an open position");
        mem::swap(&mut open.best, &mut self.left);
        // The line needs `tried` again only after the next move is tried.
        open.best.begin_with(open.tried.take().expect("a move is kept once"));
    }

    /// Closes the position opened last and returns its data.
    pub(super) fn close(&mut self) -> N {
        let open = self.open.pop().expect("only an open position is closed");
        self.moves.truncate(open.first);
        if self.repetition != Repetition::Ignored {
            self.line_hashes.pop();
        }
        let old = mem::replace(&mut self.left, open.best);
        self.spare.push(old.into_room());
        open.note
    }

    /// The data of the root and its best line so far, after an early stop; `None` if the root was
    /// not opened.
    pub(super) fn halted_root(&mut self) -> Option<(N, Reversed<G::Move>)> {
        self.open.truncate(1);
        self.open.pop().map(|root| (root.note, root.best))
    }

    /// The best line of a finished search.
    pub(super) fn finished_line(&mut self) -> Reversed<G::Move> {
        mem::replace(&mut self.left, Reversed::none(Vec::new()))
    }

    /// The score of the current leaf; at the horizon, that of the heuristic.
    pub(super) fn worth<H>(&mut self, heuristic: &H, leaf: LeafKind) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        match leaf {
            LeafKind::Over => self.finish(heuristic),
            LeafKind::Repeated => Ok(Score::Value(0.0)),
            LeafKind::Horizon if heuristic.has_unquiet_positions(self.game) => self.rest(heuristic),
            LeafKind::Horizon => self.judge(heuristic),
        }
    }

    /// The least and the greatest score that the current leaf can have, for any heuristic.
    pub(super) fn range<H>(&mut self, heuristic: &H, leaf: LeafKind) -> Walked<(Score, Score), G>
    where
        H: Heuristic<G>,
    {
        if !leaf.is_certain() {
            return Ok(self.range_beyond());
        }
        let worth = self.worth(heuristic, leaf)?;
        Ok((worth, worth))
    }

    /// The exact score of the current position, in which the game is over.
    fn finish<H>(&mut self, heuristic: &H) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        let ending = self.game.result(self.here()).map_err(|fault| self.fault(fault))?;
        let score = match ending {
            Some(ending) => Score::of_result(ending, self.ply()),
            None => self.judge(heuristic)?,
        };
        self.left.become_end(ending.map_or(LineEnd::Numbered, LineEnd::Ended));
        Ok(score)
    }

    /// The score of the current position by the quiescence search.
    fn rest<H>(&mut self, heuristic: &H) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        let mut quiet = Quiet::new(self.game, heuristic);
        let window = (-i64::MAX, i64::MAX);
        let rank = quiet.value(self.here(), self.ply(), window, self.meter).map_err(|halt| match halt {
            SearchHalt::Failed(error) => {
                // This error's line is reversed and starts at the horizon.
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

    /// The evaluation of the current position.
    fn judge<H>(&mut self, heuristic: &H) -> Walked<Score, G>
    where
        H: Heuristic<G>,
    {
        self.evals += 1;
        let number = heuristic.evaluate(self.game, self.here());
        Ok(Score::number(number.map_err(|fault| self.fault(fault))?))
    }

    /// The least and the greatest score that the current position, at the horizon, can have: the
    /// range of the game's numbers, or else a win or loss on the next ply.
    pub(super) fn range_beyond(&self) -> (Score, Score) {
        let Some(range) = self.game.facts().value_range else {
            let plies = self.ply() + 1;
            return (Score::Loss { plies }, Score::Win { plies });
        };
        let (least, greatest) = widened_by_endless_play(self.game, range);
        (Score::number(least), Score::number(greatest))
    }

    /// A fault in the current position.
    fn fault(&self, fault: G::Fault) -> SearchHalt<G::Fault, G::Move> {
        self.fault_after(self.open.len(), fault)
    }

    /// A fault after the moves of the first `positions` open positions. After the stop flag was set
    /// it only stops the search: an interruption alone may make rules fault.
    fn fault_after(&self, positions: usize, fault: G::Fault) -> SearchHalt<G::Fault, G::Move> {
        if self.meter.is_stopped() {
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
