//! Resolution that keeps its proof: clauses in their source form, one goal at a time.
//!
//! Answers come in the order of the machine. For the current answer, `ProofNode`s keep every goal with
//! the clause that proved it. The tasks are a list and the choice points a stack, so a deep goal
//! does not use the process stack. Only `reason` uses this module.

use crate::machine::BuiltinCode;
use crate::machine::fault::Fault;
use crate::machine::reference::Reference;
use crate::machine::store::{Budget, HostCallback, Store};
use crate::machine::tables::Tables;
use crate::reason::body::{Body, Frame, GoalForm, GoalId};
use crate::reason::node::{Above, NodeGoal, ProofMethod, ProofNode};
use crate::term::Term;
use crate::term::pack::Packed;
use alphorn_lang::lang::ast::NodeId;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::signature::BuiltinId;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bytes of a choice point, and of a node with the tasks that wait behind it.
const CHOICE: u64 = 160;
const NODE: u64 = 256;

/// A task of the prover.
pub(super) enum Task {
    /// Proves a goal. A cut in it drops the choice points from the barrier on.
    Goal { frame: Rc<Frame>, goal: GoalId, barrier: usize, above: Above },
    /// Drops the choice points from this height on: the condition is true.
    Commit(usize, Option<u32>),
    /// Drops only the else-branch: the condition may be true again.
    SoftCommit(usize, Option<u32>),
    /// Fails: the negated goal is true.
    Refute(usize),
    /// Stores a solution, and fails.
    Collect(Rc<Frame>, NodeId),
    /// Leaves a `catch/3`.
    LeaveCatch(u64),
    /// Records that a watched goal is reached.
    Reach(usize),
    /// Proves a goal with this argument replaced by a variable.
    Open(Rc<Frame>, GoalId, usize),
}

pub(super) struct Link {
    pub(super) task: Task,
    pub(super) next: Next,
}

/// The remaining tasks, the next one first.
pub(super) type Next = Option<Rc<Link>>;

impl Drop for Link {
    // A loop over the links: recursion over a long list would use up the process stack.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.next.take();
        }
    }
}

/// A call of a predicate of the program.
pub(super) struct Call {
    pub(super) pred: PredId,
    pub(super) args: Vec<Term>,
    pub(super) node: Option<u32>,
    pub(super) above: Above,
}

/// What a choice point does on backtracking.
pub(super) enum ChoiceKind {
    /// Tries more clauses, from this number on.
    Clauses(Rc<Call>, usize),
    /// Tries another goal of the same clause.
    Else { frame: Rc<Frame>, goal: GoalId, barrier: usize, node: Option<u32>, above: Above, how: ProofMethod },
    /// Goes on: the negated goal has failed.
    Refuted,
    /// Calls a builtin again, from this state.
    Again(BuiltinId, Rc<[Term]>, Option<Term>),
    /// Gives more answers of a table: the call, the table, the next answer.
    Answers(Term, usize, usize),
    /// Ends a findall.
    Findall(Rc<Frame>, GoalId, Option<u32>),
    /// Fails. Errors from inside end here: number, catcher, recovery.
    Catch(u64, Term, Term),
    /// Fails: the choice point is no longer used.
    Dead,
    /// Ends an attempt.
    Stop,
}

pub(super) struct ProverChoice {
    pub(super) kind: ChoiceKind,
    pub(super) next: Next,
    pub(super) trail: usize,
    pub(super) heap: usize,
    pub(super) nodes: usize,
    pub(super) collectors: usize,
}

/// The greatest number of further attempts that are compared with the first one.
const OTHERS: usize = 31;

