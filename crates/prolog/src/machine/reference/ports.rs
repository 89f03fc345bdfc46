//! The boxes of watched goals, and the ports through which control enters and leaves them.
//!
//! A box is a frame between a goal and its continuation, and a choice point below all that the goal
//! leaves behind. Reaching the frame is the exit port, and backtracking to the choice point the fail
//! port. A goal that may succeed again leaves one more choice point on top: the redo port. Without a
//! watcher there are no boxes. Boxes change no answer, no order and no count of steps. Control
//! constructs and `catch/3` have no box. This module does not depend on who watches.

use crate::machine::fault::{Cause, Fault};
use crate::machine::reference::choice::ChoiceKind;
use crate::machine::reference::{BOX_SLOTS, FIRST_CLAUSE, FRAME, PORT, Reference, TABLE};
use crate::machine::watch::{ClauseNumber, GoalPort, PortEvent, SharedWatcher, Worker};
use crate::term::Term;
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_text::signature::BuiltinId;

const CALLEE: usize = FRAME;
const CLAUSE: usize = FRAME + 1;
const STATE: usize = FRAME + 2;
const DEPTH: usize = FRAME + 3;
const OWNER: usize = FRAME + 4;
const ARGS: usize = FRAME + BOX_SLOTS;

/// Bits of the state: the goal was entered and not left, and the same for its clause.
const INSIDE: i64 = 1;
const IN_CLAUSE: i64 = 2;

/// Special values of a clause slot: no clause was tried; the predicate is the user's.
const NO_CLAUSE: i64 = -1;
const ITSELF: i64 = -2;

fn number(callee: Callee) -> Option<i64> {
    match callee {
        Callee::User(pred) => Some(2 * i64::from(pred.0)),
        Callee::Native(id) => Some(2 * i64::from(id.0) + 1),
        Callee::Unknown(..) => None,
    }
}

fn callee(number: i64) -> Callee {
    match number % 2 {
        0 => Callee::User(PredId((number / 2) as u32)),
        _ => Callee::Native(BuiltinId((number / 2) as u16)),
    }
}

impl Reference {
    /// Attaches a watcher to the solver.
    pub fn watched(mut self, watcher: SharedWatcher) -> Reference {
        self.watcher = Some(watcher);
        self
    }

    fn get(&self, frame: Term, at: usize) -> i64 {
        self.cell(frame, at).as_small().unwrap_or(0)
    }

    fn put(&mut self, frame: Term, at: usize, value: i64) {
        self.store.heap.cells[frame.index() + at] = Term::small(value).0;
    }

    /// The nearest box around a frame, including the frame itself.
    fn box_around(&self, mut frame: Term) -> Option<Term> {
        while frame != Term::NONE && self.get(frame, 1) != i64::from(PORT) {
            frame = self.cell(frame, 2);
        }
        (frame != Term::NONE).then_some(frame)
    }

    /// To whom the work belongs that continues at a frame.
    fn worker(&self, mut frame: Term) -> Worker {
        while frame != Term::NONE {
            let code = self.get(frame, 1);
            if code == i64::from(PORT) {
                return self.worker_in(frame, self.get(frame, CLAUSE));
            }
            let is_clause = self.codes[code as usize].as_ref().is_some_and(|code| code.pred.is_some());
            if let Some(around) = self.box_around(frame).filter(|_| is_clause) {
                return self.worker_in(around, code);
            }
            frame = self.cell(frame, 2);
        }
        Worker::default()
    }

    /// To whom the work in a box belongs, in the clause of this code.
    fn worker_in(&self, around: Term, clause: i64) -> Worker {
        let own = match self.get(around, OWNER) {
            ITSELF => clause,
            owner => owner,
        };
        let callee = Some(callee(self.get(around, CALLEE)));
        Worker { callee, clause: clause_number(clause), own: clause_number(own) }
    }

    /// Reports that the solver starts or stops running.
    pub(super) fn runs(&mut self, running: bool) {
        if let Some(watcher) = &self.watcher {
            let mut watcher = watcher.borrow_mut();
            watcher.runs(running);
            watcher.turn(self.store.steps, if running { self.worker(self.frame) } else { Worker::default() });
        }
    }

    /// Assigns the following work to the clause of the current frame.
    pub(super) fn turn(&mut self) {
        if self.watcher.is_some() {
            self.turn_to(self.store.steps, self.worker(self.frame));
        }
    }

    fn turn_to(&mut self, steps: u64, to: Worker) {
        if let Some(watcher) = &self.watcher {
            watcher.borrow_mut().turn(steps, to);
        }
    }

