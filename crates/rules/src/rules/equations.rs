//! The unknown shapes of a program, what is known of each, and which of them depend on which.
//!
//! An unknown is the shape of an answer, of an argument in calls, of positions or of labels. `shapes` has the equations
//! and solves them.

use crate::rules::shape::Shape;
use alphorn_lang::lang::program::PredId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A shape that the analysis looks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Unknown {
    /// The shape of an argument after a predicate has succeeded.
    Answer(PredId, usize),
    /// The shape of an argument in the calls of a predicate.
    Asked(PredId, usize),
    /// The shape of positions.
    Positions,
    /// The shape of move labels.
    Labels,
}

/// What is known of an unknown.
pub(super) struct Solution {
    pub(super) shape: Shape,
    /// Whether the shape is what its equation gives.
    pub(super) is_solved: bool,
    /// Whether its equation is being computed.
    pub(super) is_open: bool,
    /// The unknowns whose equations have read the shape.
    pub(super) readers: FxHashSet<Unknown>,
}

impl Default for Solution {
    fn default() -> Solution {
        Solution { shape: Shape::NONE, is_solved: false, is_open: false, readers: FxHashSet::default() }
    }
}

/// All unknowns that have been read.
#[derive(Default)]
pub(super) struct Solutions {
    of: FxHashMap<Unknown, Solution>,
    /// The unknowns whose equations are being computed, innermost last.
    pub(super) open: Vec<Unknown>,
}

impl Solutions {
    /// All answers that have been read: predicate, argument number, shape.
    pub(super) fn answers(&self) -> impl Iterator<Item = (PredId, usize, &Shape)> {
        self.of.iter().filter_map(|(unknown, solution)| match unknown {
            Unknown::Answer(pred, place) => Some((*pred, *place, &solution.shape)),
            _ => None,
        })
    }

    /// What is known of an unknown.
    pub(super) fn at(&mut self, unknown: Unknown) -> &mut Solution {
        self.of.entry(unknown).or_default()
    }

    /// Marks those that have read a shape that has changed, and those that have read their shapes.
    pub(super) fn unsettle(&mut self, readers: FxHashSet<Unknown>) {
        let mut stack: Vec<Unknown> = readers.into_iter().collect();
        while let Some(reader) = stack.pop() {
            let solution = self.at(reader);
            if std::mem::take(&mut solution.is_solved) {
                stack.extend(std::mem::take(&mut solution.readers));
            }
        }
    }
}
