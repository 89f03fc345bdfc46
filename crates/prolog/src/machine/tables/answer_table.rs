//! A table: the answers of a call of a tabled predicate.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::order;
use crate::term::pack::{Packed, unpack};
use alphorn_lang::lang::program::PredId;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Greatest number of answers that are compared one by one to find a repeated one.
const FEW: usize = 8;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum TableStatus {
    New,
    /// The table is the active one with this index.
    Active(usize),
    /// The table is incomplete, and stands in `Tables::idle` at this index.
    Idle(usize),
    Complete,
}

/// The arguments of a call.
pub(super) struct Call {
    /// A word for each argument: see [`super::Tables`]; or [`super::WHOLE`], and the words of the packed call.
    pub(super) key: Box<[u64]>,
    pub(super) whole: Option<Packed>,
    /// The arguments that are not ground.
    pub(super) open: Box<[u16]>,
}

pub(super) struct AnswerTable {
    /// The group with which the table was completed.
    pub(super) group: u32,
    pub(super) pred: PredId,
    pub(super) call: Rc<Call>,
    /// An older table with the same hash.
    pub(super) same_hash: Option<usize>,
    /// The values of the open arguments, one by one for each answer: a term alone, or `call(Values...)`.
    pub(super) answers: Vec<Packed>,
    /// The answers, if they are many and the table is not complete.
    pub(super) known: FxHashSet<Packed>,
    pub(super) status: TableStatus,
    /// The place of the table in the order of beginning.
    pub(super) order: u64,
    /// Where the solver finds the clauses.
    pub(super) home: u32,
    /// The tables that have read all answers so far. They need the next answer.
    pub(super) readers: FxHashSet<usize>,
}

/// Builds an answer. The budget is checked for large ones.
fn unpacked(store: &mut Store, answer: &Packed) -> Result<Term, Fault> {
    if let Some(constant) = answer.constant() {
        return Ok(constant);
    }
    if answer.words() > 1 << 10 {
        store.room(answer.words())?;
    }
    Ok(unpack(&mut store.heap, answer))
}

impl AnswerTable {
    pub(super) fn new(pred: PredId, call: Rc<Call>) -> AnswerTable {
        AnswerTable {
            group: 0,
            pred,
            call,
            same_hash: None,
            answers: Vec::new(),
            known: FxHashSet::default(),
            status: TableStatus::New,
            order: 0,
            home: 0,
            readers: FxHashSet::default(),
        }
    }

    /// Drops all answers.
    pub(super) fn empty(&mut self) {
        let same_hash = self.same_hash;
        *self = AnswerTable { same_hash, ..AnswerTable::new(self.pred, self.call.clone()) };
    }

    /// Adds an answer. Returns `false` if the table has it.
    pub(super) fn insert(&mut self, answer: &Packed) -> bool {
        if self.answers.len() < FEW {
            if self.answers.contains(answer) {
                return false;
            }
        } else {
            if self.known.is_empty() {
                self.known.extend(self.answers.iter().cloned());
            }
            if !self.known.insert(answer.clone()) {
                return false;
            }
        }
        self.answers.push(answer.clone());
        true
    }

    /// Completes the table, as a member of a group. The answers get the standard order of terms.
    pub(super) fn complete(&mut self, store: &mut Store, group: u32) {
        (self.group, self.status) = (group, TableStatus::Complete);
        (self.known, self.readers) = Default::default();
        if self.answers.len() < 2 {
            return;
        }
        let heap = &mut store.heap;
        let top = heap.len();
        let mut terms: Vec<(Term, Packed)> =
            std::mem::take(&mut self.answers).into_iter().map(|answer| (unpack(heap, &answer), answer)).collect();
        terms.sort_by(|(left, _), (right, _)| order::compare(heap, *left, *right));
        heap.cells.truncate(top);
        self.answers = terms.into_iter().map(|(_, answer)| answer).collect();
    }

    /// Unifies the arguments of a call with an answer.
    pub(super) fn unify(&self, store: &mut Store, at: usize, args: &[Term]) -> Result<bool, Fault> {
        let answer = &self.answers[at];
        match *self.call.open {
            [] => Ok(true),
            [open] => {
                let value = unpacked(store, answer)?;
                store.unify(args[usize::from(open)], value)
            }
            ref open => {
                let whole = unpacked(store, answer)?;
                for (at, open) in open.iter().enumerate() {
                    let value = Term(store.heap.cells[whole.index() + 1 + at]);
                    if !store.unify(args[usize::from(*open)], value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}
