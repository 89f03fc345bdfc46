//! Repetitions: whether a position is already on the current line, and how a search treats it.
//!
//! [`LineHashes`] stores the hashes of the positions of a line, not the positions: the caller
//! compares positions with equal hashes.

use crate::game::Game;

/// How a search treats a position that is already on the current line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repetition {
    /// The search does not check for repetitions.
    Ignored,
    /// A repetition is a draw.
    Draw,
    /// A repetition ends the search with an error.
    Reported,
}

impl Repetition {
    /// The treatment of repetitions in a search of `game` to `depth` plies, or to its end.
    pub(super) fn in_game<G: Game>(game: &G, depth: Option<u32>) -> Repetition {
        if game.facts().is_acyclic {
            Repetition::Ignored
        } else if game.facts().repetition_is_draw {
            Repetition::Draw
        } else if depth.is_none() {
            Repetition::Reported
        } else {
            Repetition::Ignored
        }
    }
}

/// The initial number of slots, a power of two.
const SLOTS: usize = 64;

/// The hashes of the positions on a line, by their ply.
///
/// Positions that share a slot form a chain with the deepest at its head. Positions leave a line in
/// reverse order, so removing the head is one assignment.
#[derive(Default)]
pub(super) struct LineHashes {
    /// The number of the deepest position in each slot, from 1; 0 for an empty slot.
    slots: Vec<u32>,
    /// The hash of each position, and the number of the next position in its slot.
    entries: Vec<(u64, u32)>,
}

impl LineHashes {
    fn slot(&self, hash: u64) -> usize {
        // The upper half has better bits in the hashes used here.
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    /// Whether the line has a position with this hash for which `is_same` holds; takes the ply.
    #[inline]
    pub(super) fn holds(&self, hash: u64, mut is_same: impl FnMut(usize) -> bool) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let mut number = self.slots[self.slot(hash)];
        while let Some(ply) = (number as usize).checked_sub(1) {
            let (other, next) = self.entries[ply];
            if other == hash && is_same(ply) {
                return true;
            }
            number = next;
        }
        false
    }

    /// Adds a position at the next ply.
    pub(super) fn push(&mut self, hash: u64) {
        if self.entries.len() >= self.slots.len() {
            let wanted = (2 * self.slots.len()).max(SLOTS);
            self.slots.clear();
            self.slots.resize(wanted, 0);
            for ply in 0..self.entries.len() {
                self.entries[ply].1 = self.link(self.entries[ply].0, ply);
            }
        }
        let below = self.link(hash, self.entries.len());
        self.entries.push((hash, below));
    }

    /// Removes all positions.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.slots.fill(0);
    }

    /// Makes a ply the head of its chain; returns the previous head.
    fn link(&mut self, hash: u64, ply: usize) -> u32 {
        let slot = self.slot(hash);
        std::mem::replace(&mut self.slots[slot], ply as u32 + 1)
    }

    /// Removes the position at the last ply.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some((hash, below)) = self.entries.pop() {
            let slot = self.slot(hash);
            self.slots[slot] = below;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pushed_stands_until_it_is_popped() {
        let hash = |ply: usize| (ply as u64 % 700) << 33;
        let mut line_hashes = LineHashes::default();
        for ply in 0..1000 {
            assert!(!line_hashes.holds(hash(ply), |other| other == ply));
            line_hashes.push(hash(ply));
        }
        for ply in (0..1000).rev() {
            assert!(line_hashes.holds(hash(ply), |other| other == ply));
            assert_eq!(line_hashes.holds(hash(ply), |other| other != ply), ply >= 700);
            line_hashes.pop();
            assert!(!line_hashes.holds(hash(ply), |other| other == ply));
        }
    }
}
