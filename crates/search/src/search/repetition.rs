//! Repetition: whether a position stands on the line already, and what becomes of it then.
//!
//! In: the positions of a line as they are opened and closed. Out: whether another is one of them.
//! Must not know what a position is: it sees hashes, and asks whether two are the same.

use crate::game::Game;

/// What becomes of a position that stands on the line already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repetition {
    /// It is searched like any other.
    Ignored,
    /// It is a draw.
    Draw,
    /// It ends the search with an error.
    Reported,
}

impl Repetition {
    /// What `game` asks for in a search to `depth` plies, or to the end of the game.
    pub(super) fn in_game<G: Game>(game: &G, depth: Option<u32>) -> Repetition {
        if game.acyclic() {
            Repetition::Ignored
        } else if game.repetition_is_draw() {
            Repetition::Draw
        } else if depth.is_none() {
            Repetition::Reported
        } else {
            Repetition::Ignored
        }
    }
}

/// Slots at first, a power of two.
const SLOTS: usize = 64;

/// The hashes of the positions on a line, by their ply.
///
/// Positions leave a line in the reverse order, so those that share a slot form a chain whose head
/// is the deepest, and taking it off is one assignment.
#[derive(Default)]
pub(super) struct LineHashes {
    /// The number of the deepest position with such a hash, from 1; 0 where there is none.
    slots: Vec<u32>,
    /// The hash of each position, and the number of the next one in its slot.
    entries: Vec<(u64, u32)>,
}

impl LineHashes {
    fn slot(&self, hash: u64) -> usize {
        // The upper half is the better half of the hashes that are used here.
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    /// Whether a position with this hash, for which `is_same` holds, stands at some ply.
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

    /// Puts a position at the next ply.
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

    /// Takes all positions off.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.slots.fill(0);
    }

    /// Makes a ply the head of its chain; gives the head before it.
    fn link(&mut self, hash: u64, ply: usize) -> u32 {
        let slot = self.slot(hash);
        std::mem::replace(&mut self.slots[slot], ply as u32 + 1)
    }

    /// Takes the position at the last ply off.
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
        let mut standing = LineHashes::default();
        for ply in 0..1000 {
            assert!(!standing.holds(hash(ply), |other| other == ply));
            standing.push(hash(ply));
        }
        for ply in (0..1000).rev() {
            assert!(standing.holds(hash(ply), |other| other == ply));
            assert_eq!(standing.holds(hash(ply), |other| other != ply), ply >= 700);
            standing.pop();
            assert!(!standing.holds(hash(ply), |other| other == ply));
        }
    }
}