    /// Reports a goal at a port; `around` is the box that contains the goal, if any.
    fn tell(&mut self, port: GoalPort, callee: Callee, args: &[Term], around: Option<Term>) -> Result<(), Fault> {
        let depth = around.map_or(0, |around| self.get(around, DEPTH)) as u32 + 1;
        let caller = around.map(|around| self::callee(self.get(around, CALLEE)));
        let Some(watcher) = &self.watcher else { return Ok(()) };
        let goes_on =
            watcher.borrow_mut().pass(PortEvent { port, callee, caller, args, depth, store: &mut self.store });
        if goes_on { Ok(()) } else { Err(Cause::Stopped.into()) }
    }

    /// Reports a box at a port, with the arguments in its frame.
    fn tell_box(&mut self, port: GoalPort, frame: Term) -> Result<(), Fault> {
        let size = crate::term::heap::header_small(self.store.heap.cells[frame.index()]) + 1;
        let args: Vec<Term> = (ARGS..size).map(|at| self.cell(frame, at)).collect();
        self.tell(port, callee(self.get(frame, CALLEE)), &args, self.box_around(self.cell(frame, 2)))
    }

    fn tell_clause(&mut self, port: GoalPort, clause: i64) {
        if let (Some(watcher), Some(clause)) = (&self.watcher, clause_number(clause)) {
            watcher.borrow_mut().clause(port, clause);
        }
    }

    /// Opens a box for a goal with `self.args`, and returns the continuation for the goal. Without a
    /// watcher, the given continuation is returned.
    pub(super) fn open_box(&mut self, about: Callee, frame: Term, pc: u32) -> Result<(Term, u32), Fault> {
        let (Some(_), Some(about_number)) = (&self.watcher, number(about)) else { return Ok((frame, pc)) };
        let around = self.box_around(frame);
        let depth = around.map_or(0, |around| self.get(around, DEPTH)) + 1;
        let caller = self.worker(frame);
        let code = |clause: Option<ClauseNumber>| clause.map_or(NO_CLAUSE, |clause| i64::from(clause.0 + FIRST_CLAUSE));
        let (clause, owner) = match about {
            // A builtin works for the clause that called it.
            Callee::Native(_) => (code(caller.clause), code(caller.own)),
            Callee::User(pred) if self.program.is_users(self.program.predicate(pred).key.scope) => (NO_CLAUSE, ITSELF),
            _ => (NO_CLAUSE, code(caller.own)),
        };
        let mut slots: Vec<Term> = [about_number, clause, INSIDE, depth, owner].map(Term::small).to_vec();
        slots.extend_from_slice(&self.args);
        let opened = self.push_frame(PORT, &slots, frame, pc, self.choices.len());
        self.push_choice(ChoiceKind::Port, opened, 0, &[]);
        // The steps of a call belong to the called predicate.
        let steps = self.called_at.take().unwrap_or(self.store.steps);
        self.turn_to(steps, self.worker_in(opened, clause));
        self.tell_box(GoalPort::Call, opened)?;
        Ok((opened, 0))
    }

    /// Reports that a clause is tried for the call that returns to `frame`; `retried` after another
    /// clause.
    pub(super) fn try_clause(&mut self, code: u32, frame: Term, retried: bool) {
        let Some(around) = self.watcher.as_ref().and_then(|_| self.box_around(frame)) else { return };
        if retried {
            self.leave_clause(around, GoalPort::Fail);
        }
        self.put(around, CLAUSE, i64::from(code));
        let state = self.get(around, STATE);
        self.put(around, STATE, state | IN_CLAUSE);
        self.turn_to(self.store.steps, self.worker_in(around, i64::from(code)));
        self.tell_clause(GoalPort::Call, i64::from(code));
    }

    /// Reports that the head of a clause matches, and that another clause waits behind it.
    pub(super) fn tell_match(&mut self, code: u32, waiting: Option<u32>) {
        let Some(watcher) = &self.watcher else { return };
        let mut watcher = watcher.borrow_mut();
        if let Some(clause) = clause_number(i64::from(code)) {
            watcher.matched(clause);
        }
        if let Some(waiting) = waiting.and_then(|waiting| clause_number(i64::from(waiting))) {
            watcher.postponed(waiting);
        }
    }

    /// Reports that the clause of the current frame reaches its next step.
    pub(super) fn tell_step(&mut self) {
        let Some(watcher) = self.watcher.as_ref().filter(|_| self.frame != Term::NONE) else { return };
        if let Some(clause) = clause_number(self.get(self.frame, 1)) {
            watcher.borrow_mut().reached(clause, self.pc);
        }
    }

    /// Reports that the head of the last clause does not match.
    pub(super) fn mismatch(&mut self, frame: Term) {
        if let Some(around) = self.watcher.as_ref().and_then(|_| self.box_around(frame)) {
            self.leave_clause(around, GoalPort::Fail);
        }
    }

    fn leave_clause(&mut self, around: Term, port: GoalPort) {
        let state = self.get(around, STATE);
        if state & IN_CLAUSE != 0 {
            self.put(around, STATE, state & !IN_CLAUSE);
            self.tell_clause(port, self.get(around, CLAUSE));
        }
    }

