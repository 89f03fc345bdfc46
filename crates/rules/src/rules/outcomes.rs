//! The chance outcomes of a position, and those that were computed last.

use crate::rules::position::{Position, RuleMove};

/// The chance outcomes of a position: numbered moves, and the weight of each.
#[derive(Clone, Default)]
pub(super) struct ChanceOutcomes {
    pub(super) moves: Vec<RuleMove>,
    pub(super) weights: Vec<u64>,
}

/// The position whose chance outcomes were computed last, and these outcomes.
#[derive(Default)]
pub(super) struct LastThrow(pub(super) Option<(Position, Option<ChanceOutcomes>)>);
