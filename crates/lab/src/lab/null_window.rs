//! Principal variation search and MTD(f) on artificial trees, with counts of leaves.
//!
//! It takes a tree of integer leaves, and returns its value for MAX and the number of leaves read. It
//! uses the negamax form, because the sides alternate. It is recursive, because no tree is higher than
//! [`MOST_PLIES`](super::uniform::MOST_PLIES). It does not know how leaves are made.

use super::uniform::{TreePlace, Uniform};
use super::{Stopped, go_on};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;

/// A value, and the number of leaves read for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeavesRead {
    /// The value for MAX.
    pub value: i64,
    /// The number of readings; a leaf may be read several times.
    pub leaves: u64,
}

/// Bounds of every leaf, chosen so that negation and steps cannot overflow.
const LEAST: i64 = -(1 << 60);
const GREATEST: i64 = 1 << 60;

/// The state that all calls of one search share.
struct Reading<'a> {
    tree: &'a Uniform,
    stop: &'a AtomicBool,
    leaves: u64,
}

impl Reading<'_> {
    /// The leaf at `place` for the side to move there; `None` above the leaves.
    fn leaf(&mut self, place: TreePlace) -> Result<Option<i64>, Stopped> {
        if place.ply < self.tree.shape.height() {
            return Ok(None);
        }
        go_on(self.stop)?;
        self.leaves += 1;
        let worth = self.tree.leaf(place.number);
        Ok(Some(if place.ply.is_multiple_of(2) { worth } else { -worth }))
    }

    fn children(&self, place: TreePlace) -> impl Iterator<Item = TreePlace> + use<> {
        let branching = self.tree.shape.branching();
        (1..=branching).map(move |mv| place.child(branching, mv))
    }
}

/// Principal variation search, fail-soft. It tries later moves with a null window, and searches better
/// ones again.
///
/// Tony Marsland and Murray Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982. After
/// Alexander Reinefeld's NegaScout, 1983, the second search begins at the value of the first. There is
/// none one ply above the leaves, where the first value is already exact.
pub fn pvs(tree: &Uniform, stop: &AtomicBool) -> Result<LeavesRead, Stopped> {
    let mut reading = Reading { tree, stop, leaves: 0 };
    let value = reading.pvs(TreePlace::ROOT, LEAST, GREATEST)?;
    Ok(LeavesRead { value, leaves: reading.leaves })
}

impl Reading<'_> {
    fn pvs(&mut self, place: TreePlace, alpha: i64, beta: i64) -> Result<i64, Stopped> {
        if let Some(worth) = self.leaf(place)? {
            return Ok(worth);
        }
        let mut best = LEAST;
        for (number, child) in self.children(place).enumerate() {
            let low = alpha.max(best);
            // Leaves are integers, so the null window contains none.
            let high = if number == 0 { beta } else { low + 1 };
            let mut score = -self.pvs(child, -high, -low)?;
            let was_null = high < beta;
            if was_null && low < score && score < beta && self.tree.shape.height() - child.ply >= 2 {
                score = -self.pvs(child, -beta, -score)?;
            }
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }
}

/// MTD(f): null-window searches around improving guesses, with a table of all positions.
///
/// The first guess is `guess`. The table contains leaves too, so no leaf is read twice. Memory grows with
/// the visited positions. Aske Plaat and others, "Best-First Fixed-Depth Minimax Algorithms", 1996.
pub fn mtdf(tree: &Uniform, guess: i64, stop: &AtomicBool) -> Result<LeavesRead, Stopped> {
    let mut reading = Reading { tree, stop, leaves: 0 };
    let mut table = FxHashMap::default();
    let (mut low, mut high) = (LEAST, GREATEST);
    let mut value = guess;
    while low < high {
        let beta = if value == low { value + 1 } else { value };
        value = reading.with_memory(&mut table, TreePlace::ROOT, beta)?;
        match value < beta {
            true => high = value,
            false => low = value,
        }
    }
    Ok(LeavesRead { value, leaves: reading.leaves })
}

impl Reading<'_> {
    /// Tests whether `place` is worth `beta`, and returns a bound either way. Fail-soft alpha-beta in the
    /// window from `beta` - 1 to `beta`, for the side to move.
    fn with_memory(
        &mut self,
        table: &mut FxHashMap<TreePlace, (i64, i64)>,
        place: TreePlace,
        beta: i64,
    ) -> Result<i64, Stopped> {
        match table.get(&place) {
            Some((least, _)) if *least >= beta => return Ok(*least),
            Some((_, greatest)) if *greatest < beta => return Ok(*greatest),
            _ => {}
        }
        if let Some(worth) = self.leaf(place)? {
            table.insert(place, (worth, worth));
            return Ok(worth);
        }
        let mut best = LEAST;
        for child in self.children(place) {
            best = best.max(-self.with_memory(table, child, 1 - beta)?);
            if best >= beta {
                break;
            }
        }
        let bounds = table.entry(place).or_insert((LEAST, GREATEST));
        match best >= beta {
            true => bounds.0 = best,
            false => bounds.1 = best,
        }
        Ok(best)
    }
}
