//! F1: branch and bound, that is, alpha-beta with an upper limit only and so without deep cut-offs.
//!
//! In: a game, a heuristic, a position, limits. Out: the outcome that minimax gives. `F1(p, bound)`
//! is the value of `p` where that is below `bound`, else something at or above it. What an ancestor
//! further up than the parent has reached is forgotten on the way down.
//! Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, section 2.

use super::iteration::IterationTask;
use super::procedure::{self, HIGHEST, LOWEST, Procedure};
use super::result::{SearchResult, Searched};
use super::visits::{Bounds, Hearer};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with cuts by the parent's bound alone. Costs at worst one visit of every position.
pub(super) fn search<G: Game, H: Heuristic<G>>(task: &IterationTask<'_, G, H>) -> Searched<SearchResult<G::Move>, G> {
    told(task, None)
}

/// The same, told to `hear`.
pub(super) fn told<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    procedure::search::<G, H, F1>(task, hear)
}

/// One call of F1. Its scores are the mover's.
struct F1 {
    mover: Side,
    /// At or above this the exact value does not matter.
    bound: Score,
    /// The best score so far, `m` in the paper.
    best: Score,
}

impl Procedure for F1 {
    fn at_root(mover: Side) -> F1 {
        F1 { mover, bound: HIGHEST, best: LOWEST }
    }

    fn below(&self, mover: Side) -> F1 {
        // The other side need not go above what it is left here. The same side, on the move again,
        // has the limit that it has here.
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
