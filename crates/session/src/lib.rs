//! Sessions: load a game of rules, then compute moves, values, matches, proofs and reasons.
//!
//! A session takes files and requests and returns plain data. The searches are compiled for games of
//! rules here, once. This crate does not depend on a terminal.

pub mod session;
