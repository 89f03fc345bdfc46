//! Reports endless recursion, and negation without a meaning.

use crate::lang::ast::{NodeId, TermKind};
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reports clauses that call themselves first, with arguments as general as those of the head, in
/// predicates without `table`.
pub fn left_recursion(program: &Program, problems: &mut Vec<Problem>) {
    for (number, pred) in program.predicates.iter().enumerate() {
        if pred.tabled || !program.is_users(pred.key.scope) {
            continue;
        }
        let own = Callee::User(PredId(number as u32));
        for (at, clause) in pred.clauses.iter().enumerate() {
            let Some((callee, args, span)) = first_call(&clause.body) else { continue };
            if callee == own && as_general(clause, args) {
                let indicator = program.indicator(PredId(number as u32));
                let before = &pred.clauses[..at];
                if !is_identical_call(clause, args)
                    && before.iter().any(|other| first_call(&other.body).is_none_or(|(callee, ..)| callee != own))
                {
                    // Such a predicate gives answers first. A cut or the caller may end it then.
                    problems.extend((!ends_in_cut(&clause.body)).then(|| later(clause, span, &indicator)));
                    continue;
                }
                problems.push(
                    Problem::error(
                        Code::LeftRecursion,
                        span,
                        format!("{indicator} calls itself before any other goal, so it never ends"),
                    )
                    .also(clause.tree.span(clause.head), "in this clause")
                    .help(match is_identical_call(clause, args) {
                        true => "remove this clause: it calls itself with the same arguments".to_string(),
                        false => format!(
                            "write :- table {indicator}. before its clauses, or first write a goal that binds a variable"
                        ),
                    }),
                );
            }
        }
    }
}

/// Whether a cut after the first goal of a body ends the search for further answers.
fn ends_in_cut(body: &Goal) -> bool {
    matches!(body, Goal::Conj(goals) if goals.iter().skip(1).any(|goal| matches!(goal, Goal::Cut)))
}

/// The warning for a clause that calls itself first, behind a clause that gives answers.
fn later(clause: &Clause, span: Span, indicator: &str) -> Problem {
    let message = format!("{indicator} calls itself before any other goal: a search for all its answers never ends");
    Problem::warning(Code::LeftRecursion, span, message).also(clause.tree.span(clause.head), "in this clause").help(
        format!(
            "write :- table {indicator}. before its clauses, or first write a goal that binds a variable, or let \
                 each caller stop after some answers: once(...)"
        ),
    )
}

fn first_call(goal: &Goal) -> Option<(Callee, &[NodeId], Span)> {
    match goal {
        Goal::Conj(goals) => first_call(goals.first()?),
        Goal::If(first, ..) | Goal::SoftIf(first, ..) | Goal::Scope(first) | Goal::Not(first) => first_call(first),
        Goal::Call { callee, args, span } => Some((*callee, args, *span)),
        _ => None,
    }
}

/// Whether each argument is the same variable as in the head, or a new variable.
fn as_general(clause: &Clause, args: &[NodeId]) -> bool {
    let tree = &clause.tree;
    let head: FxHashSet<u32> = tree.variables_of(clause.head).into_iter().collect();
    let mut fresh = FxHashSet::default();
    tree.args(clause.head).iter().zip(args).all(|(own, arg)| match (tree.kind(*own), tree.kind(*arg)) {
        (TermKind::Var(own), TermKind::Var(arg)) if own == arg => true,
        (_, TermKind::Var(arg)) => !head.contains(arg) && fresh.insert(*arg),
        _ => false,
    })
}

/// Whether the call repeats the head.
fn is_identical_call(clause: &Clause, args: &[NodeId]) -> bool {
    let (tree, own) = (&clause.tree, clause.tree.args(clause.head));
    own.iter()
        .zip(args)
        .all(|(own, arg)| matches!(tree.kind(*own), TermKind::Var(_)) && tree.kind(*own) == tree.kind(*arg))
}

