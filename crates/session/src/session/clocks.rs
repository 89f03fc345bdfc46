//! The clocks of a game of a match: how long each move may take, and who loses on time.
//!
//! It takes the time controls of the two players, and the time that each move took. It gives the time for the
//! next search, or the clocks in the words of an engine protocol. The length of the game is estimated by a few
//! random games before the clocks start.

use super::player::MatchPlayer;
use super::{GameStart, Session};
use alphorn_lab::arena::clock::{GameClock, MOVES_AHEAD, moves_ahead};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::game::{Game, Side};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::{self, Algorithm, SearchSettings};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The random games that estimate the length of a game, and the positions that they may visit.
const GAMES: u64 = 4;
const POSITIONS: u64 = 2_000;

/// The clocks of the two players of a game.
pub(super) struct MatchClocks {
    clocks: [Option<GameClock>; 2],
    /// The side that moves first in the first position of the rules.
    first: Side,
    /// The plies that the game is expected to last.
    plies: u64,
}

/// The time for one move.
#[derive(Clone, Copy)]
pub(super) struct MoveTime {
    /// The time after which the search stops.
    pub(super) most: Option<Duration>,
    /// The time after which no further iteration begins.
    pub(super) enough: Option<Duration>,
}

impl MatchClocks {
    /// The clocks at the start of a game between A and B.
    pub(super) fn new(
        players: [&MatchPlayer; 2],
        (session, judge): (&Session, &RuleGame),
        start: &Position,
        stop: &AtomicBool,
    ) -> MatchClocks {
        let clocks = players.map(|player| player.clock.map(GameClock::new));
        if clocks == [None, None] {
            return MatchClocks { clocks, first: Side::Max, plies: 0 };
        }
        let first = session.position(judge, &GameStart::default()).ok();
        let first = first.and_then(|first| judge.to_move(&first).ok()?.side()).unwrap_or(Side::Max);
        let plies = random_length(judge, start, stop).unwrap_or(2 * MOVES_AHEAD);
        MatchClocks { clocks, first, plies }
    }

    /// The time for a player's next move, after so many plies.
    pub(super) fn time(&self, who: usize, player: &MatchPlayer, made: usize) -> MoveTime {
        let Some(clock) = &self.clocks[who] else {
            return MoveTime { most: player.time.map(Duration::from_secs_f64), enough: None };
        };
        let share = clock.share(moves_ahead(self.plies.saturating_sub(made as u64)));
        match player.algorithm {
            // The next iteration would take longer than all before it.
            Algorithm::Auto => MoveTime { most: Some((2 * share).min(clock.share(1) / 2)), enough: Some(share / 2) },
            _ => MoveTime { most: Some(share), enough: None },
        }
    }

    /// Takes the time of a move from the player's clock. Returns why the player has lost, if so.
    pub(super) fn spend(&mut self, who: usize, time: Duration) -> Option<String> {
        let clock = self.clocks[who].as_mut()?;
        let left = clock.left();
        if clock.spend(time) {
            return None;
        }
        Some(format!("out of time: the move took {:.2} s, {:.2} s were left", time.as_secs_f64(), left.as_secs_f64()))
    }

    /// The rest of a player's clock.
    pub(super) fn left(&self, who: usize) -> Option<Duration> {
        self.clocks[who].map(|clock| clock.left())
    }

    /// The clocks in the words of `go`, for the protocol `ugi` or `uci`. `max` is the place of MAX: 0 for A.
    pub(super) fn words(&self, max: usize, protocol: &str) -> String {
        let names = if protocol == "uci" { ["w", "b"] } else { ["p1", "p2"] };
        let mut words = String::new();
        for (side, name) in [self.first, self.first.other()].into_iter().zip(names) {
            let who = if side == Side::Max { max } else { 1 - max };
            if let Some(clock) = &self.clocks[who] {
                let (left, increment) = (clock.left().as_millis(), clock.increment().as_millis());
                words.push_str(&format!(" {name}time {left} {name}inc {increment}"));
            }
        }
        words
    }
}

/// The mean length of a few random games; `None` if they are too long.
fn random_length(judge: &RuleGame, start: &Position, stop: &AtomicBool) -> Option<u64> {
    let limits = Limits { nodes: Some(POSITIONS), stop: Some(stop), ..Limits::default() };
    let settings = SearchSettings { games: GAMES, ..SearchSettings::default() };
    // Faulty rules are reported when a player meets them.
    let found = search::search_with(Algorithm::Playouts, judge, &RuleEval, start, &limits, &settings).ok()?;
    Some(found.sample?.spread?.mean_plies.ceil() as u64)
}
