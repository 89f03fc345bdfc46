//! The sequential probability ratio test of a match: whether A is stronger than B by `elo0` or by `elo1`.
//!
//! It takes the counts of pairs so far, and returns the logarithm of the likelihood ratio of the two
//! hypotheses, and whether one of them is accepted. It does not know games.
//!
//! The test is that of Abraham Wald, "Sequential Tests of Statistical Hypotheses", 1945. The result of a
//! pair has five values and so more than one unknown, so each hypothesis is represented by its most likely
//! distribution: Michel Van den Bergh, "A Practical Introduction to the GSPRT", 2020, which fishtest and
//! fastchess follow. Elo differences are logistic, not normalized: an Elo difference is a score.

use super::pentanomial::{Pentanomial, SHARES, score_of_elo};

/// The greatest Elo difference of a hypothesis.
pub const MOST_ELO: f64 = 1000.0;

/// The count of a result that never occurred, as in fishtest. It must be greater than 0, because a hypothesis
/// may need this result.
const NEVER: f64 = 1e-3;

/// The steps of the bisection, enough for all digits of a number.
const BISECTIONS: usize = 200;

/// The hypotheses of a test and the probabilities of its errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// A hypothesis about the Elo difference between A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// A is stronger by `elo0`, or by less.
    H0,
    /// A is stronger by `elo1`, or by more.
    H1,
}

