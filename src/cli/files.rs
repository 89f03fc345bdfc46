//! The arguments of commands on files of rules.

use clap::Args;
use std::slice;

/// The arguments of a command on one file of rules.
#[derive(Args, Debug)]
pub struct FileArgs<R: Args> {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// The request
    pub request: R,
}

/// The arguments of a command on a goal.
#[derive(Args, Debug)]
pub struct GoalArgs<R: Args> {
    /// Rules files, then the goal; after -- the goal may begin with -
    #[arg(required = true, value_name = "[FILE...] GOAL", num_args = 1..)]
    pub texts: Vec<String>,
    #[command(flatten)]
    /// The request
    pub request: R,
}

/// The files of a command with one file of rules.
pub(super) fn one(file: &String) -> &[String] {
    slice::from_ref(file)
}

/// The files of a command whose last argument is no file.
pub(super) fn before(texts: &[String]) -> &[String] {
    texts.split_last().map_or(&[], |(_, files)| files)
}
