//! Runs goals.
//!
//! In: a checked program, a goal, a budget. Out: answers one at a time, or a
//! [`fault::Fault`]. [`Solver`] is the seam: whoever asks goals must not know
//! how they are run. The reference solver stays for good as the oracle of
//! faster ones. Knows builtins only as a table and no game at all.

mod choice;
pub mod code;
mod dynamic;
pub mod fault;
mod index;
mod place;
pub mod reference;
mod step;
pub mod store;
mod tabling;
mod template;

use crate::lang::ast::{NodeId, Tree};
use crate::lang::program::PredId;
use crate::machine::fault::Fault;
use crate::machine::store::{Budget, Store};
use crate::term::Term;
use crate::term::pack::Packed;

/// How a builtin ends.
pub enum Done {
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
pub type Many = fn(&mut Store, &[Term], Option<Term>) -> Result<Done, Fault>;

/// What carries out a builtin.
#[derive(Clone, Copy)]
pub enum Run {
    /// Succeeds at most once.
    Once(fn(&mut Store, &[Term]) -> Result<bool, Fault>),
    /// May succeed several times; the state is `None` at first.
    Many(Many),
    /// The solver itself carries it out.
    Solver(Special),
}

/// What only a solver can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// `call/N`.
    Call,
    /// `catch/3`.
    Catch,
    /// `findall/3,4` and other control called as a closure.
    Control,
}

/// A goal to be asked.
pub enum Ask<'a> {
    /// A predicate of the program with these arguments; `None` is an unbound
    /// variable to be answered.
    Call(PredId, &'a [Option<&'a Packed>]),
    /// A goal as read; its variables are the answer.
    Goal(&'a Tree, NodeId),
}

/// Answers goals over one program.
pub trait Solver {
    /// Begins a goal; an unfinished one is dropped.
    fn ask(&mut self, ask: &Ask<'_>, budget: Budget) -> Result<(), Fault>;

    /// Looks for the next answer; `false` where there is none. After an answer,
    /// [`Solver::answer`] holds the values until the next call.
    fn next(&mut self) -> Result<bool, Fault>;

    /// Whether there may be more answers after this one.
    fn has_alternatives(&self) -> bool;

    /// The values of the answer's variables, in the order of the question.
    fn answer(&self) -> Vec<Term>;

    /// The terms, what was written, and what is left of the budget.
    fn store(&mut self) -> &mut Store;
}
