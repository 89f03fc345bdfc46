//! Score of a match: its mean over pairs of games, and how far that may be from the truth.
//!
//! In: for each pair of games, played from one opening with sides swapped, the share of the two
//! points that one player got. Out: the mean, its standard error, an interval. The two games of a
//! pair have their opening in common, so pairs, not games, are independent of each other.

/// What some pairs of games say of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchEstimate {
    /// The mean share of the points.
    pub mean: f64,
    /// The standard error of the mean; not known of one pair.
    pub error: Option<f64>,
    /// The 95 % interval by Student's t, cut off at 0 and 1; where all pairs ended alike, by the rule of
    /// three; not known of one pair.
    pub interval: Option<(f64, f64)>,
    /// Whether all pairs ended alike, of several.
    pub alike: bool,
}

/// The estimate from the shares of all pairs; `None` without any.
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

/// The 95 % interval where every one of `count` pairs gave this share: their spread of 0 tells nothing.
///
/// If pairs that end otherwise are a part `p` of all, none among `count` has the probability
/// `(1 - p)^count`; `p` is at most where that is 0.05, about `3 / count`. Those pairs may give anything
/// from 0 to 1. James Hanley and Abby Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?
/// Interpreting Zero Numerators", 1983.
fn alike(share: f64, count: f64) -> (f64, f64) {
    let others = 1.0 - 0.05f64.powf(1.0 / count);
    (share * (1.0 - others), share + (1.0 - share) * others)
}

/// The quantile 0.975 of Student's t with so many degrees of freedom: the first ones by the table,
/// others by the expansion around the normal distribution (Abramowitz and Stegun, 1964, 26.7.5).
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

    /// Once the interval was empty: 100 % to 100 % after two pairs.
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
                // A share this much worse, or better, by pairs of the other kind is seen with 5 % at most.
                let (worse, better) = ((share - low) / share.max(1e-9), (high - share) / (1.0 - share).max(1e-9));
                for others in [worse, better].into_iter().filter(|others| *others > 0.0) {
                    assert!(((1.0 - others).powi(count as i32) - 0.05).abs() < 1e-9, "{share} of {count}: {others}");
                }
            }
        }
        // About three divided by the number of pairs.
        let (low, high) = interval(1.0, 100);
        assert!((low - 0.9705).abs() < 1e-4 && high == 1.0, "{low} {high}");
    }
}
