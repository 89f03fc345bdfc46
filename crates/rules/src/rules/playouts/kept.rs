//! The positions that random play remembers.
//!
//! A position is checked once while it is remembered. Random play remembers positions as long as they take
//! at most half of the memory budget.

use crate::rules::game::RuleGame;
use crate::rules::playouts::{GLANCE, PlayoutChecker};
use crate::rules::position::Position;
use alphorn_search::game::Game;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Limits of [`glimpse`]: the games, and the plies of each.
const GLIMPSE: (u64, usize) = (8, 40);

/// The positions of some short random games. The limit counts steps, so the positions are always the same.
pub(in crate::rules) fn glimpse(game: &RuleGame) -> Vec<Position> {
    let mut found = PlayoutChecker { plies: GLIMPSE.1, left: GLANCE.1, ..PlayoutChecker::new(game) };
    let openings = game.openings().unwrap_or_default();
    for (seed, opening) in (0..GLIMPSE.0).zip(openings.iter().cycle()) {
        let _ended_well = found.playout(opening.clone(), &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        if found.stopped || !found.problems.is_empty() {
            break;
        }
    }
    found.positions
}

impl PlayoutChecker<'_> {
    /// Remembers a position. Returns whether it was unknown.
    pub(super) fn is_new(&mut self, state: &Position) -> bool {
        if self.checked.contains(state) {
            return false;
        }
        if self.game.live_bytes() > self.game.asker.budget().memory / 2 {
            self.forget();
        }
        self.checked.insert(state.clone());
        self.positions.push(state.clone());
        true
    }

    /// Forgets every second position, so that the positions of long play leave memory to the rules. A
    /// forgotten position is checked again if play comes there again.
    fn forget(&mut self) {
        let mut number = 0;
        self.positions.retain(|_| {
            number += 1;
            number % 2 == 0
        });
        // A remembered position must not keep the positions that were generated with it.
        self.game.compact(&mut self.positions);
        self.checked = self.positions.iter().cloned().collect();
    }
}
