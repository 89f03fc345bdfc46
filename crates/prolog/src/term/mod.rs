//! Terms of a running program, as cells of one growing heap.
//!
//! The module turns parsed trees, packed terms and the results of builtins into [`Term`]s. A `Term`
//! is one small copyable word that may refer into a [`heap::Heap`]. All algorithms are loops with
//! an explicit stack, so a term may have ten million levels. The module does not use clauses or
//! goals.

pub mod build;
pub mod collect;
pub mod cycle;
pub mod float;
pub mod heap;
mod image;
pub mod order;
pub mod pack;
mod packed_bytes;
mod prefix;
pub mod quick;
pub mod short;
pub mod write;

use alphorn_text::symbol::Atom;

/// A term: an atom or a small integer in place, or a reference into a heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(transparent)]
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

/// The least integer that fits into the cell itself.
pub const MIN_SMALL: i64 = -(1 << 60);
/// The greatest integer that fits into the cell itself.
pub const MAX_SMALL: i64 = (1 << 60) - 1;

impl Term {
    /// The mark of an empty slot, which is no term. Cell 0 is never a variable.
    pub const NONE: Term = Term(REF);

    /// The term of one cell. `TermView::Compound` gives the arguments of a term as cells.
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

    /// Whether the term is an atom or a small integer. The term must be dereferenced.
    pub(crate) const fn is_in_place(self) -> bool {
        matches!(self.tag(), ATOM | INT)
    }

    pub(crate) const fn index(self) -> usize {
        (self.0 >> 3) as usize
    }

    /// Makes an atom.
    pub const fn atom(name: Atom) -> Term {
        Term(((name.number() as u64) << 3) | ATOM)
    }

    /// Makes an integer of at most 61 bits. Use [`heap::Heap::integer`] for larger integers.
    pub const fn small(value: i64) -> Term {
        debug_assert!(value >= MIN_SMALL && value <= MAX_SMALL);
        Term(((value as u64) << 3) | INT)
    }

    /// Returns the atom if the term is one. The term must be dereferenced.
    pub fn as_atom(self) -> Option<Atom> {
        (self.tag() == ATOM).then(|| Atom::from_number((self.0 >> 3) as u32))
    }

    /// Returns the value if the term is a small integer. The term must be dereferenced.
    pub fn as_small(self) -> Option<i64> {
        (self.tag() == INT).then_some((self.0 as i64) >> 3)
    }
}
