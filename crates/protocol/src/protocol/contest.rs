//! Plays a match between two sides with different settings, and estimates the error of its score.

use super::conditions::{Conditions, known, openings};
use super::data::Number;
use super::forfeit_notes::ForfeitNotes;
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen};
use super::match_options::{self, GamesOption, OneOrMore, SprtOption};
use super::match_record::{MatchGames, RecordHeader};
use super::match_reply::{Asked, MatchEnding, Reply, reply};
use super::partial::{Game, SoFar, Which};
use super::record;
use super::recorded_game::ended;
use super::side::{Side, check_players, of_side, player};
use super::sums::Sums;
use super::words::Whole;
use alphorn_rules::rules::Expected;
use alphorn_session::session::contest::MatchSetup;
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::openings::{MatchOpenings, OpeningSource};
use alphorn_session::session::player::MatchPlayer;
use alphorn_session::session::schedule::Schedule;
use alphorn_session::session::{Session, SessionResult};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The number of games, if none is given.
const GAMES: u32 = 100;

/// The greatest number of games of a test, if none is given.
const SPRT_GAMES: u32 = 100_000;

/// A request for a match.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position in which the openings begin.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game, for the rules that decide which moves are legal and who wins.
    pub form: Form,
    /// Options of player A, as for alphorn value: '--depth 4 --with mine.pl' (default limit: 1,000 positions a move); or engine:COMMAND, an external engine
    #[arg(long, value_name = "SETTINGS", default_value = "", allow_hyphen_values = true)]
    pub a: Side,
    /// Options of player B
    #[arg(long, value_name = "SETTINGS", default_value = "", allow_hyphen_values = true)]
    pub b: Side,
    /// Even number of games, two from each opening (default: 100; with --sprt 100,000). Or a file that records the
    /// games, such as games.jsonl; an interrupted match continues from this file. Give the option twice for both
    #[arg(long, value_name = "N|FILE")]
    #[serde(with = "match_options::games")]
    #[schemars(with = "OneOrMore")]
    pub games: Vec<GamesOption>,
    /// Stop when this test is decided: elo0=0,elo1=10[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub sprt: Option<SprtOption>,
    #[command(flatten)]
    #[serde(flatten)]
    /// The conditions of the games.
    pub conditions: Conditions,
}

impl Request {
    /// The record of the games, if there is one.
    pub fn record(&self) -> Option<&Path> {
        match_options::record(&self.games)
    }

    /// The number of games.
    pub fn count(&self) -> u32 {
        let usual = if self.sprt.is_some() { SPRT_GAMES } else { GAMES };
        match_options::count(&self.games).unwrap_or(usual)
    }
}

/// A request for the statistics of a recorded match.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReportRequest {
    /// The record that `match` wrote.
    pub file: PathBuf,
}

command_line_defaults!(Request);

/// Plays a match.
///
/// # Errors
///
/// The rules or the settings of a side contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    match_options::check_games(&request.games)?;
    let session = host.session(&request.form, Expected::Game, &host.stop, listen)?;
    let named = |(name, side)| player(name, side, &request.form, host).map_err(|failure| of_side(failure, name));
    let players = [("A", &request.a), ("B", &request.b)].map(named);
    let players = players.into_iter().collect::<SessionResult<Vec<_>>>()?;
    check_players(&players, (&session, host), listen)?;
    let conditions = &request.conditions;
    let (source, openings_text) = openings(conditions)?;
    let plies = match source {
        OpeningSource::Random { plies } => Some(plies),
        _ => None,
    };
    let known = conditions.adjudicate.as_ref().map(|path| known(&session, path)).transpose()?;
    let own = |at: usize| players[at].own.as_ref().map(Session::identity);
    let header = RecordHeader {
        rules: session.identity(),
        a: request.a.text.clone(),
        b: request.b.text.clone(),
        a_rules: own(0),
        b_rules: own(1),
        seed: conditions.seed,
        openings: conditions.openings.to_string(),
        openings_text,
        opening_plies: plies.map(u64::from),
        balance: conditions.balance.map(|balance| balance.to_string()),
        max_plies: conditions.max_plies.get(),
        adjudicate: conditions.adjudicate.clone(),
        adjudicate_values: known.as_ref().map(|known| known.count(&session)).transpose()?,
        sprt: request.sprt,
        times: conditions.times || players.iter().any(MatchPlayer::depends_on_time),
        ..RecordHeader::of(&request.start)
    };
    let asked = Asked { settings: [&request.a.text, &request.b.text], opening_plies: header.opening_plies };
    let mut games = MatchGames { sums: Sums::new(request.sprt), keys: Vec::new(), count: 0 };
    let mut record = match request.record() {
        Some(path) => Some(games.resume(path, header.clone(), &session, host, (request.count(), listen))?),
        None => None,
    };
    let setup = MatchSetup {
        command: "match",
        players,
        schedule: Schedule::of_match(),
        openings: MatchOpenings {
            start: &request.start.place(),
            source,
            balance: conditions.balance.map(|balance| balance.0),
            seed: conditions.seed,
            played: std::mem::take(&mut games.keys),
            avoided: Vec::new(),
        },
        played: games.count,
        games: request.count(),
        longest: conditions.max_plies.get() as u32,
        known,
        threads: Whole::or_cores(conditions.jobs),
    };
    if games.sums.decided() {
        return Ok(reply(&games.sums, &asked, MatchEnding::Sprt));
    }
    let (mut unwritten, mut forfeits) = (None, ForfeitNotes::default());
    let end = session.contest(&setup, &mut |game| {
        if let Some(Err(failure)) = record.as_mut().map(|record| record.add(&game)) {
            unwritten = Some(failure);
            return ControlFlow::Break(());
        }
        let so_far = games.add(&game);
        forfeits.add(&game, ["A", "B"], listen);
        listen(Event::Game(self::game(&game, so_far)));
        if games.sums.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    forfeits.rest(listen);
    match unwritten {
        Some(failure) => Err(failure),
        None => Ok(reply(&games.sums, &asked, end.into())),
    }
}

/// Computes the statistics of a recorded match.
///
/// # Errors
///
/// The file is no record, or cannot be read.
pub fn report(request: &ReportRequest) -> SessionResult<Reply> {
    let mut sums = Sums::default();
    let header: RecordHeader = record::report(&request.file, &mut |_, game| {
        sums.add(&game);
    })?;
    sums.sprt = header.sprt;
    let asked = Asked { settings: [&header.a, &header.b], opening_plies: header.opening_plies };
    let ended = if sums.decided() { MatchEnding::Sprt } else { MatchEnding::Record };
    Ok(reply(&sums, &asked, ended))
}

/// The event for a game.
pub(super) fn game(record: &GameRecord, so_far: Option<SoFar>) -> Game {
    let (winner, end) = ended(record);
    Game {
        game: record.number,
        sides: None,
        max: if record.max == 0 { Which::A } else { Which::B },
        position: record.start.clone(),
        opening: record.opening.clone(),
        moves: record.moves.clone(),
        outcome: winner.into(),
        end,
        forfeit: record.forfeit.clone(),
        points: Number(record.points()),
        so_far,
        standings: None,
    }
}
