//! Recursion that cannot end, and negation that has no meaning.

use crate::lang::ast::{Kind, NodeId, Tree};
use crate::lang::check::calls::reachable;
use crate::lang::goal::each_goal;
use crate::lang::is_users;
use crate::lang::program::{Callee, Clause, Goal, PredId, Program};
use crate::report::Problem;
use crate::source::Span;
use crate::symbol::atoms;
use rustc_hash::{FxHashMap, FxHashSet};

/// Clauses that call themselves before anything else, with arguments no more
/// special than their own, without `table`.
pub fn left(program: &Program, problems: &mut Vec<Problem>) {
    for (number, pred) in program.predicates.iter().enumerate() {
        if pred.tabled || !is_users(program, pred.key.scope) {
            continue;
        }
        for clause in &pred.clauses {
            let Some((callee, args, span)) = first_call(&clause.body) else { continue };
            if callee == Callee::User(PredId(number as u32)) && as_general(clause, args) {
                let indicator = program.indicator(PredId(number as u32));
                problems.push(
                    Problem::error(
                        "A0402",
                        span,
                        format!("{indicator} calls itself before anything else, and so never ends"),
                    )
                    .also(clause.tree.span(clause.head), "in this clause")
                    .help(match says_nothing(clause, args) {
                        true => "remove this clause: it asks what it is asked itself".to_string(),
                        false => format!(
                            "write :- table {indicator}. before its clauses, or put the goal that binds a variable first"
                        ),
                    }),
                );
            }
        }
    }
}

fn first_call(goal: &Goal) -> Option<(Callee, &[NodeId], Span)> {
    match goal {
        Goal::Conj(goals) => first_call(goals.first()?),
        Goal::If(first, ..) | Goal::SoftIf(first, ..) | Goal::Scope(first) | Goal::Not(first) => first_call(first),
        Goal::Call { callee, args, span } => Some((*callee, args, *span)),
        _ => None,
    }
}

/// Whether each argument is the head's own variable, or one of no meaning yet.
fn as_general(clause: &Clause, args: &[NodeId]) -> bool {
    let tree = &clause.tree;
    let head: FxHashSet<u32> = tree.variables_of(clause.head).into_iter().collect();
    let mut fresh = FxHashSet::default();
    tree.args(clause.head).iter().zip(args).all(|(own, arg)| match (tree.kind(*own), tree.kind(*arg)) {
        (Kind::Var(own), Kind::Var(arg)) if own == arg => true,
        (_, Kind::Var(arg)) => !head.contains(arg) && fresh.insert(*arg),
        _ => false,
    })
}

/// Whether the call is the head again.
fn says_nothing(clause: &Clause, args: &[NodeId]) -> bool {
    let (tree, own) = (&clause.tree, clause.tree.args(clause.head));
    own.iter().zip(args).all(|(own, arg)| matches!(tree.kind(*own), Kind::Var(_)) && tree.kind(*own) == tree.kind(*arg))
}

/// Clauses that only exchange the arguments of their own predicate: asked for one more answer, they
/// never end.
pub fn turning(program: &Program, problems: &mut Vec<Problem>) {
    for (number, pred) in program.predicates.iter().enumerate() {
        if pred.tabled || !is_users(program, pred.key.scope) {
            continue;
        }
        for clause in &pred.clauses {
            let Goal::Call { callee: Callee::User(PredId(callee)), args, span } = &clause.body else { continue };
            let tree = &clause.tree;
            let variable = |node: &NodeId| matches!(tree.kind(*node), Kind::Var(_)).then(|| tree.kind(*node).clone());
            let own: Option<Vec<Kind>> = tree.args(clause.head).iter().map(variable).collect();
            let given: Option<Vec<Kind>> = args.iter().map(variable).collect();
            let (Some(own), Some(given)) = (own, given) else { continue };
            let exchanged = own != given && own.iter().all(|kind| given.contains(kind));
            if *callee as usize != number || !exchanged || tree.variables.len() != own.len() {
                continue;
            }
            let indicator = program.indicator(PredId(number as u32));
            let message = format!("this clause of {indicator} only exchanges its arguments, again and again");
            problems.push(
                Problem::warning("A0310", *span, message).also(tree.span(clause.head), "in this clause").help(format!(
                    "write a fact for each pair instead, or give the facts another name and ask them in both orders; \
                     or write :- table {indicator}. before the clauses"
                )),
            );
        }
    }
}

