//! The `alphorn` command: arguments in, exit status out.

use alphorn::cli::{self, args::Cli};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => ExitCode::from(cli::run(cli)),
        Err(error) => ExitCode::from(cli::refused(&error)),
    }
}
