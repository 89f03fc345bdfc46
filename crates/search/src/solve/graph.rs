//! The graph of all reachable positions, each with its distinct successors.
//!
//! Positions have numbers in breadth-first order. Each has its player to move or its score, and the
//! numbers of its successors. The memory check includes the needs of later computations.

use super::index::Index;
use super::{SolveError, SolveTask, Solved, Status};
use crate::game::{Game, Heuristic, Score, Side};

/// The number of positions that are made compact together.
const COMPACT: usize = 256;

/// The greatest number of positions between two memory checks.
const LOOK: usize = 4096;

/// Bytes of later computations per position: a value, a count, two places in lists.
const LATER: u64 = 16;

/// Bytes of later computations per position, if values are numbers.
const LATER_IN_NUMBERS: u64 = 40;

/// Bytes of later computations per edge: the reversed edge.
const LATER_PER_EDGE: u64 = 4;

/// The graph of all reachable positions.
pub(super) struct PositionGraph<S> {
    pub(super) index: Index<S>,
    /// The start of each position's successors in `edges`, and the end of the last.
    first: Vec<u32>,
    edges: Vec<u32>,
    /// The player to move; `None` if the game is over.
    movers: Vec<Option<Side>>,
    /// The finished games with their scores, in the order of their numbers.
    pub(super) over: Vec<(u32, Score)>,
    /// Whether some finished game is worth a number other than 0.
    pub(super) numbers: bool,
}

impl<S: Clone + Eq + std::hash::Hash> PositionGraph<S> {
    /// A graph without positions.
    fn empty() -> PositionGraph<S> {
        PositionGraph {
            index: Index::new(),
            first: vec![0],
            edges: Vec::new(),
            movers: Vec::new(),
            over: Vec::new(),
            numbers: false,
        }
    }

    /// The number of a position; `None` if there are too many positions or edges.
    fn number(&mut self, state: S) -> Option<u32> {
        if self.edges.len() > u32::MAX as usize / 2 {
            return None;
        }
        self.index.number(state)
    }

    fn too_large<G: Game>(&self) -> SolveError<G::Fault> {
        SolveError::Memory { positions: self.index.states.len() as u64 }
    }

    /// Makes the new positions compact, if there are at least `least`, and checks the memory.
    fn compact<G, H>(&mut self, task: &SolveTask<'_, G, H>, done: &mut usize, least: usize) -> Solved<(), G>
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        let states = &mut self.index.states;
        if states.len() - *done < least {
            return Ok(());
        }
        for some in states[*done..].chunks_mut(COMPACT) {
            task.game.compact(some);
        }
        *done = states.len();
        let mine = 4 * (self.first.capacity() + self.edges.capacity()) + self.movers.capacity();
        let each = if self.numbers { LATER_IN_NUMBERS } else { LATER };
        let later = each * *done as u64 + LATER_PER_EDGE * self.edges.len() as u64;
        let bytes = self.index.bytes() + mine as u64 + 24 * self.over.capacity() as u64 + later;
        if bytes + task.game.live_bytes() > task.memory {
            return Err(self.too_large::<G>());
        }
        Ok(())
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.movers.len()
    }

    /// The player to move; `None` if the game is over.
    pub(super) fn mover(&self, number: u32) -> Option<Side> {
        self.movers[number as usize]
    }

    /// The successors of a position, each once.
    pub(super) fn after(&self, number: u32) -> &[u32] {
        &self.edges[self.first[number as usize] as usize..self.first[number as usize + 1] as usize]
    }

    /// The reversed edges.
    pub(super) fn backward(&self) -> Backward {
        // A counting sort: each list is filled from its end to its start.
        let mut first = vec![0u32; self.len() + 1];
        for to in &self.edges {
            first[*to as usize] += 1;
        }
        let mut sum = 0;
        for place in &mut first {
            sum += *place;
            *place = sum;
        }
        let mut edges = vec![0; self.edges.len()];
        for from in (0..self.len() as u32).rev() {
            for to in self.after(from) {
                let place = &mut first[*to as usize];
                *place -= 1;
                edges[*place as usize] = from;
            }
        }
        Backward { first, edges }
    }
}

/// A graph under exploration, in breadth-first order.
pub(super) struct Exploration<S> {
    pub(super) graph: PositionGraph<S>,
    /// The numbers of the first positions, in their order.
    pub(super) roots: Vec<u32>,
    /// The number of positions made compact.
    compacted: usize,
}

impl<S: Clone + Eq + std::hash::Hash> Exploration<S> {
    /// Begins an exploration of all positions reachable from `roots`.
    pub(super) fn begin<G, H>(task: &SolveTask<'_, G, H>, roots: &[S]) -> Solved<Exploration<S>, G>
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        let mut graph = PositionGraph::empty();
        let (mut compacted, mut numbered) = (0, Vec::with_capacity(roots.len()));
        for root in roots {
            let root = task.canonical(root.clone())?;
            numbered.push(graph.number(root).ok_or_else(|| graph.too_large::<G>())?);
            graph.compact(task, &mut compacted, COMPACT)?;
        }
        Ok(Exploration { graph, roots: numbered, compacted })
    }

    /// Explores until all positions are met, or `most` are explored in all. Returns whether all were
    /// met. After a memory error it can continue with more memory.
    pub(super) fn go_on<G, H>(&mut self, task: &SolveTask<'_, G, H>, most: u64) -> Solved<bool, G>
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        let graph = &mut self.graph;
        let (mut moves, mut next, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        while graph.movers.len() < graph.index.states.len() {
            let here = graph.movers.len();
            if here as u64 >= most {
                return Ok(false);
            }
            task.count(here as u64 + 1)?;
            let state = graph.index.states[here].clone();
            match task.status(&state)? {
                Status::Over(worth) => {
                    graph.numbers |= matches!(worth, Score::Value(number) if number != 0.0);
                    graph.over.push((here as u32, worth));
                    graph.movers.push(None);
                }
                Status::Moves(side) => {
                    task.successors(&state, &mut moves, &mut next)?;
                    numbers.clear();
                    for after in next.drain(..) {
                        let after = task.canonical(after)?;
                        numbers.push(graph.number(after).ok_or_else(|| graph.too_large::<G>())?);
                    }
                    // A duplicate successor would be counted twice.
                    numbers.sort_unstable();
                    numbers.dedup();
                    graph.edges.extend_from_slice(&numbers);
                    graph.movers.push(Some(side));
                }
            }
            graph.first.push(graph.edges.len() as u32);
            moves.clear();
            // The number of edges may grow without that of positions.
            let least = if here.is_multiple_of(LOOK) { 0 } else { COMPACT };
            graph.compact(task, &mut self.compacted, least)?;
        }
        graph.compact(task, &mut self.compacted, 0)?;
        Ok(true)
    }
}

/// The predecessors of each position.
pub(super) struct Backward {
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl Backward {
    pub(super) fn before(&self, number: u32) -> &[u32] {
        &self.edges[self.first[number as usize] as usize..self.first[number as usize + 1] as usize]
    }
}
