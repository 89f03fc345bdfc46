//! Finds keys of association lists that no goal looks for, where goals look for keys of another form.
//!
//! The input is the pairs of association lists, and the keys that goals look for. A warning reports each
//! place that makes such a key. Nothing is run. `misfit` calls this check, and `blame` asks whether a key is known.

use crate::rules::flows::Taker;
use crate::rules::game_shapes::GameShapes;
use crate::rules::library::library_name;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Goal, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 2;

/// Predicates of the library that use all keys.
const USE_ALL: [&str; 7] =
    ["assoc_to_list", "assoc_to_keys", "assoc_to_values", "map_assoc", "max_assoc", "min_assoc", "gen_assoc"];

/// Reports the places that make keys which no goal looks for.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    if uses_all(program) {
        return Vec::new();
    }
    let (mut used, mut unused) = (BTreeSet::new(), BTreeMap::<Span, BTreeSet<Span>>::new());
    for flow in known.flows.iter().filter(|flow| flow.taker == Taker::Element) {
        let (Some(wanted), Some(made)) = (keys(&flow.takes), keys(&flow.made)) else { continue };
        let (wanted, Shape::Of(forms)) = (join(&wanted), join(&made)) else { continue };
        for form in forms.iter().filter(|form| matches!(form, Form::Compound(..))) {
            let spans = form.functor().into_iter().flat_map(|(_, spans)| spans.iter().copied());
            match wanted.meet(&Shape::Of(vec![form.clone()])) {
                ShapeMatch::Never => spans.for_each(|span| _ = unused.entry(span).or_default().insert(flow.span)),
                _ => used.extend(spans),
            }
        }
    }
    // If no key is used, the goals are reported.
    unused.retain(|span, _| !used.contains(span) && !used.is_empty());
    unused.into_iter().map(|(span, goals)| problem(program, span, &goals)).collect()
}

/// The shapes of the keys, if all forms are pairs.
fn keys(shape: &Shape) -> Option<Vec<Shape>> {
    let Shape::Of(forms) = shape else { return None };
    let key = |form: &Form| match form {
        Form::Compound(atoms::MINUS, pair, _) if pair.len() == 2 => Some(pair[0].clone()),
        _ => None,
    };
    forms.iter().map(key).collect()
}

fn join(shapes: &[Shape]) -> Shape {
    let mut found = Shape::NONE;
    shapes.iter().for_each(|shape| _ = found.join(shape));
    found
}

/// Whether a goal uses all keys of an association list.
fn uses_all(program: &Program) -> bool {
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let mut found = false;
    for clause in users.flat_map(|pred| &pred.clauses) {
        each_goal(&clause.body, &mut |goal| {
            found |= matches!(goal, Goal::Call { callee, .. } if USE_ALL.contains(&library_name(program, callee)));
        });
    }
    found
}

fn problem(program: &Program, span: Span, goals: &BTreeSet<Span>) -> Problem {
    let message = format!("{} is a key here, and no goal looks for such a key", quoted(&program.sources, span));
    let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
    for goal in goals.iter().take(SHOWN) {
        problem = problem.also(*goal, "this looks for another key");
    }
    problem.help("write the key in the form that the goals look for")
}

/// Whether no pair fits, and one with the value that a goal looks for has a key of another form.
pub(super) fn has_key_of_another_form(takes: &Shape, made: &Shape) -> bool {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return false };
    let [Form::Compound(atoms::MINUS, pair, _)] = &own[..] else { return false };
    let is_other = |form: &Form| match form {
        Form::Compound(atoms::MINUS, parts, _) if parts.len() == 2 && pair.len() == 2 => {
            pair[0].meet(&parts[0]) == ShapeMatch::Never
                && pair[1] != Shape::Any
                && pair[1].meet(&parts[1]) == ShapeMatch::Fits
        }
        _ => false,
    };
    takes.meet(made) == ShapeMatch::Slight && others.iter().any(is_other)
}

/// Whether a goal looks for a key that no pair has, such as 'MAX' where the keys are max and min.
pub(super) fn is_unknown_key(takes: &Shape, made: &Shape) -> bool {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return false };
    let ([Form::Compound(atoms::MINUS, pair, _)], true) = (&own[..], !others.is_empty()) else { return false };
    let [Shape::Of(key), _] = &pair[..] else { return false };
    let [Form::Name(key, _)] = &key[..] else { return false };
    let keys = others.iter().flat_map(|form| match form {
        Form::Compound(atoms::MINUS, pair, _) if pair.len() == 2 => match &pair[0] {
            Shape::Of(keys) => keys.iter().map(Some).collect(),
            Shape::Any => vec![None],
        },
        _ => vec![None],
    });
    let names: Option<Vec<&str>> =
        keys.map(|key| if let Form::Name(name, _) = key? { Some(name.text()) } else { None }).collect();
    names.is_some_and(|names| {
        let is_like = |name: &str| name.len() > 2 && name.eq_ignore_ascii_case(key.text());
        !names.contains(&key.text())
            && (names.iter().any(|name| is_like(name))
                || nearest(key.text(), names.iter().copied()).is_some_and(|near| near.len() > 2))
    })
}
