//! Finds two variables whose order in a term is the other one everywhere else.
//!
//! The input is the text of a program. The names of variables are weak evidence, so the check asks for
//! other terms, and is silent about a clause that uses both orders. Nothing is run.

use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::is_users;
use alphorn_lang::lang::program::{Clause, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// The least number of other terms that have the variables in the other order.
const AGAINST: usize = 2;

/// A program with more clauses is not checked.
const MOST_CLAUSES: usize = 2_000;

/// The operators of arithmetic, whose arguments have no fixed order.
const ARITHMETIC: [&str; 7] = ["is", "=:=", "=\\=", "<", ">", "=<", ">="];

/// Other operators without a fixed order of their arguments.
const COMPARISONS: [&str; 8] = ["=", "\\=", "==", "\\==", "@<", "@>", "@=<", "@>="];

/// A term with two variables among its arguments.
struct Pair<'p> {
    functor: (Atom, usize),
    places: (usize, usize),
    clause: &'p Clause,
    span: Span,
    /// The constants among the arguments.
    constants: Vec<Option<Atom>>,
    /// Whether the names are in alphabetical order.
    sorted: bool,
}

impl Pair<'_> {
    /// Whether a term is meant for another case, such as another player: it or the head of its clause has
    /// another constant.
    fn is_mirror(&self, other: &Pair<'_>) -> bool {
        let differ = |one: &[Option<Atom>], other: &[Option<Atom>]| {
            one.iter().zip(other).any(|pair| matches!(pair, (Some(one), Some(other)) if one != other))
        };
        let head = |pair: &Pair<'_>| pair.clause.tree.functor(pair.clause.head);
        let heads = [self, other].map(|pair| constants(&pair.clause.tree, pair.clause.head));
        differ(&self.constants, &other.constants) || head(self) == head(other) && differ(&heads[0], &heads[1])
    }
}

/// Reports the terms of the user's files with two variables in another order than everywhere else. Terms
/// that are goals may have any order. If other checks found terms of a wrong shape, nothing is reported.
pub(super) fn check(program: &Program, problems: &mut Vec<Problem>) {
    let shapes =
        [Code::GoalNeverSucceeds, Code::ClauseMatchesNoPosition, Code::ClauseMatchesNoLabel, Code::ArgumentOrder];
    if problems.iter().any(|problem| shapes.contains(&problem.code)) {
        return;
    }
    let users = program.predicates.iter().filter(|pred| is_users(program, pred.key.scope));
    let clauses: Vec<&Clause> = users.flat_map(|pred| &pred.clauses).collect();
    if clauses.len() > MOST_CLAUSES {
        return;
    }
    let preds: FxHashSet<(Atom, usize)> =
        program.predicates.iter().map(|pred| (pred.key.name, pred.key.arity)).collect();
    let mut by_names: FxHashMap<(&str, &str), Vec<Pair<'_>>> = FxHashMap::default();
    clauses.iter().for_each(|clause| gather(clause, &mut by_names));
    let mut found: Vec<(Span, Span, String)> = Vec::new();
    for ((low, high), pairs) in &by_names {
        for sorted in [true, false] {
            let (odd, even): (Vec<&Pair<'_>>, Vec<&Pair<'_>>) = pairs.iter().partition(|pair| pair.sorted == sorted);
            found.extend(odd.iter().filter(|one| !preds.contains(&one.functor)).filter_map(|one| {
                let same = |pair: &&&Pair<'_>| (pair.functor, pair.places) == (one.functor, one.places);
                let alike: Vec<&&Pair<'_>> = even.iter().filter(same).filter(|pair| !one.is_mirror(pair)).collect();
                let alone = odd.iter().filter(same).count() == 1;
                let both = even.iter().any(|pair| pair.clause.span == one.clause.span && pair.functor == one.functor);
                let surely = alike.len() >= AGAINST || odd.len() == 1 && even.len() >= AGAINST;
                let names =
                    if sorted { format!("{high} comes before {low}") } else { format!("{low} comes before {high}") };
                (alone && surely && !both).then_some((one.span, alike.first()?.span, names))
            }));
        }
    }
    found.sort_by_key(|(span, ..)| *span);
    found.dedup_by_key(|(span, ..)| *span);
    for (span, other, names) in found {
        let message = format!("the variables of {} are in another order here", quoted(&program.sources, span));
        let (line, file) = (program.sources.line_column(other).0, &program.sources.get(other.source).name);
        let help = format!(
            "{names} in {} ({file}:{line})\nexchange them, or give one of them another name",
            quoted(&program.sources, other)
        );
        let problem = Problem::warning(Code::ArgumentOrder, span, message).help(help);
        problems.push(problem.also(other, "this has the other order"));
    }
}

/// Adds the pairs of named variables of all terms in a clause.
fn gather<'p>(clause: &'p Clause, found: &mut FxHashMap<(&'p str, &'p str), Vec<Pair<'p>>>) {
    let tree = &clause.tree;
    let mut skipped: FxHashSet<NodeId> = FxHashSet::default();
    for (node, _) in tree.nodes() {
        let Some(functor) = tree.functor(node).filter(|(_, arity)| *arity > 1) else { continue };
        if COMPARISONS.contains(&functor.0.text()) {
            skipped.insert(node);
        }
        if ARITHMETIC.contains(&functor.0.text()) {
            skipped.insert(node);
            let mut stack = tree.args(node).to_vec();
            while let Some(below) = stack.pop() {
                if skipped.insert(below) {
                    stack.extend(tree.args(below));
                }
            }
        }
    }
    for (node, _) in tree.nodes().filter(|(node, _)| !skipped.contains(node)) {
        let Some(functor) = tree.functor(node).filter(|(_, arity)| *arity > 1) else { continue };
        let args = tree.args(node);
        for one in 0..args.len() {
            for other in one + 1..args.len() {
                let (Some(left), Some(right)) = (name(tree, args[one]), name(tree, args[other])) else { continue };
                if left == right {
                    continue;
                }
                let sorted = left < right;
                let key = if sorted { (left, right) } else { (right, left) };
                let (places, span) = ((one, other), tree.span(node));
                let constants = constants(tree, node);
                found.entry(key).or_default().push(Pair { functor, places, clause, span, constants, sorted });
            }
        }
    }
}

fn name(tree: &TermTree, node: NodeId) -> Option<&str> {
    let TermKind::Var(number) = tree.kind(node) else { return None };
    Some(&*tree.variables.get(*number as usize)?.name).filter(|name| !name.starts_with('_'))
}

/// The arguments of a term that are atoms.
fn constants(tree: &TermTree, node: NodeId) -> Vec<Option<Atom>> {
    let constant = |arg: &NodeId| if let TermKind::Atom(name) = tree.kind(*arg) { Some(*name) } else { None };
    tree.args(node).iter().map(constant).collect()
}
