//! What stands on the searches: matches, drawn search trees and experiments.
//!
//! In: a game. Out: scores of matches, trees of searches, counts of nodes. Knows neither terms nor
//! the rule language.

pub mod arena;
pub mod lab;
pub mod tree;