impl Sprt {
    /// A test of the hypothesis `elo1` against `elo0`. The test accepts `elo1` wrongly with the probability
    /// `alpha`, and `elo0` wrongly with the probability `beta`.
    ///
    /// # Errors
    ///
    /// The message says which number is wrong, and what to write.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, String> {
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MOST_ELO..=MOST_ELO).contains(&elo) {
                return Err(format!("{name}={elo} is not an Elo difference from -{MOST_ELO} to {MOST_ELO}"));
            }
        }
        if elo0 == elo1 {
            return Err(format!(
                "elo0 and elo1 are both {elo0}: a test needs two different hypotheses, such as elo0=0,elo1=10"
            ));
        }
        if elo0 > elo1 {
            return Err(format!("elo0={elo0} is greater than elo1={elo1}: write elo0={elo1},elo1={elo0}"));
        }
        for (name, error) in [("alpha", alpha), ("beta", beta)] {
            if !(error > 0.0 && error <= 0.5) {
                return Err(format!(
                    "{name}={error} is not the probability of an error, greater than 0 and at most 0.5: write {name}=0.05"
                ));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The Elo differences of the two hypotheses.
    pub fn elos(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The probabilities of a wrong H1 and of a wrong H0.
    pub fn errors(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The logarithms of the likelihood ratio at which the test accepts H0 and H1.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The logarithm of the likelihood ratio of H1 to H0 after these pairs; 0 without pairs.
    pub fn log_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts.map(|count| if count == 0 { NEVER } else { count as f64 });
        let [h0, h1] = self.elos().map(|elo| likeliest(&counts, score_of_elo(elo)));
        counts.iter().zip(h0.iter().zip(h1)).map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
    }

    /// The accepted hypothesis, if the test is decided.
    pub fn decision(&self, pairs: &Pentanomial) -> Option<Hypothesis> {
        let (ratio, [lower, upper]) = (self.log_ratio(pairs), self.bounds());
        match ratio {
            ratio if ratio >= upper => Some(Hypothesis::H1),
            ratio if ratio <= lower => Some(Hypothesis::H0),
            _ => None,
        }
    }
}

/// The distribution of the five results with the mean `score` under which these counts are most likely.
/// Every count must be greater than 0.
///
/// With `p` for the parts of the counts, it is `p / (1 + theta (share - score))`, where `theta` makes the
/// mean right: Van den Bergh, 2020, proposition 1.1.
fn likeliest(counts: &[f64; 5], score: f64) -> [f64; 5] {
    let all: f64 = counts.iter().sum();
    let parts = counts.map(|count| count / all);
    let at = |theta: f64| -> [f64; 5] {
        std::array::from_fn(|index| parts[index] / (1.0 + theta * (SHARES[index] - score)))
    };
    // Between these bounds all probabilities are positive, and the mean falls as theta grows.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        let beyond: f64 = at(middle).iter().zip(SHARES).map(|(part, share)| part * (share - score)).sum();
        if beyond > 0.0 { low = middle } else { high = middle }
    }
    at(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::score::estimate;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).expect("these are bounds")
    }

    /// Draws the result of a pair.
    fn draw(parts: &[f64; 5], random: &mut Xoshiro256PlusPlus) -> f64 {
        let mut left: f64 = random.random();
        for (part, points) in parts.iter().zip([0.0, 0.5, 1.0, 1.5]) {
            left -= part;
            if left < 0.0 {
                return points;
            }
        }
        2.0
    }

    fn mean(parts: &[f64; 5]) -> f64 {
        parts.iter().zip(SHARES).map(|(part, share)| part * share).sum()
    }

    #[test]
    fn the_likeliest_distribution_has_the_mean_of_the_hypothesis() {
        for counts in [[1.0, 2.0, 3.0, 4.0, 5.0], [NEVER, NEVER, 500.0, NEVER, NEVER], [NEVER, 9.0, NEVER, 1.0, 7.0]] {
            for score in [0.1, 0.5, 0.514, 0.9] {
                let found = likeliest(&counts, score);
                assert!(found.iter().all(|part| *part > 0.0), "{found:?}");
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
                assert!((mean(&found) - score).abs() < 1e-9, "{found:?}");
            }
        }
        // The counts themselves, if their mean is that of the hypothesis.
        let counts = [1.0, 2.0, 4.0, 2.0, 1.0];
        for (part, count) in likeliest(&counts, 0.5).into_iter().zip(counts) {
            assert!((part - count / 10.0).abs() < 1e-9);
        }
    }

    /// Near an even score the ratio is about N (s1 - s0) (2 s - s0 - s1) / (2 variance): Van den Bergh, 2020.
    #[test]
    fn the_ratio_is_near_its_approximation() {
        let pairs = Pentanomial { counts: [400, 2000, 5000, 2200, 400] };
        let [s0, s1] = [0.0, 5.0].map(score_of_elo);
        let (all, mean) = (pairs.pairs() as f64, pairs.mean().unwrap_or_default());
        let variance = pairs.squares(mean) / all;
        let near = all * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let found = sprt(0.0, 5.0).log_ratio(&pairs);
        assert!((found - near).abs() < 0.02 * near.abs().max(0.1), "{found} {near}");
    }

    /// The ratios that a script computed with scipy by the definition of fishtest, `LLR_logistic`, for 0 against 10
    /// Elo and for -3 against 1.
    #[test]
    fn ratios_are_those_of_fishtest() {
        for (counts, wide, shifted) in [
            ([1, 2, 3, 4, 5], 0.277475, 0.115944),
            ([0, 0, 40, 0, 0], -1.160303, 0.230502),
            ([0, 0, 0, 0, 7], 0.198633, 0.080846),
            ([3, 20, 50, 25, 2], 0.010338, 0.125601),
            ([10, 40, 120, 60, 20], 2.155922, 1.076285),
            ([0, 9, 0, 1, 7], 0.164607, 0.074051),
            ([39, 2226, 31451, 2412, 40], -335.380868, 65.973585),
            ([1, 99, 0, 0, 0], -2.919650, -1.147979),
            ([10789, 19328, 33806, 19402, 10543], -135.760714, 2.131068),
            ([5, 0, 20, 0, 12], 0.407828, 0.177821),
        ] {
            let pairs = Pentanomial { counts };
            for (test, ratio) in [(sprt(0.0, 10.0), wide), (sprt(-3.0, 1.0), shifted)] {
                let found = test.log_ratio(&pairs);
                assert!((found - ratio).abs() < 2e-6, "{counts:?}: {found} is not {ratio}");
            }
        }
    }

    #[test]
    fn wrong_hypotheses_are_told() {
        let told = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta).expect_err("it is wrong");
        assert!(told(10.0, 0.0, 0.05, 0.05).ends_with("write elo0=0,elo1=10"));
        assert!(told(3.0, 3.0, 0.05, 0.05).contains("both 3"));
        assert!(told(0.0, f64::NAN, 0.05, 0.05).contains("elo1=NaN"));
        assert!(told(-1e9, 3.0, 0.05, 0.05).contains("elo0"));
        for wrong in [0.0, -0.1, 0.51, f64::NAN] {
            assert!(told(0.0, 5.0, wrong, 0.05).contains("write alpha=0.05"), "{wrong}");
            assert!(told(0.0, 5.0, 0.05, wrong).contains("write beta=0.05"), "{wrong}");
        }
        let [lower, upper] = sprt(0.0, 5.0).bounds();
        assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    }

    /// Pairs that all end alike once gave no ratio: some hypotheses need results that never occurred.
    #[test]
    fn pairs_that_end_alike_decide() {
        let decided = |at: usize| {
            let mut pairs = Pentanomial::default();
            while sprt(0.0, 10.0).decision(&pairs).is_none() {
                pairs.counts[at] += 1;
                assert!(pairs.pairs() < 1000, "{pairs:?}");
            }
            (sprt(0.0, 10.0).decision(&pairs), pairs.pairs())
        };
        assert_eq!(
            [decided(0).0, decided(2).0, decided(4).0],
            [Some(Hypothesis::H0), Some(Hypothesis::H0), Some(Hypothesis::H1)]
        );
        assert!(decided(2).1 > 50, "{:?}", decided(2));
    }

    /// Of 100 tests with these probabilities of results, how many accept H1.
    fn accepted(parts: &[f64; 5], test: &Sprt) -> usize {
        (0..100)
            .filter(|seed| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(*seed);
                let mut pairs = Pentanomial::default();
                loop {
                    pairs.add(draw(parts, &mut random));
                    if let Some(decision) = test.decision(&pairs) {
                        return decision == Hypothesis::H1;
                    }
                }
            })
            .count()
    }

    #[test]
    fn equals_are_equal_and_the_stronger_is_stronger() {
        let test = sprt(0.0, 30.0);
        for even in [[0.05, 0.2, 0.5, 0.2, 0.05], [0.2; 5], [0.1, 0.0, 0.8, 0.0, 0.1]] {
            let found = accepted(&even, &test);
            assert!(found <= 7, "H1 accepted {found} times with {even:?}");
        }
        for better in [[0.04, 0.14, 0.47, 0.26, 0.09], [0.14, 0.18, 0.2, 0.22, 0.26], [0.05, 0.0, 0.75, 0.0, 0.2]] {
            assert!(mean(&better) > score_of_elo(30.0), "{}", mean(&better));
            let found = accepted(&better, &test);
            assert!(found >= 93, "H1 accepted {found} times with {better:?}");
        }
    }

    #[test]
    fn the_interval_covers_the_true_score() {
        for (parts, pairs) in [
            ([0.05, 0.2, 0.5, 0.2, 0.05], 50),
            ([0.01, 0.05, 0.2, 0.34, 0.4], 100),
            ([0.2; 5], 20),
            ([0.02, 0.1, 0.7, 0.13, 0.05], 200),
        ] {
            let covers = |seed| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut counts = Pentanomial::default();
                (0..pairs).for_each(|_| counts.add(draw(&parts, &mut random)));
                let (low, high) = estimate(&counts).and_then(|found| found.interval).expect("there are pairs");
                (low..=high).contains(&mean(&parts))
            };
            let covered = (0..1000).filter(|seed| covers(*seed)).count();
            assert!((930..=970).contains(&covered), "{covered} of 1000 with {parts:?}");
        }
    }
}
