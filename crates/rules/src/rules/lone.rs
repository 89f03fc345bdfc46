//! Finds an atom that is written once and never meets its counterpart.
//!
//! The input is where terms are taken and what comes there. A clause of a helper takes an atom that never comes
//! there, and no clause takes one of the atoms that come; or a goal looks for an atom that never comes, and one
//! of the atoms that come is written nowhere else. Nothing is run. Only `misfit` calls this check.

use crate::rules::clause_at::clause_at;
use crate::rules::flows::Flow;
use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::taker::Taker;
use alphorn_lang::lang::ast::{TermKind, TermTree};
use alphorn_lang::lang::program::Program;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// If more atoms come to a place, others may be meant to come there.
const FEW: usize = 4;

/// A path into a term: name and argument number at each level.
type Path = Vec<(Atom, usize)>;

/// An atom that a place takes, the path to it, and the atoms that come there.
struct Mismatch<'a> {
    path: Path,
    taken: Atom,
    made: Vec<(Atom, &'a [Span])>,
    /// Whether numbers come there too.
    numbers: bool,
}

/// Reports atoms that are written once and never meet their counterpart.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    let mut places = None;
    for flow in known.flows.iter().filter(|flow| matches!(flow.taker, Taker::Head | Taker::Element | Taker::Question)) {
        let Some(mismatch) = mismatch(&flow.takes, &flow.made, Path::new()) else { continue };
        let places = places.get_or_insert_with(|| written(program));
        let count = |name: Atom| places.get(&(name, 0)).map_or(0, FxHashSet::len);
        let problem = match flow.taker {
            Taker::Head if count(mismatch.taken) == 1 => {
                wrong_clause(program, known, flow, &mismatch).or_else(|| idle_clause(program, flow, &mismatch))
            }
            Taker::Element | Taker::Question if count(mismatch.taken) > 1 => {
                let once = mismatch.made.iter().find(|(name, spans)| count(*name) == 1 && spans.len() == 1);
                once.and_then(|(name, spans)| wrong_atom(known, (*name, spans[0]), flow, mismatch.taken))
            }
            _ => None,
        };
        if let Some(problem) = problem
            && found.iter().all(|other| other.labels[0].0 != problem.labels[0].0)
        {
            found.push(problem);
        }
    }
    found
}

/// The only difference between what a place takes and what comes there, if it is an atom.
fn mismatch<'a>(takes: &Shape, made: &'a Shape, path: Path) -> Option<Mismatch<'a>> {
    let (Shape::Of(own), Shape::Of(others)) = (takes, made) else { return None };
    if takes.meet(made) != ShapeMatch::Slight {
        return None;
    }
    match &own[..] {
        [Form::Name(taken, _)] => {
            let names = others.iter().filter(|form| **form != Form::Number).map(|form| match form {
                Form::Name(name, origin) => Some((*name, &origin.0[..])),
                _ => None,
            });
            let made = names.collect::<Option<Vec<_>>>()?;
            let numbers = others.contains(&Form::Number);
            (made.len() <= FEW).then_some(Mismatch { path, taken: *taken, made, numbers })
        }
        [Form::Compound(name, args, _)] => {
            let alike = others.iter().filter_map(|form| match form {
                Form::Compound(other, parts, _) if other == name && parts.len() == args.len() => Some(parts),
                _ => None,
            });
            let alike: Vec<&'a Vec<Shape>> = alike.collect();
            let [parts] = alike[..] else { return among_several(*name, args, &alike, path) };
            let mut odd = args.iter().zip(parts).enumerate();
            let (at, (arg, part)) = odd.find(|(_, (arg, part))| arg.meet(part) != ShapeMatch::Fits)?;
            let path = path.into_iter().chain([(*name, at)]).collect();
            mismatch(arg, part, path)
        }
        _ => None,
    }
}

/// The only argument of a term that fits none of several terms, if it is an atom and all others are atoms or numbers.
fn among_several<'a>(name: Atom, args: &[Shape], alike: &[&'a Vec<Shape>], path: Path) -> Option<Mismatch<'a>> {
    if alike.is_empty() {
        return None;
    }
    let odd = |at: &usize| alike.iter().all(|parts| args[*at].meet(&parts[*at]) != ShapeMatch::Fits);
    let mut odd = (0..args.len()).filter(odd);
    let at = odd.next().filter(|_| odd.next().is_none())?;
    let Shape::Of(own) = &args[at] else { return None };
    let [Form::Name(taken, _)] = &own[..] else { return None };
    let (mut made, mut numbers) = (Vec::new(), false);
    for parts in alike {
        let Shape::Of(forms) = &parts[at] else { return None };
        for form in forms {
            match form {
                Form::Name(name, origin) => made.push((*name, &origin.0[..])),
                Form::Number => numbers = true,
                _ => return None,
            }
        }
    }
    let path = path.into_iter().chain([(name, at)]).collect();
    (made.len() <= FEW).then_some(Mismatch { path, taken: *taken, made, numbers })
}

