//! Defines the arguments of `alphorn tree`.

use alphorn_protocol::protocol::tree::Request;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `alphorn tree`
#[derive(Args, Debug)]
pub struct TreeArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// Which tree
    pub request: Request,
    /// Output format: lines of text, a picture, a graph for Graphviz, or JSON with all data of every position
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write the tree to this file, not to standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Colours of the picture; auto: light or dark, as the system of the viewer prefers
    #[arg(long, value_name = "THEME", default_value = "auto")]
    pub theme: Colours,
    /// Width of the text, in columns (default: that of the terminal, or 100)
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
    /// Light or dark, as the system of the viewer prefers
    Auto,
}
