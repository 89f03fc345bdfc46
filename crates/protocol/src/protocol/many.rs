//! Laboratory experiments on many trees: leaves read in random, dependent and ordered trees, and a
//! comparison of rules for cutoffs and equal moves.

use super::data::{Number, rounded};
use super::form::command_line_defaults;
use super::host::Host;
use super::lab::shape;
use super::words::Whole;
use alphorn_lab::lab::counting::{self, MOST_SEARCHED, Searcher, growth, means};
use alphorn_lab::lab::critical::fewest_leaves;
use alphorn_lab::lab::theory;
use alphorn_lab::lab::ties::{self, PairingTally};
use alphorn_lab::lab::uniform::Leaves;
use alphorn_session::session::SessionResult;
use clap::Args;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The limit of leaves of a perfectly ordered tree. Searches read about the square root of them.
const MOST_ORDERED: u64 = 1 << 32;

/// The limit of leaves of a tree that is searched without checking the stop flag.
const MOST_AT_ONCE: u64 = 1 << 16;

/// A request for perfectly ordered trees; the size of trees and their seed.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PerfectRequest {
    /// Moves in every position
    #[arg(long, value_name = "B")]
    pub branching: Whole<1, 1000>,
    /// Plies from the root to the leaves; lower trees are searched too
    #[arg(long, value_name = "D")]
    pub depth: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    #[serde(default = "first")]
    pub seed: u64,
}

fn first() -> u64 {
    1
}

/// A request for totally dependent trees.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DependentRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// The size of the trees, and their seed.
    pub shape: PerfectRequest,
    /// Number of trees of each height
    #[arg(long, value_name = "N", default_value = "1000")]
    #[serde(default = "Trees::usual::<1000>")]
    pub trees: Trees,
}

type Trees = Whole<1, 1_000_000_000>;

/// A request for random trees.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RandomRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// The number and the size of the trees, and their seed.
    pub many: DependentRequest,
    /// Values of the leaves: distinct, or the number of different values
    #[arg(long, value_name = "distinct|K", default_value_t)]
    #[serde(default)]
    pub leaves: Values,
}

/// A request to compare rules for cutoffs and for equal moves.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TiesRequest {
    /// Number of trees
    #[arg(long, value_name = "N", default_value = "20000")]
    pub trees: Trees,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Moves in every position
    #[arg(long, value_name = "B", default_value = "2")]
    pub branching: Whole<1, 1000>,
    /// Plies from the root to the leaves
    #[arg(long, value_name = "D", default_value_t = 4)]
    pub depth: u32,
    /// Number of different values of the leaves
    #[arg(long, value_name = "K", default_value = "4")]
    pub leaves: Whole<1, { 1 << 53 }>,
}

command_line_defaults!(TiesRequest);

/// The number of different leaf values; `None` if all values are distinct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Option<u64>);

impl FromStr for Values {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Values, Self::Err> {
        match text.parse() {
            _ if text == "distinct" => Ok(Values(None)),
            Ok(values @ 1..=0x20_0000_0000_0000) => Ok(Values(Some(values))),
            _ => Err("write distinct, or a number of values such as 4"),
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(values) => values.fmt(f),
            None => f.write_str("distinct"),
        }
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(values) => serializer.serialize_u64(values),
            None => serializer.serialize_str("distinct"),
        }
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse().map_err(D::Error::custom),
            number => number.to_string().parse().map_err(D::Error::custom),
        }
    }
}

impl JsonSchema for Values {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LeafValues".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "const": "distinct" },
            { "type": "integer", "minimum": 1, "maximum": 1_u64 << 53 },
        ] })
    }
}

/// The number of leaves that a search reads in trees of one height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mean {
    /// The mean number of leaves read.
    #[schemars(range(min = 0))]
    pub mean: Number,
    /// The standard error of the mean; null for one tree.
    #[schemars(range(min = 0))]
    pub error: Option<Number>,
    /// The growth per ply: the N-th root of the mean, where N is the height.
    #[schemars(range(min = 0))]
    pub growth: Number,
}

/// The statistics of a searcher for one height; zero without trees.
fn mean(row: &counting::HeightRow, searcher: Searcher) -> Mean {
    let Some(sample) = row.sample(searcher) else { unreachable!("it was asked for") };
    Mean {
        mean: rounded(sample.mean()),
        error: sample.standard_error().map(rounded),
        growth: rounded(growth(sample, row.height)),
    }
}

/// The number of trees of a height that were searched.
fn searched(row: &counting::HeightRow) -> u64 {
    row.samples.first().map_or(0, |(_, sample)| sample.count())
}

