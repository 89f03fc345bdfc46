//! Defines the arguments of the commands on advice.

use alphorn_protocol::protocol::{advice, worth};
use clap::Args;
use std::path::PathBuf;

/// `alphorn advise`
#[derive(Args, Debug)]
pub struct AdviseArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to ask
    pub request: advice::Request,
    /// Draw the forcing tree to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `alphorn prove`
#[derive(Args, Debug)]
pub struct ProveArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to prove
    pub request: advice::ProveRequest,
}

/// `alphorn advice-worth`
#[derive(Args, Debug)]
pub struct WorthArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to measure
    pub request: worth::Request,
}
