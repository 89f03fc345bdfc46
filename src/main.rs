//! The `alphorn` command: arguments in, exit status out.

use alphorn::cli::{self, args::Cli};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::run(Cli::parse()))
}
