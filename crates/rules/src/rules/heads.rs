//! The heads of the clauses of a predicate, and the goals that take their arguments apart.

use crate::rules::shape::{Form, Shape};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Predicate, Program};
use alphorn_text::signature::Fact;
use alphorn_text::symbol::{Atom, atoms};

/// If more atoms come to a place, others may be meant to come there.
const FEW_NAMES: usize = 4;

/// Whether a node is the variable with this number.
pub(super) fn is_variable(tree: &TermTree, node: NodeId, number: u32) -> bool {
    matches!(tree.kind(node), TermKind::Var(other) if *other == number)
}

/// The path to the first place of a variable in a term, at most `deepest` steps long, and the number of nodes that the
/// search for it visits.
pub(super) fn path_to(
    tree: &TermTree,
    node: NodeId,
    number: u32,
    deepest: usize,
) -> (Option<Vec<(Atom, usize)>>, usize) {
    // The compound terms around a node, each with the place of the node inside.
    let mut around: Vec<(NodeId, Atom, usize)> = Vec::new();
    let (mut at, mut visited) = (node, 1);
    loop {
        match tree.kind(at) {
            TermKind::Var(other) if *other == number => {
                return (Some(around.iter().map(|(_, name, place)| (*name, *place)).collect()), visited);
            }
            TermKind::Compound(name, _) if around.len() < deepest && tree.may_hold(at, number) => {
                around.push((at, *name, 0));
            }
            _ => {
                while let Some((parent, _, place)) = around.last_mut() {
                    *place += 1;
                    if *place < tree.args(*parent).len() {
                        break;
                    }
                    around.pop();
                }
            }
        }
        let Some((parent, _, place)) = around.last() else { return (None, visited) };
        at = tree.args(*parent)[*place];
        visited += 1;
    }
}

/// Whether a node is a variable whose name says that it is not used.
pub(super) fn is_ignored(tree: &TermTree, node: NodeId) -> bool {
    let TermKind::Var(number) = tree.kind(node) else { return false };
    tree.variables.get(*number as usize).is_some_and(|variable| variable.name.starts_with('_'))
}

/// The clauses of a predicate, each with one argument of its head.
pub(super) fn heads(program: &Program, pred: PredId, place: usize) -> impl Iterator<Item = (&Clause, NodeId)> {
    let clauses = program.predicate(pred).clauses.iter();
    clauses.filter_map(move |clause| Some((clause, *clause.tree.args(clause.head).get(place)?)))
}

/// The functors that the other clauses of a predicate have in the place of an argument of a head.
pub(super) fn taken_by_others(program: &Program, tree: &TermTree, node: NodeId) -> Vec<(Atom, usize)> {
    let has = |clause: &Clause| std::ptr::eq(&clause.tree, tree);
    let pred = program.predicates.iter().find(|pred| pred.clauses.iter().any(has));
    let clauses = pred.map_or(&[][..], |pred| &pred.clauses[..]);
    let place = clauses.iter().find(|clause| has(clause)).and_then(|clause| {
        let args = tree.args(clause.head);
        args.iter().position(|arg| *arg == node)
    });
    let others = clauses.iter().filter(|clause| !has(clause));
    let functor = |clause: &Clause, place: usize| clause.tree.functor(*clause.tree.args(clause.head).get(place)?);
    place.map_or_else(Vec::new, |place| others.filter_map(|clause| functor(clause, place)).collect())
}

/// The terms that the clauses of a predicate match with one argument: the argument of the head, or for a
/// variable the terms that goals such as `Label = pass` compare it with.
pub(super) fn patterns(program: &Program, pred: PredId, place: usize) -> impl Iterator<Item = (&Clause, NodeId)> {
    heads(program, pred, place).flat_map(|(clause, node)| {
        let compared = compared(program, clause, node);
        std::iter::once(node).chain(compared).map(move |node| (clause, node))
    })
}

/// The terms that goals of a clause compare a variable with.
pub(super) fn compared(program: &Program, clause: &Clause, node: NodeId) -> Vec<NodeId> {
    let tree = &clause.tree;
    let TermKind::Var(number) = tree.kind(node) else { return Vec::new() };
    let mut found = Vec::new();
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee: Callee::Native(id), args, .. } = goal else { return };
        if let ("=", &[left, right]) = (program.known.row(*id).name, &args[..]) {
            let sides = [(left, right), (right, left)].into_iter();
            let own = sides.filter(|(one, _)| is_variable(tree, *one, *number)).map(|(_, other)| other);
            found.extend(own.filter(|other| !matches!(tree.kind(*other), TermKind::Var(_))));
        }
    });
    found
}

/// Whether an atom of a term never comes in its place, and comes in that of a variable of the term.
pub(super) fn is_misplaced(tree: &TermTree, (node, inner): (NodeId, NodeId), shape: &Shape, there: &Shape) -> bool {
    let (Shape::Of(forms), Shape::Of(names), TermKind::Atom(name)) = (shape, there, tree.kind(inner)) else {
        return false;
    };
    let is = |form: &Form| matches!(form, Form::Name(other, _) if other == name);
    let [Form::Compound(_, parts, _)] = &forms[..] else { return false };
    let is_few = names.len() <= FEW_NAMES && names.iter().all(|form| matches!(form, Form::Name(..)));
    is_few
        && tree.args(node).contains(&inner)
        && tree.args(node).iter().zip(parts).any(|(arg, part)| {
            matches!(tree.kind(*arg), TermKind::Var(_)) && matches!(part, Shape::Of(forms) if forms.iter().any(is))
        })
}

/// The arguments that only some clauses take, or that a goal tests.
pub(super) fn tested(program: &Program, pred: &Predicate) -> Vec<usize> {
    (0..pred.key.arity).filter(|place| pred.clauses.iter().any(|clause| tests(program, clause, *place))).collect()
}

/// Whether a clause takes one kind of term as an argument, or tests it.
fn tests(program: &Program, clause: &Clause, place: usize) -> bool {
    let tree = &clause.tree;
    let number = match tree.kind(tree.args(clause.head)[place]) {
        TermKind::Var(number) => *number,
        TermKind::Atom(atoms::NIL) | TermKind::Compound(atoms::DOT, _) => return false,
        _ => return true,
    };
    let mut found = false;
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee: Callee::Native(id), args, .. } = goal else { return };
        let is = |node: &NodeId| matches!(tree.kind(*node), TermKind::Var(other) if *other == number);
        let row = program.known.row(*id);
        found |= match row.name {
            "catch" => args.first().is_some_and(|goal| tree.holds_variable(*goal, number)),
            _ => row.has(Fact::Selects) && args.iter().any(is),
        };
    });
    found
}
