//! An index that stores every position once and gives it a number.
//!
//! Numbers are dense and follow the order of insertion. The index keeps the positions themselves, so
//! two positions never share a number.

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// The mark of an empty slot.
const EMPTY: u32 = u32::MAX;

/// A two-way map between positions and numbers.
pub(super) struct Index<S> {
    pub(super) states: Vec<S>,
    /// A part of each position's hash, for growth and quick comparison.
    hashes: Vec<u32>,
    /// The numbers of positions in a hash table; its size is a power of two.
    slots: Vec<u32>,
}

impl<S: Eq + Hash> Index<S> {
    pub(super) fn new() -> Index<S> {
        Index { states: Vec::new(), hashes: Vec::new(), slots: vec![EMPTY; 64] }
    }

    /// A 32-bit hash that depends on all bits of the position's hash.
    fn hash(state: &S) -> u32 {
        (FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }

    /// The slot of a position, or the free slot for it.
    fn slot(&self, hash: u32, state: &S) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let number = self.slots[at];
            if number == EMPTY || (self.hashes[number as usize] == hash && self.states[number as usize] == *state) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of a position, if it has one.
    pub(super) fn find(&self, state: &S) -> Option<u32> {
        let number = self.slots[self.slot(Self::hash(state), state)];
        (number != EMPTY).then_some(number)
    }

    /// The number of a position, which is inserted if it is new; `None` if no number is left.
    pub(super) fn number(&mut self, state: S) -> Option<u32> {
        let hash = Self::hash(&state);
        let slot = self.slot(hash, &state);
        if self.slots[slot] != EMPTY {
            return Some(self.slots[slot]);
        }
        let number = u32::try_from(self.states.len()).ok().filter(|number| *number < EMPTY)?;
        self.slots[slot] = number;
        self.states.push(state);
        self.hashes.push(hash);
        if self.states.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        Some(number)
    }

    fn grow(&mut self) {
        let wanted = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(wanted, EMPTY);
        for (number, hash) in self.hashes.iter().enumerate() {
            let mut at = *hash as usize & (wanted - 1);
            while self.slots[at] != EMPTY {
                at = (at + 1) & (wanted - 1);
            }
            self.slots[at] = number as u32;
        }
    }

    /// Bytes of the index, without memory that positions point to.
    pub(super) fn bytes(&self) -> u64 {
        let each = size_of::<S>() * self.states.capacity();
        (each + 4 * (self.hashes.capacity() + self.slots.capacity())) as u64
    }
}
