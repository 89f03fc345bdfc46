//! Outputs that a body gives by `=`, compiled as if they were in the head.
//!
//! A goal `Zs = [X|Zs1]` before a last call that gives `Zs1` needs no variable: the list is built
//! with an open tail, and the last call writes the tail. If such goals are in the branches of a
//! condition with few goals behind it, these goals are compiled into both branches.

use crate::machine::compile::clause::Emitter;
use crate::machine::compile::state::Pending;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Goal};
use alphorn_text::signature::BuiltinKind;

/// The most calls that are compiled into both branches.
const MOST_COPIED: usize = 2;

impl Emitter<'_, '_> {
    /// Returns the place of the condition whose branches include the goals behind it.
    pub(super) fn split(&self, goals: &[Goal]) -> Option<usize> {
        let calls = goals.iter().rev().take_while(|goal| matches!(goal, Goal::Call { .. })).count();
        let at = goals.len().checked_sub(calls + 1)?;
        let Goal::If(_, then, other) = &goals[at] else { return None };
        ((1..=MOST_COPIED).contains(&calls) && (self.gives(then) || self.gives(other))).then_some(at)
    }

    /// Returns whether a goal gives an output of the clause by `=`.
    fn gives(&self, goal: &Goal) -> bool {
        let mut found = false;
        alphorn_lang::lang::goal::each_goal(goal, &mut |goal| {
            found |= self.output_binding(goal).is_some();
        });
        found
    }

    /// Returns the output that a goal gives, and its term.
    fn output_binding(&self, goal: &Goal) -> Option<(u32, NodeId)> {
        let Goal::Call { callee: Callee::Native(id), args, .. } = goal else { return None };
        if self.library.inline[usize::from(id.0)].how != BuiltinKind::Unify {
            return None;
        }
        let is_output = |node: NodeId| self.as_free(node).filter(|var| self.state.vars[*var as usize].out.is_some());
        match (is_output(args[0]), is_output(args[1])) {
            (Some(var), None) => Some((var, args[1])),
            (None, Some(var)) => Some((var, args[0])),
            _ => None,
        }
    }

    /// Moves a goal that gives an output to the end of the clause. Returns `false` if the goal must
    /// be written now, because later goals use the output or the term is already known.
    pub(super) fn defer(&mut self, goal: &Goal, following: &[Goal]) -> bool {
        let Some((var, term)) = self.output_binding(goal) else { return false };
        let open = !self.all_known(term);
        let following: Vec<&Goal> = following.iter().collect();
        let inside = self.mentioned_in(&following, false);
        let elsewhere = self.state.pending.iter().any(|pending| self.occurrences(pending.node, var) > 0);
        if !open || elsewhere || inside[var as usize] > 0 || self.occurrences(term, var) > 0 {
            return false;
        }
        let out = self.state.vars[var as usize].out.take();
        match (self.tree.kind(term), out) {
            (TermKind::Var(other), _) => self.state.vars[*other as usize].out = out,
            (_, Some((arg, slot))) => self.state.pending.push(Pending { arg, slot, node: term }),
            (_, None) => {}
        }
        true
    }
}
