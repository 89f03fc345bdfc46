//! Parts of terms that are made otherwise than all others: with another sign, with their parts exchanged, or as a
//! sum that nobody computes.
//!
//! In: where terms are taken and what comes there. Out: a warning for each place that makes such a part. Runs
//! nothing; called by `misfit` alone.

use crate::rules::contract::Contract;
use crate::rules::flows::{Flow, Taker};
use crate::rules::meet::{Meet, is_exchanged};
use crate::rules::shape::{Form, Shape};
use crate::rules::shapes::Known;
use crate::rules::sketch::quoted;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Parts deeper than this are not compared.
const DEEPEST: usize = 4;

/// Places that are marked beside the mistake, at most.
const SHOWN: usize = 3;

/// So many predicates must take another part, before one is wrong.
const AGAINST: usize = 2;

/// A way into a term: the name there, its number of arguments, and which of them.
type Path = Vec<(Atom, usize, usize)>;

/// A part of a term: the way to it, where it is made, and what is made there.
struct Part<'a> {
    path: Path,
    span: Span,
    shape: Shape,
    flow: &'a Flow,
}

/// See the module.
pub(super) fn check(program: &Program, contract: &Contract, known: &Known) -> Vec<Problem> {
    let mut parts = Vec::new();
    // What looks for an element is wrong as well, if the lists never hold it.
    let elements = known.flows.iter().filter(|flow| flow.taker == Taker::Element);
    let mirrored: Vec<Flow> =
        elements.map(|flow| Flow { takes: flow.made.clone(), made: flow.takes.clone(), ..*flow }).collect();
    let flows = known.flows.iter().filter(|flow| matches!(flow.taker, Taker::Element | Taker::Head));
    for flow in flows.chain(&mirrored) {
        gather(known, flow, &flow.made, &mut Vec::new(), &mut parts);
    }
    let mut found: Vec<Problem> = Vec::new();
    let mut by_place: FxHashMap<Span, Vec<&Part<'_>>> = FxHashMap::default();
    parts.iter().for_each(|part| by_place.entry(part.span).or_default().push(part));
    let mut places: Vec<_> = by_place.into_iter().collect();
    places.sort_by_key(|(span, _)| *span);
    for (span, own) in places {
        let (against, others): (Vec<_>, Vec<_>) = own.into_iter().partition(|part| contradicts(part));
        // What takes it, and nothing else, is meant for it.
        let meant = |part: &&Part<'_>| {
            let there = parts.iter().filter(|other| std::ptr::eq(other.flow, part.flow) && other.path == part.path);
            let mut there = there.filter(|other| other.span != span);
            !is_its_own(&part.flow.takes, span) && there.any(|other| meet(other, &other.shape) != Meet::Fits)
        };
        let against: Vec<_> = against.into_iter().filter_map(|part| Some((part, sibling(part, &parts)?))).collect();
        let preds: FxHashSet<PredId> = against.iter().map(|(part, _)| part.flow.pred).collect();
        let told = || found.iter().any(|other| within(span, other.labels[0].0));
        if preds.len() < AGAINST || others.iter().any(meant) || told() {
            continue;
        }
        let like = against[0].1;
        let message = format!("{} is made here, and no goal matches it", quoted(&program.sources, span));
        let mut problem = Problem::warning("A0311", span, message);
        for (part, _) in against.iter().take(SHOWN) {
            problem = problem.also(part.flow.span, "this matches another term");
        }
        let line = program.sources.line_column(like.span).0;
        let other = quoted(&program.sources, like.span);
        let file = &program.sources.get(like.span.source).name;
        found.push(problem.help(format!("{file}:{line} makes {other} for the same place\nwrite such a term here")));
    }
    sums(program, contract, known, &mut found);
    found
}

