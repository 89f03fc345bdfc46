//! Goals that no clause can answer.
//!
//! In: a resolved program. Out: warnings where a call has a constant that no head has in that place,
//! where `between/3` has its ends exchanged, where a text in double quotes stands for an atom, and
//! where a predicate's name stands for its answer. Must not know any game; called by `check/mod.rs`.

use crate::lang::ast::{Kind, NodeId, Tree};
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, PredId, Program, Scope, USER};
use crate::report::Problem;
use crate::source::Span;
use crate::symbol::Atom;
use rustc_hash::FxHashSet;

/// Predicates of more clauses are tables that were not written by hand.
const MOST: usize = 1_000;

/// How many constants a help tells.
const FEW: usize = 4;

/// Calls of one clause that nothing can answer.
pub fn none(program: &Program, clause: &Clause, problems: &mut Vec<Problem>) {
    each_goal(&clause.body, &mut |goal| match goal {
        Goal::Call { callee: Callee::User(id), args, span } if program.predicate(*id).key.scope == USER => {
            problems.extend(unanswered(program, clause, *id, args, *span));
        }
        Goal::Call { callee: Callee::Native(id), args, span } if program.known.row(*id).name == "between" => {
            let &[low, high, x] = &args[..] else { return };
            if let (Kind::Int(from), Kind::Int(to)) = (clause.tree.kind(low), clause.tree.kind(high))
                && from > to
            {
                let x = program.sources.text(clause.tree.span(x));
                problems.push(
                    Problem::warning("A0309", *span, format!("there is no number from {from} up to {to}"))
                        .help(format!("the smaller number comes first: write between({to}, {from}, {x})")),
                );
            }
        }
        _ => {}
    });
}

fn unanswered(program: &Program, clause: &Clause, id: PredId, args: &[NodeId], span: Span) -> Option<Problem> {
    let (tree, clauses) = (&clause.tree, &program.predicate(id).clauses);
    let own = |other: &Clause, place: usize| other.tree.args(other.head)[place];
    let fits = |other: &Clause, place: usize| may_match(tree, args[place], &other.tree, own(other, place));
    // What a parameter is may change from outside.
    let parameter = program.predicate(id).key.name.text() == "param";
    if parameter
        || clauses.is_empty()
        || clauses.len() > MOST
        || clauses.iter().any(|other| (0..args.len()).all(|place| fits(other, place)))
    {
        return None;
    }
    let indicator = program.indicator(id);
    let place = (0..args.len()).find(|place| !clauses.iter().any(|other| fits(other, *place)));
    let Some(place) = place else {
        let message = format!("no clause of {indicator} can answer this");
        return Some(Problem::warning("A0309", span, message).help("compare the goal with the heads of its clauses"));
    };
    let text = program.sources.text(tree.span(args[place]));
    let twin = tree.variables.iter().find(|variable| variable.name.to_lowercase() == text);
    let mut known: Vec<&str> = Vec::new();
    for other in clauses {
        let text = program.sources.text(other.tree.span(own(other, place)));
        if known.len() < FEW && !known.contains(&text) && !text.is_empty() {
            known.push(text);
        }
    }
    let help = match twin {
        Some(variable) => format!("did you mean the variable {}?", variable.name),
        None => format!("its clauses have {} there", known.join(", ")),
    };
    let message = format!("no clause of {indicator} has {text} there");
    Some(Problem::warning("A0309", tree.span(args[place]), message).help(help))
}

/// Whether two terms might unify, whatever their variables are.
fn may_match(left: &Tree, a: NodeId, right: &Tree, b: NodeId) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        match (left.kind(a), right.kind(b)) {
            (Kind::Var(_), _) | (_, Kind::Var(_)) => {}
            (Kind::Compound(..), Kind::Compound(..)) if left.functor(a) == right.functor(b) => {
                pairs.extend(left.args(a).iter().copied().zip(right.args(b).iter().copied()));
            }
            (Kind::Compound(..), Kind::Compound(..)) => return false,
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    true
}

