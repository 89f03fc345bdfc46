//! Solvers that begin anew for each query.
//!
//! A machine is returned to its pool after each query and taken out again: the state that it keeps must have no
//! effect. A reference solver is made anew if it would keep tables, which save steps.
//!
//! A program and queries give the answers of the pooled machine. It compiles procedures whole, at their first call, or
//! later and only so far as they have run, as the number of the program's clauses decides.

use super::Loaded;
use alphorn::lang::program::Program;
use alphorn::machine::engine::idle::PooledEngine;
use alphorn::machine::fault::Fault;
use alphorn::machine::reference::Reference;
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

/// A reference solver that keeps no tables for the next query.
pub struct WithoutTables {
    program: Arc<Program>,
    runs: Arc<[BuiltinCode]>,
    is_tabled: bool,
    solver: Reference,
}

impl WithoutTables {
    pub fn new(loaded: &Loaded) -> WithoutTables {
        let (program, runs) = (loaded.program.clone(), loaded.runs.clone());
        let is_tabled = program.predicates.iter().any(|predicate| predicate.tabled);
        let solver = Reference::new(program.clone(), runs.clone(), Arc::default());
        WithoutTables { program, runs, is_tabled, solver }
    }
}

impl Solver for WithoutTables {
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault> {
        if self.is_tabled {
            self.solver = Reference::new(self.program.clone(), self.runs.clone(), Arc::default());
        }
        self.solver.ask(ask, budget)
    }

    fn next(&mut self) -> Result<bool, Fault> {
        self.solver.next()
    }

    fn has_alternatives(&self) -> bool {
        self.solver.has_alternatives()
    }

    fn answer(&self) -> &[Term] {
        self.solver.answer()
    }

    fn store(&mut self) -> &mut Store {
        self.solver.store()
    }
}
