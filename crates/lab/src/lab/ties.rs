//! Ties: which rules for cutting and for equal moves go together.
//!
//! In: random trees with few values. Out: how often each pairing of rules gives a wrong value, how
//! often a move that does not keep the value, and what it reads. A position that is cut off at
//! equality is perhaps worse than it looks; who then prefers the later of equal moves takes it.
//! Alpha-beta as Ivan Bratko writes it, "Prolog Programming for Artificial Intelligence", figure
//! 15.3 in some editions: strict cuts, and the later of equal moves.

use super::seeded::SplitMix64;
use super::uniform::{Leaves, TreePlace, TreeShape, Uniform};
use super::{Stopped, go_on};
use std::sync::atomic::AtomicBool;

/// When the other moves are passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutRule {
    /// The score is beyond the bound.
    Strict,
    /// The score reaches the bound.
    OnEquality,
}

/// Which of equally good moves is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieRule {
    /// The first.
    First,
    /// The last.
    Later,
}

/// A rule for cuts and one for ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// When to cut.
    pub cut: CutRule,
    /// What to prefer.
    pub tie: TieRule,
}

impl Pairing {
    /// The textbook's, the wrong one, and that of every search here.
    pub const ALL: [Pairing; 3] = [
        Pairing { cut: CutRule::Strict, tie: TieRule::Later },
        Pairing { cut: CutRule::OnEquality, tie: TieRule::Later },
        Pairing { cut: CutRule::OnEquality, tie: TieRule::First },
    ];

    /// `strict cuts, later on ties` and the like.
    pub fn name(self) -> &'static str {
        match (self.cut, self.tie) {
            (CutRule::Strict, TieRule::Later) => "strict cuts, later on ties",
            (CutRule::Strict, TieRule::First) => "strict cuts, first on ties",
            (CutRule::OnEquality, TieRule::Later) => "cuts on equality, later on ties",
            (CutRule::OnEquality, TieRule::First) => "cuts on equality, first on ties",
        }
    }
}

/// What a search by some pairing says of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingResult {
    /// The value, for Max.
    pub value: i64,
    /// The move at the root, from 1; 0 in a tree of height 0.
    pub best: u32,
    /// The leaves read.
    pub leaves: u64,
}

/// Below and above every leaf.
const LEAST: i64 = i64::MIN;
const GREATEST: i64 = i64::MAX;

/// Searches `tree` by `pairing`; recursive, as no tree is high.
pub fn play(tree: &Uniform, pairing: Pairing) -> PairingResult {
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

/// The value of `place` for Max, by minimax without a thought.
pub fn minimax(tree: &Uniform, place: TreePlace) -> i64 {
    if place.ply == tree.shape.height() {
        return tree.leaf(place.number);
    }
    let children = (1..=tree.shape.branching()).map(|mv| minimax(tree, place.child(tree.shape.branching(), mv)));
    let best = if place.ply.is_multiple_of(2) { children.max() } else { children.min() };
    best.expect("every position above the leaves has a move")
}

/// What a pairing got wrong, over all trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingTally {
    /// The rules.
    pub pairing: Pairing,
    /// Values that are not minimax's.
    pub wrong_values: u64,
    /// Moves at the root that do not keep the value.
    pub wrong_moves: u64,
    /// The leaves read in all.
    pub leaves: u64,
}

/// What the experiment found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieTallies {
    /// How many trees were searched.
    pub trees: u64,
    /// A row for each pairing.
    pub rows: Vec<PairingTally>,
    /// The stop flag was set before all trees were searched.
    pub stopped: bool,
}

/// Searches `trees` random trees of leaves among `values` numbers by every pairing.
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
            let played = play(&tree, row.pairing);
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
