//! Terms by number. Variants have equal numbers.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::pack::{Packed, image};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// Greatest number of words of a term that is compared without packing it.
const LARGEST_IMAGE: usize = 1 << 12;

/// Greatest number of places that are remembered.
const MOST_PLACES: usize = 8;

/// The terms that have numbers.
#[derive(Default)]
pub(super) struct Interned {
    /// The youngest term for each hash.
    by_hash: FxHashMap<u64, u32>,
    /// The terms, each with an older one of the same hash.
    terms: Vec<(Packed, Option<u32>)>,
    /// A buffer for the words of a term.
    room: Vec<u64>,
    /// Terms in cells that stay the same during a query, with their numbers.
    places: Vec<(Term, u32)>,
}

/// The hash of words.
pub(super) fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

impl Interned {
    /// Forgets the places of terms, because cells change.
    pub(super) fn forget_places(&mut self) {
        self.places.clear();
    }

    /// The number of a ground term; for another term its packed form. `is_fixed` says that the cells of the term stay the
    /// same during the query. A new term is packed and counted with `count`.
    pub(super) fn number(
        &mut self,
        store: &Store,
        term: Term,
        is_fixed: bool,
        count: impl FnOnce(&Packed),
    ) -> Result<Result<u32, Packed>, Fault> {
        if is_fixed && let Some((_, number)) = self.places.iter().find(|(place, _)| *place == term) {
            return Ok(Ok(*number));
        }
        self.room.resize(LARGEST_IMAGE, 0);
        let (mut packed, mut size) = (None, 0);
        match image(&store.heap, term, &mut self.room) {
            Some(words) => size = words,
            None => match store.packed(term)? {
                open if !open.is_ground() => return Ok(Err(open)),
                ground => packed = Some(ground),
            },
        }
        let words = packed.as_ref().map_or(&self.room[..size], Packed::as_words);
        let hash = hash(words);
        let number = match self.find(hash, words, true) {
            Some(number) => number,
            None => {
                let packed = match packed {
                    Some(packed) => packed,
                    None => store.packed(term)?,
                };
                count(&packed);
                self.add(hash, packed)
            }
        };
        if is_fixed {
            if self.places.len() == MOST_PLACES {
                self.places.remove(0);
            }
            self.places.push((term, number));
        }
        Ok(Ok(number))
    }

    /// The number of a term that is not ground.
    pub(super) fn number_of_open(&mut self, term: Packed, count: impl FnOnce(&Packed)) -> u32 {
        let hash = hash(term.as_words());
        match self.find(hash, term.as_words(), false) {
            Some(number) => number,
            None => {
                count(&term);
                self.add(hash, term)
            }
        }
    }

    fn find(&self, hash: u64, words: &[u64], is_ground: bool) -> Option<u32> {
        let mut next = self.by_hash.get(&hash).copied();
        while let Some(number) = next {
            let (term, older) = &self.terms[number as usize];
            if term.is_ground() == is_ground && term.as_words() == words {
                return Some(number);
            }
            next = *older;
        }
        None
    }

    fn add(&mut self, hash: u64, term: Packed) -> u32 {
        let number = self.terms.len() as u32;
        let older = self.by_hash.insert(hash, number);
        self.terms.push((term, older));
        number
    }

    /// The term with a number.
    pub(super) fn term(&self, number: u32) -> &Packed {
        &self.terms[number as usize].0
    }
}
