//! Defines the command line, the options of all commands and a command, and runs it.

use crate::cli::commands::{Command, Dispatch, dispatch};
use crate::cli::output::{Color, Out};
use crate::cli::repl::args::ReplArgs;
use crate::cli::{FAILED, INTERRUPTED, repl, watch_for_interrupts};
use clap::{CommandFactory, FromArgMatches, Parser};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Two-player games written as Prolog rules: minimax values, move counts,
/// answers to goals, and good diagnostics.
#[derive(Parser, Debug)]
#[command(name = "alphorn", version, propagate_version = true, max_term_width = 100, after_help = EXIT)]
pub struct Cli {
    /// Print one JSON object on one line of stdout, also for errors
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// What to do
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    /// What to load, where nothing else is said
    pub repl: ReplArgs,
}

impl Cli {
    /// Reads the command line. A negative number counts as the value of its option, not as an
    /// unknown option, so that the error message can name what is wrong with it.
    ///
    /// # Errors
    ///
    /// Fails if the arguments are invalid or request help.
    pub fn read() -> Result<Cli, clap::Error> {
        Cli::from_arg_matches(&Cli::parser().try_get_matches()?)
    }

    /// Returns the parser of the command line.
    pub fn parser() -> clap::Command {
        fn lenient(command: clap::Command) -> clap::Command {
            let takes = |arg: &clap::Arg| !arg.is_positional() && arg.get_action().takes_values();
            let command = command.mut_args(|arg| if takes(&arg) { arg.allow_negative_numbers(true) } else { arg });
            command.mut_subcommands(lenient)
        }
        lenient(Cli::command())
    }
}

const EXIT: &str = "Exit status: 0 success; 1 the answer is no (a goal without answers, a failed expectation, a file with errors in `check`); 2 the command failed; 130 interrupted.";

/// Runs one command and returns its exit status.
pub fn run(cli: Cli) -> u8 {
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let mut out = Out::new(cli.json, cli.color);
    let ended = match &cli.command {
        Some(command) => {
            dispatch(command, Dispatch { workspace: None, out: &mut out, stop: &stop, parser: Cli::command })
        }
        None => repl::repl(&cli.repl, &mut out, &stop),
    };
    let status = match ended {
        Ok(status) => status,
        Err(failure) => {
            out.failure(&failure);
            FAILED
        }
    };
    match stop.load(Ordering::Relaxed) {
        true => INTERRUPTED,
        false => status,
    }
}
