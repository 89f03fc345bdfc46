//! Sums up the finished games of a match: counts over complete pairs.

use super::data::Number;
use super::partial::SoFar;
use alphorn_lab::arena::GameEnd;
use alphorn_session::session::contest::{GameRecord, PlayerCost};
use std::collections::BTreeSet;

/// Counts over complete pairs of games.
#[derive(Default)]
pub(super) struct Sums {
    /// The score of player A in each pair, from 0 to 1.
    pub(super) shares: Vec<f64>,
    /// Wins, draws and losses of player A.
    pub(super) results: [u64; 3],
    pub(super) plies: u64,
    pub(super) unfinished: u64,
    pub(super) openings: BTreeSet<u128>,
    /// Pairs with the same moves in both games. The players have swapped sides in the second game.
    pub(super) same: u64,
    pub(super) thoughts: [PlayerCost; 2],
    /// A game whose partner game is not finished.
    half: Option<GameRecord>,
}

impl Sums {
    /// Adds a game. Returns the sums so far if the game completes a pair.
    pub(super) fn add(&mut self, record: &GameRecord) -> Option<SoFar> {
        let first = match self.half.take() {
            Some(first) if first.number + 1 == record.number && record.number.is_multiple_of(2) => first,
            // An earlier unpaired game, if there is one, has lost its partner.
            _ => {
                self.half = Some(record.clone());
                return None;
            }
        };
        for game in [&first, record] {
            self.results[(2.0 - 2.0 * game.points()) as usize] += 1;
            self.plies += game.plies();
            self.unfinished += u64::from(game.end == GameEnd::Unfinished);
            for (sum, thought) in self.thoughts.iter_mut().zip(game.thoughts) {
                sum.moves += thought.moves;
                sum.depths += thought.depths;
                sum.nodes += thought.nodes;
                sum.unadvised += thought.unadvised;
            }
        }
        self.openings.insert(record.key);
        // Chance does not matter: both games of a pair have the same chance outcomes.
        self.same +=
            u64::from((&first.start, &first.opening, &first.moves) == (&record.start, &record.opening, &record.moves));
        let points = first.points() + record.points();
        self.shares.push(points / 2.0);
        let [wins, draws, losses] = self.results;
        let score = Number(self.shares.iter().sum::<f64>() / self.shares.len() as f64);
        Some(SoFar { pairs: self.shares.len(), points: Number(points), wins, draws, losses, score })
    }
}
