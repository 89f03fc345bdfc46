//! Sums up the finished games of a match.
//!
//! From the games it computes counts over complete pairs, and the score with its error.

use super::contest::{Played, Reply, Request, Side, SoFar, rounded};
use super::data::Number;
use alphorn_lab::arena::GameEnd;
use alphorn_lab::arena::score::{MatchEstimate, estimate};
use alphorn_session::session::contest::{GameRecord, PlayerCost};
use std::collections::BTreeSet;

/// Counts over complete pairs of games.
#[derive(Default)]
pub(super) struct Sums {
    /// The score of player A in each pair, from 0 to 1.
    shares: Vec<f64>,
    /// Wins, draws and losses of player A.
    results: [u64; 3],
    plies: u64,
    unfinished: u64,
    openings: BTreeSet<u128>,
    /// Pairs with the same moves in both games. The players have swapped sides in the second game.
    same: u64,
    thoughts: [PlayerCost; 2],
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

    pub(super) fn reply(&self, request: &Request, stopped: bool) -> Reply {
        let found = estimate(&self.shares);
        let interval = found.and_then(|found| found.interval);
        let number = |value: Option<f64>| value.map(rounded);
        let side = |side: &Side, thought: &PlayerCost| Played {
            settings: side.text.clone(),
            moves: thought.moves,
            depth: mean(thought.depths, thought.moves),
            nodes: mean(thought.nodes, thought.moves),
            unadvised: thought.unadvised,
        };
        let games = 2 * self.shares.len() as u64;
        let [wins, draws, losses] = self.results;
        Reply {
            games,
            wins,
            draws,
            losses,
            score: number(found.map(|found| found.mean)),
            standard_error: number(found.and_then(|found| found.error)),
            low: number(interval.map(|(low, _)| low)),
            high: number(interval.map(|(_, high)| high)),
            alike: matches!(found, Some(MatchEstimate { alike: true, .. })),
            openings: self.openings.len(),
            same_moves: self.same,
            plies: mean(self.plies, games),
            unfinished: self.unfinished,
            a: side(&request.a, &self.thoughts[0]),
            b: side(&request.b, &self.thoughts[1]),
            stopped,
        }
    }
}

fn mean(sum: u64, count: u64) -> Option<Number> {
    (count > 0).then(|| rounded(sum as f64 / count as f64))
}