/// The leaves read in random trees.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RandomReply {
    /// The number of moves in every position.
    #[schemars(range(min = 1))]
    pub branching: u64,
    /// The number of plies from the root to the leaves of the highest trees.
    pub depth: u32,
    /// The number of trees of each height in the request.
    pub trees: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of different values of leaves; `distinct` means 53 random bits.
    pub leaves: Values,
    /// The results, one row for each height.
    pub rows: Vec<RandomRow>,
    /// The growth per ply in theory, for distinct leaves.
    pub theory: Theory,
    /// Whether an interrupt stopped the experiment before all trees were searched.
    pub stopped: bool,
}

/// The leaves read in random trees of one height.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RandomRow {
    /// The height of the trees, in plies.
    pub height: u32,
    /// The number of trees of this height that were searched.
    pub trees: u64,
    /// The number of leaves of a tree, all of which minimax reads.
    pub f: u64,
    /// The leaves that alpha-beta search without deep cutoffs reads.
    pub f1: Mean,
    /// The leaves that alpha-beta search reads.
    pub f2: Mean,
    /// The leaves that principal variation search reads; a leaf counts again at each visit.
    pub pvs: Mean,
    /// The leaves that MTD(f) reads.
    pub mtdf: Mean,
    /// The exact mean of F1 and F2; null if it is not known.
    #[schemars(range(min = 0))]
    pub exact: Option<Number>,
}

/// The growth per ply in theory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Theory {
    /// The upper bound for alpha-beta search without deep cutoffs.
    #[schemars(range(min = 0))]
    pub f1: Number,
    /// The limit for alpha-beta search in great depth.
    #[schemars(range(min = 0))]
    pub f2: Number,
    /// The limit for perfectly ordered trees in great depth.
    #[schemars(range(min = 0))]
    pub best: Number,
}

/// Counts the leaves that searches read in random trees.
///
/// # Errors
///
/// The trees are too large.
pub fn random(request: &RandomRequest, host: &Host<'_>) -> SessionResult<RandomReply> {
    let DependentRequest { shape: PerfectRequest { branching, depth, seed }, trees } = request.many;
    let (branching, trees, values) = (branching.get(), trees.get(), request.leaves.0);
    let shape = shape(branching, depth, MOST_SEARCHED)?;
    let four = [Searcher::F1, Searcher::F2, Searcher::Pvs, Searcher::Mtdf];
    let found = means(shape, trees, seed, &four, &|seed| Leaves::Random { seed, values }, &host.stop);
    // The theory covers only distinct leaf values.
    let exact = |height: u32| match height {
        _ if values.is_some() => None,
        1 => Some(branching as f64),
        2 => Some(theory::mean_of_height_two(branching as u32)),
        _ => None,
    };
    let row = |row: &counting::HeightRow| RandomRow {
        height: row.height,
        trees: searched(row),
        f: row.leaves,
        f1: mean(row, Searcher::F1),
        f2: mean(row, Searcher::F2),
        pvs: mean(row, Searcher::Pvs),
        mtdf: mean(row, Searcher::Mtdf),
        exact: exact(row.height).map(rounded),
    };
    Ok(RandomReply {
        branching,
        depth,
        trees,
        seed,
        leaves: request.leaves,
        rows: found.rows.iter().map(row).collect(),
        theory: Theory {
            f1: rounded(theory::growth_without_deep_cutoffs(branching as u32)),
            f2: rounded(theory::growth_with_deep_cutoffs(branching as u32)),
            best: rounded(theory::growth_at_best(branching as u32)),
        },
        stopped: found.stopped,
    })
}

/// The leaves read in totally dependent trees.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DependentReply {
    /// The number of moves in every position.
    #[schemars(range(min = 1))]
    pub branching: u64,
    /// The number of plies from the root to the leaves of the highest trees.
    pub depth: u32,
    /// The number of trees of each height in the request.
    pub trees: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The results, one row for each height.
    pub rows: Vec<DependentRow>,
    /// Whether an interrupt stopped the experiment before all trees were searched.
    pub stopped: bool,
}

/// The leaves read in totally dependent trees of one height.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DependentRow {
    /// The height of the trees, in plies.
    pub height: u32,
    /// The number of trees of this height that were searched.
    pub trees: u64,
    /// The number of leaves of a tree, all of which minimax reads.
    pub f: u64,
    /// The leaves that alpha-beta search reads.
    pub f2: Mean,
    /// The mean number of leaves that alpha-beta search reads, by the formula.
    #[schemars(range(min = 0))]
    pub formula: Number,
}

