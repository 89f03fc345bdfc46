//! Compares positions with the heads that take them.
//!
//! Warnings report that no clause can move in the first position, and that a head takes the side to
//! move in place of the position. They also report a text in double quotes in place of an atom.
//! Nothing is run. Only `check` calls this check.

use crate::rules::contract::Contract;
use crate::rules::sketch::{quoted, written};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::check::answers::{may_match, smallest_mismatch, terms};
use alphorn_lang::lang::program::{Clause, PRELUDE, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// A term of a clause.
type Part<'a> = (&'a Clause, NodeId);

/// A program with more clauses was not written by hand.
const MOST: usize = 5_000;

/// Parts of a position below this depth are not compared.
const DEEPEST: usize = 12;

/// Compares the openings with the heads that take positions.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let own = program.predicates.iter().filter(|pred| pred.key.scope != PRELUDE);
    let clauses = || own.clone().flat_map(|pred| &pred.clauses);
    let starts: Vec<Part> =
        contract.initial.map_or(&[][..], |id| &program.predicate(id).clauses).iter().map(first).collect();
    let exchanged = problems.iter().any(|problem| problem.code == Code::ArgumentOrder);
    if exchanged || starts.is_empty() || clauses().count() > MOST {
        return;
    }
    let questions = contract.questions().into_iter().filter(|(_, modes)| modes.starts_with('+'));
    let heads: Vec<(PredId, Part)> = questions
        .filter(|(id, _)| contract.read_position != Some(*id))
        .flat_map(|(id, _)| program.predicate(id).clauses.iter().map(move |clause| (id, first(clause))))
        .collect();
    texts(program, contract, &starts, &heads, problems);
    if starts.iter().any(|(clause, at)| matches!(clause.tree.kind(*at), TermKind::Var(_))) {
        return;
    }
    unplayable(program, contract, &starts, problems);
    let functors = terms(clauses());
    // Rules may make terms of parts that no clause shows.
    let makers = [("=..", 2), ("functor", 3), ("term_to_atom", 2)];
    let made = |(name, arity): (&str, usize)| functors.contains_key(&(Atom::new(name), arity));
    if !makers.into_iter().any(made) {
        let known: FxHashSet<(Atom, usize)> =
            starts.iter().filter_map(|(start, at)| start.tree.functor(*at)).filter(|(_, arity)| *arity > 0).collect();
        for (_, (clause, at)) in &heads {
            problems.extend(unmet(program, (clause, *at), (&starts, &known)));
        }
    }
}

fn first(clause: &Clause) -> Part<'_> {
    (clause, clause.tree.args(clause.head)[0])
}

/// Reports openings that no clause of the moves can match.
fn unplayable(program: &Program, contract: &Contract, starts: &[Part], problems: &mut Vec<Problem>) {
    let Some(id) = contract.moves.or(contract.labelled) else { return };
    if contract.chance.or(contract.pass).is_some() {
        return;
    }
    let clauses = &program.predicate(id).clauses;
    let taken = |(start, at): &Part| {
        clauses.iter().map(first).any(|(clause, head)| may_match(&start.tree, *at, &clause.tree, head))
    };
    if clauses.is_empty() || starts.iter().any(taken) {
        return;
    }
    let (start, at) = starts[0];
    let others = clauses.iter().map(first).map(|(clause, head)| (&clause.tree, head)).collect();
    let (inner, known) = smallest_mismatch(&start.tree, at, others);
    let text = |tree: &TermTree, node: NodeId| quoted(&program.sources, tree.span(node));
    let Some((tree, own)) = known.first() else { return };
    let wanted = match (start.tree.functor(inner), tree.functor(*own)) {
        (Some((name, arity)), Some((other, same))) if arity == same && name != other => {
            text(&start.tree, inner).replacen(name.text(), other.text(), 1)
        }
        (_, Some((other, arity))) => written(other, arity, &program.ops),
        _ => text(tree, *own),
    };
    let message = format!("no clause of {} matches {}", program.indicator(id), text(&start.tree, inner));
    let there = tree.functor(*own).map_or_else(|| text(tree, *own), |(name, arity)| written(name, arity, &program.ops));
    let help = format!("its clauses have {there} here: write {wanted}, or change the clauses");
    problems.push(Problem::warning(Code::GoalNeverSucceeds, start.tree.span(inner), message).help(help));
}

/// Reports a head that is only the side to move, where positions contain more. `known` contains the
/// functors of the openings.
fn unmet(
    program: &Program,
    (clause, at): Part,
    (starts, known): (&[Part], &FxHashSet<(Atom, usize)>),
) -> Option<Problem> {
    let tree = &clause.tree;
    let (name, arity) = tree.functor(at)?;
    let &(other, places) = known.iter().next().filter(|_| known.len() == 1)?;
    if !(arity == 0 && matches!(name.text(), "max" | "min")) {
        return None;
    }
    let (start, whole) = starts[0];
    let place =
        start.tree.args(whole).iter().position(
            |arg| matches!(start.tree.functor(*arg), Some((name, 0)) if matches!(name.text(), "max" | "min")),
        );
    let args: Vec<&str> = (0..places).map(|at| if Some(at) == place { name.text() } else { "_" }).collect();
    let text = program.sources.text(tree.span(at));
    let message = format!("no position is {text}, so this clause never applies");
    let help =
        format!("positions are {}: write {}({})", written(other, places, &program.ops), other.text(), args.join(", "));
    Some(Problem::warning(Code::GoalNeverSucceeds, tree.span(at), message).help(help))
}

/// Reports texts where another position has the atom of that text.
fn texts(
    program: &Program,
    contract: &Contract,
    starts: &[Part],
    heads: &[(PredId, Part)],
    problems: &mut Vec<Problem>,
) {
    let next = contract.labelled.map_or(&[][..], |id| &program.predicate(id).clauses).iter();
    let next = next.map(|clause| (clause, clause.tree.args(clause.head)[2]));
    let whole: Vec<Part> = starts.iter().copied().chain(heads.iter().map(|(_, part)| *part)).chain(next).collect();
    let mut named: FxHashSet<(Vec<(Atom, usize)>, &str)> = FxHashSet::default();
    let mut found = Vec::new();
    for (clause, at) in whole {
        let mut stack = vec![(at, Vec::new())];
        while let Some((at, path)) = stack.pop() {
            match clause.tree.kind(at) {
                _ if path.len() > DEEPEST => {}
                TermKind::Atom(name) => drop(named.insert((path, name.text()))),
                TermKind::Text(text) => found.push((path, text.clone(), clause.tree.span(at))),
                TermKind::Compound(name, _) => {
                    let below = clause.tree.args(at).iter().enumerate();
                    stack.extend(
                        below.map(|(place, arg)| {
                            (*arg, path.iter().copied().chain([(*name, place)]).collect::<Vec<_>>())
                        }),
                    );
                }
                _ => {}
            }
        }
    }
    for (path, text, span) in found {
        if !path.is_empty() && named.contains(&(path, &*text)) {
            let message = format!("the text \"{text}\" is not the atom {text}");
            problems.push(
                Problem::warning(Code::GoalNeverSucceeds, span, message).help(format!("write {text} without quotes")),
            );
        }
    }
}
