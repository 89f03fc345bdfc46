//! Sums up the finished games of a match: counts over complete pairs.

use super::data::{Number, rounded};
use super::match_options::SprtOption;
use super::partial::SoFar;
use alphorn_lab::arena::GameEnd;
use alphorn_lab::arena::pentanomial::{Pentanomial, elo_of_score};
use alphorn_lab::arena::score::estimate;
use alphorn_session::session::game_record::{GameRecord, PlayerCost};
use std::collections::BTreeSet;

/// Counts over complete pairs of games.
#[derive(Default)]
pub(super) struct Sums {
    /// The sequential test, if there is one.
    pub(super) sprt: Option<SprtOption>,
    /// The pairs by the points of player A.
    pub(super) pairs: Pentanomial,
    /// Wins, draws and losses of player A.
    pub(super) results: [u64; 3],
    pub(super) plies: u64,
    pub(super) unfinished: u64,
    pub(super) adjudicated: u64,
    /// Games that A and B forfeited.
    pub(super) forfeits: [u64; 2],
    pub(super) openings: BTreeSet<u128>,
    /// Pairs with the same moves in both games. The players have swapped sides in the second game.
    pub(super) same: u64,
    pub(super) costs: [PlayerCost; 2],
    /// A game whose partner game is not finished.
    half: Option<GameRecord>,
}

impl Sums {
    /// No games, with a test.
    pub(super) fn new(sprt: Option<SprtOption>) -> Sums {
        Sums { sprt, ..Sums::default() }
    }

    /// Whether the test is decided.
    pub(super) fn decided(&self) -> bool {
        self.sprt.is_some_and(|SprtOption(sprt)| sprt.decision(&self.pairs).is_some())
    }

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
            self.adjudicated += u64::from(matches!(game.end, GameEnd::Adjudicated(_)));
            self.forfeits[game.loser()] += u64::from(game.forfeit.is_some());
            self.costs.iter_mut().zip(game.costs).for_each(|(sum, cost)| sum.add(cost));
        }
        self.openings.insert(record.key);
        // Chance does not matter: both games of a pair have the same chance outcomes.
        self.same +=
            u64::from((&first.start, &first.opening, &first.moves) == (&record.start, &record.opening, &record.moves));
        let points = first.points() + record.points();
        self.pairs.add(points);
        Some(self.so_far(points))
    }

    /// The sums so far, with the points of the last pair.
    fn so_far(&self, points: f64) -> SoFar {
        let [wins, draws, losses] = self.results;
        let found = estimate(&self.pairs);
        let interval = found.and_then(|found| found.interval);
        SoFar {
            pairs: self.pairs.pairs() as usize,
            points: Number(points),
            wins,
            draws,
            losses,
            score: Number(found.map_or(0.5, |found| found.mean)),
            elo: found.and_then(|found| elo(found.mean)),
            elo_low: interval.and_then(|(low, _)| elo(low)),
            elo_high: interval.and_then(|(_, high)| elo(high)),
            llr: self.sprt.map(|SprtOption(sprt)| rounded(sprt.log_ratio(&self.pairs))),
        }
    }
}

/// The Elo difference of a score, to two decimal places; `None` if it is infinite.
pub(super) fn elo(score: f64) -> Option<Number> {
    let elo = elo_of_score(score);
    // The sum turns -0 into 0.
    elo.is_finite().then(|| Number((elo * 100.0).round() / 100.0 + 0.0))
}
