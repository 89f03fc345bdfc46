//! Fits parameters to results of games, or to the order of solved moves.
//!
//! It takes a space of parameters and cases: the difference of the evaluations of two positions, or the
//! evaluation of one. It returns integer values with the least logistic loss, and the losses.

use super::reply::Fit;
use super::space::{Evaluations, Space};
use crate::protocol::data::rounded;
use crate::protocol::partial::TuneStep;
use alphorn_lab::tuning::fit::FitTask;
use alphorn_lab::tuning::logistic::{Cases, best_scale, loss, minimum};
use alphorn_rules::rules::position::Position;
use alphorn_session::session::SessionResult;

/// A case: the evaluation of `better` less that of `worse`, if there is one.
pub(super) struct Case {
    /// The index of a position.
    pub(super) better: usize,
    /// The index of a position whose evaluation is subtracted.
    pub(super) worse: Option<usize>,
    /// 1, or -1 to change the sign.
    pub(super) sign: f64,
    /// The result to predict, from 0 to 1.
    pub(super) result: f64,
    /// Whether the case is held out of the fit.
    pub(super) held_out: bool,
}

/// Positions and cases.
pub(super) struct FitData {
    pub(super) positions: Vec<Position>,
    pub(super) cases: Vec<Case>,
}

impl FitData {
    /// The values of the cases that are fitted, or of those held out.
    fn values(&self, evaluations: &[f64], held_out: bool) -> Vec<f64> {
        let value =
            |case: &Case| case.sign * (evaluations[case.better] - case.worse.map_or(0.0, |worse| evaluations[worse]));
        self.cases.iter().filter(|case| case.held_out == held_out).map(value).collect()
    }

    fn results(&self, held_out: bool) -> Vec<f64> {
        self.cases.iter().filter(|case| case.held_out == held_out).map(|case| case.result).collect()
    }

    /// The features of the fitted cases, from those of the positions.
    fn features(&self, positions: &Cases) -> Cases {
        let width = positions.width;
        let mut found = Cases { width, base: self.values(&positions.base, false), features: Vec::new() };
        for case in self.cases.iter().filter(|case| !case.held_out) {
            let (plus, minus) = (positions.features_of(case.better), case.worse.map(|at| positions.features_of(at)));
            found.features.extend((0..width).map(|at| case.sign * (plus[at] - minus.map_or(0.0, |minus| minus[at]))));
        }
        found
    }
}

/// A finished fit.
pub(super) struct Fitted {
    pub(super) point: Vec<i64>,
    pub(super) fit: Fit,
    /// For each parameter, whether it changes an evaluation.
    pub(super) differ: Vec<bool>,
    /// The evaluations of all positions at the start and at the result.
    pub(super) evaluations: [Vec<f64>; 2],
}

/// The share of the declared range of evaluations that a result may use.
const SHARE: f64 = 0.95;

/// The greatest number of fits that make the evaluations smaller.
const SHRINKS: usize = 6;

