//! Terms outside any heap: flat words in prefix order.
//!
//! In: a term. Out: a [`Packed`], equal exactly when the terms are variants,
//! with one pass to hash or compare. Positions, answers and gathered solutions
//! are kept so; they move between threads and outlive the heap.

use super::heap::{BIG, FLOAT, FUNCTOR, Heap, View, header, header_kind, header_large, header_small, raw_words};
use super::{BOX, HDR, LST, STR, TAG, Term};
use crate::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A term by itself. Variables are numbered in the order they stand.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed(Box<[u64]>);

/// Bytes that all packed terms of the process take.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// Bytes that all packed terms of the process take, about: what they keep of
/// positions and answers counts against a memory budget as well.
pub fn live_bytes() -> u64 {
    LIVE.load(Ordering::Relaxed)
}

impl Clone for Packed {
    fn clone(&self) -> Packed {
        Packed::new(self.0.clone())
    }
}

impl Drop for Packed {
    fn drop(&mut self) {
        LIVE.fetch_sub(self.bytes(), Ordering::Relaxed);
    }
}

/// The prefix of a list cell: its head and tail follow.
const CELL: u64 = LST;

impl Packed {
    fn new(words: Box<[u64]>) -> Packed {
        let packed = Packed(words);
        LIVE.fetch_add(packed.bytes(), Ordering::Relaxed);
        packed
    }

    /// Its words and what it takes to hold on to them.
    fn bytes(&self) -> u64 {
        8 * self.0.len() as u64 + 96
    }

    /// An atom.
    pub fn atom(name: Atom) -> Packed {
        Packed::new([Term::atom(name).0].into())
    }

    /// How many words it takes.
    pub fn words(&self) -> usize {
        self.0.len()
    }

    /// Whether no variable stands in it.
    pub fn is_ground(&self) -> bool {
        let mut at = 0;
        while at < self.0.len() {
            let cell = self.0[at];
            match cell & TAG {
                super::REF => return false,
                HDR if header_kind(cell) != FUNCTOR => at += raw_words(cell),
                _ => {}
            }
            at += 1;
        }
        true
    }

    /// The atom, if it is one.
    pub fn as_atom(&self) -> Option<Atom> {
        match &*self.0 {
            [cell] => Term(*cell).as_atom(),
            _ => None,
        }
    }
}

/// Packs a term; `None` where it would take more than `limit` words.
pub fn pack(heap: &Heap, term: Term, limit: usize) -> Option<Packed> {
    let mut out = Vec::new();
    pack_into(heap, term, limit, &mut out)?;
    Some(Packed::new(out.into()))
}

fn pack_into(heap: &Heap, term: Term, limit: usize, out: &mut Vec<u64>) -> Option<()> {
    let mut numbers: FxHashMap<usize, u64> = FxHashMap::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if out.len() >= limit {
            return None;
        }
        let term = heap.deref(term);
        match heap.view(term) {
            View::Var(cell) => {
                let next = numbers.len() as u64;
                out.push(*numbers.entry(cell).or_insert(next) << 3);
            }
            View::Atom(_) | View::Int(_) => out.push(term.0),
            View::Compound(name, args) => {
                if name == atoms::DOT && args.len() == 2 {
                    out.push(CELL);
                } else {
                    out.push(header(FUNCTOR, args.len() as u64, u64::from(name.number())));
                }
                stack.extend(args.iter().rev().map(|cell| Term(*cell)));
            }
            View::Float(value) => out.extend([header(FLOAT, 0, 1), value.to_bits()]),
            View::Big(negative, words) => {
                out.push(header(BIG, u64::from(negative), words.len() as u64));
                out.extend(words);
            }
            View::Text(length, words) => {
                out.push(header(super::heap::TEXT, 0, length as u64));
                out.extend(words);
            }
        }
    }
    Some(())
}

/// Puts a packed term into a heap, its variables fresh.
pub fn unpack(heap: &mut Heap, packed: &Packed) -> Term {
    unpack_sharing(heap, packed, &mut Vec::new())
}

/// The same, with the variables of other packed terms: the n-th is `shared[n]`.
pub fn unpack_sharing(heap: &mut Heap, packed: &Packed, shared: &mut Vec<Term>) -> Term {
    // Read backwards, a prefix order gives every argument before its structure.
    let starts = starts(&packed.0);
    let count = variables(&packed.0, &starts);
    while shared.len() < count {
        let fresh = heap.variable();
        shared.push(fresh);
    }
    let mut values: Vec<Term> = Vec::new();
    for at in starts.into_iter().rev() {
        let cell = packed.0[at];
        let value = match cell & TAG {
            super::REF => shared[(cell >> 3) as usize],
            CELL => {
                let head = values.pop().expect("a list cell has two parts");
                let tail = values.pop().expect("a list cell has two parts");
                heap.cons(head, tail)
            }
            HDR if header_kind(cell) == FUNCTOR => {
                let place = heap.cells.len();
                heap.cells.push(cell);
                let first = values.len() - header_small(cell);
                heap.cells.extend(values.drain(first..).rev().map(|value| value.0));
                Term::tagged(STR, place)
            }
            HDR => {
                let place = heap.cells.len();
                heap.cells.extend_from_slice(&packed.0[at..=at + raw_words(cell)]);
                Term::tagged(BOX, place)
            }
            _ => Term(cell),
        };
        values.push(value);
    }
    values.pop().expect("a packed term has one root")
}

fn starts(words: &[u64]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        starts.push(at);
        let cell = words[at];
        at += 1;
        if cell & TAG == HDR && header_kind(cell) != FUNCTOR {
            at += raw_words(cell);
        }
    }
    starts
}

fn variables(words: &[u64], starts: &[usize]) -> usize {
    let cells = starts.iter().map(|at| words[*at]);
    cells.filter(|cell| cell & TAG == super::REF).map(|cell| (cell >> 3) as usize + 1).max().unwrap_or(0)
}

impl Packed {
    /// Name and arity, and whether it is an atom or compound at all.
    pub fn functor(&self) -> Option<(Atom, usize)> {
        let cell = self.0[0];
        match cell & TAG {
            super::ATOM => Term(cell).as_atom().map(|name| (name, 0)),
            CELL => Some((atoms::DOT, 2)),
            HDR if header_kind(cell) == FUNCTOR => {
                Some((Atom::from_number(header_large(cell) as u32), header_small(cell)))
            }
            _ => None,
        }
    }
}
