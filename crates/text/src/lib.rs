//! The base of all other crates: source texts and spans, atoms, diagnostics, what may be printed.
//!
//! In: bytes of files. Out: [`source::Source`], [`symbol::Atom`], [`report::Problem`]. Knows no
//! syntax, no game and no search.

pub mod interrupt;
pub mod printable;
pub mod report;
pub mod signature;
pub mod source;
pub mod symbol;
