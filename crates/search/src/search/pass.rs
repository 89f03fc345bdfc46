//! A pass: one walk through the tree from the root and back, and what it hands over.
//!
//! In: a task, that is, a game, its heuristic, a root and a depth. Out: a value, a line and counts,
//! from which an algorithm makes an outcome after as many passes as it needs.
//! Must not know how an algorithm chooses among moves.

use super::limits::Meter;
use super::line::Reversed;
use super::outcome::{LineEnd, Outcome, Searched, Stats};
use super::proof::Proof;
use super::repetition::Repetition;
use super::walk::{Halt, Walk, Walked};
use crate::game::{Game, Score};

/// What every pass of one search is about.
pub(super) struct Task<'a, G: Game, H> {
    pub(super) game: &'a G,
    pub(super) heuristic: &'a H,
    pub(super) root: &'a G::State,
    /// Plies to the horizon; `None`: to the end of the game.
    pub(super) depth: Option<u32>,
    pub(super) meter: &'a Meter<'a>,
}

impl<'a, G: Game, H> Task<'a, G, H> {
    /// A walk from before the root.
    pub(super) fn walk<N>(&self) -> Walk<'a, G, N> {
        let repetition = Repetition::in_game(self.game, self.depth);
        Walk::new(self.game, self.root.clone(), self.depth, repetition, self.meter)
    }
}

/// What a pass found; `V` is what its algorithm knows of a position.
pub(super) struct Found<V, M> {
    /// `None` where the pass was stopped before the root's first move was finished.
    pub(super) value: Option<V>,
    pub(super) line: Vec<M>,
    pub(super) end: Option<LineEnd>,
    pub(super) nodes: u64,
    pub(super) evals: u64,
    pub(super) horizons: u64,
    pub(super) reached: u32,
    pub(super) stopped: bool,
}

impl<V, M> Found<V, M> {
    /// Gathers what `walk` leaves behind, whether it came back to the root with a value or was
    /// halted; `so_far` reads the value from the note on a root whose moves are not all finished.
    pub(super) fn gather<G, N>(
        mut walk: Walk<'_, G, N>,
        walked: Walked<V, G>,
        so_far: impl FnOnce(N) -> Option<V>,
    ) -> Searched<Found<V, M>, G>
    where
        G: Game<Move = M>,
    {
        let (value, line, stopped) = match walked {
            Ok(value) => (Some(value), walk.finished_line(), false),
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::Stopped) => match walk.halted_root() {
                Some((note, line)) => (so_far(note), line, true),
                None => (None, Reversed::none(Vec::new()), true),
            },
        };
        let (line, end) = line.read();
        Ok(Found {
            value,
            line,
            end,
            nodes: walk.nodes,
            evals: walk.evals,
            horizons: walk.horizons,
            reached: walk.reached,
            stopped,
        })
    }

    /// The outcome of a search whose first pass this is; `score` reads the value for Max.
    pub(super) fn outcome(self, depth: Option<u32>, proof: Proof<M>, score: impl FnOnce(V) -> Score) -> Outcome<M>
    where
        M: Clone,
    {
        let (line, end) = proof.line.unwrap_or((self.line, self.end));
        Outcome {
            value: self.value.map(score),
            exact: proof.exact,
            averaged: false,
            best: line.first().cloned(),
            line,
            end,
            depth,
            partial: self.stopped,
            deeper: None,
            reached: self.reached,
            nodes: self.nodes,
            evals: self.evals,
            proof_nodes: proof.nodes,
            stopped: self.stopped || proof.stopped,
            stats: Stats { nodes: self.nodes, evals: self.evals, ..Stats::default() },
            lines: Vec::new(),
            sample: None,
        }
    }
}
