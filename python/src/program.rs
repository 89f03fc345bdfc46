//! The command line of the package: the same as the program `alphorn`.

use alphorn::cli::{self, args, args::Cli};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line with these arguments, and ends the process with its exit status.
#[pyfunction]
pub fn _main(py: Python<'_>, arguments: Vec<OsString>) {
    py.detach(|| {
        let status = match Cli::read_from(arguments) {
            Ok(cli) => args::run(cli),
            Err(error) => cli::refused(&error),
        };
        std::process::exit(i32::from(status));
    });
}
