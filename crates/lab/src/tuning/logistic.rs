//! Logistic loss: how well evaluations predict results, and the parameters that predict best.
//!
//! An evaluation `e` predicts the result `1 / (1 + exp(-scale * e))`, from 0 for a loss to 1 for a win. Peter
//! Österlund ("Texel's tuning method", 2014) minimises the squared error of this prediction. This file
//! minimises its logarithmic loss, which is convex for an evaluation that is linear in its parameters. So a
//! few steps of Newton's method find the minimum, and a library for optimisation would add nothing.

use crate::numerics::{logistic, softplus, solve};

/// Cases whose evaluation is linear: `base + features * params`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cases {
    /// The number of parameters.
    pub width: usize,
    /// The part of each evaluation that no parameter changes.
    pub base: Vec<f64>,
    /// The features: `width` numbers for each case.
    pub features: Vec<f64>,
}

impl Cases {
    /// The features of a case.
    pub fn features_of(&self, case: usize) -> &[f64] {
        &self.features[case * self.width..(case + 1) * self.width]
    }

    /// The evaluation of a case with these parameters.
    pub fn evaluation(&self, case: usize, params: &[f64]) -> f64 {
        self.base[case] + self.features_of(case).iter().zip(params).map(|(x, param)| x * param).sum::<f64>()
    }

    /// The evaluations of all cases.
    pub fn evaluations(&self, params: &[f64]) -> Vec<f64> {
        (0..self.base.len()).map(|case| self.evaluation(case, params)).collect()
    }
}

/// The mean logarithmic loss of predictions, in nats: 0 for a perfect prediction, 0.693 for predicting one
/// half. `results` are from 0 to 1. NaN without cases.
pub fn loss(evaluations: &[f64], results: &[f64], scale: f64) -> f64 {
    let of = |(value, result): (&f64, &f64)| {
        let x = scale * value;
        softplus(x) - result * x
    };
    evaluations.iter().zip(results).map(of).sum::<f64>() / results.len() as f64
}

