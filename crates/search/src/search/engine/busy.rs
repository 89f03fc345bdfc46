//! The moves that threads search at this moment.
//!
//! A thread marks a move while it searches it. The others search other moves of the position first, so the
//! threads divide the tree between them. A mark is a hint: a lost one costs time and changes no value.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Marks at a time, a power of two. Each thread has one for each ply of its line.
const MARKS: usize = 1 << 12;

/// The moves that are searched now.
pub(super) struct BusyMoves(Box<[AtomicU64]>);

/// A move in a position that is searched to a depth.
#[derive(Clone, Copy)]
pub(super) struct MoveMark(u64);

impl MoveMark {
    /// The mark of a move by the key of its position, the depth, and its index in the order of the game.
    pub(super) fn of(key: u128, depth: u32, index: u32) -> MoveMark {
        let mixed = key as u64 ^ (u64::from(depth) << 32 | u64::from(index)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Zero stands for no mark.
        MoveMark(mixed | 1)
    }

    fn slot(self) -> usize {
        (self.0.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as usize & (MARKS - 1)
    }
}

impl BusyMoves {
    pub(super) fn new() -> BusyMoves {
        BusyMoves((0..MARKS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether a thread searches the move.
    pub(super) fn contains(&self, mark: MoveMark) -> bool {
        self.0[mark.slot()].load(Relaxed) == mark.0
    }

    pub(super) fn begin(&self, mark: MoveMark) {
        self.0[mark.slot()].store(mark.0, Relaxed);
    }

    pub(super) fn end(&self, mark: MoveMark) {
        if self.contains(mark) {
            self.0[mark.slot()].store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_until_it_ends() {
        let busy = BusyMoves::new();
        let (one, other) = (MoveMark::of(7, 3, 1), MoveMark::of(7, 4, 1));
        busy.begin(one);
        assert!(busy.contains(one) && !busy.contains(other));
        busy.end(other);
        assert!(busy.contains(one));
        busy.end(one);
        assert!(!busy.contains(one));
    }
}
