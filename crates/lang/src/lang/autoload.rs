//! Parts of the library that are read only where they are named.
//!
//! In: the clauses gathered so far. Out: the clauses of every part that defines a predicate which
//! they name, in the scope of the prelude. So a rare predicate is there without a directive, and
//! costs nothing where it is not used. A program's own definition always wins, without a warning.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::load::Loader;
use crate::lang::modules;
use crate::lang::ops::Ops;
use crate::lang::program::{Key, PRELUDE, USER};
use alphorn_text::source::{Origin, Source};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// A file of the library that is loaded when a program names one of its predicates.
#[derive(Clone, Copy, Debug)]
pub struct LibraryPart {
    /// Its name, `assoc` say.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The parts whose predicates it calls, all of them.
    pub needs: &'static [&'static str],
}

/// A predicate that a part defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// How many arguments it takes.
    pub arity: usize,
    /// The number of the part.
    pub part: usize,
}

/// The predicates that a part exports, as its first sentence lists them. Read as plain text:
/// this happens in every run, and makes no atoms.
pub fn exported(text: &'static str) -> impl Iterator<Item = (&'static str, usize)> {
    let list = text.split_once('[').and_then(|(_, rest)| rest.split_once("])")).map_or("", |(list, _)| list);
    list.split(',').filter_map(|item| {
        let (name, arity) = item.trim().rsplit_once('/')?;
        Some((name.trim_start_matches('(').trim_end_matches(')'), arity.parse().ok()?))
    })
}

impl Loader<'_> {
    /// Reads the parts that the clauses from this one on name, and those that these need; all parts
    /// if goals are to be typed, which may name anything.
    pub(super) fn autoload(&mut self, from: usize) {
        let parts = self.world.parts;
        let mut wanted = match self.world.whole_library {
            true => vec![true; parts.len()],
            false => self.named_parts(from),
        };
        let needed: Vec<&str> =
            (0..parts.len()).filter(|at| wanted[*at]).flat_map(|at| parts[at].needs).copied().collect();
        for (wanted, part) in wanted.iter_mut().zip(parts) {
            *wanted |= needed.contains(&part.name);
        }
        for (part, _) in parts.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
            let name = format!("lib/{}.pl", part.name);
            let source = Source { name: name.as_str().into(), text: part.text.into(), origin: Origin::Library };
            self.file(source, PRELUDE, Ops::default(), None);
        }
    }

    /// The parts that define what the clauses from this one on name. A closure lacks arguments, so
    /// a name with fewer counts as well.
    fn named_parts(&self, from: usize) -> Vec<bool> {
        let mut wanted = vec![false; self.world.parts.len()];
        let mut seen = FxHashSet::default();
        let mut offered: Vec<(Key, usize, bool)> = Vec::new();
        let mut look = |scope, name: Atom, arity, inside| {
            if seen.insert((scope, name, arity, inside)) {
                let offers = (self.world.offers)(name.text()).iter().filter(|offer| arity <= offer.arity);
                offered.extend(offers.map(|offer| (Key { scope, name, arity: offer.arity }, offer.part, inside)));
            }
        };
        // Facts too: what they name may be called by whoever asks them.
        let clauses = self.raw.clauses[from..].iter().map(|clause| (clause.key.scope, &clause.tree));
        let trees = clauses.chain(self.raw.expectations.iter().map(|expectation| (USER, &expectation.tree)));
        for (scope, tree) in trees {
            let mut inside = FxHashSet::default();
            for (node, _) in tree.nodes() {
                let Some((name, arity)) = tree.functor(node) else { continue };
                look(scope, name, arity, false);
                if name == atoms::COLON && arity > 1 {
                    of_library(tree, node, &mut inside);
                }
            }
            let names = inside.into_iter().filter_map(|node| tree.functor(node));
            names.for_each(|(name, arity)| look(scope, name, arity, true));
        }
        let keys: FxHashSet<Key> = offered.iter().map(|(key, ..)| *key).collect();
        let own = self.raw.clauses.iter().map(|clause| clause.key).filter(|key| keys.contains(key));
        let own: FxHashSet<Key> = own.collect();
        for (key, part, inside) in offered {
            wanted[part] |= inside || !own.contains(&key);
        }
        wanted
    }
}

/// The nodes of `Module:Goal` that mean the library's predicates, whatever the program defines;
/// so may those of a module that is known only when the goal runs.
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
    use super::exported;

    #[test]
    fn the_exports_of_a_part_are_read_as_text() {
        let text = ":- module(m,\n    [ a/1, (?=)/2,\n      (:)/3 ]).\n:- x([b/2]).";
        assert_eq!(exported(text).collect::<Vec<_>>(), [("a", 1), ("?=", 2), (":", 3)]);
    }
}
