//! Terms outside any heap: flat words in prefix order.
//!
//! In: terms. Out: [`Packed`]s, equal exactly when the terms are variants,
//! with one pass to hash or compare. Positions, answers and gathered solutions
//! are kept so; they move between threads and outlive the heap. Terms that are
//! packed together lie in one block, which lives as long as any of them.

use super::heap::{FUNCTOR, Heap, header_kind, header_large, header_small, raw_words};
use super::{ATOM, BOX, HDR, INT, LST, REF, STR, TAG, Term};
use crate::symbol::{Atom, atoms};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

/// A term by itself. Variables are numbered in the order they stand.
#[derive(Clone)]
pub struct Packed {
    block: Arc<Block>,
    start: u32,
    len: u32,
    ground: bool,
}

/// The words of terms that were packed together.
struct Block(Box<[u64]>);

/// Bytes that all packed terms of the process take.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// Bytes that all packed terms of the process take, about: what they keep of
/// positions and answers counts against a memory budget as well.
pub fn live_bytes() -> u64 {
    LIVE.load(Atomic::Relaxed)
}

impl Block {
    fn new(words: Box<[u64]>) -> Arc<Block> {
        let block = Block(words);
        LIVE.fetch_add(block.bytes(), Atomic::Relaxed);
        Arc::new(block)
    }

    /// Its words and what it takes to hold on to them.
    fn bytes(&self) -> u64 {
        8 * self.0.len() as u64 + 96
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        LIVE.fetch_sub(self.bytes(), Atomic::Relaxed);
    }
}

/// The prefix of a list cell: its head and tail follow.
const CELL: u64 = LST;

impl Packed {
    fn alone(words: Box<[u64]>, ground: bool) -> Packed {
        let len = words.len() as u32;
        Packed { block: Block::new(words), start: 0, len, ground }
    }

    /// An atom.
    pub fn atom(name: Atom) -> Packed {
        Packed::alone([Term::atom(name).0].into(), true)
    }

    /// Its words.
    pub(crate) fn as_words(&self) -> &[u64] {
        &self.block.0[self.start as usize..][..self.len as usize]
    }

    /// How many words it takes.
    pub fn words(&self) -> usize {
        self.len as usize
    }

    /// Whether no variable stands in it.
    pub fn is_ground(&self) -> bool {
        self.ground
    }

    /// The atom, if it is one.
    pub fn as_atom(&self) -> Option<Atom> {
        match self.as_words() {
            [cell] => Term(*cell).as_atom(),
            _ => None,
        }
    }

    /// Name and arity, and whether it is an atom or compound at all.
    pub fn functor(&self) -> Option<(Atom, usize)> {
        let cell = self.as_words()[0];
        match cell & TAG {
            ATOM => Term(cell).as_atom().map(|name| (name, 0)),
            CELL => Some((atoms::DOT, 2)),
            HDR if header_kind(cell) == FUNCTOR => {
                Some((Atom::from_number(header_large(cell) as u32), header_small(cell)))
            }
            _ => None,
        }
    }
}

impl PartialEq for Packed {
    fn eq(&self, other: &Packed) -> bool {
        self.as_words() == other.as_words()
    }
}

impl Eq for Packed {}

impl Hash for Packed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_words().hash(state);
    }
}

