//! Flat words of terms with variables, in prefix order.
//!
//! Variables are numbered in order of occurrence. Shared subterms are written each time. A cyclic
//! term has no prefix form. The module does not use blocks.

use super::cycle::is_cyclic;
use super::heap::{FUNCTOR, Heap, header_kind, header_small, raw_words};
use super::{ATOM, BOX, HDR, INT, LST, REF, STR, TAG, Term};
use rustc_hash::FxHashMap;

/// The word of a list cell. The words of its head and tail follow.
const CELL: u64 = LST;

/// A term of at most this many words needs no test for a cycle.
const FEW: usize = 64;

/// The buffers for writing terms in prefix order. Later terms reuse them.
#[derive(Default)]
pub(super) struct Prefix {
    /// The words of the last term.
    pub(super) out: Vec<u64>,
    /// Ranges of cells that remain to be written (from, to).
    open: Vec<(usize, usize)>,
    numbers: FxHashMap<usize, u64>,
}

impl Prefix {
    /// Writes a term. Returns `None` if the term is cyclic or takes more than `limit` words.
    pub(super) fn write(&mut self, heap: &Heap, term: Term, limit: usize) -> Option<()> {
        self.out.clear();
        self.open.clear();
        self.numbers.clear();
        let cells = &*heap.cells;
        let mut suspicious = 2 * cells.len() + FEW;
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
                    let number = self.numbers.len() as u64;
                    self.out.push(*self.numbers.entry(at).or_insert(number) << 3);
                }
                _ => unreachable!("headers and forwards are never the value of a term"),
            }
            // Adjacent atoms and integers are written in one run.
            loop {
                let Some((from, to)) = self.open.last_mut() else { return (self.out.len() <= limit).then_some(()) };
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
            if self.out.len() > suspicious.min(limit) {
                if self.out.len() > limit || is_cyclic(heap, term) {
                    return None;
                }
                suspicious = usize::MAX;
            }
        }
    }

    fn compound(&mut self, word: u64, from: usize, to: usize) {
        self.out.push(word);
        // A finished range is replaced, so a long list needs no depth.
        match self.open.last_mut() {
            Some(last) if last.0 == last.1 => *last = (from, to),
            _ => self.open.push((from, to)),
        }
    }
}

/// Builds a term in prefix order in a heap.
pub(super) fn unpack_prefix(heap: &mut Heap, words: &[u64]) -> Term {
    let mut variables: Vec<Term> = Vec::new();
    // Ranges of cells that remain to be filled (from, to).
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
        // Adjacent atoms and integers are copied in one run.
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
