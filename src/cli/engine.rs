//! `ugi` and `uci`: serve a game as an engine to programs that play games.
//!
//! The protocols themselves are in the crate `protocol`. This file loads the game and connects the engine with
//! standard input and standard output.

use crate::cli::output::{Out, results};
use crate::cli::{CommandResult, YES};
use alphorn_protocol::protocol::engine::{self, Dialect};
use alphorn_protocol::protocol::form::Form;
use alphorn_protocol::protocol::host::refusal;
use alphorn_session::session::options::LoadOptions;
use clap::Args;
use std::io::BufReader;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// `alphorn ugi` and `alphorn uci`
#[derive(Args, Debug)]
pub struct EngineArgs {
    /// The rules of the game
    pub file: String,
    #[command(flatten)]
    /// Which form
    pub game: Form,
}

pub(super) fn serve(dialect: Dialect, args: &EngineArgs, out: &Out, stop: &Arc<AtomicBool>) -> CommandResult {
    let name = dialect.name();
    if out.json {
        return Err(refusal(
            format!("{name} does not support --json: its lines are those of the protocol"),
            "for JSON use the requests of alphorn repl --json",
        ));
    }
    if args.file == "-" {
        return Err(refusal(format!("{name} reads commands from standard input"), "give the rules as a file"));
    }
    let files = LoadOptions { files: vec![args.file.clone()], ..LoadOptions::default() };
    let flag = Arc::new(AtomicBool::new(false));
    let workspace = engine::open(dialect, files.changed(&args.game.change()), &flag)?;
    out.report(&workspace.session().rules.report);
    engine::serve(dialect, BufReader::new(std::io::stdin()), results(), workspace, (&flag, stop));
    Ok(YES)
}
