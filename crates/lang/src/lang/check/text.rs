//! Checks clauses in textual order: singleton variables, scattered clauses, unreachable clauses, names
//! of library predicates.

use crate::lang::ast::{NodeId, TermKind, TermTree, Variable};
use crate::lang::near::{is_worthwhile, nearest};
use crate::lang::program::{PredicateKey, Program};
use crate::lang::raw::{RawClause, UnresolvedClause};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::signature::{Fact, PredicateClass};
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks the clauses in the order in which they were read.
pub(crate) fn clauses(
    program: &Program,
    bodies: &[UnresolvedClause],
    declared: &FxHashSet<PredicateKey>,
    problems: &mut Vec<Problem>,
) {
    let atoms = named(bodies.iter().filter(|body| program.is_users(body.raw.key.scope)));
    let mut counts: FxHashMap<PredicateKey, usize> = FxHashMap::default();
    bodies.iter().for_each(|body| *counts.entry(body.raw.key).or_default() += 1);
    // One clause with another number of arguments among the clauses of a predicate is a mistake of its own.
    let is_slip = |other: PredicateKey, key: PredicateKey| other.name == key.name && counts[&other] == 1;
    let mut last: Option<&UnresolvedClause> = None;
    let mut seen: FxHashMap<PredicateKey, &UnresolvedClause> = FxHashMap::default();
    let mut scattered: FxHashSet<PredicateKey> = declared.clone();
    let mut cuts: FxHashMap<PredicateKey, Vec<&UnresolvedClause>> = FxHashMap::default();
    for body in bodies.iter().filter(|body| program.is_users(body.raw.key.scope)) {
        let key = body.raw.key;
        singletons(&body.raw, &atoms, problems);
        match seen.get(&key) {
            None => library_name(program, body, problems),
            Some(first)
                if last.is_some_and(|last| last.raw.key != key && !is_slip(last.raw.key, key))
                    && scattered.insert(key) =>
            {
                problems.push(
                    Problem::warning(
                        Code::SeparatedClauses,
                        head_span(body),
                        format!("the clauses of {}/{} are not together", key.name.text(), key.arity),
                    )
                    .also(head_span(first), "the first clause is here")
                    .help(format!(
                        "move them together, or write :- discontiguous {}/{}.",
                        key.name.text(),
                        key.arity
                    )),
                );
            }
            Some(_) => {}
        }
        let earlier = cuts.entry(key).or_default();
        if let Some(cover) = earlier.iter().find(|cover| covers(cover, body)) {
            problems.push(
                Problem::warning(Code::UnreachedClause, head_span(body), "this clause is never reached")
                    .also(head_span(cover), "this clause matches everything that the other matches, and then cuts")
                    .help("remove the clause, or move it before the other"),
            );
        }
        // Comparing with a few clauses finds most mistakes and keeps the time linear.
        if earlier.len() < 50 && begins_with_cut(body) {
            earlier.push(body);
        }
        seen.entry(key).or_insert(body);
        last = Some(body);
    }
}

fn head_span(body: &UnresolvedClause) -> alphorn_text::source::Span {
    body.raw.tree.span(body.raw.head)
}

/// The atoms that occur in clauses.
fn named<'a>(bodies: impl Iterator<Item = &'a UnresolvedClause>) -> FxHashSet<&'static str> {
    let atom = |kind: &TermKind| if let TermKind::Atom(name) = kind { Some(name.text()) } else { None };
    let control = ["true", "fail", "false"].into_iter();
    bodies
        .flat_map(|body| body.raw.tree.nodes().filter_map(|(_, kind)| atom(kind)).collect::<Vec<_>>())
        .chain(control)
        .collect()
}

/// In a body with more goals, a goal is not compared with the next one of its predicate.
const LONGEST_BODY: usize = 100;

