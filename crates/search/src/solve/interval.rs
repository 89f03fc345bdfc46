//! The intervals that value iteration narrows, and the kinds of their positions.

use crate::game::Side;

/// The kind of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PositionKind {
    Over(f64),
    /// A side moves; the flag says whether a move leads back to the position itself.
    Moves(Side, bool),
    Chance,
}

/// The lower and the upper end of a value.
pub type Interval = (f64, f64);
