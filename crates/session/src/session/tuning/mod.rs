//! Tuning: the parts that need rules: parameters, evaluations, moves, and positions with known results.
//!
//! It returns plain data: numbers for each position. The numeric part is in `alphorn_lab::tuning`, and the
//! requests put both together.

pub mod choices;
pub mod evaluate;
pub mod samples;
pub mod solved;
pub mod tunable;
