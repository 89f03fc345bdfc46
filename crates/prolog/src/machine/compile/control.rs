//! Compiles goals: control constructs, calls, builtins.
//!
//! The last goal of a clause ends the clause, by a last call or a return. A condition of tests
//! alone creates no choice point: a failing test jumps to the else branch.

use crate::machine::compile::called::{as_steps, is_solid_test};
use crate::machine::compile::clause::Emitter;
use crate::machine::compile::state::{Alternative, AlternativeStatus, Barrier, CompileState, KnownValue};
use crate::machine::ir::{FAIL, From, Label, Op, Slot};
use crate::machine::{BuiltinCode, SolverBuiltin};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Goal};
use alphorn_text::signature::BuiltinId;
use alphorn_text::symbol::Atom;

/// A saved point of the compilation, from which the code can be written again.
pub(super) struct SavePoint {
    ops: usize,
    sites: usize,
    tables: usize,
    later: usize,
    notes: usize,
    state: CompileState,
    activity: u32,
    next: Slot,
}

impl Emitter<'_, '_> {
    pub(super) fn save_point(&self) -> SavePoint {
        SavePoint {
            ops: self.draft.ops.len(),
            sites: self.draft.sites.len(),
            tables: self.draft.tables.len(),
            later: self.later.len(),
            notes: self.draft.notes.len(),
            state: self.state.clone(),
            activity: self.activity,
            next: self.next,
        }
    }

    pub(super) fn restore_point(&mut self, point: &SavePoint) {
        self.draft.ops.truncate(point.ops);
        self.draft.sites.truncate(point.sites);
        self.draft.tables.truncate(point.tables);
        self.draft.notes.truncate(point.notes);
        self.later.truncate(point.later);
        self.state = point.state.clone();
        self.activity = point.activity;
        self.next = point.next;
        self.own.iter_mut().for_each(|slot| *slot = slot.filter(|slot| *slot < point.next));
    }

    /// Returns whether a goal surely does more than a jump can undo.
    fn leaves_choice_points(&self, goal: &Goal) -> bool {
        let mut found = false;
        alphorn_lang::lang::goal::each_goal(goal, &mut |goal| {
            found |= match goal {
                Goal::Or(..) | Goal::SoftIf(..) | Goal::Findall { .. } | Goal::Meta(..) => true,
                Goal::Call { callee: Callee::User(pred), .. } => !self.may_unfold(*pred),
                _ => false,
            };
        });
        found
    }

    /// Writes a goal. For the last goal, the code also ends the clause.
    pub(super) fn write(&mut self, goal: &Goal, barrier: Barrier, last: bool) {
        if self.too_large || self.state.dead {
            return;
        }
        stacker::maybe_grow(64 << 10, 4 << 20, || self.construct(goal, barrier, last));
    }

    fn construct(&mut self, goal: &Goal, barrier: Barrier, last: bool) {
        match goal {
            Goal::True => {}
            Goal::Fail => return self.fail(),
            Goal::Cut => self.cut(barrier),
            Goal::Conj(goals) => {
                // Trailing `true` goals do not keep the goal before them from being the last.
                let count = goals.iter().rposition(|goal| !matches!(goal, Goal::True)).map_or(1, |at| at + 1);
                return self.conjunction(&goals[..count.min(goals.len())], barrier, last);
            }
            Goal::If(condition, then, other) => {
                let inside = self.mentioned_in(&[condition, then, other], last);
                return self.conditional((condition, then, other), &inside, barrier, last);
            }
            Goal::Or(left, right) => return self.either(left, right, barrier, last),
            Goal::SoftIf(condition, then, other) => return self.soft(condition, then, other, barrier, last),
            Goal::Not(inner) => self.negation(inner),
            Goal::Scope(inner) => {
                let barrier = self.scope(inner);
                return self.write(inner, barrier, last);
            }
            Goal::Findall { template, goal, list, tail, span } => self.findall(*template, goal, *list, *tail, *span),
            Goal::Meta(node, span) => {
                self.span = *span;
                return self.call_goal_term(None, &[*node], last);
            }
            Goal::Call { callee, args, span } => {
                self.span = *span;
                match callee {
                    Callee::User(pred) => return self.call(*pred, args, last),
                    Callee::Unknown(name, arity) if is_solid_test(*name, *arity) => self.test_solid(args),
                    Callee::Unknown(_, arity) if as_steps(*arity).is_some() => {
                        if let Some(count @ 1..) = as_steps(*arity) {
                            self.site(None, None);
                            self.emit(Op::Step { count });
                        }
                    }
                    Callee::Unknown(name, arity) => {
                        self.site(Some(*name), None);
                        self.emit(Op::Unknown { name: *name, arity: *arity as u16 });
                        self.state.dead = true;
                        return;
                    }
                    Callee::Native(id) => return self.builtin_goal(*id, args, last),
                }
            }
        }
        if last {
            self.proceed();
        }
    }

