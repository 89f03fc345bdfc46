//! Finds the places that make a term which does not fit where it is taken.
//!
//! The input is a [`Flow`]. The result is where the rules write the term, or the answer of a helper from
//! which it comes. Nothing is run. Only `blame` calls this module.

use crate::rules::clause_at::clause_at;
use crate::rules::flows::Flow;
use crate::rules::game_shapes::GameShapes;
use crate::rules::library::{FlowDirection, Type, library_name, rows};
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::taker::Taker;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use rustc_hash::FxHashSet;

/// The greatest number of places that are returned.
const MOST: usize = 2;

/// The number of helpers through which a variable is followed.
const FOLLOWED: usize = 3;

/// The places that make the term of a flow, if they are not where it is taken.
pub(super) fn makers(program: &Program, known: &GameShapes, flow: &Flow) -> Vec<Span> {
    let Shape::Of(forms) = &flow.made else { return Vec::new() };
    let misfit = |form: &&Form| flow.takes.meet(&Shape::of(vec![(*form).clone()])) != ShapeMatch::Fits;
    let wanted = flow.takes.functor();
    let sources = &program.sources;
    let mut found: Vec<Span> = match flow.taker {
        // Of all elements, only those that are meant tell something.
        Taker::Element | Taker::Key | Taker::Removed => {
            let named = forms.iter().filter(|form| form.functor().is_some_and(|(own, _)| Some(own.0) == wanted));
            named.filter(misfit).flat_map(written).collect()
        }
        _ => forms.iter().filter(misfit).flat_map(written).collect(),
    };
    if found.is_empty() {
        found = odd_parts(&flow.takes, &flow.made);
    }
    if found.is_empty() {
        found = answered(program, known, flow);
    }
    let own = clause_at(program, flow.span).map(|clause| clause.tree.span(clause.head));
    found.retain(|span| *span != flow.span && own.is_none_or(|head| !head.contains(*span) || flow.from.is_none()));
    // Of several places in a line, one is enough.
    let mut seen = FxHashSet::default();
    found.retain(|span| seen.insert((span.source.0, sources.line_column(*span).0)));
    found.truncate(MOST);
    found
}

/// The places in the text that make a form.
fn written(form: &Form) -> impl Iterator<Item = Span> + '_ {
    form.functor().into_iter().flat_map(|(_, spans)| spans.iter().copied())
}

/// The places that make the parts which do not fit, if the library made the terms around them: the pairs of an
/// association list.
fn odd_parts(takes: &Shape, made: &Shape) -> Vec<Span> {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return Vec::new() };
    let ([Form::Compound(_, args, _)], [Form::Compound(_, parts, origin)]) = (&own[..], &others[..]) else {
        return Vec::new();
    };
    let odd = args.iter().zip(parts).filter(|(own, part)| origin.0.is_empty() && own.meet(part) != ShapeMatch::Fits);
    let forms = odd.filter_map(|(_, part)| if let Shape::Of(forms) = part { Some(forms) } else { None });
    forms.flatten().flat_map(written).collect()
}

/// Marks the part in which a made term differs from one that is taken, if it is made outside of `whole`.
pub(super) fn with_part(problem: Problem, what: &str, (takes, made): (&Shape, &Shape), whole: Span) -> Problem {
    match differing(takes, made).into_iter().find(|part| !whole.contains(*part)) {
        Some(part) => problem.also(part, format!("a part of the {what} is made here")),
        None => problem,
    }
}

/// The places that make the part in which a made term differs from the one that is taken.
fn differing(takes: &Shape, made: &Shape) -> Vec<Span> {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return Vec::new() };
    if let ([Form::Compound(name, args, _)], [Form::Compound(other, parts, _)]) = (&own[..], &others[..])
        && (name, args.len()) == (other, parts.len())
    {
        let odd = args.iter().zip(parts).find(|(own, part)| own.meet(part) != ShapeMatch::Fits);
        return odd.map_or_else(Vec::new, |(own, part)| differing(own, part));
    }
    // Terms with as many arguments come first: their name may be wrong.
    let arity = |form: &Form| form.functor().map(|((_, arity), _)| arity);
    let mut others: Vec<&Form> = others.iter().collect();
    others.sort_by_key(|form| !own.iter().any(|own| arity(own) == arity(form)));
    others.into_iter().flat_map(written).collect()
}

/// The answers of a helper that do not fit, if a goal before the flow binds the variable to them.
fn answered(program: &Program, known: &GameShapes, flow: &Flow) -> Vec<Span> {
    let mut at = flow.span;
    for _ in 0..FOLLOWED {
        let Some((pred, place)) = binder(program, known, at) else { return Vec::new() };
        let answers = known.outputs.iter().filter(|(own, at, ..)| (*own, *at) == (pred, place));
        let odd = answers.filter(|(.., shape)| flow.takes.meet(shape) != ShapeMatch::Fits);
        let found: Vec<Span> = odd.map(|(_, _, span, _)| *span).collect();
        match found[..] {
            // The answer of this helper may be the answer of another one.
            [only] if binder(program, known, only).is_some() => at = only,
            _ => return found,
        }
    }
    vec![at]
}

/// The helper whose answer a variable is, and the argument number.
fn binder(program: &Program, known: &GameShapes, span: Span) -> Option<(PredId, usize)> {
    let clause = clause_at(program, span)?;
    let tree = &clause.tree;
    let number = tree.nodes().find_map(|(node, kind)| match kind {
        TermKind::Var(number) if tree.span(node) == span => Some(*number),
        _ => None,
    })?;
    let in_head = tree.span(clause.head).contains(span);
    let is = |node: &NodeId| matches!(tree.kind(*node), TermKind::Var(other) if *other == number);
    let mut found = None;
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee: Callee::User(pred), args, span: own, .. } = goal
            && found.is_none()
            && (in_head || own.end <= span.start)
            && program.is_users(program.predicate(*pred).key.scope)
            && let Some(place) = args.iter().position(is)
        {
            let answers = known.outputs.iter().any(|(other, at, _, shape)| {
                (*other, *at) == (*pred, place) && matches!(shape, Shape::Of(forms) if !forms.is_empty())
            });
            found = Some((*pred, place)).filter(|_| answers);
        }
    });
    found
}

/// The argument of a goal of the library that needs a variable of the head to be a list or an association list.
pub(super) fn needing(program: &Program, clause: &Clause, arg: NodeId) -> Option<Span> {
    let TermKind::Var(number) = clause.tree.kind(arg) else { return None };
    let mut found = None;
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee, args, .. } = goal else { return };
        let Some(row) = rows(library_name(program, callee), args.len()).first() else { return };
        for (part, node) in row.iter().zip(args) {
            let needs = part.mode == FlowDirection::From && matches!(part.of, Type::List(_) | Type::Tree(_));
            if needs && matches!(clause.tree.kind(*node), TermKind::Var(other) if other == number) {
                found = found.or(Some(clause.tree.span(*node)));
            }
        }
    });
    found
}
