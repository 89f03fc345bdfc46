//! Runs goals.
//!
//! In: a checked program, a goal, a budget. Out: answers one at a time, or a
//! [`fault::Fault`]. [`Solver`] is the seam: whoever asks goals must not know
//! how they are run. The reference solver stays for good as the oracle of
//! faster ones. Knows builtins only as a table and no game at all.

pub mod called;
mod compile;
pub mod coverage;
pub mod engine;
pub mod fault;
mod ir;
mod place;
pub mod reference;
pub mod skeleton;
pub mod store;
pub mod tally;
pub mod watch;

use crate::machine::fault::Fault;
use crate::machine::store::{Budget, Store};
use crate::term::Term;
use crate::term::pack::Packed;
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::program::{PredId, Program};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a builtin ends.
pub enum BuiltinResult {
    /// It fails.
    No,
    /// It succeeds.
    Yes,
    /// It succeeds, and may again when asked with this state.
    Again(Term),
    /// It fails for now, and may succeed when asked with this state.
    Later(Term),
}

/// A builtin that may succeed several times, asked with the state it left.
pub type Many = fn(&mut Store, &[Term], Option<Term>) -> Result<BuiltinResult, Fault>;

/// What carries out a builtin.
#[derive(Clone, Copy)]
pub enum BuiltinCode {
    /// Succeeds at most once.
    Once(fn(&mut Store, &[Term]) -> Result<bool, Fault>),
    /// May succeed several times; the state is `None` at first.
    Many(Many),
    /// The solver itself carries it out.
    Solver(SolverBuiltin),
}

/// What only a solver can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverBuiltin {
    /// `call/N`.
    Call,
    /// `catch/3`.
    Catch,
    /// `findall/3,4` and other control called as a closure.
    Control,
}

/// A goal to be asked.
pub enum Query<'a> {
    /// A predicate of the program with these arguments; `None` is an unbound
    /// variable to be answered.
    Call(PredId, &'a [Option<&'a Packed>]),
    /// A goal as read; its variables are the answer.
    Goal(&'a TermTree, NodeId),
}

/// Calls after which a procedure is compiled to native code, if nothing else is
/// said: sooner in debug builds, so that tests see what it does.
const HOT: u32 = if cfg!(debug_assertions) { 3 } else { 1_000 };

/// A solver for a program. The environment chooses, so that every test can be
/// run on each: `ALPHORN_SOLVER=reference` is the reference solver, and
/// `ALPHORN_NATIVE` says after how many calls the machine compiles a procedure
/// to native code, 0 for never. `stop` ends any goal from outside.
pub fn solver(program: &Arc<Program>, runs: &Arc<[BuiltinCode]>, stop: &Arc<AtomicBool>) -> Box<dyn Solver> {
    let (program, runs, stop) = (program.clone(), runs.clone(), stop.clone());
    if std::env::var_os("ALPHORN_SOLVER").is_some_and(|name| name == "reference") {
        return Box::new(reference::Reference::new(program, runs, stop));
    }
    let hot = std::env::var("ALPHORN_NATIVE").ok().and_then(|calls| calls.parse().ok()).unwrap_or(HOT);
    Box::new(engine::idle::PooledEngine::new(program, runs, stop, (hot > 0).then_some(hot)))
}

/// Answers goals over one program.
pub trait Solver {
    /// Begins a goal; an unfinished one is dropped.
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault>;

    /// Begins a goal and looks for its first answer, as [`Solver::next`] does.
    fn first(&mut self, ask: &Query<'_>, budget: Budget) -> Result<bool, Fault> {
        self.ask(ask, budget)?;
        self.next()
    }

    /// Looks for the next answer; `false` where there is none. After an answer,
    /// [`Solver::answer`] holds the values until the next call.
    fn next(&mut self) -> Result<bool, Fault>;

    /// Whether there may be more answers after this one.
    fn has_alternatives(&self) -> bool;

    /// The values of the answer's variables, in the order of the question.
    fn answer(&self) -> &[Term];

    /// Whether every answer to a question about ground terms is known to be
    /// ground before it is there; `false` says nothing.
    fn answers_ground(&self) -> bool {
        false
    }

    /// The terms, what was written, and what is left of the budget.
    fn store(&mut self) -> &mut Store;
}
