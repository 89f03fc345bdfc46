//! Calls goals that are terms: `call/N`, and control constructs built at run time.

use crate::machine::called::CalledGoal;
use crate::machine::fault::Fault;
use crate::machine::reference::Reference;
use crate::machine::reference::code::{BodyStep, compile_goal};
use crate::machine::skeleton::{Skeleton, control};
use crate::machine::{BuiltinCode, SolverBuiltin};
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_lang::lang::program::Callee;
use std::rc::Rc;

impl Reference {
    /// Calls a term with further arguments.
    pub(super) fn call_term(&mut self, goal: Term, extra: &[Term], frame: Term, pc: u32) -> Result<bool, Fault> {
        let mut goal = self.store.heap.deref(goal);
        let mut extra = extra.to_vec();
        loop {
            let called = CalledGoal::of(&self.program, &mut self.store, goal, extra)?;
            goal = called.goal;
            let Some((name, arity)) = self.store.heap.functor(goal) else {
                return Err(match self.store.heap.view(goal) {
                    TermView::Var(_) => Fault::instantiation(&mut self.store.heap),
                    _ => Fault::type_error(&mut self.store.heap, "callable", goal),
                });
            };
            let total = arity + called.extra.len();
            let mut args = self.store.heap.args(goal);
            args.extend(&called.extra);
            if control(name, total).is_some() {
                let goal = called.whole(&mut self.store, name, &args);
                return self.call_control(goal, frame, pc);
            }
            let callee = called.callee(&self.program, &mut self.callees, &mut self.store, name, &mut args);
            self.args = args;
            match callee {
                None | Some(Callee::Unknown(..)) => return Err(called.unknown(&mut self.store, name, total)),
                Some(Callee::User(pred)) => return self.enter(pred, frame, pc),
                Some(Callee::Native(id)) => match self.runs[usize::from(id.0)] {
                    BuiltinCode::Once(run) => {
                        let succeeded = self.run_once(id, run, frame)?;
                        self.resume(frame, pc);
                        return Ok(succeeded);
                    }
                    BuiltinCode::Many(_) => {
                        let (frame, pc) = self.open_box(Callee::Native(id), frame, pc)?;
                        let args = std::mem::take(&mut self.args);
                        return self.run_many(id, &args, None, frame, pc);
                    }
                    BuiltinCode::Solver(SolverBuiltin::Catch) => {
                        return self.catch([self.args[0], self.args[1], self.args[2]], frame, pc);
                    }
                    BuiltinCode::Solver(SolverBuiltin::Call) => {
                        goal = self.store.heap.deref(self.args[0]);
                        extra = self.args[1..].to_vec();
                    }
                    BuiltinCode::Solver(SolverBuiltin::Control) => {
                        unreachable!("control() knows every control construct")
                    }
                },
            }
            self.store.charge(1)?;
        }
    }

    /// Compiles a control construct and enters it; its cuts are local.
    fn call_control(&mut self, goal: Term, frame: Term, pc: u32) -> Result<bool, Fault> {
        let (skeleton, root) = Skeleton::of(&self.program, &self.store.heap, goal, self.store.memory)?;
        let program = self.program.clone();
        let resolved = skeleton.resolve(&program, &mut self.store, goal, root)?;
        let code =
            Rc::new(compile_goal(&skeleton.tree, &resolved, &self.runs, &mut self.store.heap, BodyStep::Proceed));
        self.store.charge(skeleton.tree.len() as u64 / 4)?;
        let number = match self.free_codes.pop() {
            Some(number) => {
                self.codes[number as usize] = Some(code);
                number
            }
            None => {
                self.codes.push(Some(code));
                self.codes.len() as u32 - 1
            }
        };
        if self.codes.len() - self.fixed_codes > 50_000 && self.free_codes.is_empty() {
            self.collect_at = 0;
        }
        let entered = self.push_frame(number, &skeleton.terms, frame, pc, self.choices.len());
        self.resume(entered, 0);
        Ok(true)
    }
}
