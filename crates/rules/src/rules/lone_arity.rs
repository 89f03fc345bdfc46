//! Finds a part of positions that is written once and lacks an argument.
//!
//! All other terms with its name have more arguments, and play brings both to the same place in positions. So no head
//! and no goal takes the term apart. The input is the shape of positions. Nothing is run. Only `misfit` calls this
//! check.

use crate::rules::game_shapes::GameShapes;
use crate::rules::lone::written;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{quoted, single};
use alphorn_lang::lang::program::Program;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// The least number of other terms with the name.
const AGAINST: usize = 3;

/// Predicates that take terms of any name and number of arguments apart.
const TAKERS: &[(&str, usize)] = &[("functor", 3), ("arg", 3), ("=..", 2), ("compound_name_arguments", 3)];

/// Reports such parts.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let Shape::Of(positions) = &known.positions else { return Vec::new() };
    // A whole position of another form is reported elsewhere.
    let mut pairs = Vec::new();
    positions.iter().for_each(|form| gather_inside(form, &mut pairs));
    if pairs.is_empty() {
        return Vec::new();
    }
    let places = written(program);
    if TAKERS.iter().any(|(name, arity)| places.contains_key(&(Atom::new(name), *arity))) {
        return Vec::new();
    }
    let count = |form: &Form| form.functor().and_then(|(functor, _)| places.get(&functor)).map_or(0, FxHashSet::len);
    let called: FxHashSet<Atom> = program.predicates.iter().map(|pred| pred.key.name).collect();
    let mut found: Vec<Problem> = Vec::new();
    for (odd, usual) in pairs {
        let (Some((functor, &[span])), Some((_, others))) = (odd.functor(), usual.functor()) else { continue };
        // A goal or a closure has fewer arguments than its predicate.
        if count(odd) != 1 || count(usual) < AGAINST || called.contains(&functor.0) {
            continue;
        }
        if !program.is_written_by_user(span) || found.iter().any(|other| other.labels[0].0 == span) {
            continue;
        }
        let message = format!("{} is made here, and no goal matches it", quoted(&program.sources, span));
        let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
        if let Some(other) = others.first() {
            problem = problem.also(*other, "this is made for the same place");
        }
        found.push(problem.help(format!("write {} here", single(usual, &program.ops))));
    }
    found
}

/// Adds every two forms of one place inside of a form that have the same name, the one with fewer arguments first.
fn gather_inside<'a>(form: &'a Form, found: &mut Vec<(&'a Form, &'a Form)>) {
    let parts = match form {
        Form::Compound(_, parts, _) | Form::Row(parts, _) => &parts[..],
        Form::List(of) | Form::Tree(of) => std::slice::from_ref(of),
        Form::Name(..) | Form::Atom | Form::Number | Form::Text => &[],
    };
    for part in parts {
        let Shape::Of(forms) = part else { continue };
        for form in forms {
            let differs = |other: &&Form| match (form, *other) {
                (Form::Compound(name, args, _), Form::Compound(own, more, _)) => name == own && args.len() < more.len(),
                _ => false,
            };
            found.extend(forms.iter().filter(differs).map(|other| (form, other)));
            gather_inside(form, found);
        }
    }
}
