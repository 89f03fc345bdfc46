//! Finds lists in positions that get elements which no rule looks for.
//!
//! The first position has elements of one form, and the rules look for these only. A warning reports
//! the goal of a move that puts another form into the list, and the place that puts an atom or a list
//! among compound terms. Nothing is run. Only `misfit` calls this
//! check.

use crate::rules::clause_at::clause_at;
use crate::rules::contract::Contract;
use crate::rules::game_shapes::{GameShapes, OpeningShapes};
use crate::rules::inner::Inners;
use crate::rules::meet::ShapeMatch;
use crate::rules::needs::Needs;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{quoted, single};
use crate::rules::turned::{TakingPlace, takers};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Clause, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// The least number of predicates that must look for other elements.
const AGAINST: usize = 2;

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 3;

/// Reports every move that puts an element of another form into a list of a position. `first` has
/// the shapes of first positions and of the moves from there.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes, first: &OpeningShapes) -> Vec<Problem> {
    let Shape::Of(forms) = &known.positions else { return Vec::new() };
    let steps: Vec<(Atom, usize)> = forms
        .iter()
        .filter_map(|form| Some(form.functor()?.0))
        .flat_map(|(name, arity)| (0..arity).map(move |place| (name, place)))
        .collect();
    let strays: Vec<((Atom, usize), Form, Form)> = steps
        .iter()
        .filter_map(|step| {
            let (usual, stray) = stray(&first.positions.at(&[*step]), &known.positions.at(&[*step]))?;
            Some((*step, usual, stray))
        })
        .chain(steps.iter().flat_map(|step| {
            let (first, all) = (first.positions.at(&[*step]), known.positions.at(&[*step]));
            bare(&first, &all).into_iter().map(|(usual, stray)| (*step, usual, stray))
        }))
        .collect();
    if strays.is_empty() {
        return Vec::new();
    }
    let inners = Inners::of(program);
    let places = takers(program, contract, &Needs::new(program, &inners), 0);
    let mut found = Vec::new();
    for (step, usual, stray) in strays {
        let takes = |place: &TakingPlace, form: &Form| {
            let elements = place.takes.at(&[step]).elements();
            let is_told = matches!(&elements, Shape::Of(forms) if !forms.is_empty());
            is_told.then(|| elements.meet(&Shape::of(vec![form.clone()])) == ShapeMatch::Fits)
        };
        // A place that says nothing of the elements may take any.
        let open = |place: &TakingPlace| place.takes.at(&[step]) == Shape::of(vec![Form::List(Shape::Any)]);
        let against: Vec<&TakingPlace> = places
            .iter()
            .filter(|place| {
                let is_bare = !matches!(stray, Form::Compound(..));
                takes(place, &stray) == Some(false) && (is_bare || takes(place, &usual) == Some(true))
            })
            .collect();
        let preds: FxHashSet<PredId> = against.iter().filter_map(|place| place.pred).collect();
        let meant = places.iter().any(|place| takes(place, &stray) == Some(true) || open(place));
        if preds.len() < AGAINST || meant {
            continue;
        }
        if let Some(place) = put(program, known, &stray) {
            if found.iter().all(|other: &Problem| other.labels[0].0 != place) {
                found.push(bare_problem(program, place, &stray, &first.positions.at(&[step]).elements()));
            }
            continue;
        }
        // Elsewhere, an atom or a list among compound terms may be meant.
        if !matches!(stray, Form::Compound(..)) {
            continue;
        }
        let makers = forms.iter().filter_map(Form::functor).filter(|((name, _), _)| *name == step.0);
        for span in makers.flat_map(|(_, spans)| spans) {
            let made = first.written.get(span).map(|shape| shape.at(&[step]).elements());
            let like = |form: &Form| form.functor().map(|it| it.0) == stray.functor().map(|it| it.0);
            if matches!(&made, Some(Shape::Of(forms)) if forms.iter().any(like)) {
                let place = putting(program, *span, step.1).unwrap_or(*span);
                found.push(problem(program, place, (&usual, &stray), &against));
            }
        }
    }
    found
}

