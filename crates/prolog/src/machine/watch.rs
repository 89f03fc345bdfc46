//! The interface for watching goals at their ports.
//!
//! A watched solver reports every goal that it enters or leaves to a [`Watcher`], which counts or
//! records. Only the reference solver can be watched (`reference/ports.rs`), so fast code never tests
//! for a watcher. This module does not depend on what watchers do.

use crate::machine::store::Store;
use crate::term::Term;
use alphorn_lang::lang::program::{Callee, PredId};
use std::cell::RefCell;
use std::rc::Rc;

/// A port: a place where control enters or leaves the box of a goal.
///
/// Lawrence Byrd, "Understanding the control flow of Prolog programs", 1980. The fifth port is
/// younger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GoalPort {
    /// The goal is called.
    Call,
    /// The goal succeeds.
    Exit,
    /// The solver backtracks into the goal for another answer.
    Redo,
    /// The goal has no further answer.
    Fail,
    /// The goal ends with an error, or because a budget is used up.
    Exception,
}

impl GoalPort {
    /// All ports.
    pub const ALL: [GoalPort; 5] =
        [GoalPort::Call, GoalPort::Exit, GoalPort::Redo, GoalPort::Fail, GoalPort::Exception];

    /// The name of the port.
    pub fn name(self) -> &'static str {
        match self {
            GoalPort::Call => "call",
            GoalPort::Exit => "exit",
            GoalPort::Redo => "redo",
            GoalPort::Fail => "fail",
            GoalPort::Exception => "exception",
        }
    }
}

/// The number of a clause; clauses of a program are numbered predicate by predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseNumber(pub u32);

/// The predicate and the clauses to which work belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// The predicate; `None` outside of all goals.
    pub callee: Option<Callee>,
    /// The clause; for a builtin, the calling clause. `None` before a clause is chosen.
    pub clause: Option<ClauseNumber>,
    /// The innermost clause of the user for which this work is done.
    pub own: Option<ClauseNumber>,
}

/// A goal at a port.
pub struct PortEvent<'a> {
    /// The port.
    pub port: GoalPort,
    /// The predicate of the goal.
    pub callee: Callee,
    /// The predicate whose clause contains the goal; `None` for a typed goal or an outside query.
    pub caller: Option<Callee>,
    /// The arguments with their present bindings.
    pub args: &'a [Term],
    /// The number of goals around this one, including itself.
    pub depth: u32,
    /// The store with the terms.
    pub store: &'a mut Store,
}

/// Receives the events of a watched solver.
pub trait Watcher {
    /// A query begins: of this predicate, or `None` for a typed goal. Steps count from 0 again.
    fn asked(&mut self, _pred: Option<PredId>) {}

    /// The solver starts to run (`true`), or returns to its caller.
    fn runs(&mut self, _running: bool) {}

    /// The work now belongs to `to`; `steps` counts all steps since the query began.
    fn turn(&mut self, _steps: u64, _to: Worker) {}

    /// A goal passes a port; `false` stops the query.
    fn pass(&mut self, passed: PortEvent<'_>) -> bool;

    /// A clause is tried, gives an answer, is retried, has no further answer, or ends with an error.
    fn clause(&mut self, _port: GoalPort, _clause: ClauseNumber) {}

    /// The head of a clause matches.
    fn matched(&mut self, _clause: ClauseNumber) {}

    /// A clause waits while another one runs; a cut may remove the clause before it is tried.
    fn postponed(&mut self, _clause: ClauseNumber) {}

    /// A clause reaches this step of its body. Only a solver that keeps its frames reports all steps.
    fn reached(&mut self, _clause: ClauseNumber, _step: u32) {}
}

/// A watcher shared by the solver and the reader of its results.
pub type SharedWatcher = Rc<RefCell<dyn Watcher>>;
