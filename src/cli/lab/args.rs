//! What may be typed after `alphorn lab`.

use clap::{Args, Subcommand};

/// The classic results on game-tree search, counted again: Knuth and Moore, 1975.
#[derive(Args, Debug)]
pub struct LabArgs {
    /// Which experiment
    #[command(subcommand)]
    pub experiment: Experiment,
}

/// The experiments.
#[derive(Subcommand, Debug)]
pub enum Experiment {
    /// The tree of the digits of pi: leaves read by F, F1 and F2
    Pi,
    /// The textbook's tree of eight leaves, and its rules for cuts and ties
    Bratko,
    /// Critical positions of a uniform tree by level and type, counted and by formula
    Critical {
        /// Moves in every position
        #[arg(value_name = "B", value_parser = clap::value_parser!(u32).range(1..))]
        branching: u32,
        /// Plies from the root to the leaves
        #[arg(value_name = "D")]
        depth: u32,
    },
    /// Leaves read in random trees, beside the theory
    Random(RandomArgs),
    /// Leaves read in totally dependent trees, beside the formula
    Dependent(ManyArgs),
    /// Leaves read in perfectly ordered trees, beside the formula
    Perfect(ShapeArgs),
    /// A random binary tree with its values and what alpha-beta cuts off
    Tree(TreeArgs),
    /// Which rules for cuts and for equal moves go together
    Ties(TiesArgs),
}

/// The size of a tree, and which one.
#[derive(Args, Debug)]
pub struct ShapeArgs {
    /// Moves in every position
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub branching: u32,
    /// Plies from the root to the leaves; lower trees are searched too
    #[arg(long, value_name = "D")]
    pub depth: u32,
    /// Which trees
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// Many trees.
#[derive(Args, Debug)]
pub struct ManyArgs {
    #[command(flatten)]
    /// Of which size
    pub shape: ShapeArgs,
    /// How many trees of each height
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub trees: u64,
}

/// `alphorn lab random`
#[derive(Args, Debug)]
pub struct RandomArgs {
    #[command(flatten)]
    /// Which trees
    pub many: ManyArgs,
    /// Leaves all distinct, or among so many values
    #[arg(long, value_name = "distinct|K", default_value = "distinct", value_parser = values)]
    pub leaves: Values,
}

/// How many values leaves have; `None`: all are distinct.
#[derive(Clone, Copy, Debug)]
pub struct Values(pub Option<u64>);

/// `alphorn lab tree`
#[derive(Args, Debug)]
pub struct TreeArgs {
    /// Plies from the root to the leaves, which have values from 0 to 19
    #[arg(long, value_name = "D", default_value_t = 4)]
    pub depth: u32,
    /// Which tree
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Write it to this file too, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<String>,
}

/// `alphorn lab ties`
#[derive(Args, Debug)]
pub struct TiesArgs {
    /// How many trees
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub trees: u64,
    /// Which trees
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Moves in every position
    #[arg(long, value_name = "B", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub branching: u32,
    /// Plies from the root to the leaves
    #[arg(long, value_name = "D", default_value_t = 4)]
    pub depth: u32,
    /// Leaves among so many values
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1 << 53))]
    pub leaves: u64,
}

fn values(text: &str) -> Result<Values, String> {
    if text == "distinct" {
        return Ok(Values(None));
    }
    match text.parse() {
        Ok(values @ 1..=0x20_0000_0000_0000) => Ok(Values(Some(values))),
        _ => Err("write distinct, or a number of values such as 4".to_string()),
    }
}
