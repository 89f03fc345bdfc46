//! `stats` and `compare-backups`: a game looked over by random play, and under risk.

pub mod args;
mod compare;
mod plot;
mod stats;

pub(super) use compare::compare;
pub(super) use stats::stats;
