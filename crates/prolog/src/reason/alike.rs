//! Compares a call that fails with a true call of the same predicate.
//!
//! Both calls ask for the same thing in different positions, such as a move with the same label.
//! The result is how far the clause that proves one comes for the other, with the values that name
//! the thing: for a wall b2h, the place and direction. So the reason is what keeps this wall from
//! being built, and not that another wall has another name. Only `reason` uses this module.

use crate::machine::fault::Fault;
use crate::reason::body::{Body, Frame, GoalForm, GoalId};
use crate::reason::explain::{GoalToTry, SequenceResult};
use crate::reason::prover::Prover;
use crate::term::Term;
use crate::term::pack::{Packed, unpack};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, PredId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The greatest number of steps to prove the true call again.
const STEPS: u64 = 2_000_000;

/// The result of the clause of the true call for the other call.
pub(super) struct TwinResult {
    /// The number of the clause, from 0.
    pub(super) clause: usize,
    pub(super) body: Rc<Body>,
    pub(super) came: SequenceResult,
    /// The goal at which the clause fails, as it is true in the other proof.
    pub(super) twin: Option<Packed>,
}

impl Prover {
    /// Tries the clause by which `twin` is true for these arguments; `None` if that is not possible.
    pub(super) fn alike(
        &mut self,
        pred: PredId,
        args: &[Term],
        twin: &Packed,
        text: usize,
    ) -> Result<Option<TwinResult>, Fault> {
        let end = self.store.steps.saturating_add(STEPS);
        for clause in 0..self.program.predicate(pred).clauses.len() {
            let body = self.body(pred, clause);
            let goals = body.sequence(body.root);
            let proved = self.attempt_with_limit(end, |prover| {
                let (frame, given) = (Rc::new(Frame::fresh(&body, &mut prover.store.heap)), prover.args_of(twin));
                if !prover.unify_own_head(&frame, &given)? {
                    return Ok(None);
                }
                let (watch, found) = prover.watched(&frame, &GoalToTry::all(&goals), false)?;
                Ok(watch.deepest.filter(|_| found).map(|(_, vars)| vars))
            })?;
            let Some(vars) = proved.flatten() else { continue };
            let asked = GoalToTry::all(&goals);
            let came = self.attempt_with_limit(end, |prover| prover.named(&body, &asked, (args, twin, &vars), text))?;
            let Some(came) = came.flatten().filter(|came| came.failed.is_some()) else { return Ok(None) };
            let failed = came.failed.as_ref().map(|(goal, ..)| *goal);
            let twin = failed.map_or(Ok(None), |goal| self.goal_at(&body, goal, &vars))?;
            return Ok(Some(TwinResult { clause, body, came, twin }));
        }
        Ok(None)
    }

    fn args_of(&mut self, call: &Packed) -> Vec<Term> {
        let call = unpack(&mut self.store.heap, call);
        self.store.heap.args(call)
    }

    /// A call of a predicate, with the variables of a proof.
    fn goal_at(&mut self, body: &Rc<Body>, goal: GoalId, vars: &Packed) -> Result<Option<Packed>, Fault> {
        let GoalForm::Call(Callee::User(_), _) = body.form(goal) else { return Ok(None) };
        let frame = Rc::new(Frame { body: body.clone(), vars: Vec::new() });
        let frame = self.with_vars(&frame, vars);
        let term = self.goal_term(&frame, goal);
        self.packed(term).map(Some)
    }

    /// How far a clause comes with the values that name what is asked for.
    fn named(
        &mut self,
        body: &Rc<Body>,
        asked: &[GoalToTry],
        (args, twin, vars): (&[Term], &Packed, &Packed),
        text: usize,
    ) -> Result<Option<SequenceResult>, Fault> {
        let frame = Rc::new(Frame::fresh(body, &mut self.store.heap));
        // Unbound arguments depend on the other arguments, and perhaps on what was asked for.
        let given: Vec<Option<Term>> =
            args.iter().map(|arg| Some(*arg).filter(|arg| !self.store.heap.is_var(*arg))).collect();
        if !self.unify_own_head(&frame, args)? {
            return Ok(None);
        }
        let whole = unpack(&mut self.store.heap, vars);
        let values = self.store.heap.args(whole);
        let mut names = self.names(&frame, &given, twin, &values)?;
        loop {
            let came = self.attempt(|prover| {
                prover.bind_values(&frame, &names, &values)?;
                prover.try_sequence(&frame, asked, false, text)
            })?;
            let Some((goal, at, _)) = came.failed else { return Ok(None) };
            let used = mentioned(body, goal);
            let fewer: FxHashSet<u32> = names.difference(&used).copied().collect();
            // A goal with one answer computes something of the position, and names nothing.
            let computes = fewer.len() < names.len()
                && self.attempt(|prover| {
                    prover.bind_values(&frame, &fewer, &values)?;
                    Ok(prover.watched(&frame, asked, false)?.0.reached[at + 1] == 1)
                })?;
            if !computes {
                return Ok(Some(came));
            }
            names = fewer;
        }
    }

