//! The conditions of the games of a match or a tournament: openings, lengths, adjudication, seed and jobs.
//!
//! It has the options that both commands share, and finds the openings and values that they name.

use super::form::command_line_defaults;
use super::host::refusal;
use super::match_options::{BalanceOption, OpeningPlies, OpeningsOption};
use super::words::Whole;
use alphorn_search::game::Game as _;
use alphorn_session::session::database::{Database, hash_of_texts};
use alphorn_session::session::openings::OpeningSource;
use alphorn_session::session::options::source;
use alphorn_session::session::{Session, SessionResult};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The number of random moves of an opening, if none is given.
const PLIES: u32 = 4;

/// The conditions of the games.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Conditions {
    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Openings, each for one pair of games: random, initial (the answers of initial/1), or a file with a position
    /// or a list of moves on each line
    #[arg(long, value_name = "SOURCE", default_value_t)]
    pub openings: OpeningsOption,
    /// Random moves at the beginning of each game (4)
    #[arg(long, value_name = "K")]
    pub opening_plies: Option<OpeningPlies>,
    /// Use only openings with |value| <= X in a search of D plies: value=X,depth=D
    #[arg(long, value_name = "FILTER")]
    pub balance: Option<BalanceOption>,
    /// Stop a game N plies after the opening: half a point for each side
    #[arg(long, value_name = "N", default_value = "1000")]
    pub max_plies: Whole<1, 10_000>,
    /// End a game when the value of the position is in this file, which alphorn solve --save wrote
    #[arg(long, value_name = "FILE")]
    pub adjudicate: Option<PathBuf>,
    /// Games at a time, each with one thread (default: all cores)
    #[arg(long, value_name = "N", visible_alias = "threads")]
    pub jobs: Option<Whole<1, 1024>>,
    /// Add the time of each move to the record of the games
    #[arg(long)]
    pub times: bool,
}

command_line_defaults!(Conditions);

/// The source of the openings, and a hash of its file.
///
/// # Errors
///
/// The file cannot be read, or `--opening-plies` has no effect.
pub(super) fn openings(request: &Conditions) -> SessionResult<(OpeningSource, Option<String>)> {
    let plies = request.opening_plies.map(|plies| plies.get() as u32);
    if request.openings != OpeningsOption::Random && plies.is_some() {
        let message = format!("--opening-plies has no effect with --openings {}", request.openings);
        return Err(refusal(message, "random moves are only for --openings random: leave out one of the two options"));
    }
    Ok(match &request.openings {
        OpeningsOption::Random => (OpeningSource::Random { plies: plies.unwrap_or(PLIES) }, None),
        OpeningsOption::Initial => (OpeningSource::Initial, None),
        OpeningsOption::File(name) => {
            let source = source(name)?;
            let hash = format!("{:032x}", hash_of_texts([&*source.text]));
            (OpeningSource::Listed { name: name.clone(), text: source.text.to_string() }, Some(hash))
        }
    })
}

/// The values that end games, from a file of `solve --save`.
///
/// # Errors
///
/// The game has chance moves, or the file has no values of this game.
pub(super) fn known(session: &Session, path: &Path) -> SessionResult<Database> {
    if session.game()?.facts().has_chance {
        return Err(refusal(
            "--adjudicate cannot end a game with chance moves: its values are averages",
            "leave out --adjudicate",
        ));
    }
    Database::open(session, path)
}
