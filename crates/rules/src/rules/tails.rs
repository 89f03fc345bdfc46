//! Finds a rest of a list that is written as an element, such as `[w, Row]` for `[w|Row]`.
//!
//! A warning reports such a list if the clause also has its last element as the rest of a list, and if
//! positions of the game have both constants and lists as elements of one list. Nothing is run. Only `misfit`
//! calls this check. `nested` reports the same mistake in lists of compound terms.

use crate::rules::game_shapes::GameShapes;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Clause, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashSet;

/// Reports every rest of a list that is written as an element.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    if !is_mixed(&known.positions) {
        return Vec::new();
    }
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    users.flat_map(|pred| &pred.clauses).flat_map(|clause| in_clause(program, clause)).collect()
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

fn in_clause(program: &Program, clause: &Clause) -> Vec<Problem> {
    let tree = &clause.tree;
    let rest = |node: NodeId| tree.binary(node, atoms::DOT).and_then(|(_, tail)| variable(tree, tail));
    let rests: FxHashSet<u32> = tree.nodes().filter_map(|(node, _)| rest(node)).collect();
    let inner: FxHashSet<NodeId> =
        tree.nodes().filter_map(|(node, _)| Some(tree.binary(node, atoms::DOT)?.1)).collect();
    let lists = tree.nodes().filter(|(node, _)| !inner.contains(node));
    let odd = lists.filter_map(|(node, _)| {
        let elements = tree.list(node).filter(|elements| elements.len() > 1)?;
        let (last, before) = elements.split_last()?;
        variable(tree, *last).filter(|number| rests.contains(number))?;
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