    /// Binds variables of a frame to the values that they have in the other proof.
    fn bind_values(&mut self, frame: &Frame, names: &FxHashSet<u32>, values: &[Term]) -> Result<(), Fault> {
        for var in names {
            self.store.unify(frame.vars[*var as usize], values[*var as usize])?;
        }
        Ok(())
    }

    /// The variables that name the arguments which both calls have in common: variables of goals
    /// with such arguments and without the other arguments.
    fn names(
        &mut self,
        frame: &Frame,
        args: &[Option<Term>],
        twin: &Packed,
        values: &[Term],
    ) -> Result<FxHashSet<u32>, Fault> {
        let body = &frame.body;
        let (mut named, mut others) = (FxHashSet::default(), FxHashSet::default());
        let given = self.args_of(twin);
        for (node, (arg, other)) in body.tree().args(body.head).iter().zip(args.iter().zip(given)) {
            if let Some(arg) = arg {
                let (arg, other) = (self.packed(*arg)?, self.packed(other)?);
                let alike = arg.is_ground() && arg == other;
                variables(body, *node, if alike { &mut named } else { &mut others });
            }
        }
        let known = named.clone();
        others.retain(|var| !known.contains(var));
        let goals = leaves(body, body.root);
        let mut before = 0;
        while before < named.len() {
            before = named.len();
            for goal in goals.iter().map(|goal| mentioned(body, *goal)) {
                if others.is_disjoint(&goal) && !named.is_disjoint(&goal) {
                    named.extend(goal);
                }
            }
        }
        named.retain(|var| !known.contains(var));
        let mut found = FxHashSet::default();
        for var in named {
            let free = self.store.heap.is_var(frame.vars[var as usize]);
            if free && self.packed(values[var as usize])?.is_ground() {
                found.insert(var);
            }
        }
        Ok(found)
    }
}

/// Adds the variables of a term, by their numbers.
fn variables(body: &Body, node: NodeId, into: &mut FxHashSet<u32>) {
    let mut stack = vec![node];
    while let Some(at) = stack.pop() {
        match body.tree().kind(at) {
            TermKind::Var(number) => drop(into.insert(*number)),
            _ => stack.extend(body.tree().args(at)),
        }
    }
}

/// The variables of a goal and its parts.
fn mentioned(body: &Body, goal: GoalId) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    for goal in leaves(body, goal) {
        match body.form(goal) {
            GoalForm::Findall { template, list, tail, .. } => {
                [*template, *list].iter().chain(tail).for_each(|node| variables(body, *node, &mut found));
            }
            GoalForm::Call(_, args) => args.iter().for_each(|node| variables(body, *node, &mut found)),
            GoalForm::Meta(node) => variables(body, *node, &mut found),
            _ => {}
        }
    }
    found
}

/// The goals without parts in a goal, and those that gather answers.
fn leaves(body: &Body, goal: GoalId) -> Vec<GoalId> {
    let (mut found, mut stack) = (Vec::new(), vec![goal]);
    while let Some(at) = stack.pop() {
        match body.form(at) {
            GoalForm::True | GoalForm::Fail | GoalForm::Cut => {}
            GoalForm::Conj(goals) => stack.extend(goals),
            GoalForm::Or(left, right) => stack.extend([*left, *right]),
            GoalForm::If(condition, then, other) | GoalForm::SoftIf(condition, then, other) => {
                stack.extend([*condition, *then, *other]);
            }
            GoalForm::Not(inner) | GoalForm::Scope(inner) => stack.push(*inner),
            GoalForm::Findall { goal, .. } => {
                found.push(at);
                stack.push(*goal);
            }
            GoalForm::Call(..) | GoalForm::Meta(_) => found.push(at),
        }
    }
    found
}
