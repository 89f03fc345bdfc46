//! Compiles control constructs that are built at run time.
//!
//! Goals of one shape share their code: the same constructs and predicates around other terms.

use crate::machine::compile::Constants;
use crate::machine::engine::Engine;
use crate::machine::fault::{Cause, Fault};
use crate::machine::ir::Mode;
use crate::machine::skeleton::Skeleton;
use crate::term::Term;
use alphorn_lang::lang::ast::TermTree;
use alphorn_lang::lang::program::Goal;

impl Engine {
    /// The code of a control construct, and the terms that are its arguments.
    pub(super) fn shape(&mut self, goal: Term) -> Result<(u32, Vec<Term>), Fault> {
        let (mut skeleton, root) = Skeleton::of(&self.library.program, &self.store.heap, goal, self.store.memory)?;
        let key: Box<[u64]> = std::mem::take(&mut skeleton.key).into();
        let charge = skeleton.tree.len() as u64 / 4;
        if let Some(entry) = self.shapes.get(&key).filter(|_| !skeleton.passing) {
            let entry = *entry;
            self.store.charge(charge)?;
            return Ok((entry, skeleton.terms));
        }
        let program = self.library.program.clone();
        let resolved = skeleton.resolve(&program, &mut self.store, goal, root)?;
        let entry = self.compile(&skeleton.tree, &resolved)?;
        self.store.charge(charge)?;
        self.store.aside += 64 * skeleton.tree.len() as u64 + 8 * key.len() as u64;
        self.store.room(0)?;
        if !skeleton.passing {
            self.shapes.insert(key, entry);
        }
        Ok((entry, skeleton.terms))
    }

    /// Compiles a goal whose variables are its arguments.
    pub(super) fn compile(&mut self, tree: &TermTree, goal: &Goal) -> Result<u32, Fault> {
        if self.mark.is_none() {
            self.mark = Some(self.library.mark());
        }
        let proc = self.library.goal(tree, goal, Mode::Any, Constants::Aside);
        let proc = proc.map_err(|_| Fault::from(Cause::Memory(self.store.memory)))?;
        Ok(self.library.unit.procs[proc as usize].entry)
    }
}