/// How far the goals of a clause come, in all attempts.
#[derive(Default)]
pub(super) struct AttemptRecord {
    /// The number of times that each goal was reached; the last entry is the end.
    pub(super) reached: Vec<u64>,
    /// The furthest goal, and the variables when it was first reached.
    pub(super) deepest: Option<(usize, Packed)>,
    /// The variables when that goal was reached again, up to [`OTHERS`] times.
    pub(super) others: Vec<Packed>,
    /// The frame of these variables.
    pub(super) frame: Option<Rc<Frame>>,
    /// The barrier of the cuts in the clause.
    pub(super) barrier: usize,
    /// Whether a cut of the clause was executed.
    pub(super) committed: bool,
    /// Whether the cuts of the clause have no effect.
    pub(super) no_cuts: bool,
}

/// An interpreter that proves goals and keeps the proofs.
pub struct Prover {
    pub(super) program: Arc<Program>,
    pub(super) runs: Arc<[BuiltinCode]>,
    pub(super) store: Store,
    pub(super) stop: Arc<AtomicBool>,
    /// Whether the goals inside library predicates are kept too.
    pub(super) library: bool,
    pub(super) choices: Vec<ProverChoice>,
    pub(super) base: usize,
    pub(super) next: Next,
    pub(super) nodes: Vec<ProofNode>,
    /// The bytes of the goals that nodes store as they were called.
    pub(super) called: u64,
    /// The number of uses of each clause in the last proof.
    pub(super) used: FxHashMap<(PredId, usize), u64>,
    pub(super) collectors: Vec<Vec<Packed>>,
    bodies: FxHashMap<(PredId, usize), Rc<Body>>,
    pub(super) tables: Tables,
    pub(super) completer: Option<Box<Reference>>,
    pub(super) catches: u64,
    pub(super) watch: AttemptRecord,
}

impl Prover {
    /// A prover for goals of a program. One budget serves all goals, and `stop` interrupts any of them.
    pub fn new(
        program: &Arc<Program>,
        runs: &Arc<[BuiltinCode]>,
        stop: &Arc<AtomicBool>,
        budget: Budget,
        library: bool,
        host: Option<HostCallback>,
    ) -> Prover {
        let mut store = Store::of(program, stop.clone());
        store.refill(budget);
        store.host = host;
        Prover {
            program: program.clone(),
            runs: runs.clone(),
            store,
            stop: stop.clone(),
            library,
            choices: Vec::new(),
            base: 0,
            next: None,
            nodes: Vec::new(),
            called: 0,
            used: FxHashMap::default(),
            collectors: Vec::new(),
            bodies: FxHashMap::default(),
            tables: Tables::default(),
            completer: None,
            catches: 0,
            watch: AttemptRecord::default(),
        }
    }

