//! Evaluates many positions with the parameters of one session.
//!
//! It takes a session with certain values of the parameters, and positions. It returns one number for each
//! position, from MAX's point of view. Positions pass from one session of a game to another.

use crate::session::{Session, SessionResult};
use alphorn_rules::rules::position::Position;

impl Session {
    /// The evaluations of positions by `static_eval/2`, for MAX. They may lie outside of `value_range/2`.
    ///
    /// # Errors
    ///
    /// The rules fail, or the stop flag is set.
    pub fn evaluations(&self, positions: &[Position]) -> SessionResult<Vec<f64>> {
        let game = self.game()?;
        positions.iter().map(|state| game.static_eval(state).map_err(|fault| self.fault(&fault, &[]))).collect()
    }

    /// The least and the greatest evaluation that the game declares by `value_range/2`.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub fn evaluation_range(&self) -> SessionResult<Option<(f64, f64)>> {
        Ok(self.game()?.evaluation_range())
    }
}
