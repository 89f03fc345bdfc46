//! Alpha-beta: minimax that cuts off moves which cannot change the value.
//!
//! It gives the result of minimax from fewer positions. Fail-soft: a score at or below alpha is an
//! upper bound of the value, one at or above beta a lower bound. Donald Knuth and Ronald Moore, "An
//! Analysis of Alpha-Beta Pruning", 1975; fail-soft after John Fishburn, "Another Optimization of
//! Alpha-Beta Search", 1983.

use super::iteration::IterationTask;
use super::procedure::{self, HIGHEST, LOWEST, Procedure};
use super::result::{SearchResult, Searched};
use super::visits::{Bounds, VisitObserver};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with cutoffs, and proves whether estimates matter if there were any.
///
/// Visits every position at worst, and about the square root of that number at best. The proof
/// visits positions again, perhaps some that were cut off, and errs as the search does.
pub(super) fn search<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    procedure::search::<G, H, AlphaBeta>(task, hear)
}

/// An open position. Its scores are the mover's; they are negated if the mover changes.
struct AlphaBeta {
    mover: Side,
    alpha: Score,
    beta: Score,
    /// The best score so far, which may be below alpha.
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

    /// Accepts only a strictly greater score. A successor cut off at the best score so far gives an
    /// equal bound and may be worth less; accepting it would give wrong moves, though right values.
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
