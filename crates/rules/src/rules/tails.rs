//! Finds a rest of a list that is written as an element, such as `[w, Row]` for `[w|Row]`.
//!
//! A warning reports such a list if the clause also has its last element as the rest of a list, and if
//! positions of the game have both constants and lists as elements of one list. It also reports such an
//! argument of a recursive clause if the recursive call has the last element there, and all other clauses
//! have lists, one of them with any number of elements; and a list `[Rest|First]` for `[First|Rest]`.
//! Nothing is run. Only `misfit` calls this check. `nested` reports the same mistake in lists of compound
//! terms.

use crate::rules::game_shapes::GameShapes;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Predicate, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashSet;

/// Reports every rest of a list that is written as an element.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let is_mixed = is_mixed(&known.positions);
    let mut found = Vec::new();
    for (id, pred) in (0..).map(PredId).zip(&program.predicates).filter(|(_, pred)| program.is_users(pred.key.scope)) {
        for clause in &pred.clauses {
            let rests = if is_mixed { rests_of_lists(&clause.tree) } else { FxHashSet::default() };
            found.extend(in_clause(program, clause, (&rests, &passed_on(id, pred, clause))));
            found.extend(turned(program, (id, pred), clause));
        }
    }
    found
}

/// The lists in the head of a recursive clause whose last element stands in their place in the recursive call, if all
/// other clauses have lists there. If none of those has a rest, or another recursive call has another element there, the
/// lists may be trees or pairs.
fn passed_on(id: PredId, pred: &Predicate, clause: &Clause) -> FxHashSet<NodeId> {
    let (tree, mut found) = (&clause.tree, FxHashSet::default());
    let is_list = |tree: &TermTree, node: NodeId| {
        matches!(tree.kind(node), TermKind::Atom(atoms::NIL)) || tree.binary(node, atoms::DOT).is_some()
    };
    let mut parted: FxHashSet<NodeId> = FxHashSet::default();
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee: Callee::User(callee), args, .. } = goal else { return };
        for (place, (arg, own)) in args.iter().zip(tree.args(clause.head)).enumerate().filter(|_| *callee == id) {
            let elements = tree.list(*own).unwrap_or_default();
            let is_it = |element: &NodeId| variable(tree, *element).is_some_and(|it| variable(tree, *arg) == Some(it));
            if elements.split_last().is_some_and(|(_, before)| before.iter().any(is_it)) {
                parted.insert(*own);
            }
            let last = elements.last().and_then(|last| variable(tree, *last));
            let others = || pred.clauses.iter().filter(|other| other.span != clause.span);
            let fits = |other: &Clause| is_list(&other.tree, other.tree.args(other.head)[place]);
            let is_long = |other: &Clause| has_rest(&other.tree, other.tree.args(other.head)[place]);
            if last.is_some() && last == variable(tree, *arg) && others().all(fits) && others().any(is_long) {
                found.insert(*own);
            }
        }
    });
    &found - &parted
}

/// Whether a node is a list with a variable as its rest.
fn has_rest(tree: &TermTree, node: NodeId) -> bool {
    let mut rest = node;
    while let Some((_, tail)) = tree.binary(rest, atoms::DOT) {
        rest = tail;
    }
    rest != node && variable(tree, rest).is_some()
}

/// The problems of lists `[Rest|First]` in the head of a recursive clause: the recursive call has `Rest` in their place,
/// and `First` is the first element of another argument.
fn turned(program: &Program, (id, pred): (PredId, &Predicate), clause: &Clause) -> Vec<Problem> {
    let (tree, mut found) = (&clause.tree, Vec::new());
    let head = tree.args(clause.head);
    let begins = |number: u32| {
        let first = |arg: &NodeId| tree.binary(*arg, atoms::DOT).and_then(|(first, _)| variable(tree, first));
        head.iter().any(|arg| first(arg) == Some(number))
    };
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee: Callee::User(callee), args, .. } = goal else { return };
        for (place, (arg, own)) in args.iter().zip(head).enumerate().filter(|_| *callee == id) {
            let Some((first, rest)) = tree.binary(*own, atoms::DOT) else { continue };
            // Without other lists there, nothing tells which is the element.
            let mut others = pred.clauses.iter().filter(|other| other.span != clause.span);
            if !others.any(|other| has_rest(&other.tree, other.tree.args(other.head)[place])) {
                continue;
            }
            let is_turned = variable(tree, first).is_some_and(|number| variable(tree, *arg) == Some(number))
                && variable(tree, rest).is_some_and(begins);
            if is_turned {
                let text = |node: NodeId| quoted(&program.sources, tree.span(node));
                let message = format!("{} is the rest of a list, and the first element of {}", text(first), text(*own));
                let help = format!("write [{}|{}]", text(rest), text(first));
                found.push(Problem::warning(Code::ClauseMatchesNoPosition, tree.span(*own), message).help(help));
            }
        }
    });
    found
}

/// The variables that a clause has as rests of lists.
fn rests_of_lists(tree: &TermTree) -> FxHashSet<u32> {
    tree.nodes().filter_map(|(node, _)| variable(tree, tree.binary(node, atoms::DOT)?.1)).collect()
}

/// Whether a list somewhere in a shape has both constants and lists as elements.
fn is_mixed(shape: &Shape) -> bool {
    let mut stack = vec![shape];
    while let Some(shape) = stack.pop() {
        let Shape::Of(forms) = shape else { continue };
        for form in forms {
            match form {
                Form::Compound(_, parts, _) | Form::Row(parts, _) => stack.extend(parts),
                Form::List(of) => {
                    if let Shape::Of(elements) = of
                        && elements.iter().any(|form| matches!(form, Form::List(_) | Form::Row(..)))
                        && elements.iter().any(|form| matches!(form, Form::Name(..) | Form::Atom | Form::Number))
                    {
                        return true;
                    }
                    stack.push(of);
                }
                _ => {}
            }
        }
    }
    false
}

/// The problems of lists that have one of these variables as the last element, and of these lists.
fn in_clause(
    program: &Program,
    clause: &Clause,
    (rests, whole): (&FxHashSet<u32>, &FxHashSet<NodeId>),
) -> Vec<Problem> {
    let tree = &clause.tree;
    if rests.is_empty() && whole.is_empty() {
        return Vec::new();
    }
    let inner: FxHashSet<NodeId> =
        tree.nodes().filter_map(|(node, _)| Some(tree.binary(node, atoms::DOT)?.1)).collect();
    let lists = tree.nodes().filter(|(node, _)| !inner.contains(node));
    let odd = lists.filter_map(|(node, _)| {
        let elements = tree.list(node).filter(|elements| elements.len() > 1)?;
        let (last, before) = elements.split_last()?;
        variable(tree, *last).filter(|number| rests.contains(number) || whole.contains(&node))?;
        let text = |node: NodeId| quoted(&program.sources, tree.span(node));
        let before: Vec<String> = before.iter().map(|element| text(*element)).collect();
        let message = format!("{} is the rest of a list, and an element of the list {} here", text(*last), text(node));
        let help = format!("write [{}|{}] for a list with the elements of {1}", before.join(", "), text(*last));
        Some(Problem::warning(Code::ClauseMatchesNoPosition, tree.span(node), message).help(help))
    });
    odd.collect()
}

fn variable(tree: &TermTree, node: NodeId) -> Option<u32> {
    if let TermKind::Var(number) = tree.kind(node) { Some(*number) } else { None }
}
