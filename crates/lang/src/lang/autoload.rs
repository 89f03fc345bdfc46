//! Finds the parts of the library that a program names.
//!
//! If a clause names a predicate of a part, `load.rs` reads the part into the scope of the prelude.
//! Rare predicates need no directive and cost nothing if unused. A definition in the program takes
//! precedence without a warning.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::modules;
use crate::lang::program::{PredicateKey, Scope, USER};
use crate::lang::raw::RawProgram;
use crate::lang::world::{LibraryPart, PartPredicate, World};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// The predicates in the export list of a part. The list is scanned as plain text because this happens
/// in every run and must not create atoms.
pub fn exported(text: &'static str) -> impl Iterator<Item = (&'static str, usize)> {
    let list = text.split_once('[').and_then(|(_, rest)| rest.split_once("])")).map_or("", |(list, _)| list);
    list.split(',').filter_map(|item| {
        let (name, arity) = item.trim().rsplit_once('/')?;
        Some((name.trim_start_matches('(').trim_end_matches(')'), arity.parse().ok()?))
    })
}

/// The parts that the clauses from `from` on name, and those that these parts need. All parts if the
/// user will type goals, which may name anything.
pub(super) fn wanted(world: &World, raw: &RawProgram, from: usize) -> Vec<&'static LibraryPart> {
    let parts = world.parts;
    let mut wanted = match world.whole_library {
        true => vec![true; parts.len()],
        false => named_parts(world, raw, from),
    };
    let mut open: Vec<usize> = (0..parts.len()).filter(|at| wanted[*at]).collect();
    while let Some(at) = open.pop() {
        for needed in (0..parts.len()).filter(|other| parts[at].needs.contains(&parts[*other].name)) {
            if !std::mem::replace(&mut wanted[needed], true) {
                open.push(needed);
            }
        }
    }
    parts.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(part, _)| part).collect()
}

/// The modes of goal arguments that a part declares for a predicate, such as `3, ?, ?, ?`. The list is scanned as plain
/// text because the part may not be loaded.
fn declared(text: &'static str, name: &str, arity: usize) -> Option<&'static str> {
    let (_, rest) = text.split_once(":- meta_predicate ")?;
    let (mut rest, _) = rest.split_once(").\n")?;
    loop {
        let (own, more) = rest.split_once('(')?;
        let (modes, next) = more.split_once(')').unwrap_or((more, ""));
        if own.trim_matches([',', ' ', '\n']) == name && modes.split(',').count() == arity {
            return Some(modes);
        }
        rest = next;
    }
}

/// Predicates that make atoms of texts. What a program calls by such an atom does not stand in its clauses.
const ATOM_MAKERS: &[&str] = &[
    "atom_concat",
    "atomic_list_concat",
    "atom_chars",
    "atom_codes",
    "atom_string",
    "atom_to_term",
    "char_code",
    "concat_atom",
    "downcase_atom",
    "format",
    "name",
    "normalize_space",
    "string_to_atom",
    "sub_atom",
    "sub_atom_icasechk",
    "term_string",
    "term_to_atom",
    "text_concat",
    "upcase_atom",
];

/// How a clause names a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Naming {
    /// As a goal of its body.
    Goal,
    /// Elsewhere, perhaps as a closure.
    Term,
    /// As `Module:Goal`, where the module may be the library.
    InModule,
}

/// The parts that define the names in the clauses from `from` on, and in the values of parameters. A closure lacks
/// arguments, so a name with fewer arguments than the definition counts too, unless it is a goal of its clause. All
/// parts if clauses of the user make atoms, and clauses call what a variable stands for.
fn named_parts(world: &World, raw: &RawProgram, from: usize) -> Vec<bool> {
    let mut wanted = vec![false; world.parts.len()];
    let mut seen = FxHashSet::default();
    let mut offered: Vec<(PredicateKey, usize, bool)> = Vec::new();
    let mut look = |scope, name: Atom, arity, naming| {
        if seen.insert((scope, name, arity, naming)) {
            let all = (world.offers)(name.text());
            let is_exact = naming == Naming::Goal && all.iter().any(|offer| arity == offer.arity);
            let fits = |offer: &&PartPredicate| if is_exact { arity == offer.arity } else { arity <= offer.arity };
            let inside = naming == Naming::InModule;
            let key = |offer: &PartPredicate| PredicateKey { scope, name, arity: offer.arity };
            offered.extend(all.iter().filter(fits).map(|offer| (key(offer), offer.part, inside)));
        }
    };
    // A name in a fact counts too, because a rule may call it.
    let clauses = || raw.clauses[from..].iter().map(|clause| (clause.key.scope, &clause.tree, clause.body));
    let trees = || clauses().chain(raw.expectations.iter().map(|expectation| (USER, &expectation.tree, None)));
    let is_library = |scope: Scope| raw.scopes.get(usize::from(scope.0)).is_some_and(|file| file.library);
    let mut of_user = trees().filter(|(scope, ..)| !is_library(*scope));
    if of_user.any(|(_, tree, _)| makes_atoms(tree)) && trees().any(|(_, tree, body)| calls_any(world, tree, body)) {
        return vec![true; world.parts.len()];
    }
    for (scope, tree, body) in trees() {
        let mut inside = FxHashSet::default();
        let goals = goals(tree, body);
        for (node, _) in tree.nodes() {
            let Some((name, arity)) = tree.functor(node) else { continue };
            look(scope, name, arity, if goals.contains(&node) { Naming::Goal } else { Naming::Term });
            if name == atoms::COLON && arity > 1 {
                of_library(tree, node, &mut inside);
            }
        }
        let names = inside.into_iter().filter_map(|node| tree.functor(node));
        names.for_each(|(name, arity)| look(scope, name, arity, Naming::InModule));
    }
    let keys: FxHashSet<PredicateKey> = offered.iter().map(|(key, ..)| *key).collect();
    let own = raw.clauses.iter().map(|clause| clause.key).filter(|key| keys.contains(key));
    let own: FxHashSet<PredicateKey> = own.collect();
    for (key, part, inside) in offered {
        wanted[part] |= inside || !own.contains(&key);
    }
    let values = raw.params.iter().flat_map(|param| param.value.split(|c: char| !c.is_alphanumeric() && c != '_'));
    for offer in values.flat_map(|word| (world.offers)(word)) {
        wanted[offer.part] = true;
    }
    wanted
}

