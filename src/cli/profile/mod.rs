//! `profile`, `trace` and `listing`: show how rules are run.
//!
//! The results are tables, lines of ports or visits, texts of predicates, or JSON. The module does
//! not depend on how anything is counted.

mod listing;
mod report;
mod run;
mod source;
mod trace;

pub(super) use listing::listing;
pub use report::ProfileArgs;
pub(super) use run::profile;
pub use trace::TraceArgs;
pub(super) use trace::trace;
