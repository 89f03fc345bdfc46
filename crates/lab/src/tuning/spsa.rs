//! SPSA: climbs a score that is known only by games, such as the score of a match.
//!
//! Each step moves all parameters at once, up or down at random, plays games between the two opposite
//! points, and moves towards the winner. James Spall, "Multivariate Stochastic Approximation Using a
//! Simultaneous Perturbation Gradient Approximation", 1992. The constants and the units are those of
//! fishtest, the test framework of Stockfish: the time of a step is the number of pairs of games before it.

use super::Range;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

/// The exponent of the step length.
const ALPHA: f64 = 0.602;

/// The exponent of the distance between the two points.
const GAMMA: f64 = 0.101;

/// The steady part of the step length, as a share of all pairs.
const STEADY: f64 = 0.1;

/// The settings of a climb.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The ranges of the parameters.
    pub ranges: Vec<Range>,
    /// The distance from a point at the end of the climb, for each parameter: `c_end` of fishtest.
    pub spread: Vec<f64>,
    /// The step length at the end, relative to the squared distance: `r_end` of fishtest.
    pub rate: f64,
    /// The number of all pairs of games.
    pub pairs: u64,
    /// The seed.
    pub seed: u64,
}

/// Two opposite points around the current one.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// The directions: 1 or -1 for each parameter.
    pub signs: Vec<f64>,
    /// The point in these directions.
    pub plus: Vec<i64>,
    /// The opposite point.
    pub minus: Vec<i64>,
}

impl Spsa {
    /// A climb with the usual constants: distances of a tenth of each range, and a rate for few games.
    pub fn usual(ranges: &[Range], pairs: u64, seed: u64) -> Spsa {
        let spread = ranges.iter().map(|(low, high)| ((high - low) as f64 / 10.0).max(1.0)).collect();
        // fishtest uses 0.002 for about 20,000 pairs. A climb with fewer pairs needs longer steps.
        let rate = (0.002 * 20_000.0 / pairs.max(1) as f64).clamp(0.002, 0.1);
        Spsa { ranges: ranges.to_vec(), spread, rate, pairs, seed }
    }

    /// The distance of a parameter from the point after `done` pairs.
    fn distance(&self, at: usize, done: u64) -> f64 {
        self.spread[at] * (self.pairs.max(1) as f64 / (done + 1) as f64).powf(GAMMA)
    }

    /// The two points to compare after `done` pairs. Values between two integers are rounded at random, so
    /// that also small distances count.
    pub fn perturbation(&self, point: &[f64], done: u64) -> Perturbation {
        let mixed = Xoshiro256PlusPlus::seed_from_u64(self.seed).next_u64();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(done));
        let mut found = Perturbation { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for (at, (value, (low, high))) in point.iter().zip(&self.ranges).enumerate() {
            let sign = if random.random::<bool>() { 1.0 } else { -1.0 };
            let away = sign * self.distance(at, done);
            let share: f64 = random.random();
            let near = |value: f64| ((value + share).floor() as i64).clamp(*low, *high);
            found.signs.push(sign);
            found.plus.push(near(value + away));
            found.minus.push(near(value - away));
        }
        found
    }

    /// Moves the point after a comparison: `gain` is the number of wins of `plus` less its losses.
    pub fn step(&self, point: &mut [f64], done: u64, compared: &Perturbation, gain: f64) {
        let steady = STEADY * self.pairs as f64;
        let now = ((steady + self.pairs as f64) / (steady + (done + 1) as f64)).powf(ALPHA);
        for (at, value) in point.iter_mut().enumerate() {
            let length = self.rate * self.spread[at].powi(2) * now;
            let (low, high) = self.ranges[at];
            let moved = *value + length / self.distance(at, done) * gain * compared.signs[at];
            *value = moved.clamp(low as f64, high as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games whose results are drawn: the nearer to the best point, the better.
    #[test]
    fn the_maximum_of_a_noisy_quadratic_is_found() {
        let best = [30.0, -12.0];
        let strength = |point: &[i64]| -> f64 {
            -point.iter().zip(best).map(|(value, best)| 0.01 * (*value as f64 - best).powi(2)).sum::<f64>()
        };
        let spsa = Spsa::usual(&[(0, 60), (-40, 40)], 4_000, 3);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut point = [5.0, 25.0];
        for done in 0..spsa.pairs {
            let compared = spsa.perturbation(&point, done);
            let chance = 1.0 / (1.0 + (strength(&compared.minus) - strength(&compared.plus)).exp());
            let gain = (0..2).map(|_| if random.random::<f64>() < chance { 1.0 } else { -1.0 }).sum();
            spsa.step(&mut point, done, &compared, gain);
        }
        for (value, best) in point.iter().zip(best) {
            assert!((value - best).abs() < 5.0, "{point:?}");
        }
    }

    /// The distances, and the steps for one win, that a script computed by the definition of fishtest: `c_end`,
    /// `r_end`, `c = c_end * n^gamma`, `a = r_end * c_end^2 * (A + n)^alpha`, `c_k = c / k^gamma` and
    /// `R_k = a / (A + k)^alpha / c_k^2` for the pair `k` of `n`.
    #[test]
    fn distances_and_steps_are_those_of_fishtest() {
        for (range, pairs, done, distance, length) in [
            ((0, 60), 4_000, 0, 13.8662591, 0.109801631),
            ((0, 60), 4_000, 1_999, 6.4350997, 0.0805783861),
            ((0, 60), 4_000, 3_999, 6.0, 0.06),
            ((-100, 100), 60, 8, 24.2239398, 4.02878159),
            ((0, 3), 20_000, 10, 2.13414227, 0.00395631638),
        ] {
            let spsa = Spsa::usual(&[range], pairs, 1);
            assert!((spsa.distance(0, done) / distance - 1.0).abs() < 1e-8, "{range:?} {pairs} {done}");
            let mut point = [1.0];
            spsa.step(&mut point, done, &Perturbation { signs: vec![-1.0], plus: vec![0], minus: vec![0] }, -1.0);
            assert!(((point[0] - 1.0) / length - 1.0).abs() < 1e-7, "{point:?} {length}");
        }
    }

    #[test]
    fn points_stay_in_their_ranges_and_depend_on_the_seed() {
        let spsa = Spsa::usual(&[(0, 3)], 100, 1);
        let compared = spsa.perturbation(&[0.0], 5);
        assert!([&compared.plus, &compared.minus].iter().all(|point| (0..=3).contains(&point[0])));
        assert_eq!(compared, spsa.perturbation(&[0.0], 5));
        let mut point = [3.0];
        spsa.step(&mut point, 5, &Perturbation { signs: vec![1.0], plus: vec![3], minus: vec![2] }, 50.0);
        assert_eq!(point, [3.0]);
    }
}
