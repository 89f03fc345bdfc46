//! `profile`, `trace` and `listing`: how rules are run, for whoever writes them.
//!
//! In: arguments. Out: tables, lines of ports or visits, texts of predicates, or JSON. Must not know
//! how anything is counted. Called by the command line.

pub mod args;
mod listing;
mod report;
mod run;
mod source;
mod trace;

pub(super) use listing::listing;
pub(super) use run::profile;
pub(super) use trace::trace;
