//! Coverage: which clauses matched, which succeeded, and how far their bodies came.
//!
//! In: the goals of a watched solver that keeps its frames, as [`Watcher`] tells of them. Out: a
//! [`Coverage`]: counts by clause, and by step of every clause; and the clause that succeeded last.
//! Must not know what is made of them. Called by `rules`.

use crate::machine::watch::{ClauseNumber, Port, PortEvent, Watcher};
use alphorn_lang::lang::program::{Callee, PredId, Program};
use rustc_hash::FxHashMap;

/// What became of a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClauseUse {
    /// How often it was tried.
    pub tries: u64,
    /// How often its head matched.
    pub matches: u64,
    /// How often it succeeded.
    pub exits: u64,
    /// Whether it waited behind another clause: if it was never tried, that is no fault of its head.
    pub waited: bool,
}

/// See the module.
#[derive(Debug)]
pub struct Coverage {
    /// How often each predicate was called, by its number.
    pub calls: Vec<u64>,
    /// All clauses, predicate by predicate.
    pub clauses: Vec<ClauseUse>,
    /// How often a clause came to a step of its body.
    pub steps: FxHashMap<(u32, u32), u64>,
    /// The clause that succeeded last.
    pub last: Option<ClauseNumber>,
    /// Steps of all bodies together.
    pub work: u64,
}

impl Coverage {
    /// Nothing was called yet.
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
        if let (Port::Call, Callee::User(pred)) = (passed.port, passed.callee)
            && let Some(calls) = self.calls.get_mut(pred.0 as usize)
        {
            *calls += 1;
        }
        true
    }

    fn clause(&mut self, port: Port, clause: ClauseNumber) {
        if let (Port::Call, Some(used)) = (port, self.of(clause)) {
            used.tries += 1;
        }
        if port == Port::Exit {
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