/// Texts in heads where other clauses have atoms, if the rules know the atom of that text.
pub fn texts(program: &Program, problems: &mut Vec<Problem>) {
    let own = || program.predicates.iter().filter(|pred| pred.key.scope == USER);
    let mut atoms: Option<FxHashSet<&'static str>> = None;
    for pred in own().filter(|pred| pred.key.name.text() != "param") {
        for place in 0..pred.key.arity {
            let arg = |clause: &Clause| clause.tree.args(clause.head)[place];
            if !pred.clauses.iter().any(|clause| matches!(clause.tree.kind(arg(clause)), Kind::Atom(_))) {
                continue;
            }
            for clause in &pred.clauses {
                let Kind::Text(text) = clause.tree.kind(arg(clause)) else { continue };
                let atoms = atoms.get_or_insert_with(|| named(own().flat_map(|pred| &pred.clauses)));
                if atoms.contains(&**text) {
                    let span = clause.tree.span(arg(clause));
                    let message = format!("the text \"{text}\" is not the atom {text}");
                    problems
                        .push(Problem::warning("A0309", span, message).help(format!("write {text} without quotes")));
                }
            }
        }
    }
}

fn named<'a>(clauses: impl Iterator<Item = &'a Clause>) -> FxHashSet<&'static str> {
    let atom = |kind: &Kind| if let Kind::Atom(name) = kind { Some(name.text()) } else { None };
    clauses.flat_map(|clause| clause.tree.nodes().filter_map(|(_, kind)| atom(kind)).collect::<Vec<_>>()).collect()
}

/// Terms in bodies that name a table of facts, with one argument less: its answer was meant.
pub fn functions(
    program: &Program,
    scope: Scope,
    clause: &Clause,
    held: &FxHashSet<(Atom, usize)>,
    problems: &mut Vec<Problem>,
) {
    let tree = &clause.tree;
    let mut goals: FxHashSet<(Atom, usize)> = FxHashSet::default();
    let mut args = Vec::new();
    each_goal(&clause.body, &mut |goal| match goal {
        Goal::Call { callee: Callee::User(id), args: own, .. } => {
            let key = program.predicate(*id).key;
            goals.insert((key.name, key.arity));
            args.extend(own.iter().copied());
        }
        Goal::Findall { template, .. } => args.push(*template),
        _ => {}
    });
    for node in args.into_iter().flat_map(|arg| tree.args(arg).iter().copied()) {
        let Kind::Compound(name, _) = tree.kind(node) else { continue };
        let given = tree.args(node);
        let arity = given.len() + 1;
        let Some(Callee::User(id)) = program.resolve(scope, *name, arity) else { continue };
        let pred = program.predicate(id);
        let facts = pred.clauses.iter().all(|clause| matches!(clause.body, Goal::True));
        if pred.key.scope != scope || !facts || goals.contains(&(*name, arity)) || held.contains(&(*name, given.len()))
        {
            continue;
        }
        let texts: Vec<&str> = given.iter().map(|arg| program.sources.text(tree.span(*arg))).collect();
        let message =
            format!("{} is a term; {}/{arity} is not asked here", program.sources.text(tree.span(node)), name.text());
        let help = format!("write {}({}, Answer) as a goal before it, and Answer here", name.text(), texts.join(", "));
        problems.push(Problem::warning("A0308", tree.span(node), message).help(help));
    }
}

/// Names and numbers of arguments of the terms that heads have: those are terms that rules work with.
pub fn held(program: &Program) -> FxHashSet<(Atom, usize)> {
    let mut found = FxHashSet::default();
    let clauses = program.predicates.iter().filter(|pred| pred.key.scope == USER).flat_map(|pred| &pred.clauses);
    for clause in clauses {
        let mut stack = clause.tree.args(clause.head).to_vec();
        while let Some(at) = stack.pop() {
            found.extend(clause.tree.functor(at).filter(|(_, arity)| *arity > 0));
            stack.extend(clause.tree.args(at));
        }
    }
    found
}
