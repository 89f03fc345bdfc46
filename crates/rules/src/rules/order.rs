//! Finds two arguments of a term that stand in the other order everywhere else: variables by their names,
//! and constants.
//!
//! The input is the text of a program. The names of variables are weak evidence, so the check asks for
//! other terms, and is silent about a clause that uses both orders. Nothing is run.

use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::is_users;
use alphorn_lang::lang::program::{Clause, Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// The least number of other terms that have the variables in the other order.
const AGAINST: usize = 2;

/// The least number of other terms in which a variable is another argument.
const ALIKE: usize = 3;

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

/// A term with two variables among its arguments, or with one at both places.
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
    let mut found = exchanged_variables(program, &clauses);
    found.extend(exchanged_constants(program, &clauses));
    found.extend(misplaced(program, &clauses));
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
fn exchanged_variables(program: &Program, clauses: &[&Clause]) -> Vec<Turned> {
    let mut by_names: FxHashMap<(&str, &str), Vec<Pair<'_>>> = FxHashMap::default();
    clauses.iter().for_each(|clause| gather(clause, &mut by_names));
    let mut found = Vec::new();
    for ((low, high), pairs) in by_names.iter().filter(|(_, pairs)| pairs.len() <= MOST_PAIRS) {
        for sorted in [true, false] {
            let (odd, even): (Vec<&Pair<'_>>, Vec<&Pair<'_>>) = pairs.iter().partition(|pair| pair.sorted == sorted);
            found.extend(odd.iter().filter(|one| !is_called(program, one.functor)).filter_map(|one| {
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

/// Whether a functor is the name of a predicate or of a grammar rule. Operators are not, although
/// libraries define some.
fn is_called(program: &Program, (name, arity): (Atom, usize)) -> bool {
    let is_known = |arity| program.resolve_typed(USER, name, arity).is_some();
    name.text().starts_with(char::is_alphabetic) && (is_known(arity) || is_known(arity + 2))
}

/// Whether a functor is the name of a term that is no goal and no operator.
fn is_record(program: &Program, (name, arity): (Atom, usize)) -> bool {
    let is_named = (2..=MOST_ARGUMENTS).contains(&arity) && name.text().starts_with(char::is_alphabetic);
    is_named && !is_called(program, (name, arity))
}

/// The terms with two constants each of which is always the other argument elsewhere.
fn exchanged_constants(program: &Program, clauses: &[&Clause]) -> Vec<Turned> {
    let mut terms = Vec::new();
    let mut by_place: FxHashMap<((Atom, usize), usize, Atom), Vec<Span>> = FxHashMap::default();
    for clause in clauses {
        for (node, _) in clause.tree.nodes() {
            let Some(functor) = clause.tree.functor(node).filter(|functor| is_record(program, *functor)) else {
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

/// The terms in which a variable is another argument than in all other terms with the functor.
fn misplaced(program: &Program, clauses: &[&Clause]) -> Vec<Turned> {
    let mut by_name: FxHashMap<((Atom, usize), &str), Vec<Pair<'_>>> = FxHashMap::default();
    for clause in clauses {
        let tree = &clause.tree;
        for (node, _) in tree.nodes() {
            let Some(functor) = tree.functor(node).filter(|functor| is_record(program, *functor)) else { continue };
            for (place, arg) in tree.args(node).iter().enumerate() {
                if let Some(name) = name(tree, *arg) {
                    let (span, constants) = (tree.span(node), constants(tree, node));
                    let own = Pair { functor, places: (place, place), clause, span, constants, sorted: true };
                    by_name.entry((functor, name)).or_default().push(own);
                }
            }
        }
    }
    let mut found = Vec::new();
    for ((_, name), uses) in by_name.iter().filter(|(_, uses)| (ALIKE + 1..=MOST_PAIRS).contains(&uses.len())) {
        for own in uses {
            let mut others = uses.iter().filter(|other| other.span != own.span);
            let Some(first) = others.next() else { continue };
            let is_other = |other: &Pair<'_>| {
                other.places == first.places && other.clause.span != own.clause.span && !own.is_mirror(other)
            };
            let is_twice = uses.iter().filter(|other| other.span == own.span).count() > 1;
            if !is_twice && first.places != own.places && is_other(first) && others.all(is_other) {
                let what = format!("{name} is argument {}", first.places.0 + 1);
                found.push(Turned { span: own.span, other: first.span, what });
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