fn singletons(clause: &RawClause, atoms: &FxHashSet<&'static str>, problems: &mut Vec<Problem>) {
    let tree = &clause.tree;
    let mut names = None;
    let mut all = None;
    for variable in tree.variables.iter().filter(|v| v.count == 1 && !v.name.starts_with('_')) {
        let name = &*variable.name;
        let names = names.get_or_insert_with(|| ClauseNames::of(tree));
        let near = meant(tree, name, names, atoms, problems.len());
        let right = near.as_ref().and_then(|near| misspelt(clause, variable, near));
        let help = match near {
            Some(near) => format!("{near} if {name} is right, write _{name} or _"),
            None => format!("correct its name, or write _{name} or _ if its value does not matter"),
        };
        let message = format!("the variable {name} occurs only once");
        let bare = format!("_{name}");
        let all: &FxHashSet<&str> =
            all.get_or_insert_with(|| tree.variables.iter().map(|other| &*other.name).collect());
        let taken = all.contains(&*bare);
        let text = if taken { "_".to_string() } else { bare };
        let problem = Problem::warning(Code::SingletonVariable, variable.first, message);
        problems.push(match forgotten(clause, variable.first) {
            Some((span, old)) => problem
                .also(span, format!("this takes {old} again, as if nothing had changed"))
                .help(format!("write {name} in place of {old} there, or _{name} here if its value does not matter"))
                .edit(span, name),
            None => {
                let unused = (variable.first, text);
                let other = right.as_ref().map(|_| unused.clone());
                let (span, text) = right.unwrap_or(unused);
                problem.help(help).edit(span, text).or_edit(other)
            }
        });
    }
}

/// The edit that gives a variable the name of the one that the suggestion names. If both occur once, the later
/// one gets the name of the earlier one. Two variables of the head are different on purpose.
fn misspelt(clause: &RawClause, variable: &Variable, near: &str) -> Option<(Span, String)> {
    let other = near.strip_prefix("did you mean ")?.strip_suffix('?')?;
    let other = clause.tree.variables.iter().find(|twin| *twin.name == *other)?;
    let head = clause.tree.span(clause.head);
    if head.contains(variable.first) && head.contains(other.first) {
        return None;
    }
    let is_first = other.count == 1 && variable.first.start < other.first.start;
    let (name, wrong) = if is_first { (variable, other) } else { (other, variable) };
    Some((wrong.first, name.name.to_string()))
}

/// Where the next goal of the same predicate takes the old term, although the variable at a place is the
/// new one: `replace(B, X, B1), replace(B, Y, B2)`. Returns the argument and its name.
fn forgotten(clause: &RawClause, place: Span) -> Option<(Span, &str)> {
    let tree = &clause.tree;
    let name = |node: NodeId| match tree.kind(node) {
        TermKind::Var(number) => Some(&*tree.variables.get(*number as usize)?.name),
        _ => None,
    };
    let (mut goals, mut rest) = (Vec::new(), clause.body?);
    while let Some((goal, others)) = tree.binary(rest, atoms::COMMA) {
        if goals.len() > LONGEST_BODY {
            return None;
        }
        goals.push(goal);
        rest = others;
    }
    goals.push(rest);
    let output = |goal: &NodeId| tree.args(*goal).iter().position(|arg| tree.span(*arg) == place);
    let (at, output) = goals.iter().enumerate().find_map(|(at, goal)| Some((at, output(goal)?)))?;
    let first = goals[at];
    let next = *goals[at + 1..].iter().find(|goal| tree.functor(**goal) == tree.functor(first))?;
    let (given, taken) = (tree.args(first), tree.args(next));
    let news = [name(given[output])?, name(taken[output])?];
    (0..output).find_map(|other| {
        let old = name(given[other]).filter(|old| name(taken[other]) == Some(*old))?;
        let is_told = is_later(old, news[0]) || old.len() > 2 && is_later(old, news[1]);
        is_told.then_some((tree.span(taken[other]), old))
    })
}

/// Whether a name looks like a later state of another: `Board1` and `NewBoard` of `Board`.
fn is_later(old: &str, new: &str) -> bool {
    let digits = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit());
    let numbered = new.strip_prefix(old).is_some_and(digits);
    numbered || old.len() > 2 && new.len() > old.len() && (new.starts_with(old) || new.ends_with(old))
}

/// The names in a clause.
struct ClauseNames<'a> {
    /// The variables by their names in lower case, in textual order.
    variables: FxHashMap<String, Vec<&'a str>>,
    /// The atoms.
    atoms: FxHashSet<&'static str>,
}

impl ClauseNames<'_> {
    fn of(tree: &TermTree) -> ClauseNames<'_> {
        let mut variables: FxHashMap<String, Vec<&str>> = FxHashMap::default();
        for variable in tree.variables.iter().filter(|variable| &*variable.name != "_") {
            variables.entry(variable.name.to_lowercase()).or_default().push(&variable.name);
        }
        let atom = |kind: &TermKind| if let TermKind::Atom(name) = kind { Some(name.text()) } else { None };
        ClauseNames { variables, atoms: tree.nodes().filter_map(|(_, kind)| atom(kind)).collect() }
    }
}

