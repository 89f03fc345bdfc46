//! Plays a match between two sides with different settings, and estimates the error of its score.

use super::conditions::Conditions;
use super::contest_games::ContestGames;
use super::contest_play::Contest;
use super::form::{Form, Start, command_line_defaults};
use super::host::{Host, Listen};
use super::match_options::{self, GamesOption, OneOrMore, SprtOption};
use super::match_record::RecordHeader;
use super::match_reply::{MatchEndReason, Reply, reply};
use super::record;
use super::side::Side;
use super::sums::Sums;
use alphorn_session::session::SessionResult;
use alphorn_session::session::schedule::Schedule;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
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
    let sides = [("A", &request.a), ("B", &request.b)];
    let conditions = (&request.form, &request.start, &request.conditions);
    let contest = Contest::load(sides.into_iter(), conditions, (host, listen))?;
    let header = RecordHeader {
        rules: contest.rules::<RecordHeader>(),
        a: request.a.text.clone(),
        b: request.b.text.clone(),
        a_rules: contest.own_rules(0),
        b_rules: contest.own_rules(1),
        conditions: contest.recorded.clone(),
        sprt: request.sprt,
        times: contest.times(),
    };
    let games = ContestGames::new(Schedule::of_match(), request.sprt);
    let (games, ended) = contest.play(&header, games, (request.count(), request.record()), (host, listen))?;
    Ok(reply(&games.sums[0], [&header.a, &header.b], header.conditions.opening_plies, ended))
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
    let ended = if sums.decided() { MatchEndReason::Sprt } else { MatchEndReason::Record };
    Ok(reply(&sums, [&header.a, &header.b], header.conditions.opening_plies, ended))
}
