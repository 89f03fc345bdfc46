//! Finds misspelt atoms: atoms that occur once and are nearly equal to another atom.
//!
//! A warning reports each atom that is one letter away from an atom in several places. It also reports a
//! player other than `max` and `min` where all other clauses have these two, and a label or another term whose
//! functor occurs once and is one letter away from a functor of other such terms. Nothing is run. Only `check`
//! calls this check.

use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::{is_one_letter_off, is_short_slip, is_slip};
use alphorn_lang::lang::program::{Clause, PredId, Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// A program with more atoms was not written by hand.
const MOST: usize = 1_000;

/// The least number of places of the other atom.
const OFTEN: usize = 2;

/// The least number of places of the other atom, if an atom has only two letters.
const OFTEN_FOR_SHORT: usize = 3;

/// The atoms in an argument of all terms of a functor, by its name, arity and argument number.
type Columns = FxHashMap<(Atom, usize, usize), Vec<(Atom, Span)>>;

/// The places of an atom.
#[derive(Default)]
struct Use {
    places: Vec<Span>,
    /// Whether the atom stands in a move label, which users type.
    typed: bool,
}

/// Reports every misspelt atom.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let mut used: FxHashMap<Atom, Use> = FxHashMap::default();
    for (number, pred) in program.predicates.iter().enumerate().filter(|(_, pred)| program.is_users(pred.key.scope)) {
        let moves = contract.labelled == Some(PredId(number as u32));
        for clause in &pred.clauses {
            let label = clause.tree.args(clause.head).get(1).filter(|_| moves);
            let typed = label.map_or_else(FxHashSet::default, |label| below(&clause.tree, *label));
            gather(&clause.tree, &typed, &mut used);
        }
    }
    for expectation in &program.expectations {
        gather(&expectation.tree, &FxHashSet::default(), &mut used);
    }
    if used.len() > MOST {
        return;
    }
    let names: FxHashSet<Atom> = program.predicates.iter().map(|pred| pred.key.name).collect();
    let mut often: Vec<(Atom, &Use)> =
        used.iter().filter(|(_, of)| of.places.len() >= OFTEN).map(|(name, of)| (*name, of)).collect();
    often.sort_by(|(one, _), (other, _)| one.text().cmp(other.text()));
    let mut found = Vec::new();
    for (name, of) in &used {
        let [place] = of.places[..] else { continue };
        // An atom in quotes is a text.
        if of.typed || names.contains(name) || program.sources.text(place) != name.text() {
            continue;
        }
        let Some((near, _)) = often.iter().find(|(other, _)| is_slip(name.text(), other.text())) else { continue };
        let message =
            format!("the atom {} occurs only here, and {} occurs in several places", name.text(), near.text());
        found.push(Problem::warning(Code::MisspeltAtom, place, message).help(format!(
            "did you mean {}? if not, put {} in quotes",
            near.text(),
            name.text()
        )));
    }
    let columns = columns(program);
    for more in [players(program, &columns, &used), short_names(program, &columns, &used)] {
        let told: Vec<Span> = found.iter().map(|problem| problem.labels[0].0).collect();
        found.extend(more.into_iter().filter(|problem| !told.contains(&problem.labels[0].0)));
    }
    found.extend(labels(program, contract));
    found.extend(records(program, contract));
    problems.extend(found);
}

/// The clauses of the user and the expectations, as trees.
fn trees(program: &Program) -> impl Iterator<Item = &TermTree> {
    let own = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let clauses = own.flat_map(|pred| &pred.clauses).map(|clause| &clause.tree);
    clauses.chain(program.expectations.iter().map(|expectation| &expectation.tree))
}

/// The atoms in each argument of the terms of a program.
fn columns(program: &Program) -> Columns {
    let mut columns = Columns::default();
    for tree in trees(program) {
        for (node, kind) in tree.nodes() {
            let TermKind::Compound(name, _) = kind else { continue };
            let args = tree.args(node);
            for (place, arg) in args.iter().enumerate() {
                if let TermKind::Atom(atom) = tree.kind(*arg) {
                    columns.entry((*name, args.len(), place)).or_default().push((*atom, tree.span(*arg)));
                }
            }
        }
    }
    columns
}

