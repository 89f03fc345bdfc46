//! Finds clauses of game predicates that are surely mistakes.
//!
//! Warnings report exchanged arguments, clauses that Alphorn never uses because the first answer
//! counts, and answers with a variable that nothing binds. An error reports a range with exchanged
//! ends. Nothing is run. Only `check` calls this check.

use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::check::{arithmetic, computing};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;

/// The depth to which goals are followed that may give no answer, and the greatest number of these goals.
const DEEPEST: usize = 8;
const MOST_GOALS: usize = 1_000;

/// The reported problems, by code and place.
type Told = FxHashSet<(Code, Span)>;

/// Checks every clause of every game predicate.
pub(super) fn check(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let many = [contract.initial, contract.labelled, contract.symmetry, contract.position, contract.sample];
    let shapes = shapes(program, contract);
    let mut told: Told =
        problems.iter().filter_map(|problem| Some((problem.code, problem.labels.first()?.0))).collect();
    let numbers = [(contract.static_eval, 1), (contract.prefer, 2), (contract.extend, 2), (contract.reduce, 2)];
    for (id, modes) in contract.questions() {
        if modes.contains('+') && modes.contains('-') && !many.contains(&Some(id)) {
            uncounted(program, id, modes, problems);
        }
        for clause in &program.predicate(id).clauses {
            let before = problems.len();
            exchanged(program, contract, id, clause, &shapes, problems);
            // A clause with exchanged arguments needs no further check.
            if problems.len() > before {
                continue;
            }
            open(program, id, clause, modes, problems);
            if !many.contains(&Some(id)) || contract.labelled == Some(id) {
                unanswered(program, clause, modes, &mut told, problems);
            }
            if let Some(place) = numbers.iter().find(|(pred, _)| *pred == Some(id)).map(|(_, place)| *place) {
                let sums = computing::answers(program, clause, place).into_iter();
                problems.extend(sums.filter(|sum| told.insert((Code::ExpressionNotComputed, sum.labels[0].0))));
            }
        }
    }
    reversed(program, contract, problems);
}

/// Reports arithmetic that needs an output argument before any goal can bind it.
fn unanswered(program: &Program, clause: &Clause, modes: &str, told: &mut Told, problems: &mut Vec<Problem>) {
    let args = clause.tree.args(clause.head).iter().zip(modes.chars());
    let given: Vec<NodeId> = args.filter(|(_, mode)| *mode == '+').map(|(arg, _)| *arg).collect();
    let mut found = Vec::new();
    arithmetic::unanswered(program, clause, &given, &mut found);
    // A variable without a value in any call was reported before.
    problems.extend(found.into_iter().filter(|new| told.insert((new.code, new.labels[0].0))));
}

fn is_variable(clause: &Clause, node: NodeId) -> bool {
    matches!(clause.tree.kind(node), TermKind::Var(_))
}

/// Reports a clause after one that answers for every position.
fn uncounted(program: &Program, id: PredId, modes: &str, problems: &mut Vec<Problem>) {
    let clauses = &program.predicate(id).clauses;
    let general = |clause: &Clause| {
        let args = clause.tree.args(clause.head);
        let given: Vec<NodeId> =
            args.iter().zip(modes.chars()).filter(|(_, mode)| *mode == '+').map(|(a, _)| *a).collect();
        let names: FxHashSet<u32> = given.iter().flat_map(|arg| clause.tree.variables_of(*arg)).collect();
        matches!(clause.body, Goal::True | Goal::Cut)
            && given.iter().all(|arg| is_variable(clause, *arg))
            && names.len() == given.len()
    };
    let Some(at) = clauses.iter().position(general) else { return };
    let Some(next) = clauses.get(at + 1) else { return };
    let first = clauses[at].tree.span(clauses[at].head);
    problems.push(
        Problem::warning(Code::UnreachedClause, next.tree.span(next.head), "this clause is never used")
            .also(first, "this clause answers for every position, and Alphorn uses only the first answer")
            .help("move the clause for all other positions to the end"),
    );
}

/// Reports variables of an answer that occur nowhere else.
fn open(program: &Program, id: PredId, clause: &Clause, modes: &str, problems: &mut Vec<Problem>) {
    if never_answers(program, &clause.body, (DEEPEST, &mut { MOST_GOALS })) {
        return;
    }
    let tree = &clause.tree;
    let mut found: Vec<(u32, NodeId, u32)> = Vec::new();
    let answers = tree.args(clause.head).iter().zip(modes.chars()).filter(|(_, mode)| *mode == '-');
    let mut stack: Vec<NodeId> = answers.map(|(arg, _)| *arg).collect();
    while let Some(at) = stack.pop() {
        if let TermKind::Var(number) = tree.kind(at) {
            match found.iter_mut().find(|(other, ..)| other == number) {
                Some((.., times)) => *times += 1,
                None => found.push((*number, at, 1)),
            }
        }
        stack.extend(tree.args(at));
    }
    found.retain(|(number, _, times)| tree.variables[*number as usize].count == *times);
    for (number, at, _) in found {
        let name = &tree.variables[number as usize].name;
        let message = format!("{} leaves a variable in its answer: no goal binds {name}", program.indicator(id));
        problems.push(
            Problem::warning(Code::AnswerNotGround, tree.span(at), message)
                .help("write a value here, or a variable that a goal binds"),
        );
    }
}

