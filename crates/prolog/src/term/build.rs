//! Trees as read, put into a heap.

use super::Term;
use super::heap::Heap;
use alphorn_lang::lang::ast::{Kind, NodeId, Tree};

/// Builds a whole tree; `variables[n]` stands for its n-th variable, and fresh
/// ones are added as needed. Children stand before parents, so this is a loop.
pub fn build(heap: &mut Heap, tree: &Tree, root: NodeId, variables: &mut Vec<Term>) -> Term {
    while variables.len() < tree.variables.len() {
        let fresh = heap.variable();
        variables.push(fresh);
    }
    let mut values: Vec<Term> = Vec::with_capacity(tree.len());
    for (id, kind) in tree.nodes().take(root.0 as usize + 1) {
        let value = match kind {
            Kind::Var(number) => variables[*number as usize],
            Kind::Atom(name) => Term::atom(*name),
            Kind::Int(value) => heap.integer(*value),
            Kind::Big(value) => heap.big(value),
            Kind::Float(value) => heap.float(*value),
            Kind::Text(text) => heap.text(text),
            Kind::Compound(name, _) => {
                let args: Vec<Term> = tree.args(id).iter().map(|arg| values[arg.0 as usize]).collect();
                heap.structure(*name, &args)
            }
        };
        values.push(value);
    }
    values[root.0 as usize]
}
