//! Positions with the results of their games, as they are written to a file and read again.
//!
//! A file of positions has a JSON object on each line. To read one, only `position` and `result` are needed,
//! so that other tools can write such files.

use crate::protocol::data::Number;
use crate::protocol::record::line;
use alphorn_rules::rules::game::RuleGame;
use alphorn_session::session::database::hash_of_texts;
use alphorn_session::session::options::source;
use alphorn_session::session::tuning::samples::GameSample;
use alphorn_session::session::{Session, SessionResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A line of a file of positions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DataRow {
    /// The number of the game, from 1.
    pub game: u32,
    /// The seed of the games.
    pub seed: u64,
    /// The number of moves before the position.
    pub ply: u32,
    /// The position, a term.
    pub position: String,
    /// The result of the game for MAX: 1, 0.5 or 0.
    pub result: Number,
    /// The evaluation of the position for MAX; null if the game has no evaluation.
    pub evaluation: Option<Number>,
    /// The names of the parameters; empty if the evaluation is not linear in them, or if there is none.
    pub params: Vec<String>,
    /// The features: the derivative of the evaluation by each of `params`.
    pub features: Vec<Number>,
}

impl DataRow {
    /// The line of the row.
    pub(super) fn line(&self) -> String {
        line(self)
    }
}

/// What is read of a line.
#[derive(Deserialize)]
struct ReadRow {
    game: Option<u32>,
    ply: Option<u32>,
    position: String,
    result: f64,
}

/// The hash of a file of positions, for the header of a record.
///
/// # Errors
///
/// The file cannot be read.
pub(super) fn hash(path: &Path) -> SessionResult<String> {
    let source = source(&path.display().to_string())?;
    Ok(format!("{:032x}", hash_of_texts([&*source.text])))
}

/// Reads the positions of a file.
///
/// # Errors
///
/// The file cannot be read, or a line is no position with a result.
pub(super) fn read(session: &Session, game: &RuleGame, path: &Path) -> SessionResult<Vec<GameSample>> {
    let name = path.display().to_string();
    if path.extension().is_some_and(|ending| ending == "parquet") {
        return session.unusable_positions(
            &format!("cannot read {name}: Alphorn reads positions from JSON lines only"),
            "write them as JSON lines: alphorn dataset GAME --output FILE.jsonl",
        );
    }
    let source = source(&name)?;
    let mut found = Vec::new();
    for (number, text) in source.text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let help = "write lines such as {\"game\":1,\"position\":\"pos(x,...)\",\"result\":1}, as alphorn dataset does";
        let wrong = |what: &str| session.unusable_positions(&format!("{name}:{}: {what}", number + 1), help);
        let row: ReadRow = match serde_json::from_str(text) {
            Ok(row) => row,
            Err(error) => return wrong(&error.to_string()),
        };
        if !(0.0..=1.0).contains(&row.result) {
            return wrong("`result` is not from 0 to 1");
        }
        let position = match session.position_of_term(game, &row.position) {
            Ok(position) => position,
            Err(failure) => return wrong(&failure.to_string()),
        };
        // All positions of a file belong to one game.
        if let Some(odd) = found.is_empty().then(|| session.form_of_no_position(&row.position)).flatten() {
            return session.unusable_positions(
                &format!("{name}:{}: {odd}", number + 1),
                "name a file with positions of this game, which alphorn dataset writes",
            );
        }
        let game = row.game.unwrap_or(number as u32 + 1);
        found.push(GameSample { game, ply: row.ply.unwrap_or(0), position, result: row.result });
    }
    Ok(found)
}
