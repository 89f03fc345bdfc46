//! The moves that threads search at this moment.
//!
//! A thread marks a move while it searches it. The others search other moves of the position first, so the
//! threads divide the tree between them. A mark is a hint: a lost one costs time and changes no value.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Marks at a time, a power of two. Each thread has one for each ply of its line.
const MARKS: usize = 1 << 12;

/// The moves that are searched now.
pub(super) struct BusyMoves(Box<[AtomicU64]>);

impl BusyMoves {
    pub(super) fn new() -> BusyMoves {
        BusyMoves((0..MARKS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.0[(mark.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as usize & (MARKS - 1)]
    }

    fn contains(&self, mark: u64) -> bool {
        self.slot(mark).load(Relaxed) == mark
    }
}

/// The moves of one position, which several threads search.
pub(super) struct SharedMoves<'a> {
    /// `None` if one thread searches them all.
    busy: Option<&'a BusyMoves>,
    key: u128,
    depth: u32,
    /// Moves from this number on wait, because other threads searched them.
    waiting: usize,
}

impl<'a> SharedMoves<'a> {
    /// The moves of the position with this key, searched to a depth.
    pub(super) fn new(busy: Option<&'a BusyMoves>, (key, depth): (u128, u32), count: usize) -> SharedMoves<'a> {
        SharedMoves { busy, key, depth, waiting: count }
    }

    /// The end of the moves among which the next one is chosen.
    pub(super) fn end(&self, number: usize, count: usize) -> usize {
        if number < self.waiting { self.waiting } else { count }
    }

    /// Whether any move waits or has waited.
    pub(super) fn has_waiting(&self, count: usize) -> bool {
        self.waiting < count
    }

    /// Puts the next move behind the others if another thread searches it; `true` if so. `index` is its index in
    /// the order of the game.
    #[inline]
    pub(super) fn defer<T>(&mut self, number: usize, index: u32, moves: &mut [T]) -> bool {
        let waits = number < self.waiting && self.mark(number, index).is_some_and(|(busy, mark)| busy.contains(mark));
        if waits {
            moves[number..].rotate_left(1);
            self.waiting -= 1;
        }
        waits
    }

    /// Marks a move as searched, until the mark is dropped.
    #[inline]
    pub(super) fn search(&self, number: usize, index: u32) -> Option<BusyMove<'a>> {
        let (busy, mark) = self.mark(number, index)?;
        busy.slot(mark).store(mark, Relaxed);
        Some(BusyMove { busy, mark })
    }

    /// The mark of a move; `None` for the first one, which all threads search.
    #[inline]
    fn mark(&self, number: usize, index: u32) -> Option<(&'a BusyMoves, u64)> {
        let busy = self.busy.filter(|_| number > 0)?;
        let mixed = (u64::from(self.depth) << 32 | u64::from(index)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Zero stands for no mark.
        Some((busy, (self.key as u64 ^ mixed) | 1))
    }
}

/// A move that this thread searches.
pub(super) struct BusyMove<'a> {
    busy: &'a BusyMoves,
    mark: u64,
}

impl Drop for BusyMove<'_> {
    fn drop(&mut self) {
        if self.busy.contains(self.mark) {
            self.busy.slot(self.mark).store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_waits_while_another_thread_searches_it() {
        let busy = BusyMoves::new();
        let mine = SharedMoves::new(Some(&busy), (7, 3), 4);
        let mut other = SharedMoves::new(Some(&busy), (7, 3), 4);
        let mut deeper = SharedMoves::new(Some(&busy), (7, 4), 4);
        let searched = mine.search(1, 11);
        let mut moves = [10, 11, 12, 13];
        assert!(!deeper.defer(1, 11, &mut moves) && !other.defer(0, 10, &mut moves));
        assert!(other.defer(1, 11, &mut moves) && other.has_waiting(4));
        assert_eq!(moves, [10, 12, 13, 11]);
        assert_eq!((other.end(1, 4), other.end(3, 4)), (3, 4));
        assert!(!other.defer(3, 11, &mut moves), "what waited is searched at last");
        drop(searched);
        assert!(!SharedMoves::new(Some(&busy), (7, 3), 4).defer(1, 11, &mut moves));
    }
}
