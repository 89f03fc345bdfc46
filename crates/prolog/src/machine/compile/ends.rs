//! Predicates that never succeed, for they raise an error whatever they are given; and which come
//! back to others.
//!
//! What stands behind a call of one is not written, and what it would give is
//! no reason to take anything for unbound.

use crate::machine::compile::Library;
use alphorn_lang::lang::program::{Callee, Goal, PredId, USER};
use rustc_hash::FxHashSet;

/// Predicates that are looked through for one that comes back.
const MOST_SEEN: usize = 1_000;

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

    /// Whether a predicate may call another, or what it calls may; of large programs it is said to.
    pub(super) fn reaches(&mut self, from: PredId, to: PredId) -> bool {
        if let Some(known) = self.reached.get(&(from, to)) {
            return *known;
        }
        let (mut seen, mut open) = (FxHashSet::from_iter([from]), vec![from]);
        let mut found = from == to;
        while let Some(pred) = open.pop() {
            for clause in &self.program.predicate(pred).clauses {
                alphorn_lang::lang::goal::each_goal(&clause.body, &mut |goal| match goal {
                    Goal::Call { callee: Callee::User(next), .. } => {
                        found |= *next == to;
                        if seen.insert(*next) {
                            open.push(*next);
                        }
                    }
                    // What a term calls is not known.
                    Goal::Meta(..) => found |= self.program.predicate(pred).key.scope == USER,
                    _ => {}
                });
            }
            found |= seen.len() > MOST_SEEN;
            if found {
                break;
            }
        }
        self.reached.insert((from, to), found);
        found
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
