//! Ties: which rules for cutoffs and for equal moves can be combined.
//!
//! It takes random trees with few values. For each pairing of rules it counts wrong values, wrong moves
//! and leaves. A position cut off at equality may be worse than its score, so a search that prefers the
//! later of equal moves may choose it. Alpha-beta as Ivan Bratko writes it, "Prolog Programming for
//! Artificial Intelligence", figure 15.3 in some editions: strict cuts, and the later of equal moves.

use super::seeded::SplitMix64;
use super::uniform::{Leaves, TreePlace, TreeShape, Uniform};
use super::{Stopped, go_on};
use std::sync::atomic::AtomicBool;

/// When a search cuts off the other moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutRule {
    /// If the score is beyond the bound.
    Strict,
    /// If the score reaches the bound.
    OnEquality,
}

/// Which of equally good moves a search chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieRule {
    /// The first.
    First,
    /// The last.
    Later,
}

/// A rule for cutoffs with a rule for ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The rule for cutoffs.
    pub cut: CutRule,
    /// The rule for ties.
    pub tie: TieRule,
}

impl Pairing {
    /// The pairing of the textbook, the wrong pairing, and the pairing of all searches here.
    pub const ALL: [Pairing; 3] = [
        Pairing { cut: CutRule::Strict, tie: TieRule::Later },
        Pairing { cut: CutRule::OnEquality, tie: TieRule::Later },
        Pairing { cut: CutRule::OnEquality, tie: TieRule::First },
    ];

    /// The name, such as `strict cuts, later on ties`.
    pub fn name(self) -> &'static str {
        match (self.cut, self.tie) {
            (CutRule::Strict, TieRule::Later) => "strict cuts, later on ties",
            (CutRule::Strict, TieRule::First) => "strict cuts, first on ties",
            (CutRule::OnEquality, TieRule::Later) => "cuts on equality, later on ties",
            (CutRule::OnEquality, TieRule::First) => "cuts on equality, first on ties",
        }
    }
}

/// The result of a search with some pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingResult {
    /// The value for MAX.
    pub value: i64,
    /// The move at the root, from 1; 0 in a tree of height 0.
    pub best: u32,
    /// The number of leaves read.
    pub leaves: u64,
}

/// Bounds of every leaf.
const LEAST: i64 = i64::MIN;
const GREATEST: i64 = i64::MAX;

/// Searches `tree` with `pairing`. It is recursive, because trees are low.
pub fn search_with_pairing(tree: &Uniform, pairing: Pairing) -> PairingResult {
    let mut leaves = 0;
    let (value, best) = play_at(tree, pairing, TreePlace::ROOT, LEAST, GREATEST, &mut leaves);
    PairingResult { value, best, leaves }
}

fn play_at(
    tree: &Uniform,
    pairing: Pairing,
    place: TreePlace,
    mut alpha: i64,
    mut beta: i64,
    leaves: &mut u64,
) -> (i64, u32) {
    if place.ply == tree.shape.height() {
        *leaves += 1;
        return (tree.leaf(place.number), 0);
    }
    let max_moves = place.ply.is_multiple_of(2);
    let mut best: Option<(i64, u32)> = None;
    for mv in 1..=tree.shape.branching() {
        let child = place.child(tree.shape.branching(), mv);
        let (score, _) = play_at(tree, pairing, child, alpha, beta, leaves);
        let is_better = |than: i64| if max_moves { score > than } else { score < than };
        let ties = |than: i64| score == than && pairing.tie == TieRule::Later;
        if best.is_none_or(|(than, _)| is_better(than) || ties(than)) {
            best = Some((score, mv));
        }
        let bound = if max_moves { beta } else { alpha };
        if is_better(bound) || score == bound && pairing.cut == CutRule::OnEquality {
            break;
        }
        match max_moves {
            true => alpha = alpha.max(score),
            false => beta = beta.min(score),
        }
    }
    best.expect("every position above the leaves has a move")
}

/// The value of `place` for MAX, by plain minimax.
pub fn minimax(tree: &Uniform, place: TreePlace) -> i64 {
    if place.ply == tree.shape.height() {
        return tree.leaf(place.number);
    }
    let children = (1..=tree.shape.branching()).map(|mv| minimax(tree, place.child(tree.shape.branching(), mv)));
    let best = if place.ply.is_multiple_of(2) { children.max() } else { children.min() };
    best.expect("every position above the leaves has a move")
}

/// The errors of a pairing over all trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingTally {
    /// The pairing.
    pub pairing: Pairing,
    /// The number of values that differ from minimax.
    pub wrong_values: u64,
    /// The number of root moves that do not keep the value.
    pub wrong_moves: u64,
    /// The total number of leaves read.
    pub leaves: u64,
}

/// The result of the experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieTallies {
    /// The number of searched trees.
    pub trees: u64,
    /// The results of each pairing.
    pub rows: Vec<PairingTally>,
    /// Whether the stop flag was set before all trees were searched.
    pub stopped: bool,
}

/// Searches `trees` random trees with every pairing. Their leaves are below `values`.
pub fn experiment(shape: TreeShape, trees: u64, seed: u64, values: u64, stop: &AtomicBool) -> TieTallies {
    let blank = |pairing| PairingTally { pairing, wrong_values: 0, wrong_moves: 0, leaves: 0 };
    let mut rows = Pairing::ALL.map(blank).to_vec();
    for number in 0..trees {
        if go_on(stop) == Err(Stopped) {
            return TieTallies { trees: number, rows, stopped: true };
        }
        let leaves = Leaves::Random { seed: SplitMix64::at(seed, number), values: Some(values) };
        let tree = Uniform { shape, leaves };
        let value = minimax(&tree, TreePlace::ROOT);
        for row in &mut rows {
            let played = search_with_pairing(&tree, row.pairing);
            row.leaves += played.leaves;
            row.wrong_values += u64::from(played.value != value);
            let reached = match played.best {
                0 => value,
                mv => minimax(&tree, TreePlace::ROOT.child(shape.branching(), mv)),
            };
            row.wrong_moves += u64::from(reached != value);
        }
    }
    TieTallies { trees, rows, stopped: false }
}
