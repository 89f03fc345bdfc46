//! Returns to choice points: after a failure, and after a fault that a `catch/3` catches.

use crate::machine::fault::{Cause, Fault};
use crate::machine::reference::Reference;
use crate::machine::reference::choice::{ChoiceKind, ReferenceChoicePoint};
use crate::term::Term;
use crate::term::pack::{Packed, unpack};

impl Reference {
    /// Creates a choice point that saves these terms.
    pub(super) fn push_choice(&mut self, kind: ChoiceKind, frame: Term, pc: u32, terms: &[Term]) {
        let saved = self.saved.len();
        self.saved.extend_from_slice(terms);
        self.choices.push(ReferenceChoicePoint {
            kind,
            frame,
            pc,
            trail: self.store.trail.len(),
            heap: self.store.heap.len(),
            saved,
            collectors: self.collectors.len(),
            tables: self.tables.depth(),
        });
        self.store.mark = self.store.heap.len();
    }

    /// Removes every choice point from this height on.
    pub(super) fn cut_to(&mut self, height: usize) {
        if let Some(first) = self.choices.get(height) {
            self.saved.truncate(first.saved);
            self.choices.truncate(height);
            self.store.mark = self.choices.last().map_or(0, |choice| choice.heap);
        }
    }

    /// Restores the state of the last choice point.
    fn restore(&mut self) {
        let choice = self.choices.last().expect("the caller has seen one");
        let (trail, heap) = (choice.trail, choice.heap);
        self.store.undo(trail);
        self.store.heap.cells.truncate(heap);
    }

    fn saved_terms(&self) -> Vec<Term> {
        let from = self.choices.last().map_or(0, |choice| choice.saved);
        self.saved[from..].to_vec()
    }

    /// Backtracks to the last choice point; `false` if there is none.
    pub(super) fn backtrack(&mut self) -> Result<bool, Fault> {
        loop {
            let Some(choice) = self.choices.last() else { return Ok(false) };
            let (frame, pc, height) = (choice.frame, choice.pc, self.choices.len() - 1);
            self.restore();
            self.resume(frame, pc);
            let choice = &self.choices[height];
            match &choice.kind {
                ChoiceKind::Dead | ChoiceKind::Catch => self.cut_to(height),
                ChoiceKind::Port => {
                    self.cut_to(height);
                    self.fail_box(frame)?;
                }
                ChoiceKind::Redo => {
                    self.cut_to(height);
                    self.redo_box(frame)?;
                }
                ChoiceKind::Step => {
                    self.cut_to(height);
                    return Ok(true);
                }
                ChoiceKind::Clauses(list, from) => {
                    let (list, from) = (list.clone(), *from);
                    self.args.clear();
                    self.args.extend_from_slice(&self.saved[choice.saved..]);
                    if self.try_clauses(list, from, frame, pc, Some(height))? {
                        return Ok(true);
                    }
                }
                ChoiceKind::Again(builtin) => {
                    let builtin = *builtin;
                    let mut terms = self.saved_terms();
                    let state = terms.pop();
                    self.cut_to(height);
                    if self.run_many(builtin, &terms, state, frame, pc)? {
                        return Ok(true);
                    }
                }
                ChoiceKind::Findall => {
                    self.cut_to(height);
                    if self.findall_list(frame, pc)? {
                        return Ok(true);
                    }
                }
                ChoiceKind::Table(table) => {
                    let table = *table;
                    if self.end_of_pass(table, height)? {
                        return Ok(true);
                    }
                }
                ChoiceKind::Answers(table, from) => {
                    let (table, from) = (*table, *from);
                    let terms = self.saved_terms();
                    self.cut_to(height);
                    if self.table_answer(table, from, &terms, frame, pc)? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Calls the recovery goal of the `catch/3` that catches a fault. Returns `false` if recovery
    /// fails, and the fault if nothing catches it.
    pub(super) fn caught(&mut self, mut fault: Fault) -> Result<bool, Fault> {
        loop {
            let Cause::Thrown(ball) = &fault.cause else { return Err(fault) };
            let ball = ball.clone();
            match self.throw(&ball) {
                Ok(Some(going)) => return Ok(going),
                Ok(None) => return Err(fault),
                Err(other) => {
                    self.stepping = false;
                    fault = self.placed_at(other, None);
                }
            }
        }
    }

    /// Continues with the recovery goal of the innermost `catch/3` that catches a ball.
    fn throw(&mut self, ball: &Packed) -> Result<Option<bool>, Fault> {
        let active = self.active_catches();
        while let Some(choice) = self.choices.last() {
            let (frame, pc, height) = (choice.frame, choice.pc, self.choices.len() - 1);
            let (collectors, tables) = (choice.collectors, choice.tables);
            let catches = matches!(choice.kind, ChoiceKind::Catch) && active.contains(&self.saved[choice.saved]);
            let left = matches!(choice.kind, ChoiceKind::Port);
            self.restore();
            if left {
                self.abandon_box(frame);
            }
            if !catches {
                self.cut_to(height);
                continue;
            }
            self.drop_collectors(collectors);
            self.tables.drop_from(tables);
            let terms = self.saved_terms();
            self.cut_to(height);
            // With this mark the trail records all bindings: they are undone if the ball does not unify.
            let trail = self.store.trail.len();
            let mark = std::mem::replace(&mut self.store.mark, self.store.heap.len());
            let thrown = unpack(&mut self.store.heap, ball);
            let fits = self.store.unify(terms[1], thrown)?;
            self.store.mark = mark;
            if fits {
                self.resume(frame, pc);
                // The recovery goal belongs to no clause.
                self.stepping = false;
                let called = self.call_term(terms[2], &[], frame, pc);
                return called.map(Some).map_err(|fault| self.placed_at(fault, Some(terms[2])));
            }
            self.store.undo(trail);
        }
        Ok(None)
    }
}
