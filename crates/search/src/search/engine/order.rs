//! Move ordering: moves that proved good elsewhere come first.
//!
//! Moves have keys that identify them across positions; the result is a score for each move. The
//! table's move comes first, then two killer moves of the same ply (Barbara Huberman, 1968), then
//! the history heuristic (Jonathan Schaeffer, 1983). Order never decides a value.

use super::ENDLESS;
use crate::game::Side;

/// Slots of the history table, a power of two.
const HISTORY: usize = 1 << 12;

/// If a count exceeds this number, all counts are halved.
const MOST: i32 = 1 << 20;

/// The least score of a killer move; history scores are lower.
pub(super) const KILLER: i32 = i32::MAX - 2;

/// The killer moves and the history table.
pub(super) struct MoveHistory {
    history: [Vec<i32>; 2],
    killers: Vec<[u64; 2]>,
}

impl MoveHistory {
    pub(super) fn new() -> MoveHistory {
        MoveHistory { history: [vec![0; HISTORY], vec![0; HISTORY]], killers: Vec::new() }
    }

    /// Halves all history counts, before a deeper search.
    pub(super) fn fade(&mut self) {
        self.history.iter_mut().flatten().for_each(|count| *count /= 2);
    }

    fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (HISTORY - 1)
    }

    /// The ordering score of a move; greater scores come first.
    pub(super) fn score(&self, side: Side, ply: u32, key: u64) -> i32 {
        if key == 0 {
            return 0;
        }
        match self.killers.get(ply as usize) {
            Some([first, _]) if *first == key => i32::MAX - 1,
            Some([_, second]) if *second == key => KILLER,
            _ => self.history[side as usize][Self::slot(key)],
        }
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

    fn shift(&mut self, side: Side, key: u64, by: i32) {
        let count = &mut self.history[side as usize][Self::slot(key)];
        *count = (*count + by).max(-MOST);
        if *count > MOST {
            self.fade();
        }
    }
}
