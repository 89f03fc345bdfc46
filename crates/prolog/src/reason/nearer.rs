//! Finds a nearer reason: the goal that fails if the failing goal is taken to be true.
//!
//! The clause has a goal that fails for every solution of the goals before it. Such a goal often
//! only names what was asked for: of all squares that may be played on, none is called a1. If that
//! goal is tried early, the clause shows what keeps a1 from being played on. Only `reason` uses
//! this module.

use crate::machine::fault::{Cause, Fault};
use crate::reason::body::{Body, Frame, GoalForm, GoalId};
use crate::reason::call::is_spent;
use crate::reason::explain::{GoalToTry, SequenceResult};
use crate::reason::prover::Prover;
use crate::term::Term;
use crate::term::pack::Packed;
use alphorn_lang::lang::program::{Callee, PredId};
use std::rc::Rc;

/// The greatest number of steps to find a nearer reason.
const STEPS: u64 = 2_000_000;

/// One order of the goals gets this part of the steps. With a variable as argument some goals have
/// endless solutions, and the next order may be the right one.
const SHARE: u64 = 10;

impl Prover {
    /// How far a clause comes if its failing goal is tried as early as possible. `None` if no
    /// argument of the call alone makes the clause fail, or if the same goal fails at every place.
    pub(super) fn nearer(
        &mut self,
        body: &Rc<Body>,
        args: &[Term],
        failed: usize,
        text: usize,
    ) -> Result<Option<SequenceResult>, Fault> {
        let goals = body.sequence(body.root);
        let end = self.store.steps.saturating_add(STEPS);
        if goals.iter().any(|goal| matches!(body.form(*goal), GoalForm::Cut)) || !self.selected(body, args, end)? {
            return Ok(None);
        }
        for order in orders(body, &goals, failed) {
            let asked: Vec<GoalToTry> =
                order.iter().map(|(at, open)| GoalToTry { goal: goals[*at], open: *open }).collect();
            let share = end.min(self.store.steps.saturating_add(STEPS / SHARE));
            let came = self.attempt_with_limit(share, |prover| {
                let frame = Rc::new(Frame::fresh(body, &mut prover.store.heap));
                prover.unify_own_head(&frame, args)?;
                prover.try_sequence(&frame, &asked, false, text)
            })?;
            let moved = order.iter().position(|(at, _)| *at == failed);
            if let Some(mut came) = came
                && came.failed.as_ref().is_some_and(|(_, at, _)| Some(*at) > moved)
            {
                let mut steps: Vec<_> = order.iter().zip(came.steps).filter(|((_, open), _)| open.is_none()).collect();
                steps.sort_by_key(|((at, _), _)| *at);
                came.steps = steps.into_iter().map(|(_, step)| step).collect();
                return Ok(Some(came));
            }
        }
        Ok(None)
    }

    /// Of several attempts that fail at the same goal, the variables of the one in which that goal
    /// comes furthest: most goals of one of its clauses are true. Of equal ones, the first.
    pub(super) fn nearest_attempt(
        &mut self,
        frame: &Rc<Frame>,
        goal: GoalId,
        first: Packed,
        others: Vec<Packed>,
    ) -> Result<Packed, Fault> {
        let GoalForm::Call(Callee::User(pred), _) = frame.body.form(goal) else { return Ok(first) };
        let pred = *pred;
        if !self.is_own(pred) || self.program.predicate(pred).tabled {
            return Ok(first);
        }
        let end = self.store.steps.saturating_add(STEPS);
        let mut best: Option<(usize, Packed)> = None;
        for vars in [first.clone()].into_iter().chain(others) {
            let frame = self.with_vars(frame, &vars);
            let came = self.attempt_with_limit(end, |prover| prover.progress(&frame, goal, pred))?;
            match came {
                Some(came) if best.as_ref().is_none_or(|(most, _)| came > *most) => best = Some((came, vars)),
                Some(_) => {}
                None => break,
            }
        }
        Ok(best.map_or(first, |(_, vars)| vars))
    }

