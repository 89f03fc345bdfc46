//! F2: alpha-beta in negamax form, fail-hard as it was published.
//!
//! In: a game, a heuristic, a position, limits. Out: the outcome that minimax gives.
//! `F2(p, alpha, beta)` is the value of `p` where that lies between the two, else the nearer of
//! them or something beyond beta. From an open window it visits what the fail-soft form visits.
//! Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, section 2.

use super::iteration::IterationTask;
use super::procedure::{self, HIGHEST, LOWEST, Procedure};
use super::result::{SearchResult, Searched};
use super::visits::{Bounds, Hearer};
use crate::game::{Game, Heuristic, Score, Side};

/// Searches with cuts by the bounds of every ancestor. Costs at worst one visit of every position,
/// at best about the square root of that.
pub(super) fn search<G: Game, H: Heuristic<G>>(task: &IterationTask<'_, G, H>) -> Searched<SearchResult<G::Move>, G> {
    told(task, None)
}

/// The same, told to `hear`.
pub(super) fn told<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    hear: Option<Hearer<'_, G::State>>,
) -> Searched<SearchResult<G::Move>, G> {
    procedure::search::<G, H, F2>(task, hear)
}

/// One call of F2. Its scores are the mover's, and turn round where the mover changes.
struct F2 {
    mover: Side,
    /// The best score so far, `m` in the paper: alpha, until a move beats it.
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
