//! Formats whose turn it is, or how the game ended, for all commands.

use crate::cli::value::average;
use alphorn_protocol::protocol::data::{Number, State, Turn, Winner};
use alphorn_session::session::workspace::GameStatus;

/// Formats the status of a game.
pub fn text(status: &GameStatus) -> String {
    let State { turn, outcome, repetition } = status.into();
    line(turn, outcome, repetition)
}

/// Formats the status of a game with the score of MAX, if there is one.
pub fn scored((turn, outcome, repetition): (Option<Turn>, Option<Winner>, bool), points: Option<Number>) -> String {
    let status = line(turn, outcome, repetition);
    match points {
        Some(points) => format!("{status}, {} for MAX", average(points.0)),
        None => status,
    }
}

/// Formats the same fields of a reply.
pub fn line(turn: Option<Turn>, outcome: Option<Winner>, repetition: bool) -> String {
    let told = match (turn, outcome) {
        (Some(Turn::Max), _) => "MAX to move",
        (Some(Turn::Min), _) => "MIN to move",
        (Some(Turn::Chance), _) => "chance moves: type :go",
        (None, Some(Winner::Max)) => "the game is over: MAX wins",
        (None, Some(Winner::Min)) => "the game is over: MIN wins",
        (None, _) if repetition => "the game is over: a draw by repetition",
        (None, _) => "the game is over: a draw",
    };
    told.to_string()
}
