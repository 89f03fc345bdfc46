//! An attempt to solve a game written as rules: its task, and the reason for a missing result.

use super::Failure;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::RuleFault;
use alphorn_rules::rules::game::RuleGame;
use alphorn_search::solve::{SolveError, SolveTask};

/// The task of solving a game written as rules.
pub(super) type RuleTask<'a> = SolveTask<'a, RuleGame, RuleEval>;

/// The reason for a missing result.
pub(super) enum Unsolved {
    /// This method cannot solve the position; another method may.
    Solve(SolveError<RuleFault>),
    /// An error of every method.
    Failure(Failure),
}

pub(super) type SolveAttempt<T> = Result<T, Unsolved>;

impl From<SolveError<RuleFault>> for Unsolved {
    fn from(error: SolveError<RuleFault>) -> Unsolved {
        Unsolved::Solve(error)
    }
}

impl From<Failure> for Unsolved {
    fn from(failure: Failure) -> Unsolved {
        Unsolved::Failure(failure)
    }
}
