//! Defines the arguments of `value` and `match`.

use alphorn_protocol::protocol::{contest, value};
use alphorn_search::search::Algorithm;
use clap::Args;

/// `alphorn value`
#[derive(Args, Debug)]
pub struct ValueArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to find out
    pub request: value::Request,
    /// Print one JSON object on a line of stderr for every depth, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

/// `alphorn match`
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to play
    pub request: contest::Request,
    /// Print one JSON object on a line of stderr for every game, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

pub(in crate::cli) fn algorithm(text: &str) -> Result<Algorithm, String> {
    text.parse().map_err(|error: alphorn_search::search::UnknownAlgorithm| error.to_string())
}
