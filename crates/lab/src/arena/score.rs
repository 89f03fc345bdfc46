//! The score of a match: its mean over pairs of games, with a confidence interval.
//!
//! It takes the counts of pairs by their points. It returns the mean, its standard error and an interval.

use super::pentanomial::Pentanomial;

/// The score of a player, estimated from pairs of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchEstimate {
    /// The mean share of the points.
    pub mean: f64,
    /// The standard error of the mean; `None` for one pair.
    pub error: Option<f64>,
    /// The 95 % interval, cut off at 0 and 1; it contains the mean. Student's t around the mean of the
    /// counts with the prior of [`Pentanomial::posterior`]. If all pairs ended alike, the rule of three gives
    /// the interval. `None` for one pair.
    pub interval: Option<(f64, f64)>,
    /// Whether several pairs were played and all ended alike.
    pub alike: bool,
}

/// The estimate from the counts of all pairs; `None` without pairs.
pub fn estimate(pairs: &Pentanomial) -> Option<MatchEstimate> {
    let (mean, count) = (pairs.mean()?, pairs.pairs() as f64);
    if pairs.pairs() == 1 {
        return Some(MatchEstimate { mean, error: None, interval: None, alike: false });
    }
    if pairs.alike() {
        return Some(MatchEstimate { mean, error: Some(0.0), interval: Some(alike(mean, count)), alike: true });
    }
    let error = (pairs.squares(mean) / (count - 1.0) / count).sqrt();
    // Without a prior, the interval would be too short if nearly all pairs ended alike.
    let (centre, spread) = pairs.posterior();
    let half = quantile(pairs.pairs() as usize - 1) * spread;
    let interval = Some(((centre - half).clamp(0.0, mean), (centre + half).clamp(mean, 1.0)));
    Some(MatchEstimate { mean, error: Some(error), interval, alike: false })
}

/// The 95 % interval if each of `count` pairs gave this share. Their standard error of 0 says nothing.
///
/// If a part `p` of all pairs ends otherwise, none of them is among `count` pairs with the probability
/// `(1 - p)^count`. The greatest likely `p` is the one where this is 0.05, about `3 / count`. Those pairs
/// may give any share from 0 to 1. James Hanley and Abby Lippman-Hand, "If Nothing Goes Wrong, Is
/// Everything All Right? Interpreting Zero Numerators", 1983.
fn alike(share: f64, count: f64) -> (f64, f64) {
    let others = 1.0 - 0.05f64.powf(1.0 / count);
    (share * (1.0 - others), share + (1.0 - share) * others)
}

/// The quantile 0.975 of Student's t with `freedom` degrees of freedom: a table for the first ones, then
/// the expansion around the normal distribution (Abramowitz and Stegun, 1964, 26.7.5).
pub(super) fn quantile(freedom: usize) -> f64 {
    const FIRST: [f64; 4] = [12.7062, 4.3027, 3.1824, 2.7764];
    let z: f64 = 1.959_964;
    match freedom.checked_sub(1).and_then(|at| FIRST.get(at)) {
        Some(known) => *known,
        None => {
            let n = freedom as f64;
            let first = (z.powi(3) + z) / 4.0;
            let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
            let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
            z + first / n + second / n.powi(2) + third / n.powi(3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::pentanomial::SHARES;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, known) in [(1, 12.706), (5, 2.571), (6, 2.447), (10, 2.228), (30, 2.042), (100_000, 1.960)] {
            assert!((quantile(freedom) - known).abs() < 0.005, "{freedom}: {}", quantile(freedom));
        }
    }

    fn of(counts: [u64; 5]) -> Option<MatchEstimate> {
        estimate(&Pentanomial { counts })
    }

    #[test]
    fn the_error_is_that_of_the_mean_over_pairs() {
        let found = of([1, 0, 3, 0, 1]).expect("there are pairs");
        // The sum of squares is 1/2: a variance of 1/8, over five pairs.
        assert_eq!((found.mean, found.error), (0.5, Some((0.125f64 / 5.0).sqrt())));
        let (low, high) = found.interval.expect("there is more than one pair");
        // With a fifth of a pair for each result: a variance of 0.625 / 6, over seven pairs.
        let half = 2.7764 * (0.625f64 / 6.0 / 7.0).sqrt();
        assert!((low - 0.5 + half).abs() < 1e-9 && (low + high - 1.0).abs() < 1e-12, "{low} {high}");
    }

    #[test]
    fn equals_are_exactly_equal() {
        let found = of([0, 0, 40, 0, 0]).expect("there are pairs");
        assert_eq!((found.mean, found.error, found.alike), (0.5, Some(0.0), true));
        assert_eq!(of([0, 0, 0, 0, 1]), Some(MatchEstimate { mean: 1.0, error: None, interval: None, alike: false }));
        assert_eq!(of([0; 5]), None);
    }

    /// The interval of two equal pairs was once empty: 100 % to 100 %.
    #[test]
    fn pairs_that_end_alike_leave_an_interval() {
        let interval = |at: usize, count: u64| {
            let mut counts = [0; 5];
            counts[at] = count;
            of(counts).and_then(|found| found.interval).expect("there is more than one pair")
        };
        for count in [2, 3, 10, 50, 1000] {
            for (at, share) in SHARES.into_iter().enumerate() {
                let (low, high) = interval(at, count);
                assert!(0.0 <= low && low <= share && share <= high && high <= 1.0 && low < high, "{low} {high}");
                // If so many pairs ended otherwise, the chance to see none of them is 5 %.
                let (worse, better) = ((share - low) / share.max(1e-9), (high - share) / (1.0 - share).max(1e-9));
                for others in [worse, better].into_iter().filter(|others| *others > 0.0) {
                    assert!(((1.0 - others).powi(count as i32) - 0.05).abs() < 1e-9, "{share} of {count}: {others}");
                }
            }
        }
        // The distance from 1 is about three divided by the number of pairs.
        let (low, high) = interval(4, 100);
        assert!((low - 0.9705).abs() < 1e-4 && high == 1.0, "{low} {high}");
    }

    /// The interval of 100 pairs, all but one alike, was once a quarter of that of 100 pairs that end alike.
    #[test]
    fn one_different_pair_does_not_make_sure() {
        for counts in [[0, 0, 99, 0, 1], [0, 0, 0, 1, 99], [1, 99, 0, 0, 0]] {
            let found = of(counts).expect("there are pairs");
            let (low, high) = found.interval.expect("there is more than one pair");
            assert!(low < found.mean && found.mean <= high && high - low > 0.015, "{counts:?}: {low} {high}");
        }
    }
}
