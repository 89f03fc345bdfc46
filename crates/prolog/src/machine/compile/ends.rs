//! Finds predicates that never succeed, and predicates that may call each other.
//!
//! A predicate that always raises an error never succeeds. Code behind its call is not written, and
//! its outputs do not count as unbound.

use crate::machine::compile::Library;
use alphorn_lang::lang::program::{Callee, Goal, PredId, USER};
use rustc_hash::FxHashSet;

/// The most predicates that the search for a recursive call visits.
const MOST_SEEN: usize = 1_000;

impl Library {
    /// Returns whether no call of a predicate can succeed.
    pub(super) fn never_succeeds(&mut self, pred: PredId) -> bool {
        if let Some(known) = self.never.get(&pred) {
            return *known;
        }
        // A recursive predicate is assumed to succeed.
        self.never.insert(pred, false);
        let program = self.program.clone();
        let clauses = &program.predicate(pred).clauses;
        let all = || clauses.iter().all(|clause| self.fails(&clause.body, 0));
        let never = !clauses.is_empty() && stacker::maybe_grow(64 << 10, 4 << 20, all);
        self.never.insert(pred, never);
        never
    }

    /// Returns whether a predicate may call itself, directly or by other predicates.
    pub(super) fn needs_itself(&mut self, pred: PredId) -> bool {
        let (program, mut called) = (self.program.clone(), Vec::new());
        for clause in &program.predicate(pred).clauses {
            alphorn_lang::lang::goal::each_goal(&clause.body, &mut |goal| {
                if let Goal::Call { callee: Callee::User(next), .. } = goal {
                    called.push(*next);
                }
            });
        }
        called.into_iter().any(|next| self.reaches(next, pred))
    }

    /// Returns whether one predicate may reach a call of another. Returns true if the search is too large.
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
                    // The callee of a term is unknown.
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
        // Deeper goals are not examined.
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
