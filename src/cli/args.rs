//! Defines the command line, the options of all commands and a command, and runs it.

use crate::cli::annotations::DiagnosticFormat;
use crate::cli::commands::{Command, Dispatch, GlobalArgs, dispatch, lenient};
use crate::cli::engine::EngineArgs;
use crate::cli::format::FormatArgs;
use crate::cli::lsp::LspArgs;
use crate::cli::new::NewArgs;
use crate::cli::output::Out;
use crate::cli::repl::args::{PlayArgs, ReplArgs};
use crate::cli::serve::ServeArgs;
use crate::cli::texts::CompletionsArgs;
use crate::cli::{
    CommandResult, FAILED, INTERRUPTED, engine, format, lsp, new, repl, serve, texts, watch_for_interrupts,
};
use alphorn_lang::lang::near::nearest;
use alphorn_protocol::protocol::engine::Dialect;
use alphorn_protocol::protocol::host::refusal;
use alphorn_protocol::protocol::words::plain_reason;
use alphorn_session::session::Failure;
use alphorn_session::session::options::meant_file;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::error::Error;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Two-player games written as Prolog rules: minimax values, move counts,
/// answers to goals, and good diagnostics.
#[derive(Parser, Debug)]
#[command(name = "alphorn", version, propagate_version = true, max_term_width = 100, after_help = EXIT)]
pub struct Cli {
    #[command(flatten)]
    /// The options of every command
    pub global: GlobalArgs,
    /// What to do
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    #[command(flatten)]
    /// What to load, where nothing else is said
    pub repl: ReplArgs,
}

/// The commands of the command line.
#[derive(Subcommand, Debug)]
pub enum CliCommand {
    /// Open a prompt for goals, moves and values; the same as alphorn FILE...
    Repl(ReplArgs),
    /// Play a game against the program or another person, or watch one
    Play(PlayArgs),
    /// Write the rules of a small new game to a file, for you to change
    New(NewArgs),
    /// Format files of rules in place
    Fmt(FormatArgs),
    /// Run the language server (LSP) for an editor: diagnostics, completion and more while you type
    Lsp(LspArgs),
    /// Open a page in the browser: rules, board, values and trees
    Serve(ServeArgs),
    /// Serve a game as an engine, by the Universal Game Interface (UGI)
    Ugi(EngineArgs),
    /// Serve rules of chess as an engine, by the Universal Chess Interface (UCI)
    Uci(EngineArgs),
    /// A command that the prompt has too
    #[command(flatten)]
    Shared(Box<Command>),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, in roff
    Man,
}

impl Cli {
    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// Fails if the arguments are invalid or request help.
    pub fn read() -> Result<Cli, clap::Error> {
        Cli::read_from(std::env::args_os())
    }

    /// Reads a command line, which begins with the name of the program.
    ///
    /// # Errors
    ///
    /// Fails if the arguments are invalid or request help.
    pub fn read_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let typed = lenient(Cli::command()).try_get_matches_from(arguments).map_err(reworded)?;
        Cli::from_arg_matches(&typed)
    }

    /// Whether the option `--format` asks for JSON.
    fn prints_json(&self) -> bool {
        let option = match &self.command {
            Some(CliCommand::Fmt(args)) => &args.format,
            Some(CliCommand::Shared(command)) => match &**command {
                Command::Check(args) => &args.format,
                Command::Test(args) => &args.format,
                _ => return false,
            },
            _ => return false,
        };
        option.format == DiagnosticFormat::Json
    }
}

/// Says in plain words which numbers an option takes. The parser shows the texts of Rust.
fn reworded(error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let reason = error.source().and_then(|source| plain_reason(&source.to_string()));
    let (Some(reason), Some(argument), Some(value)) =
        (reason, text(ContextKind::InvalidArg), text(ContextKind::InvalidValue))
    else {
        return error;
    };
    let message =
        format!("invalid value '{value}' for '{argument}': {reason}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(error.kind(), message)
}

const EXIT: &str = "Exit status: 0 success; 1 the answer is no (a goal without answers, a failed expectation, a file with errors in `check`); 2 the command failed; 130 interrupted.";

/// Runs one command and returns its exit status.
pub fn run(cli: Cli) -> u8 {
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let mut out = Out::new(cli.global.json || cli.prints_json(), cli.global.color);
    let ended = match &cli.command {
        None => prompt(&cli.repl, &mut out, &stop),
        Some(CliCommand::Repl(args)) => prompt(args, &mut out, &stop),
        Some(CliCommand::Play(args)) => repl::play(args, &mut out, &stop),
        Some(CliCommand::New(args)) => new::new(args, &out),
        Some(CliCommand::Fmt(args)) => format::fmt(args, &out),
        Some(CliCommand::Lsp(_)) => lsp::serve_editor(&out, &stop),
        Some(CliCommand::Serve(args)) => serve::run(args, &mut out, &stop),
        Some(CliCommand::Ugi(args)) => engine::serve(Dialect::Ugi, args, &out, &stop),
        Some(CliCommand::Uci(args)) => engine::serve(Dialect::Uci, args, &out, &stop),
        Some(CliCommand::Shared(command)) => {
            dispatch(command, Dispatch { workspace: None, out: &mut out, stop: &stop })
        }
        Some(CliCommand::Completions(args)) => texts::completions(args.shell, Cli::command(), &mut out),
        Some(CliCommand::Man) => texts::man(Cli::command(), &mut out),
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

/// Opens the prompt, unless the first file name looks like a misspelt command.
fn prompt(args: &ReplArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> CommandResult {
    match args.files.first().and_then(|name| misspelt_command(name)) {
        Some(near) => Err(near),
        None => repl::repl(args, out, stop),
    }
}

/// Suggests a command for a file name that looks like a misspelt command.
fn misspelt_command(name: &str) -> Option<Failure> {
    if name.contains(['.', '/']) || std::path::Path::new(name).exists() {
        return None;
    }
    let all = Cli::command();
    let help = match nearest(name, all.get_subcommands().map(clap::Command::get_name)) {
        Some(near) => format!("did you mean alphorn {near}?"),
        None => meant_file(name).unwrap_or_else(|| {
            "alphorn help lists the commands; the name of a rules file usually ends in .pl".to_string()
        }),
    };
    Some(refusal(format!("there is no command and no file {name}"), help))
}
