//! The finished games of a match or a tournament, with the sums of each pairing. A match has one pairing.

use super::data::Number;
use super::match_options::SprtOption;
use super::partial::{SoFar, Standing};
use super::sums::Sums;
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::schedule::Schedule;

/// The finished games.
pub(super) struct ContestGames {
    pub(super) schedule: Schedule,
    /// The sums of each pairing.
    pub(super) sums: Vec<Sums>,
    /// For each side, its games and its points after each of its pairs.
    pub(super) course: Vec<Vec<(u64, f64)>>,
    /// The openings whose games are all played.
    pub(super) keys: Vec<u128>,
    pub(super) count: u32,
}

impl ContestGames {
    /// No games of this schedule. Each pairing has this test.
    pub(super) fn new(schedule: Schedule, sprt: Option<SprtOption>) -> ContestGames {
        ContestGames {
            sums: schedule.pairings().iter().map(|_| Sums::new(sprt)).collect(),
            course: vec![Vec::new(); schedule.sides()],
            keys: Vec::new(),
            count: 0,
            schedule,
        }
    }

    /// Adds the next game. Returns the sums of its pairing if the game completes a pair.
    pub(super) fn add(&mut self, record: &GameRecord) -> Option<SoFar> {
        let place = self.schedule.game(self.count);
        self.count += 1;
        if self.count.is_multiple_of(self.schedule.games_of_opening()) {
            self.keys.push(record.key);
        }
        let so_far = self.sums[place.pairing].add(record)?;
        let Number(points) = so_far.points;
        for (side, points) in place.sides.into_iter().zip([points, 2.0 - points]) {
            let (games, before) = self.total(side);
            self.course[side].push((games + 2, before + points));
        }
        Some(so_far)
    }

    /// Whether the test of a pairing is decided.
    pub(super) fn decided(&self) -> bool {
        self.sums.iter().any(Sums::decided)
    }

    /// The games and the points of a side.
    fn total(&self, side: usize) -> (u64, f64) {
        self.course[side].last().copied().unwrap_or_default()
    }

    /// The games and the points of the sides with these names.
    pub(super) fn standings<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<Standing> {
        let standing = |(side, name): (usize, &str)| {
            let (games, points) = self.total(side);
            Standing { name: name.to_string(), games, points: Number(points) }
        };
        names.enumerate().map(standing).collect()
    }
}