/// Reports clauses that only permute the arguments of their own predicate. The search for a further
/// answer never ends.
pub fn argument_permutation(program: &Program, problems: &mut Vec<Problem>) {
    for (number, pred) in program.predicates.iter().enumerate() {
        if pred.tabled || !program.is_users(pred.key.scope) {
            continue;
        }
        for clause in &pred.clauses {
            let Goal::Call { callee: Callee::User(PredId(callee)), args, span } = &clause.body else { continue };
            let tree = &clause.tree;
            let variable =
                |node: &NodeId| matches!(tree.kind(*node), TermKind::Var(_)).then(|| tree.kind(*node).clone());
            let own: Option<Vec<TermKind>> = tree.args(clause.head).iter().map(variable).collect();
            let given: Option<Vec<TermKind>> = args.iter().map(variable).collect();
            let (Some(own), Some(given)) = (own, given) else { continue };
            let exchanged = own != given && own.iter().all(|kind| given.contains(kind));
            if *callee as usize != number || !exchanged || tree.variables.len() != own.len() {
                continue;
            }
            let indicator = program.indicator(PredId(number as u32));
            let message = format!("this clause of {indicator} only exchanges its arguments, without end");
            problems.push(
                Problem::warning(Code::EndlessRecursion, *span, message)
                    .also(tree.span(clause.head), "in this clause")
                    .help(format!(
                        "write a fact for each pair, or give the facts another name and call them in both orders; \
                     or write :- table {indicator}. before the clauses"
                    )),
            );
        }
    }
}

/// Reports predicates whose clauses all call the predicate again, so that no call succeeds.
pub fn endless(program: &Program, problems: &mut Vec<Problem>) {
    let mut throws = None;
    for (number, pred) in program.predicates.iter().enumerate() {
        let id = PredId(number as u32);
        if pred.tabled
            || !program.is_users(pred.key.scope)
            || !pred.clauses.iter().all(|one| recursive_call(one, id).is_some())
        {
            continue;
        }
        let Some(first) = pred.clauses.first() else { continue };
        if throws.get_or_insert_with(|| Throws::of(program)).may_end(program, id) {
            continue;
        }
        let (indicator, name) = (program.indicator(id), pred.key.name.text());
        let whole = first
            .tree
            .args(first.head)
            .iter()
            .position(|arg| first.tree.functor(*arg).is_some_and(|(name, arity)| (name, arity) == (atoms::DOT, 2)));
        let help = match whole {
            Some(place) => {
                let args: Vec<&str> = (0..pred.key.arity).map(|at| if at == place { "[]" } else { "..." }).collect();
                format!("add a clause that ends the recursion: {name}({}).", args.join(", "))
            }
            None => format!("add a clause of {indicator} that does not call it, to end the recursion"),
        };
        problems.push(
            Problem::warning(
                Code::EndlessRecursion,
                first.tree.span(first.head),
                format!("every clause of {indicator} calls {indicator} again, so it never succeeds"),
            )
            .help(help),
        );
    }
}

/// The goal by which a clause calls its own predicate on every path.
fn recursive_call(clause: &Clause, own: PredId) -> Option<Span> {
    let mut stack = vec![&clause.body];
    while let Some(goal) = stack.pop() {
        match goal {
            Goal::Conj(goals) => stack.extend(goals),
            Goal::Scope(inner) => stack.push(inner),
            Goal::Call { callee: Callee::User(id), span, .. } if *id == own => return Some(*span),
            _ => {}
        }
    }
    None
}

/// The predicates that an exception may end, computed for the whole program.
struct Throws {
    /// Predicates that can throw, and those that mention such a predicate by name.
    throwing: FxHashSet<PredId>,
    /// The names of the goals inside `catch/3`.
    caught: FxHashSet<Atom>,
}