/// Whether a clause makes atoms of texts.
fn makes_atoms(tree: &TermTree) -> bool {
    tree.nodes().any(|(node, _)| tree.functor(node).is_some_and(|(name, _)| ATOM_MAKERS.contains(&name.text())))
}

/// Whether a clause may call what a variable stands for: by its goals, or by an advice table.
fn calls_any(world: &World, tree: &TermTree, body: Option<NodeId>) -> bool {
    goals(tree, body).iter().any(|goal| matches!(tree.kind(*goal), TermKind::Var(_)))
        || tree.nodes().any(|(node, _)| {
            let of = tree.functor(node).filter(|(_, arity)| *arity > 0);
            of.is_some_and(|(name, arity)| calls_variable(world, tree, (node, name, arity)))
        })
}

/// Whether a term, as a goal, calls what a variable stands for.
fn calls_variable(world: &World, tree: &TermTree, (node, name, arity): (NodeId, Atom, usize)) -> bool {
    let args = tree.args(node);
    let is_open = |arg: &NodeId| matches!(tree.kind(*arg), TermKind::Var(_));
    if !args.iter().any(is_open) {
        return false;
    }
    let calls = |modes: &str| {
        let modes = modes.chars().filter(|mode| !matches!(mode, ',' | ' ' | '\n'));
        modes.zip(args).any(|(mode, arg)| mode != '?' && is_open(arg))
    };
    match (name.text(), world.known.get(name, arity)) {
        ("," | ";" | "->" | "*->" | "\\+" | "^" | ">>" | ":" | "apply" | "advice" | "::", _) => true,
        (_, Some((_, row))) if !row.meta.is_empty() => calls(row.meta),
        (text, _) => (world.offers)(text)
            .iter()
            .filter(|offer| offer.arity == arity)
            .any(|offer| declared(world.parts[offer.part].text, text, arity).is_some_and(calls)),
    }
}

/// The goals of a body that are not arguments of other goals.
fn goals(tree: &TermTree, body: Option<NodeId>) -> FxHashSet<NodeId> {
    let (mut found, mut stack) = (FxHashSet::default(), Vec::from_iter(body));
    while let Some(node) = stack.pop() {
        match tree.functor(node) {
            Some((atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW, 2) | (atoms::NOT, 1)) => {
                stack.extend(tree.args(node));
            }
            _ => _ = found.insert(node),
        }
    }
    found
}

/// Collects the nodes of `Module:Goal` that refer to library predicates even if the program defines
/// them. A module that is known only at run time counts as the library.
fn of_library(tree: &TermTree, at: NodeId, inside: &mut FxHashSet<NodeId>) {
    let args = tree.args(at);
    let library = match tree.kind(args[0]) {
        TermKind::Atom(name) => modules::is_built_in(name.text()),
        kind => matches!(kind, TermKind::Var(_)),
    };
    let mut stack = if library { vec![args[1]] } else { Vec::new() };
    while let Some(node) = stack.pop() {
        if inside.insert(node) {
            stack.extend(tree.args(node));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{declared, exported};

    #[test]
    fn the_exports_of_a_part_are_read_as_text() {
        let text = ":- module(m,\n    [ a/1, (?=)/2,\n      (:)/3 ]).\n:- x([b/2]).";
        assert_eq!(exported(text).collect::<Vec<_>>(), [("a", 1), ("?=", 2), (":", 3)]);
    }

    #[test]
    fn the_modes_of_a_part_are_read_as_text() {
        let text = ":- module(m, [a/1]).\n:- meta_predicate a(0), b(^, ?),\n       b(2, ?, ?).\na(G) :- call(G).";
        assert_eq!(declared(text, "b", 3), Some("2, ?, ?"));
        assert_eq!(declared(text, "b", 2), Some("^, ?"));
        assert_eq!(declared(text, "a", 1), Some("0"));
        assert_eq!(declared(text, "a", 2), None);
    }
}
