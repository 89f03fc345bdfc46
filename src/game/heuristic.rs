//! Heuristic: an opinion of how good a position looks, for a search that cannot see the end.
//!
//! In: a game and one of its positions. Out: a number from Max's point of view.
//! Rules are truth, a heuristic is opinion: it may be wrong, and a value that rests on it is an
//! estimate. Must not know which search asks, nor how deep in the tree it is asked.

use super::Game;

/// An opinion of the positions of `G`.
pub trait Heuristic<G: Game> {
    /// How good `state` looks, from Max's point of view: greater is better for Max, never NaN.
    ///
    /// Of a finished game without endings the number is no opinion but the exact worth.
    /// Errs when the rules behind the number fault. Claude Shannon, "Programming a Computer for
    /// Playing Chess", 1950.
    fn evaluate(&self, game: &G, state: &G::State) -> Result<f64, G::Fault>;
}

/// Who has no opinion: every position is worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blank;

impl<G: Game> Heuristic<G> for Blank {
    fn evaluate(&self, _game: &G, _state: &G::State) -> Result<f64, G::Fault> {
        Ok(0.0)
    }
}
