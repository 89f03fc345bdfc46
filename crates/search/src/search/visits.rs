//! Visits: a search told position by position, with the windows it passes down.
//!
//! In: one of the plain algorithms, and who wants to hear. Out: the outcome of the search itself,
//! after every position was told of as it was entered and left. Nothing is searched otherwise for
//! that: the walks that search are the ones that tell. Must not know what becomes of it. Called by
//! the session.

use super::iteration::IterationTask;
use super::limits::{Limits, Meter};
use super::result::{SearchResult, Searched};
use super::{Algorithm, alphabeta, f1, f2, f2g2, minimax};
use crate::game::{Game, Heuristic, Score};

/// What matters at a position, for Max: the scores above the first and below the second.
pub type Bounds = (Score, Score);

/// Everything that a position can be worth.
pub const OPEN: Bounds = (Score::Loss { plies: 0 }, Score::Win { plies: 0 });

/// A search comes to a position, or leaves it.
pub enum Visit<'a, S> {
    /// It is entered, `ply` plies from the root.
    In {
        /// The position.
        state: &'a S,
        /// Plies from the root.
        ply: u32,
        /// Alpha and beta, for Max.
        window: Bounds,
    },
    /// It is left.
    Out {
        /// The position.
        state: &'a S,
        /// Plies from the root.
        ply: u32,
        /// What it was found to be worth to Max: a bound where that lies outside of the window.
        score: Score,
        /// How many of its moves were not tried.
        cut: usize,
    },
}

/// Who hears of visits.
pub type Hearer<'a, S> = &'a dyn Fn(Visit<'_, S>);

/// Whether the visits of an algorithm can be told, in a game with or without chance.
pub fn tells(algorithm: Algorithm) -> bool {
    use Algorithm::{AlphaBeta, F1, F2, F2G2, Minimax};
    matches!(algorithm, Minimax | F1 | F2 | F2G2 | AlphaBeta)
}

/// The same as [`super::run`], told to `hear`; alpha-beta in place of every algorithm whose visits
/// cannot be told. A search that looks again, to prove its value, does not tell of that; nor are
/// the positions behind the horizon told of.
pub fn run<G: Game, H: Heuristic<G>>(
    algorithm: Algorithm,
    (game, heuristic): (&G, &H),
    state: &G::State,
    limits: &Limits<'_>,
    hear: Hearer<'_, G::State>,
) -> Searched<SearchResult<G::Move>, G> {
    let meter = Meter::new(limits);
    let task = IterationTask { game, heuristic, root: state, depth: limits.depth, meter: &meter };
    match algorithm {
        Algorithm::Minimax => minimax::told(&task, Some(hear)),
        Algorithm::F1 => f1::told(&task, Some(hear)),
        Algorithm::F2 => f2::told(&task, Some(hear)),
        Algorithm::F2G2 => f2g2::told(&task, Some(hear)),
        _ => alphabeta::told(&task, Some(hear)),
    }
}
