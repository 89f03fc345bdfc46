//! F1: branch and bound, which is alpha-beta with an upper bound only, so without deep cutoffs.
//!
//! It gives the result of minimax. `F1(p, bound)` is the value of `p` if that is below `bound`, else
//! some number at or above `bound`. It does not use the bounds of ancestors above the parent. Donald
//! Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, section 2.

use super::iteration::IterationTask;
use super::procedure::{self, HIGHEST, LOWEST, Procedure};
use super::result::{SearchResult, Searched};
use super::visits::{Bounds, VisitObserver};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with cutoffs by the parent's bound only. Visits every position at worst.
pub(super) fn search<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    procedure::search::<G, H, F1>(task, hear)
}

/// One call of F1. Its scores are the mover's.
struct F1 {
    mover: Side,
    /// At or above this score, the exact value does not matter.
    bound: Score,
    /// The best score so far, `m` in the paper.
    best: Score,
}

impl Procedure for F1 {
    fn at_root(mover: Side) -> F1 {
        F1 { mover, bound: HIGHEST, best: LOWEST }
    }

    fn below(&self, mover: Side) -> F1 {
        // The opponent's score matters only below the negated best score of this position. If the
        // same side moves again, the bound stays.
        let bound = if mover == self.mover { self.bound } else { -self.best };
        F1 { mover, bound, best: LOWEST }
    }

    fn fold(&mut self, score_for_max: Score) -> bool {
        let score = score_for_max.seen_by(self.mover);
        let improves = score > self.best;
        if improves {
            self.best = score;
        }
        improves
    }

    fn is_cut(&self) -> bool {
        self.best >= self.bound
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn window(&self) -> Bounds {
        match self.mover {
            Side::Max => (LOWEST, self.bound),
            Side::Min => (-self.bound, HIGHEST),
        }
    }

    fn result(&self) -> Score {
        self.best.seen_by(self.mover)
    }
}
