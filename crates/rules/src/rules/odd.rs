//! Finds parts of terms that differ from all others: another operator, exchanged parts, an
//! uncomputed sum.
//!
//! The input is where terms are taken and what comes there. A warning reports each place that makes
//! such a part. Nothing is run. Only `misfit` calls this check.

use crate::rules::blame::{comes_from, is_made_at};
use crate::rules::clause_at::clause_at;
use crate::rules::contract::Contract;
use crate::rules::flows::Flow;
use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::{ShapeMatch, is_exchanged};
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{quoted, single};
use crate::rules::taker::Taker;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Parts below this depth are not compared.
const DEEPEST: usize = 4;

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 3;

/// The least number of predicates that must take another term before this one counts as wrong.
const AGAINST: usize = 2;

/// A path into a term: name, arity and argument number at each level.
type Path = Vec<(Atom, usize, usize)>;

/// A part of a term: its path, the place in the text that makes it, its shape, and its flow.
struct Part<'a> {
    path: Path,
    span: Span,
    shape: Shape,
    flow: &'a Flow,
    /// Whether the part is in a term that a goal looks for, and not in an element of its list.
    is_wanted: bool,
}

/// Reports every part of a term that differs from all others. The second result contains the places
/// of these parts.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes) -> (Vec<Problem>, Vec<Span>) {
    let mut parts = Vec::new();
    // A goal that looks for an element is wrong as well, if no list contains such an element.
    let elements = known.flows.iter().filter(|flow| flow.taker == Taker::Element);
    let mirrored: Vec<Flow> =
        elements.map(|flow| Flow { takes: flow.made.clone(), made: flow.takes.clone(), ..*flow }).collect();
    let flows = known.flows.iter().filter(|flow| matches!(flow.taker, Taker::Element | Taker::Head));
    flows.for_each(|flow| gather(known, flow, &flow.made, &mut Vec::new(), &mut parts));
    let made = parts.len();
    mirrored.iter().for_each(|flow| gather(known, flow, &flow.made, &mut Vec::new(), &mut parts));
    parts[made..].iter_mut().for_each(|part| part.is_wanted = true);
    let mut found: Vec<Problem> = Vec::new();
    let mut by_place: FxHashMap<Span, Vec<&Part<'_>>> = FxHashMap::default();
    parts.iter().for_each(|part| by_place.entry(part.span).or_default().push(part));
    let mut places: Vec<_> = by_place.into_iter().collect();
    places.sort_by_key(|(span, _)| *span);
    for (span, own) in places {
        let (against, others): (Vec<_>, Vec<_>) = own.into_iter().partition(|part| contradicts(part));
        if against.is_empty() {
            continue;
        }
        // A flow that takes this part and not the others is meant for it.
        let meant = |part: &&Part<'_>| {
            let there = parts.iter().filter(|other| std::ptr::eq(other.flow, part.flow) && other.path == part.path);
            let mut there = there.filter(|other| other.span != span);
            !is_made_at(&part.flow.takes, &[span]) && there.any(|other| meet(other, &other.shape) != ShapeMatch::Fits)
        };
        if told(&found, span) || others.iter().any(meant) {
            continue;
        }
        found.extend(alone(program, span, &against).filter(|_| others.is_empty()));
        let against: Vec<_> = against.into_iter().filter_map(|part| Some((part, model(part, &parts)?))).collect();
        let preds: FxHashSet<PredId> = against.iter().map(|(part, _)| part.flow.pred).collect();
        let goals: FxHashSet<Span> = against.iter().map(|(part, _)| part.flow.span).collect();
        // The term is handed to a helper, in which several goals take it.
        let handed = goals.len() >= AGAINST && against.iter().all(|(part, _)| !is_near(program, part.flow.span, span));
        if preds.len() < AGAINST && !handed || told(&found, span) {
            continue;
        }
        let like = against[0].1;
        let message = format!("{} is made here, and no goal matches it", quoted(&program.sources, span));
        let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
        for (part, _) in against.iter().take(SHOWN) {
            problem = problem.also(part.flow.span, "this matches another term");
        }
        let line = program.sources.line_column(like).0;
        let other = quoted(&program.sources, like);
        let file = &program.sources.get(like.source).name;
        found.push(problem.help(format!("{file}:{line} makes {other} for the same place\nwrite such a term here")));
    }
    let places = found.iter().map(|problem| problem.labels[0].0).collect();
    sums(program, contract, known, &mut found);
    (found, places)
}

