//! The context of a term in a clause, in which `shapes` computes the shape of the term.

use crate::rules::shape::Shape;
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::program::{Clause, Goal, PredId};

/// The context of a term: the goals that have succeeded, innermost last, and the head of the clause.
pub(super) struct TermContext<'a> {
    pub(super) tree: &'a TermTree,
    pub(super) goals: Vec<&'a Goal>,
    /// The arguments of the head that are positions and labels of the game.
    pub(super) given: Vec<(NodeId, &'a Shape)>,
    /// The predicate of the clause, and the head.
    pub(super) of: Option<(PredId, NodeId)>,
    /// The arguments of goals that count as not yet run, because the term is needed as it is before these goals.
    pub(super) without: Vec<&'a [NodeId]>,
}

impl<'a> TermContext<'a> {
    pub(super) fn new(
        tree: &'a TermTree,
        goals: Vec<&'a Goal>,
        given: Vec<(NodeId, &'a Shape)>,
        of: Option<(PredId, NodeId)>,
    ) -> TermContext<'a> {
        TermContext { tree, goals, given, of, without: Vec::new() }
    }

    /// The context in which the shapes of more terms are known.
    pub(super) fn with<'b>(&'b self, more: &'b [(NodeId, Shape)]) -> TermContext<'b> {
        let more = more.iter().map(|(node, shape)| (*node, shape));
        let mut found = self.within(&[]);
        found.given.extend(more);
        found
    }

    /// The context inside of a branch, in which further goals have succeeded.
    pub(super) fn within<'b>(&'b self, branch: &[&'b Goal]) -> TermContext<'b> {
        let goals = self.goals.iter().copied().chain(branch.iter().copied()).collect();
        let mut found = TermContext::new(self.tree, goals, self.given.clone(), self.of);
        found.without.extend(&self.without);
        found
    }

    /// The context without the effects of a goal with these arguments.
    pub(super) fn before<'b>(&'b self, args: &'b [NodeId]) -> TermContext<'b> {
        let mut found = self.within(&[]);
        found.without.push(args);
        found
    }
}

/// The arguments in the head of a clause that have the shapes of `inputs`.
pub(super) fn given<'a>(clause: &Clause, inputs: &'a [Shape]) -> Vec<(NodeId, &'a Shape)> {
    clause.tree.args(clause.head).iter().copied().zip(inputs).collect()
}
