//! The order of moves: what has proved good elsewhere is tried first.
//!
//! In: moves by number, with keys that name them across positions. Out: scores to order them by.
//! The move that the table knows comes first; then two killers of the same ply (Barbara Huberman,
//! 1968), then by the history heuristic (Jonathan Schaeffer, 1983). Order never decides a value.

use super::ENDLESS;
use crate::game::Side;

/// Slots of the history, a power of two.
const HISTORY: usize = 1 << 12;

/// Beyond this, all of the history fades.
const MOST: i32 = 1 << 20;

/// The least score of a killer; history has less.
pub(super) const KILLER: i32 = i32::MAX - 2;

/// What is remembered of moves.
pub(super) struct MoveHistory {
    history: [Vec<i32>; 2],
    killers: Vec<[u64; 2]>,
}

impl MoveHistory {
    pub(super) fn new() -> MoveHistory {
        MoveHistory { history: [vec![0; HISTORY], vec![0; HISTORY]], killers: Vec::new() }
    }

    /// Before a deeper search: what is old counts less.
    pub(super) fn fade(&mut self) {
        self.history.iter_mut().flatten().for_each(|count| *count /= 2);
    }

    fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (HISTORY - 1)
    }

    /// How soon a move is to be tried; the greater the sooner.
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

    /// A move was good enough to pass over the others, after so many were tried in vain.
    pub(super) fn praise(&mut self, side: Side, ply: u32, depth: u32, key: u64, tried: usize) {
        if key == 0 {
            return;
        }
        if depth == ENDLESS {
            // No depth tells how much a cut was worth, so it counts what it was better than, as
            // John Tromp's Fhourstones does.
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

    /// A move was tried in vain before one that was praised.
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