/// Whether a goal surely gives no answer: it fails or throws an exception on every path. Calls and branches are
/// followed to a depth, and at most `left` goals.
fn never_answers(program: &Program, goal: &Goal, (depth, left): (usize, &mut usize)) -> bool {
    let (Some(depth), Some(rest)) = (depth.checked_sub(1), left.checked_sub(1)) else { return false };
    *left = rest;
    let mut never = |goal: &Goal| never_answers(program, goal, (depth, left));
    match goal {
        Goal::Fail => true,
        Goal::Conj(goals) => goals.iter().any(&mut never),
        Goal::Or(left, right) => never(left) && never(right),
        Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
            (never(condition) || never(then)) && never(other)
        }
        Goal::Scope(inner) => never(inner),
        Goal::Call { callee: Callee::Native(id), .. } => program.known.row(*id).name == "throw",
        Goal::Call { callee: Callee::User(id), .. } => {
            let clauses = &program.predicate(*id).clauses;
            !clauses.is_empty() && clauses.iter().all(|clause| never(&clause.body))
        }
        _ => false,
    }
}

/// The functors of the openings. Lists are left out, because a list may be anything.
fn shapes(program: &Program, contract: &Contract) -> FxHashSet<(Atom, usize)> {
    let clauses = contract.initial.map_or(&[][..], |id| &program.predicate(id).clauses);
    let shape = |clause: &Clause| clause.tree.functor(clause.tree.args(clause.head)[0]);
    clauses.iter().filter_map(shape).filter(|(name, arity)| *arity > 0 && *name != atoms::DOT).collect()
}

/// Reports a position in the place of the answer, if the place of the position contains none.
fn exchanged(
    program: &Program,
    contract: &Contract,
    id: PredId,
    clause: &Clause,
    shapes: &FxHashSet<(Atom, usize)>,
    problems: &mut Vec<Problem>,
) {
    let tree = &clause.tree;
    let is = |node: NodeId| tree.functor(node).is_some_and(|shape| shapes.contains(&shape));
    // These predicates answer with a list, a number, win/1 or score/1, never with a position.
    let other = |pred| {
        let answers =
            [contract.moves, contract.static_eval, contract.outcome, contract.show, contract.draw, contract.chance];
        answers.contains(&pred)
    };
    let result = |node| {
        contract.outcome == Some(id)
            && matches!(tree.functor(node), Some((name, 1)) if matches!(name.text(), "win" | "score"))
    };
    let order = match *tree.args(clause.head) {
        [first, second] if other(Some(id)) && is(second) && !is(first) && !result(second) => vec![second, first],
        [first, label, next]
            if contract.labelled == Some(id) && is(label) && !is(next) && !taken(program, contract, tree, next) =>
        {
            vec![first, next, label]
        }
        _ => return,
    };
    let texts: Vec<&str> = order.into_iter().map(|arg| program.sources.text(tree.span(arg))).collect();
    let name = program.predicate(id).key.name.text();
    problems.push(
        Problem::warning(
            Code::ArgumentOrder,
            tree.span(clause.head),
            format!("the arguments of {} are in the wrong order", program.indicator(id)),
        )
        .help(format!("write {name}({})", texts.join(", "))),
    );
}

/// Whether a term may be a position: a variable, or a functor that a game predicate takes.
fn taken(program: &Program, contract: &Contract, tree: &TermTree, node: NodeId) -> bool {
    let Some(shape) = tree.functor(node) else { return matches!(tree.kind(node), TermKind::Var(_)) };
    let questions = contract.questions().into_iter().filter(|(_, modes)| modes.starts_with('+'));
    let mut clauses = questions.flat_map(|(id, _)| &program.predicate(id).clauses);
    clauses.any(|clause| clause.tree.functor(clause.tree.args(clause.head)[0]) == Some(shape))
}

/// Reports a range whose first number is the greater one.
fn reversed(program: &Program, contract: &Contract, problems: &mut Vec<Problem>) {
    let clauses = contract.value_range.map_or(&[][..], |id| &program.predicate(id).clauses);
    for clause in clauses {
        let tree = &clause.tree;
        let &[low, high] = tree.args(clause.head) else { continue };
        let number = |node| match tree.kind(node) {
            TermKind::Int(value) => Some(*value as f64),
            TermKind::Float(value) => Some(*value),
            _ => None,
        };
        if let (Some(from), Some(to)) = (number(low), number(high))
            && from > to
        {
            let text = |node| program.sources.text(tree.span(node));
            problems.push(
                Problem::error(
                    Code::InvalidDeclaration,
                    tree.span(clause.head),
                    "the first number of value_range/2 is the greater one",
                )
                .help(format!("write value_range({}, {})", text(high), text(low))),
            );
        }
    }
}
