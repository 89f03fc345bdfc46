//! How following advice fails, and the error of a proof of advice.

use super::AdviceError;
use crate::game::Game;

/// How following advice fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdviceFailure {
    /// The game ends in a draw or in the number 0.
    Drawn,
    /// The other side wins.
    Lost,
    /// Play repeats positions without end.
    Cycle,
    /// No condition of a rule holds.
    NoRule,
    /// No advice of the rule that fires can be forced.
    NoAdvice,
    /// The better-goal already holds, so following the advice would never end.
    Idle,
    /// A forcing tree exceeds the limit.
    TooLarge,
}

/// An error of a proof, with the position in which it occurred.
pub type Unproved<G, A> = (Option<<G as Game>::State>, AdviceError<<G as Game>::Fault, <G as Game>::Move, A>);
