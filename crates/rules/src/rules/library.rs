//! The types of builtins and library predicates, from their facts.
//!
//! The row `+list(A), +list(A), -list(A)` of `append/3` says that the terms at `-` come from those at `+`,
//! whatever the mode of the call. `as(...)` is compared with what goes there. `call(...)` is a closure, with
//! the arguments that it receives. This file is a part of `shapes`.

use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::program::{Callee, Program};
use alphorn_lang::lang::read;
use alphorn_prolog::builtins;
use alphorn_text::source::SourceId;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, OnceLock};

/// The type of an argument.
pub(super) enum Type {
    /// Nothing is known.
    Any,
    /// There is no such term.
    None,
    Number,
    Atom,
    /// A type variable, the same throughout a row.
    Var(u32),
    List(Box<Type>),
    /// A tree of library(assoc), by its pairs.
    Tree(Box<Type>),
    /// A pair of a key and a value.
    Pair(Box<Type>, Box<Type>),
    /// A closure, by the arguments that it receives after its own.
    Closure(Vec<Arg>),
}

/// The direction in which terms flow through an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowDirection {
    /// Terms come from this argument.
    From,
    /// Terms go to this argument.
    To,
    /// The argument is compared with terms that go elsewhere.
    Compared,
}

/// An argument of a library predicate.
pub(super) struct Arg {
    pub(super) mode: FlowDirection,
    pub(super) of: Type,
}

/// The arguments of a library predicate. A predicate may have several rows, all of which hold.
pub(super) type Row = Vec<Arg>;

/// The rows of one predicate: their texts, which are read when they are first needed.
#[derive(Default)]
struct LazyRows {
    texts: Vec<&'static str>,
    rows: OnceLock<Vec<Row>>,
}

/// The rows by name and arity. A program names few of these predicates, so reading all rows would take most of the time.
static ROWS: LazyLock<FxHashMap<&'static str, FxHashMap<usize, LazyRows>>> = LazyLock::new(|| {
    let mut found: FxHashMap<_, FxHashMap<_, LazyRows>> = FxHashMap::default();
    for (name, arity, types) in builtins::types() {
        // The numbers of atoms are part of the keys of positions. So the rows make their atoms here, and not when they
        // are read: which rows are read depends on the program.
        Atom::new(name);
        let words = types.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| word.starts_with(char::is_lowercase)).for_each(|word| _ = Atom::new(word));
        found.entry(name).or_default().entry(arity).or_default().texts.push(types);
    }
    found
});

/// Reads a row of a predicate.
fn read_row(name: &str, arity: usize, types: &str) -> Row {
    let sentence = read::goal(SourceId(0), &format!("{name}({types})"), &Ops::default());
    let sentence = sentence.ok().flatten().unwrap_or_else(|| panic!("{types} can be read"));
    let row: Row = sentence.tree.args(sentence.root).iter().map(|arg| argument(&sentence.tree, *arg)).collect();
    assert_eq!(row.len(), arity, "the types of {name}/{arity}");
    row
}

fn argument(tree: &TermTree, node: NodeId) -> Arg {
    let (mode, inner) = match (tree.functor(node), tree.args(node)) {
        (Some((sign, 1)), [inner]) if sign == Atom::new("+") => (FlowDirection::From, *inner),
        (Some((sign, 1)), [inner]) if sign == Atom::new("-") => (FlowDirection::To, *inner),
        (Some((sign, 1)), [inner]) if sign == Atom::new("as") => (FlowDirection::Compared, *inner),
        _ => (FlowDirection::Compared, node),
    };
    Arg { mode, of: kind(tree, inner) }
}

fn kind(tree: &TermTree, node: NodeId) -> Type {
    let boxed = |node: NodeId| Box::new(kind(tree, node));
    match (tree.kind(node), tree.args(node)) {
        (TermKind::Var(number), _) => match &*tree.variables[*number as usize].name {
            "_" => Type::Any,
            _ => Type::Var(*number),
        },
        (TermKind::Compound(name, _), args) => match (name.text(), args) {
            ("list", [of]) => Type::List(boxed(*of)),
            ("assoc", [of]) => Type::Tree(boxed(*of)),
            ("-", [key, value]) => Type::Pair(boxed(*key), boxed(*value)),
            ("call", args) => Type::Closure(args.iter().map(|arg| argument(tree, *arg)).collect()),
            _ => Type::Any,
        },
        (TermKind::Atom(name), _) if name.text() == "number" => Type::Number,
        (TermKind::Atom(name), _) if name.text() == "atom" => Type::Atom,
        (TermKind::Atom(name), _) if name.text() == "none" => Type::None,
        _ => Type::Any,
    }
}

/// The name of a builtin or library predicate; empty for other predicates.
pub(super) fn library_name(program: &Program, callee: &Callee) -> &'static str {
    match callee {
        Callee::Native(id) => program.known.row(*id).name,
        Callee::User(pred) if !program.is_users(program.predicate(*pred).key.scope) => {
            program.predicate(*pred).key.name.text()
        }
        Callee::User(_) | Callee::Unknown(..) => "",
    }
}

/// The rows of a library predicate; none if the predicate is not known.
pub(super) fn rows(name: &str, arity: usize) -> &'static [Row] {
    ROWS.get(name).and_then(|all| all.get(&arity)).map_or(&[], |lazy| {
        lazy.rows.get_or_init(|| lazy.texts.iter().map(|types| read_row(name, arity, types)).collect())
    })
}

/// The places of an element that is looked for and of the list, or association list, that should have it.
pub(super) fn looked_for(row: &Row) -> impl Iterator<Item = (usize, usize)> {
    row.iter().enumerate().filter(|(_, arg)| arg.mode != FlowDirection::From).filter_map(|(place, arg)| {
        let Type::Var(own) = arg.of else { return None };
        let mut holders =
            row.iter().enumerate().filter(|(_, arg)| arg.mode == FlowDirection::From && holds(&arg.of, own));
        let (list, _) = holders.next()?;
        holders.next().is_none().then_some((place, list))
    })
}

/// Whether a type contains a type variable.
pub(super) fn holds(of: &Type, wanted: u32) -> bool {
    match of {
        Type::Var(own) => *own == wanted,
        Type::List(of) | Type::Tree(of) => holds(of, wanted),
        Type::Pair(key, value) => holds(key, wanted) || holds(value, wanted),
        Type::Any | Type::None | Type::Number | Type::Atom | Type::Closure(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        assert!(
            ROWS.iter().all(|(name, all)| all.iter().all(|(arity, lazy)| rows(name, *arity).len() == lazy.texts.len()))
        );
        assert_eq!(rows("append", 3).len(), 2);
        assert!(matches!(rows("foldl", 4)[0][0].of, Type::Closure(ref args) if args.len() == 3));
        assert!(matches!(rows("get_assoc", 3)[0][1].of, Type::Tree(ref of) if matches!(**of, Type::Pair(..))));
        let places: Vec<_> = looked_for(&rows("select", 3)[0]).collect();
        assert_eq!(places, [(0, 1)]);
    }
}
