//! Counts how many times the rules and the expectations of the user mention each atom.

use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::Program;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;

/// The number of places of each atom, without the winner in `win(max)` and `win(min)`.
pub(super) fn mentions(program: &Program) -> FxHashMap<Atom, usize> {
    let win = Atom::new("win");
    let own = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let clauses = own.flat_map(|pred| &pred.clauses).map(|clause| &clause.tree);
    let mut found: FxHashMap<Atom, usize> = FxHashMap::default();
    for tree in clauses.chain(program.expectations.iter().map(|expectation| &expectation.tree)) {
        let atom = |node: NodeId| match tree.kind(node) {
            TermKind::Atom(name) if *name != atoms::NIL => Some(*name),
            _ => None,
        };
        let winners = tree.nodes().filter_map(|(node, _)| atom(tree.unary(node, win)?));
        let mut won: FxHashMap<Atom, usize> = FxHashMap::default();
        winners.for_each(|name| *won.entry(name).or_default() += 1);
        for name in tree.nodes().filter_map(|(node, _)| atom(node)) {
            *found.entry(name).or_default() += 1;
        }
        for (name, count) in won {
            // The winner is one of the nodes that were counted.
            found.entry(name).and_modify(|all| *all -= count);
        }
    }
    found
}
