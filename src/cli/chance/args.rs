//! Defines the arguments of `stats` and `compare-backups`.

use alphorn_protocol::protocol::{backups, survey};
use clap::Args;
use std::path::PathBuf;

/// `alphorn stats`
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// Which games to play
    pub request: survey::Request,
    /// Plot lengths and branching to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `alphorn compare-backups`
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to compare
    pub request: backups::Request,
}
