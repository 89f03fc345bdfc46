//! Explains why a goal fails: tries its clauses one by one, and explains the goal at which each fails.
//!
//! The machine has found that the goal fails. The result is a [`FailedGoal`]. The attempt that came
//! furthest is followed to its smallest part. A goal is explained with the bindings of its first
//! attempt, or of a nearer one. The session calls [`Prover::failing`].

use crate::machine::called::CalledGoal;
use crate::machine::fault::{Cause, Fault};
use crate::machine::{BuiltinCode, SolverBuiltin};
use crate::reason::body::{Frame, GoalForm, GoalId};
use crate::reason::call::is_spent;
use crate::reason::failing::{FailedGoal, GoalMark, TriedGoal};
use crate::reason::proof::Extent;
use crate::reason::prover::{AttemptRecord, Prover, Task};
use crate::term::Term;
use crate::term::heap::TermView;
use crate::term::pack::{Packed, unpack};
use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_text::symbol::atoms;
use std::rc::Rc;

/// How much of a failure is explained.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// The greatest number of nested calls that are followed.
    pub depth: usize,
    /// The greatest length of a goal, in bytes.
    pub text: usize,
    /// The number of clauses that are listed although their heads may not match.
    pub clauses: usize,
}

/// The calls that are being explained, the outermost first.
pub(super) struct ExplanationPath {
    pub(super) detail: Detail,
    above: Vec<Packed>,
    /// A true call of the predicate that is explained next, which asks for the same thing.
    pub(super) twin: Option<Packed>,
}

impl ExplanationPath {
    /// Adds a goal, unless there are too many or the goal is there already. Returns whether it did.
    pub(super) fn enter(&mut self, goal: Packed) -> bool {
        let may = self.above.len() < self.detail.depth && !self.above.contains(&goal);
        if may {
            self.above.push(goal);
        }
        may
    }

    pub(super) fn leave(&mut self) {
        self.above.pop();
    }
}

/// A goal to try, with one of its arguments replaced by a variable if `open` is given.
#[derive(Clone, Copy)]
pub(super) struct GoalToTry {
    pub(super) goal: GoalId,
    pub(super) open: Option<usize>,
}

impl GoalToTry {
    /// Goals without a replaced argument.
    pub(super) fn all(goals: &[GoalId]) -> Vec<GoalToTry> {
        goals.iter().map(|goal| GoalToTry { goal: *goal, open: None }).collect()
    }
}

/// The result of trying a sequence of goals.
pub(super) struct SequenceResult {
    pub(super) steps: Vec<TriedGoal>,
    pub(super) times: u64,
    /// The goal that fails, its number in the sequence, and the variables at that time.
    pub(super) failed: Option<(GoalId, usize, Packed)>,
    pub(super) committed: bool,
    pub(super) succeeded: bool,
}

impl Prover {
    /// Explains why a goal fails that the machine has found to fail. `like` is a true goal of the
    /// same predicate that asks for the same thing.
    ///
    /// Returns an error if the explanation exceeds the budget or is interrupted.
    pub fn failing(
        &mut self,
        sentence: &Sentence,
        detail: Detail,
        like: Option<&Sentence>,
    ) -> Result<FailedGoal, Fault> {
        let twin = match like {
            Some(like) => {
                let frame = self.typed(like)?;
                let goal = self.goal_term(&frame, frame.body.root);
                Some(self.packed(goal)?)
            }
            None => None,
        };
        let frame = self.typed(sentence)?;
        let mut way = ExplanationPath { detail, above: Vec::new(), twin };
        let root = frame.body.root;
        self.attempt(|prover| prover.explain(&frame, root, &mut way))
    }

    /// Explains why a goal of a frame fails.
    pub(super) fn explain(
        &mut self,
        frame: &Rc<Frame>,
        goal: GoalId,
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        match stacker::maybe_grow(128 << 10, 8 << 20, || self.reason(frame, goal, way)) {
            // The goal as a whole fails without an error, so the machine did not call this goal.
            Err(Fault { cause: Cause::Thrown(_), .. }) => {
                let says = "not tried: the goal would end in an error".to_string();
                Ok(FailedGoal { goal: self.goal_text(frame, goal, way.detail.text), says, ..FailedGoal::default() })
            }
            found => found,
        }
    }

