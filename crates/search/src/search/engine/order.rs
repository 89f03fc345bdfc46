//! Move ordering: moves that proved good elsewhere come first.
//!
//! Moves have keys that identify them across positions; the result is a score for each move. The
//! table's move comes first, then two killer moves of the same ply (Barbara Huberman, 1968), then
//! the history heuristic (Jonathan Schaeffer, 1983). Order never decides a value.

use super::ENDLESS;
use crate::game::Side;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// Slots of the history table, a power of two.
const HISTORY: usize = 1 << 12;

/// If a count exceeds this number, all counts are halved.
const MOST: i32 = 1 << 20;

/// The least score of a killer move; history scores are lower.
pub(super) const KILLER: i32 = i32::MAX - 2;

/// The counts of the history heuristic for both sides, which the threads of a search share. A lost count costs time
/// and changes no value.
pub(super) struct HistoryCounts([Box<[AtomicI32]>; 2]);

impl HistoryCounts {
    pub(super) fn new() -> HistoryCounts {
        HistoryCounts([(); 2].map(|()| (0..HISTORY).map(|_| AtomicI32::new(0)).collect()))
    }

    fn of(&self, side: Side, key: u64) -> &AtomicI32 {
        &self.0[side as usize][(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (HISTORY - 1)]
    }

    /// Halves all counts.
    fn fade(&self) {
        self.0.iter().flatten().for_each(|count| count.store(count.load(Relaxed) / 2, Relaxed));
    }
}

/// The killer moves and the history table.
pub(super) struct MoveHistory {
    history: Arc<HistoryCounts>,
    killers: Vec<[u64; 2]>,
}

impl MoveHistory {
    pub(super) fn new(history: Arc<HistoryCounts>) -> MoveHistory {
        MoveHistory { history, killers: Vec::new() }
    }

    /// Halves all history counts, before a deeper search.
    pub(super) fn fade(&self) {
        self.history.fade();
    }

    /// The ordering score of a move; greater scores come first.
    pub(super) fn score(&self, side: Side, ply: u32, key: u64) -> i32 {
        if key == 0 {
            return 0;
        }
        match self.killers.get(ply as usize) {
            Some([first, _]) if *first == key => i32::MAX - 1,
            Some([_, second]) if *second == key => KILLER,
            _ => self.history.of(side, key).load(Relaxed),
        }
    }

    /// The history count of a move.
    pub(super) fn history(&self, side: Side, key: u64) -> i32 {
        if key == 0 { 0 } else { self.history.of(side, key).load(Relaxed) }
    }

    /// The keys of the killer moves of a ply; 0 if there are none.
    pub(super) fn killers(&self, ply: u32) -> [u64; 2] {
        self.killers.get(ply as usize).copied().unwrap_or_default()
    }

    /// Records that a move caused a cutoff after `tried` moves that did not.
    pub(super) fn praise(&mut self, side: Side, ply: u32, depth: u32, key: u64, tried: usize) {
        if key == 0 {
            return;
        }
        if depth == ENDLESS {
            // There is no depth to measure the cutoff by. So the number of worse moves counts, as in
            // John Tromp's Fhourstones.
            return self.shift(side, key, tried.min(1 << 10) as i32);
        }
        let ply = ply as usize;
        if ply < 1 << 10 {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [0; 2]);
            }
            let [first, second] = &mut self.killers[ply];
            if *first != key {
                (*first, *second) = (key, *first);
            }
        }
        let depth = depth.min(64) as i32;
        self.shift(side, key, depth * depth);
    }

    /// Records that a move was tried without a cutoff before the one that caused it.
    pub(super) fn blame(&mut self, side: Side, depth: u32, key: u64) {
        if key != 0 {
            self.shift(side, key, if depth == ENDLESS { -1 } else { -(depth.min(64) as i32) });
        }
    }

    fn shift(&self, side: Side, key: u64, by: i32) {
        let count = self.history.of(side, key);
        let sum = (count.load(Relaxed) + by).max(-MOST);
        count.store(sum, Relaxed);
        if sum > MOST {
            self.fade();
        }
    }
}
