//! Watching goals at their ports, and whose the work is.
//!
//! In: what a watched solver tells of every goal it enters and leaves. Out: nothing by itself:
//! whoever implements [`Watcher`] counts or writes down. Only the reference solver is ever watched
//! (`reference/ports.rs`), so nothing that is meant to be fast asks whether somebody watches.
//! Must not know what is made of what it tells. Called by the session.

use crate::machine::store::Store;
use crate::term::Term;
use alphorn_lang::lang::program::{Callee, PredId};
use std::cell::RefCell;
use std::rc::Rc;

/// Where control passes into or out of the box that a goal is.
///
/// Lawrence Byrd, "Understanding the control flow of Prolog programs", 1980; the fifth is younger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Port {
    /// The goal is called.
    Call,
    /// It has succeeded.
    Exit,
    /// It is asked for another answer.
    Redo,
    /// It has no answer, or no more.
    Fail,
    /// It is left by an error, or because a budget is spent.
    Exception,
}

impl Port {
    /// All of them.
    pub const ALL: [Port; 5] = [Port::Call, Port::Exit, Port::Redo, Port::Fail, Port::Exception];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Port::Call => "call",
            Port::Exit => "exit",
            Port::Redo => "redo",
            Port::Fail => "fail",
            Port::Exception => "exception",
        }
    }
}

/// The number of a clause: all clauses of a program, predicate by predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseNumber(pub u32);

/// Whose work is being done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// The predicate; none outside of every goal.
    pub callee: Option<Callee>,
    /// The clause: for a builtin, that which called it. None before one is chosen.
    pub clause: Option<ClauseNumber>,
    /// The innermost clause of the user's own that this is done for.
    pub own: Option<ClauseNumber>,
}

/// A goal at a port.
pub struct PortEvent<'a> {
    /// Which port.
    pub port: Port,
    /// Which predicate.
    pub callee: Callee,
    /// In whose clause the goal stands; none where it was typed, or asked from outside.
    pub caller: Option<Callee>,
    /// Its arguments, as they are bound by now.
    pub args: &'a [Term],
    /// How many goals it stands in, itself counted.
    pub depth: u32,
    /// The terms.
    pub store: &'a mut Store,
}

/// Who watches a solver.
pub trait Watcher {
    /// A goal is asked from outside: of this predicate, or none where it was typed. Steps count
    /// from 0 again.
    fn asked(&mut self, _pred: Option<PredId>) {}

    /// The solver is at work from here on, or hands back to whoever asked.
    fn runs(&mut self, _running: bool) {}

    /// From here on another works; `steps` were taken in all since the goal was asked.
    fn turn(&mut self, _steps: u64, _to: Worker) {}

    /// A goal passes a port; false where nothing more is to be done, and the goal is to stop.
    fn pass(&mut self, passed: PortEvent<'_>) -> bool;

    /// A clause is tried, gives an answer, is asked for another, has none, or is left by an error.
    fn clause(&mut self, _port: Port, _clause: ClauseNumber) {}

    /// The head of a clause that is tried matches.
    fn matched(&mut self, _clause: ClauseNumber) {}

    /// A clause is left for later while another one runs; it may be cut away before it is tried.
    fn postponed(&mut self, _clause: ClauseNumber) {}

    /// A clause comes to this step of its body. Only a solver that keeps its frames comes to all.
    fn reached(&mut self, _clause: ClauseNumber, _step: u32) {}
}

/// One watcher, shared by the solver and whoever reads from it afterwards.
pub type SharedWatcher = Rc<RefCell<dyn Watcher>>;
