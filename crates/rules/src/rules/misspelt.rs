//! Finds misspelt atoms: atoms that occur once and are nearly equal to another atom.
//!
//! A warning reports each atom that is one letter away from an atom in several places. Nothing is
//! run. Only `check` calls this check.

use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::near::is_slip;
use alphorn_lang::lang::program::{PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// A program with more atoms was not written by hand.
const MOST: usize = 1_000;

/// The least number of places of the other atom.
const OFTEN: usize = 2;

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
    problems.extend(found);
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
