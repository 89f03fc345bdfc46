//! Builds a parsed tree in a heap.

use super::Term;
use super::heap::Heap;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};

/// Builds the subtree at `root`. `variables[n]` is the term of the n-th variable; the function adds
/// missing variables. A child precedes its parent in the tree, so a loop suffices.
pub fn build(heap: &mut Heap, tree: &TermTree, root: NodeId, variables: &mut Vec<Term>) -> Term {
    while variables.len() < tree.variables.len() {
        let fresh = heap.variable();
        variables.push(fresh);
    }
    let mut values: Vec<Term> = Vec::with_capacity(tree.len());
    for (id, kind) in tree.nodes().take(root.0 as usize + 1) {
        let value = match kind {
            TermKind::Var(number) => variables[*number as usize],
            TermKind::Atom(name) => Term::atom(*name),
            TermKind::Int(value) => heap.integer(*value),
            TermKind::Big(value) => heap.big(value),
            TermKind::Float(value) => heap.float(*value),
            TermKind::Text(text) => heap.text(text),
            TermKind::Compound(name, _) => {
                let args: Vec<Term> = tree.args(id).iter().map(|arg| values[arg.0 as usize]).collect();
                heap.structure(*name, &args)
            }
        };
        values.push(value);
    }
    values[root.0 as usize]
}
