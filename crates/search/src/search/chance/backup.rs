//! Backup rules: the value of a chance position from the values of its outcomes.
//!
//! A rule takes the values with their weights, and the range of all values. It gives their mean or a
//! value that counts risk. It must not depend on the source of the values.
//!
//! Counting risk is Boris Melnikov's and Alexey Radionov's idea ("On the choice of strategy in
//! nondeterministic antagonistic games", 1998): the position is worth the centre of gravity of its
//! outcomes. The mass of a value is its probability times the *risk function* of the value: the
//! player is careful if bad values weigh more.

use crate::game::Side;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// How to compute the value of a chance position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backup {
    /// The rule.
    pub rule: BackupRule,
    /// The side whose attitude to risk counts.
    pub view: RiskView,
}

/// The side whose attitude to risk counts: the rule sees the values from the point of view of this
/// side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RiskView {
    /// The side that moved last; Max before any move.
    #[default]
    Owner,
    /// Max's.
    Max,
    /// Min's.
    Min,
}

/// A rule that combines values. A risk function sees values scaled to -1 (the worst possible value
/// for the side that takes the risk) to 1 (the best).
#[derive(Clone, Debug, Default, PartialEq)]
pub enum BackupRule {
    /// The mean, also called expectation.
    #[default]
    Expect,
    /// The centre of gravity, with masses by a risk function.
    Risk(RiskFunction),
    /// The certainty equivalent of a player with constant risk aversion `k`: `-ln(mean of e^(-k v))
    /// / k`. `k` > 0 is careful, `k` < 0 daring, 0 the mean.
    Entropic(f64),
}

/// A risk function: the mass of a value from -1 to 1, greater than 0.
#[derive(Clone, Debug, PartialEq)]
pub enum RiskFunction {
    /// `1 - c v`, for -1 < `c` < 1.
    Linear(f64),
    /// `e^(-k v)`.
    Exp(f64),
    /// `e^(-(k0 + k1 e) v)`, where `e` is the mean. With `k1` > 0 the player is careful when ahead
    /// and daring when behind.
    Dynamic(f64, f64),
    /// Linear between points: values from -1 to 1 in ascending order, with masses greater than 0.
    Table(Arc<[(f64, f64)]>),
}

/// Parses a number in the text of a rule.
fn number(text: &str, what: &str) -> Result<f64, String> {
    // Greater exponents would only select the greatest or least value, and overflow.
    let number = text.parse().ok().filter(|number: &f64| number.abs() <= 1e6);
    number.ok_or_else(|| format!("{text} is not a number from -1000000 to 1000000; {what}"))
}

impl FromStr for BackupRule {
    type Err = String;

    fn from_str(text: &str) -> Result<BackupRule, String> {
        if text == "expect" {
            return Ok(BackupRule::Expect);
        }
        if let Some(k) = text.strip_prefix("entropic=") {
            return Ok(BackupRule::Entropic(number(k, "write entropic=K, such as entropic=0.5")?));
        }
        let words: Vec<&str> = text.strip_prefix("risk=").map(|rest| rest.split(':').collect()).unwrap_or_default();
        Ok(BackupRule::Risk(match words[..] {
            ["linear", c] => {
                let what = "write risk=linear:C, with C between -1 and 1, such as risk=linear:0.3";
                let c = number(c, what)?;
                if c.abs() >= 1.0 {
                    return Err(format!("with C = {c} a mass would be 0 or less; {what}"));
                }
                RiskFunction::Linear(c)
            }
            ["exp", k] => RiskFunction::Exp(number(k, "write risk=exp:K, such as risk=exp:0.5")?),
            ["dynamic", k0, k1] => {
                let what = "write risk=dynamic:K0:K1, such as risk=dynamic:0:1";
                RiskFunction::Dynamic(number(k0, what)?, number(k1, what)?)
            }
            _ => {
                let all = "expect, risk=linear:C, risk=exp:K, risk=dynamic:K0:K1, risk=table:FILE and entropic=K";
                return Err(format!("there are {all}"));
            }
        }))
    }
}

