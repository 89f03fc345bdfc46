//! Collects what the games of tuning leave: results, openings, and positions.

use super::options::TuneMethod;
use super::request::SelfPlay;
use crate::protocol::host::{Event, Listen, Progress, Unit};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::tuning::samples::{GameSample, result_for_max};
use alphorn_session::session::{Session, SessionResult};

/// The greatest number of positions that a climb keeps, to compare choices of moves.
const ENOUGH: usize = 200;

/// The games so far.
pub(super) struct Tally<'a> {
    session: &'a Session,
    game: RuleGame,
    /// One in so many positions, and the plies to settle them.
    taken: (u32, u32),
    /// The number of all games to come.
    all: u32,
    method: TuneMethod,
    listen: Listen<'a>,
    count: u32,
    /// The numbers of wins of MAX, draws and wins of MIN.
    pub(super) results: [u64; 3],
    /// The keys of the positions after the openings.
    pub(super) keys: Vec<u128>,
    /// The positions.
    pub(super) samples: Vec<GameSample>,
}

impl<'a> Tally<'a> {
    pub(super) fn new(
        session: &'a Session,
        (options, method): (&SelfPlay, TuneMethod),
        listen: Listen<'a>,
    ) -> SessionResult<Tally<'a>> {
        let game = session.game()?;
        let (keys, samples) = (Vec::new(), Vec::new());
        let taken = (options.every.get() as u32, options.settle.get() as u32);
        let all = options.count();
        Ok(Tally { session, game, taken, all, method, listen, count: 0, results: [0; 3], keys, samples })
    }

    /// The number of games.
    pub(super) fn games(&self) -> u32 {
        self.count
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub(super) fn add(&mut self, game: &GameRecord) -> SessionResult<()> {
        self.count += 1;
        self.keys.push(game.key);
        if let Some(result) = result_for_max(game.end) {
            self.results[(2.0 - 2.0 * result) as usize] += 1;
        }
        if self.method == TuneMethod::Logistic || self.samples.len() < ENOUGH {
            let number = GameRecord { number: self.count, ..game.clone() };
            self.samples.extend(self.session.game_samples(&self.game, &number, self.taken)?);
        }
        let (done, total) = (u64::from(self.count), Some(u64::from(self.all)));
        (self.listen)(Event::Progress(Progress { unit: Unit::Games, done, total, task: None }));
        Ok(())
    }

    /// The positions of all games.
    pub(super) fn positions(&self) -> Vec<Position> {
        self.samples.iter().map(|sample| sample.position.clone()).collect()
    }
}
