//! Prolog texts: read, loaded and checked.
//!
//! In: source texts. Out: a checked program, or diagnostics. Knows no builtin, no machine and no
//! game.

pub mod lang;
