//! A table: the answers of a call of a tabled predicate.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::order;
use crate::term::pack::{Packed, unpack};
use crate::term::quick;
use alphorn_lang::lang::program::PredId;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

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

/// The arguments of a call. Most tables of a position have few arguments and answers, which need no memory of their own.
#[derive(Default)]
pub(super) struct Call {
    /// A word for each argument: see [`super::Tables`]; or [`super::WHOLE`], and the words of the packed call.
    pub(super) key: SmallVec<[u64; 2]>,
    pub(super) whole: Option<Box<Packed>>,
    /// The arguments that are not ground.
    pub(super) open: SmallVec<[u16; 4]>,
}

pub(super) struct AnswerTable {
    pub(super) pred: PredId,
    pub(super) call: Call,
    /// An older table with the same hash.
    pub(super) same_hash: Option<usize>,
    /// The values of the open arguments, one by one for each answer: a term alone, or `call(Values...)`.
    pub(super) answers: SmallVec<[Packed; 1]>,
    /// The answers, if they are many and the table is not complete.
    pub(super) known: Option<Box<FxHashSet<Packed>>>,
    pub(super) status: TableStatus,
    /// The place of the table in the order of beginning.
    pub(super) order: u64,
    /// Where the solver finds the clauses.
    pub(super) home: u32,
    /// The tables that have read all answers so far. They need the next answer.
    pub(super) readers: Option<Box<FxHashSet<usize>>>,
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
    pub(super) fn new(pred: PredId, call: Call) -> AnswerTable {
        AnswerTable {
            pred,
            call,
            same_hash: None,
            answers: SmallVec::new(),
            known: None,
            status: TableStatus::New,
            order: 0,
            home: 0,
            readers: None,
        }
    }

    /// Drops all answers.
    pub(super) fn empty(&mut self) {
        let call = std::mem::take(&mut self.call);
        *self = AnswerTable { same_hash: self.same_hash, ..AnswerTable::new(self.pred, call) };
    }

    /// Adds an answer. Returns `false` if the table has it.
    pub(super) fn insert(&mut self, answer: &Packed) -> bool {
        if self.answers.len() < FEW {
            if self.answers.contains(answer) {
                return false;
            }
        } else {
            let known = self.known.get_or_insert_with(|| Box::new(self.answers.iter().cloned().collect()));
            if !known.insert(answer.clone()) {
                return false;
            }
        }
        self.answers.push(answer.clone());
        true
    }

    /// Completes the table. The answers get the standard order of terms.
    pub(super) fn complete(&mut self, store: &mut Store) {
        self.status = TableStatus::Complete;
        (self.known, self.readers) = (None, None);
        if self.answers.len() < 2 {
            return;
        }
        let heap = &mut store.heap;
        let top = heap.len();
        let mut terms: Vec<(Term, Packed)> =
            std::mem::take(&mut self.answers).into_iter().map(|answer| (unpack(heap, &answer), answer)).collect();
        terms.sort_by(|(left, _), (right, _)| {
            quick::order(heap, *left, *right).map_or_else(|| order::compare(heap, *left, *right), |found| found.0)
        });
        heap.cells.truncate(top);
        self.answers = terms.into_iter().map(|(_, answer)| answer).collect();
    }

    /// Unifies the arguments of a call with an answer.
    pub(super) fn unify(&self, store: &mut Store, at: usize, args: &[Term]) -> Result<bool, Fault> {
        let answer = &self.answers[at];
        match self.call.open[..] {
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
