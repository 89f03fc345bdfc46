//! Tuning: finds values of parameters by numbers alone.
//!
//! [`affine`] finds out whether an evaluation is linear in its parameters. [`logistic`] has the loss and its
//! minimum for a linear evaluation. [`fit`] finds integers, also for other evaluations. [`spsa`] climbs a
//! noisy score. The module knows neither games nor the rule language.

pub mod affine;
pub mod fit;
pub mod logistic;
pub mod spsa;

/// The range of a parameter: the least and the greatest value.
pub type Range = (i64, i64);
