//! Answers read: numbers, lists of moves, how a game ended.
//!
//! In: a solver with an answer. Out: what it means to the game, or why it
//! means nothing.

use crate::rules::fault::FaultKind;
use alphorn_prolog::machine::Solver;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_search::game::{GameResult, Side};

/// Integers of more bits are no exact floats.
const EXACT: u64 = 1 << 53;

/// How many elements a list of moves has; errs where it does not end as lists do.
pub(super) fn length(heap: &Heap, list: Term) -> Result<usize, FaultKind> {
    let (mut count, mut rest) = (0, list);
    // A cyclic list would have more cells than there are.
    while let Some((_, tail)) = heap.head_and_tail(rest).filter(|_| count < heap.len()) {
        count += 1;
        rest = tail;
    }
    if heap.is_nil(rest) {
        return Ok(count);
    }
    let help = "the second argument must be the list of all successors";
    Err(FaultKind::Answer("A0605", "moves/2 does not give a proper list".to_string(), help.to_string()))
}

pub(super) fn number(solver: &mut dyn Solver, value: Term) -> Result<f64, String> {
    let heap = &solver.store().heap;
    match heap.view(value) {
        TermView::Int(value) if value.unsigned_abs() <= EXACT => Ok(value as f64),
        TermView::Float(value) if value.is_finite() => Ok(value),
        TermView::Int(_) | TermView::Big(..) => {
            Err("gives an integer beyond 2^53, which Alphorn cannot represent exactly".to_string())
        }
        TermView::Float(_) => Err("gives a float that is not a number".to_string()),
        TermView::Var(_) => Err("leaves its value unbound".to_string()),
        _ => Err("gives something that is not a number".to_string()),
    }
}

pub(super) fn ending(solver: &mut dyn Solver, result: Term) -> Option<GameResult> {
    let heap = &solver.store().heap;
    match heap.view(result) {
        TermView::Atom(name) if &*name.name() == "draw" => Some(GameResult::Draw),
        TermView::Compound(name, [arg]) => {
            let arg = Term::of_cell(*arg);
            match (&*name.name(), heap.view(arg)) {
                ("win", TermView::Atom(side)) if &*side.name() == "max" => Some(GameResult::Won(Side::Max)),
                ("win", TermView::Atom(side)) if &*side.name() == "min" => Some(GameResult::Won(Side::Min)),
                ("score", _) => number(solver, arg).ok().map(GameResult::Points),
                _ => None,
            }
        }
        _ => None,
    }
}
