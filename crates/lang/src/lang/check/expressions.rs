//! Finds arithmetic expressions in terms, and the variables that are numbers.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, Program};
use alphorn_text::signature::Fact;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// An argument place: the name of a term, its arity, and the index of the argument.
pub(super) type Place = (Atom, usize, usize);

/// Whether a term is an arithmetic expression of variables and numbers, with at least one variable.
pub(super) fn is_sum(tree: &TermTree, node: NodeId) -> bool {
    let Some((name, arity @ (1 | 2))) = tree.functor(node) else { return false };
    let plain = leaves(tree, node)
        .is_some_and(|leaves| leaves.iter().all(|leaf| !matches!(tree.kind(*leaf), TermKind::Atom(_))));
    plain && (if arity == 2 { is_function(name) || is_named(name) } else { is_named(name) }) && !tree.is_ground(node)
}

/// Whether this is the name of an arithmetic operator.
pub(super) fn is_function(name: Atom) -> bool {
    matches!(name.text(), "+" | "-" | "*" | "/" | "//" | "mod" | "rem" | "div" | "**" | "^")
}

/// Whether this is the name of an arithmetic function in prefix notation.
pub(super) fn is_named(name: Atom) -> bool {
    matches!(name.text(), "abs" | "max" | "min" | "sign" | "sqrt" | "truncate" | "round" | "floor" | "ceiling")
}

/// The operands of an expression; `None` if one of them is another term.
pub(super) fn leaves(tree: &TermTree, node: NodeId) -> Option<Vec<NodeId>> {
    let (mut found, mut stack) = (Vec::new(), vec![node]);
    while let Some(at) = stack.pop() {
        match tree.kind(at) {
            TermKind::Compound(name, _) if is_function(*name) || is_named(*name) => stack.extend(tree.args(at)),
            TermKind::Compound(..) | TermKind::Text(_) => return None,
            _ => found.push(at),
        }
    }
    Some(found)
}

/// The variables of arithmetic goals.
pub(super) fn numbers(program: &Program, clause: &Clause) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee: Callee::Native(id), args, .. } = goal
            && program.known.row(*id).has(Fact::TakesNumbers)
        {
            found.extend(args.iter().flat_map(|arg| clause.tree.variables_of(*arg)));
        }
    });
    found
}

/// The argument places in which each variable occurs, in terms and in goals.
pub(super) fn places(tree: &TermTree) -> FxHashMap<u32, FxHashSet<Place>> {
    let mut found: FxHashMap<u32, FxHashSet<Place>> = FxHashMap::default();
    let terms = tree.nodes().filter_map(|(node, _)| Some((node, tree.functor(node)?)));
    let terms = terms.filter(|(_, (name, _))| !is_function(*name) && *name != atoms::COMMA && *name != atoms::EQUAL);
    for (node, (name, arity)) in terms {
        for (place, arg) in tree.args(node).iter().enumerate() {
            if let TermKind::Var(one) = tree.kind(*arg) {
                found.entry(*one).or_default().insert((name, arity, place));
            }
        }
    }
    found
}