impl PartialOrd for Packed {
    fn partial_cmp(&self, other: &Packed) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Packed {
    fn cmp(&self, other: &Packed) -> Ordering {
        self.as_words().cmp(other.as_words())
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Packed").field(&self.as_words()).finish()
    }
}

/// Packs terms into one block; keeps its room for the next ones.
#[derive(Default)]
pub struct Packer {
    out: Vec<u64>,
    /// Where each term ends, and whether it is ground.
    ends: Vec<(u32, bool)>,
    /// Cells that are still to be packed: from, to.
    open: Vec<(usize, usize)>,
    numbers: FxHashMap<usize, u64>,
}

impl Packer {
    /// Adds a term, and says whether it is ground; `None` where all together
    /// would take more than `limit` words.
    pub fn add(&mut self, heap: &Heap, term: Term, limit: usize) -> Option<bool> {
        self.open.clear();
        self.numbers.clear();
        let cells = &*heap.cells;
        let mut ground = true;
        let mut next = term.0;
        loop {
            let at = (next >> 3) as usize;
            match next & TAG {
                ATOM | INT => self.out.push(next),
                LST => self.compound(CELL, at, at + 2),
                STR => {
                    let name = cells[at];
                    self.compound(name, at + 1, at + 1 + header_small(name));
                }
                BOX => self.out.extend_from_slice(&cells[at..=at + raw_words(cells[at])]),
                REF if cells[at] != next => {
                    next = cells[at];
                    continue;
                }
                REF => {
                    ground = false;
                    let number = self.numbers.len() as u64;
                    self.out.push(*self.numbers.entry(at).or_insert(number) << 3);
                }
                _ => unreachable!("headers and forwards are never the value of a term"),
            }
            // Atoms and integers that stand side by side go out in one run.
            loop {
                let Some((from, to)) = self.open.last_mut() else {
                    let end = u32::try_from(self.out.len()).ok()?;
                    self.ends.push((end, ground));
                    return Some(ground);
                };
                let run = cells[*from..*to].iter().take_while(|cell| matches!(**cell & TAG, ATOM | INT)).count();
                self.out.extend_from_slice(&cells[*from..*from + run]);
                *from += run;
                if from < to {
                    next = cells[*from];
                    *from += 1;
                    break;
                }
                self.open.pop();
            }
            if self.out.len() > limit {
                return None;
            }
        }
    }

    fn compound(&mut self, word: u64, from: usize, to: usize) {
        self.out.push(word);
        // Whoever has nothing left makes room, so that lists need no depth.
        match self.open.last_mut() {
            Some(last) if last.0 == last.1 => *last = (from, to),
            _ => self.open.push((from, to)),
        }
    }

    /// The terms added since the last time.
    pub fn finish(&mut self) -> impl Iterator<Item = Packed> + '_ {
        let block = Block::new(self.out.as_slice().into());
        self.out.clear();
        let mut start = 0;
        self.ends.drain(..).map(move |(end, ground)| {
            let packed = Packed { block: block.clone(), start, len: end - start, ground };
            start = end;
            packed
        })
    }

    /// Forgets what was added.
    pub fn clear(&mut self) {
        self.out.clear();
        self.ends.clear();
    }
}

/// Packs a term; `None` where it would take more than `limit` words.
pub fn pack(heap: &Heap, term: Term, limit: usize) -> Option<Packed> {
    let mut packer = Packer::default();
    let ground = packer.add(heap, term, limit)?;
    Some(Packed::alone(packer.out.into(), ground))
}

/// Puts a packed term into a heap, its variables fresh.
pub fn unpack(heap: &mut Heap, packed: &Packed) -> Term {
    let words = packed.as_words();
    let mut variables: Vec<Term> = Vec::new();
    // Cells that are still to be filled: from, to.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut root = Term::NONE;
    let mut at = 0;
    loop {
        let word = words[at];
        at += 1;
        let place = heap.cells.len();
        let value = match word & TAG {
            REF => {
                let number = (word >> 3) as usize;
                if number == variables.len() {
                    variables.push(heap.variable());
                }
                variables[number]
            }
            CELL => {
                heap.cells.extend([0, 0]);
                Term::tagged(LST, place)
            }
            HDR if header_kind(word) == FUNCTOR => {
                heap.cells.push(word);
                heap.cells.resize(place + 1 + header_small(word), 0);
                Term::tagged(STR, place)
            }
            HDR => {
                let raw = raw_words(word);
                heap.cells.extend_from_slice(&words[at - 1..at + raw]);
                at += raw;
                Term::tagged(BOX, place)
            }
            _ => Term(word),
        };
        match open.last_mut() {
            Some((from, _)) => {
                heap.cells[*from] = value.0;
                *from += 1;
            }
            None => root = value,
        }
        while open.last().is_some_and(|(from, to)| from == to) {
            open.pop();
        }
        match (word & TAG, value.tag()) {
            (CELL, _) => open.push((place, place + 2)),
            (HDR, STR) => open.push((place + 1, heap.cells.len())),
            _ => {}
        }
        // Atoms and integers that stand side by side are copied in one run.
        let Some((from, to)) = open.last_mut() else { return root };
        let run = words[at..].iter().take(*to - *from).take_while(|word| matches!(**word & TAG, ATOM | INT)).count();
        heap.cells[*from..*from + run].copy_from_slice(&words[at..at + run]);
        *from += run;
        at += run;
        while open.last().is_some_and(|(from, to)| from == to) {
            open.pop();
        }
        if open.is_empty() {
            return root;
        }
    }
}
