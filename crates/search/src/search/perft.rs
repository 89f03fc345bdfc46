//! Perft: the number of lines of each length, to check the rules rather than a search.
//!
//! The counts can be compared with published ones; no values are computed. The name is from chess
//! programs ("performance test", Robert Hyatt's Crafty).

use super::limits::{Limits, Meter};
use super::repetition::Repetition;
use super::result::{SearchHalt, Searched, Walked};
use super::stack::{Arrival, SearchStack};
use crate::game::Game;
use std::sync::atomic::AtomicBool;

/// The number of lines by length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Lines of exactly 1, 2, 3... plies; the list ends early if no line reaches the depth.
    pub paths: Vec<u64>,
    /// Whether the stop flag ended the count; `paths` then has the counts so far.
    pub stopped: bool,
}

/// Counts the lines of exactly 1, 2... `depth` plies from `state`.
///
/// A line counts if the game ends on its last ply, not if it ends earlier. Chance outcomes count as
/// moves; repetitions do not matter and are no error. Errs if the rules fault. One search counts every
/// depth and does not make the moves of the last ply, so it visits about every position down to `depth -
/// 1` plies.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, stop: Option<&AtomicBool>) -> Searched<Perft, G> {
    perft_within(game, state, depth, &Limits { stop, ..Limits::default() })
}

fn perft_within<G: Game>(game: &G, state: &G::State, depth: u32, limits: &Limits<'_>) -> Searched<Perft, G> {
    let meter = Meter::new(limits);
    let mut walk = SearchStack::new(game, state.clone(), None, Repetition::Ignored, &meter);
    let mut paths = Vec::new();
    let stopped = match count(&mut walk, depth, &mut paths) {
        Ok(()) => false,
        Err(SearchHalt::Stopped) => true,
        Err(SearchHalt::Failed(error)) => return Err(error),
    };
    Ok(Perft { paths, stopped })
}

/// From this depth on, the next count may be several plies deeper. If lines are long and moves few,
/// counting each depth alone would take quadratic time.
const DEEP: u32 = 64;

/// Counts as [`perft`] does and calls `each` with a depth and its count as soon as that depth is
/// complete. Returns whether the stop flag ended the count. Uses only the stop flag and the progress
/// hook of the limits.
pub fn by_depth<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    limits: &Limits<'_>,
    each: &mut dyn FnMut(u32, u64),
) -> Searched<bool, G> {
    let limits = Limits { stop: limits.stop, progress: limits.progress, ..Limits::default() };
    let (mut done, mut next) = (0, depth.min(1));
    while done < depth {
        let counted = perft_within(game, state, next, &limits)?;
        if counted.stopped {
            return Ok(true);
        }
        // If no line reaches this depth, none is longer.
        let last = if counted.paths.len() < next as usize { depth } else { next };
        for depth in done + 1..=last {
            each(depth, counted.paths.get(depth as usize - 1).copied().unwrap_or(0));
        }
        done = last;
        next = depth.min(if done < DEEP { done + 1 } else { done + done / 2 });
    }
    Ok(false)
}

/// Adds the number of moves of every position above `depth` plies to the count of its depth.
fn count<G: Game>(walk: &mut SearchStack<'_, G, ()>, depth: u32, paths: &mut Vec<u64>) -> Walked<(), G> {
    if depth == 0 {
        return Ok(());
    }
    loop {
        let ply = walk.ply();
        if let Arrival::Inner(_) | Arrival::Chance = walk.arrive()? {
            let last = ply + 1 == depth;
            let moves = if last { walk.count()? } else { walk.open(())? } as u64;
            match paths.get_mut(ply as usize) {
                Some(count) => *count += moves,
                None => paths.push(moves),
            }
        }
        while !walk.next_child()? {
            if walk.top().is_none() {
                return Ok(());
            }
            walk.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, ToMove};
    use std::convert::Infallible;

    /// A heap from which Max takes one or two; the game is over when the heap is empty.
    struct Heap;

    impl Game for Heap {
        type State = u32;
        type Move = u32;
        type Fault = Infallible;

        fn to_move(&self, &left: &u32) -> Result<ToMove, Infallible> {
            Ok(if left == 0 { ToMove::Over } else { ToMove::Max })
        }

        fn moves(&self, &left: &u32, moves: &mut Vec<u32>) -> Result<(), Infallible> {
            moves.extend((1..=2).filter(|taken| *taken <= left));
            Ok(())
        }

        fn apply(&self, left: &u32, taken: &u32) -> Result<u32, Infallible> {
            Ok(left - taken)
        }

        fn result(&self, _left: &u32) -> Result<Option<GameResult>, Infallible> {
            Ok(None)
        }
    }

    #[track_caller]
    fn counts(left: u32, depth: u32, paths: &[u64]) {
        let counted = perft(&Heap, &left, depth, None);
        assert_eq!(counted.map(|counted| counted.paths), Ok(paths.to_vec()));
    }

    #[test]
    fn a_line_that_ends_early_counts_nothing_deeper() {
        // From 3: two first moves; 1-1, 1-2, 2-1; 1-1-1.
        counts(3, 3, &[2, 3, 1]);
    }

    #[test]
    fn a_line_that_ends_on_the_last_ply_counts() {
        counts(3, 2, &[2, 3]);
    }

    /// A former version reported nothing before the last depth, and a stop left every count too low.
    #[test]
    fn every_depth_is_told_as_soon_as_it_is_counted() {
        let stop = AtomicBool::new(false);
        let mut told = Vec::new();
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let stopped = by_depth(&Heap, &9, 8, &limits, &mut |depth, paths| {
            told.push((depth, paths));
            stop.store(depth == 3, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!((stopped, told), (Ok(true), vec![(1, 2), (2, 4), (3, 8)]));
        for (left, depth) in [(9, 12), (9, 300), (0, 4), (3, 0)] {
            let mut told = Vec::new();
            let stopped =
                by_depth(&Heap, &left, depth, &Limits::default(), &mut |depth, paths| told.push((depth, paths)));
            let whole = perft(&Heap, &left, depth, None).expect("it has an end").paths;
            let whole = (1..=depth).map(|depth| (depth, whole.get(depth as usize - 1).copied().unwrap_or(0)));
            assert_eq!((stopped, told), (Ok(false), whole.collect::<Vec<_>>()), "{left} {depth}");
        }
    }

    #[test]
    fn depths_that_no_line_reaches_are_left_out() {
        counts(2, u32::MAX, &[2, 1]);
        counts(0, 5, &[]);
        counts(3, 0, &[]);
    }
}