    fn reason(&mut self, frame: &Rc<Frame>, goal: GoalId, way: &mut ExplanationPath) -> Result<FailedGoal, Fault> {
        let told = FailedGoal {
            goal: self.goal_text(frame, goal, way.detail.text),
            span: frame.body.span(goal),
            own: frame.body.own,
            ..FailedGoal::default()
        };
        let twin = way.twin.take();
        match frame.body.form(goal) {
            GoalForm::True | GoalForm::Cut => Ok(FailedGoal { says: "it is true here".into(), ..told }),
            GoalForm::Fail => Ok(FailedGoal { says: "fail is never true".into(), ..told }),
            GoalForm::Conj(goals) => self.sequence(told, frame, &goals.clone(), way),
            GoalForm::Scope(inner) => {
                way.twin = twin;
                Ok(FailedGoal { parts: vec![self.explain(frame, *inner, way)?], ..told })
            }
            GoalForm::Or(left, right) => {
                let parts = vec![self.explain(frame, *left, way)?, self.explain(frame, *right, way)?];
                Ok(FailedGoal { says: "neither alternative is true".into(), parts, ..told })
            }
            GoalForm::If(condition, then, other) => self.branches(told, frame, [*condition, *then, *other], way),
            GoalForm::SoftIf(condition, then, other) => {
                self.soft_branches(told, frame, [*condition, *then, *other], way)
            }
            GoalForm::Not(inner) => self.negation(told, frame, *inner, way),
            GoalForm::Findall { .. } => {
                let term = self.goal_term(frame, goal);
                self.explain_builtin(told, term, way)
            }
            GoalForm::Meta(node) => {
                let term = frame.build(&mut self.store.heap, *node);
                self.explain_term(told, term, &[], way)
            }
            GoalForm::Call(Callee::User(pred), args) => {
                let args = frame.build_all(&mut self.store.heap, args);
                way.twin = twin;
                self.called(told, *pred, &args, way)
            }
            GoalForm::Call(Callee::Native(id), args) => {
                let args = frame.build_all(&mut self.store.heap, args);
                match self.runs[usize::from(id.0)] {
                    BuiltinCode::Solver(SolverBuiltin::Call) => self.explain_term(told, args[0], &args[1..], way),
                    BuiltinCode::Solver(SolverBuiltin::Catch) => self.caught_call(told, &args, way),
                    _ => {
                        let term = self.goal_term(frame, goal);
                        self.explain_builtin(told, term, way)
                    }
                }
            }
            GoalForm::Call(Callee::Unknown(name, arity), _) => {
                Ok(FailedGoal { says: format!("{}/{arity} is not defined", &*name.name()), ..told })
            }
        }
    }

    /// Explains why a called term fails.
    fn explain_term(
        &mut self,
        told: FailedGoal,
        goal: Term,
        extra: &[Term],
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let called = CalledGoal::of(&self.program, &mut self.store, goal, extra.to_vec())?;
        let Some((name, _)) = self.store.heap.functor(called.goal) else { return Ok(told) };
        let mut args = self.store.heap.args(called.goal);
        args.extend(&called.extra);
        let whole = called.whole(&mut self.store, name, &args);
        let frame = self.built(whole)?;
        let inner = self.explain(&frame, frame.body.root, way)?;
        // A place in the library does not help the user.
        let span = told.span.filter(|_| told.own);
        Ok(FailedGoal { goal: inner.goal.clone(), span, own: true, ..inner })
    }

    /// Explains why a `catch/3` fails: its goal fails, or its recovery after an error.
    fn caught_call(&mut self, told: FailedGoal, args: &[Term], way: &mut ExplanationPath) -> Result<FailedGoal, Fault> {
        let goal = self.store.heap.structure(atoms::CALL, &args[..1]);
        let frame = self.built(goal)?;
        let Err(Fault { cause: Cause::Thrown(ball), .. }) = self.holds(&frame, frame.body.root) else {
            return self.explain_term(told, args[0], &[], way);
        };
        let ball = unpack(&mut self.store.heap, &ball);
        let shown = match self.store.heap.view(ball) {
            TermView::Compound(name, [formal, _]) if name == atoms::ERROR => Term(*formal),
            _ => ball,
        };
        let says =
            format!("its goal ends in the error {}, and its recovery fails", self.term_text(shown, way.detail.text));
        if matches!(self.store.heap.functor(args[2]), Some((name, 0)) if matches!(name, atoms::FAIL | atoms::FALSE)) {
            return Ok(FailedGoal { says, ..told });
        }
        let parts = self.attempt(|prover| {
            prover.store.unify(args[1], ball)?;
            Ok(vec![prover.explain_term(FailedGoal::default(), args[2], &[], way)?])
        })?;
        Ok(FailedGoal { says, parts, ..told })
    }

