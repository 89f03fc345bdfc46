//! Lists the legal moves of a position, and counts lines of play (perft).

use super::data::{State, Turn, Winner};
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Event, Host, Listen};
use super::term::term;
use super::words::{Seconds, Whole};
use alphorn_session::session::workspace::GameStatus;
use alphorn_session::session::{SessionResult, ShownMove};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::Cell;

/// Which moves to list.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// Give the positions as JSON terms too
    #[arg(skip)]
    pub terms: bool,
}

command_line_defaults!(Request);

/// A position with its legal moves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// the position, in the notation of the game or as a term
    pub position: String,
    /// the position as a JSON term; only if asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<Value>,
    /// lines of its picture; null if the game draws none
    pub picture: Option<Vec<String>>,
    /// who moves; null if the game is over
    pub turn: Option<Turn>,
    /// who has won; null if the game goes on
    pub outcome: Option<Winner>,
    /// the game is drawn because the position occurred before
    pub repetition: bool,
    /// moves have labels of their own; otherwise their labels are their positions
    pub labelled: bool,
    /// the legal moves, in the order of the rules
    pub moves: Vec<Move>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "LegalMove")]
pub struct Move {
    /// its label, in the notation of the game
    pub label: String,
    /// the position after it
    pub next: String,
    /// of a move of chance: how likely it is, as a weight
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u64>,
}

impl From<ShownMove> for Move {
    fn from(mv: ShownMove) -> Move {
        Move { label: mv.label, next: mv.next, weight: mv.weight }
    }
}

/// Lists the moves.
///
/// # Errors
///
/// The rules or the request contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let AtPosition { session, game, state, .. } = host.game((&request.form, &request.start), None, listen)?;
    let standing = session.standing_at(&game, &state)?;
    let is_over = matches!(standing, GameStatus::Over(_) | GameStatus::Repeated);
    let moves = if is_over { Vec::new() } else { session.moves(&game, &state)? };
    let State { turn, outcome, repetition } = State::from(&standing);
    Ok(Reply {
        position: session.position_text(&game, &state)?,
        term: request.terms.then(|| term(&state.0, || session.term(&state))),
        picture: session.picture(&game, &state)?,
        turn,
        outcome,
        repetition,
        labelled: session.rules.contract.labelled.is_some(),
        moves: moves.into_iter().map(Move::from).collect(),
    })
}

/// What to count.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PerftRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// Depth of the count, in plies
    #[arg(long, value_name = "N")]
    pub depth: Whole<0, 10_000>,
    /// Stop after this many seconds, with the results so far
    #[arg(long, value_name = "SECONDS")]
    #[serde(default)]
    pub time: Option<Seconds>,
}

/// How many lines of play there are.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PerftReply {
    /// a row for every depth that was counted to its end, from 1
    pub perft: Vec<Paths>,
    /// stopped before the last depth was finished
    pub stopped: bool,
    /// positions visited for the depth that was not finished; 0 if none was begun
    pub unfinished: u64,
}

/// A count.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Paths {
    /// plies
    pub depth: u32,
    /// lines of play of so many plies
    pub paths: u64,
}

/// Counts the lines of play of each length.
///
/// # Errors
///
/// The rules or the request contain an error.
pub fn perft(request: &PerftRequest, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<PerftReply> {
    let at = host.game((&request.form, &request.start), request.time, listen)?;
    let AtPosition { session, game, state, clock: _clock } = at;
    let (mut rows, last) = (Vec::new(), Cell::new(0));
    let hear = |positions| {
        last.set(positions);
        listen(Event::positions(positions));
    };
    let depth = request.depth.get() as u32;
    let stopped = session.perft_by_depth(&game, &state, depth, &hear, &mut |depth, paths| {
        let row = Paths { depth, paths };
        listen(Event::Perft(row.clone()));
        rows.push(row);
        last.set(0);
    })?;
    Ok(PerftReply { perft: rows, stopped, unfinished: if stopped { last.get() } else { 0 } })
}