    /// Tests whether variables are ground. Until the end of the branch they are known to be so.
    fn test_solid(&mut self, vars: &[NodeId]) {
        for node in vars {
            let TermKind::Var(var) = *self.tree.kind(*node) else { continue };
            let Some(value) = self.state.vars[var as usize].value else { continue };
            let s = self.bound_slot(value);
            let or = self.failure_label();
            self.emit(Op::IsSolid { s, or });
            self.state.vars[var as usize].value = Some(KnownValue { from: From::Slot(s), solid: true });
        }
    }

    /// Writes a call of a builtin; those that run goals are operations of the machine.
    fn builtin_goal(&mut self, id: BuiltinId, args: &[NodeId], last: bool) {
        match self.library.runs[usize::from(id.0)] {
            BuiltinCode::Solver(SolverBuiltin::Catch) => return self.catch(args, last),
            BuiltinCode::Solver(SolverBuiltin::Call) => return self.call_goal_term(None, args, last),
            BuiltinCode::Solver(SolverBuiltin::Control) => {
                let name = Atom::new(self.program.known.row(id).name);
                return self.call_goal_term(Some(name), args, last);
            }
            _ => {}
        }
        let never = self.library.inline[usize::from(id.0)].never;
        self.hopeless = never;
        self.builtin(id, args);
        self.hopeless = false;
        if never {
            self.write_unreachable();
        }
        if last {
            self.proceed();
        }
    }

    fn conjunction(&mut self, goals: &[Goal], barrier: Barrier, last: bool) {
        if !last {
            return goals.iter().for_each(|goal| self.write(goal, barrier, false));
        }
        let split = self.split(goals);
        let before = split.unwrap_or(goals.len().saturating_sub(1));
        for (at, goal) in goals[..before].iter().enumerate() {
            if !self.defer(goal, &goals[at + 1..]) {
                self.write(goal, barrier, false);
            }
        }
        match (split.map(|at| &goals[at]), &goals[before..]) {
            (Some(Goal::If(condition, then, other)), [_, rest @ ..]) => {
                let whole = |branch: &Goal| {
                    let mut goals = match branch {
                        Goal::Conj(goals) => goals.clone(),
                        goal => vec![goal.clone()],
                    };
                    goals.extend_from_slice(rest);
                    Goal::Conj(goals)
                };
                let (then, other) = (whole(then), whole(other));
                if !self.state.dead {
                    self.conditional((condition, &then, &other), &[], barrier, true);
                }
            }
            (_, [end, ..]) => self.write(end, barrier, true),
            (_, []) => {}
        }
    }

    /// Ends the code after a goal that never returns.
    pub(super) fn write_unreachable(&mut self) {
        self.emit(Op::Fail);
        self.state.dead = true;
    }

    /// Prepares a goal whose cuts are local.
    pub(super) fn scope(&mut self, goal: &Goal) -> Barrier {
        let keep = self.state.alternatives.len();
        let height = has_cut(goal).then(|| {
            // The height must lie above the choice points of the alternatives that the cut keeps.
            self.push_alternatives();
            let d = self.fresh_slot();
            self.emit(Op::Height { d });
            d
        });
        Barrier { keep, height, activity: self.activity }
    }

    /// Writes a condition. On failure, control goes to `other`. On success, its choice points are
    /// cut.
    fn condition(&mut self, goal: &Goal, other: Label) {
        // If the condition surely leaves choice points, the outer alternatives get theirs first.
        if self.leaves_choice_points(goal) {
            self.push_alternatives();
        }
        let outer = std::mem::take(&mut self.conflict);
        let point = self.save_point();
        self.write_condition(goal, other);
        if std::mem::take(&mut self.conflict) {
            self.restore_point(&point);
            self.push_alternatives();
            // The outer alternatives may have got their choice points too late as well.
            let above = std::mem::take(&mut self.conflict);
            self.write_condition(goal, other);
            self.conflict = above;
        }
        self.conflict |= outer;
    }

    fn write_condition(&mut self, goal: &Goal, other: Label) {
        let own = Alternative { label: other, status: AlternativeStatus::Near, condition: true, height: None };
        self.state.alternatives.push(own);
        let barrier = self.scope(goal);
        self.write(goal, barrier, false);
        let own = self.state.alternatives.pop().expect("it was just pushed");
        if let (AlternativeStatus::Pushed, Some(s), false) = (own.status, own.height, self.state.dead) {
            self.emit(Op::CutTo { s });
        }
    }

