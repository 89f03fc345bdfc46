//! Runs goals of a checked program.
//!
//! A goal runs within a budget and gives answers one at a time, or a [`fault::Fault`]. Callers use
//! the trait [`Solver`] and do not depend on the implementation. The reference solver stays as the
//! oracle for faster solvers. Builtins are a table here; nothing here depends on games.

pub mod called;
pub mod choose;
mod compile;
pub mod coverage;
pub mod engine;
pub mod fault;
mod ir;
pub mod makers;
mod place;
pub mod reference;
pub mod scratch;
pub mod skeleton;
pub mod store;
pub(crate) mod tables;
pub mod tally;
pub mod watch;

use crate::machine::fault::Fault;
use crate::machine::store::{Budget, Store};
use crate::term::Term;
use crate::term::pack::Packed;
use alphorn_lang::lang::ast::{NodeId, TermTree};
use alphorn_lang::lang::program::PredId;

/// The result of a deterministic builtin: whether the builtin succeeds.
pub type BoolResult = Result<bool, Fault>;

/// The result of a builtin that may have several answers.
pub enum BuiltinResult {
    /// The builtin fails.
    No,
    /// The builtin succeeds.
    BoolResult,
    /// The builtin succeeds, and may give another answer when called with this state.
    Again(Term),
    /// The builtin fails now, and may succeed when called with this state.
    Later(Term),
}

/// A builtin with several answers. A further call gets the state that the last call returned.
pub type NondeterministicFn = fn(&mut Store, &[Term], Option<Term>) -> Result<BuiltinResult, Fault>;

/// The implementation of a builtin.
#[derive(Clone, Copy)]
pub enum BuiltinCode {
    /// A function that succeeds at most once.
    Once(fn(&mut Store, &[Term]) -> BoolResult),
    /// A function that may succeed several times; the state is `None` at first.
    Many(NondeterministicFn),
    /// The solver itself implements the builtin.
    Solver(SolverBuiltin),
}

/// A builtin that only a solver can implement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverBuiltin {
    /// `call/N`.
    Call,
    /// `catch/3`.
    Catch,
    /// `findall/3,4` and other control called as a closure.
    Control,
}

/// A goal to run.
pub enum Query<'a> {
    /// A predicate of the program with these arguments. `None` is an unbound variable, whose value is
    /// part of the answer.
    Call(PredId, &'a [Option<&'a Packed>]),
    /// A goal as read; its variables are the answer.
    Goal(&'a TermTree, NodeId),
}

/// A live position: a list of the stack of lists that [`Solver::keep`] has kept, counted from 0, and the
/// number of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LivePlace {
    /// The list.
    pub level: usize,
    /// The element.
    pub number: usize,
}

/// Runs the goals of one program.
pub trait Solver {
    /// Begins a goal, and drops an unfinished one.
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault>;

    /// Begins a goal and looks for its first answer, as [`Solver::next`] does.
    fn first(&mut self, ask: &Query<'_>, budget: Budget) -> Result<bool, Fault> {
        self.ask(ask, budget)?;
        self.next()
    }

    /// Looks for the next answer; `false` if there is none. After an answer, [`Solver::answer`] holds
    /// the values until the next call.
    fn next(&mut self) -> Result<bool, Fault>;

    /// Whether there may be more answers.
    fn has_alternatives(&self) -> bool;

    /// The values of the variables of the goal, in the order of the query.
    fn answer(&self) -> &[Term];

    /// Whether answers to a query with ground terms are known to be ground in advance; `false` means
    /// unknown.
    fn answers_ground(&self) -> bool {
        false
    }

    /// Puts the list in the last answer on the stack of live positions, and returns its length. Its
    /// elements stay in the heap until another goal than [`Solver::first_about`] begins. `None` if they
    /// cannot stay.
    fn keep(&mut self, list: Term) -> Option<usize> {
        let _ = list;
        None
    }

    /// The elements of a list on the stack of live positions.
    fn kept(&self, level: usize) -> &[Term] {
        let _ = level;
        &[]
    }

    /// Calls a predicate with a live position and `outputs` variables, and looks for the first answer. Ends
    /// the lists above that of the position. `None` if the goal cannot begin; nothing changes then.
    fn first_about(
        &mut self,
        pred: PredId,
        at: LivePlace,
        outputs: usize,
        budget: Budget,
    ) -> Result<Option<bool>, Fault> {
        let _ = (pred, at, outputs, budget);
        Ok(None)
    }

    /// The store: terms, output and the rest of the budget.
    fn store(&mut self) -> &mut Store;
}
