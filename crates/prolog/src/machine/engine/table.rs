//! Tabled predicates: the reference solver completes their tables, and the engine gives the answers
//! one by one.
//!
//! The engine lends its steps and memory to the reference solver, so that a goal costs the same in
//! both.

use crate::machine::BuiltinResult;
use crate::machine::engine::Engine;
use crate::machine::fault::{Cause, Fault};
use crate::machine::reference::Reference;
use crate::machine::store::Budget;
use crate::term::Term;
use crate::term::pack::{Packed, unpack};
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::atoms;

/// A state is the number of the table and, in this many low bits, the index of the next answer.
const ANSWER_BITS: u32 = 32;

impl Engine {
    /// The next answer of a tabled predicate, in the form of [`crate::machine::NondeterministicFn`].
    pub(super) fn table(&mut self, pred: PredId, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
        let call = self.store.heap.structure(atoms::CALL, args);
        let (table, paid, at) = match state.and_then(Term::as_small) {
            Some(state) => ((state >> ANSWER_BITS) as usize, false, state as u32 as usize),
            None => {
                let packed = self.store.packed(call)?;
                let (table, paid) = self.complete(pred, packed)?;
                (table, paid, 0)
            }
        };
        let tables = self.tables.as_ref().expect("a table was completed");
        let Some((answer, last)) = tables.table_answer(table, at) else { return Ok(BuiltinResult::No) };
        let answer = unpack(&mut self.store.heap, answer);
        let fits = match paid {
            true => self.store.without_charge(|store| store.unify(call, answer)),
            false => self.store.unify(call, answer),
        }?;
        debug_assert!(fits, "an answer is an instance of its call");
        let next = Term::small((table as i64) << ANSWER_BITS | (at + 1) as i64);
        Ok(if last { BuiltinResult::BoolResult } else { BuiltinResult::Again(next) })
    }

    /// Drops the tables of the last goal.
    #[cold]
    pub(super) fn end_tables(&mut self) {
        self.tabling = false;
        if let Some(tables) = &mut self.tables {
            tables.forget(Budget::default());
        }
    }

    /// The number of the complete table of a call, and whether it was completed just now. In that
    /// case the first answer is already paid for.
    fn complete(&mut self, pred: PredId, call: Packed) -> Result<(usize, bool), Fault> {
        let (library, stop) = (&self.library, &self.stop);
        let new = || {
            let mut tables = Box::new(Reference::new(library.program.clone(), library.runs.clone(), stop.clone()));
            tables.forget(Budget::default());
            tables
        };
        let tables = self.tables.get_or_insert_with(new);
        self.tabling = true;
        let before = self.store.lend(tables.lent());
        let found = tables.complete_table(pred, call);
        self.store.take_back(tables.lent(), before);
        found.map_err(|mut fault| {
            if let Cause::Memory(bytes) = &mut fault.cause {
                *bytes = self.store.memory;
            }
            self.placed_around(fault)
        })
    }
}
