//! Perft: how many lines of play there are of each length; a check of the rules, not of a search.
//!
//! In: a game, a position, a depth. Out: counts, to compare with published ones.
//! Knows no values. The name is from chess programs ("performance test", Robert Hyatt's Crafty).

use super::limits::{Limits, Meter};
use super::repetition::Repetition;
use super::result::Searched;
use super::stack::{Arrival, SearchHalt, SearchStack, Walked};
use crate::game::Game;
use std::sync::atomic::AtomicBool;

/// How many lines of play there are, by length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Lines of exactly 1, 2, 3... plies, in this order; shorter than the depth asked for where no
    /// line goes so deep.
    pub paths: Vec<u64>,
    /// Whether the stop flag ended the count; then `paths` holds what was counted so far.
    pub stopped: bool,
}

/// The number of lines of exactly 1, 2... `depth` plies from `state`.
///
/// A line that the game ends before so many plies counts nothing there; one that it ends on its
/// last ply counts. What can happen by chance counts as moves do. Repetitions do not matter. Errs with the fault of the rules, never with a
/// repetition. One pass counts every depth; the moves of the last ply are counted and not made, so
/// it costs about one visit of every position of `depth - 1` plies and less.
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

/// From this depth on the next one may lie several plies deeper: where lines are long and moves few,
/// to count every depth by itself would take the square of the time.
const DEEP: u32 = 64;

/// The same depth by depth: `each` is told a depth and its count as soon as that is complete. Whether
/// the stop flag ended the count. Of the limits only the stop flag and the progress hook are heeded.
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
        // Where no line goes so deep, none goes deeper.
        let last = if counted.paths.len() < next as usize { depth } else { next };
        for depth in done + 1..=last {
            each(depth, counted.paths.get(depth as usize - 1).copied().unwrap_or(0));
        }
        done = last;
        next = depth.min(if done < DEEP { done + 1 } else { done + done / 2 });
    }
    Ok(false)
}

/// Adds the moves of every position above `depth` plies to the count of its depth.
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

    /// A heap from which Max takes one or two; it is over when nothing is left.
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

    /// Once nothing was told before the last depth was done, and a stop left every count short.
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
