//! Null window: principal variation search and MTD(f) on made-up trees, to count their leaves.
//!
//! In: a tree of integer leaves. Out: its value for Max, and the leaves read. In negamax form, for
//! here the sides move by turns; recursive, for no such tree is higher than
//! [`MOST_PLIES`](super::uniform::MOST_PLIES). Must not know how the leaves come about.

use super::uniform::{TreePlace, Uniform};
use super::{Stopped, go_on};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;

/// A value, and how many leaves were read for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeavesRead {
    /// For Max.
    pub value: i64,
    /// Every reading counts, of the same leaf too.
    pub leaves: u64,
}

/// Below and above every leaf; far from where a sign or a step could overflow.
const LEAST: i64 = -(1 << 60);
const GREATEST: i64 = 1 << 60;

/// What every call of one search shares.
struct Reading<'a> {
    tree: &'a Uniform,
    stop: &'a AtomicBool,
    leaves: u64,
}

impl Reading<'_> {
    /// The leaf at `place` for the side that would move there; `None` further up.
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

/// Principal variation search, fail-soft: all moves but the first are tried with a null window, and
/// searched again where they turn out better.
///
/// Tony Marsland and Murray Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982; the
/// second search from the value of the first, and none one ply above the leaves, where that is right
/// already, after Alexander Reinefeld's NegaScout, 1983.
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
            // Leaves are integers, so the null window holds none between its ends.
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

/// MTD(f): null windows alone, around one guess after the other, with a table of all positions.
///
/// The first guess is `guess`. Leaves are kept too, so none is read twice; memory grows with the
/// positions visited. Aske Plaat and others, "Best-First Fixed-Depth Minimax Algorithms", 1996.
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
    /// Whether `place` is worth `beta`, with a bound for either answer: fail-soft alpha-beta in the
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
