//! The command line: arguments in, text or JSON out, an exit status.
//!
//! One file a family of commands. Asks the session for plain data; of what is
//! below it, knows only the words (scores, limits, problems). Results go to
//! stdout, everything else to stderr; a closed pipe is no error.

pub mod advice;
mod analyze;
pub mod args;
mod bench;
pub mod chance;
mod check;
mod contest;
mod explain;
pub mod lab;
mod output;
mod play;
pub mod profile;
mod progress;
mod query;
pub mod reason;
pub mod repl;
mod solve;
mod standing;
mod table;
mod texts;
pub mod tree;
mod value;
mod watch;
mod wording;

use crate::cli::args::{Cli, Color, Command};
use crate::cli::output::Out;
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::words::Seconds;
use alphorn_session::session::Failure;
use alphorn_session::session::workspace::Workspace;
use alphorn_text::interrupt;
use alphorn_text::report::Problem;
use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Yes, or done.
pub const YES: u8 = 0;
/// The answer is no.
pub const NO: u8 = 1;
/// It could not be done.
pub const FAILED: u8 = 2;
/// Interrupted, after printing what is known.
pub const INTERRUPTED: u8 = 130;

/// What a command ends with: an exit status, or why it could not be done.
pub type Ended = Result<u8, Failure>;

/// Runs one command and gives its exit status.
pub fn run(cli: Cli) -> u8 {
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let mut out = Out::new(cli.json, cli.color);
    let ended = match &cli.command {
        Some(command) => dispatch(command, None, &mut out, &stop),
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

/// Carries out a command, about what is loaded at a prompt or else about files.
fn dispatch(command: &Command, sitting: Option<&Workspace>, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let host = &mut match sitting {
        Some(sitting) => Host::lent(sitting, stop),
        None => Host::of_files(command.files(), stop)?,
    };
    match command {
        Command::Repl(args) => repl::repl(args, out, stop),
        Command::Play(args) => repl::play(args, out, stop),
        Command::Value(args) => value::value(args, host, out),
        Command::Solve(args) => timed(args.request.time, out, stop, solve::solve(args, host, out)),
        Command::Verify(args) => solve::verify(args, host, out),
        Command::Perft(args) => play::perft(args, host, out),
        Command::Moves(args) => play::moves(args, host, out),
        Command::Tree(args) => tree::tree(args, host, out),
        Command::Match(args) => contest::contest(args, host, out),
        Command::Advise(args) => advice::advise(args, host, out),
        Command::AdviceWorth(args) => timed(args.request.time, out, stop, advice::worth(args, host, out)),
        Command::Prove(args) => timed(args.request.time, out, stop, advice::prove(args, host, out)),
        Command::Analyze(args) => analyze::analyze(args, host, out),
        Command::Stats(args) => timed(args.request.time, out, stop, chance::stats(args, host, out)),
        Command::CompareBackups(args) => chance::compare(args, host, out),
        Command::Bench(args) => bench::bench(args, host, out),
        Command::Lab(args) => lab::lab(args, host, out),
        Command::Query(args) => query::query(args, host, out),
        Command::Why(args) => reason::why(args, host, out),
        Command::WhyNot(args) => reason::why_not(args, host, out),
        Command::Profile(args) => profile::profile(args, host, out),
        Command::Trace(args) => profile::trace(args, host, out),
        Command::Listing(args) => profile::listing(args, host, out),
        Command::Check(args) => check::check(args, host, out),
        Command::Test(args) => check::test(args, host, out),
        Command::Example(args) => texts::example(args, out),
        Command::Explain(args) => explain::explain(args, host, out),
        Command::Completions { shell } => texts::completions(*shell, out),
        Command::Man => texts::man(out),
    }
}

/// How a command ends that had so many seconds: if they were too few it is as if somebody said stop, but
/// what was asked is not done.
fn timed(seconds: Option<Seconds>, out: &Out, stop: &Arc<AtomicBool>, ended: Ended) -> Ended {
    let is_stopped = match &ended {
        Ok(status) => *status == INTERRUPTED,
        Err(Failure::Problem(problem, _)) => !out.json && problem.code == "A0614",
        Err(_) => false,
    };
    match seconds {
        Some(_) if is_stopped => Ok(stopped(seconds, out, stop)),
        _ => ended,
    }
}

/// The exit status of a command that was stopped, by a person or because its time is up.
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

/// Tells what is wrong with the arguments, or gives the help that was asked
/// for; the exit status.
pub fn refused(error: &clap::Error) -> u8 {
    // An argument need not be text, and behind -- none is an option.
    let json = std::env::args_os().take_while(|arg| arg != "--").any(|arg| arg == "--json");
    if error.use_stderr() && json {
        Out::new(true, Color::Never).failure(&Failure::Problem(Box::new(misused(error)), Arc::default()));
        return FAILED;
    }
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match printed {
        // Nobody need be listening to the help.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("cannot write the result: {error}");
            FAILED
        }
        _ if error.use_stderr() => FAILED,
        _ => YES,
    }
}

/// What is wrong with the arguments; then how they are typed, as help.
fn misused(error: &clap::Error) -> Problem {
    let text = error.to_string();
    let mut parts = text.trim().split("\n\n").map(|part| part.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    let message = parts.next().unwrap_or_default();
    let help = parts.collect::<Vec<_>>().join("\n");
    Problem::placeless("A0620", message.trim_start_matches("error: ")).help(help)
}

/// The first Ctrl-C asks to stop, the second leaves at once; so does the first where nothing is
/// lost, as while rules are loaded.
fn watch_for_interrupts(stop: &Arc<AtomicBool>) {
    let stop = stop.clone();
    let watching = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) || interrupt::may_leave() {
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
    if let Err(error) = watching {
        eprintln!("Ctrl-C will end the program without a result: {error}");
    }
}
