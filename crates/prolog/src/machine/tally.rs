//! A profile: counts ports, steps and time of every predicate and every clause.
//!
//! [`Tally`] is a [`Watcher`] that counts by predicate, builtin, clause and question. Counts and
//! steps are exact, and equal to those of the compiled machine. Times are those of the watched
//! reference solver. The session uses the counts; this module does not depend on their presentation.

use crate::machine::watch::{ClauseNumber, GoalPort, PortEvent, Watcher, Worker};
use alphorn_lang::lang::program::{Callee, PredId, Program};
use alphorn_text::signature::BuiltinId;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// How many times goals passed each port. Entries and exits balance, except for unfinished goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// Number of calls.
    pub calls: u64,
    /// Number of successes.
    pub exits: u64,
    /// Number of requests for another answer.
    pub redos: u64,
    /// Number of failures.
    pub fails: u64,
    /// Number of exits by an error.
    pub exceptions: u64,
}

impl PortCounts {
    fn count(&mut self, port: GoalPort) {
        *match port {
            GoalPort::Call => &mut self.calls,
            GoalPort::Exit => &mut self.exits,
            GoalPort::Redo => &mut self.redos,
            GoalPort::Fail => &mut self.fails,
            GoalPort::Exception => &mut self.exceptions,
        } += 1;
    }
}

/// The work of one predicate or clause, without the work of the predicates it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Steps, as budgets count them.
    pub steps: u64,
    /// Elapsed time.
    pub time: Duration,
}

impl std::ops::AddAssign for WorkCounts {
    fn add_assign(&mut self, more: WorkCounts) {
        self.steps += more.steps;
        self.time += more.time;
    }
}

/// The counts of one predicate or clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// The counts of the ports.
    pub ports: PortCounts,
    /// The own work; that of a clause includes the builtins that it calls.
    pub work: WorkCounts,
}

/// The queries of one predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuestionCounts {
    /// Number of queries.
    pub count: u64,
    /// All the work for them.
    pub work: WorkCounts,
}

/// The counts of a program.
#[derive(Debug)]
pub struct Tally {
    /// The counts of every predicate, by its number.
    pub predicates: Vec<CallCounts>,
    /// The counts of every clause, predicate by predicate.
    pub clauses: Vec<CallCounts>,
    /// The work of every clause of the user, with that of library predicates that it uses.
    pub served: Vec<WorkCounts>,
    /// The counts of the builtins that were called.
    pub builtins: FxHashMap<BuiltinId, CallCounts>,
    /// The counts of queries by predicate; `None` for typed goals.
    pub questions: FxHashMap<Option<PredId>, QuestionCounts>,
    /// The work that belongs to no predicate: that of a typed goal itself.
    pub goal: WorkCounts,
    /// The time outside of the solver.
    pub outside: Duration,
    asked: Option<PredId>,
    worker: Worker,
    steps: u64,
    since: Instant,
}

impl Tally {
    /// Empty counts; the clock starts.
    pub fn new(program: &Program) -> Tally {
        let clauses = program.predicates.iter().map(|predicate| predicate.clauses.len()).sum();
        Tally {
            predicates: vec![CallCounts::default(); program.predicates.len()],
            clauses: vec![CallCounts::default(); clauses],
            served: vec![WorkCounts::default(); clauses],
            builtins: FxHashMap::default(),
            questions: FxHashMap::default(),
            goal: WorkCounts::default(),
            outside: Duration::ZERO,
            asked: None,
            worker: Worker::default(),
            steps: 0,
            since: Instant::now(),
        }
    }

    /// All the work of the solver.
    pub fn all(&self) -> WorkCounts {
        let mut all = WorkCounts::default();
        self.questions.values().for_each(|asked| all += asked.work);
        all
    }

    /// Resets all counts; no goal may be running.
    pub fn clear(&mut self) {
        self.predicates.fill(CallCounts::default());
        self.clauses.fill(CallCounts::default());
        self.served.fill(WorkCounts::default());
        self.builtins.clear();
        self.questions.clear();
        (self.goal, self.outside, self.since) = (WorkCounts::default(), Duration::ZERO, Instant::now());
    }

    fn counted(&mut self, callee: Callee) -> Option<&mut CallCounts> {
        match callee {
            Callee::User(pred) => self.predicates.get_mut(pred.0 as usize),
            Callee::Native(id) => Some(self.builtins.entry(id).or_default()),
            Callee::Unknown(..) => None,
        }
    }

    fn credit(&mut self, work: WorkCounts, clause: Option<ClauseNumber>, own: Option<ClauseNumber>) {
        self.questions.entry(self.asked).or_default().work += work;
        match self.worker.callee.and_then(|callee| self.counted(callee)) {
            Some(counted) => counted.work += work,
            None => self.goal += work,
        }
        if let Some(counted) = clause.and_then(|clause| self.clauses.get_mut(clause.0 as usize)) {
            counted.work += work;
        }
        if let Some(served) = own.and_then(|clause| self.served.get_mut(clause.0 as usize)) {
            *served += work;
        }
    }
}

impl Watcher for Tally {
    fn asked(&mut self, pred: Option<PredId>) {
        self.asked = pred;
        self.steps = 0;
        self.questions.entry(pred).or_default().count += 1;
    }

    fn runs(&mut self, running: bool) {
        let now = Instant::now();
        if running {
            self.outside += now - self.since;
            self.since = now;
        }
    }

    fn turn(&mut self, steps: u64, to: Worker) {
        let now = Instant::now();
        let work = WorkCounts { steps: steps.saturating_sub(self.steps), time: now - self.since };
        // The work of finding the first clause belongs to that clause.
        let same = to.callee == self.worker.callee;
        let (chosen, own) = (to.clause.filter(|_| same), to.own.filter(|_| same));
        self.credit(work, self.worker.clause.or(chosen), self.worker.own.or(own));
        (self.worker, self.steps, self.since) = (to, steps.max(self.steps), now);
    }

    fn pass(&mut self, passed: PortEvent<'_>) -> bool {
        if let Some(counted) = self.counted(passed.callee) {
            counted.ports.count(passed.port);
        }
        true
    }

    fn clause(&mut self, port: GoalPort, clause: ClauseNumber) {
        if let Some(counted) = self.clauses.get_mut(clause.0 as usize) {
            counted.ports.count(port);
        }
    }
}
