//! Finds a term that is made with two arguments in another order than all other terms of its name.
//!
//! The input is the shapes of the terms in the text. If the other places make terms with other parts there, and the
//! exchange makes the term like them, a warning reports the term. Nothing is run. Only `misfit` calls this check.

use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::quoted;
use alphorn_lang::lang::program::{Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use std::collections::BTreeMap;

/// The least number of other places that make such terms.
const OTHERS: usize = 2;

/// The greatest number of places of one name that are compared.
const MOST: usize = 200;

/// The places that make terms of one name, each with the shapes of the arguments.
type Places<'a> = Vec<(Span, &'a [Shape])>;

/// Reports every term with two arguments in another order than all others.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mut made: BTreeMap<(&str, usize), Places<'_>> = BTreeMap::new();
    for (span, shape) in &known.written {
        let Shape::Of(forms) = shape else { continue };
        let [Form::Compound(name, args, _)] = &forms[..] else { continue };
        if args.len() > 1 && is_record(program, *name, args.len()) {
            made.entry((name.text(), args.len())).or_default().push((*span, args));
        }
    }
    let mut found = Vec::new();
    for ((name, arity), mut places) in
        made.into_iter().filter(|(_, places)| (OTHERS + 1..=MOST).contains(&places.len()))
    {
        places.sort_by_key(|(span, _)| *span);
        for (at, (span, args)) in places.iter().enumerate() {
            let others: Vec<&[Shape]> =
                places.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, (_, args))| *args).collect();
            let Some((one, other)) = exchanged(args, &others, arity) else { continue };
            let text = quoted(&program.sources, *span);
            let message = format!("{text} has its arguments in another order than all other terms {name}/{arity}");
            let help = format!("exchange the arguments {} and {}", one + 1, other + 1);
            found.push(Problem::warning(Code::ArgumentOrder, *span, message).help(help));
        }
    }
    found
}

/// Whether a name belongs to terms, and not to a predicate or operator.
fn is_record(program: &Program, name: Atom, arity: usize) -> bool {
    name.text().starts_with(char::is_alphabetic)
        && program.ops.infix(name).is_none()
        && program.resolve_typed(USER, name, arity).is_none()
}

/// The two arguments whose exchange makes a term like all others. Constants alone prove nothing: a list of edges has
/// them in any order.
fn exchanged(args: &[Shape], others: &[&[Shape]], arity: usize) -> Option<(usize, usize)> {
    let all = |place: usize| {
        let mut joined = Shape::NONE;
        others.iter().for_each(|other| _ = joined.join(&other[place]));
        joined
    };
    let all: Vec<Shape> = (0..arity).map(all).collect();
    let is_told = |shape: &Shape| matches!(shape, Shape::Of(forms) if !forms.is_empty());
    let is_open = |shape: &Shape| matches!(shape, Shape::Of(forms) if forms.len() > 1 || forms.contains(&Form::Number));
    let fits = |one: &Shape, other: &Shape| one.meet(other) == ShapeMatch::Fits;
    let pairs = (0..arity).flat_map(|one| (one + 1..arity).map(move |other| (one, other)));
    pairs.into_iter().find(|(one, other)| {
        let (one, other) = (*one, *other);
        [&args[one], &args[other], &all[one], &all[other]].into_iter().all(is_told)
            && others.iter().any(|args| is_open(&args[one]) || is_open(&args[other]))
            && !fits(&args[one], &all[one])
            && !fits(&args[other], &all[other])
            && fits(&args[one], &all[other])
            && fits(&args[other], &all[one])
    })
}