/// Reports an atom of two letters that occurs once and lacks a letter of an atom that occurs several times, also in the
/// same argument of other terms of the functor. Alone, such a name is too short for [`is_slip`].
fn short_names(program: &Program, columns: &Columns, used: &FxHashMap<Atom, Use>) -> Vec<Problem> {
    let mut found = Vec::new();
    for column in columns.values() {
        let mut counts: FxHashMap<Atom, usize> = FxHashMap::default();
        column.iter().for_each(|(atom, _)| *counts.entry(*atom).or_default() += 1);
        let mut often: Vec<Atom> =
            counts.into_iter().filter(|(_, count)| *count >= OFTEN).map(|(name, _)| name).collect();
        often.retain(|name| used.get(name).is_some_and(|of| of.places.len() >= OFTEN_FOR_SHORT));
        often.sort_by_key(|name| name.text());
        for (atom, span) in column {
            let is_own = used.get(atom).is_some_and(|of| of.places.len() == 1 && !of.typed);
            let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase());
            let text = atom.text();
            if !is_own || text.len() != 2 || !is_plain(text) || program.sources.text(*span) != text {
                continue;
            }
            let is_meant = |other: &&Atom| {
                let name = other.text();
                name.len() == 3 && is_plain(name) && lacks_a_letter(text, name)
            };
            let Some(near) = often.iter().find(is_meant) else { continue };
            let message = format!("the atom {text} occurs only here, and {} occurs in several places", near.text());
            let help = format!("did you mean {}? if not, put {text} in quotes", near.text());
            found.push(Problem::warning(Code::MisspeltAtom, *span, message).help(help));
        }
    }
    found.sort_by_key(|problem| problem.labels[0].0);
    found
}

/// Whether a name is another one without one of its letters.
fn lacks_a_letter(name: &str, other: &str) -> bool {
    (0..other.len())
        .any(|at| name.bytes().eq(other.bytes().enumerate().filter(|(own, _)| *own != at).map(|(_, byte)| byte)))
}

/// Reports an atom that occurs once and is nearly `max` or `min`, if its argument is one of these two in all
/// other terms of the functor. These two names are too short for [`is_slip`].
fn players(program: &Program, columns: &Columns, used: &FxHashMap<Atom, Use>) -> Vec<Problem> {
    let names = ["max", "min"];
    let mut found: Vec<(Span, Atom, &str)> = Vec::new();
    for column in columns.values() {
        let mut odd = column.iter().filter(|(atom, _)| !names.contains(&atom.text()));
        let (Some((atom, span)), None) = (odd.next(), odd.next()) else { continue };
        let text = atom.text();
        let stands = |name: &str| column.iter().any(|(other, _)| other.text() == name);
        // With another letter, the atom may be a word of its own. If it is not, one of the two players is missing.
        let replaces =
            |name: &str| is_one_letter_off(text, name) && !stands(name) && used.contains_key(&Atom::new(name));
        let in_capitals = |name: &&str| name.eq_ignore_ascii_case(text) && used.contains_key(&Atom::new(name));
        let near = names
            .into_iter()
            .find(|name| is_short_slip(text, name))
            .or_else(|| names.into_iter().find(|name| replaces(name)))
            .or_else(|| names.into_iter().find(in_capitals));
        if let Some(near) = near.filter(|_| column.len() > 1 && used.get(atom).is_some_and(|of| of.places.len() == 1))
            && (program.sources.text(*span) == text || near.eq_ignore_ascii_case(text))
        {
            found.push((*span, *atom, near));
        }
    }
    found.sort_by_key(|(span, ..)| (span.source.0, span.start));
    let told = |(span, atom, near): (Span, Atom, &str)| {
        let message =
            format!("the atom {} occurs only here, and other terms have max or min in this place", atom.text());
        Problem::warning(Code::MisspeltAtom, span, message).help(format!("did you mean {near}?")).edit(span, near)
    };
    found.into_iter().map(told).collect()
}

