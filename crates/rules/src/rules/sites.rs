//! Finds the calls of each predicate, and the goals that succeed before each call.
//!
//! The result also says whether all calls of a predicate are known. Nothing is run. `shapes` and
//! `flows` use this module.

use crate::rules::inner::{CalledArgument, Inners, users};
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of goals before a call that are kept: the nearest ones.
const NEAREST: usize = 64;

/// A call of a predicate.
pub(super) struct Site<'p> {
    /// The clause that contains the call.
    pub(super) clause: &'p Clause,
    /// The predicate of that clause.
    pub(super) caller: PredId,
    /// The arguments of the call. A closure receives further arguments.
    pub(super) args: &'p [NodeId],
    /// For a closure: the goal that calls it, and its argument number there.
    pub(super) closure: Option<(&'p Goal, usize)>,
    /// The lambda expressions around the call, outermost first.
    pub(super) within: Vec<EnclosingLambda<'p>>,
    /// The goals that succeed before the call.
    pub(super) before: Vec<&'p Goal>,
}

/// A lambda expression around a goal.
#[derive(Clone, Copy)]
pub(super) struct EnclosingLambda<'p> {
    /// The goal that calls the expression.
    pub(super) goal: &'p Goal,
    /// The argument number of the expression in that goal.
    pub(super) place: usize,
    /// The parameters of the expression.
    pub(super) params: &'p [NodeId],
}

/// The calls of every predicate.
pub(super) struct Sites<'p> {
    calls: FxHashMap<PredId, std::sync::Arc<[Site<'p>]>>,
}

impl<'p> Sites<'p> {
    /// Finds the calls in a program.
    pub(super) fn of(program: &'p Program, inners: &'p Inners) -> Sites<'p> {
        let mut calls: FxHashMap<PredId, Vec<Site<'p>>> = FxHashMap::default();
        let mut named: FxHashMap<Atom, FxHashSet<usize>> = FxHashMap::default();
        let closures = Closures::of(program, inners);
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
                // Any other mention of a name may be a closure.
                for (node, _) in clause.tree.nodes() {
                    let Some((name, given)) = clause.tree.functor(node) else { continue };
                    if !places.contains(&clause.tree.span(node)) {
                        named.entry(name).or_default().insert(given);
                    }
                }
            }
        }
        calls.retain(|pred, _| {
            let key = program.predicate(*pred).key;
            let called = |given: &usize| closures.may_call(*given, key.arity);
            key.scope != PRELUDE && !named.get(&key.name).is_some_and(|all| all.iter().any(called))
        });
        Sites { calls: calls.into_iter().map(|(pred, sites)| (pred, sites.into())).collect() }
    }

    /// Whether all calls of a predicate are known, and there is at least one.
    pub(super) fn are_known(&self, pred: PredId) -> bool {
        self.calls.contains_key(&pred)
    }

    /// The calls of a predicate.
    pub(super) fn calls(&self, pred: PredId) -> std::sync::Arc<[Site<'p>]> {
        self.calls.get(&pred).cloned().unwrap_or_default()
    }
}

/// How goals call terms that are not written where they are called.
pub(super) struct Closures {
    /// The numbers of arguments that such terms receive.
    added: FxHashSet<usize>,
    /// Whether a goal may make a goal of a name and arguments.
    are_built: bool,
}

impl Closures {
    /// Finds them in a program.
    pub(super) fn of(program: &Program, inners: &Inners) -> Closures {
        let mut found = Closures { added: FxHashSet::default(), are_built: false };
        // An advice table calls goals with one position or two.
        if ["advice", "::"].iter().any(|name| program.own(name, 2).is_some()) {
            found.added.extend([1, 2]);
        }
        for pred in program.predicates.iter().filter(|pred| pred.key.scope != PRELUDE) {
            for clause in &pred.clauses {
                let mut walk = Walk { tree: &clause.tree, inners, before: Vec::new(), within: Vec::new() };
                walk.gather(&clause.body, &mut |goal, _, _| found.see(program, inners, &clause.tree, goal));
            }
        }
        found
    }

    fn see(&mut self, program: &Program, inners: &Inners, tree: &TermTree, goal: &Goal) {
        let Goal::Call { callee, args, .. } = goal else { return };
        let (spec, name) = match callee {
            Callee::User(pred) => (&*program.predicate(*pred).meta, program.predicate(*pred).key.name.text()),
            Callee::Native(id) => (program.known.row(*id).meta, program.known.row(*id).name),
            Callee::Unknown(..) => return self.are_built = true,
        };
        self.are_built |= matches!(name, "=.." | "functor" | "compound_name_arguments");
        let open = |arg: &NodeId| inners.get(tree, *arg).is_none();
        match name {
            "call" if args.first().is_some_and(open) => _ = self.added.insert(args.len() - 1),
            "phrase" if args.first().is_some_and(open) => _ = self.added.insert(2),
            _ => {}
        }
        let missing = spec.chars().zip(args).filter(|(_, arg)| open(arg));
        self.added.extend(missing.filter_map(|(kind, _)| Some(kind.to_digit(10)? as usize)));
    }

    /// Whether a term with some arguments may be a call of a predicate with its name.
    pub(super) fn may_call(&self, given: usize, arity: usize) -> bool {
        given <= arity && (given == arity || self.are_built || self.added.contains(&(arity - given)))
    }
}

/// Visits every goal of a body, with the goals before it and the lambda expressions around it.
pub(super) struct Walk<'p> {
    pub(super) tree: &'p TermTree,
    pub(super) inners: &'p Inners,
    pub(super) before: Vec<&'p Goal>,
    pub(super) within: Vec<EnclosingLambda<'p>>,
}

impl<'p> Walk<'p> {
    /// Visits a goal and all goals inside it.
    pub(super) fn gather(
        &mut self,
        goal: &'p Goal,
        see: &mut impl FnMut(&'p Goal, &[&'p Goal], &[EnclosingLambda<'p>]),
    ) {
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
                        Some(CalledArgument::Goal(inner)) => self.gather(inner, see),
                        Some(CalledArgument::Lambda(params, body)) => {
                            self.within.push(EnclosingLambda { goal, place, params });
                            self.gather(body, see);
                            self.within.pop();
                        }
                        Some(CalledArgument::Named(..)) | None => {}
                    }
                }
            }
            Goal::True | Goal::Fail | Goal::Cut | Goal::Meta(..) => {}
        }
        self.before.truncate(depth);
    }
}

/// The nearest goals before another one, from which the shapes of its variables come.
pub(super) fn nearest<'p>(before: &[&'p Goal]) -> Vec<&'p Goal> {
    before[before.len().saturating_sub(NEAREST)..].to_vec()
}

/// The arguments of each call of a predicate in a clause.
pub(super) fn called(clause: &Clause, wanted: PredId) -> Vec<&[NodeId]> {
    let mut found = Vec::new();
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee: Callee::User(id), args, .. } = goal
            && *id == wanted
        {
            found.push(&args[..]);
        }
    });
    found
}