fn within(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

/// Whether what takes a term is made in the same place as that.
fn is_its_own(takes: &Shape, span: Span) -> bool {
    let (mut stack, mut found) = (vec![takes], false);
    while let Some(Shape::Of(forms)) = stack.pop() {
        for form in forms {
            found |= form.functor().is_some_and(|(_, spans)| spans.contains(&span));
            if let Form::Compound(_, args, _) | Form::Row(args, _) = form {
                stack.extend(args.iter().filter(|arg| **arg != Shape::Any));
            }
        }
    }
    found
}

/// Every part of a shape that is made somewhere.
fn gather<'a>(known: &Known, flow: &'a Flow, shape: &Shape, path: &mut Path, found: &mut Vec<Part<'a>>) {
    let Shape::Of(forms) = shape else { return };
    for form in forms {
        let Form::Compound(name, args, origin) = form else { continue };
        for span in &origin.0 {
            let shape = known.written.get(span).cloned().unwrap_or_else(|| Shape::Of(vec![form.clone()]));
            found.push(Part { path: path.clone(), span: *span, shape, flow });
        }
        if path.len() < DEEPEST {
            for (place, arg) in args.iter().enumerate() {
                path.push((*name, args.len(), place));
                gather(known, flow, arg, path, found);
                path.pop();
            }
        }
    }
}

/// Whether what takes a part of a term takes such a one.
fn meet(part: &Part<'_>, shape: &Shape) -> Meet {
    let whole = part.path.iter().rev().fold(shape.clone(), |inner, (name, arity, place)| {
        let mut args = vec![Shape::Any; *arity];
        args[*place] = inner;
        Shape::Of(vec![Form::Compound(*name, args, Default::default())])
    });
    part.flow.takes.meet(&whole)
}

/// Whether what takes a part of a term never takes such a one.
fn contradicts(part: &Part<'_>) -> bool {
    meet(part, &part.shape) == Meet::Never || part.path.is_empty() && part.flow.takes.is_turned(&part.shape)
}

/// A part that comes to the same place and is taken there, of which another one is a slip.
fn sibling<'a>(part: &Part<'_>, parts: &'a [Part<'a>]) -> Option<&'a Part<'a>> {
    parts.iter().find(|other| {
        std::ptr::eq(other.flow, part.flow)
            && other.path == part.path
            && other.span != part.span
            && is_slip(&part.shape, &other.shape)
            && meet(other, &other.shape) == Meet::Fits
    })
}

/// Whether one term is surely the other with another sign, another number of arguments, or its parts exchanged.
fn is_slip(own: &Shape, other: &Shape) -> bool {
    let (Shape::Of(forms), Shape::Of(others)) = (own, other) else { return false };
    let ([Form::Compound(name, args, _)], [Form::Compound(other_name, parts, _)]) = (&forms[..], &others[..]) else {
        return false;
    };
    let sign = |name: &Atom| !name.text().contains(char::is_alphanumeric);
    if name == other_name && args.len() != parts.len() {
        return true;
    }
    // As in toad-1 and toad(1).
    let holds = |args: &[Shape], wanted: &Atom| {
        args.first().is_some_and(
            |arg| matches!(arg, Shape::Of(forms) if matches!(&forms[..], [Form::Name(name, _)] if name == wanted)),
        )
    };
    if sign(name) && holds(args, other_name) || sign(other_name) && holds(parts, name) {
        return true;
    }
    if args.len() != parts.len() {
        return false;
    }
    if name != other_name {
        let alike = || args.iter().zip(parts).all(|(own, other)| other.meet(own) == Meet::Fits);
        return args.len() == 2 && (sign(name) && sign(other_name) || (sign(name) || sign(other_name)) && alike());
    }
    if own.is_turned(other) {
        return true;
    }
    let differ = args.iter().zip(parts).filter(|(own, other)| other.meet(own) >= Meet::Word).count();
    differ > 1 || is_exchanged(own, other) || args.iter().zip(parts).any(|(own, other)| is_slip(own, other))
}

/// Parts of images under symmetry that are made otherwise than those of the positions.
pub(super) fn images(program: &Program, known: &Known) -> Vec<Problem> {
    let mut there = Vec::new();
    below(known, &known.positions, &mut Vec::new(), &mut there);
    let mut found: Vec<Problem> = Vec::new();
    for (pred, shape) in &known.images {
        let mut own = Vec::new();
        below(known, shape, &mut Vec::new(), &mut own);
        for (path, span, made) in own {
            let known = || there.iter().filter(|(other, ..)| *other == path);
            let odd = known().all(|(.., other)| other.meet(&made) != Meet::Fits);
            let Some((_, place, _)) = known().find(|(.., other)| odd && is_slip(&made, other)) else { continue };
            if found.iter().any(|other| other.labels[0].0 == span) {
                continue;
            }
            let name = program.indicator(*pred);
            let message = format!("{name} makes {} where positions have another term", quoted(&program.sources, span));
            let (line, other) = (program.sources.line_column(*place).0, quoted(&program.sources, *place));
            let file = &program.sources.get(place.source).name;
            let help = format!("{file}:{line} makes {other} for the same place\nwrite such a term here");
            found.push(Problem::warning("A0311", span, message).help(help));
        }
    }
    found
}

