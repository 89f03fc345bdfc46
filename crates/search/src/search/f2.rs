//! F2: alpha-beta in negamax form, fail-hard as published.
//!
//! It gives the result of minimax. `F2(p, alpha, beta)` is the value of `p` if that lies between the
//! two. Otherwise it is alpha, or a number at or beyond beta. From an open window it visits the
//! positions of the fail-soft form. Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta
//! Pruning", 1975, section 2.

use super::iteration::IterationTask;
use super::procedure::{self, HIGHEST, LOWEST, Procedure};
use super::result::{SearchResult, Searched};
use super::visits::{Bounds, VisitObserver};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with cutoffs by the bounds of all ancestors. Visits every position at worst, and about
/// the square root of that number at best.
pub(super) fn search<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<VisitObserver<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    procedure::search::<G, H, F2>(task, hear)
}

/// One call of F2. Its scores are the mover's; they are negated if the mover changes.
struct F2 {
    mover: Side,
    /// The best score so far, `m` in the paper: alpha until a move is better.
    best: Score,
    beta: Score,
}

impl Procedure for F2 {
    fn at_root(mover: Side) -> F2 {
        F2 { mover, best: LOWEST, beta: HIGHEST }
    }

    fn below(&self, mover: Side) -> F2 {
        match mover == self.mover {
            true => F2 { mover, best: self.best, beta: self.beta },
            false => F2 { mover, best: -self.beta, beta: -self.best },
        }
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
        self.best >= self.beta
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn window(&self) -> Bounds {
        match self.mover {
            Side::Max => (self.best, self.beta),
            Side::Min => (-self.beta, -self.best),
        }
    }

    fn result(&self) -> Score {
        self.best.seen_by(self.mover)
    }
}
