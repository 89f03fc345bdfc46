//! Laboratory experiments on single trees: the digits of pi, the textbook's tree, critical positions, a
//! random tree.

use super::form::command_line_defaults;
use super::host::Host;
use super::words::Whole;
use alphorn_lab::lab::counting::Searcher;
use alphorn_lab::lab::critical::{self, MOST_COUNTED};
use alphorn_lab::lab::known;
use alphorn_lab::lab::picture::{LeafMark, MOST_DRAWN, Picture};
use alphorn_lab::lab::ties::{self, Pairing, search_with_pairing};
use alphorn_lab::lab::uniform::{LeafReader, Leaves, MOST_LEAVES, TreePlace, TreeShape, TreeShapeError, Uniform};
use alphorn_lab::tree::{NamedMove, SearchTree};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::{Algorithm, run};
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The help for a tree that is too large.
const SMALLER: &str = "give a smaller depth, or a smaller branching factor";

/// The number of leaf values of the classic exercise: 0 to 19.
const EXERCISE: u64 = 20;

/// The shape of a tree with at most `most` leaves, or the failure.
pub(super) fn shape(branching: u64, depth: u32, most: u64) -> SessionResult<TreeShape> {
    TreeShape::with_at_most(branching as u32, depth, most).map_err(|wrong| {
        let help = match wrong {
            TreeShapeError::NoBranch => "give a branching factor of 1 or more",
            TreeShapeError::TooHigh | TreeShapeError::TooManyLeaves(_) => SMALLER,
        };
        impossible(wrong.to_string(), help)
    })
}

/// The failure of an experiment that is not possible.
fn impossible(message: String, help: &str) -> Failure {
    Failure::Problem(Box::new(Problem::placeless(Code::TreeTooLarge, message).help(help)), Arc::default())
}

/// The number of leaves that each search reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Read {
    /// The number for minimax, which reads all leaves.
    pub f: u64,
    /// The number for alpha-beta search without deep cutoffs.
    pub f1: u64,
    /// The number for alpha-beta search.
    pub f2: u64,
}

/// The value of a tree of the books and the leaves read, too few to need an interrupt.
fn read(tree: &Uniform) -> (i64, Read) {
    let read = |searcher: Searcher| searcher.read(tree, &AtomicBool::default()).unwrap_or_default();
    let ((value, f), (_, f1), (_, f2)) = (read(Searcher::F), read(Searcher::F1), read(Searcher::F2));
    (value, Read { f, f1, f2 })
}

/// The principal variation from the root, by minimax.
fn line(tree: &Uniform) -> Vec<u32> {
    let searched = run(Algorithm::Minimax, tree, &LeafReader, &TreePlace::ROOT, &Limits::default());
    searched.map(|outcome| outcome.line).unwrap_or_default()
}

/// The tree of alpha-beta with its cutoffs, to be drawn.
pub type Drawing = SearchTree<NamedMove>;

/// The search of the tree of the digits of pi.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PiReply {
    /// The value of the tree for MAX.
    pub value: i64,
    /// The principal variation: the numbers of its moves, from 1.
    pub line: Vec<u32>,
    /// The number of leaves that each search reads.
    pub leaves: Read,
    /// The number of leaves that F1 reads and F2 does not read.
    pub deep_cutoffs: u64,
    /// The tree, for the terminal.
    #[serde(skip)]
    pub drawing: Drawing,
}

/// Searches the tree of the digits of pi.
pub fn pi() -> PiReply {
    let tree = known::pi();
    let (value, leaves) = read(&tree);
    let picture = Picture::new(&tree);
    let deep_cutoffs = picture.leaves(LeafMark::DeepCut);
    PiReply { value, line: line(&tree), leaves, deep_cutoffs, drawing: picture.drawn(&|_| String::new()) }
}

/// The search of the tree in Bratko's textbook.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BratkoReply {
    /// The value of the tree for MAX.
    pub value: i64,
    /// The principal variation: the letters of its positions, from the root, without the leaf.
    pub line: Vec<String>,
    /// The letter of the leaf at the end of the principal variation.
    pub leaf: Option<String>,
    /// The number of leaves that each search reads.
    pub leaves: Read,
    /// The results of alpha-beta search with each pair of rules.
    pub rules: Vec<Paired>,
    /// The tree, for the terminal.
    #[serde(skip)]
    pub drawing: Drawing,
}

/// The result of alpha-beta search with one rule for cutoffs and one rule for equal moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Paired {
    /// The rules: which cutoffs are made, and which of equal moves is taken.
    pub rules: String,
    /// The value of the tree for MAX.
    pub value: i64,
    /// The letter of the position after the best move.
    pub best: String,
    /// The number of leaves read.
    pub leaves: u64,
}

