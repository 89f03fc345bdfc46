//! Values of any two-player game: searches, solvers, advice and the check of proofs.
//!
//! The crate takes a [`game::Game`], implemented in Rust or by Prolog rules, and computes values,
//! lines and proofs. It depends neither on terms nor on the rule language.

pub mod advice;
pub mod game;
pub mod search;
pub mod solve;
pub mod verify;
