//! Finds the clause around a place of a text.

use alphorn_lang::lang::program::{Clause, Program};
use alphorn_text::source::Span;

/// A clause with more terms is a table or written by a program. To look for a term in it at each place takes too long.
const MOST_TERMS: usize = 1 << 12;

/// The clause that contains a place; `None` also if the clause has too many terms for a check of each.
pub(super) fn clause_at(program: &Program, span: Span) -> Option<&Clause> {
    let mut clauses = program.predicates.iter().flat_map(|pred| &pred.clauses);
    clauses.find(|clause| clause.span.contains(span)).filter(|clause| clause.tree.len() <= MOST_TERMS)
}
