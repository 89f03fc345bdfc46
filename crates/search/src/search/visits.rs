//! Visits: the reports of a plain search, one for every position that it enters and leaves.
//!
//! An observer receives the reports. The search itself is the same with and without an observer. This
//! module must not depend on what the observer does.

use crate::game::Score;

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
