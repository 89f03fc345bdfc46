//! Threshold: whether a position is worth at least so much, which costs less than its value.
//!
//! In: a game, a position, a threshold, limits. Out: yes, no, or not known within the limits. For
//! whoever has a value in mind already. Must not know why somebody asks.

use super::engine;
use super::iteration::IterationTask;
use super::limits::{Limits, Meter};
use super::result::Searched;
use crate::game::{Game, Heuristic, Score};

/// A value to compare with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Max wins, in any number of plies.
    WinForMax,
    /// Min does not win.
    NoWinForMin,
    /// This number.
    Number(f64),
    /// More than this number.
    Above(f64),
}

impl Threshold {
    /// The least rank that reaches it.
    fn rank(self) -> i64 {
        match self {
            Threshold::WinForMax => crate::game::WIN_LEAST,
            Threshold::NoWinForMin => 1 - crate::game::WIN_LEAST,
            Threshold::Number(number) => Score::number(number).rank(),
            Threshold::Above(number) => Score::number(number).rank() + 1,
        }
    }
}

/// What is known of a position and a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThresholdResult {
    /// Whether it is worth so much; `None` where the limits ended the search before that was known.
    pub answer: Option<bool>,
    /// Positions visited.
    pub nodes: u64,
}

/// Whether the value of `state`, to the end of the game, reaches the threshold. `limits.depth`
/// counts for nothing; a line of play longer than the limits allow ends the search as others do.
///
/// Errs as [`super::run`] does, also where chance moves; and where no limit ends the search and a
/// line of play repeats a position, in a game that is neither acyclic nor calls repetitions draws.
/// The heuristic is asked for finished games without endings, and for the order of moves.
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