/// Finds the values with the least loss. `tell` receives every step.
///
/// # Errors
///
/// The rules fail, the evaluation says nothing about the results, or `tell` fails.
pub(super) fn fit(
    space: &Space<'_>,
    data: &FitData,
    seed: u64,
    tell: &mut dyn FnMut(TuneStep) -> SessionResult<()>,
) -> SessionResult<Fitted> {
    let mut evaluations = Evaluations::new(space, &data.positions);
    let (start, ranges, results) = (space.start(), space.ranges(), data.results(false));
    let at_start = evaluations.at(&start)?;
    let differ = evaluations.differ(&start)?;
    if !differ.contains(&true) {
        return space.base.nothing(
            &format!("no parameter changes the evaluation of any of {} positions", data.positions.len()),
            "name other parameters with -p NAME, or use these in static_eval/2 with a greater weight",
        );
    }
    let features = evaluations.features(seed)?.map(|positions| data.features(&positions));
    let range = space.base.evaluation_range()?.map_or(f64::INFINITY, |(low, high)| low.abs().min(high.abs()));
    let first = match (best_scale(&data.values(&at_start, false), &results), &features) {
        (Some(scale), _) => Some((scale, start.clone())),
        (None, Some(features)) => scale_of_ranges(space, features, &results, range).map(|scale| (scale, start.clone())),
        (None, None) => informative_point(space, data, &mut evaluations, seed)?,
    };
    let Some((mut scale, from)) = first else {
        return space.base.unusable_positions(
            "the evaluation says nothing about the results: no values of the parameters predict them",
            "play more games: --games N; or let static_eval/2 look at other things",
        );
    };
    let mut step = 0;
    let mut shrinks = 0;
    let (point, least) = loop {
        let task = FitTask { results: &results, scale, start: &from, ranges: &ranges };
        let mut least = f64::INFINITY;
        let mut told = |loss: f64, params: &[f64]| {
            step += 1;
            least = least.min(loss);
            let params = params.iter().map(|param| rounded(*param)).collect();
            tell(TuneStep { step, total: None, loss: Some(rounded(loss)), gain: None, params })
        };
        let found = match &features {
            Some(features) => task.linear(features, &mut told)?,
            None => task.by_differences(&mut |point| Ok(data.values(&evaluations.at(point)?, false)), &mut told)?,
        };
        // Evaluations outside of value_range/2 would be errors in a game.
        let most = evaluations.at(&found)?.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        if most <= SHARE * range || shrinks == SHRINKS {
            break (found, least);
        }
        shrinks += 1;
        scale *= most / (SHARE * range) * 1.05;
    };
    let at_end = evaluations.at(&point)?;
    let fit = summary(data, scale, [&at_start, &at_end], least, features.is_some());
    Ok(Fitted { point, fit, differ, evaluations: [at_start, at_end] })
}

/// The losses of a fit, from the evaluations at the start and at the result.
fn summary(data: &FitData, scale: f64, [start, end]: [&[f64]; 2], least: f64, linear: bool) -> Fit {
    let (results, held_out) = (data.results(false), data.results(true));
    let fitted_loss = |evaluations: &[f64]| loss(&data.values(evaluations, false), &results, scale);
    let held_out_loss = |evaluations: &[f64]| {
        (!held_out.is_empty()).then(|| rounded(loss(&data.values(evaluations, true), &held_out, scale)))
    };
    let end_loss = fitted_loss(end);
    Fit {
        positions: results.len(),
        held_out: held_out.len(),
        linear,
        scale: rounded(scale),
        start: rounded(fitted_loss(start)),
        end: rounded(end_loss),
        least: rounded(least.min(end_loss)),
        held_out_start: held_out_loss(start),
        held_out_end: held_out_loss(end),
    }
}

/// A scale for a start that predicts nothing, such as weights of 0: with it, the greatest weight is about half
/// of its range, and evaluations are within half of their range.
fn scale_of_ranges(space: &Space<'_>, features: &Cases, results: &[f64], range: f64) -> Option<f64> {
    let free = vec![(-1e9, 1e9); features.width];
    let unit = minimum(features, results, 1.0, (&vec![0.0; features.width], &free), &mut |_, _| {});
    let reach = |(param, value): (&super::Tunable, &f64)| {
        let most = if *value > 0.0 { param.high } else { param.low };
        if most == 0 { 0.0 } else { value.abs() / most.abs() as f64 }
    };
    let of_weights = space.params.iter().zip(&unit).map(reach).fold(0.0, f64::max);
    let largest = features.evaluations(&unit).iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let scale = (2.0 * of_weights).max(2.0 * largest / range);
    (scale > 0.0 && scale.is_finite()).then_some(scale)
}

/// A scale and a point from which to begin, if the start predicts nothing and the evaluation is not linear.
fn informative_point(
    space: &Space<'_>,
    data: &FitData,
    evaluations: &mut Evaluations<'_>,
    seed: u64,
) -> SessionResult<Option<(f64, Vec<i64>)>> {
    let results = data.results(false);
    let mut best: Option<(f64, f64, Vec<i64>)> = None;
    for point in alphorn_lab::tuning::affine::probes(&space.start(), &space.ranges(), seed) {
        let values = data.values(&evaluations.at(&point)?, false);
        let Some(scale) = best_scale(&values, &results) else { continue };
        let now = loss(&values, &results, scale);
        if best.as_ref().is_none_or(|(before, ..)| now < *before) {
            best = Some((now, scale, point));
        }
    }
    Ok(best.map(|(_, scale, point)| (scale, point)))
}
