//! Why a goal is true, and why it is not: proofs and failures told goal by goal.
//!
//! In: a program, a goal that was read, a budget. Out: [`proof::Proof`]s and
//! [`failing::Failing`]s, plain data with texts and spans. Agrees with the machine, answer for
//! answer. Must not know of games, or how any of it is shown; the session asks it.

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
pub mod proof;
pub mod prover;
mod shown;
mod verdict;
