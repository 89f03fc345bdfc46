//! Lists the legal moves of a position, and counts the lines of each length (perft).

use super::board::{Board, BoardReader, ShownOutcome};
use super::data::{Number, State, Turn, Winner};
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Event, Host, Listen};
use super::partial::Paths;
use super::term::{JsonTerm, term};
use super::words::{Seconds, Whole};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::workspace::GameStatus;
use alphorn_session::session::{Session, SessionResult, ShownMove};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::Cell;

/// A request for the legal moves of a position.
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
    /// Whether the reply also gives the position as a JSON term.
    #[arg(skip)]
    pub terms: bool,
    /// Whether the reply also gives the board, and the squares of each move.
    #[arg(skip)]
    pub board: bool,
}

command_line_defaults!(Request);

/// A position with its legal moves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The position, in the notation of the game, or as a term if the game has no notation.
    pub position: String,
    /// The position as a JSON term. Missing unless the request sets `terms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<JsonTerm>")]
    pub term: Option<Value>,
    /// The lines of the picture of the position; null if the game has no picture.
    pub picture: Option<Vec<String>>,
    /// The board. Missing unless the request sets `board`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// The player to move, or `chance`; null if the game is over.
    pub turn: Option<Turn>,
    /// The winner, or `draw`; null if the game is not over.
    pub outcome: Option<Winner>,
    /// Whether the game is drawn because the position occurred before.
    pub repetition: bool,
    /// The score of MAX; null unless the game ends here with a score.
    pub points: Option<Number>,
    /// Whether the game gives labels to moves; otherwise the label of a move is the position after the move.
    pub labelled: bool,
    /// The legal moves, in the order of the rules.
    pub moves: Vec<Move>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "LegalMove")]
pub struct Move {
    /// The label of the move, in the notation of the game.
    pub label: String,
    /// The position after the move.
    pub next: String,
    /// The weight of a chance outcome. Missing for the move of a player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u64>,
    /// The squares to click for the move, in this order; empty if the move is only in the list. Missing unless
    /// the request sets `board`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squares: Option<Vec<String>>,
    /// What a chance outcome shows. Missing for the move of a player, and unless the request sets `board`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<ShownOutcome>,
}

/// The legal moves of a position; with the squares to click on a board, if it is given with its reader.
pub(super) fn legal(
    session: &Session,
    game: &RuleGame,
    state: &Position,
    (reader, board): (&BoardReader<'_>, Option<&Board>),
) -> SessionResult<Vec<Move>> {
    let legal = session.legal_moves(game, state)?;
    let shown = session.shown_moves(game, state, &legal)?;
    let is_chance = legal.iter().any(|(_, weight)| weight.is_some());
    let mut outcomes = match board.filter(|_| is_chance) {
        Some(board) => {
            let after: Vec<&Position> = legal.iter().map(|(mv, _)| &mv.next).collect();
            reader.outcomes(board, &after)?.into_iter()
        }
        None => Vec::new().into_iter(),
    };
    let mut clicks = match board.filter(|_| !is_chance) {
        Some(board) => {
            let labels = shown.iter().map(|mv| mv.label.clone());
            let moves: Vec<_> = legal.into_iter().map(|(mv, _)| mv).zip(labels).collect();
            reader.squares(board, &moves)?.into_iter()
        }
        None => Vec::new().into_iter(),
    };
    let made = |ShownMove { label, next, weight }| {
        let squares = board.map(|_| clicks.next().unwrap_or_default());
        Move { label, next, weight, squares, shows: outcomes.next() }
    };
    Ok(shown.into_iter().map(made).collect())
}

/// Lists the moves.
///
/// # Errors
///
/// The rules or the request contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let AtPosition { session, game, state, .. } = host.game((&request.form, &request.start), None, listen)?;
    let status = session.status_at(&game, &state)?;
    let is_over = matches!(status, GameStatus::Over(_) | GameStatus::Repeated);
    let reader = BoardReader::new(&session, &game);
    let board = request.board.then(|| reader.board(&state)).transpose()?;
    let moves = if is_over { Vec::new() } else { legal(&session, &game, &state, (&reader, board.as_ref()))? };
    let State { turn, outcome, repetition } = State::from(&status);
    let points = points(&session, &game, (&status, &state))?;
    Ok(Reply {
        position: session.position_text(&game, &state)?,
        term: request.terms.then(|| term(&state.0, || session.term(&state))),
        picture: session.picture(&game, &state)?,
        board,
        turn,
        outcome,
        repetition,
        points,
        labelled: session.rules.contract.labelled.is_some(),
        moves,
    })
}

/// The score of MAX, if the game has ended with a score.
pub(super) fn points(
    session: &Session,
    game: &RuleGame,
    (status, state): (&GameStatus, &Position),
) -> SessionResult<Option<Number>> {
    match status {
        GameStatus::Over(_) => Ok(session.points(game, state)?.map(Number)),
        GameStatus::Moves(_) | GameStatus::Chance | GameStatus::Repeated => Ok(None),
    }
}

/// A request for the number of lines of each length.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PerftRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Depth of the count, in plies
    #[arg(long, value_name = "N")]
    pub depth: Whole<0, 10_000>,
    /// Stop after this many seconds, with the results so far
    #[arg(long, value_name = "SECONDS")]
    #[serde(default)]
    pub time: Option<Seconds>,
}

/// The number of lines of each length.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PerftReply {
    /// The counts, one row for each finished depth from 1.
    pub perft: Vec<Paths>,
    /// Whether a time limit or an interrupt stopped the count before its last depth.
    pub stopped: bool,
    /// The number of positions visited for the unfinished depth; 0 if there is none.
    pub unfinished: u64,
}

/// Counts the lines of play of each length.
///
/// # Errors
///
/// The rules or the request contain an error.
pub fn perft(request: &PerftRequest, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<PerftReply> {
    let at = host.game((&request.form, &request.start), request.time, listen)?;
    let AtPosition { session, game, state, clock: _clock, .. } = at;
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