/// Searches the tree of the textbook.
pub fn bratko() -> BratkoReply {
    let tree = known::bratko();
    let (value, leaves) = read(&tree);
    let letter = |place| known::letter(place).to_string();
    let mut place = TreePlace::ROOT;
    let mut letters = vec![letter(place)];
    for mv in line(&tree) {
        place = place.child(tree.shape.branching(), mv);
        letters.push(letter(place));
    }
    // The line in the textbook ends above the leaf.
    let leaf = letters.pop();
    let paired = |pairing: Pairing| {
        let played = search_with_pairing(&tree, pairing);
        let best = letter(TreePlace::ROOT.child(tree.shape.branching(), played.best));
        Paired { rules: pairing.name().to_string(), value: played.value, best, leaves: played.leaves }
    };
    let rules = Pairing::ALL.map(paired).to_vec();
    let drawing = Picture::new(&tree).drawn(&letter);
    BratkoReply { value, line: letters, leaf, leaves, rules, drawing }
}

/// A request to count the critical positions of a uniform tree.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CriticalRequest {
    /// Moves in every position
    #[arg(value_name = "B")]
    pub branching: Whole<1, { u32::MAX as u64 }>,
    /// Plies from the root to the leaves
    #[arg(value_name = "D")]
    pub depth: u32,
}

/// The critical positions of a uniform tree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CriticalReply {
    /// The number of moves in every position.
    #[schemars(range(min = 1))]
    pub branching: u64,
    /// The number of plies from the root to the leaves.
    pub depth: u32,
    /// The critical positions, one entry for each level, from the root.
    pub levels: Vec<Level>,
    /// The number of leaves of the tree.
    pub leaves: u64,
    /// The number of leaves that every search without a table must read.
    pub critical_leaves: u64,
    /// Whether an interrupt stopped the count before its end.
    pub stopped: bool,
}

/// The critical positions of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Level {
    /// The level: the number of plies from the root.
    pub level: u32,
    /// The number of critical positions of types 1, 2 and 3, by a count.
    pub counted: [u64; 3],
    /// The number of critical positions of types 1, 2 and 3, by the formula.
    pub formula: [u64; 3],
}

/// Counts critical positions.
///
/// # Errors
///
/// The tree is too large.
pub fn critical(request: &CriticalRequest, host: &Host<'_>) -> SessionResult<CriticalReply> {
    let (branching, depth) = (request.branching.get(), request.depth);
    let shape = shape(branching, depth, MOST_LEAVES)?;
    let critical_leaves = critical::fewest_leaves(shape);
    if critical_leaves > MOST_COUNTED {
        let message = format!("every search reads more than {MOST_COUNTED} leaves of this tree");
        return Err(impossible(message, SMALLER));
    }
    let counted = critical::counted(shape, &host.stop);
    let stopped = counted.is_err();
    let level = |(level, counted): (u32, critical::Types)| Level {
        level,
        counted: counted.0,
        formula: critical::by_formula(shape, level).0,
    };
    let levels = (0..).zip(counted.unwrap_or_default()).map(level).collect();
    Ok(CriticalReply { branching, depth, levels, leaves: shape.leaves(), critical_leaves, stopped })
}

/// A request for a random binary tree.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TreeRequest {
    /// Plies from the root to the leaves, which have values from 0 to 19
    #[arg(long, value_name = "D", default_value_t = 4)]
    pub depth: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

command_line_defaults!(TreeRequest);

/// A random binary tree, and the cutoffs of alpha-beta search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TreeReply {
    /// The number of plies from the root to the leaves.
    pub depth: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The value of the tree for MAX.
    pub value: i64,
    /// The principal variation: the numbers of its moves, from 1.
    pub line: Vec<u32>,
    /// The leaves, from left to right.
    pub leaves: Vec<TreeLeaf>,
    /// The tree, for the terminal.
    #[serde(skip)]
    pub drawing: Drawing,
}

/// A leaf of a random tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TreeLeaf {
    /// The value of the leaf, from 0 to 19.
    pub value: i64,
    /// The mark: whether alpha-beta search reads the leaf or cuts it off.
    pub mark: Marked,
}

/// The treatment of a leaf by alpha-beta search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Marked {
    /// Alpha-beta search reads the leaf.
    Visited,
    /// Alpha-beta search cuts the leaf off, and so does F1.
    Cut,
    /// Alpha-beta search cuts the leaf off by a deep cutoff; F1 reads the leaf.
    Deep,
}

impl From<LeafMark> for Marked {
    fn from(mark: LeafMark) -> Marked {
        match mark {
            LeafMark::Visited => Marked::Visited,
            LeafMark::Cut => Marked::Cut,
            LeafMark::DeepCut => Marked::Deep,
        }
    }
}

/// Makes a random tree.
///
/// # Errors
///
/// The tree is too large.
pub fn tree(request: &TreeRequest) -> SessionResult<TreeReply> {
    let TreeRequest { depth, seed } = *request;
    let shape = shape(2, depth, MOST_DRAWN)?;
    let tree = Uniform { shape, leaves: Leaves::Random { seed, values: Some(EXERCISE) } };
    let picture = Picture::new(&tree);
    let leaf = |number| TreeLeaf {
        value: tree.leaf(number),
        mark: picture.mark(TreePlace { ply: shape.height(), number }).into(),
    };
    Ok(TreeReply {
        depth,
        seed,
        value: ties::minimax(&tree, TreePlace::ROOT),
        line: line(&tree),
        leaves: (0..shape.leaves()).map(leaf).collect(),
        drawing: picture.drawn(&|_| String::new()),
    })
}
