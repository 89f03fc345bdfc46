//! Finds a variable that is another argument of the position than in all other heads.
//!
//! For a clause in which a goal failed, the result is the position in its head, if its arguments
//! seem to be exchanged. For a first position without moves, it is a term that makes a part of it.
//! Only `playouts` and `misfit` call these checks, where no move is possible, because names alone are no mistake.

use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::check::calls;
use alphorn_lang::lang::program::{Clause, PredId, Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// The least number of other occurrences of the variable.
const FEWEST: usize = 2;

/// The position in the head of the clause around a place, and the variable that is elsewhere in others.
pub(super) fn misnamed(program: &Program, contract: &Contract, place: Span) -> Option<(Span, String)> {
    let preds: Vec<PredId> = taking(contract);
    let clauses = || preds.iter().flat_map(|pred| &program.predicate(*pred).clauses);
    let own = clauses().find(|clause| clause.span.contains(place))?;
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

/// A term in the rules of the first position with a variable that is another argument in all other
/// terms with this functor, and the variable.
pub(super) fn misnamed_in_opening(program: &Program, contract: &Contract) -> Option<(Span, String)> {
    let reached = calls::reachable(program, &[contract.initial?]);
    let users = || (0..).map(PredId).zip(&program.predicates).filter(|(_, pred)| program.is_users(pred.key.scope));
    let clauses = || users().flat_map(|(_, pred)| &pred.clauses);
    let mut opening = users().filter(|(id, _)| reached.contains(id)).flat_map(|(_, pred)| &pred.clauses);
    opening.find_map(|own| {
        let tree = &own.tree;
        tree.nodes().find_map(|(node, _)| {
            let functor = tree.functor(node).filter(|(name, arity)| *arity > 1 && is_record(program, *name, *arity))?;
            let odd = names(tree, node).find(|(at, name)| {
                let others = clauses().filter(|other| other.span != own.span).flat_map(|other| {
                    let all = other.tree.nodes().filter(|(node, _)| other.tree.functor(*node) == Some(functor));
                    all.flat_map(|(node, _)| names(&other.tree, node)).filter(|(_, other)| other == name)
                });
                let there: Vec<usize> = others.map(|(at, _)| at).collect();
                there.len() >= FEWEST && !there.contains(at)
            });
            odd.map(|(_, name)| (tree.span(node), name.to_string()))
        })
    })
}

/// The problem of an opening that no move takes, if a variable of it is another argument in all other such terms.
pub(super) fn wrong_opening(program: &Program, contract: &Contract) -> Option<Problem> {
    let (span, name) = misnamed_in_opening(program, contract)?;
    let message = format!("no move takes this position: {name} is another argument in all other such terms");
    let help = format!("give {name} the place that it has in the other terms");
    Some(Problem::warning(Code::ClauseMatchesNoPosition, span, message).help(help))
}

/// Whether a functor is the name of a record, and of no predicate or operator.
fn is_record(program: &Program, name: Atom, arity: usize) -> bool {
    name.text().starts_with(char::is_alphabetic) && program.resolve_typed(USER, name, arity).is_none()
}

/// The predicates whose first argument is a position.
fn taking(contract: &Contract) -> Vec<PredId> {
    let questions = contract.questions().into_iter();
    let asked = questions.filter(|(pred, modes)| modes.starts_with('+') && contract.read_position != Some(*pred));
    asked.map(|(pred, _)| pred).collect()
}

/// The position in a head, if it has this functor.
fn position(clause: &Clause, functor: (Atom, usize)) -> Option<(&TermTree, NodeId)> {
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
