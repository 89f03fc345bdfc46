//! Finds terms whose arguments look exchanged: everywhere else they stand in the other order.
//!
//! The input is the text of a program. The names of variables are weak evidence, so the check needs two
//! other terms as evidence, and is silent about a clause that uses both orders. Nothing is run.

use crate::rules::contract::Contract;
use crate::rules::moved_fields;
use crate::rules::sketch::quoted;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Clause, PredId, Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// The least number of other terms that have the arguments in the other order.
const AGAINST: usize = 2;

/// The least number of other terms in which a variable is another argument.
const ALIKE: usize = 3;

/// The least number of letters in the name of a variable with a fixed place.
const SHORTEST: usize = 3;

/// A term with more arguments is not compared.
const MOST_ARGUMENTS: usize = 16;

/// Names that occur together more often are not compared.
const MOST_USES: usize = 1_000;

/// A program with more clauses is not checked.
const MOST_CLAUSES: usize = 2_000;

/// A program with more nodes of terms is not checked.
const MOST_NODES: usize = 200_000;

/// The operators of arithmetic, whose arguments have no fixed order.
const ARITHMETIC: [&str; 7] = ["is", "=:=", "=\\=", "<", ">", "=<", ">="];

/// Other operators without a fixed order of their arguments.
const COMPARISONS: [&str; 8] = ["=", "\\=", "==", "\\==", "@<", "@>", "@=<", "@>="];

/// A term of a clause.
#[derive(Clone, Copy)]
struct Use<'p> {
    clause: &'p Clause,
    node: NodeId,
    functor: (Atom, usize),
}

/// Two variables among the arguments of a term.
struct Pair<'p> {
    at: Use<'p>,
    places: (usize, usize),
    /// Whether the names are in alphabetical order.
    sorted: bool,
}

/// An argument that is a variable: its number, and the term.
type NamedArgument<'p> = (usize, Use<'p>);

/// A made label: the names of its arguments, and its place.
type NamedLabel<'p> = (Vec<&'p str>, Span);

/// A term with exchanged arguments, a term with the other order, and what is exchanged.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ExchangedArguments {
    span: Span,
    other: Span,
    what: String,
}

impl Use<'_> {
    /// The head of the clause.
    fn head(&self) -> Option<(Atom, usize)> {
        self.clause.tree.functor(self.clause.head)
    }

    fn span(&self) -> Span {
        self.clause.tree.span(self.node)
    }

    /// Whether a term is meant for another case, such as another player: it or the head of its clause has
    /// another constant.
    fn is_mirror(&self, other: &Use<'_>) -> bool {
        let heads = [self, other].map(|at| (&at.clause.tree, at.clause.head));
        let is_same = heads[0].0.functor(heads[0].1) == heads[1].0.functor(heads[1].1);
        let pairs = constants(heads[0].0, self.node).zip(constants(heads[1].0, other.node));
        let differ = |(one, other): (Option<Atom>, Option<Atom>)| one.is_some() && other.is_some() && one != other;
        pairs.into_iter().any(differ) || is_same && atoms_of(heads[0]) != atoms_of(heads[1])
    }
}

/// Reports the terms of the user's files with two arguments in another order than everywhere else. The
/// variables of goals may have any order. If other checks found terms of a wrong shape, nothing is reported.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let shapes =
        [Code::GoalNeverSucceeds, Code::ClauseMatchesNoPosition, Code::ClauseMatchesNoLabel, Code::ArgumentOrder];
    if problems.iter().any(|problem| shapes.contains(&problem.code)) {
        return;
    }
    let users = program.predicates.iter().filter(|pred| program.is_users(pred.key.scope));
    let clauses: Vec<&Clause> = users.flat_map(|pred| &pred.clauses).collect();
    let nodes: usize = clauses.iter().map(|clause| clause.tree.len()).sum();
    if clauses.len() > MOST_CLAUSES || nodes > MOST_NODES {
        return;
    }
    let mut found = exchanged_variables(program, &clauses);
    found.extend(permuted_labels(program, contract));
    found.extend(misplaced_variables(program, &clauses));
    found.sort();
    found.dedup_by_key(|exchanged| exchanged.span);
    for ExchangedArguments { span, other, what } in found {
        let message = format!("the arguments of {} are in another order here", quoted(&program.sources, span));
        let (line, file) = (program.sources.line_column(other).0, &program.sources.get(other.source).name);
        let term = quoted(&program.sources, other);
        let help = format!("{what} in {term} ({file}:{line})\nexchange them if that is the right order");
        let problem = Problem::warning(Code::ArgumentOrder, span, message).help(help);
        problems.push(problem.also(other, "this has the other order"));
    }
    let moved = moved_fields::check(program, records(program, &clauses).iter().map(|own| (own.clause, own.node)));
    let is_told = |own: &Problem| problems.iter().any(|other| other.labels[0].0 == own.labels[0].0);
    let moved: Vec<Problem> = moved.into_iter().filter(|own| !is_told(own)).collect();
    problems.extend(moved);
}

