//! Defines the arguments of `profile`, `trace` and `listing`.

use alphorn_protocol::protocol::{listing, profile, trace};
use clap::Args;

/// `alphorn profile`
#[derive(Args, Debug)]
pub struct ProfileArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to profile
    pub request: profile::Request,
    /// Number of rows of each table
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    pub top: usize,
    /// Print all rows
    #[arg(long)]
    pub all: bool,
    /// Print a table of the clauses too
    #[arg(long)]
    pub clauses: bool,
    /// Print the costs beside the lines of the rules
    #[arg(long)]
    pub source: bool,
}

/// `alphorn trace`
#[derive(Args, Debug)]
pub struct TraceArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to follow
    pub request: trace::Request,
    /// Print one JSON object for every step as it happens, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

/// `alphorn listing`
#[derive(Args, Debug)]
pub struct ListingArgs {
    /// The rules; - for standard input
    pub file: String,
    #[command(flatten)]
    /// Which predicates
    pub request: listing::Request,
}
