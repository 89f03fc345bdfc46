//! `stats` and `compare-backups`: statistics of random play, and values under attitudes to risk.

pub mod args;
mod compare;
mod plot;
mod stats;

pub(super) use compare::compare;
pub(super) use stats::stats;