fn told(found: &[Problem], span: Span) -> bool {
    found.iter().any(|other| span.contains(other.labels[0].0))
}

/// Whether two places are in one clause.
fn is_near(program: &Program, one: Span, other: Span) -> bool {
    clause_at(program, one).is_some_and(|clause| clause.span.contains(other))
}

/// The problem of the only place that makes the elements of a list, if several predicates look for
/// elements of another form.
fn alone(program: &Program, span: Span, against: &[&Part<'_>]) -> Option<Problem> {
    let wrong = |part: &&&Part<'_>| {
        part.path.is_empty() && part.flow.taker == Taker::Element && comes_from(&part.flow.made, &[span])
    };
    let all: Vec<&&Part<'_>> = against.iter().filter(wrong).collect();
    let preds: FxHashSet<PredId> = all.iter().map(|part| part.flow.pred).collect();
    if all.len() < against.len() || preds.len() < AGAINST {
        return None;
    }
    let message = format!("{} is put into a list here, and no goal looks for it", quoted(&program.sources, span));
    let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
    for part in all.iter().take(SHOWN) {
        problem = problem.also(part.flow.span, "this looks for another term");
    }
    let Shape::Of(forms) = &all[0].flow.takes else { return None };
    Some(problem.help(format!("write {} here, or correct the goals", single(forms.first()?, &program.ops))))
}

/// Reports the only place that makes a term with another number of arguments than several goals look for.
pub(super) fn miscounted(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mut wanted: BTreeMap<(&str, usize), Vec<&Flow>> = BTreeMap::new();
    for flow in known.flows.iter().filter(|flow| flow.taker == Taker::Element) {
        if let Shape::Of(forms) = &flow.takes
            && let [Form::Compound(name, args, _)] = &forms[..]
        {
            wanted.entry((name.text(), args.len())).or_default().push(flow);
        }
    }
    let mut found = Vec::new();
    for ((name, arity), flows) in wanted {
        let mut places: Vec<Span> = flows.iter().map(|flow| flow.span).collect();
        places.sort();
        places.dedup();
        let mut makers = FxHashSet::default();
        let lacks = |flow: &&Flow| {
            let Shape::Of(forms) = &flow.made else { return false };
            let same = forms.iter().filter(|form| form.functor().is_some_and(|((own, _), _)| own.text() == name));
            let same: Vec<&Form> = same.filter(|form| matches!(form, Form::Compound(..))).collect();
            makers.extend(same.iter().filter_map(|form| form.functor()).flat_map(|(_, spans)| spans.iter().copied()));
            !same.is_empty() && same.iter().all(|form| form.functor().is_some_and(|((_, own), _)| own != arity))
        };
        if places.len() < AGAINST || !flows.iter().all(lacks) || makers.len() != 1 {
            continue;
        }
        let span = makers.into_iter().next().expect("there is one");
        let message = format!("{} is made here, and no goal matches it", quoted(&program.sources, span));
        let mut problem = Problem::warning(Code::ClauseMatchesNoPosition, span, message);
        for place in places.into_iter().take(SHOWN) {
            problem = problem.also(place, "this looks for another number of arguments");
        }
        let counted = plural(arity as u64, "argument", "arguments");
        found.push(problem.help(format!("the goals look for {name} with {counted}: write such a term here")));
    }
    found
}

