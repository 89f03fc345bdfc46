//! A machine that is returned to its pool after each query and taken out again: the state that it keeps must
//! have no effect.
//!
//! A program and queries give the answers of the pooled machine. It compiles procedures whole, at their first call, or
//! later and only so far as they have run, as the number of the program's clauses decides.

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
    /// The number of calls after which a procedure is compiled.
    hot: u32,
    kept: Option<PooledEngine>,
}

impl Reborn {
    pub fn new(loaded: &Loaded) -> Reborn {
        let program = loaded.program.clone();
        let clauses: usize = program.predicates.iter().map(|predicate| predicate.clauses.len()).sum();
        Reborn { program, runs: loaded.runs.clone(), hot: 1 + clauses as u32 % 3, kept: None }
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
            .get_or_insert_with(|| {
                PooledEngine::new(self.program.clone(), self.runs.clone(), Arc::default(), Some(self.hot))
            })
            .store()
    }
}
