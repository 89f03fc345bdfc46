//! What is known of a clause's variables at a point of its code.
//!
//! In: the writing of code. Out: where a variable's value is and whether it is
//! solid, which alternatives wait for a choice point. A state can be kept and
//! put back, for every branch begins as the one before it did.

use crate::machine::ir::{From, Label, Slot};
use alphorn_lang::lang::ast::NodeId;

/// The value of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    /// Where it is.
    pub from: From,
    /// Whether no reference stands in it.
    pub solid: bool,
}

/// A variable of the clause.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Var {
    /// `None` while it is free.
    pub value: Option<Value>,
    /// The argument that it is the output of, and where that is to go.
    pub out: Option<(usize, Slot)>,
}

/// An output argument that is built at the end of the clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The argument's number.
    pub arg: usize,
    /// The destination.
    pub slot: Slot,
    /// Its term.
    pub node: NodeId,
}

/// What becomes of an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// A failing test goes straight there; there is no choice point.
    Near,
    /// A choice point leads there.
    Pushed,
    /// It is cut, or there is none.
    Gone,
}

/// An alternative to the code being written. On every path to one place it is
/// near, or has its choice point, or is gone; where two paths that meet
/// disagree, both are written again after it got its choice point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alternative {
    pub label: Label,
    pub status: Status,
    /// Whether it is the other side of a condition, to be dropped when that holds.
    pub condition: bool,
    /// Where the height of the choice points below it is.
    pub height: Option<Slot>,
}

/// What a cut drops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    /// How many alternatives stay.
    pub keep: usize,
    /// Where the height to cut to is; `None` for that of the procedure.
    pub height: Option<Slot>,
    /// How much had been done that may leave choice points.
    pub activity: u32,
}

/// All that a branch may change.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub vars: Vec<Var>,
    pub pending: Vec<Pending>,
    pub alternatives: Vec<Alternative>,
    /// Whether control cannot come here: nothing is written then.
    pub dead: bool,
}
