//! Predicates that never succeed: they raise an error, whatever they are given.
//!
//! What stands behind a call of one is not written, and what it would give is
//! no reason to take anything for unbound.

use crate::machine::compile::Library;
use alphorn_lang::lang::program::{Callee, Goal, PredId};

impl Library {
    /// Whether no call of a predicate succeeds.
    pub(super) fn never_succeeds(&mut self, pred: PredId) -> bool {
        if let Some(known) = self.never.get(&pred) {
            return *known;
        }
        // A predicate that calls itself is taken for one that may succeed.
        self.never.insert(pred, false);
        let program = self.program.clone();
        let clauses = &program.predicate(pred).clauses;
        let all = || clauses.iter().all(|clause| self.fails(&clause.body, 0));
        let never = !clauses.is_empty() && stacker::maybe_grow(64 << 10, 4 << 20, all);
        self.never.insert(pred, never);
        never
    }

    fn fails(&mut self, goal: &Goal, depth: u32) -> bool {
        // What nests deeper is not looked at.
        if depth > 100 {
            return false;
        }
        let mut fails = |goal: &Goal| self.fails(goal, depth + 1);
        match goal {
            Goal::Fail => true,
            Goal::Conj(goals) => goals.iter().any(fails),
            Goal::Or(left, right) => fails(left) && fails(right),
            Goal::If(condition, then, other) => fails(condition) && fails(other) || fails(then) && fails(other),
            Goal::Scope(inner) => fails(inner),
            Goal::Call { callee: Callee::Native(id), .. } => self.inline[usize::from(id.0)].never,
            Goal::Call { callee: Callee::User(pred), .. } => self.never_succeeds(*pred),
            _ => false,
        }
    }
}
