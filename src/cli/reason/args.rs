//! Defines the arguments of `why` and `whynot`.

use alphorn_protocol::protocol::why;
use clap::Args;

/// `alphorn why`
#[derive(Args, Debug)]
pub struct WhyArgs {
    /// Rules files, then the goal; after -- the goal may begin with -
    #[arg(required = true, value_name = "[FILE...] GOAL", num_args = 1..)]
    pub texts: Vec<String>,
    #[command(flatten)]
    /// What to explain
    pub request: why::Request,
}

/// `alphorn whynot`
#[derive(Args, Debug)]
pub struct WhyNotArgs {
    /// Rules files, then the goal; after -- the goal may begin with -
    #[arg(required = true, value_name = "[FILE...] GOAL", num_args = 1..)]
    pub texts: Vec<String>,
    #[command(flatten)]
    /// What to explain
    pub request: why::NotRequest,
}