    /// Reports that the goal of the current frame, a box, has succeeded.
    pub(super) fn leave_box(&mut self) -> Result<(), Fault> {
        let (opened, height) = (self.frame, self.get(self.frame, 4) as usize);
        self.leave_clause(opened, GoalPort::Exit);
        self.put(opened, STATE, 0);
        if self.choices.len() == height + 1 {
            self.cut_to(height);
        } else {
            self.push_choice(ChoiceKind::Redo, opened, 0, &[]);
        }
        let after = self.worker(self.cell(opened, 2));
        self.turn_to(self.store.steps, after);
        self.tell_box(GoalPort::Exit, opened)
    }

    /// Reports that the solver backtracks into a box; its choice point is already removed.
    pub(super) fn redo_box(&mut self, opened: Term) -> Result<(), Fault> {
        self.put(opened, STATE, INSIDE);
        self.redo_clause(opened, opened);
        self.turn_to(self.store.steps, self.worker(opened));
        self.tell_box(GoalPort::Redo, opened)
    }

    /// Reports a redo of the last clause of a box, unless the next alternative is another clause or
    /// the next answer of a builtin or a table. `frame` is where the clauses return to.
    fn redo_clause(&mut self, opened: Term, frame: Term) {
        let beyond = self.choices.last().is_none_or(|choice| {
            let own = choice.frame == opened || choice.frame == frame;
            own && matches!(
                choice.kind,
                ChoiceKind::Clauses(..)
                    | ChoiceKind::Again(_)
                    | ChoiceKind::Answers(..)
                    | ChoiceKind::Table(_)
                    | ChoiceKind::Port
            )
        });
        if !beyond {
            let state = self.get(opened, STATE);
            self.put(opened, STATE, state | IN_CLAUSE);
            self.tell_clause(GoalPort::Redo, self.get(opened, CLAUSE));
        }
    }

    /// Reports that a clause of a tabled predicate gave an answer to its table, and is retried.
    pub(super) fn leave_to_table(&mut self) {
        let frame = self.frame;
        debug_assert_eq!(self.get(frame, 1), i64::from(TABLE), "only such a frame records answers");
        if let Some(around) = self.watcher.as_ref().and_then(|_| self.box_around(frame)) {
            self.leave_clause(around, GoalPort::Exit);
            self.redo_clause(around, frame);
        }
    }

    /// Reports that a box has no more answers; its choice point is already removed.
    pub(super) fn fail_box(&mut self, opened: Term) -> Result<(), Fault> {
        self.leave_clause(opened, GoalPort::Fail);
        self.put(opened, STATE, 0);
        let after = self.worker(self.cell(opened, 2));
        self.turn_to(self.store.steps, after);
        self.tell_box(GoalPort::Fail, opened)
    }

    /// Reports that an error leaves a box, if the box was entered and not left.
    pub(super) fn abandon_box(&mut self, opened: Term) {
        if self.get(opened, STATE) & INSIDE != 0 {
            self.leave_clause(opened, GoalPort::Exception);
            self.put(opened, STATE, 0);
            // A watcher that stops the query does not replace the error.
            let _ = self.tell_box(GoalPort::Exception, opened);
        }
    }

    /// Reports that every box is left by a fault that nothing can catch.
    pub(super) fn abandon_all(&mut self) {
        if self.watcher.is_none() {
            return;
        }
        for at in (0..self.choices.len()).rev() {
            if matches!(self.choices[at].kind, ChoiceKind::Port) {
                self.abandon_box(self.choices[at].frame);
            }
        }
    }

    /// Runs a deterministic builtin with `self.args`, in a box if there is a watcher.
    pub(super) fn run_once(
        &mut self,
        id: BuiltinId,
        run: fn(&mut crate::machine::store::Store, &[Term]) -> Result<bool, Fault>,
        frame: Term,
    ) -> Result<bool, Fault> {
        if self.watcher.is_none() {
            return run(&mut self.store, &self.args);
        }
        let before = self.worker(frame);
        let around = self.box_around(frame);
        let steps = self.called_at.take().unwrap_or(self.store.steps);
        let args = self.args.clone();
        let about = Callee::Native(id);
        self.turn_to(steps, Worker { callee: Some(about), ..before });
        self.tell(GoalPort::Call, about, &args, around)?;
        let found = run(&mut self.store, &args);
        self.turn_to(self.store.steps, before);
        let port = match &found {
            Ok(true) => GoalPort::Exit,
            Ok(false) => GoalPort::Fail,
            Err(_) => GoalPort::Exception,
        };
        let told = self.tell(port, about, &args, around);
        let succeeded = found?;
        told.map(|()| succeeded)
    }
}

/// The number of the clause with this code.
fn clause_number(code: i64) -> Option<ClauseNumber> {
    let number = u32::try_from(code).ok()?.checked_sub(FIRST_CLAUSE)?;
    Some(ClauseNumber(number))
}
