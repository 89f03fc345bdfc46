//! What a position is worth to a search, so that positions that must be worth the same can be compared.

use alphorn_search::game::{GameResult, Side};
use std::fmt;

/// What a position is worth to a search.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PositionWorth {
    /// The result of a game that is over.
    Result(GameResult),
    /// The answer of `static_eval/2`.
    Value(f64),
}

impl fmt::Display for PositionWorth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionWorth::Result(GameResult::Won(Side::Max)) => f.write_str("a win for MAX"),
            PositionWorth::Result(GameResult::Won(Side::Min)) => f.write_str("a win for MIN"),
            PositionWorth::Result(GameResult::Draw) => f.write_str("a draw"),
            PositionWorth::Result(GameResult::Points(value)) | PositionWorth::Value(value) => write!(f, "{value}"),
        }
    }
}
