//! Outputs that a body gives by `=`, as if they stood in the head.
//!
//! In: goals in the last place of a clause. `Zs = [X|Zs1]` before a call that
//! gives `Zs1` is no reason to make a variable: the list is built as one in the
//! head would be, with its tail open, and the call in the last place fills it
//! in. Where such goals stand in the branches of a condition with little behind
//! it, that is written in both branches.

use crate::machine::compile::clause::Emitter;
use crate::machine::compile::inline::How;
use crate::machine::compile::state::Pending;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Goal};

/// How many calls are written twice.
const MOST_COPIED: usize = 2;

impl Emitter<'_, '_> {
    /// The condition in these goals whose branches are written with all that follows it.
    pub(super) fn split(&self, goals: &[Goal]) -> Option<usize> {
        let calls = goals.iter().rev().take_while(|goal| matches!(goal, Goal::Call { .. })).count();
        let at = goals.len().checked_sub(calls + 1)?;
        let Goal::If(_, then, other) = &goals[at] else { return None };
        ((1..=MOST_COPIED).contains(&calls) && (self.gives(then) || self.gives(other))).then_some(at)
    }

    /// Whether a goal gives an output of the clause by `=`.
    fn gives(&self, goal: &Goal) -> bool {
        let mut found = false;
        alphorn_lang::lang::goal::each_goal(goal, &mut |goal| {
            found |= self.given(goal).is_some();
        });
        found
    }

    /// The output that a goal gives, and the term.
    fn given(&self, goal: &Goal) -> Option<(u32, NodeId)> {
        let Goal::Call { callee: Callee::Native(id), args, .. } = goal else { return None };
        if self.library.inline[usize::from(id.0)].how != How::Unify {
            return None;
        }
        let is_output = |node: NodeId| self.as_free(node).filter(|var| self.state.vars[*var as usize].out.is_some());
        match (is_output(args[0]), is_output(args[1])) {
            (Some(var), None) => Some((var, args[1])),
            (None, Some(var)) => Some((var, args[0])),
            _ => None,
        }
    }

    /// Leaves a goal that gives an output to the end of the clause, where the output is not looked
    /// at before and its parts are not all there; `false` where it must be written now.
    pub(super) fn defer(&mut self, goal: &Goal, following: &[Goal]) -> bool {
        let Some((var, term)) = self.given(goal) else { return false };
        let open = !self.all_known(term);
        let mut inside = vec![0; self.state.vars.len()];
        following.iter().for_each(|goal| self.mentioned(goal, None, &mut inside));
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