impl fmt::Display for BackupRule {
    /// The text that a user types; a table appears without its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackupRule::Expect => f.write_str("expect"),
            BackupRule::Risk(RiskFunction::Linear(c)) => write!(f, "risk=linear:{c}"),
            BackupRule::Risk(RiskFunction::Exp(k)) => write!(f, "risk=exp:{k}"),
            BackupRule::Risk(RiskFunction::Dynamic(k0, k1)) => write!(f, "risk=dynamic:{k0}:{k1}"),
            BackupRule::Risk(RiskFunction::Table(_)) => f.write_str("risk=table"),
            BackupRule::Entropic(k) => write!(f, "entropic={k}"),
        }
    }
}

impl FromStr for RiskView {
    type Err = String;

    fn from_str(text: &str) -> Result<RiskView, String> {
        match text {
            "owner" => Ok(RiskView::Owner),
            "max" => Ok(RiskView::Max),
            "min" => Ok(RiskView::Min),
            _ => Err("there are owner, max and min".to_string()),
        }
    }
}

impl fmt::Display for RiskView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RiskView::Owner => "owner",
            RiskView::Max => "max",
            RiskView::Min => "min",
        })
    }
}

impl RiskFunction {
    /// Parses a table: every line has a value from -1 to 1 and its mass, with ascending values.
    /// `#` and `%` begin comments. Errs with a message and the line.
    pub fn table(text: &str) -> Result<RiskFunction, String> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split(['#', '%']).next().unwrap_or("").split_whitespace().collect();
            let wrong = |what: &str| Err(format!("line {}: {what}", at + 1));
            let [value, mass] = words[..] else {
                match words.is_empty() {
                    true => continue,
                    false => return wrong("write a value from -1 to 1 and its mass, such as -0.5 2"),
                }
            };
            let (Ok(value), Ok(mass)) = (value.parse::<f64>(), mass.parse::<f64>()) else {
                return wrong("a line must contain two numbers");
            };
            if !((-1.0..=1.0).contains(&value) && (1e-100..=1e100).contains(&mass)) {
                return wrong("a value must be between -1 and 1, and a mass between 1e-100 and 1e100");
            }
            if points.last().is_some_and(|(before, _)| *before >= value) {
                return wrong("the values must increase from line to line");
            }
            points.push((value, mass));
        }
        if points.is_empty() {
            return Err("the file has no line with a value and its mass".to_string());
        }
        Ok(RiskFunction::Table(points.into()))
    }

    /// Whether raising a value never lowers the result: cutoffs by bounds are then sound.
    ///
    /// The derivative of the result by one value has the sign of `f(v) + f'(v) (v - R)`, with `v`
    /// and the result `R` between -1 and 1.
    pub fn is_monotone(&self) -> bool {
        match self {
            RiskFunction::Linear(c) => c.abs() <= 1.0 / 3.0,
            RiskFunction::Exp(k) => k.abs() <= 0.5,
            RiskFunction::Dynamic(k0, k1) => *k1 == 0.0 && k0.abs() <= 0.5,
            RiskFunction::Table(points) => points.windows(2).all(|pair| {
                let [(low, at_low), (high, at_high)] = [pair[0], pair[1]];
                let slope = (at_high - at_low) / (high - low);
                // The expression is linear in both variables, so its minimum is at a corner.
                let corners = [(low, at_low), (high, at_high)];
                corners.iter().all(|(v, mass)| [-1.0, 1.0].iter().all(|result| mass + slope * (v - result) >= 0.0))
            }),
        }
    }

    /// Multiplies each weight by the mass of its value.
    fn masses(&self, values: &[f64], weights: &mut [f64]) {
        let exponential = |k: f64, weights: &mut [f64]| {
            // Only proportions count; subtracting the greatest exponent prevents overflow.
            let greatest = values.iter().map(|v| -k * v).fold(f64::NEG_INFINITY, f64::max);
            weights.iter_mut().zip(values).for_each(|(weight, v)| *weight *= (-k * v - greatest).exp());
        };
        match self {
            RiskFunction::Linear(c) => weights.iter_mut().zip(values).for_each(|(weight, v)| *weight *= 1.0 - c * v),
            RiskFunction::Exp(k) => exponential(*k, weights),
            RiskFunction::Dynamic(k0, k1) => {
                let e = mean(values, weights);
                exponential(k0 + k1 * e, weights);
            }
            RiskFunction::Table(points) => {
                weights.iter_mut().zip(values).for_each(|(weight, v)| *weight *= between(points, *v));
            }
        }
    }
}

