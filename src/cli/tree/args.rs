//! What may be typed after `alphorn tree`.

use crate::cli::args::PositionArgs;
use crate::cli::args::search::algorithm;
use alphorn_lab::tree::record::{DEEPEST, records};
use alphorn_protocol::protocol::search::algorithms;
use alphorn_search::search::Algorithm;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `alphorn tree`
#[derive(Args, Debug)]
pub struct TreeArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    /// Look so many plies ahead, 1000 at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=i64::from(DEEPEST)))]
    pub depth: u32,
    /// Of which search
    #[arg(long, value_name = "NAME", value_parser = algorithm,
        help = algorithms("Of which search (alphabeta; where chance moves star1)", records))]
    pub algorithm: Option<Algorithm>,
    /// What to write: lines of text, a picture, a graph for Graphviz, or all that is known of every position
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write it to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Colours of the picture; auto: as its reader prefers
    #[arg(long, value_name = "THEME", default_value = "auto")]
    pub theme: Colours,
    /// Keep so many positions; others are folded, off the line of best play and from the deepest up
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_nodes: u32,
    /// Draw what was cut off as well, with the values that were not needed
    #[arg(long)]
    pub whole: bool,
    /// Columns of the text (100, or those of the terminal)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=10_000))]
    pub width: Option<u16>,
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines of text
    Text,
    /// A picture
    Svg,
    /// For Graphviz
    Dot,
    /// One JSON object
    Json,
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colours {
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
    /// Light, and dark for readers who prefer that
    Auto,
}
