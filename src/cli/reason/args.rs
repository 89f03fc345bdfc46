//! What may be typed to have a goal explained.
//!
//! In: a command line. Out: the arguments of `why` and `whynot`. Must not know how a goal is
//! proved. Called by `cli/args.rs`.

use alphorn_protocol::protocol::form::{self, Form};
use clap::Args;

/// A goal of a program.
#[derive(Args, Debug)]
pub struct GoalArgs {
    /// Rules files, then the goal; after -- the goal may begin with -
    #[arg(required = true, value_name = "[FILE...] GOAL", num_args = 1..)]
    pub texts: Vec<String>,
    #[command(flatten)]
    /// The position that position_now/1 gives
    pub start: form::Start,
    #[command(flatten)]
    /// Which form
    pub game: Form,
}

/// `alphorn why`
#[derive(Args, Debug)]
pub struct WhyArgs {
    #[command(flatten)]
    /// Of what
    pub goal: GoalArgs,
    /// Explain the N-th answer
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub answer: u32,
    /// Show so many levels of the proof
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// Show the insides of library predicates too
    #[arg(long)]
    pub library: bool,
}

/// `alphorn whynot`
#[derive(Args, Debug)]
pub struct WhyNotArgs {
    #[command(flatten)]
    /// Of what
    pub goal: GoalArgs,
    /// Show so many levels of the failing calls
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
}
