//! Plays the games of tuning: self-play, pairs of two points, and the final match.
//!
//! It takes players and openings. It gives every game to a function, in order. Games that the record holds
//! are not played again.

use super::record::TuneRecord;
use super::request::SelfPlay;
use crate::protocol::match_options::OpeningPlies;
use crate::protocol::recorded_game::RecordedPlace;
use crate::protocol::words::Whole;
use alphorn_search::advice::AdviceLevel;
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::backup::Backup;
use alphorn_search::search::sample::flat::GAMES;
use alphorn_search::search::sample::mcts::TreeGrowth;
use alphorn_session::session::contest::{MatchEnd, MatchSetup};
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::openings::{MatchOpenings, OpeningSource};
use alphorn_session::session::player::MatchPlayer;
use alphorn_session::session::schedule::Schedule;
use alphorn_session::session::{GameStart, Session, SessionResult};
use std::ops::ControlFlow;

/// The positions per move, if the request sets no limit.
const NODES: u64 = 1000;

/// The number of random moves of an opening, if none is given. Self-play uses each opening once, so that many
/// different ones are needed.
const PLIES: u32 = 6;

/// The bytes of a player's table.
const HASH: u64 = 16 << 20;

/// One series of games of tuning.
pub(super) struct Series<'a> {
    /// The first position.
    pub(super) start: &'a GameStart,
    /// The options of the games.
    pub(super) options: &'a SelfPlay,
    /// The seed of the openings.
    pub(super) seed: u64,
    /// The number of games before this series in the record.
    pub(super) before: u32,
    /// The number of games.
    pub(super) games: u32,
    /// The games from each opening.
    pub(super) schedule: Schedule,
    /// The openings that must not occur.
    pub(super) avoided: Vec<u128>,
}

/// A player with the search settings of a request.
pub(super) fn player(options: &SelfPlay, own: Option<Session>, name: &str) -> MatchPlayer {
    MatchPlayer {
        own,
        algorithm: Algorithm::Auto,
        hash: HASH,
        seed: None,
        shuffle: None,
        heuristic: false,
        advice: AdviceLevel::Order,
        depth: options.depth,
        nodes: options.nodes.map(Whole::get).or(options.depth.is_none().then_some(NODES)),
        time: None,
        backup: Backup::MEAN,
        games: GAMES,
        growth: TreeGrowth::default(),
        clock: None,
        engine: None,
        name: name.to_string(),
    }
}

/// Plays a series. `tell` receives every game, numbered from 1 in its series, and may end the series.
///
/// # Errors
///
/// The rules fail, or the record cannot be written.
pub(super) fn play(
    session: &Session,
    players: [MatchPlayer; 2],
    series: Series<'_>,
    record: &mut TuneRecord,
    tell: &mut dyn FnMut(&GameRecord) -> SessionResult<ControlFlow<()>>,
) -> SessionResult<MatchEnd> {
    let Series { start, options, seed, before, games, schedule, avoided } = series;
    let each = schedule.games_of_opening();
    let place = |number: u32| {
        let pair = schedule.game(number - 1).opening + 1;
        RecordedPlace { pair, seed, sides: None, times: false }
    };
    let (mut played, mut keys) = (0, Vec::new());
    while played < games {
        let Some(game) = record.next_game(before + played + 1, &place(played + 1)) else { break };
        let game = GameRecord { number: played + 1, ..game };
        played += 1;
        if played % each == 0 {
            keys.push(game.key);
        }
        if tell(&game)?.is_break() {
            return Ok(MatchEnd::Decided);
        }
    }
    if played == games {
        return Ok(MatchEnd::Games);
    }
    // A start that knows nothing would always choose the first move of the rules.
    let shuffle = (each == 1).then_some(seed);
    let setup = MatchSetup {
        command: "tune",
        players: players.into_iter().map(|player| MatchPlayer { shuffle, ..player }).collect(),
        schedule: schedule.clone(),
        openings: MatchOpenings {
            start,
            source: OpeningSource::Random { plies: opening_plies(options.opening_plies) },
            balance: None,
            seed,
            played: keys,
            avoided,
        },
        played,
        games,
        longest: options.max_plies.get() as u32,
        known: None,
        threads: Whole::or_cores(options.jobs),
    };
    let mut failed = None;
    let end = session.contest(&setup, &mut |game| {
        let line = GameRecord { number: before + game.number, ..game.clone() };
        match record.add_game(&line, place(game.number)).and_then(|()| tell(&game)) {
            Ok(flow) => flow,
            Err(failure) => {
                failed = Some(failure);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or(Ok(end), Err)
}

/// The number of random moves of an opening.
fn opening_plies(given: Option<OpeningPlies>) -> u32 {
    given.map_or(PLIES, |plies| plies.get() as u32)
}
