//! Finds the goal that leaves a variable without a value, for an error in a later goal.
//!
//! The input is the goal with the error and the calls that led to it. The variable is followed from
//! that goal through the heads to the clause in which it occurs first. Only `fault` calls this module.

use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_lang::lang::read;
use alphorn_prolog::machine::fault::FaultPlace;
use alphorn_text::source::{SourceId, Span};

/// A call in a clause: the predicate of the clause, the clause, the called predicate, its arguments.
type Call<'a> = (PredId, &'a Clause, Option<PredId>, &'a [NodeId]);

/// The goal that should give the variable a value, and the name of the variable.
pub(super) fn leaving_unbound(program: &Program, place: &FaultPlace) -> Option<(Span, String)> {
    let mut at = place.span?;
    let (mut pred, mut clause, _, args) = call_at(program, at)?;
    let printed = read::goal(SourceId(program.sources.len() as u16), &place.goal, &program.ops).ok()??;
    let given = printed.tree.args(printed.root);
    // The result of an evaluation needs no value.
    let first = usize::from(printed.tree.functor(printed.root).is_some_and(|(name, _)| name.text() == "is"));
    let mut pairs = args.iter().zip(given).skip(first);
    let mut number = pairs.find_map(|(own, given)| open(&clause.tree, *own, &printed.tree, *given))?;
    let mut sites = place.sites.iter();
    while let Some((argument, path)) = in_head(clause, number) {
        let Some((site, _)) = sites.next() else { break };
        let (caller, outer, called, args) = call_at(program, *site)?;
        let node = below(&outer.tree, *args.get(argument)?, &path)?;
        let (TermKind::Var(other), true) = (outer.tree.kind(node), called == Some(pred)) else { return None };
        (number, pred, clause, at) = (*other, caller, outer, *site);
    }
    // A goal rarely gives a value to a part of a term, so an argument by itself comes first.
    let (mut whole, mut part) = (None, None);
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { args, span, .. } = goal else { return };
        if span.end > at.start {
            return;
        }
        if args.iter().any(|arg| *clause.tree.kind(*arg) == TermKind::Var(number)) {
            whole = whole.or(Some(*span));
        } else if args.iter().any(|arg| clause.tree.holds_variable(*arg, number)) {
            part = part.or(Some(*span));
        }
    });
    Some((whole.or(part)?, clause.tree.variables.get(number as usize)?.name.to_string()))
}

/// The call at a place of the user's files.
fn call_at(program: &Program, place: Span) -> Option<Call<'_>> {
    let mut found = None;
    for (pred, clauses) in (0..).map(PredId).zip(&program.predicates) {
        if !program.is_users(clauses.key.scope) {
            continue;
        }
        for clause in clauses.clauses.iter().filter(|clause| clause.span.contains(place)) {
            each_goal(&clause.body, &mut |goal| match goal {
                Goal::Call { callee, args, span } if *span == place => {
                    let called = if let Callee::User(called) = callee { Some(*called) } else { None };
                    found = Some((pred, clause, called, &args[..]));
                }
                _ => {}
            });
        }
    }
    found
}

/// The variable of a term in the text that is still a variable in the printed term.
fn open(tree: &TermTree, node: NodeId, printed: &TermTree, given: NodeId) -> Option<u32> {
    match (tree.kind(node), printed.kind(given)) {
        (TermKind::Var(number), TermKind::Var(_)) => Some(*number),
        (TermKind::Compound(..), TermKind::Compound(..)) if tree.functor(node) == printed.functor(given) => {
            let mut pairs = tree.args(node).iter().zip(printed.args(given));
            pairs.find_map(|(node, given)| open(tree, *node, printed, *given))
        }
        _ => None,
    }
}

/// The argument of a head that contains a variable, and the path to it.
fn in_head(clause: &Clause, number: u32) -> Option<(usize, Vec<usize>)> {
    let tree = &clause.tree;
    let mut stack: Vec<(usize, NodeId, Vec<usize>)> = Vec::new();
    stack.extend(tree.args(clause.head).iter().enumerate().map(|(at, node)| (at, *node, Vec::new())));
    while let Some((argument, node, path)) = stack.pop() {
        if matches!(tree.kind(node), TermKind::Var(other) if *other == number) {
            return Some((argument, path));
        }
        for (place, arg) in tree.args(node).iter().enumerate() {
            stack.push((argument, *arg, path.iter().copied().chain([place]).collect()));
        }
    }
    None
}

/// The node at a path, or the variable that stands for it.
fn below(tree: &TermTree, mut node: NodeId, path: &[usize]) -> Option<NodeId> {
    for place in path {
        if matches!(tree.kind(node), TermKind::Var(_)) {
            break;
        }
        node = *tree.args(node).get(*place)?;
    }
    Some(node)
}