/// Adds every part of a shape that has a place in the text.
fn gather<'a>(known: &GameShapes, flow: &'a Flow, shape: &Shape, path: &mut Path, found: &mut Vec<Part<'a>>) {
    let Shape::Of(forms) = shape else { return };
    for form in forms {
        let Form::Compound(name, args, origin) = form else { continue };
        for span in &origin.0 {
            let shape = known.written.get(span).cloned().unwrap_or_else(|| Shape::of(vec![form.clone()]));
            found.push(Part { path: path.clone(), span: *span, shape, flow, is_wanted: false });
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

/// How a shape fits the flow at the path of a part.
fn meet(part: &Part<'_>, shape: &Shape) -> ShapeMatch {
    let whole = part.path.iter().rev().fold(shape.clone(), |inner, (name, arity, place)| {
        let mut args = vec![Shape::Any; *arity];
        args[*place] = inner;
        Shape::of(vec![Form::Compound(*name, args, Default::default())])
    });
    part.flow.takes.meet(&whole)
}

/// Whether the flow of a part never takes it.
fn contradicts(part: &Part<'_>) -> bool {
    meet(part, &part.shape) == ShapeMatch::Never || part.path.is_empty() && part.flow.takes.is_turned(&part.shape)
}

/// Another part for the same place that is taken there, and of which this one is a slip.
fn sibling<'a>(part: &Part<'_>, parts: &'a [Part<'a>]) -> Option<&'a Part<'a>> {
    parts.iter().find(|other| {
        std::ptr::eq(other.flow, part.flow)
            && other.path == part.path
            && other.span != part.span
            && is_slip(&part.shape, &other.shape)
            && meet(other, &other.shape) == ShapeMatch::Fits
    })
}

/// The place of a term that is taken instead of a part: another part, or one that the goal looks in.
fn model(part: &Part<'_>, parts: &[Part<'_>]) -> Option<Span> {
    if let Some(other) = sibling(part, parts) {
        return Some(other.span);
    }
    let path: Vec<(Atom, usize)> = part.path.iter().map(|(name, _, place)| (*name, *place)).collect();
    let Shape::Of(forms) = Some(part.flow.takes.at(&path)).filter(|_| part.is_wanted)? else { return None };
    let like = forms.into_iter().find(|form| is_slip(&part.shape, &Shape::of(vec![form.clone()])))?;
    like.functor()?.1.first().copied()
}

/// Whether one term is the other with another operator, another arity or exchanged parts.
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
        let alike = || args.iter().zip(parts).all(|(own, other)| other.meet(own) == ShapeMatch::Fits);
        return args.len() == 2 && (sign(name) && sign(other_name) || (sign(name) || sign(other_name)) && alike());
    }
    if own.is_turned(other) {
        return true;
    }
    let differ = args.iter().zip(parts).filter(|(own, other)| other.meet(own) >= ShapeMatch::Word).count();
    differ > 1 || is_exchanged(own, other) || args.iter().zip(parts).any(|(own, other)| is_slip(own, other))
}

/// Reports parts of symmetric images that differ from the parts of positions.
pub(super) fn images(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mut there = Vec::new();
    below(known, &known.positions, &mut Vec::new(), &mut there);
    let mut found: Vec<Problem> = Vec::new();
    for (pred, shape) in &known.images {
        let mut own = Vec::new();
        below(known, shape, &mut Vec::new(), &mut own);
        for (path, span, made) in own {
            let known = || there.iter().filter(|(other, ..)| *other == path);
            let odd = known().all(|(.., other)| other.meet(&made) != ShapeMatch::Fits);
            let Some((_, place, _)) = known().find(|(.., other)| odd && is_slip(&made, other)) else { continue };
            if found.iter().any(|other| other.labels[0].0 == span) {
                continue;
            }
            let name = program.indicator(*pred);
            let message = format!("{name} makes {} where positions have another term", quoted(&program.sources, span));
            let (line, other) = (program.sources.line_column(*place).0, quoted(&program.sources, *place));
            let file = &program.sources.get(place.source).name;
            let help = format!("{file}:{line} makes {other} for the same place\nwrite such a term here");
            found.push(Problem::warning(Code::ClauseMatchesNoPosition, span, message).help(help));
        }
    }
    found
}

/// Adds every part of a shape that has a place in the text, also inside lists.
fn below(known: &GameShapes, shape: &Shape, path: &mut Path, found: &mut Vec<(Path, Span, Shape)>) {
    let Shape::Of(forms) = shape else { return };
    for form in forms {
        let (name, args) = match form {
            Form::Compound(name, args, origin) => {
                for span in &origin.0 {
                    let shape = known.written.get(span).cloned().unwrap_or_else(|| Shape::of(vec![form.clone()]));
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

/// Reports sums where numbers are needed: where other positions have numbers, in answers of
/// helpers, in results and evaluations.
fn sums(program: &Program, contract: &Contract, known: &GameShapes, found: &mut Vec<Problem>) {
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
            // A pair such as 3-4 contains no pair.
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
        found.push(Problem::warning(Code::ClauseMatchesNoPosition, *span, message).help(help));
    }
}