/// The scale that minimises the loss of these evaluations; `None` if they do not predict the results: no
/// positive scale is better than 0.
pub fn best_scale(evaluations: &[f64], results: &[f64]) -> Option<f64> {
    let largest = evaluations.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    if largest == 0.0 {
        return None;
    }
    // The derivative of the loss grows with the scale.
    let slope = |scale: f64| -> f64 {
        evaluations.iter().zip(results).map(|(value, result)| (logistic(scale * value) - result) * value).sum()
    };
    let (mut low, mut high) = (0.0, 1e3 / largest);
    if slope(low) >= 0.0 {
        return None;
    }
    if slope(high) <= 0.0 {
        return Some(high);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    Some(0.5 * (low + high))
}

/// The greatest number of Newton steps.
const STEPS: usize = 60;

/// A smaller relative decrease of the loss ends the steps.
const ENOUGH: f64 = 1e-10;

/// The parameters within `box_` that minimise the loss, by projected Newton steps from `start`. `tell`
/// receives the loss and the parameters after each step.
///
/// Dimitri Bertsekas, "Projected Newton Methods for Optimization Problems with Simple Constraints", 1982.
pub fn minimum(
    cases: &Cases,
    results: &[f64],
    scale: f64,
    (start, box_): (&[f64], &[(f64, f64)]),
    tell: &mut dyn FnMut(f64, &[f64]),
) -> Vec<f64> {
    let clamped = |params: Vec<f64>| -> Vec<f64> {
        params.iter().zip(box_).map(|(param, (low, high))| param.clamp(*low, *high)).collect()
    };
    let mut params = clamped(start.to_vec());
    let mut now = loss(&cases.evaluations(&params), results, scale);
    for _ in 0..STEPS {
        let step = newton_step(cases, results, scale, &params, box_);
        let mut length = 1.0;
        let better = loop {
            let next = clamped(params.iter().zip(&step).map(|(param, step)| param + length * step).collect());
            let then = loss(&cases.evaluations(&next), results, scale);
            if then < now {
                break Some((next, then));
            }
            length /= 2.0;
            if length < 1e-6 {
                break None;
            }
        };
        let Some((next, then)) = better else { break };
        let gain = now - then;
        (params, now) = (next, then);
        tell(now, &params);
        if gain < ENOUGH * now.abs() {
            break;
        }
    }
    params
}

/// The Newton step of the parameters that are not at an end of their range.
fn newton_step(cases: &Cases, results: &[f64], scale: f64, params: &[f64], box_: &[(f64, f64)]) -> Vec<f64> {
    let width = cases.width;
    let (mut slope, mut bend) = (vec![0.0; width], vec![0.0; width * width]);
    for (case, result) in results.iter().enumerate() {
        let predicted = logistic(scale * cases.evaluation(case, params));
        let (error, weight) = (scale * (predicted - result), scale * scale * predicted * (1.0 - predicted));
        let features = cases.features_of(case);
        for (row, x) in features.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            slope[row] += error * x;
            for (column, y) in features.iter().enumerate() {
                bend[row * width + column] += weight * x * y;
            }
        }
    }
    let is_at_end = |at: usize| {
        let (low, high) = box_[at];
        params[at] <= low && slope[at] > 0.0 || params[at] >= high && slope[at] < 0.0
    };
    let free: Vec<usize> = (0..width).filter(|at| !is_at_end(*at)).collect();
    let trace: f64 = (0..width).map(|at| bend[at * width + at]).sum();
    // Without this, parameters that change no case would make the matrix singular.
    let ridge = 1e-9 * trace.max(1e-12);
    let rows = free.iter().map(|row| {
        let cell = |column: &usize| bend[row * width + column] + if row == column { ridge } else { 0.0 };
        free.iter().map(cell).chain([-slope[*row]]).collect()
    });
    let solved = solve(rows.collect());
    let mut step = vec![0.0; width];
    free.iter().zip(solved).for_each(|(at, solution)| step[*at] = solution[0]);
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    /// Cases with random features, and results drawn with these weights.
    fn drawn(weights: &[f64], scale: f64, count: usize) -> (Cases, Vec<f64>) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut cases = Cases { width: weights.len(), ..Cases::default() };
        let mut results = Vec::new();
        for case in 0..count {
            cases.base.push(0.0);
            cases.features.extend(weights.iter().map(|_| f64::from(random.random_range(-3i32..=3))));
            let chance = logistic(scale * cases.evaluation(case, weights));
            results.push(f64::from(u8::from(random.random::<f64>() < chance)));
        }
        (cases, results)
    }

    #[test]
    fn known_weights_are_recovered() {
        let weights = [7.0, -3.0, 0.0, 12.0];
        let (cases, results) = drawn(&weights, 0.1, 40_000);
        let mut losses = Vec::new();
        let found = minimum(&cases, &results, 0.1, (&[0.0; 4], &[(-20.0, 20.0); 4]), &mut |loss, _| losses.push(loss));
        for (found, wanted) in found.iter().zip(weights) {
            assert!((found - wanted).abs() < 0.6, "{found} is not {wanted}");
        }
        assert!(losses.len() < 12 && losses.windows(2).all(|pair| pair[1] < pair[0]), "{losses:?}");
        let truth = loss(&cases.evaluations(&weights), &results, 0.1);
        assert!(losses.last().is_some_and(|last| *last <= truth));
    }

    #[test]
    fn a_range_holds_its_parameter() {
        let (cases, results) = drawn(&[7.0, -3.0], 0.1, 5_000);
        let found = minimum(&cases, &results, 0.1, (&[0.0; 2], &[(0.0, 4.0), (-20.0, 20.0)]), &mut |_, _| {});
        assert_eq!(found[0], 4.0);
        assert!(found[1] < -1.0, "{found:?}");
    }

    /// A parameter with no feature once made the matrix singular.
    #[test]
    fn a_parameter_without_features_stays() {
        let (mut cases, results) = drawn(&[7.0, 1.0], 0.1, 1_000);
        (0..1_000).for_each(|case| cases.features[2 * case + 1] = 0.0);
        let found = minimum(&cases, &results, 0.1, (&[0.0, 5.0], &[(-20.0, 20.0); 2]), &mut |_, _| {});
        assert!((found[1] - 5.0).abs() < 1e-6 && found[0] > 4.0, "{found:?}");
    }

    #[test]
    fn the_scale_of_the_data_is_found() {
        let weights = [7.0, -3.0];
        let (cases, results) = drawn(&weights, 0.05, 40_000);
        let values = cases.evaluations(&weights);
        let scale = best_scale(&values, &results).expect("it predicts");
        assert!((scale - 0.05).abs() < 0.005, "{scale}");
        let wrong: Vec<f64> = values.iter().map(|value| -value).collect();
        assert_eq!(best_scale(&wrong, &results), None);
        assert_eq!(best_scale(&[0.0; 3], &results[..3]), None);
        assert!((loss(&[0.0; 3], &results[..3], 1.0) - std::f64::consts::LN_2).abs() < 1e-12);
        assert!(loss(&[1e300], &[1.0], 1.0) == 0.0 && loss(&[-1e3], &[1.0], 1.0) == 1e3);
    }
}
