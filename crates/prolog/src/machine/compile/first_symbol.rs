//! The first symbols of head arguments, by which clauses are selected.

use crate::term::heap::{FUNCTOR, header};
use crate::term::{MAX_SMALL, MIN_SMALL, Term};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_text::symbol::atoms;

/// The first symbol of a head argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstSymbol {
    /// A variable, which matches all terms.
    Any,
    /// An atom, small integer or header.
    Word(u64),
    List,
    /// A number or text outside the cell. Unification compares such terms.
    Boxed,
}

/// Returns the first symbol of a term.
pub(super) fn key(tree: &TermTree, node: NodeId) -> FirstSymbol {
    match tree.kind(node) {
        TermKind::Atom(name) => FirstSymbol::Word(Term::atom(*name).0),
        TermKind::Int(value) if (MIN_SMALL..=MAX_SMALL).contains(value) => FirstSymbol::Word(Term::small(*value).0),
        TermKind::Compound(atoms::DOT, _) if tree.args(node).len() == 2 => FirstSymbol::List,
        TermKind::Compound(name, _) => {
            FirstSymbol::Word(header(FUNCTOR, tree.args(node).len() as u64, u64::from(name.number())))
        }
        TermKind::Var(_) => FirstSymbol::Any,
        _ => FirstSymbol::Boxed,
    }
}
