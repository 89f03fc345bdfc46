//! The base of all other crates: source texts and spans, atoms, diagnostics, and printable text.
//!
//! It takes bytes of files and produces [`source::Source`], [`symbol::Atom`] and [`report::Problem`].
//! It does not depend on syntax, games or searches.

pub mod code;
pub mod interrupt;
pub mod printable;
pub mod report;
pub mod signature;
pub mod source;
pub mod symbol;
