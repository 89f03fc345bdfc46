//! A machine that is returned to its pool after each query and taken out again: the state that it keeps must
//! have no effect.
//!
//! A program and queries give the answers of the pooled machine.

use super::Loaded;
use alphorn::lang::program::Program;
use alphorn::machine::engine::idle::PooledEngine;
use alphorn::machine::fault::Fault;
use alphorn::machine::store::{Budget, Store};
use alphorn::machine::{BuiltinCode, Query, Solver};
use alphorn::term::Term;
use std::sync::Arc;

/// A machine that is returned to its pool after each query and taken out again.
pub struct Reborn {
    program: Arc<Program>,
    runs: Arc<[BuiltinCode]>,
    kept: Option<PooledEngine>,
}

impl Reborn {
    pub fn new(loaded: &Loaded) -> Reborn {
        Reborn { program: loaded.program.clone(), runs: loaded.runs.clone(), kept: None }
    }

    fn kept(&self) -> &PooledEngine {
        self.kept.as_ref().expect("something was asked")
    }
}

impl Solver for Reborn {
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault> {
        self.kept = None;
        self.store();
        self.kept.as_mut().map_or(Ok(()), |kept| kept.ask(ask, budget))
    }

    fn next(&mut self) -> Result<bool, Fault> {
        self.kept.as_mut().map_or(Ok(false), PooledEngine::next)
    }

    fn has_alternatives(&self) -> bool {
        self.kept().has_alternatives()
    }

    fn answer(&self) -> &[Term] {
        self.kept().answer()
    }

    fn store(&mut self) -> &mut Store {
        self.kept
            .get_or_insert_with(|| PooledEngine::new(self.program.clone(), self.runs.clone(), Arc::default(), Some(1)))
            .store()
    }
}