/// Counts the leaves that searches read in totally dependent trees.
///
/// # Errors
///
/// The trees are too large.
pub fn dependent(request: &DependentRequest, host: &Host<'_>) -> SessionResult<DependentReply> {
    let DependentRequest { shape: PerfectRequest { branching, depth, seed }, trees } = *request;
    let (branching, trees) = (branching.get(), trees.get());
    let shape = shape(branching, depth, MOST_SEARCHED)?;
    let found = means(shape, trees, seed, &[Searcher::F2], &|seed| Leaves::Dependent { seed }, &host.stop);
    let row = |row: &counting::HeightRow| DependentRow {
        height: row.height,
        trees: searched(row),
        f: row.leaves,
        f2: mean(row, Searcher::F2),
        formula: rounded(theory::mean_of_dependent(branching as u32, row.height)),
    };
    let rows = found.rows.iter().map(row).collect();
    Ok(DependentReply { branching, depth, trees, seed, rows, stopped: found.stopped })
}

/// The leaves read in perfectly ordered trees.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PerfectReply {
    /// The number of moves in every position.
    #[schemars(range(min = 1))]
    pub branching: u64,
    /// The number of plies from the root to the leaves of the highest tree.
    pub depth: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The results, one row for each height.
    pub rows: Vec<PerfectRow>,
    /// Whether an interrupt stopped the experiment before all trees were searched.
    pub stopped: bool,
}

/// The leaves read in one perfectly ordered tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PerfectRow {
    /// The height of the tree, in plies.
    pub height: u32,
    /// The number of leaves of the tree, all of which minimax reads.
    pub f: u64,
    /// The number of leaves that alpha-beta search without deep cutoffs reads.
    pub f1: u64,
    /// The number of leaves that alpha-beta search reads.
    pub f2: u64,
    /// The number of critical leaves, by the formula.
    pub formula: u64,
}

/// Counts the leaves that searches read in perfectly ordered trees.
///
/// # Errors
///
/// The trees are too large.
pub fn perfect(request: &PerfectRequest, host: &Host<'_>) -> SessionResult<PerfectReply> {
    let PerfectRequest { branching, depth, seed } = *request;
    let shape = shape(branching.get(), depth, MOST_ORDERED)?;
    let both = [Searcher::F1, Searcher::F2];
    let found = means(shape, 1, seed, &both, &|seed| Leaves::Ordered { seed }, &host.stop);
    // Each height has one tree, so the mean is a count.
    let read = |row: &counting::HeightRow, searcher| row.sample(searcher).map_or(0, |sample| sample.mean() as u64);
    let row = |row: &counting::HeightRow| PerfectRow {
        height: row.height,
        f: row.leaves,
        f1: read(row, Searcher::F1),
        f2: read(row, Searcher::F2),
        formula: fewest_leaves(shape.to_height(row.height)),
    };
    let rows = found.rows.iter().map(row).collect();
    Ok(PerfectReply { branching: branching.get(), depth, seed, rows, stopped: found.stopped })
}

/// The comparison of rules for cutoffs and for equal moves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TiesReply {
    /// The number of moves in every position.
    #[schemars(range(min = 1))]
    pub branching: u64,
    /// The number of plies from the root to the leaves.
    pub depth: u32,
    /// The number of different values of leaves.
    #[schemars(range(min = 1))]
    pub values: u64,
    /// The number of trees that were searched.
    pub trees: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The results of alpha-beta search with each pair of rules.
    pub rules: Vec<Wrong>,
    /// Whether an interrupt stopped the experiment before all trees were searched.
    pub stopped: bool,
}

/// The errors of alpha-beta search with one rule for cutoffs and one rule for equal moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Wrong {
    /// The rules: which cutoffs are made, and which of equal moves is taken.
    pub rules: String,
    /// The number of trees in which the search finds a wrong value.
    pub wrong_values: u64,
    /// The number of trees in which the search finds a wrong move.
    pub wrong_moves: u64,
    /// The number of leaves read in all trees.
    pub leaves: u64,
}

/// Compares the rules for cutoffs and equal moves.
///
/// # Errors
///
/// The trees are too large.
pub fn ties(request: &TiesRequest, host: &Host<'_>) -> SessionResult<TiesReply> {
    let TiesRequest { trees, seed, branching, depth, leaves } = *request;
    let (branching, values) = (branching.get(), leaves.get());
    let shape = shape(branching, depth, MOST_AT_ONCE)?;
    let found = ties::experiment(shape, trees.get(), seed, values, &host.stop);
    let row = |row: &PairingTally| Wrong {
        rules: row.pairing.name().to_string(),
        wrong_values: row.wrong_values,
        wrong_moves: row.wrong_moves,
        leaves: row.leaves,
    };
    let rules = found.rows.iter().map(row).collect();
    Ok(TiesReply { branching, depth, values, trees: found.trees, seed, rules, stopped: found.stopped })
}
