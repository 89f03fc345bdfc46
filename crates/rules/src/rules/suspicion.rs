//! Which clauses are likely to have the mistake that lets an expectation fail.
//!
//! The input is which clauses each expectation ran, and whether it holds. A clause that the failing expectations ran,
//! and the others did not, is suspicious. The measure is Ochiai's coefficient: Abreu, Zoeteman and van Gemund, "On the
//! Accuracy of Spectrum-based Fault Localization", 2007.

use alphorn_lang::lang::program::{PredId, Program};
use alphorn_prolog::machine::coverage::{Coverage, first_clause};

/// The suspicion of a clause whose head matched in no failing expectation, although its predicate was called.
const UNMATCHED: f64 = 0.3;

/// How many failing and other expectations ran the clauses.
#[derive(Debug)]
pub struct Spectrum {
    failing: u32,
    /// For each clause of the program, the failing expectations and the others in which its head matched.
    matched: Vec<(u32, u32)>,
    /// Whether a failing expectation called each predicate.
    called: Vec<bool>,
    /// Whether all failing expectations were run to their end.
    is_whole: bool,
}

impl Spectrum {
    /// A spectrum without expectations.
    pub fn new(program: &Program) -> Spectrum {
        let clauses = program.predicates.iter().map(|pred| pred.clauses.len()).sum();
        let called = vec![false; program.predicates.len()];
        Spectrum { failing: 0, matched: vec![(0, 0); clauses], called, is_whole: true }
    }

    /// Adds an expectation: what it ran, whether it holds, and whether it ran to its end.
    pub fn add(&mut self, program: &Program, coverage: &Coverage, holds: bool, ended: bool) {
        self.failing += u32::from(!holds);
        self.is_whole &= holds || ended;
        for (counts, used) in self.matched.iter_mut().zip(&coverage.clauses) {
            let count = if holds { &mut counts.1 } else { &mut counts.0 };
            *count += u32::from(used.matches > 0);
        }
        let mut first = 0;
        for ((called, calls), pred) in self.called.iter_mut().zip(&coverage.calls).zip(&program.predicates) {
            let clauses = &coverage.clauses[first..first + pred.clauses.len()];
            *called |= !holds && (*calls > 0 || clauses.iter().any(|used| used.tries > 0));
            first += pred.clauses.len();
        }
    }

    /// The suspicion of a clause, from 0 to 1. `None` if no failing expectation called its predicate, so that a change
    /// of the clause cannot let the expectation hold.
    pub fn of_clause(&self, program: &Program, pred: PredId, clause: usize) -> Option<f64> {
        // Without a failing expectation, all clauses are equal.
        if self.failing == 0 {
            return Some(UNMATCHED);
        }
        let Some(&(failing, others)) = self.matched.get(first_clause(program, pred) + clause) else { return Some(0.0) };
        if failing > 0 {
            let [all, run] = [self.failing, failing + others].map(f64::from);
            return Some(f64::from(failing) / (all * run).sqrt());
        }
        let called = self.called.get(pred.0 as usize).is_none_or(|called| *called);
        match (called, self.is_whole) {
            (true, _) => Some(UNMATCHED / f64::from(self.failing.max(1) + others).sqrt()),
            (false, true) => None,
            (false, false) => Some(0.0),
        }
    }
}