/// The places at which each name with its number of arguments is written in the rules and expectations of the user.
pub(super) fn written(program: &Program) -> FxHashMap<(Atom, usize), FxHashSet<Span>> {
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let clauses = users.flat_map(|pred| &pred.clauses).map(|clause| &clause.tree);
    let mut found: FxHashMap<(Atom, usize), FxHashSet<Span>> = FxHashMap::default();
    let mut add = |tree: &TermTree| {
        for (node, _) in tree.nodes() {
            if let Some(functor) = tree.functor(node) {
                found.entry(functor).or_default().insert(tree.span(node));
            }
        }
    };
    clauses.for_each(&mut add);
    program.expectations.iter().map(|expectation| &expectation.tree).for_each(&mut add);
    found
}

/// Whether a place takes an atom at a path.
fn takes(flow: &Flow, path: &Path, name: Atom) -> bool {
    match flow.takes.at(path) {
        Shape::Any => true,
        Shape::Of(forms) => forms.iter().any(|form| matches!(form, Form::Name(other, _) if *other == name)),
    }
}

/// The problem of a clause that takes an atom which never comes, if no clause takes one that comes.
fn wrong_clause(program: &Program, known: &GameShapes, flow: &Flow, mismatch: &Mismatch<'_>) -> Option<Problem> {
    let same = |other: &&Flow| {
        other.taker == Taker::Head && (other.pred, other.place) == (flow.pred, flow.place) && other.span != flow.span
    };
    let others: Vec<&Flow> = known.flows.iter().filter(same).collect();
    // A clause with a variable in place of the whole argument has no flow.
    let clauses = &program.predicate(flow.pred).clauses;
    let all_told = clauses.iter().all(|clause| {
        let arg = clause.tree.args(clause.head).get(flow.place);
        arg.is_some_and(|arg| !matches!(clause.tree.kind(*arg), TermKind::Var(_)))
    });
    let untaken =
        mismatch.made.iter().find(|(name, _)| !others.iter().any(|other| takes(other, &mismatch.path, *name)));
    // A whole argument may be a row of a table for other games.
    let (meant, _) = untaken.filter(|_| all_told && !mismatch.path.is_empty())?;
    let span = place(program, flow, mismatch.taken)?;
    let (taken, meant, name) = (mismatch.taken.text(), meant.text(), program.indicator(flow.pred));
    let message = format!("no call of {name} has {taken} here, so this clause never applies");
    let help = format!("some calls have {meant} here, and no clause takes {meant}: did you mean {meant}?");
    Some(Problem::warning(Code::GoalNeverSucceeds, span, message).help(help))
}

/// The place of an atom in the head of a flow.
fn place(program: &Program, flow: &Flow, name: Atom) -> Option<Span> {
    let tree = &clause_at(program, flow.span)?.tree;
    let spans = tree.nodes().filter(|(_, kind)| **kind == TermKind::Atom(name)).map(|(node, _)| tree.span(node));
    // The clauses of a parameter are not written.
    let is_it = |span: &Span| flow.span.contains(*span) && program.sources.text(*span) == name.text();
    spans.into_iter().find(is_it)
}

/// The problem of a clause that takes an atom where numbers and other atoms come. A clause for all other terms may
/// follow it.
fn idle_clause(program: &Program, flow: &Flow, mismatch: &Mismatch<'_>) -> Option<Problem> {
    if !mismatch.numbers || mismatch.path.is_empty() {
        return None;
    }
    let span = place(program, flow, mismatch.taken)?;
    let (taken, name) = (mismatch.taken.text(), program.indicator(flow.pred));
    let message = format!("no call of {name} has {taken} here, so this clause never applies");
    let mut names: Vec<&str> = mismatch.made.iter().map(|(name, _)| name.text()).collect();
    names.sort_unstable();
    let help =
        format!("the calls have a number or {} here\nwrite one of these, or correct the calls", names.join(" or "));
    Some(Problem::warning(Code::GoalNeverSucceeds, span, message).help(help))
}

/// The problem of an atom that is written once, where a goal looks for another one that never comes.
fn wrong_atom(known: &GameShapes, (name, span): (Atom, Span), flow: &Flow, wanted: Atom) -> Option<Problem> {
    let path = mismatch(&flow.takes, &flow.made, Path::new())?.path;
    let meant = |other: &Flow| flow.made.meet(&other.made) == ShapeMatch::Fits && takes(other, &path, name);
    let takers =
        known.flows.iter().filter(|other| matches!(other.taker, Taker::Element | Taker::Head | Taker::Question));
    let mut alike = takers.filter(|other| other.span != flow.span && other.takes.at(&path) != Shape::Any);
    if alike.any(|other| !matches!(other.takes.at(&path), Shape::Of(forms) if forms.is_empty()) && meant(other)) {
        return None;
    }
    let (name, wanted) = (name.text(), wanted.text());
    let message = format!("the atom {name} occurs only here, and {wanted} never comes where a goal looks for it");
    let problem =
        Problem::warning(Code::MisspeltAtom, span, message).also(flow.span, format!("this looks for {wanted}"));
    Some(problem.help(format!("did you mean {wanted}?")))
}
