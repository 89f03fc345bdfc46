//! Finds a label that contains a label: a move puts one round what its helper has made.
//!
//! The input is the warnings about labels that no move makes. If all of these labels are inside
//! another one, the warning is about that one. Nothing is run. Only `misfit` calls this check.

use crate::rules::claimed::best_labels;
use crate::rules::clause_at::clause_at;
use crate::rules::flows::Flow;
use crate::rules::game_shapes::GameShapes;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{quoted, single};
use crate::rules::taker::Taker;
use alphorn_lang::lang::program::Program;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 3;

/// Replaces the warnings about labels by one about the place that wraps them. Returns whether there
/// is such a place.
pub(super) fn check(program: &Program, known: &GameShapes, problems: &mut Vec<Problem>) -> bool {
    let odd = odd(program, known, problems);
    let Shape::Of(forms) = &known.labels else { return false };
    if odd.is_empty() {
        return false;
    }
    let spans = forms.iter().filter_map(|form| Some(form.functor()?.1)).flatten();
    let found = spans.filter_map(|span| Some((*span, known.written.get(span)?))).find_map(|(span, made)| {
        let Shape::Of(forms) = made else { return None };
        let [Form::Compound(_, args, _)] = &forms[..] else { return None };
        let place = args.iter().position(|arg| {
            let inside = functors(arg);
            odd.iter().all(|(_, functor)| inside.contains(functor))
        })?;
        Some((span, place, &args[place]))
    });
    let Some((span, place, Shape::Of(inner))) = found else { return false };
    let outer = known.written.get(&span).and_then(Shape::functor);
    // Another clause takes the outer label, which is then meant.
    let is_meant = |flow: &Flow| {
        flow.taker == Taker::Question
            && flow.made == known.labels
            && flow.takes.functor() == outer
            && !odd.iter().any(|(span, _)| *span == flow.span)
    };
    if known.flows.iter().any(is_meant) {
        return false;
    }
    let Some(part) = argument(program, span, place) else { return false };
    let own = quoted(&program.sources, span);
    let inner: Vec<String> = inner.iter().take(SHOWN).map(|form| single(form, &program.ops)).collect();
    let message = format!("the label {own} contains another label: {part} is {}", inner.join(" or "));
    let mut problem = Problem::warning(Code::ClauseMatchesNoLabel, span, message);
    for (place, _) in odd.iter().take(SHOWN) {
        problem = problem.also(*place, "this matches the inner label");
    }
    let inside = |problem: &Problem| odd.iter().any(|(span, _)| span.contains(problem.labels[0].0));
    problems.retain(|problem| problem.code != Code::ClauseMatchesNoLabel || !inside(problem));
    problems.push(problem.help(format!("write {part} here")));
    true
}

/// The labels in heads and expectations that a warning is about.
fn odd(program: &Program, known: &GameShapes, problems: &[Problem]) -> Vec<(Span, (Atom, usize))> {
    let heads = known.flows.iter().filter(|flow| flow.taker == Taker::Question && flow.made == known.labels);
    let heads = heads.filter_map(|flow| match &flow.takes {
        Shape::Of(forms) => Some((flow.span, forms.first()?.functor()?.0)),
        Shape::Any => None,
    });
    let claims = best_labels(program).into_iter();
    let claims = claims.filter_map(|(tree, node)| Some((tree.span(node), tree.functor(node)?)));
    let told = |span: Span| {
        problems.iter().any(|problem| problem.code == Code::ClauseMatchesNoLabel && span.contains(problem.labels[0].0))
    };
    heads.chain(claims).filter(|(span, _)| told(*span)).collect()
}

/// The names and arities of the terms of a shape, if all are compound terms.
fn functors(shape: &Shape) -> FxHashSet<(Atom, usize)> {
    let Shape::Of(forms) = shape else { return FxHashSet::default() };
    match forms.iter().all(|form| matches!(form, Form::Compound(..))) {
        true => forms.iter().filter_map(|form| Some(form.functor()?.0)).collect(),
        false => FxHashSet::default(),
    }
}

/// The text of an argument of the term at a place.
fn argument(program: &Program, span: Span, place: usize) -> Option<String> {
    let tree = &clause_at(program, span)?.tree;
    let (node, _) = tree.nodes().find(|(node, _)| tree.span(*node) == span && !tree.args(*node).is_empty())?;
    Some(quoted(&program.sources, tree.span(*tree.args(node).get(place)?)))
}
