//! Runs the commands of the command line and prints their results.
//!
//! Each file holds a family of commands. The commands get plain data from the session. Of the lower
//! crates they use only basic types such as scores, limits and problems. Results go to stdout,
//! everything else to stderr. A closed pipe is no error.

pub mod advice;
mod analyze;
pub mod annotations;
pub mod args;
mod bench;
pub mod chance;
mod check;
pub mod commands;
mod contest;
pub mod engine;
mod explain;
pub mod files;
pub mod format;
pub mod lab;
pub mod lsp;
mod new;
mod output;
mod play;
mod plot;
pub mod profile;
mod progress;
mod query;
pub mod reason;
pub mod repl;
pub mod serve;
mod solve;
mod status;
mod table;
mod texts;
pub mod tournament;
pub mod tree;
pub mod tune;
mod value;
mod watch;
mod wording;

use crate::cli::output::Color;
use crate::cli::output::Out;
use alphorn_protocol::protocol::words::Seconds;
use alphorn_session::session::Failure;
use alphorn_text::code::Code;
use alphorn_text::interrupt;
use alphorn_text::report::Problem;
use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status: the command succeeded, or the answer is yes.
pub const YES: u8 = 0;
/// Exit status: the answer is no.
pub const NO: u8 = 1;
/// Exit status: the command failed.
pub const FAILED: u8 = 2;
/// Exit status: the command was interrupted, after it printed what it had found.
pub const INTERRUPTED: u8 = 130;

/// The result of a command: an exit status, or the reason for the failure.
pub type CommandResult = Result<u8, Failure>;

/// Corrects the result of a command with a time limit. A command that ran out of time stops as if
/// interrupted, but its status is [`FAILED`].
fn with_time_limit(seconds: Option<Seconds>, out: &Out, stop: &Arc<AtomicBool>, ended: CommandResult) -> CommandResult {
    let is_stopped = match &ended {
        Ok(status) => *status == INTERRUPTED,
        Err(Failure::Problem(problem, _)) => !out.json && problem.code == Code::Interrupted,
        Err(_) => false,
    };
    match seconds {
        Some(_) if is_stopped => Ok(stopped(seconds, out, stop)),
        _ => ended,
    }
}

/// Returns the exit status of a command stopped by the user or by its time limit.
fn stopped(time: Option<Seconds>, out: &Out, stop: &Arc<AtomicBool>) -> u8 {
    match time {
        Some(seconds) if !stop.load(Ordering::Relaxed) => {
            if !out.json {
                out.tell(&format!("stopped after the time of --time {seconds}\n"));
            }
            FAILED
        }
        _ => INTERRUPTED,
    }
}

/// Reports wrong arguments, or prints the requested help, and returns the exit status.
pub fn refused(error: &clap::Error) -> u8 {
    // Arguments may be invalid UTF-8, and arguments after -- are no options.
    let typed: Vec<_> = std::env::args_os().take_while(|arg| arg != "--").collect();
    let json = typed.iter().any(|arg| arg == "--json") || annotations::ask_for_json(&typed);
    if error.use_stderr() && json {
        Out::new(true, Color::Never).failure(&Failure::Problem(Box::new(misused(error)), Arc::default()));
        return FAILED;
    }
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match printed {
        // A closed pipe is no error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("cannot write the result: {error}");
            FAILED
        }
        _ if error.use_stderr() => FAILED,
        _ => YES,
    }
}

/// Draws the problems of a failure as text without colours, as commands draw them.
pub fn drawn(failure: &Failure) -> String {
    Out::new(false, Color::Never).drawn(failure)
}

/// Makes a problem of wrong arguments; the help of the problem shows the usage.
fn misused(error: &clap::Error) -> Problem {
    let text = error.to_string();
    let mut parts = text.trim().split("\n\n").map(|part| part.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    let message = parts.next().unwrap_or_default();
    let help = parts.collect::<Vec<_>>().join("\n");
    Problem::placeless(Code::InvalidArgument, message.trim_start_matches("error: ")).help(help)
}

/// Handles Ctrl-C: the first press requests a stop, the second exits at once. The first press also
/// exits at once if nothing would be lost, such as while rules are loaded.
fn watch_for_interrupts(stop: &Arc<AtomicBool>) {
    let stop = stop.clone();
    let watching = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) || interrupt::may_exit() {
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
    if let Err(error) = watching {
        eprintln!("Ctrl-C will end the program without a result: {error}");
    }
    #[cfg(unix)]
    outlive_size_limits();
}

/// Makes a write fail that exceeds the size limit of files (`ulimit -f`), so that the result is still printed. Without
/// a handler the signal would end the program.
#[cfg(unix)]
fn outlive_size_limits() {
    let seen = Arc::<AtomicBool>::default();
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen) {
        eprintln!("a file that exceeds the size limit will end the program: {error}");
    }
}
