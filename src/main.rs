//! The `alphorn` program: parses the arguments, runs the command and returns its exit status.

use alphorn::cli::{self, args, args::Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    match Cli::read() {
        Ok(cli) => ExitCode::from(args::run(cli)),
        Err(error) => ExitCode::from(cli::refused(&error)),
    }
}
