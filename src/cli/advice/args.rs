//! What may be typed after the commands on advice.

use crate::cli::args::PositionArgs;
use crate::cli::args::search::algorithm;
use alphorn_protocol::protocol::search::algorithms;
use alphorn_protocol::protocol::words::Seconds;
use alphorn_search::search::Algorithm;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `alphorn advise`
#[derive(Args, Debug)]
pub struct AdviseArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    #[command(flatten)]
    /// How far
    pub tree: TreeArgs,
    /// Draw the forcing tree to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// How large forcing trees may become.
#[derive(Args, Clone, Copy, Debug)]
pub struct TreeArgs {
    /// Give a forcing tree up after so many positions
    #[arg(long = "tree", value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub most: u64,
}

/// `alphorn prove`
#[derive(Args, Debug)]
pub struct ProveArgs {
    #[command(flatten)]
    /// Of what; from every position of position/1, or every opening, if no position is given
    pub at: PositionArgs,
    /// What the advice is for
    #[arg(long, value_name = "AIM", default_value = "win")]
    pub aim: AimArg,
    /// Whose side the advice is followed for, where the table is for both
    #[arg(long, value_name = "SIDE")]
    pub side: Option<SideArg>,
    #[command(flatten)]
    /// How far
    pub tree: TreeArgs,
    /// Tell so many lines on which the advice fails (10; as JSON 1000)
    #[arg(long, value_name = "N")]
    pub counterexamples: Option<usize>,
    /// Threads that follow it (all cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop after so many seconds, with what is known by then
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
}

/// What advice is for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum AimArg {
    /// To win
    Win,
    /// Not to lose
    Draw,
}

/// One of the players.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SideArg {
    /// Who wants the greatest value
    Max,
    /// Who wants the least
    Min,
}

/// `alphorn advice-worth`
#[derive(Args, Debug)]
pub struct WorthArgs {
    #[command(flatten)]
    /// Of what; the positions that sample/2 names, or random ones, if no position is given
    pub at: PositionArgs,
    /// How deep to search, in plies
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub depth: u32,
    /// How to search
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::AlphaBeta, value_parser = algorithm,
        help = algorithms("How to search", |algorithm| !algorithm.samples()))]
    pub algorithm: Algorithm,
    /// Megabytes of the transposition table of `auto` and `mtdf`
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: u64,
    /// Random positions to draw, where the game names none
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub games: u32,
    /// Which of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop after so many seconds, with what is known by then
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
}
