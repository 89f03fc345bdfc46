//! F2 and G2: alpha-beta as a pair of procedures, one for each side, without negation.
//!
//! It gives the result of minimax. Max's F2 raises alpha, Min's G2 lowers beta, and every score is
//! for Max. It visits the positions that F2 alone visits. Donald Knuth and Ronald Moore, "An
//! Analysis of Alpha-Beta Pruning", 1975, section 2.

use super::iteration::IterationTask;
use super::procedure::{self, HIGHEST, LOWEST, Procedure};
use super::result::{SearchResult, Searched};
use super::visits::{Bounds, VisitObserver};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with the pair. Visits every position at worst, and about the square root of that number
/// at best.
pub(super) fn search<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    procedure::search::<G, H, Pair>(task, hear)
}

/// One call: of F2 if Max moves, of G2 if Min moves. Its scores are for Max.
struct Pair {
    mover: Side,
    /// The score that Max can force; in a call of F2 the best score so far, `m` in the paper.
    alpha: Score,
    /// The score that Min can force; in a call of G2 the best score so far.
    beta: Score,
}

impl Procedure for Pair {
    fn at_root(mover: Side) -> Pair {
        Pair { mover, alpha: LOWEST, beta: HIGHEST }
    }

    fn below(&self, mover: Side) -> Pair {
        Pair { mover, ..*self }
    }

    fn fold(&mut self, score_for_max: Score) -> bool {
        let improves = match self.mover {
            Side::Max => score_for_max > self.alpha,
            Side::Min => score_for_max < self.beta,
        };
        match self.mover {
            _ if !improves => {}
            Side::Max => self.alpha = score_for_max,
            Side::Min => self.beta = score_for_max,
        }
        improves
    }

    fn is_cut(&self) -> bool {
        self.alpha >= self.beta
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn window(&self) -> Bounds {
        (self.alpha, self.beta)
    }

    fn result(&self) -> Score {
        match self.mover {
            Side::Max => self.alpha,
            Side::Min => self.beta,
        }
    }
}
