//! The compiler's knowledge about a clause at one point of its code.
//!
//! A state has the place of each variable's value, whether the value is ground, and the
//! alternatives without a choice point. It can be saved and restored, because all branches start
//! from the same state.

use crate::machine::ir::{From, Label, Slot};
use alphorn_lang::lang::ast::NodeId;

/// The value of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KnownValue {
    /// The place of the value.
    pub from: From,
    /// Whether the value is ground and contains no references.
    pub solid: bool,
}

/// A variable of the clause.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Var {
    /// The value. `None` if the variable is free.
    pub value: Option<KnownValue>,
    /// The output argument that the variable is, and the slot of its output cell.
    pub out: Option<(usize, Slot)>,
}

/// An output argument that is built at the end of the clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The number of the argument.
    pub arg: usize,
    /// The slot of the output cell.
    pub slot: Slot,
    /// The term of the argument.
    pub node: NodeId,
}

/// The state of an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AlternativeStatus {
    /// A failing test jumps to the alternative. There is no choice point yet.
    Near,
    /// A choice point leads to the alternative.
    Pushed,
    /// The alternative is cut, or there is none.
    Gone,
}

/// An alternative to the current code. Its status is the same on all paths to one place. If two
/// paths that join disagree, both are compiled again after the choice point is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alternative {
    pub label: Label,
    pub status: AlternativeStatus,
    /// Whether the alternative is the else branch of a condition, which is cut if the condition holds.
    pub condition: bool,
    /// The slot of the choice-point height below the alternative.
    pub height: Option<Slot>,
}

/// The effect of a cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    /// The number of alternatives that remain.
    pub keep: usize,
    /// The slot of the height to cut to. `None` stands for the height at the entry of the procedure.
    pub height: Option<Slot>,
    /// The value of `Emitter::activity` when the barrier was made.
    pub activity: u32,
}

/// The state that a branch may change.
#[derive(Clone, Debug, Default)]
pub(super) struct CompileState {
    pub vars: Vec<Var>,
    pub pending: Vec<Pending>,
    pub alternatives: Vec<Alternative>,
    /// Whether control cannot reach this point. No code is written then.
    pub dead: bool,
}
