//! An iteration: one search from the root and back, and its result.
//!
//! An [`IterationTask`] has a game, a heuristic, a root and a depth; an [`IterationResult`] has a
//! value, a line and counts; an [`ExactnessProof`] says whether the value is exact. An algorithm makes
//! a [`SearchResult`] of as many iterations as it needs. This module must not depend on how an
//! algorithm chooses among moves.

use super::limits::Meter;
use super::line::Reversed;
use super::repetition::Repetition;
use super::result::{LineEnd, SearchHalt, SearchResult, Searched, Stats, Walked};
use super::stack::SearchStack;
use crate::game::{Game, Score};

/// The input of every iteration of one search.
pub(super) struct IterationTask<'a, G: Game, H> {
    pub(super) game: &'a G,
    pub(super) heuristic: &'a H,
    pub(super) root: &'a G::State,
    /// Plies to the horizon; `None`: to the end of the game.
    pub(super) depth: Option<u32>,
    pub(super) meter: &'a Meter<'a>,
}

impl<'a, G: Game, H> IterationTask<'a, G, H> {
    /// A search stack before the visit of the root.
    pub(super) fn walk<N>(&self) -> SearchStack<'a, G, N> {
        let repetition = Repetition::in_game(self.game, self.depth);
        SearchStack::new(self.game, self.root.clone(), self.depth, repetition, self.meter)
    }
}

/// The result of an iteration; `V` is the value type of its algorithm.
pub(super) struct IterationResult<V, M> {
    /// `None` if the search stopped before the root's first move was finished.
    pub(super) value: Option<V>,
    pub(super) line: Vec<M>,
    pub(super) end: Option<LineEnd>,
    pub(super) nodes: u64,
    pub(super) evals: u64,
    pub(super) horizons: u64,
    pub(super) reached: u32,
    pub(super) stopped: bool,
}

impl<V, M> IterationResult<V, M> {
    /// Collects the result of `walk`, whether it finished or stopped early.
    /// `so_far` reads the value from the data of a root whose moves are not all finished.
    pub(super) fn gather<G, N>(
        mut walk: SearchStack<'_, G, N>,
        walked: Walked<V, G>,
        so_far: impl FnOnce(N) -> Option<V>,
    ) -> Searched<IterationResult<V, M>, G>
    where
        G: Game<Move = M>,
    {
        let (value, line, stopped) = match walked {
            Ok(value) => (Some(value), walk.finished_line(), false),
            Err(SearchHalt::Failed(error)) => return Err(error),
            Err(SearchHalt::Stopped) => match walk.halted_root() {
                Some((note, line)) => (so_far(note), line, true),
                None => (None, Reversed::none(Vec::new()), true),
            },
        };
        let (line, end) = line.read();
        Ok(IterationResult {
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

    /// The result of a search that began with this iteration; `score` reads the value for Max.
    pub(super) fn outcome(
        self,
        depth: Option<u32>,
        proof: ExactnessProof<M>,
        score: impl FnOnce(V) -> Score,
    ) -> SearchResult<M>
    where
        M: Clone,
    {
        let (line, end) = proof.line.unwrap_or((self.line, self.end));
        SearchResult {
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

/// Whether a value is exact, with the cost of the proof.
pub(super) struct ExactnessProof<M> {
    /// Whether no estimate can change the value.
    pub(super) exact: bool,
    /// A line that does not rest on estimates, with its end; it replaces the line found first.
    pub(super) line: Option<(Vec<M>, Option<LineEnd>)>,
    /// Positions visited for the proof.
    pub(super) nodes: u64,
    /// Whether the proof was stopped; nothing is then proved.
    pub(super) stopped: bool,
}

impl<M> ExactnessProof<M> {
    /// A result that needs no search.
    pub(super) fn at_once(exact: bool) -> ExactnessProof<M> {
        ExactnessProof { exact, line: None, nodes: 0, stopped: false }
    }

    /// The result of the proof search `found`, which showed whether the value is `exact`.
    pub(super) fn from_pass<V>(found: IterationResult<V, M>, exact: bool) -> ExactnessProof<M> {
        let exact = exact && !found.stopped;
        ExactnessProof {
            exact,
            line: exact.then_some((found.line, found.end)),
            nodes: found.nodes,
            stopped: found.stopped,
        }
    }
}
