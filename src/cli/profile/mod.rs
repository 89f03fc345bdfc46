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
use crate::cli::play::{budgets, options, source as read, sources};
use crate::rules::Expected;
use crate::session::{Failure, Session};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Loads a program, which need be no game; its warnings are told.
fn program(at: &PositionArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<Session, Failure> {
    let session = Session::open(
        &[read(&at.file)?],
        &sources(&at.game.overlays)?,
        &options(&at.game),
        Expected::Program,
        budgets(&at.game),
        stop.clone(),
    )?;
    out.report(&session.rules.report);
    Ok(session)
}
