//! Where the rules call each predicate, and what has been asked before.
//!
//! In: a program. Out: every call of a predicate, with the goals that have succeeded before it, and
//! whether those are all the calls there are. Runs nothing; called by `shapes` and `flows`.

use alphorn_lang::lang::ast::NodeId;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// Goals before a call that are kept, the nearest ones; of the others less is known.
const NEAREST: usize = 64;

/// A call.
pub(super) struct Site<'p> {
    /// The clause that it stands in.
    pub(super) clause: &'p Clause,
    /// The predicate of that clause.
    pub(super) caller: PredId,
    /// With what it calls.
    pub(super) args: &'p [NodeId],
    /// The goals that have succeeded before.
    pub(super) before: Vec<&'p Goal>,
}

/// The calls of every predicate.
pub(super) struct Sites<'p> {
    calls: FxHashMap<PredId, std::sync::Arc<[Site<'p>]>>,
}

impl<'p> Sites<'p> {
    /// Those of a program.
    pub(super) fn of(program: &'p Program) -> Sites<'p> {
        let mut calls: FxHashMap<PredId, Vec<Site<'p>>> = FxHashMap::default();
        let mut named: FxHashMap<Atom, usize> = FxHashMap::default();
        for (number, pred) in program.predicates.iter().enumerate().filter(|(_, pred)| pred.key.scope != PRELUDE) {
            for clause in &pred.clauses {
                let mut places: FxHashSet<Span> = FxHashSet::default();
                places.insert(clause.tree.span(clause.head));
                gather(&clause.body, &mut Vec::new(), &mut |goal, before| {
                    if let Goal::Call { callee, args, span } = goal {
                        places.insert(*span);
                        let Callee::User(called) = callee else { return };
                        let before = nearest(before);
                        let site = Site { clause, caller: PredId(number as u32), args, before };
                        calls.entry(*called).or_default().push(site);
                    }
                });
                // Any other mention may be a closure that somebody calls: the fewest arguments of each name.
                for (node, _) in clause.tree.nodes() {
                    let Some((name, given)) = clause.tree.functor(node) else { continue };
                    if !places.contains(&clause.tree.span(node)) {
                        named.entry(name).and_modify(|least| *least = given.min(*least)).or_insert(given);
                    }
                }
            }
        }
        calls.retain(|pred, _| {
            let key = program.predicate(*pred).key;
            key.scope != PRELUDE && named.get(&key.name).is_none_or(|least| *least > key.arity)
        });
        Sites { calls: calls.into_iter().map(|(pred, sites)| (pred, sites.into())).collect() }
    }

    /// Whether all calls of a predicate are known, and there are some.
    pub(super) fn are_known(&self, pred: PredId) -> bool {
        self.calls.contains_key(&pred)
    }

    /// The calls of a predicate.
    pub(super) fn calls(&self, pred: PredId) -> std::sync::Arc<[Site<'p>]> {
        self.calls.get(&pred).cloned().unwrap_or_default()
    }
}

/// Sees every goal of a body, with the goals that have succeeded before it.
pub(super) fn gather<'p>(goal: &'p Goal, before: &mut Vec<&'p Goal>, see: &mut impl FnMut(&'p Goal, &[&'p Goal])) {
    see(goal, before);
    let depth = before.len();
    match goal {
        Goal::Conj(goals) => {
            for goal in goals {
                gather(goal, before, see);
                before.push(goal);
            }
        }
        Goal::Or(left, right) => {
            gather(left, before, see);
            gather(right, before, see);
        }
        Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
            gather(condition, before, see);
            before.push(condition);
            gather(then, before, see);
            before.pop();
            gather(other, before, see);
        }
        Goal::Not(inner) | Goal::Scope(inner) | Goal::Findall { goal: inner, .. } => gather(inner, before, see),
        Goal::True | Goal::Fail | Goal::Cut | Goal::Call { .. } | Goal::Meta(..) => {}
    }
    before.truncate(depth);
}

/// The nearest of the goals before another one: what is known of its variables comes from these.
pub(super) fn nearest<'p>(before: &[&'p Goal]) -> Vec<&'p Goal> {
    before[before.len().saturating_sub(NEAREST)..].to_vec()
}
