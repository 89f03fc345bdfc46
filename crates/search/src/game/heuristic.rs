//! Heuristic: an opinion of how good a position looks, for a search that cannot see the end.
//!
//! In: a game and one of its positions. Out: a number from Max's point of view.
//! Rules are truth, a heuristic is opinion: it may be wrong, and a value that rests on it is an
//! estimate. Must not know which search asks.

use super::Game;

/// An opinion of the positions of `G`.
pub trait Heuristic<G: Game> {
    /// How good `state` looks, from Max's point of view: greater is better for Max, never NaN.
    ///
    /// Of a finished game without endings the number is no opinion but the exact worth.
    /// Errs when the rules behind the number fault. Claude Shannon, "Programming a Computer for
    /// Playing Chess", 1950.
    fn evaluate(&self, game: &G, state: &G::State) -> Result<f64, G::Fault>;

    /// Whether there are positions in which `evaluate` is not to be trusted: only then are the next
    /// questions asked.
    fn knows_unrest(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// Whether the number may be trusted in `state`, which is not over.
    fn is_quiet(&self, game: &G, state: &G::State) -> Result<bool, G::Fault> {
        let _ = (game, state);
        Ok(true)
    }

    /// Whether `is_noisy` tells moves apart: a search follows all of them for fewer plies.
    fn knows_noise(&self, game: &G) -> bool {
        let _ = game;
        true
    }

    /// Where it may not: whether a search goes on with this move.
    fn is_noisy(&self, game: &G, state: &G::State, mv: &G::Move) -> Result<bool, G::Fault> {
        let _ = (game, state, mv);
        Ok(false)
    }

    /// Where it may not: whether the mover has no choice but these moves, so that a search goes on
    /// with all of them and nobody may rest on the number.
    fn is_forced(&self, game: &G, state: &G::State) -> Result<bool, G::Fault> {
        let _ = (game, state);
        Ok(false)
    }

    /// Whether there is something to say of moves: only then is `weigh` asked.
    fn weighs_moves(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// Appends how promising each of `moves` is, all the moves in `state` or some of them, `depth`
    /// plies before the horizon ([`u32::MAX`]: to the end of the game). Those of greater weight are
    /// tried first; that never decides a value. No weight is NaN.
    fn weigh(
        &self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        depth: u32,
        weights: &mut Vec<f64>,
    ) -> Result<(), G::Fault> {
        let _ = (game, state, depth);
        weights.resize(weights.len() + moves.len(), 0.0);
        Ok(())
    }

    /// Whether some moves are worth looking at deeper, or less deep: only then is `stretch` asked,
    /// and only by a heuristic search.
    fn stretches(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// By how many plies a search looks deeper behind `mv`; less deep, where it is negative.
    fn stretch(&self, game: &G, state: &G::State, mv: &G::Move) -> Result<i32, G::Fault> {
        let _ = (game, state, mv);
        Ok(0)
    }

    /// The position in which the other side moves instead, where whoever passes is never better
    /// off for it. Only a heuristic search asks.
    fn null_move(&self, game: &G, state: &G::State) -> Result<Option<G::State>, G::Fault> {
        let _ = (game, state);
        Ok(None)
    }
}

/// Who has no opinion: every position is worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluation;

impl<G: Game> Heuristic<G> for NoEvaluation {
    fn evaluate(&self, _game: &G, _state: &G::State) -> Result<f64, G::Fault> {
        Ok(0.0)
    }
}
