//! Describes the place of a fault, for both solvers.
//!
//! The input is the spans and predicates around a goal, the innermost first, as a solver walks its
//! frames. The result is a [`FaultPlace`], which prefers the user's text to a library.

use crate::machine::fault::FaultPlace;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::Heap;
use crate::term::write::{Names, WriteOptions, brief};
use alphorn_lang::lang::program::{PRELUDE, PredId, Program};
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;

/// Greatest number of frames searched, and greatest number of callers listed.
const FRAMES: usize = 1 << 20;
const CALLERS: usize = 8;
/// Greatest number of call places listed.
const SITES: usize = 4;

/// Formats a goal as a line of text.
pub fn goal_text(store: &Store, goal: Term) -> String {
    let style = WriteOptions { quoted: true, operators: Some(&store.ops), number_vars: false, stop: None, limit: 200 };
    let mut text = String::new();
    let mut names = Names::default();
    brief(&store.heap, (goal, 1200), style, &mut names, &mut text);
    text
}

/// Adds arguments to a goal; a lambda expression stays as it is.
pub fn completed(heap: &mut Heap, goal: Term, more: &[Term]) -> Term {
    match heap.functor(goal) {
        Some((name, _)) if !more.is_empty() && name != atoms::LAMBDA => {
            let args = [heap.args(goal).as_slice(), more].concat();
            heap.structure(name, &args)
        }
        _ => goal,
    }
}

/// The place of a goal. Each frame gives the span of its goal and the predicates of the clause, the
/// innermost frame first.
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
            // Without any text of the user, the innermost place counts.
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

/// Whether a library predicate only passes on the arguments of a lambda expression. If the lambda is
/// known at compile time, no such predicate exists.
fn carries_lambda(program: &Program, pred: PredId) -> bool {
    let key = program.predicate(pred).key;
    key.scope == PRELUDE && key.name.text().starts_with("lambda_call")
}