    /// Whether a goal has a solution.
    pub(super) fn holds(&mut self, frame: &Rc<Frame>, goal: GoalId) -> Result<bool, Fault> {
        self.attempt(|prover| {
            prover.prove(frame, goal, None);
            prover.first()
        })
    }

    fn soft_branches(
        &mut self,
        told: FailedGoal,
        frame: &Rc<Frame>,
        [condition, then, other]: [GoalId; 3],
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        if self.holds(frame, condition)? {
            let failing = self.sequence(told, frame, &[condition, then], way)?;
            let says = "its condition is true, and the then-branch fails for every solution".into();
            return Ok(FailedGoal { says, ..failing });
        }
        // The condition has no solution, so it is explained too.
        let parts = vec![self.explain(frame, condition, way)?, self.explain(frame, other, way)?];
        let says = "its condition has no solution, and the else-branch fails".into();
        Ok(FailedGoal { says, parts, ..told })
    }

    fn branches(
        &mut self,
        told: FailedGoal,
        frame: &Rc<Frame>,
        [condition, then, other]: [GoalId; 3],
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let shown = self.goal_text(frame, condition, way.detail.text);
        let taken = self.attempt(|prover| {
            prover.prove(frame, condition, None);
            match prover.first()? {
                true => prover.explain(frame, then, way).map(Some),
                false => Ok(None),
            }
        })?;
        if let Some(inner) = taken {
            let says = format!("its condition {shown} is true, and the then-branch fails");
            return Ok(FailedGoal { says, parts: vec![inner], ..told });
        }
        let nothing = matches!(frame.body.form(other), GoalForm::Fail);
        let mut parts = vec![self.explain(frame, if nothing { condition } else { other }, way)?];
        if !nothing && matches!(frame.body.form(condition), GoalForm::Call(Callee::User(_), _)) {
            parts.push(self.explain(frame, condition, way)?);
        }
        let says = match (nothing, matches!(frame.body.form(then), GoalForm::True)) {
            (true, true) => String::new(),
            (true, false) => format!("its condition {shown} is false, and there is no else-branch"),
            (false, _) => format!("its condition {shown} is false, and the else-branch fails"),
        };
        Ok(FailedGoal { says, parts, ..told })
    }

    fn negation(
        &mut self,
        told: FailedGoal,
        frame: &Rc<Frame>,
        inner: GoalId,
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        if let Some((condition, action)) = frame.for_all(inner) {
            return self.attempt(|prover| {
                prover.prove(frame, condition, None);
                let mut found = prover.first()?;
                while found && prover.holds(frame, action)? {
                    found = prover.again()?;
                }
                let shown = prover.goal_text(frame, condition, way.detail.text);
                let missing = prover.goal_text(frame, action, way.detail.text);
                let part = prover.explain(frame, action, way)?;
                Ok(FailedGoal { says: format!("{shown} is true, but {missing} is not"), parts: vec![part], ..told })
            });
        }
        let extent = Extent { depth: 4, goals: 40, text: way.detail.text };
        let shown = self.goal_text(frame, inner, way.detail.text);
        let (proof, answer) = self.attempt(|prover| {
            let proof = prover.proof_of(frame, inner, 1, extent)?.unwrap_or_default();
            Ok((proof, prover.goal_text(frame, inner, way.detail.text)))
        })?;
        let says = match shown == answer {
            true => format!("{shown} is true"),
            false => format!("{shown} is true: {answer}"),
        };
        Ok(FailedGoal { says, proof, ..told })
    }

    /// Explains why a sequence of goals fails.
    fn sequence(
        &mut self,
        told: FailedGoal,
        frame: &Rc<Frame>,
        goals: &[GoalId],
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let came = self.try_sequence(frame, &GoalToTry::all(goals), false, way.detail.text)?;
        let Some((goal, at, vars)) = came.failed else {
            return Ok(FailedGoal { says: "it is true here".into(), ..told });
        };
        let part = self.explain_at(frame, goal, &vars, way)?;
        let says = match (at, came.times) {
            (0, _) => String::new(),
            (_, 1) => format!("its goal {} fails", at + 1),
            (_, times) => format!("its goal {} fails for each of {times} solutions of the goals before it", at + 1),
        };
        Ok(FailedGoal { says, parts: vec![part], times: came.times, ..told })
    }