/// The piecewise linear function through `points` at `at`; constant beyond the ends.
fn between(points: &[(f64, f64)], at: f64) -> f64 {
    let after = points.partition_point(|(v, _)| *v <= at);
    match (after.checked_sub(1).map(|before| points[before]), points.get(after)) {
        (Some((low, at_low)), Some((high, at_high))) => at_low + (at_high - at_low) * (at - low) / (high - low),
        (Some((_, mass)), None) | (None, Some(&(_, mass))) => mass,
        (None, None) => 1.0,
    }
}

/// The mean of values with weights.
fn mean(values: &[f64], weights: &[f64]) -> f64 {
    let sum: f64 = values.iter().zip(weights).map(|(value, weight)| weight * value).sum();
    sum / weights.iter().sum::<f64>()
}

impl Backup {
    /// The mean.
    pub const MEAN: Backup = Backup { rule: BackupRule::Expect, view: RiskView::Owner };

    /// Whether raising a value never lowers the result.
    pub fn is_monotone(&self) -> bool {
        match &self.rule {
            BackupRule::Expect | BackupRule::Entropic(_) => true,
            BackupRule::Risk(risk) => risk.is_monotone(),
        }
    }

    /// Whether the rule is the mean, which is the same for both sides.
    pub fn is_mean(&self) -> bool {
        self.rule == BackupRule::Expect
    }

    /// The side whose attitude to risk counts in a chance position of `owner`.
    pub(super) fn seen_by(&self, owner: Side) -> Side {
        match self.view {
            RiskView::Owner => owner,
            RiskView::Max => Side::Max,
            RiskView::Min => Side::Min,
        }
    }

    /// Combines at least one of `values`, for Max, with weights of 1 or more; gives a value for Max.
    /// `range` contains all values; without a range the result is the mean.
    pub fn of(&self, values: &[f64], weights: &[u64], range: Option<(f64, f64)>, owner: Side) -> f64 {
        let mut masses: Vec<f64> = weights.iter().map(|weight| *weight as f64).collect();
        let Some((low, high)) = range.filter(|(low, high)| low < high && !self.is_mean()) else {
            return mean(values, &masses);
        };
        let sign = if self.seen_by(owner) == Side::Max { 1.0 } else { -1.0 };
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let scaled: Vec<f64> = values.iter().map(|value| sign * (value - middle) / half).collect();
        match &self.rule {
            BackupRule::Entropic(k) if *k != 0.0 => {
                let certain = entropic(*k, &scaled, &masses);
                middle + half * sign * certain.clamp(-1.0, 1.0)
            }
            BackupRule::Risk(risk) => {
                risk.masses(&scaled, &mut masses);
                mean(values, &masses)
            }
            _ => mean(values, &masses),
        }
    }
}

/// `-ln(mean of e^(-k v)) / k`, exact for `k` near 0 and without overflow for large `k`.
fn entropic(k: f64, values: &[f64], weights: &[f64]) -> f64 {
    if k.abs() <= 1.0 {
        let powers: Vec<f64> = values.iter().map(|v| (-k * v).exp_m1()).collect();
        return -mean(&powers, weights).ln_1p() / k;
    }
    let greatest = values.iter().map(|v| -k * v).fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = values.iter().map(|v| (-k * v - greatest).exp()).collect();
    -(mean(&powers, weights).ln() + greatest) / k
}