impl Throws {
    fn of(program: &Program) -> Throws {
        let mut mentions: FxHashMap<Atom, Vec<PredId>> = FxHashMap::default();
        let mut caught = FxHashSet::default();
        let mut stack = Vec::new();
        for (number, pred) in program.predicates.iter().enumerate() {
            let id = PredId(number as u32);
            for clause in &pred.clauses {
                let tree = &clause.tree;
                for (at, kind) in tree.nodes() {
                    let (TermKind::Atom(name) | TermKind::Compound(name, _)) = kind else { continue };
                    let by = mentions.entry(*name).or_default();
                    if by.last() != Some(&id) {
                        by.push(id);
                    }
                    if tree.args(at).len() == 3 && name.text() == "catch" {
                        caught.extend(tree.functor(tree.args(at)[0]).map(|(goal, _)| goal));
                    }
                }
                each_goal(&clause.body, &mut |goal| {
                    if matches!(goal, Goal::Call { callee: Callee::Native(native), .. } if program.known.row(*native).name == "throw")
                    {
                        stack.push(id);
                    }
                });
            }
        }
        let mut throwing = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if throwing.insert(id) {
                stack.extend(mentions.remove(&program.predicate(id).key.name).into_iter().flatten());
            }
        }
        Throws { throwing, caught }
    }

    /// Whether an exception may end a predicate: the predicate can throw, or a `catch/3` calls it.
    fn may_end(&self, program: &Program, id: PredId) -> bool {
        self.throwing.contains(&id) || self.caught.contains(&program.predicate(id).key.name)
    }
}

/// Reports negation through recursion among tabled predicates.
pub fn stratification(program: &Program, problems: &mut Vec<Problem>) {
    if !program.predicates.iter().any(|pred| pred.tabled) {
        return;
    }
    let mut forward: Vec<Vec<PredId>> = vec![Vec::new(); program.predicates.len()];
    let mut negative = Vec::new();
    for (number, pred) in program.predicates.iter().enumerate() {
        let caller = PredId(number as u32);
        for clause in &pred.clauses {
            edges(&clause.body, false, &mut |callee, negated, span| {
                forward[number].push(callee);
                if negated {
                    negative.push((caller, callee, span));
                }
            });
        }
    }
    let circles = circles(&forward);
    let tabled = program.predicates.iter().zip(&circles).filter(|(pred, _)| pred.tabled);
    let tabled: FxHashSet<u32> = tabled.map(|(_, circle)| *circle).collect();
    for (caller, callee, span) in negative {
        let circle = circles[caller.0 as usize];
        if circle == circles[callee.0 as usize] && tabled.contains(&circle) {
            problems.push(
                Problem::error(
                    Code::CyclicNegation,
                    span,
                    format!("{} depends on its own negation, through a tabled predicate", program.indicator(caller)),
                )
                .label(format!("{} is negated here", program.indicator(callee)))
                .help("split the predicate, so that the negated predicate does not depend on this one"),
            );
        }
    }
}

fn edges(goal: &Goal, negated: bool, see: &mut impl FnMut(PredId, bool, Span)) {
    let mut stack = vec![(goal, negated)];
    while let Some((goal, negated)) = stack.pop() {
        match goal {
            Goal::Conj(goals) => stack.extend(goals.iter().map(|goal| (goal, negated))),
            Goal::Or(left, right) => stack.extend([(&**left, negated), (&**right, negated)]),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                stack.extend([(&**condition, true), (&**then, negated), (&**other, negated)]);
            }
            Goal::Not(inner) | Goal::Findall { goal: inner, .. } => stack.push((inner, true)),
            Goal::Scope(inner) => stack.push((inner, negated)),
            Goal::Call { callee: Callee::User(id), span, .. } => see(*id, negated, *span),
            _ => {}
        }
    }
}

/// The strongly connected components of the call graph: two predicates have the same number if each
/// calls the other, directly or not. Two depth-first searches (Kosaraju, 1978).
fn circles(forward: &[Vec<PredId>]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut backward: Vec<Vec<usize>> = vec![Vec::new(); forward.len()];
    let mut seen = vec![false; forward.len()];
    let mut order = Vec::new();
    for start in 0..forward.len() {
        forward[start].iter().for_each(|to| backward[to.0 as usize].push(start));
        let mut stack = if std::mem::replace(&mut seen[start], true) { Vec::new() } else { vec![(start, 0)] };
        while let Some((at, next)) = stack.last_mut() {
            let Some(to) = forward[*at].get(*next).map(|to| to.0 as usize) else {
                order.push(*at);
                stack.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[to], true) {
                stack.push((to, 0));
            }
        }
    }
    let mut circle = vec![NONE; forward.len()];
    for (number, start) in order.into_iter().rev().enumerate() {
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            if circle[at] == NONE {
                circle[at] = number as u32;
                stack.extend(&backward[at]);
            }
        }
    }
    circle
}
