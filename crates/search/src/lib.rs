//! Values of any two-player game: searches, solvers, advice tables and the check of proofs.
//!
//! In: a [`game::Game`], written in Rust or in rules. Out: values, lines and proofs. Knows neither
//! terms nor the rule language.

pub mod advice;
pub mod game;
pub mod search;
pub mod solve;
pub mod verify;
