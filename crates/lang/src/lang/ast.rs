//! Syntax trees: the terms of a text, every node with its span, in one flat arena.
//!
//! The reader builds a [`TermTree`]. Children always stand before their parents, so every pass is a
//! loop and deep nesting cannot overflow the stack. A tree carries no meaning.

use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A node of a [`TermTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// The kind of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// A variable: its number in the clause.
    Var(u32),
    /// An atom.
    Atom(Atom),
    /// An integer that fits 64 bits.
    Int(i64),
    /// A larger integer.
    Big(Arc<BigInt>),
    /// A float.
    Float(f64),
    /// A text in double quotes.
    Text(Arc<str>),
    /// A functor and its arguments (see [`TermTree::args`]).
    Compound(Atom, Args),
}

/// The place of the arguments of a compound in their tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Args {
    start: u32,
    count: u32,
}

/// A variable of a clause.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name; `_` for each anonymous variable.
    pub name: Arc<str>,
    /// The first occurrence.
    pub first: Span,
    /// The number of occurrences.
    pub count: u32,
}

/// A node with what stands below it.
#[derive(Clone, Debug)]
struct Node {
    kind: TermKind,
    span: Span,
    /// The variables at and below the node: a bit for each of the first ones, and one for all others.
    variables: u32,
}

/// The terms of one clause or goal.
#[derive(Clone, Debug, Default)]
pub struct TermTree {
    nodes: Vec<Node>,
    args: Vec<NodeId>,
    /// The variables, by number.
    pub variables: Vec<Variable>,
}

impl TermTree {
    /// Frees the memory that the tree does not need. A program keeps a tree for each clause.
    pub(super) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.args.shrink_to_fit();
        self.variables.shrink_to_fit();
    }

    /// The number of nodes and arguments that fit into the memory of the tree beside its own.
    #[cfg(test)]
    pub(super) fn spare(&self) -> usize {
        self.nodes.capacity() - self.nodes.len() + self.args.capacity() - self.args.len()
    }

    /// Adds a node whose children are already in the tree.
    pub fn add(&mut self, kind: TermKind, span: Span) -> NodeId {
        let variables = self.variables_below(&kind);
        self.nodes.push(Node { kind, span, variables });
        NodeId(u32::try_from(self.nodes.len() - 1).expect("a source has fewer than 2^32 bytes"))
    }

    fn variables_below(&self, kind: &TermKind) -> u32 {
        match kind {
            TermKind::Var(number) => variable_bit(*number),
            TermKind::Compound(_, at) => {
                let args = &self.args[at.start as usize..(at.start + at.count) as usize];
                args.iter().fold(0, |found, arg| found | self.nodes[arg.0 as usize].variables)
            }
            _ => 0,
        }
    }

    /// Adds a compound, or an atom if there are no arguments.
    pub fn compound(&mut self, name: Atom, args: &[NodeId], span: Span) -> NodeId {
        if args.is_empty() {
            return self.add(TermKind::Atom(name), span);
        }
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.add(TermKind::Compound(name, Args { start, count: args.len() as u32 }), span)
    }

    /// Adds a new variable that does not occur in the text.
    pub fn fresh(&mut self, name: &str, span: Span) -> NodeId {
        let number = self.variables.len() as u32;
        self.variables.push(Variable { name: name.into(), first: span, count: 2 });
        self.add(TermKind::Var(number), span)
    }

    /// The kind of a node.
    pub fn kind(&self, id: NodeId) -> &TermKind {
        &self.nodes[id.0 as usize].kind
    }

    /// The span of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id.0 as usize].span
    }

    /// The arguments of a compound; empty for other nodes.
    pub fn args(&self, id: NodeId) -> &[NodeId] {
        match self.kind(id) {
            TermKind::Compound(_, at) => &self.args[at.start as usize..(at.start + at.count) as usize],
            _ => &[],
        }
    }

    /// Name and arity of an atom or a compound.
    pub fn functor(&self, id: NodeId) -> Option<(Atom, usize)> {
        match self.kind(id) {
            TermKind::Atom(name) => Some((*name, 0)),
            TermKind::Compound(name, at) => Some((*name, at.count as usize)),
            _ => None,
        }
    }

    /// The two arguments of a term `name(_, _)`; `None` for other terms.
    pub fn binary(&self, id: NodeId, name: Atom) -> Option<(NodeId, NodeId)> {
        match (self.functor(id)?, self.args(id)) {
            ((found, 2), [left, right]) if found == name => Some((*left, *right)),
            _ => None,
        }
    }

    /// The argument of a term `name(_)`; `None` for other terms.
    pub fn unary(&self, id: NodeId, name: Atom) -> Option<NodeId> {
        match (self.functor(id)?, self.args(id)) {
            ((found, 1), [arg]) if found == name => Some(*arg),
            _ => None,
        }
    }

    /// The elements of a proper list; `None` for other terms.
    pub fn list(&self, id: NodeId) -> Option<Vec<NodeId>> {
        let mut items = Vec::new();
        let mut rest = id;
        while let Some((head, tail)) = self.binary(rest, atoms::DOT) {
            items.push(head);
            rest = tail;
        }
        (*self.kind(rest) == TermKind::Atom(atoms::NIL)).then_some(items)
    }

    /// The name and arity of a term `Name/Arity`, or of `Name//Arity` for a grammar rule. `None` for
    /// other terms.
    pub fn indicator(&self, id: NodeId) -> Option<(Atom, usize)> {
        if let Some((name, arity)) = self.binary(id, Atom::new("//")) {
            return match (self.kind(name), self.kind(arity)) {
                (TermKind::Atom(name), TermKind::Int(arity @ 0..=1000)) => Some((*name, *arity as usize + 2)),
                _ => None,
            };
        }
        let (name, arity) = self.binary(id, atoms::SLASH)?;
        match (self.kind(name), self.kind(arity)) {
            (TermKind::Atom(name), TermKind::Int(arity @ 0..=1000)) => Some((*name, *arity as usize)),
            _ => None,
        }
    }

    /// All nodes with their numbers, children before parents.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &TermKind)> {
        self.nodes.iter().enumerate().map(|(at, node)| (NodeId(at as u32), &node.kind))
    }

    /// Moves all spans by a number of bytes.
    fn shift(&mut self, bytes: i64) {
        self.nodes.iter_mut().for_each(|node| node.span = node.span.shifted(bytes));
        self.variables.iter_mut().for_each(|variable| variable.first = variable.first.shifted(bytes));
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The numbers of the variables below a node, in the order of their first occurrence.
    pub fn variables_of(&self, id: NodeId) -> Vec<u32> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut stack = vec![id];
        while let Some(at) = stack.pop() {
            if let TermKind::Var(number) = self.kind(at)
                && seen.insert(*number)
            {
                found.push(*number);
            }
            stack.extend(self.args(at).iter().rev());
        }
        found
    }

    /// Whether a compound with this functor occurs anywhere in the tree.
    pub fn has_functor(&self, name: Atom, arity: usize) -> bool {
        let is_it = |kind: &TermKind| matches!(kind, TermKind::Compound(own, args) if *own == name && args.count as usize == arity);
        self.nodes.iter().any(|node| is_it(&node.kind))
    }

    /// Makes nodes occurrences of other variables.
    pub fn set_variables(&mut self, changes: &[(NodeId, u32)]) {
        changes.iter().for_each(|(id, number)| self.nodes[id.0 as usize].kind = TermKind::Var(*number));
        for at in 0..self.nodes.len() {
            self.nodes[at].variables = self.variables_below(&self.nodes[at].kind);
        }
    }

    /// Whether no variable occurs below a node.
    pub fn is_ground(&self, id: NodeId) -> bool {
        self.nodes[id.0 as usize].variables == 0
    }

    /// Whether a variable occurs at or below a node.
    pub fn holds_variable(&self, id: NodeId, number: u32) -> bool {
        let is_it = |node: NodeId| matches!(self.kind(node), TermKind::Var(other) if *other == number);
        if number < SHARED_BIT || !self.may_hold(id, number) || is_it(id) {
            return self.may_hold(id, number);
        }
        let (mut open, mut at) = (Vec::new(), id);
        loop {
            for arg in self.args(at).iter().copied().filter(|arg| self.may_hold(*arg, number)) {
                match self.kind(arg) {
                    TermKind::Compound(..) => open.push(arg),
                    _ if is_it(arg) => return true,
                    _ => {}
                }
            }
            match open.pop() {
                Some(next) => at = next,
                None => return false,
            }
        }
    }

    /// Whether a variable may occur at or below a node. Takes constant time.
    pub fn may_hold(&self, id: NodeId, number: u32) -> bool {
        self.nodes[id.0 as usize].variables & variable_bit(number) != 0
    }
}

/// The number of the bit that stands for this variable and all later ones.
const SHARED_BIT: u32 = u32::BITS - 1;

fn variable_bit(number: u32) -> u32 {
    1 << number.min(SHARED_BIT)
}

/// A term that was read, with its tree.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The tree with all nodes.
    pub tree: TermTree,
    /// The node of the term.
    pub root: NodeId,
    /// The span of the term, without the full stop.
    pub span: Span,
}

impl Sentence {
    /// Moves all spans by a number of bytes, after a change of the text before the sentence.
    pub fn shift(&mut self, bytes: i64) {
        self.tree.shift(bytes);
        self.span = self.span.shifted(bytes);
    }
}