/// Reports a label of a clause of `move/3` whose functor occurs once and is a slip for the functor of another
/// label with as many arguments.
fn labels(program: &Program, contract: &Contract) -> Vec<Problem> {
    let Some(moves) = contract.labelled else { return Vec::new() };
    let mut often: FxHashMap<(Atom, usize), usize> = FxHashMap::default();
    for tree in trees(program) {
        for (_, functor) in tree.nodes().filter_map(|(node, _)| Some((node, tree.functor(node)?))) {
            *often.entry(functor).or_default() += 1;
        }
    }
    let label = |tree: &TermTree, head: NodeId| {
        let label = *tree.args(head).get(1)?;
        let functor = tree.functor(label).filter(|functor| functor.1 > 0)?;
        Some((functor, tree.span(label)))
    };
    let clauses = &program.predicate(moves).clauses;
    let made: Vec<_> = clauses.iter().filter_map(|clause| label(&clause.tree, clause.head)).collect();
    let mut known: Vec<(Atom, usize)> = made.iter().map(|(functor, _)| *functor).collect();
    known.sort_by_key(|(name, arity)| (name.text(), *arity));
    known.dedup();
    known.retain(|functor| often[functor] >= OFTEN);
    if known.len() > MOST {
        return Vec::new();
    }
    let odd = |((name, arity), span): &((Atom, usize), Span)| {
        if often[&(*name, *arity)] != 1 {
            return None;
        }
        let near = known.iter().find(|(other, count)| count == arity && is_slip(name.text(), other.text()))?;
        let message = format!(
            "labels of the form {}/{arity} occur only here, and {}/{arity} occurs in several places",
            name.text(),
            near.0.text()
        );
        let help = format!("did you mean {}?", near.0.text());
        Some(Problem::warning(Code::MisspeltAtom, *span, message).help(help))
    };
    made.iter().filter_map(odd).collect()
}

/// The least number of places of the other functor.
const RECORDS: usize = 3;

/// Reports a term that is no goal and no label, whose functor occurs once and is a slip for one in several places
/// with as many arguments.
fn records(program: &Program, contract: &Contract) -> Vec<Problem> {
    let mut used: FxHashMap<(Atom, usize), Vec<Span>> = FxHashMap::default();
    for tree in trees(program) {
        for (node, kind) in tree.nodes() {
            if let TermKind::Compound(name, _) = kind {
                used.entry((*name, tree.args(node).len())).or_default().push(tree.span(node));
            }
        }
    }
    let is_term = |(name, arity): (Atom, usize)| {
        name.text().starts_with(char::is_alphabetic)
            && program.ops.infix(name).is_none()
            && program.ops.prefix(name).is_none()
            && program.resolve_typed(USER, name, arity).is_none()
    };
    let moves = contract.labelled.map_or(&[][..], |pred| &program.predicate(pred).clauses);
    let label = |clause: &Clause| Some(clause.tree.span(*clause.tree.args(clause.head).get(1)?));
    let labels: FxHashSet<Span> = moves.iter().filter_map(label).collect();
    let mut often: Vec<(Atom, usize)> =
        used.iter().filter(|(_, places)| places.len() >= RECORDS).map(|(functor, _)| *functor).collect();
    often.retain(|functor| is_term(*functor));
    often.sort_by_key(|(name, arity)| (name.text(), *arity));
    let mut found = Vec::new();
    for ((name, arity), places) in used.iter().filter(|(functor, _)| functor.1 > 1) {
        let [place] = places[..] else { continue };
        let near = often.iter().find(|(other, count)| count == arity && is_slip(name.text(), other.text()));
        let Some((near, _)) = near.filter(|_| is_term((*name, *arity)) && !labels.contains(&place)) else { continue };
        let (name, near) = (name.text(), near.text());
        let message = format!("the term {name}/{arity} occurs only here, and {near}/{arity} occurs in several places");
        found.push(Problem::warning(Code::MisspeltAtom, place, message).help(format!("did you mean {near}?")));
    }
    found.sort_by_key(|problem| problem.labels[0].0);
    found
}

fn gather(tree: &TermTree, typed: &FxHashSet<NodeId>, used: &mut FxHashMap<Atom, Use>) {
    for (node, kind) in tree.nodes() {
        let TermKind::Atom(name) = kind else { continue };
        let of = used.entry(*name).or_default();
        of.places.push(tree.span(node));
        of.typed |= typed.contains(&node);
    }
}

/// A node and all nodes below it.
fn below(tree: &TermTree, node: NodeId) -> FxHashSet<NodeId> {
    let (mut found, mut stack) = (FxHashSet::default(), vec![node]);
    while let Some(node) = stack.pop() {
        found.insert(node);
        stack.extend(tree.args(node));
    }
    found
}
