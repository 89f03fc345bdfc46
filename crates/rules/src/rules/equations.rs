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
    /// Whether the equation has been computed, in this round if the unknown is one of a cycle.
    is_computed: bool,
    /// The depth at which the equation is being computed.
    open: Option<usize>,
    /// The least depth of the open equations on which the shape depends, if it is one of their cycle.
    lowest: usize,
    /// The unknowns whose equations have read the shape.
    readers: FxHashSet<Unknown>,
    /// The unknowns that the equation has read, in the order of the first reads.
    inputs: Vec<Unknown>,
    /// The times when the shape has changed and when the equation was last computed; 0 for never.
    changed: usize,
    computed: usize,
}

impl Default for Solution {
    fn default() -> Solution {
        let (shape, readers, inputs) = (Shape::NONE, FxHashSet::default(), Vec::new());
        Solution { shape, is_computed: false, open: None, lowest: usize::MAX, readers, inputs, changed: 0, computed: 0 }
    }
}

/// An equation that is being computed.
struct OpenEquation {
    unknown: Unknown,
    /// The least depth of the open equations that it has read, directly or through others.
    lowest: usize,
    /// Whether a shape of its cycle has changed in this round.
    has_changed: bool,
    /// The number of unknowns in cycles before this equation was opened.
    members: usize,
    /// The time when the computation began.
    begun: usize,
}

/// All unknowns that have been read.
#[derive(Default)]
pub(super) struct Solutions {
    of: FxHashMap<Unknown, Solution>,
    /// The equations that are being computed, innermost last.
    open: Vec<OpenEquation>,
    /// The computed unknowns of cycles that are not complete.
    members: Vec<Unknown>,
    /// The number of changes and computations so far.
    time: usize,
}

impl Solutions {
    /// What is known of an unknown.
    pub(super) fn at(&mut self, unknown: Unknown) -> &mut Solution {
        self.of.entry(unknown).or_default()
    }

    /// Whether the equation of an unknown must be computed before the unknown is read.
    pub(super) fn is_due(&mut self, unknown: Unknown) -> bool {
        let solution = self.at(unknown);
        !solution.is_computed && solution.open.is_none()
    }

    /// Reads an unknown for the innermost open equation.
    pub(super) fn read(&mut self, unknown: Unknown) -> Shape {
        let reader = self.open.last().map(|equation| equation.unknown);
        let solution = self.of.entry(unknown).or_default();
        if let Some(reader) = reader.filter(|reader| solution.readers.insert(*reader)) {
            self.at(reader).inputs.push(unknown);
        }
        let solution = self.at(unknown);
        let (lowest, shape) = (solution.open.unwrap_or(solution.lowest), solution.shape.clone());
        if let Some(equation) = self.open.last_mut() {
            equation.lowest = equation.lowest.min(lowest);
        }
        shape
    }

    /// Begins to compute an equation.
    pub(super) fn begin(&mut self, unknown: Unknown) {
        let (depth, members) = (self.open.len(), self.members.len());
        self.at(unknown).open = Some(depth);
        self.time += 1;
        self.open.push(OpenEquation { unknown, lowest: usize::MAX, has_changed: false, members, begun: self.time });
    }

    /// The unknowns that an equation has read, if it has been computed before.
    pub(super) fn inputs(&mut self, unknown: Unknown) -> Option<Vec<Unknown>> {
        let solution = self.at(unknown);
        (solution.computed > 0).then(|| solution.inputs.clone())
    }

    /// Whether no input of an equation has changed since the equation was computed.
    pub(super) fn is_current(&mut self, unknown: Unknown) -> bool {
        let Solution { computed, inputs, .. } = self.at(unknown);
        let (computed, inputs) = (*computed, inputs.clone());
        inputs.into_iter().all(|input| self.at(input).changed < computed)
    }

    /// Stores the shape that the innermost open equation has given.
    pub(super) fn found(&mut self, shape: &Shape) {
        let Some(equation) = self.open.last_mut() else { return };
        let solution = self.of.entry(equation.unknown).or_default();
        solution.computed = equation.begun;
        if !solution.shape.holds(shape) {
            // Its readers pass on new places of a form too, but these alone need no other round.
            self.time += 1;
            solution.changed = self.time;
            equation.has_changed |= solution.shape.join(shape);
        }
    }

    /// Ends the computation of the innermost open equation. Returns whether it must be computed again: it is the
    /// outermost one of a cycle in which a shape has changed.
    pub(super) fn end(&mut self) -> bool {
        let Some(OpenEquation { unknown, lowest, has_changed, members, .. }) = self.open.pop() else { return false };
        let depth = self.open.len();
        let solution = self.at(unknown);
        (solution.is_computed, solution.open) = (true, None);
        if lowest < depth {
            // The outermost equation of the cycle decides.
            solution.lowest = lowest;
            self.members.push(unknown);
            if let Some(around) = self.open.last_mut() {
                around.lowest = around.lowest.min(lowest);
                around.has_changed |= has_changed;
            }
            return false;
        }
        let again = has_changed && lowest == depth;
        for member in self.members.split_off(members).into_iter().chain([unknown]) {
            let solution = self.at(member);
            (solution.lowest, solution.is_computed) = (usize::MAX, !again);
        }
        again
    }

    /// Lets an unknown be computed again because its equation has changed, and all that depend on it.
    pub(super) fn reopen(&mut self, unknown: Unknown) {
        self.at(unknown).computed = 0;
        let mut stack = vec![unknown];
        while let Some(reader) = stack.pop() {
            let solution = self.at(reader);
            if std::mem::take(&mut solution.is_computed) {
                stack.extend(std::mem::take(&mut solution.readers));
            }
        }
    }

    /// All answers that have been read: predicate, argument number, shape.
    pub(super) fn answers(&self) -> impl Iterator<Item = (PredId, usize, &Shape)> {
        self.of.iter().filter_map(|(unknown, solution)| match unknown {
            Unknown::Answer(pred, place) => Some((*pred, *place, &solution.shape)),
            _ => None,
        })
    }
}
