//! The heads of the clauses of a predicate.

use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Clause, PredId, Program};

/// Whether a node is the variable with this number.
pub(super) fn is_variable(tree: &TermTree, node: NodeId, number: u32) -> bool {
    matches!(tree.kind(node), TermKind::Var(other) if *other == number)
}

/// The clauses of a predicate, each with one argument of its head.
pub(super) fn heads(program: &Program, pred: PredId, place: usize) -> impl Iterator<Item = (&Clause, NodeId)> {
    let clauses = program.predicate(pred).clauses.iter();
    clauses.filter_map(move |clause| Some((clause, *clause.tree.args(clause.head).get(place)?)))
}
