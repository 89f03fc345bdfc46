//! Compiles queued procedures until no code refutes what its callers assume.
//!
//! A procedure is compiled again if a callee gives an output that is not ground after all. The
//! procedures are linked when the queue is empty.

use crate::machine::compile::clause::Emitter;
use crate::machine::compile::select::predicate;
use crate::machine::compile::{Constants, Library, TooLarge};
use crate::machine::ir::Mode;
use alphorn_lang::lang::ast::TermTree;
use alphorn_lang::lang::program::{Goal, PredId};

impl Library {
    /// Compiles a predicate for a list of modes and returns the number of the procedure.
    pub fn version(&mut self, pred: PredId, modes: &[Mode], mut constants: Constants<'_>) -> Result<u32, TooLarge> {
        let number = self.request(pred, modes);
        self.write_queue(&mut constants)?;
        self.link();
        Ok(number)
    }

    /// Compiles a goal that belongs to no clause. The variables of its tree are the arguments:
    /// outputs if a user asks the goal, else general terms.
    pub fn goal(
        &mut self,
        tree: &TermTree,
        goal: &Goal,
        mode: Mode,
        mut constants: Constants<'_>,
    ) -> Result<u32, TooLarge> {
        let arity = tree.variables.len();
        if arity > 4_000 {
            return Err(TooLarge);
        }
        let number = self.begin(None, Box::default(), vec![mode; arity].into());
        let program = self.program.clone();
        loop {
            let emitter = Emitter::new(self, &mut constants, &program, number, tree);
            let draft = emitter.goal(goal, mode == Mode::Out)?;
            let promised = |library: &Library| -> Vec<_> {
                let proc = |number: &u32| &library.unit.procs[*number as usize];
                draft.relies.iter().map(proc).map(|proc| (proc.solid.clone(), proc.holes)).collect()
            };
            let before = promised(self);
            self.write_queue(&mut constants)?;
            if promised(self) == before {
                self.drafts.insert(number, draft);
                break;
            }
        }
        self.link();
        Ok(number)
    }

    fn write_queue(&mut self, constants: &mut Constants<'_>) -> Result<(), TooLarge> {
        let program = self.program.clone();
        while let Some(number) = self.queue.pop_front() {
            self.queued.remove(&number);
            let proc = &self.unit.procs[number as usize];
            let before = (proc.solid.clone(), proc.holes);
            let draft = match proc.pred {
                Some(pred) => {
                    let formed = self.formed.get(&number).cloned();
                    predicate(self, constants, &program, number, (pred, formed.as_deref()))?
                }
                None => continue,
            };
            self.drafts.insert(number, draft);
            let proc = &self.unit.procs[number as usize];
            if (&proc.solid, proc.holes) != (&before.0, before.1) {
                let mut again: Vec<u32> =
                    self.drafts.iter().filter(|(_, draft)| draft.relies.contains(&number)).map(|(at, _)| *at).collect();
                again.sort_unstable();
                for other in again {
                    if self.queued.insert(other) {
                        self.queue.push_back(other);
                    }
                }
            }
        }
        Ok(())
    }
}
