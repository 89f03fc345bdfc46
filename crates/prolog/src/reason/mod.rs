//! Explains why a goal is true or fails: proofs and failures, goal by goal.
//!
//! The results are [`proof::ProofTree`]s and [`failing::FailedGoal`]s: plain data with texts and
//! spans. They agree with the machine, answer for answer. The session calls this module. Games and
//! the display of results are elsewhere.

mod alike;
mod body;
mod call;
mod called;
mod choice;
mod clauses;
pub mod endless;
pub mod explain;
pub mod failing;
mod library;
mod mismatch;
mod nearer;
mod node;
pub mod proof;
pub mod prover;
mod shown;
mod verdict;
