//! Choice points: the alternatives to try next, and the state to restore before.

use crate::term::Term;
use alphorn_text::signature::BuiltinId;
use std::rc::Rc;

/// What a choice point tries on backtracking.
pub(super) enum ChoiceKind {
    /// More clauses of a predicate, from this index of the list.
    Clauses(Rc<[u32]>, u32),
    /// Another step of the same frame.
    Step,
    /// A builtin that may succeed again.
    Again(BuiltinId),
    /// Nothing: it marks a `catch/3`, where errors of its goal are caught.
    Catch,
    /// The end of a findall, which has collected all solutions.
    Findall,
    /// The end of a pass over the clauses of a tabled predicate.
    Table(usize),
    /// More answers of a table, from this index of its list.
    Answers(usize, usize),
    /// Nothing: the alternative was removed.
    Dead,
    /// Nothing: the goal of a watched box has no more answers.
    Port,
    /// Nothing: the solver backtracks into the goal of a watched box.
    Redo,
}

/// A choice point.
pub(super) struct ReferenceChoicePoint {
    pub(super) kind: ChoiceKind,
    /// Where to continue: the frame of the continuation and its step.
    pub(super) frame: Term,
    pub(super) pc: u32,
    pub(super) trail: usize,
    pub(super) heap: usize,
    /// Where its saved terms begin.
    pub(super) saved: usize,
    pub(super) collectors: usize,
    pub(super) tables: usize,
}
