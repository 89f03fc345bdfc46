//! Visits: a plain search reports every position that it enters and leaves, with its window.
//!
//! The observer gets the calls and the caller gets the usual result: the search itself is the same
//! with and without an observer. This module must not depend on what the observer does. The session
//! calls it.

use super::Algorithm;
use super::iteration::IterationTask;
use super::limits::{Limits, Meter};
use super::result::{SearchResult, Searched};
use crate::game::{Game, Heuristic, Score};

/// A window for Max, with alpha first and beta second.
pub type Bounds = (Score, Score);

/// The window that contains every score.
pub const OPEN: Bounds = (Score::Loss { plies: 0 }, Score::Win { plies: 0 });

/// A report that the search enters or leaves a position.
pub enum Visit<'a, S> {
    /// The search enters the position.
    In {
        /// The position.
        state: &'a S,
        /// Plies from the root.
        ply: u32,
        /// Alpha and beta, for Max.
        window: Bounds,
    },
    /// The search leaves the position.
    Out {
        /// The position.
        state: &'a S,
        /// Plies from the root.
        ply: u32,
        /// The score for Max; a bound if it lies outside the window.
        score: Score,
        /// The number of moves cut off.
        cut: usize,
    },
}

/// The observer of visits.
pub type VisitObserver<'a, S> = &'a dyn Fn(Visit<'_, S>);

/// Searches as [`super::run`] does and reports visits to `hear`.
/// Alpha-beta replaces every algorithm that cannot report visits. Visits of the exactness proof and
/// behind the horizon are not reported.
pub fn run<G: Game, H: Heuristic<G>>(
    algorithm: Algorithm,
    (game, heuristic): (&G, &H),
    state: &G::State,
    limits: &Limits<'_>,
    hear: VisitObserver<'_, G::State>,
) -> Searched<SearchResult<G::Move>, G> {
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: limits.depth, meter: &meter };
    let plain = if algorithm.reports_visits() { algorithm } else { Algorithm::AlphaBeta };
    plain.search(&task, Some(hear)).expect("the row of an algorithm that reports its visits names a file")
}