/// The labels in heads whose variables have the names of those of a made label, in another order.
fn permuted_labels(program: &Program, contract: &Contract) -> Vec<ExchangedArguments> {
    let label = |pred: PredId| {
        let clauses = program.predicate(pred).clauses.iter();
        clauses.filter_map(|clause| Some((clause, *clause.tree.args(clause.head).get(1)?)))
    };
    let Some(moves) = contract.labelled else { return Vec::new() };
    let mut made: FxHashMap<(Atom, usize), Vec<NamedLabel<'_>>> = FxHashMap::default();
    for (clause, node) in label(moves) {
        if let (Some(functor), Some(names)) = (clause.tree.functor(node), all_names(&clause.tree, node)) {
            made.entry(functor).or_default().push((names, clause.tree.span(node)));
        }
    }
    let takers = contract.questions().into_iter().filter(|(_, modes)| modes.starts_with("++"));
    let mut found = Vec::new();
    for (clause, node) in takers.flat_map(|(pred, _)| label(pred)) {
        let Some(functor) = clause.tree.functor(node) else { continue };
        let Some([(order, other), more @ ..]) = made.get(&functor).map(|made| &made[..]) else { continue };
        if more.iter().any(|(names, _)| names != order) {
            continue;
        }
        let Some(names) = all_names(&clause.tree, node) else {
            found.extend(misplaced_in_label(&clause.tree, node, (order, *other)));
            continue;
        };
        let odd: Vec<&str> =
            names.iter().zip(order).filter(|(one, other)| one != other).map(|(name, _)| *name).collect();
        let same: FxHashSet<&str> = order.iter().copied().collect();
        if odd.len() > 1 && names.iter().all(|name| same.contains(name)) && odd.iter().any(|name| name.len() > 1) {
            let place = order.iter().position(|name| *name == odd[0]).unwrap_or_default();
            let what = format!("{} is argument {}", odd[0], place + 1);
            found.push(ExchangedArguments { span: clause.tree.span(node), other: *other, what });
        }
    }
    found
}

/// A label with some arguments left out, and a variable of which the only made label has at another place.
fn misplaced_in_label(tree: &TermTree, node: NodeId, (order, other): (&[&str], Span)) -> Option<ExchangedArguments> {
    let args = tree.args(node);
    let is_left_out = |arg: &NodeId| match tree.kind(*arg) {
        TermKind::Var(number) => tree.variables.get(*number as usize).is_some_and(|own| own.name.starts_with('_')),
        _ => false,
    };
    let place_of = |name: &str| order.iter().position(|made| *made == name);
    let named: Vec<(usize, &str)> =
        args.iter().enumerate().filter_map(|(at, arg)| Some((at, name_of(tree, *arg)?))).collect();
    let is_plain = args.iter().all(|arg| is_left_out(arg) || name_of(tree, *arg).is_some());
    let moved = named.iter().find(|(at, name)| {
        let there = place_of(name).filter(|there| there != at && is_left_out(&args[*there]));
        name.len() >= SHORTEST && there.is_some()
    });
    let (_, name) = moved.filter(|_| is_plain && named.iter().all(|(at, name)| place_of(name) != Some(*at)))?;
    let what = format!("{name} is argument {}", place_of(name)? + 1);
    Some(ExchangedArguments { span: tree.span(node), other, what })
}

/// The names of the arguments of a term, if they are different named variables.
fn all_names(tree: &TermTree, node: NodeId) -> Option<Vec<&str>> {
    let names: Vec<&str> = tree.args(node).iter().map(|arg| name_of(tree, *arg)).collect::<Option<_>>()?;
    let different: FxHashSet<&str> = names.iter().copied().collect();
    (different.len() == names.len()).then_some(names)
}

/// The terms with two variables in another order than everywhere else.
fn exchanged_variables(program: &Program, clauses: &[&Clause]) -> Vec<ExchangedArguments> {
    let mut by_names: FxHashMap<(&str, &str), Vec<Pair<'_>>> = FxHashMap::default();
    clauses.iter().for_each(|clause| gather(clause, &mut by_names));
    let mut found = Vec::new();
    for ((low, high), pairs) in by_names.iter().filter(|(_, pairs)| pairs.len() < MOST_USES) {
        for sorted in [true, false] {
            let (odd, even): (Vec<&Pair<'_>>, Vec<&Pair<'_>>) = pairs.iter().partition(|pair| pair.sorted == sorted);
            let mut counts: FxHashMap<_, usize> = FxHashMap::default();
            odd.iter().for_each(|one| *counts.entry((one.at.functor, one.places)).or_default() += 1);
            found.extend(odd.iter().filter(|one| is_record(program, one.at.functor)).filter_map(|one| {
                let same = |pair: &&&Pair<'_>| (pair.at.functor, pair.places) == (one.at.functor, one.places);
                if counts[&(one.at.functor, one.places)] > 1 {
                    return None;
                }
                let mut alike = even.iter().filter(same).filter(|pair| !one.at.is_mirror(&pair.at));
                let (other, more) = (alike.next()?, alike.count());
                // A clause with both orders exchanges the arguments, and so does a predicate with both.
                let exchanges = even.iter().any(|pair| {
                    let is_own = pair.at.clause.span == one.at.clause.span;
                    is_own || pair.at.functor == one.at.functor && pair.at.head() == one.at.head()
                });
                let surely = more + 1 >= AGAINST || odd.len() == 1 && even.len() > AGAINST;
                let (first, second) = if sorted { (high, low) } else { (low, high) };
                let what = format!("{first} comes before {second}");
                let (span, other) = (one.at.span(), other.at.span());
                (surely && !exchanges).then_some(ExchangedArguments { span, other, what })
            }));
        }
    }
    found
}

