//! Finds atoms in expectations that no rule contains, where positions and labels have other atoms.
//!
//! The input is the shapes of positions and labels. A warning reports each position and each label with such an
//! atom. A helper may be tested with any atoms. Nothing is run. Only `misfit` calls this check.

use crate::rules::claimed::{ClaimedGoal, asked, best_labels, claimed};
use crate::rules::contract::Contract;
use crate::rules::game_shapes::GameShapes;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::single;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::is_short_slip;
use alphorn_lang::lang::program::Program;
use alphorn_prolog::term::write::atom_text;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// The goals whose first argument is a term for each answer. Rules that count answers write any atom there.
const COUNTING: [&str; 6] = ["findall", "bagof", "setof", "aggregate_all", "findnsols", "forall"];

/// The greatest number of atoms that a help lists.
const SHOWN: usize = 6;

/// Reports atoms of expectations that no rule contains.
pub(super) fn check(program: &Program, contract: &Contract, known: &GameShapes) -> Vec<Problem> {
    let rules = atoms_of_rules(program);
    let mut found: Vec<Problem> = Vec::new();
    let mut judge = |what: &str, code: Code, shape: &Shape, tree: &TermTree, node: NodeId| {
        found.extend(foreign(program, &rules, (what, code), shape, (tree, node)));
    };
    for (tree, node) in claimed(program) {
        judge("position", Code::ClauseMatchesNoPosition, &known.positions, tree, node);
    }
    for (tree, node) in best_labels(program) {
        judge("label", Code::ClauseMatchesNoLabel, &known.labels, tree, node);
    }
    let questions = contract.questions();
    // A goal that must fail may contain what the rules do not know.
    for ClaimedGoal { tree, goal, .. } in asked(program).into_iter().filter(|asked| asked.holds) {
        let Some((name, arity)) = tree.functor(goal) else { continue };
        let pred = program.own(name.text(), arity);
        let Some((pred, modes)) = questions.iter().find(|(other, _)| Some(*other) == pred) else { continue };
        for (place, arg) in tree.args(goal).iter().enumerate() {
            if place == 0 && modes.starts_with('+') && contract.read_position != Some(*pred) {
                judge("position", Code::ClauseMatchesNoPosition, &known.positions, tree, *arg);
            } else if place == 1 && contract.labelled == Some(*pred) {
                judge("label", Code::ClauseMatchesNoLabel, &known.labels, tree, *arg);
            }
        }
    }
    found
}

/// The problem of a term in an expectation, if an atom of it is in no rule and other atoms are known there.
fn foreign(
    program: &Program,
    rules: &FxHashSet<Atom>,
    (what, code): (&str, Code),
    shape: &Shape,
    (tree, node): (&TermTree, NodeId),
) -> Option<Problem> {
    if *shape == Shape::NONE || shape.may_be(tree, node) {
        return None;
    }
    let (inner, there) = shape.misfit(tree, node);
    let (TermKind::Atom(name), Shape::Of(forms)) = (tree.kind(inner), there) else { return None };
    let is_known = |form: &Form| matches!(form, Form::Name(..) | Form::Compound(..) | Form::Number);
    let named = forms.iter().any(|form| matches!(form, Form::Name(..)));
    if !named || *name == atoms::NIL || rules.contains(name) || !forms.iter().all(is_known) {
        return None;
    }
    // Another check reports a misspelt player.
    if ["max", "min"].iter().any(|player| is_short_slip(name.text(), player)) {
        return None;
    }
    let own = atom_text(*name);
    let mut words: Vec<String> = forms.iter().take(SHOWN).map(|form| single(form, &program.ops)).collect();
    words.sort();
    words.dedup();
    let message = format!("no {what} of the game has {own} here");
    let help = format!(
        "{what}s have {} here, and no rule makes or matches {own}\nwrite such a term, or remove the expectation",
        words.join(" or ")
    );
    Some(Problem::warning(code, tree.span(inner), message).help(help))
}

/// The atoms in the rules, without those that only count answers, such as `findall(x, Goal, Xs)`.
fn atoms_of_rules(program: &Program) -> FxHashSet<Atom> {
    let mut found = FxHashSet::default();
    for clause in program.predicates.iter().filter(|pred| program.is_users(pred.key.scope)).flat_map(|it| &it.clauses) {
        let tree = &clause.tree;
        let skipped = counting(tree);
        for (node, kind) in tree.nodes().filter(|(node, _)| !skipped.contains(node)) {
            if let TermKind::Atom(name) = kind {
                found.insert(*name);
            } else if let Some((name, _)) = tree.functor(node) {
                // A name such as `win` may be built from its parts.
                found.insert(name);
            }
        }
    }
    found
}

/// The terms that only count answers.
pub(super) fn counting(tree: &TermTree) -> FxHashSet<NodeId> {
    let goals =
        tree.nodes().filter(|(_, kind)| matches!(kind, TermKind::Compound(name, _) if COUNTING.contains(&name.text())));
    goals.filter_map(|(node, _)| tree.args(node).first().copied()).collect()
}
