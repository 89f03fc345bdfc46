//! The scale of the values in one tree: their range, their spread, and where evaluations lie among wins.

use crate::game::Side;

/// Leaves to see before the spread of their values counts.
const ENOUGH: u64 = 8;

/// The least spread, as a share of the range.
const LEAST: f64 = 0.02;

/// The scale of the values in one tree.
pub(super) struct Scale {
    /// The least and the greatest value that is possible or was seen.
    range: (f64, f64),
    /// Whether the game has this range.
    fixed: bool,
    /// Whether the game ends in wins, losses and draws, which are worth 1, -1 and 0.
    has_wins: bool,
    /// The sum of absolute evaluations and their number, to scale evaluations in a game with wins.
    usual: (f64, u64),
    /// The number of leaves, their mean, and the sum of squared differences from the mean (B. P. Welford, 1962).
    leaves: (u64, f64, f64),
}

impl Scale {
    pub(super) fn new(range: Option<(f64, f64)>, has_results: bool) -> Scale {
        let fixed = range.is_some();
        let range = range.unwrap_or(if has_results { (-1.0, 1.0) } else { (0.0, 0.0) });
        Scale { range, fixed, has_wins: has_results && !fixed, usual: (0.0, 0), leaves: (0, 0.0, 0.0) }
    }

    /// An evaluation on the scale of the game's values.
    pub(super) fn of_evaluation(&mut self, number: f64) -> f64 {
        if !self.has_wins {
            return number;
        }
        // Wins have no number here, so the evaluation is scaled to stay below them.
        self.usual = (self.usual.0 + number.abs(), self.usual.1 + 1);
        let usual = self.usual.0 / self.usual.1 as f64;
        if number == 0.0 { 0.0 } else { 0.9 * number / (number.abs() + usual) }
    }

    /// Adds the value of a leaf.
    pub(super) fn add(&mut self, value: f64) {
        if !self.fixed {
            self.range = (self.range.0.min(value), self.range.1.max(value));
        }
        let (count, mean, squares) = &mut self.leaves;
        *count += 1;
        let before = value - *mean;
        *mean += before / *count as f64;
        *squares += before * (value - *mean);
    }

    /// The width that exploration takes for the whole range of values: twice their standard deviation, which is
    /// the whole range if each leaf is a win or a loss.
    pub(super) fn width(&self) -> f64 {
        let all = (self.range.1 - self.range.0).max(f64::MIN_POSITIVE);
        let (count, _, squares) = self.leaves;
        if count < ENOUGH {
            return all;
        }
        (2.0 * (squares / count as f64).sqrt()).clamp(LEAST * all, all)
    }

    /// Whether no value is better for a side.
    pub(super) fn is_best(&self, value: f64, side: Side) -> bool {
        let (low, high) = self.range;
        self.fixed && if side == Side::Max { value >= high } else { value <= low }
    }
}
