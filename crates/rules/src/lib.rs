//! Turns a checked program into a game: the game predicates, their contract, and faults of rules.
//!
//! [`rules::game`] implements the trait that every search uses. This crate contains no search.

pub mod rules;
