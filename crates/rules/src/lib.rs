//! A game made of a checked program: the game predicates, their contract, the faults of rules.
//!
//! In: a program. Out: a [`rules::game`] that every search takes. Knows no search.

pub mod rules;
