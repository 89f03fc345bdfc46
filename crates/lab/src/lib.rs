//! Matches, drawn search trees, experiments and the numbers of tuning, for any game.
//!
//! They return scores of matches, trees of searches and counts of nodes. This crate knows neither terms
//! nor the rule language.

pub mod arena;
pub mod lab;
pub mod numerics;
pub mod tree;
pub mod tuning;