    /// Writes a condition and both branches. `inside` counts the occurrences of each variable in all three, unless
    /// they are the `last` goals.
    pub(super) fn conditional(&mut self, goals: (&Goal, &Goal, &Goal), inside: &[u32], barrier: Barrier, last: bool) {
        let point = self.save_point();
        if !self.branches(goals, inside, barrier, last) {
            // One branch created choice points for outer alternatives, the other did not.
            self.restore_point(&point);
            self.push_alternatives();
            let same = self.branches(goals, inside, barrier, last);
            debug_assert!(same || self.conflict, "settled branches agree");
        }
    }

    /// Writes both branches. Returns `false` if they leave outer alternatives in different states.
    fn branches(
        &mut self,
        (condition, then, other): (&Goal, &Goal, &Goal),
        inside: &[u32],
        barrier: Barrier,
        last: bool,
    ) -> bool {
        let (otherwise, end) = (self.label(), self.label());
        let before = self.state.clone();
        let point = self.save_point();
        self.condition(condition, otherwise);
        // Choice points that the condition created for outer alternatives exist in both branches.
        let statuses = self.state.alternatives.clone();
        let dead = !self.leads_to(&point, otherwise);
        self.write(then, barrier, last);
        if dead {
            return true;
        }
        // A branch that ends the clause does not join the other branch.
        let after = (!last && !self.state.dead).then(|| self.close(&before, inside, end));
        self.place_label(otherwise);
        self.state = CompileState { alternatives: statuses, ..before.clone() };
        self.write(other, barrier, last);
        if let Some(after) = after {
            let here = self.close(&before, inside, FAIL);
            self.place_label(end);
            return self.join(&before, inside, &after, &here);
        }
        true
    }

    /// Returns whether code written since `point` may jump to a label.
    pub(super) fn leads_to(&self, point: &SavePoint, label: Label) -> bool {
        let mut found = self.later[point.later..].iter().any(|later| later.or == label);
        for op in &self.draft.ops[point.ops..] {
            let mut op = *op;
            op.edges(|edge| found |= *edge == label);
        }
        found
    }

    /// Counts the occurrences of each variable in goals. No counts are needed if the goals are the `last` ones.
    pub(super) fn mentioned_in(&self, goals: &[&Goal], last: bool) -> Vec<u32> {
        if last {
            return Vec::new();
        }
        let mut inside = vec![0; self.state.vars.len()];
        goals.iter().for_each(|goal| self.mentioned(goal, None, &mut inside));
        inside
    }

    /// Counts the occurrences of each variable in a goal and in a term.
    pub(super) fn mentioned(&self, goal: &Goal, term: Option<NodeId>, inside: &mut [u32]) {
        let mut nodes: Vec<NodeId> = term.into_iter().collect();
        alphorn_lang::lang::goal::each_goal(goal, &mut |goal| match goal {
            Goal::Call { args, .. } => nodes.extend(args),
            Goal::Meta(node, _) => nodes.push(*node),
            Goal::Findall { template, list, tail, .. } => nodes.extend([*template, *list].into_iter().chain(*tail)),
            _ => {}
        });
        while let Some(node) = nodes.pop() {
            if self.ground[node.0 as usize] {
                continue;
            }
            match self.tree.kind(node) {
                alphorn_lang::lang::ast::TermKind::Var(var) => inside[*var as usize] += 1,
                _ => nodes.extend(self.tree.args(node)),
            }
        }
    }

    /// Returns the free variables that a construct shares with other code.
    fn shared(&self, before: &CompileState, inside: &[u32]) -> Vec<u32> {
        let seen = |var: &usize| {
            before.vars[*var].value.is_none()
                // Each call copies the lambda expressions in which such a variable occurs.
                && self.tree.variables[*var].count > 0
                && inside[*var] > 0
                && (inside[*var] < self.counts[*var] || before.vars[*var].out.is_some())
        };
        (0..inside.len()).filter(seen).map(|var| var as u32).collect()
    }

    /// Ends a branch. Each shared variable gets a value in the place that all branches use.
    fn close(&mut self, before: &CompileState, inside: &[u32], end: Label) -> CompileState {
        if self.state.dead {
            return self.state.clone();
        }
        for var in self.shared(before, inside) {
            if self.state.vars[var as usize].value.is_none() {
                self.make_variable(var);
            }
            let known = self.state.vars[var as usize];
            let value = known.value.expect("it was just made");
            if known.out.is_none() {
                let d = self.own_slot(var);
                self.move_to(d, value.from);
            }
        }
        let state = self.state.clone();
        if end != FAIL {
            self.emit(Op::Jump { to: end });
        }
        state
    }