/// Every part of a shape that is made somewhere, through lists as well.
fn below(known: &Known, shape: &Shape, path: &mut Path, found: &mut Vec<(Path, Span, Shape)>) {
    let Shape::Of(forms) = shape else { return };
    for form in forms {
        let (name, args) = match form {
            Form::Compound(name, args, origin) => {
                for span in &origin.0 {
                    let shape = known.written.get(span).cloned().unwrap_or_else(|| Shape::Of(vec![form.clone()]));
                    found.push((path.clone(), *span, shape));
                }
                (*name, &args[..])
            }
            Form::Row(args, _) => (atoms::DOT, &args[..]),
            Form::List(of) | Form::Tree(of) => (atoms::NIL, std::slice::from_ref(of)),
            _ => continue,
        };
        if path.len() < DEEPEST {
            for (place, arg) in args.iter().enumerate() {
                path.push((name, args.len(), place));
                below(known, arg, path, found);
                path.pop();
            }
        }
    }
}

/// Sums where numbers are needed: in positions where other positions have numbers, in answers of helpers, in results
/// and evaluations.
fn sums(program: &Program, contract: &Contract, known: &Known, found: &mut Vec<Problem>) {
    let results = [contract.static_eval, contract.prefer, contract.extend, contract.reduce];
    for (pred, _, shape) in &known.answers {
        let of_result = contract.outcome == Some(*pred);
        let shape = if of_result { shape.at(&[(Atom::new("score"), 0)]) } else { shape.clone() };
        let Shape::Of(forms) = &shape else { continue };
        if of_result || results.contains(&Some(*pred)) {
            forms.iter().filter(|form| is_sum(form)).for_each(|form| uncomputed(program, form, "here", found));
        }
    }
    let shapes = known.made.iter().map(|shape| (shape, 0));
    let mut stack: Vec<(&Shape, usize)> = std::iter::once((&known.positions, 0)).chain(shapes).collect();
    while let Some((shape, depth)) = stack.pop() {
        let Shape::Of(forms) = shape else { continue };
        let number = |shape: &Shape| matches!(shape, Shape::Of(forms) if forms.contains(&Form::Number));
        let among_numbers = forms.contains(&Form::Number);
        for form in forms {
            let args = match form {
                Form::Compound(_, args, _) | Form::Row(args, _) => &args[..],
                Form::List(of) | Form::Tree(of) => std::slice::from_ref(of),
                _ => continue,
            };
            // A pair such as 3-4 holds no pair.
            let grows = || {
                let own = form.functor().map(|it| it.0);
                matches!(&args[0], Shape::Of(inner) if inner.iter().any(|inner| inner.functor().map(|it| it.0) == own))
            };
            let sure = || match form {
                Form::Compound(atoms::PLUS | atoms::STAR, ..) => true,
                _ => number(&args[0]) && number(&args[1]) && grows(),
            };
            if is_sum(form) && among_numbers && sure() {
                uncomputed(program, form, "elsewhere", found);
            } else if depth < DEEPEST {
                stack.extend(args.iter().map(|arg| (arg, depth + 1)));
            }
        }
    }
}

fn is_sum(form: &Form) -> bool {
    matches!(form, Form::Compound(atoms::PLUS | atoms::MINUS | atoms::STAR, parts, _) if parts.len() == 2)
}

fn uncomputed(program: &Program, form: &Form, place: &str, found: &mut Vec<Problem>) {
    let Some((_, spans)) = form.functor() else { return };
    for span in spans {
        if found.iter().any(|other| other.labels[0].0 == *span) {
            continue;
        }
        let text = quoted(&program.sources, *span);
        let message = format!("{text} is not computed");
        let needed = if place == "here" { "a number is needed here" } else { "other rules make a number here" };
        let help = format!("{needed}: write New is {text}, and New in its place");
        found.push(Problem::warning("A0311", *span, message).help(help));
    }
}
