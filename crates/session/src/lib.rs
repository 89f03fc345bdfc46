//! Where rules and searches meet: load a game, ask for moves, values, matches, proofs and reasons.
//!
//! In: files and questions. Out: plain data. The searches are compiled for games of rules here,
//! once. Knows no terminal.

pub mod session;
