//! Reads answers of rules: numbers, lists of moves, results of games.
//!
//! Each function takes a solver with an answer and returns its meaning, or why it has none.

use crate::rules::fault::{FaultKind, shown};
use alphorn_lang::lang::ops::Ops;
use alphorn_prolog::machine::Solver;
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_search::game::{GameResult, Side};
use alphorn_text::code::Code;

/// Floats represent all integers up to this absolute value exactly.
const EXACT: u64 = 1 << 53;

/// The greatest length of the end of a list in a message, in bytes.
const LONGEST_END: usize = 60;

/// The number of elements of a list of moves; a fault if the list is not proper.
pub(super) fn length(heap: &Heap, list: Term) -> Result<usize, FaultKind> {
    let (mut count, mut rest) = (0, list);
    // The size of the heap bounds the loop, because a cyclic list has no end.
    while let Some((_, tail)) = heap.head_and_tail(rest).filter(|_| count < heap.len()) {
        count += 1;
        rest = tail;
    }
    if heap.is_nil(rest) {
        return Ok(count);
    }
    let help = "the second argument must be the list of all successors";
    Err(FaultKind::Answer(Code::AnswerNotGround, "moves/2 does not give a proper list".to_string(), help.to_string()))
}

/// The message and the help for a picture that is not a complete list.
pub(super) fn incomplete(name: &str, picture: &Packed, ops: &Ops) -> (String, &'static str) {
    let mut heap = Heap::default();
    let list = unpack(&mut heap, picture);
    let (_, end) = heap.elements(list);
    if picture.is_ground() && !heap.is_nil(end) {
        let help = "the second argument must be a list: append/3 needs lists, such as [Line] and not Line";
        return (
            format!("{name} gives a list that ends in {} and not in []", shown(&heap, end, ops, LONGEST_END)),
            help,
        );
    }
    let help = "the second argument must be a list without variables: bind every variable";
    (format!("{name} gives an incomplete list"), help)
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

/// Help for a number outside of a declared range: a range that contains it.
pub(super) fn wider(number: f64, (low, high): (f64, f64)) -> String {
    let (low, high) = (low.min(number), high.max(number));
    format!("write value_range({low}, {high}) or a wider range, or keep the value inside the range")
}
