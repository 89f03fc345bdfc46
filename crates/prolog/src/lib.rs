//! Prolog goals: terms, the compiled machine, the reference solver, the builtins, and why a goal
//! holds or fails.
//!
//! In: a checked program and a goal. Out: answers and errors, under a budget of steps and memory.
//! The only crate with `unsafe` code beside the mapped tables of the searches. Knows no game.

pub mod builtins;
pub mod machine;
pub mod reason;
pub mod term;
