//! Compares a program before and after a name changed.

use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, Predicate, Program};
use alphorn_rules::rules::Rules;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;

/// Checks that two programs are the same, except that a name may be another one.
///
/// # Errors
///
/// A sentence says what would change.
pub fn same(before: &Rules, after: &Rules, names: (Atom, Atom)) -> Result<(), String> {
    let (one, other) = (&before.program, &after.program);
    let codes = |rules: &Rules| {
        let mut codes: Vec<_> = rules.report.problems.iter().map(|problem| problem.code.text()).collect();
        codes.sort_unstable();
        codes
    };
    if codes(before) != codes(after) {
        let known = codes(before);
        let fresh = |problem: &&Problem| !known.contains(&problem.code.text());
        let message = after.report.problems.iter().find(fresh).map(|problem| problem.message.clone());
        return Err(format!(
            "the program would have other problems{}",
            message.map_or_else(String::new, |message| format!(": {message}"))
        ));
    }
    if before.contract.questions() != after.contract.questions() {
        return Err("the game would have other game predicates".to_string());
    }
    if one.predicates.len() != other.predicates.len() {
        return Err("the program would have other predicates".to_string());
    }
    let differs = one.predicates.iter().zip(&other.predicates).find(|(one, other)| !same_predicate(one, other, names));
    if let Some((predicate, _)) = differs {
        let key = predicate.key;
        return Err(format!("{}/{} would mean something else", key.name.text(), key.arity));
    }
    let claims = one.expectations.len() == other.expectations.len()
        && one
            .expectations
            .iter()
            .zip(&other.expectations)
            .all(|(one, other)| same_tree(&one.tree, &other.tree, names));
    if claims { Ok(()) } else { Err("an expectation would mean something else".to_string()) }
}

fn same_name(one: Atom, other: Atom, (old, new): (Atom, Atom)) -> bool {
    one == other || one == old && other == new
}

fn same_predicate(one: &Predicate, other: &Predicate, names: (Atom, Atom)) -> bool {
    same_name(one.key.name, other.key.name, names)
        && (one.key.arity, one.key.scope, one.tabled) == (other.key.arity, other.key.scope, other.tabled)
        && (&one.meta, one.exported) == (&other.meta, other.exported)
        && one.clauses.len() == other.clauses.len()
        && one.clauses.iter().zip(&other.clauses).all(|(one, other)| same_clause(one, other, names))
}

fn same_clause(one: &Clause, other: &Clause, names: (Atom, Atom)) -> bool {
    if one.head != other.head || !same_tree(&one.tree, &other.tree, names) {
        return false;
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    each_goal(&one.body, &mut |goal| left.push(goal));
    each_goal(&other.body, &mut |goal| right.push(goal));
    left.len() == right.len() && left.iter().zip(&right).all(|(one, other)| same_goal(one, other, names))
}

fn same_tree(one: &TermTree, other: &TermTree, names: (Atom, Atom)) -> bool {
    let same_kind = |one: &TermKind, other: &TermKind| match (one, other) {
        (TermKind::Atom(one), TermKind::Atom(other)) => same_name(*one, *other, names),
        (TermKind::Compound(one, left), TermKind::Compound(other, right)) => {
            same_name(*one, *other, names) && left == right
        }
        // A number that is none is equal to itself here.
        (TermKind::Float(one), TermKind::Float(other)) => one.to_bits() == other.to_bits(),
        (one, other) => one == other,
    };
    one.len() == other.len() && one.nodes().zip(other.nodes()).all(|((_, one), (_, other))| same_kind(one, other))
}

/// Whether two goals are the same, apart from the goals inside them.
fn same_goal(one: &Goal, other: &Goal, names: (Atom, Atom)) -> bool {
    match (one, other) {
        (Goal::Call { callee, args, .. }, Goal::Call { callee: callee_after, args: args_after, .. }) => {
            args == args_after
                && match (callee, callee_after) {
                    (Callee::Unknown(one, left), Callee::Unknown(other, right)) => {
                        same_name(*one, *other, names) && left == right
                    }
                    (one, other) => one == other,
                }
        }
        (Goal::Conj(one), Goal::Conj(other)) => one.len() == other.len(),
        (Goal::Meta(one, _), Goal::Meta(other, _)) => one == other,
        (
            Goal::Findall { template, list, tail, .. },
            Goal::Findall { template: template_after, list: list_after, tail: tail_after, .. },
        ) => (template, list, tail) == (template_after, list_after, tail_after),
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// A goal of the user that calls a term which is known only when it runs.
pub fn calls_unknown_terms(program: &Program) -> Option<Span> {
    let clauses = program.predicates.iter().flat_map(|predicate| &predicate.clauses);
    clauses.filter(|clause| program.is_written_by_user(clause.span)).find_map(|clause| {
        let mut found = None;
        each_goal(&clause.body, &mut |goal| {
            let span = match goal {
                Goal::Meta(_, span) => Some(*span),
                Goal::Call { callee, args, span } => {
                    open_closure(program, &clause.tree, *callee, args).then_some(*span)
                }
                _ => None,
            };
            found = found.or(span);
        });
        found
    })
}

/// Whether an argument that is called is a variable.
fn open_closure(program: &Program, tree: &TermTree, callee: Callee, args: &[NodeId]) -> bool {
    let spec: &str = match callee {
        Callee::User(id) => &program.predicate(id).meta,
        Callee::Native(id) => program.known.row(id).meta,
        Callee::Unknown(..) => return false,
    };
    spec.chars().zip(args).any(|(kind, arg)| kind != '?' && matches!(tree.kind(*arg), TermKind::Var(_)))
}
