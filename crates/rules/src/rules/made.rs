//! Collects the functors of the terms that rules may make.
//!
//! A functor counts if it occurs where a term can be made. Nothing is run. Only `misfit` calls this
//! module.

use crate::rules::claimed::claimed;
use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::NodeId;
use alphorn_lang::lang::program::{PRELUDE, PredId, Program};
use alphorn_text::signature::Fact;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// The functors of the program, except in heads that take positions or labels. `rules_alone` leaves
/// out the goals of expectations. `None` if the rules may make any term.
pub(super) fn built(program: &Program, contract: &Contract, rules_alone: bool) -> Option<FxHashSet<(Atom, usize)>> {
    let takes: Vec<(PredId, usize)> = contract
        .questions()
        .into_iter()
        .filter(|(pred, _)| contract.read_position != Some(*pred))
        .flat_map(|(pred, modes)| (0..modes.chars().take_while(|mode| *mode == '+').count()).map(move |at| (pred, at)))
        .collect();
    let mut found = FxHashSet::default();
    for (number, pred) in program.predicates.iter().enumerate().filter(|(_, pred)| pred.key.scope != PRELUDE) {
        for clause in &pred.clauses {
            let args = clause.tree.args(clause.head).iter().enumerate();
            let mut skipped: FxHashSet<NodeId> = FxHashSet::default();
            let mut stack: Vec<NodeId> =
                args.filter(|(at, _)| takes.contains(&(PredId(number as u32), *at))).map(|(_, node)| *node).collect();
            while let Some(node) = stack.pop() {
                skipped.insert(node);
                stack.extend(clause.tree.args(node));
            }
            for (node, _) in clause.tree.nodes().filter(|(node, _)| *node != clause.head && !skipped.contains(node)) {
                found.extend(clause.tree.functor(node));
            }
        }
    }
    // Rules do not make the positions of expectations.
    let positions: FxHashSet<Span> = claimed(program).into_iter().map(|(tree, node)| tree.span(node)).collect();
    for expectation in program.expectations.iter().filter(|_| !rules_alone) {
        let tree = &expectation.tree;
        if tree.nodes().any(|(node, _)| positions.contains(&tree.span(node))) {
            continue;
        }
        found.extend(expectation.tree.nodes().filter_map(|(node, _)| expectation.tree.functor(node)));
    }
    let makers = program.known.names_with(Fact::MakesTerms);
    // A closure of such a predicate has fewer arguments, so only names are compared.
    (!found.iter().any(|(name, _)| makers.contains(name.text()))).then_some(found)
}
