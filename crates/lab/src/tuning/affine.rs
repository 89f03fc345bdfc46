//! Finds out whether an evaluation is linear in its parameters, by trying it.
//!
//! [`probes`] chooses points: values of all parameters. The caller evaluates every case at every point.
//! [`linear`] returns the features of each case, or nothing if the evaluations do not lie on a plane.

use super::Range;
use super::logistic::Cases;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The number of random points, at which a linear evaluation must agree with its features.
const RANDOM: usize = 4;

/// The greatest difference, relative to the evaluation, that counts as rounding.
const CLOSE: f64 = 1e-9;

/// The points at which to evaluate: the start; for each parameter the start with this parameter at the
/// farther end of its range; and random points.
pub fn probes(start: &[i64], ranges: &[Range], seed: u64) -> Vec<Vec<i64>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut all = vec![start.to_vec()];
    for (at, (low, high)) in ranges.iter().enumerate() {
        let mut point = start.to_vec();
        point[at] = if high.abs_diff(start[at]) >= low.abs_diff(start[at]) { *high } else { *low };
        all.push(point);
    }
    for _ in 0..RANDOM {
        all.push(ranges.iter().map(|(low, high)| random.random_range(*low..=*high)).collect());
    }
    all
}

/// The features of the cases. `values` holds, for each point of [`probes`], the evaluations of all cases.
///
/// `None` if the evaluation is not linear: it differs from `base + features * params` at a random point.
pub fn linear(probes: &[Vec<i64>], values: &[Vec<f64>]) -> Option<Cases> {
    let (start, first) = (probes.first()?, values.first()?);
    let width = start.len();
    let mut cases = Cases { width, base: first.clone(), features: vec![0.0; width * first.len()] };
    for at in 0..width {
        let moved = (probes[at + 1][at] - start[at]) as f64;
        if moved == 0.0 {
            continue;
        }
        for (case, base) in cases.base.iter_mut().enumerate() {
            let feature = (values[at + 1][case] - first[case]) / moved;
            cases.features[case * width + at] = feature;
            *base -= feature * start[at] as f64;
        }
    }
    for (point, values) in probes.iter().zip(values).skip(width + 1) {
        let point: Vec<f64> = point.iter().map(|value| *value as f64).collect();
        for (case, value) in values.iter().enumerate() {
            let expected = cases.evaluation(case, &point);
            if (expected - value).abs() > CLOSE * (1.0 + value.abs().max(expected.abs())) {
                return None;
            }
        }
    }
    Some(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGES: [Range; 2] = [(0, 9), (-5, 5)];

    fn found(evaluate: impl Fn(f64, f64, f64) -> f64) -> Option<Cases> {
        let probes = probes(&[1, 0], &RANGES, 7);
        let at = |point: &Vec<i64>| [1.0, 2.0, -3.0].map(|x| evaluate(x, point[0] as f64, point[1] as f64)).to_vec();
        linear(&probes, &probes.iter().map(at).collect::<Vec<_>>())
    }

    #[test]
    fn features_of_a_sum_are_found() {
        let cases = found(|x, a, b| 3.0 + x * a - 2.0 * x * x * b).expect("it is linear");
        assert_eq!(cases.base, [3.0; 3]);
        assert_eq!(cases.features, [1.0, -2.0, 2.0, -8.0, -3.0, -18.0]);
    }

    #[test]
    fn a_product_or_a_bend_is_not_linear() {
        assert!(found(|x, a, b| x * a * b).is_none());
        assert!(found(|x, a, b| (x * a).max(b)).is_none());
        assert!(found(|x, a, b| x * a + b * b).is_none());
    }
}
