//! The trait of evaluations: how good a position looks to a search that cannot see the end.
//!
//! An evaluation takes a game and a position and gives a number for Max. It may be wrong, so a value
//! that rests on it is an estimate. It must not depend on which search calls it.

use super::Game;

/// An evaluation of the positions of `G`, with hints for the search.
pub trait Heuristic<G: Game> {
    /// How good `state` looks for Max: greater is better for Max, never NaN.
    ///
    /// For a finished game without a declared result, the number is the exact value. Errs if the
    /// rules behind the number fault. Claude Shannon, "Programming a Computer for Playing Chess",
    /// 1950.
    fn evaluate(&self, game: &G, state: &G::State) -> Result<f64, G::Fault>;

    /// Whether some positions are not quiet. If false, a search never calls `is_quiet`, `is_noisy`
    /// and `is_forced`.
    fn has_unquiet_positions(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// Whether the evaluation of `state`, which is not over, can be trusted.
    fn is_quiet(&self, game: &G, state: &G::State) -> Result<bool, G::Fault> {
        let _ = (game, state);
        Ok(true)
    }

    /// Whether `is_noisy` separates some moves from others. If false, a search follows all moves,
    /// but fewer plies.
    fn separates_noisy_moves(&self, game: &G) -> bool {
        let _ = game;
        true
    }

    /// Whether the quiescence search follows `mv` in a position that is not quiet.
    fn is_noisy(&self, game: &G, state: &G::State, mv: &G::Move) -> Result<bool, G::Fault> {
        let _ = (game, state, mv);
        Ok(false)
    }

    /// Whether `noisy_moves` finds moves. A heuristic search then does not call `is_quiet`.
    fn finds_noisy_moves(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// Appends the moves for which `is_noisy` holds, in any order; `false` if the heuristic cannot find
    /// them without the others.
    fn noisy_moves(&self, game: &G, state: &G::State, moves: &mut Vec<G::Move>) -> Result<bool, G::Fault> {
        let _ = (game, state, moves);
        Ok(false)
    }

    /// Whether, in a position that is not quiet, the player must make one of the moves: the search
    /// then follows all of them and does not use the evaluation of `state`.
    fn is_forced(&self, game: &G, state: &G::State) -> Result<bool, G::Fault> {
        let _ = (game, state);
        Ok(false)
    }

    /// Whether `weigh` is defined. If false, a search never calls `weigh`.
    fn weighs_moves(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// Appends a weight for each of `moves`, which are all moves in `state` or some of them.
    /// A search tries moves of greater weight first, which never decides a value. No weight is NaN.
    /// `depth` is the distance to the horizon in plies ([`u32::MAX`]: to the end of the game).
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

    /// Whether `extension` is defined. If false, no search calls `extension`; only a heuristic search
    /// calls it at all.
    fn has_extensions(&self, game: &G) -> bool {
        let _ = game;
        false
    }

    /// The extension behind `mv`, in plies; a negative number is a reduction.
    fn extension(&self, game: &G, state: &G::State, mv: &G::Move) -> Result<i32, G::Fault> {
        let _ = (game, state, mv);
        Ok(0)
    }

    /// The position after a null move, if passing never helps the player who passes.
    /// Only a heuristic search calls it.
    fn null_move(&self, game: &G, state: &G::State) -> Result<Option<G::State>, G::Fault> {
        let _ = (game, state);
        Ok(None)
    }
}

/// A heuristic that evaluates every position as 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluation;

impl<G: Game> Heuristic<G> for NoEvaluation {
    fn evaluate(&self, _game: &G, _state: &G::State) -> Result<f64, G::Fault> {
        Ok(0.0)
    }
}
