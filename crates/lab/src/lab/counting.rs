//! Counts the leaves that searches read, in one tree and as a mean over many.
//!
//! It takes shapes, seeds and numbers of trees. It returns leaves, and means with standard errors.
//! Minimax, F1 and F2 are those of `search`; only leaves are evaluated, so evaluations count leaves.

use super::null_window::{mtdf, pvs};
use super::seeded::SplitMix64;
use super::theory::root;
use super::uniform::{LeafReader, Leaves, TreePlace, TreeShape, Uniform};
use super::{Stopped, go_on};
use alphorn_search::game::Score;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::{Algorithm, run};
use std::sync::atomic::AtomicBool;

/// The maximum number of leaves of a tree that is searched many times.
pub const MOST_SEARCHED: u64 = 1 << 24;

/// A search procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searcher {
    /// Minimax, the brute force of the paper.
    F,
    /// Branch and bound.
    F1,
    /// Alpha-beta.
    F2,
    /// Principal variation search.
    Pvs,
    /// MTD(f), with the middle of the leaf values as the first guess.
    Mtdf,
}

impl Searcher {
    /// The name in the literature.
    pub fn name(self) -> &'static str {
        match self {
            Searcher::F => "F",
            Searcher::F1 => "F1",
            Searcher::F2 => "F2",
            Searcher::Pvs => "PVS",
            Searcher::Mtdf => "MTD(f)",
        }
    }

    /// The value of `tree` for MAX, and the number of leaves read.
    pub fn read(self, tree: &Uniform, stop: &AtomicBool) -> Result<(i64, u64), Stopped> {
        let algorithm = match self {
            Searcher::F => Algorithm::Minimax,
            Searcher::F1 => Algorithm::F1,
            Searcher::F2 => Algorithm::F2,
            Searcher::Pvs => return pvs(tree, stop).map(|read| (read.value, read.leaves)),
            Searcher::Mtdf => return mtdf(tree, middle(tree), stop).map(|read| (read.value, read.leaves)),
        };
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let outcome = match run(algorithm, tree, &LeafReader, &TreePlace::ROOT, &limits) {
            Ok(outcome) if outcome.stopped => return Err(Stopped),
            Ok(outcome) => outcome,
            Err(_) => unreachable!("a made-up tree neither faults nor repeats a position"),
        };
        match outcome.value {
            Some(Score::Value(number)) => Ok((number as i64, outcome.evals)),
            _ => unreachable!("the leaves of a made-up tree are numbers"),
        }
    }
}

/// The middle of the range of leaf values.
fn middle(tree: &Uniform) -> i64 {
    match &tree.leaves {
        Leaves::Random { values: None, .. } => 1 << 52,
        Leaves::Random { values: Some(values), .. } => (*values / 2) as i64,
        Leaves::Dependent { .. } => (tree.shape.leaves() / 2) as i64,
        Leaves::Listed(_) | Leaves::Ordered { .. } => 0,
    }
}

/// A sample of a random count. The sums are exact, so their order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts {
    count: u64,
    sum: u128,
    squares: u128,
}

impl SampleCounts {
    /// Adds a number.
    pub fn add(&mut self, number: u64) {
        self.count += 1;
        self.sum += u128::from(number);
        self.squares += u128::from(number) * u128::from(number);
    }

    /// The size of the sample.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 for an empty sample.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The standard error of the mean; `None` for fewer than two numbers.
    pub fn standard_error(&self) -> Option<f64> {
        let count = u128::from(self.count);
        // Not negative, by Cauchy and Schwarz.
        let spread = (count * self.squares - self.sum * self.sum) as f64;
        (self.count > 1).then(|| (spread / (count * count * (count - 1)) as f64).sqrt())
    }
}

/// The counts in trees of one height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeightRow {
    /// The plies from the root to the leaves.
    pub height: u32,
    /// The number of leaves of a tree, which is what F reads.
    pub leaves: u64,
    /// The leaves read by the other procedures, as samples.
    pub samples: Vec<(Searcher, SampleCounts)>,
}

impl HeightRow {
    /// The sample of `searcher`.
    pub fn sample(&self, searcher: Searcher) -> Option<&SampleCounts> {
        self.samples.iter().find(|(other, _)| *other == searcher).map(|(_, sample)| sample)
    }
}

/// The growth of a mean per ply: its root of degree `height`.
pub fn growth(sample: &SampleCounts, height: u32) -> f64 {
    root(sample.mean(), height)
}

/// The counts by height, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Means {
    /// A row for each height.
    pub rows: Vec<HeightRow>,
    /// Whether the stop flag was set. The last row then has fewer trees, and further rows are missing.
    pub stopped: bool,
}

/// Searches `trees` trees of each height from 1 to that of `shape` with all `searchers`. They search the
/// same trees. `leaves` makes the leaves of a tree from its seed.
///
/// Reads all leaves, and about as many again at lower heights.
pub fn means(
    shape: TreeShape,
    trees: u64,
    seed: u64,
    searchers: &[Searcher],
    leaves: &dyn Fn(u64) -> Leaves,
    stop: &AtomicBool,
) -> Means {
    let mut rows = Vec::new();
    for height in 1..=shape.height() {
        let shape = shape.to_height(height);
        let samples = searchers.iter().map(|searcher| (*searcher, SampleCounts::default())).collect();
        let mut row = HeightRow { height, leaves: shape.leaves(), samples };
        for number in 0..trees {
            let seed = SplitMix64::at(SplitMix64::at(seed, u64::from(height)), number);
            let tree = Uniform { shape, leaves: leaves(seed) };
            if add_tree(&mut row, &tree, stop).is_err() {
                rows.extend((number > 0).then_some(row));
                return Means { rows, stopped: true };
            }
        }
        rows.push(row);
    }
    Means { rows, stopped: false }
}

/// Adds the leaves read of a tree, if all searchers finished it.
fn add_tree(row: &mut HeightRow, tree: &Uniform, stop: &AtomicBool) -> Result<(), Stopped> {
    go_on(stop)?;
    let read: Result<Vec<u64>, Stopped> =
        row.samples.iter().map(|(searcher, _)| searcher.read(tree, stop).map(|(_, leaves)| leaves)).collect();
    row.samples.iter_mut().zip(read?).for_each(|((_, sample), leaves)| sample.add(leaves));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_mean_and_its_error() {
        let mut sample = SampleCounts::default();
        assert_eq!((sample.mean(), sample.standard_error()), (0.0, None));
        [2, 4, 4, 6].into_iter().for_each(|number| sample.add(number));
        assert_eq!(sample.mean(), 4.0);
        let error = sample.standard_error().expect("four suffice");
        assert!((error - (8.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
    }
}
