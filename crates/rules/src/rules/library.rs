//! The types of library predicates.
//!
//! A row such as `append(+list(A), +list(A), -list(A))` says that the terms at `-` come from those
//! at `+`, whatever the mode of the call. This file is a part of `shapes`.

use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::read;
use alphorn_text::source::SourceId;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// `+`: terms come from this argument. `-`: terms go to it. `as(...)`: it is compared with what
/// goes there. `call(...)`: a closure, with the arguments that it receives.
const TYPES: &str = "
append(+list(A), +list(A), -list(A)). append(-list(A), -list(A), +list(A)).
append(+list(list(A)), -list(A)).
member(-A, +list(A)). memberchk(-A, +list(A)).
select(-A, +list(A), -list(A)). select(+A, -list(A), +list(A)).
selectchk(-A, +list(A), -list(A)).
select(-A, +list(A), _, _). select(_, +list(A), +A, -list(A)). select(+A, -list(A), _, +list(A)).
selectchk(-A, +list(A), _, _). selectchk(_, +list(A), +A, -list(A)).
subtract(+list(A), as(list(A)), -list(A)). intersection(+list(A), as(list(A)), -list(A)).
union(+list(A), +list(A), -list(A)). delete(+list(A), as(A), -list(A)).
exclude(call(+A), +list(A), -list(A)). include(call(+A), +list(A), -list(A)).
partition(call(+A), +list(A), -list(A), -list(A)).
partition(call(+A, _), +list(A), -list(A), -list(A), -list(A)).
maplist(call(+A), +list(A)). maplist(call(-A), -list(A)).
maplist(call(+A, -B), +list(A), -list(B)). maplist(call(-A, +B), -list(A), +list(B)).
maplist(call(+A, +B, -C), +list(A), +list(B), -list(C)). maplist(call(+A, -B, +C), +list(A), -list(B), +list(C)).
maplist(call(+A, +B, +C, -D), +list(A), +list(B), +list(C), -list(D)).
convlist(call(+A, -B), +list(A), -list(B)).
foldl(call(+A, +V, -V), +list(A), +V, -V).
foldl(call(+A, +B, +V, -V), +list(A), +list(B), +V, -V).
foldl(call(+A, +B, +C, +V, -V), +list(A), +list(B), +list(C), +V, -V).
nth0(-number, +list(A), -A). nth1(-number, +list(A), -A).
nth0(-number, +list(A), -A, -list(A)). nth0(_, -list(A), +A, +list(A)).
nth1(-number, +list(A), -A, -list(A)). nth1(_, -list(A), +A, +list(A)).
last(+list(A), -A). reverse(+list(A), -list(A)). permutation(+list(A), -list(A)).
sort(+list(A), -list(A)). msort(+list(A), -list(A)). sort(_, _, +list(A), -list(A)).
predsort(call(_, +A, +A), +list(A), -list(A)).
list_to_set(+list(A), -list(A)). list_to_ord_set(+list(A), -list(A)). sumlist(+list(_), -number).
sum_list(+list(_), -number). max_list(+list(_), -number). min_list(+list(_), -number).
max_member(-A, +list(A)). min_member(-A, +list(A)). length(+list(_), -number).
numlist(_, _, -list(number)). nextto(-A, -A, +list(A)).
keysort(+list(A), -list(A)).
pairs_keys_values(+list(K-V), -list(K), -list(V)). pairs_keys_values(-list(K-V), +list(K), +list(V)).
pairs_keys(+list(K-_), -list(K)). pairs_values(+list(_-V), -list(V)). transpose_pairs(+list(K-V), -list(V-K)).
map_list_to_pairs(call(+A, -K), +list(A), -list(K-A)). clumped(+list(A), -list(A-number)).
transpose(+list(list(A)), -list(list(A))). subseq(+list(A), -list(A), -list(A)). prefix(-list(A), +list(A)).
ord_union(+list(A), +list(A), -list(A)). ord_union(+list(list(A)), -list(A)).
ord_subtract(+list(A), as(list(A)), -list(A)). ord_intersection(+list(A), as(list(A)), -list(A)).
ord_symdiff(+list(A), +list(A), -list(A)). ord_add_element(+list(A), +A, -list(A)).
ord_insert(+list(A), +A, -list(A)). ord_del_element(+list(A), as(A), -list(A)).
ord_memberchk(-A, +list(A)). ord_selectchk(-A, +list(A), -list(A)).
empty_assoc(-assoc(none)).
list_to_assoc(+list(K-V), -assoc(K-V)). ord_list_to_assoc(+list(K-V), -assoc(K-V)).
put_assoc(+K, +assoc(K-V), +V, -assoc(K-V)).
get_assoc(-K, +assoc(K-V), -V). gen_assoc(-K, +assoc(K-V), -V).
max_assoc(+assoc(K-V), -K, -V). min_assoc(+assoc(K-V), -K, -V).
del_assoc(-K, +assoc(K-V), -V, -assoc(K-V)).
del_min_assoc(+assoc(K-V), -K, -V, -assoc(K-V)). del_max_assoc(+assoc(K-V), -K, -V, -assoc(K-V)).
assoc_to_list(+assoc(K-V), -list(K-V)). assoc_to_keys(+assoc(K-_), -list(K)). assoc_to_values(+assoc(_-V), -list(V)).
map_assoc(call(+V), +assoc(_-V)). map_assoc(call(+V, -W), +assoc(K-V), -assoc(K-W)).
between(_, _, -number). succ(-number, -number). plus(-number, -number, -number).
atom_length(_, -number). char_code(-atom, -number). atom_chars(_, -list(atom)). atom_codes(_, -list(number)).
number_codes(-number, -list(number)). atom_number(-atom, -number). atomic_list_concat(_, -atom).
upcase_atom(_, -atom). term_to_atom(_, -atom). copy_term(+A, -A). is(-number, _).
";

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

static ROWS: LazyLock<FxHashMap<(String, usize), Vec<Row>>> = LazyLock::new(|| {
    let mut found: FxHashMap<_, Vec<Row>> = FxHashMap::default();
    let ops = Ops::default();
    for text in TYPES.lines().flat_map(|line| line.trim_end_matches('.').split(". ")).filter(|text| !text.is_empty()) {
        let sentence = read::goal(SourceId(0), text, &ops);
        let sentence = sentence.ok().flatten().unwrap_or_else(|| panic!("{text} can be read"));
        let (tree, root) = (&sentence.tree, sentence.root);
        let name = tree.functor(root).map_or(String::new(), |(name, _)| name.text().to_string());
        let row: Row = tree.args(root).iter().map(|arg| argument(tree, *arg)).collect();
        found.entry((name, row.len())).or_default().push(row);
    }
    found
});

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

/// The rows of a library predicate; none if the predicate is not known.
pub(super) fn rows(name: &str, arity: usize) -> &'static [Row] {
    ROWS.get(&(name.to_string(), arity)).map_or(&[], |rows| rows)
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
        assert_eq!(rows("append", 3).len(), 2);
        assert!(matches!(rows("foldl", 4)[0][0].of, Type::Closure(ref args) if args.len() == 3));
        assert!(matches!(rows("get_assoc", 3)[0][1].of, Type::Tree(ref of) if matches!(**of, Type::Pair(..))));
        let places: Vec<_> = looked_for(&rows("select", 3)[0]).collect();
        assert_eq!(places, [(0, 1)]);
    }
}