/// The only form of the elements of a list at first, and another form that moves add.
fn stray(first: &Shape, all: &Shape) -> Option<(Form, Form)> {
    let (Shape::Of(usual), Shape::Of(forms)) = (first.elements(), all.elements()) else { return None };
    let [usual @ Form::Compound(..)] = &usual[..] else { return None };
    let other = |form: &&Form| matches!(form, Form::Compound(..)) && functor(form) != functor(usual);
    let mut others = forms.iter().filter(other);
    let stray = others.next()?;
    others.next().is_none().then(|| (usual.clone(), stray.clone()))
}

/// The first compound term of the elements of a list at first, and each element without a functor that moves add:
/// an atom or a list.
fn bare(first: &Shape, all: &Shape) -> Vec<(Form, Form)> {
    let (Shape::Of(usual), Shape::Of(forms)) = (first.elements(), all.elements()) else { return Vec::new() };
    let Some(model) = usual.first().filter(|_| usual.iter().all(|form| matches!(form, Form::Compound(..)))) else {
        return Vec::new();
    };
    let is_bare = |form: &&Form| matches!(form, Form::Name(..) | Form::Atom | Form::List(_) | Form::Row(..));
    forms.iter().filter(is_bare).map(|form| (model.clone(), form.clone())).collect()
}

/// The only place of a text that puts an element without a functor into a list.
fn put(program: &Program, known: &GameShapes, stray: &Form) -> Option<Span> {
    if matches!(stray, Form::Compound(..)) {
        return None;
    }
    let takes = Shape::of(vec![stray.clone()]);
    let is_it = |(span, shape): &(&Span, &Shape)| {
        let Shape::Of(forms) = shape else { return false };
        let alike = |form: &Form| takes.meet(&Shape::of(vec![form.clone()])) < ShapeMatch::Word;
        // An atom that is written there is meant, such as `passed`.
        let is_written = |form: &Form| matches!(form, Form::Name(_, origin) if origin.0.contains(span));
        !forms.is_empty() && forms.iter().all(|form| alike(form) && !is_written(form))
    };
    let mut places: Vec<Span> = known.put.iter().filter(is_it).map(|(span, _)| *span).collect();
    places.retain(|span| program.is_written_by_user(*span));
    places.first().copied().filter(|_| places.len() == 1)
}

fn functor(form: &Form) -> Option<(Atom, usize)> {
    form.functor().map(|(functor, _)| functor)
}

/// The goal that gives an argument of the term at a place its value, or else the argument.
fn putting(program: &Program, span: Span, place: usize) -> Option<Span> {
    let clause = clause_at(program, span)?;
    let tree = &clause.tree;
    let (node, _) = tree.nodes().find(|(node, _)| tree.span(*node) == span && !tree.args(*node).is_empty())?;
    let arg = *tree.args(node).get(place)?;
    match tree.kind(arg) {
        TermKind::Var(number) => giving(clause, *number),
        _ => Some(tree.span(arg)),
    }
}

/// The first goal with a variable.
fn giving(clause: &Clause, number: u32) -> Option<Span> {
    let is = |node: &NodeId| matches!(clause.tree.kind(*node), TermKind::Var(other) if *other == number);
    let mut found = None;
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { args, span, .. } = goal
            && args.iter().any(is)
        {
            found = found.or(Some(*span));
        }
    });
    found
}

/// The problem of an atom or a list among compound terms.
fn bare_problem(program: &Program, span: Span, stray: &Form, usual: &Shape) -> Problem {
    let own = quoted(&program.sources, span);
    let what = if matches!(stray, Form::List(_) | Form::Row(..)) { "a list" } else { "an atom" };
    let message = format!("{own} is {what} in a list of a position, and no clause looks for it");
    let mut forms: Vec<String> = match usual {
        Shape::Of(forms) => forms.iter().map(|form| single(form, &program.ops)).collect(),
        Shape::Any => Vec::new(),
    };
    forms.truncate(SHOWN);
    let help = format!("the list has elements {}: write such a term here", forms.join(" or "));
    Problem::warning(Code::ClauseMatchesNoPosition, span, message).help(help)
}

fn problem(program: &Program, span: Span, (usual, stray): (&Form, &Form), against: &[&TakingPlace]) -> Problem {
    let [usual, stray] = [usual, stray].map(|form| single(form, &program.ops));
    let text = quoted(&program.sources, span);
    let message = format!("{text} puts {stray} into a list of a position, and no clause looks for it");
    let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
    for place in against.iter().take(SHOWN) {
        problem = problem.also(place.span, format!("this looks for {usual}"));
    }
    problem.help(format!("put {usual} into the list here"))
}
