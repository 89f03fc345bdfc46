//! Finds a variable that is another argument of the position than in all other heads.
//!
//! For a clause in which a goal failed, the result is the position in its head, if its arguments
//! seem to be exchanged. Only `playouts` calls this check, because names alone are no mistake.

use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Clause, PredId, Program};
use alphorn_text::source::Span;

/// The least number of other occurrences of the variable.
const FEWEST: usize = 2;

/// The position in the head of the clause around a place, and the variable that is elsewhere in others.
pub(super) fn misnamed(program: &Program, contract: &Contract, place: Span) -> Option<(Span, String)> {
    let preds: Vec<PredId> = taking(contract);
    let clauses = || preds.iter().flat_map(|pred| &program.predicate(*pred).clauses);
    let own = clauses().find(|clause| {
        let span = clause.span;
        span.source == place.source && span.start <= place.start && place.end <= span.end
    })?;
    let head = *own.tree.args(own.head).first()?;
    let functor = own.tree.functor(head)?;
    let others = || clauses().filter(|other| other.span != own.span).filter_map(|other| position(other, functor));
    let odd = names(&own.tree, head).find(|(at, name)| {
        let there: Vec<usize> = others()
            .flat_map(|(tree, node)| names(tree, node).filter(|(_, other)| other == name).map(|(at, _)| at))
            .collect();
        there.len() >= FEWEST && !there.contains(at)
    });
    odd.map(|(_, name)| (own.tree.span(head), name.to_string()))
}

/// The predicates whose first argument is a position.
fn taking(contract: &Contract) -> Vec<PredId> {
    let questions = contract.questions().into_iter();
    let asked = questions.filter(|(pred, modes)| modes.starts_with('+') && contract.read_position != Some(*pred));
    asked.map(|(pred, _)| pred).collect()
}

/// The position in a head, if it has this functor.
fn position(clause: &Clause, functor: (alphorn_text::symbol::Atom, usize)) -> Option<(&TermTree, NodeId)> {
    let node = *clause.tree.args(clause.head).first()?;
    (clause.tree.functor(node) == Some(functor)).then_some((&clause.tree, node))
}

/// The variables among the arguments of a term, each with its argument number.
fn names(tree: &TermTree, node: NodeId) -> impl Iterator<Item = (usize, &str)> {
    tree.args(node).iter().enumerate().filter_map(|(at, arg)| match tree.kind(*arg) {
        TermKind::Var(number) => {
            Some((at, &*tree.variables.get(*number as usize)?.name)).filter(|(_, name)| !name.starts_with('_'))
        }
        _ => None,
    })
}
