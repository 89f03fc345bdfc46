//! Goals that never succeeded, found in the steps that their clauses came to.
//!
//! In: how often a clause came to each step of its body. Out: the goals behind which it never came.
//! Called by `rules`, for clauses that ran on a solver that keeps its frames.

use crate::machine::reference::code::BodyStep;
use crate::machine::reference::{FIRST_CLAUSE, Reference};
use crate::machine::watch::ClauseNumber;
use alphorn_text::source::Span;

/// A goal of a clause that was called and did not do what the clause needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubtful {
    /// Where it stands.
    pub span: Span,
    /// How often it was called.
    pub calls: u64,
    /// Under a negation: it succeeded every time, so the negation failed.
    pub negated: bool,
    /// All that stands under a negation: it failed every time, so the negation held.
    pub guards: bool,
}

impl Reference {
    /// The goals of a clause behind which it never came, in the order of the text; `reached` counts
    /// how often it came to a step.
    pub fn doubtful(&self, clause: ClauseNumber, reached: impl Fn(u32) -> u64) -> Vec<Doubtful> {
        let code = self.codes.get((clause.0 + FIRST_CLAUSE) as usize).and_then(Option::as_ref);
        let Some(code) = code else { return Vec::new() };
        let mut found = Vec::new();
        let mut last = None;
        // A negation fails where its goal has succeeded, and goes on behind that otherwise.
        let is_negation = |at: u32| {
            let before = (at as usize).checked_sub(1).map(|before| &code.body[before]);
            let Some(BodyStep::Commit(slot)) = before else { return false };
            code.body.iter().any(|step| matches!(step, BodyStep::Try(own, other) if own == slot && *other == at + 1))
        };
        for (at, step) in (0..).zip(code.body.iter()) {
            last = step.span().or(last);
            let calls = reached(at);
            let (goal, after) = match step {
                // Who writes fail/0 wants it.
                BodyStep::Fail if calls > 0 && !is_negation(at) => return Vec::new(),
                BodyStep::Fail => (last, at + 1),
                BodyStep::Findall(_, after, _) => (step.span(), *after),
                _ => (step.span(), at + 1),
            };
            let fails = calls > 0 && reached(after) == 0;
            if let Some(span) = goal.filter(|_| fails) {
                let negated = matches!(step, BodyStep::Fail);
                let guards = matches!(code.body.get(at as usize + 2), Some(BodyStep::Fail)) && is_negation(at + 2);
                found.push(Doubtful { span, calls, negated, guards });
            }
        }
        found
    }
}
