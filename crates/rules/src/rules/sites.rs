//! Where the rules call each predicate, and what has been asked before.
//!
//! In: a program. Out: every call of a predicate, with the goals that have succeeded before it, and
//! whether those are all the calls there are. Runs nothing; called by `shapes` and `flows`.

use crate::rules::inner::{Inner, Inners, users};
use alphorn_lang::lang::ast::{NodeId, TermTree};
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
    /// With what it calls; a closure is given more.
    pub(super) args: &'p [NodeId],
    /// The goal that calls it as a closure, and the place of that.
    pub(super) closure: Option<(&'p Goal, usize)>,
    /// The lambda expressions that it stands in, outermost first.
    pub(super) within: Vec<Within<'p>>,
    /// The goals that have succeeded before.
    pub(super) before: Vec<&'p Goal>,
}

/// A lambda expression.
#[derive(Clone, Copy)]
pub(super) struct Within<'p> {
    /// The goal that calls it.
    pub(super) goal: &'p Goal,
    /// The place of the expression among the arguments of that.
    pub(super) place: usize,
    /// Its parameters.
    pub(super) params: &'p [NodeId],
}

/// The calls of every predicate.
pub(super) struct Sites<'p> {
    calls: FxHashMap<PredId, std::sync::Arc<[Site<'p>]>>,
}

impl<'p> Sites<'p> {
    /// Those of a program.
    pub(super) fn of(program: &'p Program, inners: &'p Inners) -> Sites<'p> {
        let mut calls: FxHashMap<PredId, Vec<Site<'p>>> = FxHashMap::default();
        let mut named: FxHashMap<Atom, usize> = FxHashMap::default();
        for (number, pred) in program.predicates.iter().enumerate().filter(|(_, pred)| pred.key.scope != PRELUDE) {
            for clause in &pred.clauses {
                let caller = PredId(number as u32);
                let mut places: FxHashSet<Span> = FxHashSet::default();
                places.insert(clause.tree.span(clause.head));
                let walk = &mut Walk { tree: &clause.tree, inners, before: Vec::new(), within: Vec::new() };
                walk.gather(&clause.body, &mut |goal, before, within| {
                    let Goal::Call { callee, args, span } = goal else { return };
                    places.insert(*span);
                    let site = |args, closure| {
                        let (before, within) = (nearest(before), within.to_vec());
                        Site { clause, caller, args, closure, before, within }
                    };
                    if let Callee::User(called) = callee {
                        calls.entry(*called).or_default().push(site(args, None));
                    }
                    for (place, arg) in args.iter().enumerate() {
                        if let Some((called, own)) = inners.get(&clause.tree, *arg).and_then(users) {
                            places.insert(clause.tree.span(*arg));
                            calls.entry(called).or_default().push(site(own, Some((goal, place))));
                        }
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

/// Sees every goal of a body, with the goals that have succeeded before it and the lambda expressions around it.
pub(super) struct Walk<'p> {
    pub(super) tree: &'p TermTree,
    pub(super) inners: &'p Inners,
    pub(super) before: Vec<&'p Goal>,
    pub(super) within: Vec<Within<'p>>,
}

impl<'p> Walk<'p> {
    /// Sees a goal and those below it.
    pub(super) fn gather(&mut self, goal: &'p Goal, see: &mut impl FnMut(&'p Goal, &[&'p Goal], &[Within<'p>])) {
        see(goal, &self.before, &self.within);
        let depth = self.before.len();
        match goal {
            Goal::Conj(goals) => {
                for goal in goals {
                    self.gather(goal, see);
                    self.before.push(goal);
                }
            }
            Goal::Or(left, right) => {
                self.gather(left, see);
                self.gather(right, see);
            }
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                self.gather(condition, see);
                self.before.push(condition);
                self.gather(then, see);
                self.before.pop();
                self.gather(other, see);
            }
            Goal::Not(inner) | Goal::Scope(inner) | Goal::Findall { goal: inner, .. } => self.gather(inner, see),
            Goal::Call { args, .. } => {
                for (place, arg) in args.iter().enumerate() {
                    match self.inners.get(self.tree, *arg) {
                        Some(Inner::Goal(inner)) => self.gather(inner, see),
                        Some(Inner::Lambda(params, body)) => {
                            self.within.push(Within { goal, place, params });
                            self.gather(body, see);
                            self.within.pop();
                        }
                        Some(Inner::Named(..)) | None => {}
                    }
                }
            }
            Goal::True | Goal::Fail | Goal::Cut | Goal::Meta(..) => {}
        }
        self.before.truncate(depth);
    }
}

/// The nearest of the goals before another one: what is known of its variables comes from these.
pub(super) fn nearest<'p>(before: &[&'p Goal]) -> Vec<&'p Goal> {
    before[before.len().saturating_sub(NEAREST)..].to_vec()
}