    /// Runs `work`, and undoes all its effects.
    pub(super) fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        let (base, height) = (self.base, self.choices.len());
        let next = self.next.take();
        self.push_choice(ChoiceKind::Stop, None);
        self.base = self.choices.len();
        let done = work(self);
        self.choices.truncate(height + 1);
        self.restore();
        self.cut_to(height);
        self.base = base;
        self.next = next;
        done
    }

    /// Begins to prove a goal of a frame. Cuts in the goal are local to it.
    pub(super) fn prove(&mut self, frame: &Rc<Frame>, goal: GoalId, above: Above) {
        let barrier = self.choices.len();
        self.push(Task::Goal { frame: frame.clone(), goal, barrier, above });
    }

    /// Finds the first answer.
    pub(super) fn first(&mut self) -> Result<bool, Fault> {
        self.run(false)
    }

    /// Finds another answer.
    pub(super) fn again(&mut self) -> Result<bool, Fault> {
        self.run(true)
    }

    fn run(&mut self, mut back: bool) -> Result<bool, Fault> {
        loop {
            match self.go(back) {
                Ok(found) => return Ok(found),
                Err(fault) => back = !self.caught(fault)?,
            }
        }
    }

    fn go(&mut self, mut back: bool) -> Result<bool, Fault> {
        loop {
            if back && !self.backtrack()? {
                return Ok(false);
            }
            let Some(link) = self.next.take() else { return Ok(true) };
            self.next = link.next.clone();
            back = !self.step(&link.task)?;
        }
    }

    fn step(&mut self, task: &Task) -> Result<bool, Fault> {
        match task {
            Task::Goal { frame, goal, barrier, above } => return self.goal(frame, *goal, *barrier, *above),
            Task::Commit(height, node) => {
                self.cut_to(*height);
                self.mark(*node, ProofMethod::Then);
            }
            Task::SoftCommit(height, node) => {
                self.mark(*node, ProofMethod::Then);
                match *height + 1 == self.choices.len() {
                    true => self.cut_to(*height),
                    false => self.choices[*height].kind = ChoiceKind::Dead,
                }
            }
            Task::Refute(height) => {
                self.cut_to(*height);
                return Ok(false);
            }
            Task::Collect(frame, template) => {
                let term = frame.build(&mut self.store.heap, *template);
                let packed = self.packed(term)?;
                self.store.aside += packed.bytes();
                self.store.charge(1)?;
                self.collectors.last_mut().expect("a findall is under way").push(packed);
                return Ok(false);
            }
            Task::LeaveCatch(number) => {
                if matches!(self.choices.last(), Some(ProverChoice { kind: ChoiceKind::Catch(other, ..), .. }) if other == number)
                {
                    self.cut_to(self.choices.len() - 1);
                }
            }
            Task::Reach(at) => self.reached(*at)?,
            Task::Open(frame, goal, open) => {
                let term = self.goal_term(frame, *goal);
                let Some((name, _)) = self.store.heap.functor(term) else { return Ok(false) };
                let mut args = self.store.heap.args(term);
                args[*open] = self.store.heap.variable();
                let opened = self.store.heap.structure(name, &args);
                return self.call_term(opened, &[], None, None);
            }
        }
        Ok(true)
    }

    fn reached(&mut self, at: usize) -> Result<(), Fault> {
        self.watch.reached[at] += 1;
        let deepest = self.watch.deepest.as_ref().map(|(deepest, _)| *deepest);
        let again = deepest == Some(at) && self.watch.others.len() < OTHERS;
        if again || deepest.is_none_or(|deepest| deepest < at) {
            let frame = self.watch.frame.clone().expect("what is watched has a frame");
            let whole = self.store.heap.structure(atoms::CALL, &frame.vars);
            let packed = self.packed(whole)?;
            if again {
                self.watch.others.push(packed);
            } else {
                self.watch.deepest = Some((at, packed));
                self.watch.others.clear();
            }
        }
        Ok(())
    }

    fn goal(&mut self, frame: &Rc<Frame>, goal: GoalId, barrier: usize, above: Above) -> Result<bool, Fault> {
        let task = |goal, barrier, above| Task::Goal { frame: frame.clone(), goal, barrier, above };
        match frame.body.form(goal) {
            GoalForm::True => {}
            GoalForm::Fail => return Ok(false),
            GoalForm::Cut => self.cut(frame, barrier),
            GoalForm::Conj(goals) => goals.iter().rev().for_each(|goal| self.push(task(*goal, barrier, above))),
            GoalForm::Scope(inner) => self.push(task(*inner, self.choices.len(), above)),
            GoalForm::Or(left, right) => {
                let node = self.note(frame, goal, above, ProofMethod::First);
                let above = node.or(above);
                let other = ChoiceKind::Else {
                    frame: frame.clone(),
                    goal: *right,
                    barrier,
                    node,
                    above,
                    how: ProofMethod::Second,
                };
                self.push_choice(other, self.next.clone());
                self.push(task(*left, barrier, above));
            }
            GoalForm::If(condition, then, other) | GoalForm::SoftIf(condition, then, other) => {
                self.conditional(frame, goal, [*condition, *then, *other], barrier, above);
            }
            GoalForm::Not(inner) => {
                let node = self.note(frame, goal, above, ProofMethod::Refuted);
                self.keep_call(node, frame, goal);
                let height = self.choices.len();
                self.push_choice(ChoiceKind::Refuted, self.next.clone());
                self.push(Task::Refute(height));
                self.push(task(*inner, height + 1, None));
            }
            GoalForm::Findall { template, goal: inner, .. } => {
                self.store.charge(1)?;
                self.check_lists(frame, goal)?;
                let node = self.note(frame, goal, above, ProofMethod::Open);
                self.keep_call(node, frame, goal);
                self.push_choice(ChoiceKind::Findall(frame.clone(), goal, node), self.next.clone());
                self.collectors.push(Vec::new());
                self.push(Task::Collect(frame.clone(), *template));
                self.push(task(*inner, self.choices.len(), None));
            }
            GoalForm::Call(..) | GoalForm::Meta(_) => return self.call(frame, goal, above),
        }
        Ok(true)
    }

    /// Starts the condition of an if-then-else. If it fails, the else-branch runs.
    fn conditional(
        &mut self,
        frame: &Rc<Frame>,
        goal: GoalId,
        [condition, then, other]: [GoalId; 3],
        barrier: usize,
        above: Above,
    ) {
        let task = |goal, barrier, above| Task::Goal { frame: frame.clone(), goal, barrier, above };
        let node = self.note(frame, goal, above, ProofMethod::Open);
        let above = node.or(above);
        let height = self.choices.len();
        let how = ProofMethod::Else;
        let otherwise = ChoiceKind::Else { frame: frame.clone(), goal: other, barrier, node, above, how };
        self.push_choice(otherwise, self.next.clone());
        self.push(task(then, barrier, above));
        self.push(match frame.body.form(goal) {
            GoalForm::If(..) => Task::Commit(height, node),
            _ => Task::SoftCommit(height, node),
        });
        self.push(task(condition, height + 1, above));
    }

    fn cut(&mut self, frame: &Rc<Frame>, barrier: usize) {
        let ours = self.watch.frame.as_ref().is_some_and(|watched| Rc::ptr_eq(watched, frame));
        let watched = ours && barrier == self.watch.barrier;
        self.watch.committed |= watched;
        if !(watched && self.watch.no_cuts) {
            self.cut_to(barrier);
        }
    }

    pub(super) fn push(&mut self, task: Task) {
        let next = self.next.take();
        self.next = Some(Rc::new(Link { task, next }));
    }

    pub(super) fn count(&mut self) {
        self.store.control = CHOICE * self.choices.len() as u64 + NODE * self.nodes.len() as u64 + self.called;
    }

    /// Adds a node for a goal, if the goals of its file are kept.
    pub(super) fn note(&mut self, frame: &Rc<Frame>, goal: GoalId, above: Above, how: ProofMethod) -> Option<u32> {
        let kept = frame.body.own || self.library;
        if kept { self.note_as(NodeGoal::Goal(frame.clone(), goal), above, how) } else { None }
    }

    pub(super) fn note_as(&mut self, shown: NodeGoal, above: Above, how: ProofMethod) -> Option<u32> {
        above?;
        self.nodes.push(ProofNode::new(above, shown, how));
        self.count();
        Some(self.nodes.len() as u32 - 1)
    }

    pub(super) fn mark(&mut self, node: Option<u32>, how: ProofMethod) {
        if let Some(node) = node {
            self.nodes[node as usize].how = how;
        }
    }

    pub(super) fn body(&mut self, pred: PredId, number: usize) -> Rc<Body> {
        let own = self.is_own(pred);
        let program = &self.program;
        self.bodies.entry((pred, number)).or_insert_with(|| Body::of_clause(program, pred, number, own)).clone()
    }

    /// Whether a predicate belongs to the user, not to a library.
    pub(super) fn is_own(&self, pred: PredId) -> bool {
        let scope = self.program.predicate(pred).key.scope;
        self.program.is_users(scope)
    }

    pub(super) fn packed(&self, term: Term) -> Result<Packed, Fault> {
        self.store.packed(term)
    }

    /// Whether the goals inside library predicates are kept.
    pub(super) fn opens_library(&self) -> bool {
        self.library
    }
}
