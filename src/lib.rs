//! Two-player games written as Prolog rules, searched for their minimax value.
//!
//! Data flows one way. [`source`] holds the texts, [`lang`] makes a checked
//! program of them, [`machine`] runs its goals with the [`builtins`], [`rules`]
//! turns a program into a [`game::Game`], and [`search`] finds values of any
//! game, in a text or in Rust. [`session`] is where they meet.

pub mod source;
pub mod symbol;
pub mod signature;
pub mod report;

pub mod game;
pub mod search;

pub mod lang;
pub mod term;
pub mod machine;
pub mod builtins;

pub mod rules;
pub mod session;

pub mod codes;
pub mod cli;
