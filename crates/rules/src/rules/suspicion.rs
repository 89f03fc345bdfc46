//! Which clauses are likely to have the mistake that lets an expectation fail.
//!
//! The input is which clauses each expectation ran, and whether it holds. A clause that the failing expectations ran,
//! and the others did not, is suspicious. The measure is Ochiai's coefficient: Abreu, Zoeteman and van Gemund, "On the
//! Accuracy of Spectrum-based Fault Localization", 2007.

use alphorn_lang::lang::program::{PredId, Program};
use alphorn_prolog::machine::coverage::{Coverage, first_clause};
use alphorn_text::source::Span;

/// The suspicion of a clause whose head matched in no failing expectation, although its predicate was called.
const UNMATCHED: f64 = 0.3;

/// How many failing and other expectations ran the clauses.
#[derive(Debug)]
pub struct Spectrum {
    failing: u32,
    /// For each clause of the program, the failing expectations and the others in which its head matched.
    matched: Vec<(u32, u32)>,
    /// For each clause, whether it succeeded in an expectation that holds.
    proved: Vec<bool>,
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
        Spectrum { failing: 0, matched: vec![(0, 0); clauses], proved: vec![false; clauses], called, is_whole: true }
    }

    /// Adds an expectation: what it ran, whether it holds, and whether it ran to its end.
    pub fn add(&mut self, program: &Program, coverage: &Coverage, holds: bool, ended: bool) {
        self.failing += u32::from(!holds);
        self.is_whole &= holds || ended;
        for (counts, used) in self.matched.iter_mut().zip(&coverage.clauses) {
            let count = if holds { &mut counts.1 } else { &mut counts.0 };
            *count += u32::from(used.matches > 0);
        }
        for (proved, used) in self.proved.iter_mut().zip(&coverage.clauses) {
            *proved |= holds && used.exits > 0;
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
        let (failing, others) = self.matched[first_clause(program, pred) + clause];
        if failing > 0 {
            let [all, run] = [self.failing, failing + others].map(f64::from);
            return Some(f64::from(failing) / (all * run).sqrt());
        }
        match (self.called[pred.0 as usize], self.is_whole) {
            (true, _) => Some(UNMATCHED / f64::from(self.failing + others).sqrt()),
            (false, true) => None,
            (false, false) => Some(0.0),
        }
    }

    /// The clauses of the user that succeeded in an expectation that holds.
    pub fn proved_clauses<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = Span> + 'a {
        let clauses = program.predicates.iter().flat_map(|pred| &pred.clauses).map(|clause| clause.span);
        clauses
            .zip(&self.proved)
            .filter(|(span, proved)| **proved && program.is_written_by_user(*span))
            .map(|(span, _)| span)
    }
}