    /// The greatest number of goals that a call reaches in one of its clauses; 0 if no head matches.
    fn progress(&mut self, frame: &Rc<Frame>, goal: GoalId, pred: PredId) -> Result<usize, Fault> {
        let mut most = 0;
        for at in 0..self.program.predicate(pred).clauses.len() {
            let body = self.body(pred, at);
            let goals = GoalToTry::all(&body.sequence(body.root));
            let came = self.attempt(|prover| {
                let GoalForm::Call(_, args) = frame.body.form(goal) else { return Ok(0) };
                let args = frame.build_all(&mut prover.store.heap, args);
                let own = Rc::new(Frame::fresh(&body, &mut prover.store.heap));
                if !prover.unify_own_head(&own, &args)? {
                    return Ok(0);
                }
                let (watch, _) = prover.watched(&own, &goals, false)?;
                Ok(watch.deepest.map_or(0, |(at, _)| at + 1))
            })?;
            most = most.max(came);
        }
        Ok(most)
    }

    /// Whether the clause is true after one argument of the call is replaced by a variable.
    fn selected(&mut self, body: &Rc<Body>, args: &[Term], end: u64) -> Result<bool, Fault> {
        let goals = GoalToTry::all(&body.sequence(body.root));
        for at in (0..args.len()).rev().filter(|at| !self.store.heap.is_var(args[*at])).collect::<Vec<_>>() {
            let found = self.attempt_with_limit(end, |prover| {
                let mut args = args.to_vec();
                args[at] = prover.store.heap.variable();
                let frame = Rc::new(Frame::fresh(body, &mut prover.store.heap));
                Ok(prover.unify_own_head(&frame, &args)? && prover.watched(&frame, &goals, false)?.1)
            })?;
            if found == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Unifies the head of a clause with arguments.
    pub(super) fn unify_own_head(&mut self, frame: &Frame, args: &[Term]) -> Result<bool, Fault> {
        let tree = frame.body.tree();
        for (node, given) in tree.args(frame.body.head).iter().zip(args) {
            let wanted = frame.build(&mut self.store.heap, *node);
            if !self.store.unify(wanted, *given)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs `work` up to the step `end`, because it may not terminate, and undoes its effects.
    /// `None` if it has an error.
    pub(super) fn attempt_with_limit<T>(
        &mut self,
        end: u64,
        work: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let limit = self.store.narrow(end.saturating_sub(self.store.steps));
        let done = self.attempt(work);
        self.store.widen(limit);
        match done {
            Ok(found) => Ok(Some(found)),
            Err(fault) if fault.cause == Cause::Stopped => Err(fault),
            // The next step checks what is left of the whole budget.
            Err(fault) if is_spent(&fault) => self.store.charge(1).map(|()| None),
            Err(_) => Ok(None),
        }
    }
}

/// The orders in which the goals of a clause are tried, with the argument that becomes a variable.
/// First the failing goal moves forward to each place. Then it also moves behind a copy of each
/// earlier goal, whose variable argument gives it something to name.
fn orders(body: &Body, goals: &[GoalId], failed: usize) -> Vec<Vec<(usize, Option<usize>)>> {
    let plain: Vec<(usize, Option<usize>)> = (0..goals.len()).map(|at| (at, None)).collect();
    let moved = |to: usize| {
        let mut order = plain.clone();
        order[to..=failed].rotate_right(1);
        order
    };
    let mut orders: Vec<_> = (0..failed).map(moved).collect();
    for (to, goal) in goals.iter().enumerate().take(failed) {
        let GoalForm::Call(_, args) = body.form(*goal) else { continue };
        for open in 0..args.len() {
            let mut order = moved(to);
            order.insert(to, (to, Some(open)));
            orders.push(order);
        }
    }
    orders
}
