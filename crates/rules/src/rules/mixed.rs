//! Finds clauses that answer with an element where other clauses answer with a list, or the other way round.
//!
//! The input is where terms are taken, what comes there, and what each clause of a helper answers. If
//! several goals need a list and never take the element that comes too, the clause that answers with the
//! element is wrong. Nothing is run. Only `misfit` calls this check.

use crate::rules::flows::Flow;
use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use crate::rules::taker::Taker;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The least number of places that must take only the other kind.
const AGAINST: usize = 2;

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 2;

/// What terms of one form have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TermKey {
    Functor(Atom, usize),
    Name,
    Number,
    Text,
    List,
    Tree,
}

impl TermKey {
    fn of(form: &Form) -> TermKey {
        match form {
            Form::Compound(name, args, _) => TermKey::Functor(*name, args.len()),
            Form::Name(..) | Form::Atom => TermKey::Name,
            Form::Number => TermKey::Number,
            Form::Text => TermKey::Text,
            Form::List(_) | Form::Row(..) => TermKey::List,
            Form::Tree(_) => TermKey::Tree,
        }
    }

    /// The key of all terms of a shape, if they have one.
    fn only(shape: &Shape) -> Option<TermKey> {
        let Shape::Of(forms) = shape else { return None };
        let keys: FxHashSet<TermKey> = forms.iter().map(TermKey::of).collect();
        keys.iter().next().copied().filter(|_| keys.len() == 1)
    }
}

/// The places that take one of two kinds of terms.
#[derive(Default)]
struct Takers {
    /// They take only the second kind.
    against: BTreeSet<Span>,
    /// Whether one of them is a predicate of the library that needs a list, or a part of a term.
    sure: bool,
    /// Whether a place takes the first kind.
    meant: bool,
}

/// Reports answers that are no lists where all places need lists, or lists where no place takes one.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    // By the kind that is not taken and the kind that is.
    let mut takers: FxHashMap<(TermKey, TermKey), Takers> = FxHashMap::default();
    for flow in &known.flows {
        let takes = matches!(flow.taker, Taker::Question | Taker::Head | Taker::Element | Taker::List | Taker::Needs);
        if takes && let (Shape::Of(_), Shape::Of(forms)) = (&flow.takes, &flow.made) {
            compare((flow.span, flow.taker == Taker::List), &flow.takes, forms, &mut takers);
            parts(flow, &mut takers);
        }
    }
    let mut answers: BTreeMap<(PredId, usize), Vec<(Span, TermKey)>> = BTreeMap::new();
    for (pred, place, span, shape) in &known.outputs {
        if let Some(key) = TermKey::only(shape) {
            answers.entry((*pred, *place)).or_default().push((*span, key));
        }
    }
    let mut found = BTreeMap::new();
    for ((wrong, right), takers) in &takers {
        let is_list = *wrong == TermKey::List || *right == TermKey::List;
        if takers.meant || takers.against.is_empty() || takers.against.len() < AGAINST && !takers.sure || !is_list {
            continue;
        }
        for clauses in answers.values() {
            let only = |kind: TermKey| clauses.iter().filter(move |(_, key)| *key == kind).map(|(span, _)| *span);
            let Some(like) = only(*right).next() else { continue };
            for span in only(*wrong).filter(|span| !is_constant(program, *span)) {
                let needs = if *right == TermKey::List { "a list" } else { "an element" };
                found.insert((span, like), problem(program, (span, like), needs, &takers.against));
            }
        }
    }
    let mut found: Vec<Problem> = found.into_values().collect();
    found.dedup_by_key(|problem| problem.labels[0].0);
    found
}

/// Records which kinds of parts of an element a goal looks for that some elements have, and that none has.
fn parts(flow: &Flow, takers: &mut FxHashMap<(TermKey, TermKey), Takers>) {
    let (Taker::Element, Shape::Of(own), Shape::Of(others)) = (flow.taker, &flow.takes, &flow.made) else { return };
    let [Form::Compound(name, args, _)] = &own[..] else { return };
    let mut alike = others.iter().filter_map(|form| match form {
        Form::Compound(other, parts, _) if other == name && parts.len() == args.len() => Some(parts),
        _ => None,
    });
    let Some(parts) = alike.next().filter(|_| alike.next().is_none()) else { return };
    for (arg, part) in args.iter().zip(parts) {
        if let (Shape::Of(forms), Shape::Of(known)) = (arg, part)
            && !known.is_empty()
        {
            compare((flow.span, true), part, forms, takers);
        }
    }
}

/// Records which kinds of terms a place accepts and which it rejects.
fn compare(
    (span, sure): (Span, bool),
    takes: &Shape,
    forms: &[Form],
    takers: &mut FxHashMap<(TermKey, TermKey), Takers>,
) {
    let fits = |form: &&Form| takes.meet(&Shape::of(vec![(*form).clone()])) != ShapeMatch::Never;
    let (good, bad): (Vec<&Form>, Vec<&Form>) = forms.iter().partition(fits);
    let [good, bad] = [good, bad].map(|forms| forms.into_iter().map(TermKey::of).collect::<FxHashSet<TermKey>>());
    for one in &good {
        for other in good.iter().filter(|other| *other != one) {
            takers.entry((*one, *other)).or_default().meant = true;
        }
        for other in bad.difference(&good) {
            let of = takers.entry((*other, *one)).or_default();
            of.against.insert(span);
            of.sure |= sure;
            takers.entry((*one, *other)).or_default().meant = true;
        }
    }
}

/// Whether a place in the text is a constant, which may be meant for a place without a piece.
fn is_constant(program: &Program, span: Span) -> bool {
    let text = program.sources.text(span);
    !text.starts_with(|c: char| c.is_uppercase() || c == '_') && !text.contains(['(', '[', '-', '/', ':'])
}

fn problem(program: &Program, (span, like): (Span, Span), needs: &str, takers: &BTreeSet<Span>) -> Problem {
    let message =
        format!("{} is not {needs} here, but the goals that use it need {needs}", quoted(&program.sources, span));
    let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
    for taker in takers.iter().take(SHOWN) {
        problem = problem.also(*taker, format!("this needs {needs}"));
    }
    let (line, file) = (program.sources.line_column(like).0, &program.sources.get(like.source).name);
    problem.help(format!("{} in {file}:{line} is {needs}\nwrite such a term here", quoted(&program.sources, like)))
}
