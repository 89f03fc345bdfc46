//! `profile`, `trace` and `listing`: how rules are run, for whoever writes them.
//!
//! In: arguments. Out: tables, lines of ports or visits, texts of predicates, or JSON. Must not know
//! how anything is counted: the session says. Called by the command line.

pub mod args;
mod listing;
mod report;
mod run;
mod source;
mod trace;

pub(super) use listing::listing;
pub(super) use run::profile;
pub(super) use trace::trace;

use crate::cli::args::PositionArgs;
use crate::cli::output::Out;
use crate::cli::query::opened;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::{Failure, Session};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The program, which need be no game, and the position that goals may ask for.
fn program(at: &PositionArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<(Session, Option<Position>), Failure> {
    opened(std::slice::from_ref(&at.file), (&at.game, &at.start), out, stop)
}
