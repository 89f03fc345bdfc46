//! Finds integer parameters of an evaluation with the least logistic loss.
//!
//! It takes results, ranges, and a function that evaluates all cases at a point. The evaluation may be
//! linear in its parameters, and then its features give exact derivatives. Otherwise differences of
//! evaluations do. Single steps of one parameter finish the search.

use super::Range;
use super::logistic::{Cases, loss, minimum};

/// The evaluations of all cases at a point, or an error.
pub type Evaluate<'a, E> = &'a mut dyn FnMut(&[i64]) -> Result<Vec<f64>, E>;

/// Receives the loss and the parameters after each step. It returns an error to stop the search.
pub type Tell<'a, E> = &'a mut dyn FnMut(f64, &[f64]) -> Result<(), E>;

/// What to fit.
pub struct FitTask<'a> {
    /// The results of the cases, from 0 to 1.
    pub results: &'a [f64],
    /// The factor between evaluations and predictions.
    pub scale: f64,
    /// The first values of the parameters.
    pub start: &'a [i64],
    /// The ranges of the parameters.
    pub ranges: &'a [Range],
}

/// The greatest number of steps with differences.
const STEPS: usize = 30;

/// The greatest number of rounds of single steps.
const ROUNDS: usize = 100;

impl FitTask<'_> {
    /// The integers with the least loss for a linear evaluation: the real minimum, rounded, and improved by
    /// single steps.
    ///
    /// # Errors
    ///
    /// Those of `tell`.
    pub fn linear<E>(&self, cases: &Cases, tell: Tell<'_, E>) -> Result<Vec<i64>, E> {
        let mut failed = Ok(());
        let real = minimum(cases, self.results, self.scale, (&reals(self.start), &self.box_()), &mut |loss, params| {
            if failed.is_ok() {
                failed = tell(loss, params);
            }
        });
        failed?;
        let rounded: Vec<i64> = real.iter().map(|param| param.round() as i64).collect();
        self.single_steps(rounded, &mut |point| Ok(cases.evaluations(&reals(point))), tell)
    }

    /// The integers with the least loss for any evaluation: Gauss-Newton steps with differences within a
    /// range of trust, then single steps. A local minimum.
    ///
    /// # Errors
    ///
    /// Those of `evaluate` and `tell`.
    pub fn by_differences<E>(&self, evaluate: Evaluate<'_, E>, tell: Tell<'_, E>) -> Result<Vec<i64>, E> {
        let mut point = self.start.to_vec();
        let mut values = evaluate(&point)?;
        let mut now = loss(&values, self.results, self.scale);
        // The range of trust, as a share of the range of each parameter.
        let mut trust = 0.5;
        for _ in 0..STEPS {
            let cases = self.slopes(&point, &values, trust, evaluate)?;
            let near: Vec<(f64, f64)> = (point.iter().zip(self.ranges))
                .map(|(value, (low, high))| {
                    let reach = (trust * (high - low) as f64).max(1.0);
                    ((*value as f64 - reach).max(*low as f64), (*value as f64 + reach).min(*high as f64))
                })
                .collect();
            let found = minimum(&cases, self.results, self.scale, (&reals(&point), &near), &mut |_, _| {});
            let next: Vec<i64> = found.iter().map(|param| param.round() as i64).collect();
            if next != point {
                let then_values = evaluate(&next)?;
                let then = loss(&then_values, self.results, self.scale);
                if then < now {
                    (point, values, now) = (next, then_values, then);
                    tell(now, &reals(&point))?;
                    continue;
                }
            }
            trust /= 3.0;
            if self.ranges.iter().all(|(low, high)| trust * (high - low) as f64 <= 1.0) {
                break;
            }
        }
        self.single_steps(point, evaluate, tell)
    }

    /// The evaluation near a point as a linear one, by differences.
    fn slopes<E>(&self, point: &[i64], values: &[f64], trust: f64, evaluate: Evaluate<'_, E>) -> Result<Cases, E> {
        let width = point.len();
        let mut cases = Cases { width, base: values.to_vec(), features: vec![0.0; width * values.len()] };
        for (at, (low, high)) in self.ranges.iter().enumerate() {
            let reach = ((trust * (high - low) as f64 / 4.0) as i64).max(1);
            let [mut below, mut above] = [point.to_vec(), point.to_vec()];
            below[at] = (point[at] - reach).max(*low);
            above[at] = (point[at] + reach).min(*high);
            let moved = (above[at] - below[at]) as f64;
            if moved == 0.0 {
                continue;
            }
            let [under, over] = [evaluate(&below)?, evaluate(&above)?];
            for case in 0..values.len() {
                let feature = (over[case] - under[case]) / moved;
                cases.features[case * width + at] = feature;
                cases.base[case] -= feature * point[at] as f64;
            }
        }
        Ok(cases)
    }

    /// Moves single parameters by 1 as long as the loss decreases.
    fn single_steps<E>(&self, start: Vec<i64>, evaluate: Evaluate<'_, E>, tell: Tell<'_, E>) -> Result<Vec<i64>, E> {
        let mut point = start;
        let mut now = loss(&evaluate(&point)?, self.results, self.scale);
        for _ in 0..ROUNDS {
            let before = now;
            for at in 0..point.len() {
                for step in [1, -1] {
                    let (low, high) = self.ranges[at];
                    let mut next = point.clone();
                    next[at] += step;
                    if !(low..=high).contains(&next[at]) {
                        continue;
                    }
                    let then = loss(&evaluate(&next)?, self.results, self.scale);
                    if then < now {
                        (point, now) = (next, then);
                    }
                }
            }
            if now == before {
                break;
            }
            tell(now, &reals(&point))?;
        }
        Ok(point)
    }

    fn box_(&self) -> Vec<(f64, f64)> {
        self.ranges.iter().map(|(low, high)| (*low as f64, *high as f64)).collect()
    }
}

