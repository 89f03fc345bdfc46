//! Threshold tests: whether a value reaches a number, which costs less than the value itself.
//!
//! The test takes a game, a position, a threshold and limits. It answers yes, no, or unknown within
//! the limits.

use super::engine;
use super::iteration::IterationTask;
use super::limits::{Limits, Meter};
use super::result::Searched;
use crate::game::{Game, Heuristic, Score};

/// A threshold to compare a value with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Max wins, in any number of plies.
    WinForMax,
    /// Min does not win, so Max wins or draws.
    NoWinForMin,
    /// The value is at least this number.
    Number(f64),
    /// The value is greater than this number.
    Above(f64),
}

impl Threshold {
    /// The least rank that reaches the threshold.
    fn rank(self) -> i64 {
        match self {
            Threshold::WinForMax => crate::game::WIN_LEAST,
            Threshold::NoWinForMin => 1 - crate::game::WIN_LEAST,
            Threshold::Number(number) => Score::number(number).rank(),
            Threshold::Above(number) => Score::number(number).rank() + 1,
        }
    }
}

/// The answer to a threshold test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThresholdResult {
    /// Whether the value reaches the threshold; `None` if a limit ended the search first.
    pub answer: Option<bool>,
    /// Positions visited.
    pub nodes: u64,
}

/// Tests whether the full-depth value of `state` reaches the threshold; ignores `limits.depth`.
///
/// Errs as [`super::run`] does, and in a chance position. Also errs if a line repeats a position
/// while no limit bounds the search, unless the game is acyclic or calls repetitions draws. A line
/// that is too long ends the search as other limits do. The heuristic only evaluates finished games
/// and orders moves.
pub fn reaches<G: Game, H: Heuristic<G>>(
    game: &G,
    heuristic: &H,
    state: &G::State,
    threshold: Threshold,
    limits: &Limits<'_>,
) -> Searched<ThresholdResult, G> {
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: None, meter: &meter };
    let answer = engine::at_least(&task, threshold.rank())?;
    Ok(ThresholdResult { answer, nodes: meter.visited() })
}