    /// Explains why a goal fails with these variables.
    pub(super) fn explain_at(
        &mut self,
        frame: &Rc<Frame>,
        goal: GoalId,
        vars: &Packed,
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let frame = self.with_vars(frame, vars);
        self.explain(&frame, goal, way)
    }

    pub(super) fn with_vars(&mut self, frame: &Rc<Frame>, vars: &Packed) -> Rc<Frame> {
        let whole = unpack(&mut self.store.heap, vars);
        Rc::new(Frame { body: frame.body.clone(), vars: self.store.heap.args(whole) })
    }

    /// Proves goals one after the other, and records how far they come.
    pub(super) fn watched(
        &mut self,
        frame: &Rc<Frame>,
        goals: &[GoalToTry],
        no_cuts: bool,
    ) -> Result<(AttemptRecord, bool), Fault> {
        self.attempt(|prover| {
            let barrier = prover.choices.len();
            let watch = AttemptRecord {
                reached: vec![0; goals.len() + 1],
                frame: Some(frame.clone()),
                barrier,
                no_cuts,
                ..AttemptRecord::default()
            };
            let outer = std::mem::replace(&mut prover.watch, watch);
            prover.push(Task::Reach(goals.len()));
            for (at, goal) in goals.iter().enumerate().rev() {
                prover.push(match goal.open {
                    None => Task::Goal { frame: frame.clone(), goal: goal.goal, barrier, above: None },
                    Some(open) => Task::Open(frame.clone(), goal.goal, open),
                });
                prover.push(Task::Reach(at));
            }
            let found = prover.first();
            let watch = std::mem::replace(&mut prover.watch, outer);
            Ok((watch, found?))
        })
    }

    pub(super) fn try_sequence(
        &mut self,
        frame: &Rc<Frame>,
        goals: &[GoalToTry],
        no_cuts: bool,
        text: usize,
    ) -> Result<SequenceResult, Fault> {
        let (watch, succeeded) = self.watched(frame, goals, no_cuts)?;
        let (at, first) = watch.deepest.expect("the first goal is always reached");
        let vars = match goals.get(at).filter(|_| !succeeded && !watch.others.is_empty()) {
            Some(goal) => self.nearest_attempt(frame, goal.goal, first, watch.others)?,
            None => first,
        };
        let shown = self.with_vars(frame, &vars);
        let mut steps = Vec::with_capacity(goals.len());
        for (number, goal) in goals.iter().enumerate() {
            let mark = match number {
                number if number < at => GoalMark::True,
                number if number == at => GoalMark::Failed,
                _ => GoalMark::Unreached,
            };
            steps.push(TriedGoal {
                goal: self.goal_text(&shown, goal.goal, text),
                span: frame.body.span(goal.goal),
                mark,
            });
        }
        let failed = goals.get(at).filter(|_| !succeeded).map(|goal| (goal.goal, at, vars));
        Ok(SequenceResult { steps, times: watch.reached[at], failed, committed: watch.committed, succeeded })
    }

    /// Explains why a call of a predicate of the program fails.
    fn called(
        &mut self,
        told: FailedGoal,
        pred: PredId,
        args: &[Term],
        way: &mut ExplanationPath,
    ) -> Result<FailedGoal, Fault> {
        let indicator = self.program.indicator(pred);
        let name = self.program.predicate(pred).key.name;
        let call = self.store.heap.structure(name, args);
        let twin = way.twin.take();
        if !self.is_own(pred) {
            return self.library_call(told, pred, call, way);
        }
        let packed = self.packed(call)?;
        if way.above.contains(&packed) {
            return Ok(FailedGoal { says: "it depends on itself: the same goal is above".into(), own: true, ..told });
        }
        if !way.enter(packed) {
            return Ok(FailedGoal { says: "not explained further".into(), own: true, ..told });
        }
        way.twin = twin;
        let found = self.clauses(FailedGoal { own: true, ..told }, pred, args, &indicator, way);
        way.leave();
        found
    }
}

/// The result of a further question; `None` if it has an error of its own.
pub(super) fn error_as_none<T>(asked: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match asked {
        Ok(value) => Ok(Some(value)),
        Err(fault) if is_spent(&fault) || fault.cause == Cause::Stopped => Err(fault),
        Err(_) => Ok(None),
    }
}