    fn join(&mut self, before: &CompileState, inside: &[u32], one: &CompileState, other: &CompileState) -> bool {
        let (one, other) = match (one.dead, other.dead) {
            (false, false) => (one, other),
            (true, false) => (other, other),
            (false, true) => (one, one),
            (true, true) => {
                self.state = CompileState { dead: true, ..before.clone() };
                return true;
            }
        };
        self.state.dead = false;
        let shared = self.shared(before, inside);
        self.state.vars.clone_from(&before.vars);
        for var in shared {
            let solid =
                [one, other].iter().all(|state| state.vars[var as usize].value.is_some_and(|value| value.solid));
            let known = &mut self.state.vars[var as usize];
            let from = match (known.out, self.own[var as usize]) {
                (Some((_, slot)), _) => From::Cell(slot),
                (None, Some(slot)) => From::Slot(slot),
                (None, None) => unreachable!("every branch has put it into its slot"),
            };
            known.value = Some(KnownValue { from, solid });
        }
        let mut same = true;
        for (at, own) in self.state.alternatives.iter_mut().enumerate() {
            let (a, b) = (one.alternatives[at], other.alternatives[at]);
            own.height = a.height.or(b.height);
            // The height must be in one slot for the later cut.
            same &=
                a.height == b.height || a.status != AlternativeStatus::Pushed || b.status != AlternativeStatus::Pushed;
            own.status = match (a.status, b.status) {
                (a, b) if a == b => a,
                (AlternativeStatus::Near, _) | (_, AlternativeStatus::Near) => {
                    same = false;
                    AlternativeStatus::Near
                }
                _ => AlternativeStatus::Pushed,
            };
        }
        self.state.pending.clone_from(&before.pending);
        same
    }

    fn either(&mut self, left: &Goal, right: &Goal, barrier: Barrier, last: bool) {
        self.push_alternatives();
        let (otherwise, end) = (self.label(), self.label());
        let inside = self.mentioned_in(&[left, right], last);
        let before = self.state.clone();
        let own = Alternative { label: otherwise, status: AlternativeStatus::Near, condition: false, height: None };
        self.state.alternatives.push(own);
        self.write(left, barrier, last);
        let after = (!last).then(|| {
            if !self.state.dead {
                self.push_alternatives();
            }
            self.state.alternatives.pop();
            self.close(&before, &inside, end)
        });
        self.place_label(otherwise);
        self.state = before.clone();
        self.activity += 1;
        self.write(right, barrier, last);
        if let Some(after) = after {
            let here = self.close(&before, &inside, FAIL);
            self.place_label(end);
            self.join(&before, &inside, &after, &here);
        }
    }

    fn soft(&mut self, condition: &Goal, then: &Goal, other: &Goal, barrier: Barrier, last: bool) {
        self.push_alternatives();
        let (otherwise, end) = (self.label(), self.label());
        let inside = self.mentioned_in(&[condition, then, other], last);
        let before = self.state.clone();
        let d = self.fresh_slot();
        self.emit(Op::Height { d });
        self.emit(Op::Push { alt: otherwise, size: 0 });
        self.activity += 1;
        let own =
            Alternative { label: otherwise, status: AlternativeStatus::Pushed, condition: false, height: Some(d) };
        self.state.alternatives.push(own);
        let inner = self.scope(condition);
        self.write(condition, inner, false);
        if !self.state.dead {
            self.emit(Op::SoftCut { s: d });
        }
        self.state.alternatives.pop();
        self.write(then, barrier, last);
        let after = (!last).then(|| self.close(&before, &inside, end));
        self.place_label(otherwise);
        self.state = before.clone();
        self.write(other, barrier, last);
        if let Some(after) = after {
            let here = self.close(&before, &inside, FAIL);
            self.place_label(end);
            self.join(&before, &inside, &after, &here);
        }
    }

    fn negation(&mut self, inner: &Goal) {
        let after = self.label();
        let before = self.state.clone();
        let point = self.save_point();
        self.condition(inner, after);
        let statuses = self.state.alternatives.clone();
        let dead = !self.leads_to(&point, after);
        if !self.state.dead {
            self.fail();
        }
        self.place_label(after);
        self.state = CompileState { alternatives: statuses, dead, ..before };
    }
}

/// Returns whether a goal contains a cut that is not local to a part of it.
fn has_cut(goal: &Goal) -> bool {
    let mut stack = vec![goal];
    while let Some(goal) = stack.pop() {
        match goal {
            Goal::Cut => return true,
            Goal::Conj(goals) => stack.extend(goals),
            Goal::Or(left, right) => stack.extend([&**left, &**right]),
            Goal::If(_, then, other) | Goal::SoftIf(_, then, other) => stack.extend([&**then, &**other]),
            _ => {}
        }
    }
    false
}
