//! Two-player games written as Prolog rules, searched for their minimax value.
//!
//! Data flows one way. [`source`] holds the texts, [`lang`] makes a checked
//! program of them, [`machine`] runs its goals with the [`builtins`], [`rules`]
//! turns a program into a [`game::Game`], and [`search`] finds values of any
//! game, in a text or in Rust. [`session`] is where they meet.

pub mod report;
pub mod signature;
pub mod source;
pub mod symbol;

pub mod game;
pub mod search;

pub mod builtins;
pub mod lang;
pub mod machine;
pub mod term;

pub mod rules;
pub mod session;

pub mod cli;
pub mod codes;
