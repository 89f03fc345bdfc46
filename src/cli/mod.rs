//! Runs the commands of the command line and prints their results.
//!
//! Each file holds a family of commands. The commands get plain data from the session. Of the lower
//! crates they use only basic types such as scores, limits and problems. Results go to stdout,
//! everything else to stderr. A closed pipe is no error.

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
use alphorn_text::code::Code;
use alphorn_text::interrupt;
use alphorn_text::report::Problem;
use std::io::{ErrorKind, Write};
use std::slice;
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

/// Runs one command and returns its exit status.
pub fn run(cli: Cli) -> u8 {
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let mut out = Out::new(cli.json, cli.color);
    let ended = match &cli.command {
        Some(command) => dispatch(command, Dispatch { workspace: None, out: &mut out, stop: &stop }),
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

/// Where a command runs: on the workspace of the prompt, or else on the files that the command names.
struct Dispatch<'a> {
    workspace: Option<&'a Workspace>,
    out: &'a mut Out,
    stop: &'a Arc<AtomicBool>,
}

impl Dispatch<'_> {
    /// Runs a command with these rule files. The files are empty if the command reads its files itself.
    fn run(self, files: &[String], run: impl FnOnce(&mut Host<'_>, &mut Out) -> CommandResult) -> CommandResult {
        let mut host = match self.workspace {
            Some(workspace) => Host::borrowing_workspace(workspace, self.stop),
            None => Host::of_files(files, self.stop)?,
        };
        run(&mut host, self.out)
    }

    /// Like `run`, for a command with a time limit.
    fn in_time(
        self,
        files: &[String],
        seconds: Option<Seconds>,
        run: impl FnOnce(&mut Host<'_>, &mut Out) -> CommandResult,
    ) -> CommandResult {
        let (stop, workspace) = (self.stop, self.workspace);
        let ended = Dispatch { workspace, out: &mut *self.out, stop }.run(files, run);
        with_time_limit(seconds, self.out, stop, ended)
    }
}

/// The files of a command with one file of rules.
fn one(file: &String) -> &[String] {
    slice::from_ref(file)
}

/// The files of a command whose last argument is no file.
fn before(texts: &[String]) -> &[String] {
    texts.split_last().map_or(&[], |(_, files)| files)
}

/// Runs a command. An arm names the files of the command and the function that runs it.
fn dispatch(command: &Command, to: Dispatch<'_>) -> CommandResult {
    match command {
        Command::Repl(args) => repl::repl(args, to.out, to.stop),
        Command::Play(args) => repl::play(args, to.out, to.stop),
        Command::Value(args) => to.run(one(&args.file), |host, out| value::value(args, host, out)),
        Command::Solve(args) => {
            to.in_time(one(&args.file), args.request.time, |host, out| solve::solve(args, host, out))
        }
        Command::Verify(args) => to.run(one(&args.file), |host, out| solve::verify(args, host, out)),
        Command::Perft(args) => to.run(one(&args.file), |host, out| play::perft(args, host, out)),
        Command::Moves(args) => to.run(one(&args.file), |host, out| play::moves(args, host, out)),
        Command::Tree(args) => to.run(one(&args.file), |host, out| tree::tree(args, host, out)),
        Command::Match(args) => to.run(one(&args.file), |host, out| contest::contest(args, host, out)),
        Command::Advise(args) => to.run(one(&args.file), |host, out| advice::advise(args, host, out)),
        Command::AdviceWorth(args) => {
            to.in_time(one(&args.file), args.request.time, |host, out| advice::worth(args, host, out))
        }
        Command::Prove(args) => {
            to.in_time(one(&args.file), args.request.time, |host, out| advice::prove(args, host, out))
        }
        Command::Analyze(args) => to.run(one(&args.file), |host, out| analyze::analyze(args, host, out)),
        Command::Stats(args) => {
            to.in_time(one(&args.file), args.request.time, |host, out| chance::stats(args, host, out))
        }
        Command::CompareBackups(args) => to.run(one(&args.file), |host, out| chance::compare(args, host, out)),
        Command::Bench(args) => to.run(args.file.as_slice(), |host, out| bench::bench(args, host, out)),
        Command::Lab(args) => to.run(&[], |host, out| lab::lab(args, host, out)),
        Command::Query(args) => to.run(before(&args.texts), |host, out| query::query(args, host, out)),
        Command::Why(args) => to.run(before(&args.texts), |host, out| reason::why(args, host, out)),
        Command::WhyNot(args) => to.run(before(&args.texts), |host, out| reason::why_not(args, host, out)),
        Command::Profile(args) => to.run(one(&args.file), |host, out| profile::profile(args, host, out)),
        Command::Trace(args) => to.run(one(&args.file), |host, out| profile::trace(args, host, out)),
        Command::Listing(args) => to.run(one(&args.file), |host, out| profile::listing(args, host, out)),
        Command::Check(args) => to.run(&[], |host, out| check::check(args, host, out)),
        Command::Test(args) => to.run(&[], |host, out| check::test(args, host, out)),
        Command::Example(args) => texts::example(args, to.out),
        Command::Explain(args) => to.run(before(&args.what), |host, out| explain::explain(args, host, out)),
        Command::Completions { shell } => texts::completions(*shell, to.out),
        Command::Man => texts::man(to.out),
    }
}

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
    let json = std::env::args_os().take_while(|arg| arg != "--").any(|arg| arg == "--json");
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
}
