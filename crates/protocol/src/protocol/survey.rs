//! Computes statistics of a game by random play, for its designer.

use super::data::{Number, rounded};
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Event, Host, Listen};
use super::words::{Seconds, Whole};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::sample::survey::{MOST, Survey};
use alphorn_session::session::SessionResult;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for statistics of random games.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Number of random games
    #[arg(long, value_name = "N", default_value = "1000")]
    pub games: Whole<1, 1_000_000_000>,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Number of threads, which does not change the result (default: all cores)
    #[arg(long, value_name = "N")]
    pub threads: Option<Whole<1, 1024>>,
    /// Stop after this many seconds, with the results so far
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
}

command_line_defaults!(Request);

/// The statistics of random games.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The number of random games played.
    pub games: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The length of a game, in moves of players.
    pub length: Length,
    /// The mean number of legal moves, over the positions in which a player moved.
    #[schemars(range(min = 0))]
    pub branching: Number,
    /// The greatest number of legal moves in one position.
    pub most_moves: usize,
    /// The share of the games won by the player who moved first, from 0 to 1; null without a game.
    #[schemars(range(min = 0, max = 1))]
    pub first_player: Option<Number>,
    /// The share of the games won by the other player, from 0 to 1; null without a game.
    #[schemars(range(min = 0, max = 1))]
    pub second_player: Option<Number>,
    /// The share of the games won by MAX, from 0 to 1; null without a game.
    #[schemars(range(min = 0, max = 1))]
    pub max: Option<Number>,
    /// The share of drawn games, from 0 to 1; null without a game.
    #[schemars(range(min = 0, max = 1))]
    pub drawn: Option<Number>,
    /// The share of the games stopped because of their length, from 0 to 1; null without a game.
    #[schemars(range(min = 0, max = 1))]
    pub unfinished: Option<Number>,
    /// The standard error of `first_player`; null without a game.
    #[schemars(range(min = 0))]
    pub standard_error: Option<Number>,
    /// The standard error of `second_player`; null without a game.
    #[schemars(range(min = 0))]
    pub second_standard_error: Option<Number>,
    /// The share of positions in which the player to move could win at once, from 0 to 1; null without a
    /// position.
    #[schemars(range(min = 0, max = 1))]
    pub decisive: Option<Number>,
    /// The share of these positions in which the player won at once, from 0 to 1; null if there were none.
    #[schemars(range(min = 0, max = 1))]
    pub decided: Option<Number>,
    /// The mean number of chance moves in a game.
    #[schemars(range(min = 0))]
    pub throws: Number,
    /// The number of different positions visited, without positions in which the game is over.
    pub positions: usize,
    /// Whether Alphorn stopped counting positions: there may be more than `positions`.
    pub positions_limited: bool,
    /// The lengths: pairs of a length in moves and the number of games of this length.
    pub lengths: Vec<(u32, u64)>,
    /// The mean number of legal moves at the first move of a game, at the second move, and so on.
    pub branching_by_move: Vec<Number>,
    /// The time of the request, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// Whether a time limit or an interrupt stopped play before all games were played.
    pub stopped: bool,
}

/// The length of random games, in moves of players.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Length {
    /// The mean length.
    #[schemars(range(min = 0))]
    pub mean: Number,
    /// The standard deviation of the length.
    #[schemars(range(min = 0))]
    pub standard_deviation: Number,
    /// The median length.
    pub median: u32,
    /// The length that 95 % of the games do not exceed.
    pub quantile_95: u32,
    /// The length of the longest game.
    pub longest: u32,
}

/// Plays the random games.
///
/// # Errors
///
/// The rules or the request contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let at = host.game((&request.form, &request.start), request.time, listen)?;
    let AtPosition { session, game, state, clock, .. } = at;
    let hear = |nodes| listen(Event::positions(nodes));
    let limits = Limits { stop: Some(clock.flag()), progress: Some(&hear), ..Limits::default() };
    let threads = Whole::or_cores(request.threads);
    let found = session.survey(&game, &state, (request.games.get(), request.seed, threads), &limits)?;
    Ok(reply(&found, request.seed, clock.seconds()))
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The standard error of a share of so many games.
fn error(part: u64, games: u64) -> Option<f64> {
    let share = share(part, games)?;
    Some((share * (1.0 - share) / games as f64).sqrt())
}

fn reply(found: &Survey, seed: u64, seconds: f64) -> Reply {
    let games = found.games;
    let (mean, deviation) = found.length();
    let part = |part: u64| share(part, games).map(rounded);
    let branching = |(positions, moves): &(u64, u64)| rounded(share(*moves, *positions).unwrap_or_default());
    Reply {
        games,
        seed,
        length: Length {
            mean: rounded(mean),
            standard_deviation: rounded(deviation),
            median: found.quantile(0.5),
            quantile_95: found.quantile(0.95),
            longest: found.quantile(1.0),
        },
        branching: rounded(found.branching()),
        most_moves: found.most_moves,
        first_player: part(found.first_wins),
        second_player: part(found.second_wins),
        max: part(found.max_wins),
        drawn: part(found.draws),
        unfinished: part(found.unfinished),
        standard_error: error(found.first_wins, games).map(rounded),
        second_standard_error: error(found.second_wins, games).map(rounded),
        decisive: share(found.decisive, found.positions()).map(rounded),
        decided: share(found.decided, found.decisive).map(rounded),
        throws: rounded(found.throws as f64 / games.max(1) as f64),
        positions: found.met.len(),
        positions_limited: found.met.len() == MOST,
        lengths: found.lengths.iter().map(|(length, games)| (*length, *games)).collect(),
        branching_by_move: found.choices.iter().map(branching).collect(),
        seconds,
        stopped: found.stopped,
    }
}
