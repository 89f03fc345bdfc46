//! Finds where a term of another kind is passed on: an element in place of a list, a square in place of a piece.
//!
//! The input is where terms are taken, and what comes there. If several places take one kind of term and
//! never the other kind that comes too, then the place where the two kinds come together is looked for: an
//! argument that calls give differently, or an answer that clauses give differently. Nothing is run. Only
//! `misfit` calls this check.

use crate::rules::flows::{Flow, Taker};
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::shapes::GameShapes;
use crate::rules::sketch::quoted;
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
enum Kind {
    Functor(Atom, usize),
    Name,
    Number,
    Text,
    List,
    Tree,
}

impl Kind {
    fn of(form: &Form) -> Kind {
        match form {
            Form::Compound(name, args, _) => Kind::Functor(*name, args.len()),
            Form::Name(..) | Form::Atom => Kind::Name,
            Form::Number => Kind::Number,
            Form::Text => Kind::Text,
            Form::List(_) | Form::Row(..) => Kind::List,
            Form::Tree(_) => Kind::Tree,
        }
    }

    /// Whether terms of two kinds hardly stand for each other. Lists of facts contain terms with many names,
    /// and goals look only for some.
    fn is_unlike(self, other: Kind) -> bool {
        match (self, other) {
            (Kind::List, _) | (_, Kind::List) => true,
            (Kind::Name | Kind::Number, Kind::Functor(name, _))
            | (Kind::Functor(name, _), Kind::Name | Kind::Number) => !name.text().starts_with(char::is_alphabetic),
            _ => false,
        }
    }

    /// The kinds of all terms of a shape; `None` if they may be any.
    fn all(shape: &Shape) -> Option<FxHashSet<Kind>> {
        let Shape::Of(forms) = shape else { return None };
        Some(forms.iter().map(Kind::of).collect())
    }
}

/// A place that gives an argument or an answer, and its shape.
type Alternative<'a> = (Span, &'a Shape);

/// The places that take one kind of two, by the kind that they do not take and the kind that they take.
#[derive(Default)]
struct Takers {
    /// They take only the second kind.
    against: BTreeSet<Span>,
    /// They take the first kind too.
    meant: bool,
}

/// Reports arguments and answers of another kind than all places take that they reach.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mut takers: FxHashMap<(Kind, Kind), Takers> = FxHashMap::default();
    for flow in &known.flows {
        let takes = matches!(flow.taker, Taker::Question | Taker::Head | Taker::Element | Taker::List | Taker::Needs);
        if takes && let (Shape::Of(_), Shape::Of(forms)) = (&flow.takes, &flow.made) {
            compare(flow, forms, &mut takers);
        }
    }
    let mut groups: BTreeMap<(PredId, usize, bool), Vec<Alternative<'_>>> = BTreeMap::new();
    for flow in known.flows.iter().filter(|flow| matches!(flow.taker, Taker::Call | Taker::Needs)) {
        groups.entry((flow.pred, flow.place, false)).or_default().push((flow.span, &flow.made));
    }
    for (pred, place, span, shape) in &known.outputs {
        groups.entry((*pred, *place, true)).or_default().push((*span, shape));
    }
    let mut found = Vec::new();
    for ((wrong, right), takers) in takers {
        if takers.meant || takers.against.len() < AGAINST || !wrong.is_unlike(right) {
            continue;
        }
        for group in groups.values() {
            let only = |kind: Kind| {
                group.iter().filter(move |(_, shape)| Kind::all(shape).is_some_and(|all| all.iter().eq([&kind])))
            };
            let Some((like, _)) = only(right).next() else { continue };
            for (span, _) in only(wrong).filter(|(span, _)| !is_constant(program, *span)) {
                found.push(problem(program, (*span, *like), &takers.against));
            }
        }
    }
    found.sort_by_key(|problem| problem.labels[0].0);
    found.dedup_by_key(|problem| problem.labels[0].0);
    found
}

/// Adds which kinds of terms that come to a place it takes, and which it does not.
fn compare(flow: &Flow, forms: &[Form], takers: &mut FxHashMap<(Kind, Kind), Takers>) {
    let fits = |form: &&Form| flow.takes.meet(&Shape::Of(vec![(*form).clone()])) != ShapeMatch::Never;
    let (good, bad): (Vec<&Form>, Vec<&Form>) = forms.iter().partition(fits);
    let [good, bad] = [good, bad].map(|forms| forms.into_iter().map(Kind::of).collect::<FxHashSet<Kind>>());
    for one in &good {
        for other in good.iter().filter(|other| *other != one) {
            takers.entry((*one, *other)).or_default().meant = true;
        }
        for other in bad.difference(&good) {
            takers.entry((*other, *one)).or_default().against.insert(flow.span);
        }
    }
    // A place that takes only what others do not.
    for (one, other) in bad.iter().flat_map(|bad| good.iter().map(move |good| (good, bad))) {
        takers.entry((*one, *other)).or_default().meant = true;
    }
}

/// Whether a place in the text is a constant, which may be meant for a place without a piece.
fn is_constant(program: &Program, span: Span) -> bool {
    let text = program.sources.text(span);
    !text.starts_with(|c: char| c.is_uppercase() || c == '_') && !text.contains(['(', '[', '-', '/', ':'])
}

fn problem(program: &Program, (span, like): (Span, Span), takers: &BTreeSet<Span>) -> Problem {
    let message = format!("{} is another kind of term here than goals match", quoted(&program.sources, span));
    let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
    for taker in takers.iter().take(SHOWN) {
        problem = problem.also(*taker, "this matches another kind of term");
    }
    let (line, file) = (program.sources.line_column(like).0, &program.sources.get(like.source).name);
    problem.help(format!(
        "{} in {file}:{line} is of the right kind\nwrite such a term here",
        quoted(&program.sources, like)
    ))
}
