//! Picture: a small tree with its values and with what alpha-beta cuts off, to be drawn.
//!
//! In: a tree. Out: the tree of F2, its scores told fail-soft, with all that it passes over; and which places F1 and F2 visit.
//! Where F1 visits what F2 does not, the cut is a deep one. Must not know how a tree is drawn.

use super::trace::{LeftPosition, TracedProcedure, run};
use super::uniform::{LeafReader, TreePlace, Uniform};
use crate::tree::record::{TreeOptions, record};
use crate::tree::{NamedMove, SearchTree};
use alphorn_search::game::Score;
use alphorn_search::search::Algorithm;
use rustc_hash::FxHashSet;
use std::sync::atomic::AtomicBool;

/// Most leaves of a tree that is drawn.
pub const MOST_DRAWN: u64 = 256;

/// What F2 does about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafMark {
    /// It visits it.
    Visited,
    /// It passes over it, as F1 does.
    Cut,
    /// It passes over it, and F1 does not: a deep cut-off.
    DeepCut,
}

/// A tree with the marks of F1 and F2.
pub struct Picture<'a> {
    tree: &'a Uniform,
    /// Where F1 goes.
    bounded: FxHashSet<TreePlace>,
    /// Where F2 goes.
    found: FxHashSet<TreePlace>,
}

impl<'a> Picture<'a> {
    /// Searches `tree` by F1 and by F2. Its leaves should not be more than [`MOST_DRAWN`].
    pub fn new(tree: &'a Uniform) -> Picture<'a> {
        Picture { tree, bounded: visited(tree, TracedProcedure::F1), found: visited(tree, TracedProcedure::F2) }
    }

    /// What F2 does about `place`.
    pub fn mark(&self, place: TreePlace) -> LeafMark {
        if self.found.contains(&place) {
            LeafMark::Visited
        } else if self.bounded.contains(&place) {
            LeafMark::DeepCut
        } else {
            LeafMark::Cut
        }
    }

    /// The leaves with this mark, counted.
    pub fn leaves(&self, mark: LeafMark) -> u64 {
        let shape = self.tree.shape;
        let leaves = (0..shape.leaves()).map(|number| TreePlace { ply: shape.height(), number });
        leaves.filter(|leaf| self.mark(*leaf) == mark).count() as u64
    }

    /// The tree of F2, with what is cut off and its values. `name` names places; an empty name is
    /// not drawn.
    pub fn drawn(&self, name: &dyn Fn(TreePlace) -> String) -> SearchTree<NamedMove> {
        let (tree, never) = (self.tree, AtomicBool::new(false));
        let depth = tree.shape.height();
        // It visits what F2 does, and its bounds say more.
        let algorithm = Algorithm::AlphaBeta;
        let how = TreeOptions { algorithm, depth, most: usize::MAX, whole: true, nodes: None, stop: &never };
        let recorded = match record(tree, &LeafReader, &TreePlace::ROOT, &how) {
            Ok(recorded) => recorded,
            Err(_) => unreachable!("a made-up tree does not fault"),
        };
        // A parent stands before its children.
        let mut places: Vec<TreePlace> = Vec::with_capacity(recorded.nodes.len());
        for node in &recorded.nodes {
            places.push(match (node.parent, &node.mv) {
                (Some(parent), Some(mv)) => places[parent].child(tree.shape.branching(), *mv),
                _ => TreePlace::ROOT,
            });
        }
        let mut left = places.iter().skip(1);
        let named = recorded.name(|_, _, _| {
            let label = left.next().map_or(String::new(), |place| name(*place));
            Ok::<NamedMove, std::convert::Infallible>(NamedMove { label, position: String::new() })
        });
        match named {
            Ok(named) => named,
            Err(never) => match never {},
        }
    }
}

/// Runs a procedure on all of a tree; the places that it visits.
fn visited(tree: &Uniform, procedure: TracedProcedure) -> FxHashSet<TreePlace> {
    let mut found = FxHashSet::default();
    let mut hear = |left: LeftPosition<'_, TreePlace>| {
        found.insert(*left.state);
    };
    let never = AtomicBool::new(false);
    let ran = run(procedure, (tree, &LeafReader), &TreePlace::ROOT, tree.shape.height(), &never, &mut hear);
    assert!(ran.is_ok_and(|counts| matches!(counts.value, Some(Score::Value(_)))), "a made-up tree has a value");
    found
}