fn reals(point: &[i64]) -> Vec<f64> {
    point.iter().map(|value| *value as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::logistic;
    use std::convert::Infallible;

    /// Cases on a grid, with the exact probabilities of an evaluation as results.
    fn grid(evaluate: impl Fn(f64, f64, &[i64]) -> f64, weights: &[i64]) -> (Vec<(f64, f64)>, Vec<f64>) {
        let cases: Vec<(f64, f64)> = (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x.into(), y.into()))).collect();
        let results = cases.iter().map(|(x, y)| logistic(0.1 * evaluate(*x, *y, weights))).collect();
        (cases, results)
    }

    const RANGES: [Range; 2] = [(-20, 20), (0, 30)];

    #[test]
    fn integers_of_a_linear_evaluation_are_found() {
        let evaluate = |x: f64, y: f64, point: &[i64]| x * point[0] as f64 + y * point[1] as f64;
        let (grid, results) = grid(evaluate, &[-7, 13]);
        let features = grid.iter().flat_map(|(x, y)| [*x, *y]).collect();
        let cases = Cases { width: 2, base: vec![0.0; grid.len()], features };
        let task = FitTask { results: &results, scale: 0.1, start: &[0, 0], ranges: &RANGES };
        let Ok(found) = task.linear::<Infallible>(&cases, &mut |_, _| Ok(()));
        assert_eq!(found, [-7, 13]);
    }

    #[test]
    fn integers_of_a_product_are_found() {
        let evaluate = |x: f64, y: f64, point: &[i64]| x * (point[0] * point[1]) as f64 / 10.0 + y * point[1] as f64;
        let (grid, results) = grid(evaluate, &[-7, 13]);
        let task = FitTask { results: &results, scale: 0.1, start: &[1, 1], ranges: &RANGES };
        let mut tried = 0;
        let mut all = |point: &[i64]| {
            tried += 1;
            Ok(grid.iter().map(|(x, y)| evaluate(*x, *y, point)).collect())
        };
        let Ok(found) = task.by_differences::<Infallible>(&mut all, &mut |_, _| Ok(()));
        assert_eq!(found, [-7, 13]);
        assert!(tried < 300, "{tried}");
    }

    #[test]
    fn an_error_stops_the_search() {
        let task = FitTask { results: &[1.0], scale: 1.0, start: &[0], ranges: &[(0, 9)] };
        assert_eq!(task.by_differences(&mut |_| Err("no"), &mut |_, _| Ok(())), Err("no"));
        let cases = Cases { width: 1, base: vec![0.0], features: vec![1.0] };
        assert_eq!(task.linear(&cases, &mut |_, _| Err("no")), Err("no"));
    }
}
