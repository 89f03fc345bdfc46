//! Reads, loads and checks Prolog texts.
//!
//! It takes source texts and returns a checked program or diagnostics. It does not depend on builtins,
//! the machine or games.

pub mod lang;
