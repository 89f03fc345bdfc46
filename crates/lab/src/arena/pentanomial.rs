//! Counts of pairs of games by their points, and what follows from them: Elo difference, LOS, draw ratio.
//!
//! Both games of a pair have the same opening, with sides swapped. So pairs are independent of each other,
//! but games are not. A pair has five possible results: 0, 1/2, 1, 3/2 or 2 points. The model of these
//! five counts is the pentanomial model of fishtest, the test framework of Stockfish (Michel Van den Bergh,
//! "A Practical Introduction to the GSPRT", 2020).

use crate::numerics::normal_distribution;

/// The scores of the five results of a pair: the share of the two points.
pub const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The weight that the prior gives to each of the five results: one pair in all. With this prior, the
/// intervals of matches with few different results cover the true score about as often as they should.
/// Wilfred Perks, "Some Observations on Inverse Probability", 1947.
const PRIOR: f64 = 0.2;

/// The number of pairs with each result, for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial {
    /// The numbers of pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Adds a pair in which the player won `points` of 2: a multiple of one half.
    pub fn add(&mut self, points: f64) {
        let at = (2.0 * points).round().clamp(0.0, 4.0) as usize;
        self.counts[at] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean share of the points, from 0 to 1; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        let pairs = self.pairs();
        let points: u64 = self.counts.iter().zip(0..).map(|(count, quarters)| count * quarters).sum();
        (pairs > 0).then(|| points as f64 / (4.0 * pairs as f64))
    }

    /// The sum of the squared distances of the shares from `mean`.
    pub fn squares(&self, mean: f64) -> f64 {
        self.counts.iter().zip(SHARES).map(|(count, share)| *count as f64 * (share - mean).powi(2)).sum()
    }

    /// Whether all pairs ended alike.
    pub fn alike(&self) -> bool {
        self.counts.iter().filter(|count| **count > 0).count() == 1
    }

    /// The mean of the score and its standard deviation, under the prior of one pair. With this prior the
    /// deviation is greater than 0, however the pairs ended.
    pub fn posterior(&self) -> (f64, f64) {
        let weights = self.counts.map(|count| count as f64 + PRIOR);
        let all: f64 = weights.iter().sum();
        let weighted = |value: &dyn Fn(f64) -> f64| {
            weights.iter().zip(SHARES).map(|(weight, share)| weight * value(share)).sum::<f64>() / all
        };
        let mean = weighted(&|share| share);
        let variance = weighted(&|share| (share - mean).powi(2));
        // The variance of the mean of a Dirichlet distribution.
        (mean, (variance / (all + 1.0)).sqrt())
    }

    /// The likelihood of superiority: the probability that the player scores more than one half against the
    /// other, under the prior of one pair and with a normal distribution. `None` without pairs.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, error) = self.posterior();
        let z = (mean - 0.5) / error;
        (self.pairs() > 0).then(|| normal_distribution(z))
    }
}

/// The Elo difference that belongs to a score from 0 to 1, by the logistic model: 400 points for a score of
/// 10 to 1. Infinite for 0 and 1. Arpad Elo, "The Rating of Chessplayers", 1978.
pub fn elo_of_score(score: f64) -> f64 {
    // Without the sum, an even score would be -0.
    400.0 * (score / (1.0 - score)).log10() + 0.0
}

/// The score from 0 to 1 that belongs to an Elo difference, by the logistic model.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts }
    }

    #[test]
    fn points_are_counted_by_halves() {
        let mut found = Pentanomial::default();
        assert_eq!((found.mean(), found.superiority(), found.pairs()), (None, None, 0));
        [0.0, 0.5, 0.5, 1.0, 1.5, 2.0, 2.0].into_iter().for_each(|points| found.add(points));
        assert_eq!((found.counts, found.pairs()), ([1, 2, 1, 1, 2], 7));
        assert_eq!(found.mean(), Some(7.5 / 14.0));
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert_eq!((elo_of_score(0.5).to_string(), score_of_elo(0.0)), ("0".to_string(), 0.5));
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        for elo in [-700.0, -10.0, 3.5, 120.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9, "{elo}");
        }
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn superiority_is_a_probability_also_when_all_pairs_end_alike() {
        for even in [[0, 0, 40, 0, 0], [3, 5, 9, 5, 3]] {
            let found = of(even).superiority().expect("there are pairs");
            assert!((found - 0.5).abs() < 1e-12, "{even:?}: {found}");
        }
        let one = of([0, 0, 0, 0, 1]).superiority().expect("there is a pair");
        assert!((0.8..0.95).contains(&one), "{one}");
        let (better, worse) = (of([2, 8, 20, 14, 6]), of([6, 14, 20, 8, 2]));
        let sum = better.superiority().unwrap_or_default() + worse.superiority().unwrap_or_default();
        assert!(better.superiority() > Some(0.95) && (sum - 1.0).abs() < 1e-12, "{sum}");
    }
}
