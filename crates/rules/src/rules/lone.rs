//! Finds an atom that is written once and never meets its counterpart.
//!
//! The input is where terms are taken and what comes there. A clause of a helper takes an atom that never comes
//! there, and no clause takes one of the atoms that come; or a goal looks for an atom that never comes, and one
//! of the atoms that come is written nowhere else. Nothing is run. Only `misfit` calls this check.

use crate::rules::flows::{Flow, Taker};
use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::turned::clause_at;
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
}

/// Reports atoms that are written once and never meet their counterpart.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    let mut places: Option<FxHashMap<Atom, FxHashSet<Span>>> = None;
    for flow in known.flows.iter().filter(|flow| matches!(flow.taker, Taker::Head | Taker::Element | Taker::Question)) {
        let Some(mismatch) = mismatch(&flow.takes, &flow.made, Path::new()) else { continue };
        let places = places.get_or_insert_with(|| written(program));
        let count = |name: Atom| places.get(&name).map_or(0, FxHashSet::len);
        let problem = match flow.taker {
            Taker::Head if count(mismatch.taken) == 1 => wrong_clause(program, known, flow, &mismatch),
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
            let names = others.iter().map(|form| match form {
                Form::Name(name, origin) => Some((*name, &origin.0[..])),
                _ => None,
            });
            let made = names.collect::<Option<Vec<_>>>()?;
            (made.len() <= FEW).then_some(Mismatch { path, taken: *taken, made })
        }
        [Form::Compound(name, args, _)] => {
            let mut alike = others.iter().filter_map(|form| match form {
                Form::Compound(other, parts, _) if other == name && parts.len() == args.len() => Some(parts),
                _ => None,
            });
            let parts = alike.next().filter(|_| alike.next().is_none())?;
            let mut odd = args.iter().zip(parts).enumerate();
            let (at, (arg, part)) = odd.find(|(_, (arg, part))| arg.meet(part) != ShapeMatch::Fits)?;
            let path = path.into_iter().chain([(*name, at)]).collect();
            mismatch(arg, part, path)
        }
        _ => None,
    }
}

/// The places at which each atom is written in the rules and expectations of the user.
fn written(program: &Program) -> FxHashMap<Atom, FxHashSet<Span>> {
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let clauses = users.flat_map(|pred| &pred.clauses).map(|clause| &clause.tree);
    let mut found: FxHashMap<Atom, FxHashSet<Span>> = FxHashMap::default();
    let mut add = |tree: &TermTree| {
        for (node, kind) in tree.nodes() {
            if let TermKind::Atom(name) = kind {
                found.entry(*name).or_default().insert(tree.span(node));
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
    let tree = &clause_at(program, flow.span)?.tree;
    let is_here = |span: Span| flow.span.contains(span);
    let mut nodes = tree.nodes().filter(|(_, kind)| **kind == TermKind::Atom(mismatch.taken));
    // The clauses of a parameter are not written.
    let is_written = |span: Span| program.sources.text(span) == mismatch.taken.text();
    let (node, _) = nodes.find(|(node, _)| is_here(tree.span(*node)) && is_written(tree.span(*node)))?;
    let (taken, meant, name) = (mismatch.taken.text(), meant.text(), program.indicator(flow.pred));
    let message = format!("no call of {name} has {taken} here, so this clause never applies");
    let help = format!("some calls have {meant} here, and no clause takes {meant}: did you mean {meant}?");
    Some(Problem::warning(Code::GoalNeverSucceeds, tree.span(node), message).help(help))
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