/// Predicates of which every clause calls itself: no answer can ever be complete.
pub fn endless(program: &Program, problems: &mut Vec<Problem>) {
    for (number, pred) in program.predicates.iter().enumerate() {
        let id = PredId(number as u32);
        if pred.tabled || !is_users(program, pred.key.scope) || !pred.clauses.iter().all(|one| again(one, id).is_some())
        {
            continue;
        }
        let Some(first) = pred.clauses.first() else { continue };
        if may_throw(program, id) {
            continue;
        }
        let (indicator, name) = (program.indicator(id), pred.key.name.text());
        let whole = first
            .tree
            .args(first.head)
            .iter()
            .position(|arg| first.tree.functor(*arg).is_some_and(|(name, arity)| (name, arity) == (atoms::DOT, 2)));
        let help = match whole {
            Some(place) => {
                let args: Vec<&str> = (0..pred.key.arity).map(|at| if at == place { "[]" } else { "..." }).collect();
                format!("add a clause for the end, which does not call it: {name}({}).", args.join(", "))
            }
            None => format!("add a clause of {indicator} for the end, one that does not call it"),
        };
        problems.push(
            Problem::warning(
                "A0310",
                first.tree.span(first.head),
                format!("every clause of {indicator} calls {indicator} again, so it never comes to an end"),
            )
            .help(help),
        );
    }
}

/// The goal of a clause by which it calls its own predicate, whatever else holds.
fn again(clause: &Clause, own: PredId) -> Option<Span> {
    let mut stack = vec![&clause.body];
    while let Some(goal) = stack.pop() {
        match goal {
            Goal::Conj(goals) => stack.extend(goals),
            Goal::Scope(inner) => stack.push(inner),
            Goal::Call { callee: Callee::User(id), span, .. } if *id == own => return Some(*span),
            _ => {}
        }
    }
    None
}

/// Whether an exception may end a predicate: it can throw one, or somebody waits for it.
fn may_throw(program: &Program, id: PredId) -> bool {
    let thrown = reachable(program, &[id]).into_iter().flat_map(|below| &program.predicate(below).clauses);
    let throws = |goal: &Goal| matches!(goal, Goal::Call { callee: Callee::Native(native), .. } if program.known.row(*native).name == "throw");
    for clause in thrown {
        let mut found = false;
        each_goal(&clause.body, &mut |goal| found |= throws(goal));
        if found {
            return true;
        }
    }
    let name = program.predicate(id).key.name;
    let caught = |tree: &Tree, at: NodeId| {
        matches!(tree.functor(at), Some((catch, 3)) if catch.text() == "catch")
            && tree.functor(tree.args(at)[0]).is_some_and(|(goal, _)| goal == name)
    };
    let clauses = program.predicates.iter().flat_map(|pred| &pred.clauses);
    clauses.into_iter().any(|clause| clause.tree.nodes().any(|(at, _)| caught(&clause.tree, at)))
}

/// Negation through recursion among tabled predicates.
pub fn stratification(program: &Program, problems: &mut Vec<Problem>) {
    if !program.predicates.iter().any(|pred| pred.tabled) {
        return;
    }
    let mut forward: FxHashMap<PredId, Vec<PredId>> = FxHashMap::default();
    let mut backward: FxHashMap<PredId, Vec<PredId>> = FxHashMap::default();
    let mut negative = Vec::new();
    for (number, pred) in program.predicates.iter().enumerate() {
        let caller = PredId(number as u32);
        for clause in &pred.clauses {
            edges(&clause.body, false, &mut |callee, negated, span| {
                forward.entry(caller).or_default().push(callee);
                backward.entry(callee).or_default().push(caller);
                if negated {
                    negative.push((caller, callee, span));
                }
            });
        }
    }
    for (caller, callee, span) in negative {
        let below = reached(callee, &forward);
        let above = reached(caller, &backward);
        let through = below.contains(&caller) && below.intersection(&above).any(|id| program.predicate(*id).tabled);
        if through {
            problems.push(
                Problem::error(
                    "A0403",
                    span,
                    format!("{} depends on its own negation through a tabled predicate", program.indicator(caller)),
                )
                .label(format!("{} is negated here", program.indicator(callee)))
                .help("split the predicate so that what is negated is complete before it is asked"),
            );
        }
    }
}

fn edges(goal: &Goal, negated: bool, see: &mut impl FnMut(PredId, bool, Span)) {
    let mut stack = vec![(goal, negated)];
    while let Some((goal, negated)) = stack.pop() {
        match goal {
            Goal::Conj(goals) => stack.extend(goals.iter().map(|goal| (goal, negated))),
            Goal::Or(left, right) => stack.extend([(&**left, negated), (&**right, negated)]),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                stack.extend([(&**condition, true), (&**then, negated), (&**other, negated)]);
            }
            Goal::Not(inner) | Goal::Findall { goal: inner, .. } => stack.push((inner, true)),
            Goal::Scope(inner) => stack.push((inner, negated)),
            Goal::Call { callee: Callee::User(id), span, .. } => see(*id, negated, *span),
            _ => {}
        }
    }
}

fn reached(from: PredId, edges: &FxHashMap<PredId, Vec<PredId>>) -> FxHashSet<PredId> {
    let mut found = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if found.insert(at) {
            stack.extend(edges.get(&at).into_iter().flatten());
        }
    }
    found
}
