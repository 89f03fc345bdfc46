//! A small tree for drawing, with values and with the cutoffs of alpha-beta.
//!
//! Returns the tree of F2 with fail-soft scores and with everything that it cuts off, and the places that
//! F1 and F2 visit. A place that only F1 visits is cut off by a deep cutoff. It does not draw the tree.

use super::trace::{LeftPosition, TracedProcedure, run};
use super::uniform::{LeafReader, TreePlace, Uniform};
use crate::tree::record::{TreeOptions, record};
use crate::tree::{NamedMove, SearchTree};
use alphorn_search::game::Score;
use alphorn_search::search::Algorithm;
use rustc_hash::FxHashSet;
use std::sync::atomic::AtomicBool;

/// The maximum number of leaves of a drawn tree.
pub const MOST_DRAWN: u64 = 256;

/// What F2 does with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafMark {
    /// F2 visits the place.
    Visited,
    /// F2 and F1 cut the place off.
    Cut,
    /// Only F2 cuts the place off: a deep cutoff.
    DeepCut,
}

/// A tree with the visits of F1 and F2.
pub struct Picture<'a> {
    tree: &'a Uniform,
    /// The places that F1 visits.
    bounded: FxHashSet<TreePlace>,
    /// The places that F2 visits.
    found: FxHashSet<TreePlace>,
}

impl<'a> Picture<'a> {
    /// Searches `tree` with F1 and F2. It should have at most [`MOST_DRAWN`] leaves.
    pub fn new(tree: &'a Uniform) -> Picture<'a> {
        Picture { tree, bounded: visited(tree, TracedProcedure::F1), found: visited(tree, TracedProcedure::F2) }
    }

    /// What F2 does with `place`.
    pub fn mark(&self, place: TreePlace) -> LeafMark {
        if self.found.contains(&place) {
            LeafMark::Visited
        } else if self.bounded.contains(&place) {
            LeafMark::DeepCut
        } else {
            LeafMark::Cut
        }
    }

    /// The number of leaves with this mark.
    pub fn leaves(&self, mark: LeafMark) -> u64 {
        let shape = self.tree.shape;
        let leaves = (0..shape.leaves()).map(|number| TreePlace { ply: shape.height(), number });
        leaves.filter(|leaf| self.mark(*leaf) == mark).count() as u64
    }

    /// The tree of F2 with its values and with what is cut off. `name` names places; an empty name is not
    /// drawn.
    pub fn drawn(&self, name: &dyn Fn(TreePlace) -> String) -> SearchTree<NamedMove> {
        let (tree, never) = (self.tree, AtomicBool::new(false));
        let depth = tree.shape.height();
        // Alpha-beta visits the same places as F2, and its bounds are tighter.
        let algorithm = Algorithm::AlphaBeta;
        let how = TreeOptions { algorithm, depth, most: usize::MAX, whole: true, nodes: None, stop: &never };
        let recorded = match record(tree, &LeafReader, &TreePlace::ROOT, &how) {
            Ok(recorded) => recorded,
            Err(_) => unreachable!("a made-up tree does not fault"),
        };
        // A parent comes before its children.
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

/// Runs a procedure on a whole tree, and returns the visited places.
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
