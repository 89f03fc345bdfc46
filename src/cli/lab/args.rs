//! Defines the arguments of `alphorn lab`.

use alphorn_protocol::protocol::lab::{CriticalRequest, TreeRequest};
use alphorn_protocol::protocol::many::{DependentRequest, PerfectRequest, RandomRequest, TiesRequest};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Classic experiments on game-tree search: Knuth and Moore, 1975.
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
    Critical(CriticalRequest),
    /// Leaves read in random trees, beside the theory
    Random(RandomRequest),
    /// Leaves read in totally dependent trees, beside the formula
    Dependent(DependentRequest),
    /// Leaves read in perfectly ordered trees, beside the formula
    Perfect(PerfectRequest),
    /// A random binary tree with its values and what alpha-beta cuts off
    Tree(LabTreeArgs),
    /// Which rules for cuts and for equal moves are correct together
    Ties(TiesRequest),
}

/// `alphorn lab tree`
#[derive(Args, Debug)]
pub struct LabTreeArgs {
    #[command(flatten)]
    /// Which tree
    pub request: TreeRequest,
    /// Write the tree to this file too, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}
