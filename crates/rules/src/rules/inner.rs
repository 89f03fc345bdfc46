//! Finds goals in arguments of other goals: what `aggregate_all/3`, `maplist/3` and the like call.
//!
//! An argument that is called is a goal, a lambda expression, or a predicate with its own
//! arguments. Nothing is run. This file is a part of `shapes`.

use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::{Resolver, each_goal};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program, Scope};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;

/// Goals nested deeper than this are not followed.
const DEEPEST: usize = 8;

/// What an argument calls.
pub(super) enum CalledArgument {
    /// A goal.
    Goal(Goal),
    /// The parameters and the body of a lambda expression.
    Lambda(Vec<NodeId>, Goal),
    /// A predicate with its first arguments.
    Named(Callee, Vec<NodeId>),
}

/// What the arguments of goals call, by tree and node.
pub(super) struct Inners {
    found: FxHashMap<(usize, NodeId), CalledArgument>,
}

impl Inners {
    /// Finds them in a program, except in the library.
    pub(super) fn of(program: &Program) -> Inners {
        let mut inners = Inners { found: FxHashMap::default() };
        for pred in program.predicates.iter().filter(|pred| pred.key.scope != PRELUDE) {
            for clause in &pred.clauses {
                inners.gather(program, (pred.key.scope, clause), &clause.body, 0);
            }
        }
        inners
    }

    /// What an argument calls.
    pub(super) fn get(&self, tree: &TermTree, node: NodeId) -> Option<&CalledArgument> {
        self.found.get(&(std::ptr::from_ref(tree) as usize, node))
    }

    fn gather(&mut self, program: &Program, (scope, clause): (Scope, &Clause), goal: &Goal, depth: usize) {
        if depth == DEEPEST {
            return;
        }
        let mut found = Vec::new();
        each_goal(goal, &mut |goal| {
            if let Goal::Call { callee, args, .. } = goal {
                found.extend(called(program, scope, clause, *callee, args));
            }
        });
        let address = std::ptr::from_ref(&clause.tree) as usize;
        for (node, inner) in found {
            if let CalledArgument::Goal(goal) | CalledArgument::Lambda(_, goal) = &inner {
                self.gather(program, (scope, clause), goal, depth + 1);
            }
            self.found.insert((address, node), inner);
        }
    }
}

/// What the arguments of a goal call.
fn called(
    program: &Program,
    scope: Scope,
    clause: &Clause,
    callee: Callee,
    args: &[NodeId],
) -> Vec<(NodeId, CalledArgument)> {
    let (spec, name): (&str, Atom) = match callee {
        Callee::User(pred) => (&program.predicate(pred).meta, program.predicate(pred).key.name),
        Callee::Native(id) => (program.known.row(id).meta, Atom::new(program.known.row(id).name)),
        Callee::Unknown(..) => return Vec::new(),
    };
    let resolver = || Resolver::new(program, scope, &clause.tree);
    let mut found = Vec::new();
    // `call(append, X, Y, Z)` and `phrase(rule(X), List, Rest)` are goals.
    let direct = match name.text() {
        "call" => args.len() - 1,
        "phrase" => 2,
        _ => 0,
    };
    if direct > 0
        && let Some(CalledArgument::Named(callee, mut own)) = closure(program, scope, clause, args[0], direct)
    {
        own.extend(&args[1..]);
        let span = clause.tree.span(args[0]);
        return vec![(args[0], CalledArgument::Goal(Goal::Call { callee, args: own, span }))];
    }
    for (kind, arg) in spec.chars().zip(args) {
        let mut at = *arg;
        while let Some((_, inner)) = clause.tree.binary(at, atoms::CARET).filter(|_| kind == '^') {
            at = inner;
        }
        let inner = match kind.to_digit(10) {
            _ if matches!(clause.tree.kind(at), TermKind::Var(_)) => None,
            Some(0) => Some(CalledArgument::Goal(resolver().goal(at))),
            Some(missing) => closure(program, scope, clause, at, missing as usize),
            None if kind == '^' => Some(CalledArgument::Goal(resolver().goal(at))),
            None => None,
        };
        found.extend(inner.map(|inner| (*arg, inner)));
    }
    found
}

/// The closure at a node, which receives `missing` further arguments.
fn closure(program: &Program, scope: Scope, clause: &Clause, node: NodeId, missing: usize) -> Option<CalledArgument> {
    let tree = &clause.tree;
    let (name, arity) = tree.functor(node)?;
    if (name, arity) == (atoms::LAMBDA, 2) {
        let [left, body] = tree.args(node) else { return None };
        let params = tree.binary(*left, Atom::new("/")).map_or(*left, |(_, params)| params);
        let params = tree.list(params).filter(|params| params.len() == missing)?;
        return Some(CalledArgument::Lambda(params, Resolver::new(program, scope, tree).goal(*body)));
    }
    Some(CalledArgument::Named(program.resolve(scope, name, arity + missing)?, tree.args(node).to_vec()))
}

/// The predicate that a closure calls, if rules define it.
pub(super) fn users(inner: &CalledArgument) -> Option<(PredId, &[NodeId])> {
    match inner {
        CalledArgument::Named(Callee::User(pred), own) => Some((*pred, own)),
        _ => None,
    }
}
