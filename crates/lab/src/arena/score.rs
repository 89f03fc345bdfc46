//! The score of a match: its mean over pairs of games, with a confidence interval.
//!
//! It takes one player's share of the two points of each pair of games. Both games of a pair have the
//! same opening, with sides swapped. So pairs are independent of each other, but games are not. It
//! returns the mean, its standard error and an interval.

/// The score of a player, estimated from pairs of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchEstimate {
    /// The mean share of the points.
    pub mean: f64,
    /// The standard error of the mean; `None` for one pair.
    pub error: Option<f64>,
    /// The 95 % interval by Student's t, cut off at 0 and 1. If all pairs ended alike, the rule of three
    /// gives the interval. `None` for one pair.
    pub interval: Option<(f64, f64)>,
    /// Whether several pairs were played and all ended alike.
    pub alike: bool,
}

/// The estimate from the shares of all pairs; `None` without pairs.
pub fn estimate(shares: &[f64]) -> Option<MatchEstimate> {
    let count = shares.len() as f64;
    if shares.is_empty() {
        return None;
    }
    let mean = shares.iter().sum::<f64>() / count;
    if shares.len() == 1 {
        return Some(MatchEstimate { mean, error: None, interval: None, alike: false });
    }
    if shares.iter().all(|share| *share == shares[0]) {
        return Some(MatchEstimate {
            mean: shares[0],
            error: Some(0.0),
            interval: Some(alike(shares[0], count)),
            alike: true,
        });
    }
    let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    let half = quantile(shares.len() - 1) * error;
    let interval = Some(((mean - half).max(0.0), (mean + half).min(1.0)));
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
fn quantile(freedom: usize) -> f64 {
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

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, known) in [(1, 12.706), (5, 2.571), (6, 2.447), (10, 2.228), (30, 2.042), (100_000, 1.960)] {
            assert!((quantile(freedom) - known).abs() < 0.005, "{freedom}: {}", quantile(freedom));
        }
    }

    #[test]
    fn the_error_is_that_of_the_mean_over_pairs() {
        let found = estimate(&[0.5, 1.0, 0.5, 0.0, 0.5]).expect("there are pairs");
        // The sum of squares is 1/2: a variance of 1/8, over five pairs.
        assert_eq!((found.mean, found.error), (0.5, Some((0.125f64 / 5.0).sqrt())));
        let (low, high) = found.interval.expect("there is more than one pair");
        assert!((0.06..0.0625).contains(&low) && (low + high - 1.0).abs() < 1e-12, "{low} {high}");
    }

    #[test]
    fn equals_are_exactly_equal() {
        let found = estimate(&[0.5; 40]).expect("there are pairs");
        assert_eq!((found.mean, found.error, found.alike), (0.5, Some(0.0), true));
        assert_eq!(estimate(&[1.0]), Some(MatchEstimate { mean: 1.0, error: None, interval: None, alike: false }));
        assert_eq!(estimate(&[]), None);
    }

    /// The interval of two equal pairs was once empty: 100 % to 100 %.
    #[test]
    fn pairs_that_end_alike_leave_an_interval() {
        let interval = |share: f64, count: usize| {
            let found = estimate(&vec![share; count]).and_then(|found| found.interval);
            found.expect("there is more than one pair")
        };
        for count in [2, 3, 10, 50, 1000] {
            for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let (low, high) = interval(share, count);
                assert!(0.0 <= low && low <= share && share <= high && high <= 1.0 && low < high, "{low} {high}");
                // If so many pairs ended otherwise, the chance to see none of them is 5 %.
                let (worse, better) = ((share - low) / share.max(1e-9), (high - share) / (1.0 - share).max(1e-9));
                for others in [worse, better].into_iter().filter(|others| *others > 0.0) {
                    assert!(((1.0 - others).powi(count as i32) - 0.05).abs() < 1e-9, "{share} of {count}: {others}");
                }
            }
        }
        // The distance from 1 is about three divided by the number of pairs.
        let (low, high) = interval(1.0, 100);
        assert!((low - 0.9705).abs() < 1e-4 && high == 1.0, "{low} {high}");
    }
}
