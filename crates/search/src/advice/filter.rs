//! A game in which advice removes moves: forward pruning as a game of its own.
//!
//! It takes a game, a [`MoveFilter`] and a number of plies, and gives a game with fewer moves. Every
//! search gives the same value for this game, which is an estimate for the whole game. A position
//! includes the remaining plies of filtering, so positions with different numbers are different.

use crate::game::{Game, GameFacts, GameResult, Heuristic, ToMove};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A filter that removes moves.
pub trait MoveFilter<G: Game> {
    /// Removes moves in `state` from `moves[first..]`, but never all. Returns whether it removed
    /// any. Errs if the rules fault.
    fn narrow(&self, game: &G, state: &G::State, moves: &mut Vec<G::Move>, first: usize) -> Result<bool, G::Fault>;
}

/// A game without the moves that a filter removes. `B` points to the whole game.
pub struct FilteredGame<'a, B, N> {
    /// The whole game.
    pub game: B,
    /// The filter.
    pub narrow: N,
    /// Set if a move was removed.
    pub cut: &'a AtomicBool,
}

/// A position, and for how many more plies moves are filtered; [`ALWAYS`]: for all.
pub type FilteredState<S> = (S, u32);

/// The number of plies that never ends.
pub const ALWAYS: u32 = u32::MAX;

impl<B: Deref, N> FilteredGame<'_, B, N>
where
    B::Target: Game + Sized,
{
    fn after(&self, next: <B::Target as Game>::State, left: u32) -> FilteredState<<B::Target as Game>::State> {
        (next, if left == ALWAYS { ALWAYS } else { left.saturating_sub(1) })
    }
}

impl<B: Deref, N> Game for FilteredGame<'_, B, N>
where
    B::Target: Game + Sized,
    N: MoveFilter<B::Target>,
{
    type State = FilteredState<<B::Target as Game>::State>;
    type Move = <B::Target as Game>::Move;
    type Fault = <B::Target as Game>::Fault;

    fn to_move(&self, state: &Self::State) -> Result<ToMove, Self::Fault> {
        self.game.to_move(&state.0)
    }

    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>) -> Result<(), Self::Fault> {
        let first = moves.len();
        self.game.moves(&state.0, moves)?;
        if self.game.facts().has_chance && self.game.to_move(&state.0)? == ToMove::Chance {
            return Ok(());
        }
        if state.1 > 0 && self.narrow.narrow(&self.game, &state.0, moves, first)? {
            self.cut.store(true, Relaxed);
        }
        Ok(())
    }

    fn chance_outcomes(
        &self,
        state: &Self::State,
        moves: &mut Vec<Self::Move>,
        weights: &mut Vec<u64>,
    ) -> Result<(), Self::Fault> {
        self.game.chance_outcomes(&state.0, moves, weights)
    }

    fn is_over(&self, state: &Self::State) -> Result<bool, Self::Fault> {
        self.game.is_over(&state.0)
    }

    fn apply(&self, state: &Self::State, mv: &Self::Move) -> Result<Self::State, Self::Fault> {
        Ok(self.after(self.game.apply(&state.0, mv)?, state.1))
    }

    fn key(&self, state: &Self::State) -> u128 {
        // The factor is odd, so different numbers of plies give different keys.
        self.game.key(&state.0) ^ u128::from(state.1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)
    }

    fn move_key(&self, state: &Self::State, mv: &Self::Move) -> u64 {
        self.game.move_key(&state.0, mv)
    }

    fn facts(&self) -> GameFacts {
        GameFacts { has_symmetry: false, has_counters: false, ..self.game.facts() }
    }

    fn result(&self, state: &Self::State) -> Result<Option<GameResult>, Self::Fault> {
        self.game.result(&state.0)
    }

    fn live_bytes(&self) -> u64 {
        self.game.live_bytes()
    }

    fn most_live_bytes(&self) -> u64 {
        self.game.most_live_bytes()
    }
}

/// The evaluation of the whole game, used for the filtered game.
pub struct FilteredEvaluation<'a, H>(pub &'a H);

impl<B: Deref, N, H> Heuristic<FilteredGame<'_, B, N>> for FilteredEvaluation<'_, H>
where
    B::Target: Game + Sized,
    N: MoveFilter<B::Target>,
    H: Heuristic<B::Target>,
{
    fn evaluate(
        &self,
        game: &FilteredGame<'_, B, N>,
        state: &FilteredState<<B::Target as Game>::State>,
    ) -> Result<f64, <B::Target as Game>::Fault> {
        self.0.evaluate(&game.game, &state.0)
    }

    fn has_unquiet_positions(&self, game: &FilteredGame<'_, B, N>) -> bool {
        self.0.has_unquiet_positions(&game.game)
    }

    fn separates_noisy_moves(&self, game: &FilteredGame<'_, B, N>) -> bool {
        self.0.separates_noisy_moves(&game.game)
    }

    fn is_quiet(
        &self,
        game: &FilteredGame<'_, B, N>,
        state: &FilteredState<<B::Target as Game>::State>,
    ) -> Result<bool, <B::Target as Game>::Fault> {
        self.0.is_quiet(&game.game, &state.0)
    }

    fn is_noisy(
        &self,
        game: &FilteredGame<'_, B, N>,
        state: &FilteredState<<B::Target as Game>::State>,
        mv: &<B::Target as Game>::Move,
    ) -> Result<bool, <B::Target as Game>::Fault> {
        self.0.is_noisy(&game.game, &state.0, mv)
    }

    fn is_forced(
        &self,
        game: &FilteredGame<'_, B, N>,
        state: &FilteredState<<B::Target as Game>::State>,
    ) -> Result<bool, <B::Target as Game>::Fault> {
        self.0.is_forced(&game.game, &state.0)
    }

    fn weighs_moves(&self, game: &FilteredGame<'_, B, N>) -> bool {
        self.0.weighs_moves(&game.game)
    }

    fn weigh(
        &self,
        game: &FilteredGame<'_, B, N>,
        state: &FilteredState<<B::Target as Game>::State>,
        moves: &[<B::Target as Game>::Move],
        depth: u32,
        weights: &mut Vec<f64>,
    ) -> Result<(), <B::Target as Game>::Fault> {
        self.0.weigh(&game.game, &state.0, moves, depth, weights)
    }

    fn has_extensions(&self, game: &FilteredGame<'_, B, N>) -> bool {
        self.0.has_extensions(&game.game)
    }

    fn extension(
        &self,
        game: &FilteredGame<'_, B, N>,
        state: &FilteredState<<B::Target as Game>::State>,
        mv: &<B::Target as Game>::Move,
    ) -> Result<i32, <B::Target as Game>::Fault> {
        self.0.extension(&game.game, &state.0, mv)
    }

    fn null_move(
        &self,
        game: &FilteredGame<'_, B, N>,
        state: &FilteredState<<B::Target as Game>::State>,
    ) -> Result<Option<FilteredState<<B::Target as Game>::State>>, <B::Target as Game>::Fault> {
        Ok(self.0.null_move(&game.game, &state.0)?.map(|next| game.after(next, state.1)))
    }
}