/// The suggestion for a singleton variable: another variable or an atom. `before` is the number of
/// problems found so far.
fn meant(
    tree: &TermTree,
    name: &str,
    names: &ClauseNames<'_>,
    atoms: &FxHashSet<&'static str>,
    before: usize,
) -> Option<String> {
    let small = name.to_lowercase();
    let twin = names.variables.get(&small).and_then(|alike| alike.iter().copied().find(|other| *other != name));
    let others = || tree.variables.iter().map(|variable| &*variable.name).filter(|other| *other != name);
    // Short names are often similar on purpose.
    let searched = name.chars().count() > 2 && is_worthwhile(before, tree.variables.len());
    let near = || if searched { nearest(name, others()) } else { None };
    if let Some(other) = twin.or_else(near) {
        return Some(format!("did you mean {other}?"));
    }
    if let Some(atom) = names.atoms.get(&*small) {
        return Some(format!("{atom} with a small first letter is an atom: did you mean {name} there?"));
    }
    atoms.get(&*small).map(|atom| format!("did you mean {atom}?"))
}

fn library_name(program: &Program, body: &UnresolvedClause, problems: &mut Vec<Problem>) {
    let PredicateKey { name, arity, .. } = body.raw.key;
    let warns = program.known.facts(name, arity).contains(&Fact::WarnsIfReplaced);
    let native = program.known.get(name, arity).is_some_and(|(_, row)| row.class != PredicateClass::Core);
    let others = program.imports.get(&body.raw.key.scope).into_iter().flatten();
    let imported = others.filter(|scope| **scope != body.raw.key.scope).find_map(|scope| {
        let id = program.by_key.get(&PredicateKey { scope: *scope, name, arity })?;
        program.predicate(*id).exported.then(|| program.scopes[usize::from(scope.0)].name.clone())
    });
    let whose = match imported {
        Some(file) => format!("the predicate of {file}"),
        None if warns || native => "the predicate of the library".to_string(),
        None => return,
    };
    let indicator = format!("{}/{arity}", name.text());
    problems.push(
        Problem::warning(Code::LibraryReplaced, head_span(body), format!("{indicator} replaces {whose}"))
            .help(format!("this is allowed; to use {whose}, remove your clauses or rename them")),
    );
}

fn begins_with_cut(body: &UnresolvedClause) -> bool {
    let tree = &body.raw.tree;
    let Some(mut first) = body.raw.body else { return false };
    while let Some((left, _)) = tree.binary(first, atoms::COMMA) {
        first = left;
    }
    *tree.kind(first) == TermKind::Atom(atoms::CUT)
}

/// Whether the head of `general` matches everything that the head of `other` matches.
fn covers(general: &UnresolvedClause, other: &UnresolvedClause) -> bool {
    let mut bound: FxHashMap<u32, NodeId> = FxHashMap::default();
    let (from, to) = (&general.raw.tree, &other.raw.tree);
    let mut pairs = vec![(general.raw.head, other.raw.head)];
    while let Some((left, right)) = pairs.pop() {
        match from.kind(left) {
            TermKind::Var(number) => match bound.get(number) {
                None => {
                    bound.insert(*number, right);
                }
                Some(before) if same(to, *before, right) => {}
                Some(_) => return false,
            },
            TermKind::Compound(..) if from.functor(left) == to.functor(right) => {
                pairs.extend(from.args(left).iter().copied().zip(to.args(right).iter().copied()));
            }
            TermKind::Compound(..) => return false,
            kind => {
                if kind != to.kind(right) {
                    return false;
                }
            }
        }
    }
    true
}

fn same(tree: &TermTree, left: NodeId, right: NodeId) -> bool {
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        let equal = match (tree.kind(left), tree.kind(right)) {
            (TermKind::Compound(..), TermKind::Compound(..)) => tree.functor(left) == tree.functor(right),
            (left, right) => left == right,
        };
        if !equal {
            return false;
        }
        pairs.extend(tree.args(left).iter().copied().zip(tree.args(right).iter().copied()));
    }
    true
}
