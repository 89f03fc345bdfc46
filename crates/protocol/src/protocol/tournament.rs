//! Plays a tournament between several sides with different settings, and rates them.

use super::conditions::Conditions;
use super::contest_games::ContestGames;
use super::contest_play::Contest;
use super::form::{Form, Start, command_line_defaults};
use super::host::{Host, Listen, refusal};
use super::match_options::{self, GamesOption, MOST_GAMES, OneOrMore};
use super::match_reply::MatchEndReason;
use super::named_side::{NamedSide, all_sides};
use super::record;
use super::tournament_record::{RecordedSide, TournamentHeader};
use super::tournament_reply::{Reply, reply};
use alphorn_lang::lang::near::nearest;
use alphorn_session::session::SessionResult;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The number of games of a pairing, if none is given.
const GAMES: u32 = 100;

/// A request for a tournament.
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
    /// A side: options as for --a of alphorn match, with or without a name before the options, as in
    /// 'deep=--depth 4'; give this option once for each side
    #[arg(long, value_name = "NAME=SETTINGS", allow_hyphen_values = true)]
    pub side: Vec<NamedSide>,
    /// More sides: a file with one side on each line
    #[arg(long, value_name = "FILE")]
    pub sides: Option<String>,
    /// The first side plays against all others (default: each side plays against each other side)
    #[arg(long)]
    pub gauntlet: bool,
    /// Even number of games of each pairing, two from each opening (default: 100). Or a file that records the games,
    /// such as games.jsonl; an interrupted tournament continues from this file. Give the option twice for both
    #[arg(long, value_name = "N|FILE")]
    #[serde(with = "match_options::games")]
    #[schemars(with = "OneOrMore")]
    pub games: Vec<GamesOption>,
    /// Give this side the rating 0 (default: the mean rating is 0)
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub anchor: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    /// The conditions of the games.
    pub conditions: Conditions,
}

command_line_defaults!(Request);

impl Request {
    /// The record of the games, if there is one.
    pub fn record(&self) -> Option<&Path> {
        match_options::record(&self.games)
    }

    /// The number of games of each pairing.
    fn games_of_pairing(&self) -> u32 {
        match_options::count(&self.games).unwrap_or(GAMES)
    }

    /// The number of all games between this number of sides.
    pub fn all_games(&self, sides: usize) -> u64 {
        let pairings = if self.gauntlet { sides.saturating_sub(1) } else { sides * sides.saturating_sub(1) / 2 };
        pairings as u64 * u64::from(self.games_of_pairing())
    }
}

/// A request for the ratings of a recorded tournament.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportRequest {
    /// The record that `tournament` wrote.
    pub file: PathBuf,
    /// The side with the rating 0; null or missing: the mean rating is 0.
    pub anchor: Option<String>,
}

/// Plays a tournament.
///
/// # Errors
///
/// The rules, the sides or their settings contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    match_options::check_games(&request.games)?;
    let sides = all_sides(&request.side, request.sides.as_deref())?;
    let named = sides.iter().map(|side| (side.name(), &side.side));
    let conditions = (&request.form, &request.start, &request.conditions);
    let contest = Contest::load(named, conditions, (host, listen))?;
    let recorded = |(at, side): (usize, &NamedSide)| RecordedSide {
        name: side.name().to_string(),
        settings: side.side.text.clone(),
        rules: contest.own_rules(at),
    };
    let header = TournamentHeader {
        rules: contest.rules::<TournamentHeader>(),
        sides: sides.iter().enumerate().map(recorded).collect(),
        gauntlet: request.gauntlet,
        conditions: contest.recorded.clone(),
        times: contest.times(),
    };
    let anchor = anchor(request.anchor.as_deref(), &header)?;
    let count = game_count(request, sides.len())?;
    let games = ContestGames::new(header.schedule(), None);
    let (games, ended) = contest.play(&header, games, (count, request.record()), (host, listen))?;
    Ok(reply(&games, &header, anchor, ended))
}

/// Rates the sides of a recorded tournament.
///
/// # Errors
///
/// The file is no record, or cannot be read, or has no side with the name of the anchor.
pub fn report(request: &ReportRequest) -> SessionResult<Reply> {
    let mut games: Option<ContestGames> = None;
    let header: TournamentHeader = record::report(&request.file, &mut |header: &TournamentHeader, game| {
        games.get_or_insert_with(|| ContestGames::new(header.schedule(), None)).add(&game);
    })?;
    let anchor = anchor(request.anchor.as_deref(), &header)?;
    let games = games.unwrap_or_else(|| ContestGames::new(header.schedule(), None));
    Ok(reply(&games, &header, anchor, MatchEndReason::Record))
}

/// The place of the side whose rating is 0.
fn anchor(name: Option<&str>, header: &TournamentHeader) -> SessionResult<Option<usize>> {
    let Some(name) = name else { return Ok(None) };
    let names = || header.sides.iter().map(|side| side.name.as_str());
    match names().position(|other| other == name) {
        Some(side) => Ok(Some(side)),
        None => {
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean --anchor '{near}'?"),
                None => format!("name one of the sides: {}", names().collect::<Vec<_>>().join(", ")),
            };
            Err(refusal(format!("no side has the name {name}"), help))
        }
    }
}

/// The number of all games, if it is not too great.
fn game_count(request: &Request, sides: usize) -> SessionResult<u32> {
    let (each, all) = (u64::from(request.games_of_pairing()), request.all_games(sides));
    if all > MOST_GAMES {
        let pairings = all / each;
        let message = format!("{each} games of each of {pairings} pairings are {all} games, more than {MOST_GAMES}");
        return Err(refusal(message, format!("write --games {}, or fewer", (MOST_GAMES / pairings) & !1)));
    }
    Ok(all as u32)
}
