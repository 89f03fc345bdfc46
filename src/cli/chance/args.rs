//! What may be typed after the commands on chance and random play.

use crate::cli::args::PositionArgs;
use alphorn_protocol::protocol::words::{Combined, Seconds, Spelled};
use alphorn_search::search::chance::backup::View;
use clap::Args;
use std::path::PathBuf;

/// `alphorn stats`
#[derive(Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    /// How many random games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Which of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads that play (all cores); the result is the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop after so many seconds, with what is known by then
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
    /// Plot lengths and branching to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `alphorn compare-backups`
#[derive(Args, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    /// How deep to search, in plies of players and of chance
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub depth: u32,
    /// A way to average, as in alphorn value; may be given several times
    #[arg(long, value_name = "RULE")]
    pub backup: Vec<Combined>,
    /// Whose attitude to risk that is: of the owner (who moved last), of max or of min
    #[arg(long, value_name = "WHO", default_value = "owner")]
    pub risk_view: Spelled<View>,
}
