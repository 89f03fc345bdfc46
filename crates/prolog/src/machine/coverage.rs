//! Coverage: counts which clauses matched and succeeded, and how far their bodies ran.
//!
//! A [`Watcher`] of a solver that keeps its frames. [`Coverage`] counts by clause and by step of each
//! clause, and keeps the clause that succeeded last. `rules` uses the counts; this module does not
//! depend on their use.

use crate::machine::watch::{ClauseNumber, GoalPort, PortEvent, Watcher};
use alphorn_lang::lang::program::{Callee, PredId, Program};
use rustc_hash::FxHashMap;

/// The counts of a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClauseUse {
    /// How many times the clause was tried.
    pub tries: u64,
    /// How many times its head matched.
    pub matches: u64,
    /// How many times the clause succeeded.
    pub exits: u64,
    /// Whether the clause waited behind another one. If it was never tried, its head is not at fault.
    pub waited: bool,
}

/// The counts of all clauses of a program.
#[derive(Debug)]
pub struct Coverage {
    /// The number of calls of each predicate, by its number.
    pub calls: Vec<u64>,
    /// The counts of all clauses, predicate by predicate.
    pub clauses: Vec<ClauseUse>,
    /// How many times a clause reached a step of its body.
    pub steps: FxHashMap<(u32, u32), u64>,
    /// The clause that succeeded last.
    pub last: Option<ClauseNumber>,
    /// Number of steps reached in all bodies.
    pub work: u64,
}

impl Coverage {
    /// Counts without any call yet.
    pub fn new(program: &Program) -> Coverage {
        let clauses = program.predicates.iter().map(|predicate| predicate.clauses.len()).sum();
        Coverage {
            calls: vec![0; program.predicates.len()],
            clauses: vec![ClauseUse::default(); clauses],
            steps: FxHashMap::default(),
            last: None,
            work: 0,
        }
    }

    fn of(&mut self, clause: ClauseNumber) -> Option<&mut ClauseUse> {
        self.clauses.get_mut(clause.0 as usize)
    }
}

/// The number of the first clause of a predicate.
pub fn first_clause(program: &Program, pred: PredId) -> usize {
    program.predicates[..pred.0 as usize].iter().map(|predicate| predicate.clauses.len()).sum()
}

impl Watcher for Coverage {
    fn pass(&mut self, passed: PortEvent<'_>) -> bool {
        if let (GoalPort::Call, Callee::User(pred)) = (passed.port, passed.callee)
            && let Some(calls) = self.calls.get_mut(pred.0 as usize)
        {
            *calls += 1;
        }
        true
    }

    fn clause(&mut self, port: GoalPort, clause: ClauseNumber) {
        if let (GoalPort::Call, Some(used)) = (port, self.of(clause)) {
            used.tries += 1;
        }
        if port == GoalPort::Exit {
            self.last = Some(clause);
            if let Some(used) = self.of(clause) {
                used.exits += 1;
            }
        }
    }

    fn matched(&mut self, clause: ClauseNumber) {
        if let Some(used) = self.of(clause) {
            used.matches += 1;
        }
    }

    fn postponed(&mut self, clause: ClauseNumber) {
        if let Some(used) = self.of(clause) {
            used.waited = true;
        }
    }

    fn reached(&mut self, clause: ClauseNumber, step: u32) {
        self.work += 1;
        *self.steps.entry((clause.0, step)).or_default() += 1;
    }
}
