//! Finds two arguments of a term that stand in the other order everywhere else: variables by their names,
//! and constants.
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

/// A term with more arguments is not compared.
const MOST_ARGUMENTS: usize = 16;

/// Two names that occur together more often are not compared.
const MOST_PAIRS: usize = 1_000;

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

/// Reports the terms of the user's files with two arguments in another order than everywhere else. The
/// variables of goals may have any order. If other checks found terms of a wrong shape, nothing is reported.
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
    let mut found = exchanged_variables(&clauses, &preds);
    found.extend(exchanged_constants(&clauses, &preds));
    found.sort_by_key(|turned| turned.span);
    found.dedup_by_key(|turned| turned.span);
    for Turned { span, other, what } in found {
        let message = format!("the arguments of {} are in another order here", quoted(&program.sources, span));
        let (line, file) = (program.sources.line_column(other).0, &program.sources.get(other.source).name);
        let term = quoted(&program.sources, other);
        let help = format!("{what} in {term} ({file}:{line})\nexchange them if that is the right order");
        let problem = Problem::warning(Code::ArgumentOrder, span, message).help(help);
        problems.push(problem.also(other, "this has the other order"));
    }
}

/// A term with exchanged arguments, a term with the other order, and what is exchanged.
struct Turned {
    span: Span,
    other: Span,
    what: String,
}

/// The terms with two variables in another order than everywhere else.
fn exchanged_variables(clauses: &[&Clause], preds: &FxHashSet<(Atom, usize)>) -> Vec<Turned> {
    let mut by_names: FxHashMap<(&str, &str), Vec<Pair<'_>>> = FxHashMap::default();
    clauses.iter().for_each(|clause| gather(clause, &mut by_names));
    let mut found = Vec::new();
    for ((low, high), pairs) in by_names.iter().filter(|(_, pairs)| pairs.len() <= MOST_PAIRS) {
        for sorted in [true, false] {
            let (odd, even): (Vec<&Pair<'_>>, Vec<&Pair<'_>>) = pairs.iter().partition(|pair| pair.sorted == sorted);
            found.extend(odd.iter().filter(|one| !preds.contains(&one.functor)).filter_map(|one| {
                let same = |pair: &&&Pair<'_>| (pair.functor, pair.places) == (one.functor, one.places);
                let alike: Vec<&&Pair<'_>> = even.iter().filter(same).filter(|pair| !one.is_mirror(pair)).collect();
                let alone = odd.iter().filter(same).count() == 1;
                let both = even.iter().any(|pair| pair.clause.span == one.clause.span && pair.functor == one.functor);
                let surely = alike.len() >= AGAINST || odd.len() == 1 && even.len() >= AGAINST;
                let (first, second) = if sorted { (high, low) } else { (low, high) };
                let what = format!("{first} comes before {second}");
                (alone && surely && !both).then_some(Turned { span: one.span, other: alike.first()?.span, what })
            }));
        }
    }
    found
}

/// The terms with two constants each of which is always the other argument elsewhere.
fn exchanged_constants(clauses: &[&Clause], preds: &FxHashSet<(Atom, usize)>) -> Vec<Turned> {
    let is_record = |functor: &(Atom, usize)| {
        (2..=MOST_ARGUMENTS).contains(&functor.1)
            && functor.0.text().starts_with(char::is_alphabetic)
            && !preds.contains(functor)
    };
    let mut terms = Vec::new();
    let mut by_place: FxHashMap<((Atom, usize), usize, Atom), Vec<Span>> = FxHashMap::default();
    for clause in clauses {
        for (node, _) in clause.tree.nodes() {
            let Some(functor) = clause.tree.functor(node).filter(is_record) else {
                continue;
            };
            let (span, constants) = (clause.tree.span(node), constants(&clause.tree, node));
            for (place, constant) in constants.iter().enumerate() {
                if let Some(constant) = constant {
                    by_place.entry((functor, place, *constant)).or_default().push(span);
                }
            }
            terms.push((functor, span, constants));
        }
    }
    let at = |functor, place, constant| by_place.get(&(functor, place, constant)).map_or(&[][..], Vec::as_slice);
    let mut found = Vec::new();
    for (functor, span, constants) in &terms {
        let known = || constants.iter().enumerate().filter_map(|(place, constant)| Some((place, (*constant)?)));
        for (one, left) in known() {
            for (other, right) in known().filter(|(other, right)| *other > one && *right != left) {
                let alone = at(*functor, one, left).len() == 1 && at(*functor, other, right).len() == 1;
                let there = (at(*functor, other, left), at(*functor, one, right));
                if alone && there.0.len() >= AGAINST && there.1.len() >= AGAINST {
                    let what = format!("{} is argument {}", left.text(), other + 1);
                    found.push(Turned { span: *span, other: there.0[0], what });
                }
            }
        }
    }
    found
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
        let fits = |functor: &(Atom, usize)| (2..=MOST_ARGUMENTS).contains(&functor.1);
        let Some(functor) = tree.functor(node).filter(fits) else { continue };
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
