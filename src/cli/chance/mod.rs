//! `stats` and `compare-backups`: statistics of random play, and values under attitudes to risk.

mod compare;
mod plot;
mod stats;

pub(super) use compare::compare;
pub use stats::StatsArgs;
pub(super) use stats::stats;
