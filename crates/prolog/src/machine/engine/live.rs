//! Live positions: terms of answers that stay in the heap while goals about them run.
//!
//! A depth-first search asks about a position, then about its successors, which are a list in the
//! answer. Their terms stay where the answer has built them, on top of those of the positions before,
//! so nothing is packed. A goal about a successor begins where its list ends. Any other goal ends
//! all live positions.

use crate::machine::engine::{Engine, EngineState};
use crate::machine::fault::Fault;
use crate::machine::ir::{ARGS, Mode};
use crate::machine::store::Budget;
use crate::machine::{LivePlace, Solver};
use crate::term::heap::{FUNCTOR, header_kind, header_small};
use crate::term::{HDR, LST, REF, STR, Term};
use alphorn_lang::lang::program::PredId;

/// Live positions take at most this number of cells, with the garbage of their answers.
const MOST_CELLS: usize = 1 << 18;

/// One list of live positions.
pub(super) struct LiveList {
    /// The number of terms below this list.
    first: usize,
    /// The end of its cells.
    end: usize,
}

/// The stack of lists of live positions.
#[derive(Default)]
pub(super) struct LiveStack {
    lists: Vec<LiveList>,
    terms: Vec<Term>,
}

impl LiveStack {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.lists.clear();
    }

    /// Whether there are no lists.
    pub(super) fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Ends all lists from `level` on.
    #[inline(always)]
    fn truncate(&mut self, level: usize) {
        if let Some(list) = self.lists.get(level) {
            self.terms.truncate(list.first);
            self.lists.truncate(level);
        }
    }

    /// The terms of a list.
    fn terms(&self, level: usize) -> &[Term] {
        let Some(list) = self.lists.get(level) else { return &[] };
        let end = self.lists.get(level + 1).map_or(self.terms.len(), |next| next.first);
        &self.terms[list.first..end]
    }
}

impl Engine {
    /// See [`Solver::first_about`].
    #[inline]
    pub(super) fn first_live(
        &mut self,
        pred: PredId,
        at: LivePlace,
        outputs: usize,
        budget: Budget,
    ) -> Result<Option<bool>, Fault> {
        let Some(&term) = self.live.terms(at.level).get(at.number) else { return Ok(None) };
        // Live positions do not hold their atoms.
        if self.store.heap.names.is_crowded() {
            return Ok(None);
        }
        self.live.truncate(at.level + 1);
        let end = self.live.lists[at.level].end;
        self.renew(budget);
        let modes = (0..outputs).fold(Mode::Solid as u64, |way, _| way << 2 | Mode::Out as u64);
        let Some(proc) = self.known_entry(pred, modes) else { return Ok(None) };
        self.first_frame(1 + outputs);
        self.asked.clear();
        let heap = &mut self.store.heap;
        heap.cells.truncate(end);
        self.stack[usize::from(ARGS)] = term.0;
        for slot in &mut self.stack[usize::from(ARGS) + 1..][..outputs] {
            let fresh = heap.variable();
            self.asked.push(fresh);
            *slot = fresh.0;
        }
        self.fixed = end;
        self.ready(proc);
        self.state = EngineState::Over;
        let found = self.run(false)?;
        if found {
            self.state = EngineState::Answered;
        }
        Ok(Some(found))
    }

    /// See [`Solver::keep`].
    pub(super) fn keep_live(&mut self, list: Term) -> Option<usize> {
        let heap = &self.store.heap;
        let end = heap.len();
        if self.state != EngineState::Answered || end > MOST_CELLS {
            return None;
        }
        let first = if self.live.lists.is_empty() { 0 } else { self.live.terms.len() };
        self.live.terms.truncate(first);
        let mut rest = list;
        // The size of the heap bounds the loop, because a cyclic list has no end.
        while let Some((head, tail)) = heap.head_and_tail(rest)
            && self.live.terms.len() - first < end
        {
            self.live.terms.push(heap.deref(head));
            rest = tail;
        }
        let sound = heap.is_nil(rest) && (self.answers_ground() || self.holds_no_variable(first));
        if !sound {
            self.live.terms.truncate(first);
            return None;
        }
        self.live.lists.push(LiveList { first, end });
        Some(self.live.terms.len() - first)
    }

    /// See [`Solver::kept`].
    pub(super) fn live_terms(&self, level: usize) -> &[Term] {
        self.live.terms(level)
    }

    /// Whether the terms from number `first` on contain no variable, not even a bound one. `false` also if
    /// the terms share so many parts that the answer takes long.
    fn holds_no_variable(&self, first: usize) -> bool {
        let cells = &self.store.heap.cells;
        let mut pending: Vec<u64> = self.live.terms[first..].iter().map(|term| term.0).collect();
        let mut visits = cells.len();
        while let Some(cell) = pending.pop() {
            let at = Term(cell).index();
            let parts = match Term(cell).tag() {
                REF => return false,
                LST => &cells[at..at + 2],
                STR => &cells[at + 1..=at + header_small(cells[at])],
                _ => continue,
            };
            debug_assert!(Term(cell).tag() == LST || Term(cells[at]).tag() == HDR && header_kind(cells[at]) == FUNCTOR);
            let Some(left) = visits.checked_sub(parts.len()) else { return false };
            visits = left;
            pending.extend_from_slice(parts);
        }
        true
    }
}
