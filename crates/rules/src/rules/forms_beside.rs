//! Finds terms in heads that have another form than all terms beside them.
//!
//! A label of a move that no clause for labels takes, although these clauses take another label of its name, and
//! a pair with another operator than the pair that it continues. Only the text is compared, and nothing is run.

use crate::rules::contract::Contract;
use crate::rules::heads::{compared, patterns};
use crate::rules::sketch::{PAIRS, quoted};
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::check::answers::may_match;
use alphorn_lang::lang::program::{Clause, PredId, Predicate, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// A term in a clause.
type Place<'a> = (&'a Clause, NodeId);

/// Reports such labels and pairs.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let mut found = labels(program, contract);
    for pred in program.predicates.iter().filter(|pred| program.is_users(pred.key.scope)) {
        found.extend(pairs(program, pred));
    }
    let is_reported = |problem: &Problem| problems.iter().any(|other| other.labels.first() == problem.labels.first());
    found.retain(|problem| !is_reported(problem));
    problems.extend(found);
}

/// The labels that no clause takes, although clauses of two predicates take other labels of the same name. One predicate
/// alone may be meant for some labels.
fn labels(program: &Program, contract: &Contract) -> Vec<Problem> {
    let Some(labelled) = contract.labelled else { return Vec::new() };
    let terms = |pred: PredId| patterns(program, pred, 1).filter(|(clause, node)| has_arguments(&clause.tree, *node));
    let made: Vec<Place<'_>> = terms(labelled).collect();
    let takers = contract.questions().into_iter().filter(|(pred, modes)| modes.starts_with("++") && *pred != labelled);
    // A clause for all labels may take them apart elsewhere.
    let is_whole = |(clause, node): Place<'_>| {
        matches!(clause.tree.kind(node), TermKind::Var(_)) && compared(program, clause, node).is_empty()
    };
    let takers = takers.filter(|(pred, _)| !patterns(program, *pred, 1).any(is_whole));
    let taken: Vec<(PredId, Place<'_>)> =
        takers.flat_map(|(pred, _)| terms(pred).map(move |term| (pred, term))).collect();
    let functor = |(clause, node): &Place<'_>| clause.tree.functor(*node);
    let fits = |one: &Place<'_>, other: &Place<'_>| may_match(&one.0.tree, one.1, &other.0.tree, other.1);
    let mut found = Vec::new();
    for label in &made {
        let alike = || taken.iter().filter(|(_, other)| functor(other) == functor(label));
        let is_odd = alike().all(|(_, other)| clash((&label.0.tree, label.1), (&other.0.tree, other.1)));
        let preds: FxHashSet<PredId> = alike().map(|(pred, _)| *pred).collect();
        let is_other =
            |other: &Place<'_>| functor(other) == functor(label) && alike().any(|(_, taken)| fits(other, taken));
        let (Some((_, like)), true) = (alike().next(), is_odd && preds.len() > 1) else { continue };
        if !made.iter().any(is_other) {
            continue;
        }
        let text = |(clause, node): &Place<'_>| quoted(&program.sources, clause.tree.span(*node));
        let message = format!("no clause takes the label {}, but clauses take {}", text(label), text(like));
        let problem = Problem::warning(Code::ClauseMatchesNoLabel, label.0.tree.span(label.1), message);
        let problem = problem.also(like.0.tree.span(like.1), "this takes another form".to_string());
        found.push(problem.help("write the label in this form here, or add a clause for the other form".to_string()));
    }
    found
}

fn has_arguments(tree: &TermTree, node: NodeId) -> bool {
    tree.functor(node).is_some_and(|(_, arity)| arity > 0)
}

/// Whether two terms have compound terms of different names or arities at one place. An atom there may be a case of
/// its own.
fn clash((tree, one): (&TermTree, NodeId), (others, other): (&TermTree, NodeId)) -> bool {
    let mut pairs = vec![(one, other)];
    while let Some((one, other)) = pairs.pop() {
        let (Some(left), Some(right)) = (tree.functor(one), others.functor(other)) else { continue };
        if left.1 == 0 || right.1 == 0 {
            continue;
        }
        if left != right {
            return true;
        }
        pairs.extend(tree.args(one).iter().copied().zip(others.args(other).iter().copied()));
    }
    false
}

/// A head with two pairs of different operators of which one part is a variable of both, and the other part is another
/// variable, where all other clauses have one operator. A clause that only writes another operator is meant so.
fn pairs(program: &Program, pred: &Predicate) -> Vec<Problem> {
    let mut found = Vec::new();
    for second in 0..pred.key.arity {
        for first in 0..second {
            found.extend(pair(program, pred, first, second));
        }
    }
    found
}

fn pair(program: &Program, pred: &Predicate, first: usize, second: usize) -> Option<Problem> {
    let both = |clause: &Clause| {
        let args = clause.tree.args(clause.head);
        Some((operator(&clause.tree, args[first])?, operator(&clause.tree, args[second])?))
    };
    let known: Vec<(&Clause, (Atom, Atom))> =
        pred.clauses.iter().filter_map(|clause| Some((clause, both(clause)?))).collect();
    let mut odd = known.iter().filter(|(_, (one, other))| one != other);
    let ((clause, (one, other)), None) = (odd.next()?, odd.next()) else { return None };
    let mut usual = known.iter().filter(|(_, (one, other))| one == other).map(|(_, (one, _))| *one);
    let name = usual.next()?;
    if usual.any(|other| other != name) || name != *one && name != *other {
        return None;
    }
    let (tree, args) = (&clause.tree, clause.tree.args(clause.head));
    let (wrong, right) = if *one == name { (args[second], args[first]) } else { (args[first], args[second]) };
    let variable = |node: &NodeId| if let TermKind::Var(number) = tree.kind(*node) { Some(*number) } else { None };
    let sides = tree.args(wrong).iter().zip(tree.args(right));
    let sides: Option<Vec<bool>> = sides.map(|(left, right)| Some(variable(left)? == variable(right)?)).collect();
    let is_updated = sides.is_some_and(|same| same.contains(&true) && same.contains(&false));
    is_updated.then(|| {
        let text = |node: NodeId| quoted(&program.sources, tree.span(node));
        let message = format!("{} has another operator than {} and the other clauses", text(wrong), text(right));
        let sides: Vec<String> = tree.args(wrong).iter().map(|side| text(*side)).collect();
        Problem::warning(Code::GoalNeverSucceeds, tree.span(wrong), message)
            .help(format!("write {}", sides.join(name.text())))
    })
}

/// The operator of a pair.
fn operator(tree: &TermTree, node: NodeId) -> Option<Atom> {
    tree.functor(node).filter(|(name, arity)| *arity == 2 && PAIRS.contains(&name.text())).map(|(name, _)| name)
}
