//! Terms while a program runs: cells in one growing heap.
//!
//! In: trees as read, packed terms, what builtins make. Out: [`Term`]s, small
//! copies that refer into a [`heap::Heap`]. Everything here is a loop with its
//! own stack, so that terms of ten million levels are like any other. Knows
//! nothing of clauses or goals.

pub mod build;
pub mod collect;
pub mod cycle;
pub mod float;
pub mod heap;
mod image;
pub mod order;
pub mod pack;
mod prefix;
pub mod quick;
pub mod write;

use alphorn_text::symbol::Atom;

/// A term, or a reference into the heap it lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Term(pub(crate) u64);

pub(crate) const TAG: u64 = 7;
pub(crate) const REF: u64 = 0;
pub(crate) const ATOM: u64 = 1;
pub(crate) const INT: u64 = 2;
pub(crate) const STR: u64 = 3;
pub(crate) const LST: u64 = 4;
pub(crate) const BOX: u64 = 5;
pub(crate) const HDR: u64 = 6;
pub(crate) const FWD: u64 = 7;

/// The least and greatest integer that needs no heap.
pub const MIN_SMALL: i64 = -(1 << 60);
/// See [`MIN_SMALL`].
pub const MAX_SMALL: i64 = (1 << 60) - 1;

impl Term {
    /// No term at all: the mark of an empty slot. Cell 0 is never a variable.
    pub const NONE: Term = Term(REF);

    /// The term in a cell of a heap, as `View::Compound` gives the cells of its arguments.
    #[inline]
    pub const fn of_cell(cell: u64) -> Term {
        Term(cell)
    }

    pub(crate) const fn tagged(tag: u64, index: usize) -> Term {
        Term(((index as u64) << 3) | tag)
    }

    pub(crate) const fn tag(self) -> u64 {
        self.0 & TAG
    }

    pub(crate) const fn index(self) -> usize {
        (self.0 >> 3) as usize
    }

    /// An atom.
    pub const fn atom(name: Atom) -> Term {
        Term(((name.number() as u64) << 3) | ATOM)
    }

    /// An integer that fits 61 bits; larger ones need [`heap::Heap::integer`].
    pub const fn small(value: i64) -> Term {
        debug_assert!(value >= MIN_SMALL && value <= MAX_SMALL);
        Term(((value as u64) << 3) | INT)
    }

    /// The atom, if it is one.
    pub fn as_atom(self) -> Option<Atom> {
        (self.tag() == ATOM).then(|| Atom::from_number((self.0 >> 3) as u32))
    }

    /// The integer, if it is a small one.
    pub fn as_small(self) -> Option<i64> {
        (self.tag() == INT).then_some((self.0 as i64) >> 3)
    }
}
