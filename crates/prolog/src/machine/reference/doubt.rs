//! Finds goals that never succeeded, from the steps that their clauses reached.
//!
//! The input is how many times a clause reached each step of its body. The result is the goals after
//! which no step was reached. `rules` uses it for clauses that ran on a solver that keeps its frames.

use crate::machine::reference::code::BodyStep;
use crate::machine::reference::{FIRST_CLAUSE, Reference};
use crate::machine::watch::ClauseNumber;
use alphorn_text::source::Span;

/// A goal that was called and never did what its clause needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuspectGoal {
    /// The span of the goal.
    pub span: Span,
    /// The number of calls.
    pub calls: u64,
    /// Whether the goal is under a negation: it always succeeded, so the negation always failed.
    pub negated: bool,
    /// Whether the goal is the whole body of a negation: it always failed, so the negation held.
    pub guards: bool,
}

impl Reference {
    /// The goals of a clause after which no step was reached, in the order of the text; `reached` is
    /// how many times a step was reached.
    pub fn suspect_goals(&self, clause: ClauseNumber, reached: impl Fn(u32) -> u64) -> Vec<SuspectGoal> {
        let code = self.codes.get((clause.0 + FIRST_CLAUSE) as usize).and_then(Option::as_ref);
        let Some(code) = code else { return Vec::new() };
        let mut found = Vec::new();
        let mut last = None;
        // A negation fails if its goal succeeded, and otherwise continues behind that failure.
        let is_negation = |at: u32| {
            let before = (at as usize).checked_sub(1).map(|before| &code.body[before]);
            let Some(BodyStep::Commit(slot)) = before else { return false };
            code.body.iter().any(|step| matches!(step, BodyStep::Try(own, other) if own == slot && *other == at + 1))
        };
        for (at, step) in (0..).zip(code.body.iter()) {
            last = step.span().or(last);
            let calls = reached(at);
            let (goal, after) = match step {
                // A fail/0 in the text is intended.
                BodyStep::Fail if calls > 0 && !is_negation(at) => return Vec::new(),
                BodyStep::Fail => (last, at + 1),
                BodyStep::Findall(_, after, _) => (step.span(), *after),
                _ => (step.span(), at + 1),
            };
            let fails = calls > 0 && reached(after) == 0;
            if let Some(span) = goal.filter(|_| fails) {
                let negated = matches!(step, BodyStep::Fail);
                let guards = matches!(code.body.get(at as usize + 2), Some(BodyStep::Fail)) && is_negation(at + 2);
                found.push(SuspectGoal { span, calls, negated, guards });
            }
        }
        found
    }
}
