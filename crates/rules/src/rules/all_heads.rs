//! Finds a call of a helper that several clauses contradict, and decides that the call is wrong.
//!
//! The input is what the heads of a helper take and what its only call passes. Where two or more clauses need
//! another term than the one that comes, the call is wrong, and not all of these clauses. A head needs a number
//! where its clause computes with a variable. Nothing is run. Only `blame` calls this check.

use crate::rules::clause_at::clause_at;
use crate::rules::flows::Flow;
use crate::rules::game_shapes::GameShapes;
use crate::rules::meet::ShapeMatch;
use crate::rules::shape::{Form, Shape};
use crate::rules::sketch::{exact, quoted};
use crate::rules::taker::Taker;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The least number of clauses that must contradict a call.
const AGAINST: usize = 2;

/// Parts of a head below this depth are not compared.
const DEEPEST: usize = 5;

/// The greatest number of places that a problem marks besides the mistake.
const SHOWN: usize = 3;

/// Goals of arithmetic. All variables in their arguments are numbers.
const ARITHMETIC: [&str; 7] = ["is", "=:=", "=\\=", "<", ">", "=<", ">="];

/// The calls that several clauses contradict: predicate, argument number, problem.
pub(super) fn check(program: &Program, known: &GameShapes) -> Vec<(PredId, usize, Problem)> {
    let mut heads: BTreeMap<(PredId, usize), Vec<&Flow>> = BTreeMap::new();
    for flow in known.flows.iter().filter(|flow| flow.taker == Taker::Head) {
        heads.entry((flow.pred, flow.place)).or_default().push(flow);
    }
    let told = heads.into_iter().filter(|(_, flows)| flows.len() >= AGAINST);
    told.filter_map(|((pred, place), flows)| Some((pred, place, contradicted(program, known, &flows)?))).collect()
}

/// The problem of the only call of a helper, if several heads contradict it and no head tells that it is right.
fn contradicted(program: &Program, known: &GameShapes, heads: &[&Flow]) -> Option<Problem> {
    let (made, pred, place) = (&heads[0].made, heads[0].pred, heads[0].place);
    let is_call = |flow: &&Flow| flow.taker == Taker::Call && (flow.pred, flow.place) == (pred, place);
    let mut calls = known.flows.iter().filter(is_call);
    let call = calls.next().filter(|_| calls.next().is_none())?;
    if !matches!(made, Shape::Of(forms) if !forms.is_empty()) || call.made.meet(made) != ShapeMatch::Fits {
        return None;
    }
    let mut against = Vec::new();
    for head in heads {
        let takes = needed(program, head)?;
        match takes.meet(made) {
            ShapeMatch::Fits if !tells_nothing(&takes) => return None,
            ShapeMatch::Slight => return None,
            ShapeMatch::Fits => {}
            ShapeMatch::Word | ShapeMatch::Kind | ShapeMatch::Never => against.push((*head, takes)),
        }
    }
    let surely = against.iter().any(|(_, takes)| takes.meet(made) >= ShapeMatch::Kind);
    if against.len() < AGAINST || !surely {
        return None;
    }
    let maker = only_maker(program, made);
    let span = maker.unwrap_or(call.span);
    let mut needs: Vec<String> = against.iter().map(|(_, takes)| words(program, takes)).collect();
    needs.dedup();
    needs.truncate(SHOWN);
    let name = program.indicator(pred);
    let message = format!(
        "{} is {}, and {} clauses of {name} never match it",
        quoted(&program.sources, span),
        words(program, made),
        against.len()
    );
    let mut problem = Problem::warning(Code::GoalNeverSucceeds, span, message);
    if maker.is_some() {
        problem = problem.also(call.span, format!("{name} is called with this term here"));
    }
    for (head, takes) in against.iter().take(SHOWN) {
        problem = problem.also(head.span, format!("this needs {}", words(program, takes)));
    }
    Some(problem.help(format!("{name} needs {} here\nwrite such a term, or correct the clauses", needs.join(" or "))))
}

/// The only place that makes the terms of a shape, if it is in the body of a clause.
fn only_maker(program: &Program, made: &Shape) -> Option<Span> {
    let Shape::Of(forms) = made else { return None };
    let mut spans = forms.iter().filter_map(|form| Some(form.functor()?.1)).flatten();
    let only = spans.next().filter(|_| spans.next().is_none())?;
    let clause = clause_at(program, *only)?;
    (!clause.tree.span(clause.head).contains(*only)).then_some(*only)
}

/// Whether a shape is a term with any arguments.
fn tells_nothing(shape: &Shape) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Of(forms) => {
            matches!(&forms[..], [Form::Compound(_, args, _)] if args.iter().all(|arg| *arg == Shape::Any))
        }
    }
}

/// The shape that an argument of a head takes, with numbers where the clause computes with its variables.
fn needed(program: &Program, head: &Flow) -> Option<Shape> {
    let clause = clause_at(program, head.span)?;
    let arg = *clause.tree.args(clause.head).get(head.place)?;
    Some(with_numbers(&clause.tree, arg, &computed(program, clause), DEEPEST))
}

fn with_numbers(tree: &TermTree, node: NodeId, numbers: &FxHashSet<u32>, depth: usize) -> Shape {
    match tree.kind(node) {
        TermKind::Var(number) if numbers.contains(number) => Shape::of(vec![Form::Number]),
        TermKind::Compound(name, _) if depth > 0 && *name != atoms::DOT => {
            let args = tree.args(node).iter().map(|arg| with_numbers(tree, *arg, numbers, depth - 1));
            Shape::of(vec![Form::Compound(*name, args.collect(), Default::default())])
        }
        _ => Shape::of_text(tree, node, depth),
    }
}

/// The variables with which a clause computes whenever it succeeds.
fn computed(program: &Program, clause: &Clause) -> FxHashSet<u32> {
    let goals = match &clause.body {
        Goal::Conj(goals) => &goals[..],
        goal => std::slice::from_ref(goal),
    };
    let mut found = FxHashSet::default();
    for goal in goals {
        if let Goal::Call { callee: Callee::Native(id), args, .. } = goal
            && ARITHMETIC.contains(&program.known.row(*id).name)
        {
            found.extend(args.iter().flat_map(|arg| clause.tree.variables_of(*arg)));
        }
    }
    found
}

/// A shape in words.
fn words(program: &Program, shape: &Shape) -> String {
    let Shape::Of(forms) = shape else { return "anything".to_string() };
    let mut names: Vec<String> = forms.iter().take(SHOWN).map(|form| exact(form, &program.ops)).collect();
    names.dedup();
    names.join(" or ")
}
