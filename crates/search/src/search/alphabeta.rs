//! Alpha-beta: minimax that passes over what cannot change the value.
//!
//! In: a game, a heuristic, a position, limits. Out: the outcome that minimax gives, from fewer
//! positions. Fail-soft: a result at or below alpha is an upper bound of the value, one at or above beta a lower one.
//! Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975; fail-soft after John
//! Fishburn, "Another Optimization of Alpha-Beta Search", 1983.

use super::iteration::IterationTask;
use super::procedure::{self, HIGHEST, LOWEST, Procedure};
use super::result::{SearchResult, Searched};
use super::visits::{Bounds, Hearer};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with cuts; where estimates were met, a proof tells whether they matter.
///
/// Costs at worst one visit of every position, at best about the square root of that. The proof
/// visits positions again, and perhaps some that were cut off, and errs as the search does.
pub(super) fn search<G: Game, H: Heuristic<G>>(task: &IterationTask<'_, G, H>) -> Searched<SearchResult<G::Move>, G> {
    told(task, None)
}

/// The same, told to `hear`.
pub(super) fn told<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    procedure::search::<G, H, AlphaBeta>(task, hear)
}

/// An open position. Its scores are the mover's, and turn round where the mover changes.
struct AlphaBeta {
    mover: Side,
    alpha: Score,
    beta: Score,
    /// The best score so far, which may lie below alpha.
    best: Score,
}

impl Procedure for AlphaBeta {
    const BEST_FIRST: bool = true;

    fn at_root(mover: Side) -> AlphaBeta {
        AlphaBeta { mover, alpha: LOWEST, beta: HIGHEST, best: LOWEST }
    }

    fn below(&self, mover: Side) -> AlphaBeta {
        let alpha = self.best.max(self.alpha);
        debug_assert!(alpha < self.beta, "a window without scores was cut off before");
        match mover == self.mover {
            true => AlphaBeta { mover, alpha, beta: self.beta, best: LOWEST },
            false => AlphaBeta { mover, alpha: -self.beta, beta: -alpha, best: LOWEST },
        }
    }

    /// Only on strictly greater: a child that was cut off at the best score so far gives a bound
    /// equal to it, and is perhaps worth less. Taking it too gives wrong moves, if right values.
    fn fold(&mut self, score_for_max: Score) -> bool {
        let score = score_for_max.seen_by(self.mover);
        let improves = score > self.best;
        if improves {
            self.best = score;
        }
        improves
    }

    fn is_cut(&self) -> bool {
        self.best >= self.beta
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn window(&self) -> Bounds {
        let alpha = self.best.max(self.alpha);
        match self.mover {
            Side::Max => (alpha, self.beta),
            Side::Min => (-self.beta, -alpha),
        }
    }

    fn result(&self) -> Score {
        self.best.seen_by(self.mover)
    }
}
