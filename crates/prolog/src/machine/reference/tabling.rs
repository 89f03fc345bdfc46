//! Evaluates tabled predicates: passes over the clauses of a call, and reads the answers in its table.

use crate::machine::fault::Fault;
use crate::machine::reference::choice::ChoiceKind;
use crate::machine::reference::{FRAME, Reference, TABLE};
use crate::machine::store::{Budget, Store};
use crate::machine::tables::{Found, PassEnd, Tables};
use crate::term::Term;
use crate::term::pack::unpack;
use alphorn_lang::lang::program::PredId;
use alphorn_text::symbol::atoms;

impl Reference {
    /// Completes the table of a call for another solver, whose tables, steps and memory the reference solver uses.
    pub(crate) fn complete_table(
        &mut self,
        store: &mut Store,
        tables: &mut Tables,
        (pred, args): (PredId, &[Term]),
    ) -> Result<(), Fault> {
        let whole = store.heap.structure(atoms::CALL, args);
        let call = store.packed(whole)?;
        self.reset(Budget::default());
        let before = store.lend(&mut self.store);
        std::mem::swap(&mut self.tables, tables);
        let whole = unpack(&mut self.store.heap, &call);
        self.args = self.store.heap.args(whole);
        self.pending = Some(pred);
        let found = self.run(false);
        self.tables.drop_from(0);
        std::mem::swap(&mut self.tables, tables);
        store.take_back(&mut self.store, before);
        self.clear();
        found.map(drop)
    }

    /// Calls a tabled predicate with `self.args`.
    pub(super) fn enter_table(&mut self, pred: PredId, frame: Term, pc: u32) -> Result<bool, Fault> {
        let args = std::mem::take(&mut self.args);
        let number = self.tables.of_call(&mut self.store, pred, &args, 0)?;
        match self.tables.find(number) {
            Found::Nothing => self.begin_pass(number, &args, frame, pc),
            Found::Answers => self.first_answer(number, &args, frame, pc),
        }
    }

    fn begin_pass(&mut self, number: usize, args: &[Term], frame: Term, pc: u32) -> Result<bool, Fault> {
        // The choice point stores the number of tables below this one.
        self.push_choice(ChoiceKind::Table(number), frame, pc, args);
        self.tables.begin(number, self.choices.len(), 0);
        self.pass_over(number, args, frame, pc)
    }

    /// Tries all clauses once, and records their answers.
    fn pass_over(&mut self, number: usize, args: &[Term], frame: Term, pc: u32) -> Result<bool, Fault> {
        self.store.charge(1)?;
        let recording = self.push_frame(TABLE, args, frame, pc, 0);
        self.args = args.to_vec();
        let list = self.candidates(self.tables.pred(number));
        self.try_clauses(list, 0, recording, 0, None)
    }

    /// Records an answer in the table of the current frame.
    pub(super) fn record_answer(&mut self) -> Result<(), Fault> {
        let number = self.tables.innermost().expect("only a pass over clauses gives answers");
        let arity = self.program.predicate(self.tables.pred(number)).key.arity;
        let args: Vec<Term> = (0..arity).map(|at| self.cell(self.frame, FRAME + at)).collect();
        self.tables.record(&mut self.store, &args)
    }

    /// Ends a pass over the clauses of an active table. It costs a step.
    pub(super) fn end_of_pass(&mut self, number: usize, height: usize) -> Result<bool, Fault> {
        self.mismatch(self.choices[height].frame);
        let choice = &self.choices[height];
        let (frame, pc, saved) = (choice.frame, choice.pc, choice.saved);
        let args = self.saved[saved..].to_vec();
        debug_assert_eq!(self.tables.innermost(), Some(number), "tables end in the reverse order of their beginning");
        match self.tables.end_pass(&mut self.store) {
            PassEnd::Done => {
                self.cut_to(height);
                self.first_answer(number, &args, frame, pc)
            }
            PassEnd::Again => {
                self.store.charge(1)?;
                self.pass_over(number, &args, frame, pc)
            }
            PassEnd::Other => {
                self.store.charge(2)?;
                let (other, args, _) = self.tables.next_pass(&mut self.store).expect("another table waits");
                self.begin_pass(other, &args, frame, pc)
            }
            PassEnd::Over => {
                self.store.charge(1)?;
                self.cut_to(height);
                Ok(false)
            }
        }
    }

    /// Gives the first answer of a table. It costs a step, also if there is none.
    fn first_answer(&mut self, number: usize, args: &[Term], frame: Term, pc: u32) -> Result<bool, Fault> {
        self.store.charge(1)?;
        self.table_answer(number, 0, args, frame, pc)
    }

    /// Gives an answer of a table. Each but the first costs a step.
    pub(super) fn table_answer(
        &mut self,
        number: usize,
        at: usize,
        args: &[Term],
        frame: Term,
        pc: u32,
    ) -> Result<bool, Fault> {
        let height = self.choices.len();
        self.push_choice(ChoiceKind::Answers(number, at + 1), frame, pc, args);
        self.store.charge(u64::from(at > 0))?;
        let fits = self.tables.has_answer(number, at) && self.tables.unify(&mut self.store, number, at, args)?;
        if !fits || self.tables.is_last(number, at) {
            self.cut_to(height);
        }
        if fits {
            self.resume(frame, pc);
        }
        Ok(fits)
    }
}
