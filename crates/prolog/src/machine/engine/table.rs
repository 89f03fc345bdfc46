//! Tabled predicates: the engine fills a table with the answers of the compiled clauses, and reads it.
//!
//! A call without a table runs the clauses, as compiled by `Emitter::answers_of_table`, and each answer goes to the
//! table. When no clause is left, the machine returns to the choice point of the call. The call then reads the table,
//! or runs clauses again: see [`crate::machine::tables`].

use crate::machine::BuiltinResult;
use crate::machine::engine::Engine;
use crate::machine::fault::Fault;
use crate::machine::ir::{OTHER_PASS, OWN_PASS};
use crate::machine::tables::{Found, PassEnd};
use crate::term::Term;
use alphorn_lang::lang::program::PredId;

/// A state is the number of the table and, in this many low bits, the index of the next answer. Before the clauses run,
/// it is [`OWN_PASS`] or [`OTHER_PASS`].
const ANSWER_BITS: u32 = 32;

impl Engine {
    /// The next answer of a tabled predicate, in the form of [`crate::machine::NondeterministicFn`]. A negative state
    /// is no answer: clauses must run.
    pub(super) fn table(&mut self, pred: PredId, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
        match state.and_then(Term::as_small) {
            None => self.open_table(pred, args),
            Some(state) if state < 0 => self.close_table(args),
            Some(state) => self.table_answer((state >> ANSWER_BITS) as usize, state as u32 as usize, args),
        }
    }

    /// Prepares the tables for the next goal.
    #[cold]
    pub(super) fn end_tables(&mut self) {
        self.tabling = false;
        self.tables.next_question();
    }

    /// Looks a call up. The choice point that reads the table was pushed before.
    fn open_table(&mut self, pred: PredId, args: &[Term]) -> Result<BuiltinResult, Fault> {
        self.tabling = true;
        // Terms here have no references to variables.
        let fixed = if self.kept.is_some() && self.live.is_empty() { self.kept_end } else { self.fixed };
        let number = self.tables.of_call(&mut self.store, pred, args, fixed)?;
        match self.tables.find(number) {
            Found::Answers => {
                self.store.charge(1)?;
                self.table_answer(number, 0, args)
            }
            Found::Nothing => {
                let home = self.library.unit.proc_at(self.pc).map_or(0, |proc| proc.entry);
                self.tables.begin(number, self.choices.len(), home);
                Ok(BuiltinResult::Again(Term::small(OWN_PASS)))
            }
        }
    }

    /// Ends a pass over the clauses of a call.
    fn close_table(&mut self, args: &[Term]) -> Result<BuiltinResult, Fault> {
        let number = self.tables.innermost().expect("a pass over clauses belongs to a table");
        match self.tables.end_pass(&mut self.store) {
            PassEnd::Done => self.table_answer(number, 0, args),
            PassEnd::Again => Ok(BuiltinResult::Again(Term::small(OWN_PASS))),
            PassEnd::Other => Ok(BuiltinResult::Again(Term::small(OTHER_PASS))),
            PassEnd::Over => Ok(BuiltinResult::No),
        }
    }

    fn table_answer(&mut self, number: usize, at: usize, args: &[Term]) -> Result<BuiltinResult, Fault> {
        if !self.tables.has_answer(number, at) {
            return Ok(BuiltinResult::No);
        }
        let fits = self.tables.unify(&mut self.store, number, at, args)?;
        debug_assert!(fits, "an answer is an instance of its call");
        if self.tables.is_last(number, at) {
            return Ok(BuiltinResult::BoolResult);
        }
        Ok(BuiltinResult::Again(Term::small((number as i64) << ANSWER_BITS | (at + 1) as i64)))
    }

    /// Runs the clauses of another call again, in a frame at `new`. They give no answer to the current call.
    pub(super) fn pass_again(&mut self, new: usize, ret: u32) -> Result<(), Fault> {
        let (_, args, home) = self.tables.next_pass(&mut self.store).expect("another table waits");
        self.enter(home, &args, new, ret, self.frame)
    }
}
