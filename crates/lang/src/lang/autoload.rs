//! Parts of the library that are read only where they are named.
//!
//! In: the clauses gathered so far. Out: the clauses of every part that defines a predicate which
//! they name, in the scope of the prelude. So a rare predicate is there without a directive, and
//! costs nothing where it is not used. A program's own definition always wins, without a warning.

use crate::lang::load::{Loader, RawClause};
use crate::lang::ops::Ops;
use crate::lang::program::{Key, PRELUDE, USER};
use alphorn_text::source::{Origin, Source};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// A file of the library that is loaded when a program names one of its predicates.
#[derive(Clone, Copy, Debug)]
pub struct Part {
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
        let mut offered: Vec<(Key, usize)> = Vec::new();
        let mut look = |scope, name: Atom, arity| {
            if seen.insert((scope, name, arity)) {
                let offers = (self.world.offers)(name.text()).iter().filter(|offer| arity <= offer.arity);
                offered.extend(offers.map(|offer| (Key { scope, name, arity: offer.arity }, offer.part)));
            }
        };
        // Facts too: what they name may be called by whoever asks them.
        for RawClause { key, tree, .. } in &self.raw.clauses[from..] {
            tree.nodes().filter_map(|(node, _)| tree.functor(node)).for_each(|(name, n)| look(key.scope, name, n));
        }
        for expectation in &self.raw.expectations {
            let tree = &expectation.tree;
            let names = tree.nodes().filter_map(|(node, _)| tree.functor(node));
            names.for_each(|(name, arity)| look(USER, name, arity));
        }
        let keys: FxHashSet<Key> = offered.iter().map(|(key, _)| *key).collect();
        let own = self.raw.clauses.iter().map(|clause| clause.key).filter(|key| keys.contains(key));
        let own: FxHashSet<Key> = own.collect();
        for (key, part) in offered {
            wanted[part] |= !own.contains(&key);
        }
        wanted
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
