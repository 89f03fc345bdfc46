//! Where faults rise, as far as both solvers tell it alike.
//!
//! In: the places and rules around a goal, the innermost first, as a solver
//! walks its frames. Out: what a [`FaultPlace`] says of them. Prefers the user's
//! own text to a library's.

use crate::machine::fault::FaultPlace;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::Heap;
use crate::term::write::{Names, WriteOptions, brief};
use alphorn_lang::lang::program::{PRELUDE, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;

/// How many frames are looked through, and how many callers are told.
const FRAMES: usize = 1 << 20;
const CALLERS: usize = 8;
/// How many places of calls are told.
const SITES: usize = 4;

/// A goal as a line of text.
pub fn goal_text(store: &Store, goal: Term) -> String {
    let style = WriteOptions { quoted: true, operators: Some(&store.ops), number_vars: false, stop: None, limit: 200 };
    let mut text = String::new();
    let mut names = Names::default();
    brief(&store.heap, (goal, 1200), style, &mut names, &mut text);
    text
}

/// A goal that is called with more arguments than stand in it; a lambda stays as it is.
pub fn completed(heap: &mut Heap, goal: Term, more: &[Term]) -> Term {
    match heap.functor(goal) {
        Some((name, _)) if !more.is_empty() && name != atoms::LAMBDA => {
            let args = [heap.args(goal).as_slice(), more].concat();
            heap.structure(name, &args)
        }
        _ => goal,
    }
}

/// The place of a goal within the frames around it: for each where it stands
/// in a text, and whose clauses that is, the innermost first.
pub fn place<R: IntoIterator<Item = PredId>>(
    program: &Program,
    goal: String,
    frames: impl Iterator<Item = (Option<Span>, R)>,
) -> FaultPlace {
    let mut place = FaultPlace { goal, ..FaultPlace::default() };
    let mut told = false;
    let mut last = None;
    for (span, rules) in frames.take(FRAMES) {
        let mut rules = rules.into_iter().peekable();
        if let Some(span) = span.filter(|span| !told && span.end > span.start) {
            told = program.is_written_by_user(span);
            // The nearest place of all stands where no text of the user's does.
            if told || place.span.is_none() {
                place.span = Some(span);
                place.rule = rules.peek().map(|pred| program.indicator(*pred));
            }
        } else if let (Some(span), Some(pred)) = (span.filter(|span| span.end > span.start), rules.peek())
            && place.sites.len() < SITES
            && program.is_written_by_user(span)
            && Some(span) != place.span
            && place.sites.iter().all(|(other, _)| *other != span)
        {
            place.sites.push((span, program.indicator(*pred)));
        }
        for pred in rules.filter(|pred| !carries_lambda(program, *pred)) {
            if place.callers.len() < CALLERS && last.replace(pred) != Some(pred) {
                let name = program.indicator(pred);
                if place.callers.last() != Some(&name) {
                    place.callers.push(name);
                }
            }
        }
        if told && place.callers.len() == CALLERS {
            break;
        }
    }
    place
}

/// Whether a predicate of the library only hands on the arguments of a lambda expression; where that
/// is known when it is compiled, nothing does.
fn carries_lambda(program: &Program, pred: PredId) -> bool {
    let key = program.predicate(pred).key;
    key.scope == PRELUDE && key.name.text().starts_with("lambda_call")
}

/// Adds what is known of the place that another lies in.
pub fn add_outer(program: &Program, inner: &mut FaultPlace, outer: &FaultPlace) {
    let told = |place: &FaultPlace| place.span.is_some_and(|span| program.is_written_by_user(span));
    if inner.span.is_none() || !told(inner) && told(outer) {
        (inner.span, inner.rule) = (outer.span, outer.rule.clone());
    }
    let repeated = usize::from(inner.callers.last() == outer.callers.first());
    inner.callers.extend(outer.callers.iter().skip(repeated).cloned());
    inner.callers.truncate(CALLERS);
}
