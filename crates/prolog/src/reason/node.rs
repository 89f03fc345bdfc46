//! The goals of a proof, with the way each was proved.
//!
//! The prover adds a [`ProofNode`] for each goal that is kept. Only `reason` uses this module.

use crate::reason::body::{Frame, GoalId};
use crate::term::Term;
use crate::term::pack::Packed;
use alphorn_lang::lang::program::PredId;
use alphorn_text::source::Span;
use std::rc::Rc;

/// The node above a goal; `None` if the proof is not kept.
pub(super) type Above = Option<u32>;

/// How a goal was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofMethod {
    /// Not proved yet.
    Open,
    /// By a clause, with its number from 0.
    Clause(PredId, usize),
    /// By a builtin of the machine.
    Builtin,
    /// By a table.
    Table,
    /// By the first or the second alternative.
    First,
    Second,
    /// By a branch: the condition was true, or false.
    Then,
    Else,
    /// The negated goal has no proof.
    Refuted,
    /// By gathering this number of solutions.
    Found(usize),
}

/// The goal that a node shows.
#[derive(Clone)]
pub(super) enum NodeGoal {
    Goal(Rc<Frame>, GoalId),
    Term(Term),
}

impl NodeGoal {
    /// The place of the goal in the source text.
    pub(super) fn span(&self) -> Option<Span> {
        match self {
            NodeGoal::Goal(frame, goal) => frame.body.span(*goal),
            NodeGoal::Term(_) => None,
        }
    }
}

/// A goal of a proof.
pub(super) struct ProofNode {
    pub(super) above: Above,
    pub(super) shown: NodeGoal,
    pub(super) how: ProofMethod,
    /// The goal as it was called, if later bindings may make it false.
    pub(super) called: Option<Box<StoredCall>>,
}

impl ProofNode {
    pub(super) fn new(above: Above, shown: NodeGoal, how: ProofMethod) -> ProofNode {
        ProofNode { above, shown, how, called: None }
    }
}

/// A goal with variables, as it was called.
pub(super) struct StoredCall {
    /// `call(Goal, Variables...)`.
    pub(super) term: Packed,
    /// The numbers of the variables in the clause, to find their names.
    pub(super) names: Vec<usize>,
}

impl StoredCall {
    pub(super) fn bytes(&self) -> u64 {
        self.term.bytes() + 8 * self.names.len() as u64
    }
}