/// Whether a functor is the name of a term that is no goal, of a predicate or of a grammar rule, and no
/// operator, whose arguments may be pairs for sorting.
fn is_record(program: &Program, (name, arity): (Atom, usize)) -> bool {
    let is_known = |arity| program.resolve_typed(USER, name, arity).is_some();
    let is_named = (2..=MOST_ARGUMENTS).contains(&arity) && name.text().starts_with(char::is_alphabetic);
    is_named && !is_known(arity) && !is_known(arity + 2)
}

/// The terms that are no goals and no operators.
fn records<'p>(program: &Program, clauses: &[&'p Clause]) -> Vec<Use<'p>> {
    let mut known: FxHashMap<(Atom, usize), bool> = FxHashMap::default();
    let mut found = Vec::new();
    for &clause in clauses {
        for (node, _) in clause.tree.nodes() {
            let Some(functor) = clause.tree.functor(node) else { continue };
            if *known.entry(functor).or_insert_with(|| is_record(program, functor)) {
                found.push(Use { clause, node, functor });
            }
        }
    }
    found
}

/// The terms in which a variable is another argument than in all other terms with the functor.
fn misplaced_variables(program: &Program, clauses: &[&Clause]) -> Vec<ExchangedArguments> {
    let mut by_name: FxHashMap<((Atom, usize), &str), Vec<NamedArgument<'_>>> = FxHashMap::default();
    for own in records(program, clauses) {
        let tree = &own.clause.tree;
        for (place, arg) in tree.args(own.node).iter().enumerate() {
            // Short names stand for anything.
            if let Some(name) = name_of(tree, *arg).filter(|name| name.len() >= SHORTEST) {
                by_name.entry((own.functor, name)).or_default().push((place, own));
            }
        }
    }
    let mut found = Vec::new();
    for ((_, name), uses) in by_name.iter().filter(|(_, uses)| (ALIKE + 1..MOST_USES).contains(&uses.len())) {
        for (place, own) in uses {
            let span = own.span();
            let mut others = uses.iter().filter(|(_, other)| other.span() != span);
            let Some((there, first)) = others.next() else { continue };
            let fits = |(at, other): &NamedArgument<'_>| {
                at == there && other.clause.span != own.clause.span && !own.is_mirror(other)
            };
            // Two named variables may be exchanged on purpose.
            let own_args = own.clause.tree.args(own.node);
            if own_args.get(*there).is_some_and(|arg| name_of(&own.clause.tree, *arg).is_some()) {
                continue;
            }
            let is_twice = uses.iter().filter(|(_, other)| other.span() == span).count() > 1;
            if !is_twice && there != place && fits(&(*there, *first)) && others.all(fits) {
                let what = format!("{name} is argument {}", there + 1);
                found.push(ExchangedArguments { span, other: first.span(), what });
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
        let Some((name, 2)) = tree.functor(node) else { continue };
        if COMPARISONS.contains(&name.text()) {
            skipped.insert(node);
        }
        if ARITHMETIC.contains(&name.text()) {
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
                let (Some(left), Some(right)) = (name_of(tree, args[one]), name_of(tree, args[other])) else {
                    continue;
                };
                let sorted = left < right;
                let pairs = found.entry(if sorted { (left, right) } else { (right, left) }).or_default();
                if left != right && pairs.len() < MOST_USES {
                    pairs.push(Pair { at: Use { clause, node, functor }, places: (one, other), sorted });
                }
            }
        }
    }
}

fn name_of(tree: &TermTree, node: NodeId) -> Option<&str> {
    let TermKind::Var(number) = tree.kind(node) else { return None };
    Some(&*tree.variables.get(*number as usize)?.name).filter(|name| !name.starts_with('_'))
}

/// The arguments of a term that are atoms.
fn constants(tree: &TermTree, node: NodeId) -> impl Iterator<Item = Option<Atom>> {
    tree.args(node).iter().map(|arg| if let TermKind::Atom(name) = tree.kind(*arg) { Some(*name) } else { None })
}

/// The atoms in a term.
fn atoms_of((tree, node): (&TermTree, NodeId)) -> FxHashSet<Atom> {
    let (mut found, mut stack) = (FxHashSet::default(), vec![node]);
    while let Some(at) = stack.pop() {
        if let TermKind::Atom(name) = tree.kind(at) {
            found.insert(*name);
        }
        stack.extend(tree.args(at));
    }
    found
}
