//! Explains why a goal used up its steps or its memory: a recursion, or a goal with endless answers.
//!
//! The input is the place where the budget ended. The result marks the call that repeats, or the goal that
//! gives one answer after another. Nothing is run. Only `fault` calls this module.

use crate::rules::library::{Type, library_name, rows};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program, USER};
use alphorn_prolog::machine::fault::FaultPlace;
use alphorn_text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest length of a quoted goal or head, in bytes.
const QUOTED: usize = 60;

/// What repeats without end.
pub(super) enum Unending {
    /// A predicate calls itself: its name, the call, how it comes back to the predicate, and the head of a
    /// clause that does not call the predicate again.
    Recursion { name: String, call: Span, through: Option<String>, end: Option<String> },
    /// A goal has answers without end: the goal and its text.
    Answers { goal: Span, text: String },
    /// Neither was found.
    Unknown,
}

impl Unending {
    /// The reason for a fault at a place.
    pub(super) fn of(program: &Program, place: &FaultPlace) -> Unending {
        let spans = place.span.into_iter().chain(place.sites.iter().map(|(span, _)| *span));
        let within: Vec<(PredId, &Clause, Span)> =
            spans.filter_map(|span| clause_at(program, span).map(|(pred, clause)| (pred, clause, span))).collect();
        for (_, clause, span) in &within {
            if let Some(goal) = endless_goal(program, clause, *span) {
                return Unending::Answers { goal, text: quoted(program, goal) };
            }
        }
        // A typed goal is in no clause.
        if let Some(goal) = place.span.filter(|_| within.is_empty() && is_endless_text(&place.goal)) {
            return Unending::Answers { goal, text: place.goal.clone() };
        }
        let named = place.callers.iter().filter_map(|name| {
            let (name, arity) = name.rsplit_once('/')?;
            program.own(name, arity.parse().ok()?)
        });
        let preds = within.iter().map(|(pred, clause, _)| (*pred, Some(*clause)));
        let preds = preds.chain(named.map(|pred| (pred, None)));
        let mut found = None;
        for (pred, clause) in preds {
            let Some(recursion) = recursion(program, pred, clause) else { continue };
            if !always_shrinks(program, pred) {
                return recursion;
            }
            // Such a recursion ends, unless its term has no end. A caller may call it without end.
            found = found.or(Some(recursion));
        }
        found.unwrap_or(Unending::Unknown)
    }

    /// The help for the fault. `memory` says whether the memory ended, and not the steps.
    pub(super) fn help(&self, memory: bool) -> String {
        let more = match memory {
            true => "if the rules are right, allow more with --memory BYTES, such as --memory 4G",
            false => "if the rules are right, allow more with --steps N",
        };
        let reason = match self {
            Unending::Recursion { name, through, end, .. } => {
                let itself = match through {
                    Some(through) => format!("{name} calls {through}, which calls {name} again"),
                    None => format!("{name} calls itself"),
                };
                let nearer = match end {
                    Some(end) => format!("each call must come nearer to {end}, which ends the recursion"),
                    None => format!("add a clause of {name} that ends the recursion"),
                };
                format!("{itself}, and this may never end: {nearer}")
            }
            Unending::Answers { text, .. } => format!(
                "{text} has answers without end, and each time a later goal fails Alphorn tries the next one: \
                 give a last number, as in between(1, N, X), or stop at the first answer with once(...)"
            ),
            Unending::Unknown if memory => "a term may grow without end".to_string(),
            Unending::Unknown => {
                "a goal may have very many answers, and later goals may fail for each of them: write these goals first"
                    .to_string()
            }
        };
        format!("{reason}\n{more}")
    }

    /// The place to mark, with its label.
    pub(super) fn mark(&self) -> Option<(Span, String)> {
        match self {
            Unending::Recursion { call, .. } => Some((*call, "this call repeats".to_string())),
            Unending::Answers { goal, .. } => Some((*goal, "this goal has answers without end".to_string())),
            Unending::Unknown => None,
        }
    }
}

/// The user's clause that contains a place.
fn clause_at(program: &Program, place: Span) -> Option<(PredId, &Clause)> {
    let users = (0..).map(PredId).zip(&program.predicates).filter(|(_, pred)| program.is_users(pred.key.scope));
    let mut clauses = users.flat_map(|(id, pred)| pred.clauses.iter().map(move |clause| (id, clause)));
    clauses.find(|(_, clause)| clause.span.contains(place))
}

/// The text of a goal on one line.
fn quoted(program: &Program, span: Span) -> String {
    let text = program.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// A goal with answers without end in a clause, which a goal at a place asks for the next answer.
fn endless_goal(program: &Program, clause: &Clause, place: Span) -> Option<Span> {
    let mut found = None;
    let mut stack = vec![Step::Goal(&clause.body)];
    while let Some(step) = stack.pop() {
        let goal = match step {
            Step::Goal(goal) => goal,
            Step::Restore(before) => {
                found = before;
                continue;
            }
        };
        match goal {
            Goal::Conj(goals) => stack.extend(goals.iter().rev().map(Step::Goal)),
            Goal::Or(left, right) => stack.extend([Step::Goal(right), Step::Restore(found), Step::Goal(left)]),
            Goal::If(condition, then, other) => {
                // Only the first answer of the condition counts.
                let before = || Step::Restore(found);
                stack.extend([Step::Goal(other), before(), Step::Goal(then), before(), Step::Goal(condition)]);
            }
            Goal::SoftIf(condition, then, other) => {
                let before = Step::Restore(found);
                stack.extend([Step::Goal(other), before, Step::Goal(then), Step::Goal(condition)]);
            }
            Goal::Not(inner) | Goal::Findall { goal: inner, .. } | Goal::Scope(inner) => {
                stack.extend([Step::Restore(found), Step::Goal(inner)]);
            }
            Goal::Cut => found = None,
            Goal::Call { span, .. } if span.start > place.start => break,
            Goal::Call { callee: callee @ (Callee::Native(_) | Callee::User(_)), args, span }
                if is_endless(program, clause, callee, args) =>
            {
                found = Some(*span);
            }
            _ => {}
        }
    }
    found
}

/// Whether the text of a goal says that it has answers without end.
fn is_endless_text(goal: &str) -> bool {
    goal == "repeat" || goal.starts_with("between(") && [",inf,", ",infinite,"].iter().any(|high| goal.contains(high))
}

/// A step of a walk over goals in the order of the text.
enum Step<'a> {
    Goal(&'a Goal),
    /// Goes back to what was found before a goal of which only one answer counts, or before the other branch.
    Restore(Option<Span>),
}

/// Whether a goal of the library has answers without end.
fn is_endless(program: &Program, clause: &Clause, callee: &Callee, args: &[NodeId]) -> bool {
    let name = library_name(program, callee);
    let tree = &clause.tree;
    let is_infinite =
        |node: NodeId| matches!(tree.kind(node), TermKind::Atom(name) if matches!(name.text(), "inf" | "infinite"));
    // A variable that occurs in no head and in no goal before has no value.
    let is_new = |node: NodeId| {
        let TermKind::Var(number) = tree.kind(node) else { return false };
        let start = tree.span(node).start;
        tree.nodes().all(|(other, kind)| {
            !matches!(kind, TermKind::Var(own) if own == number) || tree.span(other).start >= start
        })
    };
    match (name, args) {
        ("repeat", []) => true,
        ("between", [_, high, _]) => is_infinite(*high),
        ("length", [list, length]) => is_new(*list) && is_new(*length),
        ("append", [first, _, joined]) => is_new(*first) && is_new(*joined),
        ("member", [_, list]) | ("nth0" | "nth1", [_, list, _]) => is_new(*list),
        _ => false,
    }
}

/// The recursion of a predicate. The call is one in `clause`, if this clause has one.
fn recursion(program: &Program, pred: PredId, clause: Option<&Clause>) -> Option<Unending> {
    let clauses = &program.predicate(pred).clauses;
    let back = callers(program, pred);
    let mut all = clause.into_iter().chain(clauses);
    let (callee, call) = all.find_map(|clause| repeating(program, &back, clause))?;
    let mut ends = clauses.iter().chain(&program.predicate(callee).clauses);
    let end = ends.find(|clause| repeating(program, &back, clause).is_none());
    Some(Unending::Recursion {
        name: program.indicator(pred),
        call,
        through: (callee != pred).then(|| program.indicator(callee)),
        end: end.map(|clause| quoted(program, clause.tree.span(clause.head))),
    })
}

/// Whether each call of a predicate by itself takes a part of the term that its head has in the same argument.
fn always_shrinks(program: &Program, pred: PredId) -> bool {
    let clauses = &program.predicate(pred).clauses;
    let arity = clauses.first().map_or(0, |clause| clause.tree.args(clause.head).len());
    (0..arity).any(|at| {
        let mut calls = 0;
        let shrinks = clauses.iter().all(|clause| {
            let tree = &clause.tree;
            let head = tree.args(clause.head)[at];
            let mut all = true;
            each_goal(&clause.body, &mut |goal| {
                let Goal::Call { callee: Callee::User(id), args, .. } = goal else { return };
                if *id == pred {
                    calls += 1;
                    let is_part = |part: NodeId| tree.kind(part) == tree.kind(args[at]);
                    all &=
                        matches!(tree.kind(args[at]), TermKind::Var(_)) && tree.args(head).iter().copied().any(is_part);
                }
            });
            all
        });
        shrinks && calls > 0
    })
}

/// A predicate and all predicates that call it, directly or not.
fn callers(program: &Program, pred: PredId) -> FxHashSet<PredId> {
    let mut backward: FxHashMap<PredId, Vec<PredId>> = FxHashMap::default();
    let users = (0..).map(PredId).zip(&program.predicates).filter(|(_, pred)| program.is_users(pred.key.scope));
    for (caller, clause) in users.flat_map(|(id, pred)| pred.clauses.iter().map(move |clause| (id, clause))) {
        called(program, clause, &mut |callee, _| backward.entry(callee).or_default().push(caller));
    }
    let (mut found, mut stack) = (FxHashSet::default(), vec![pred]);
    while let Some(id) = stack.pop() {
        if found.insert(id) {
            stack.extend(backward.remove(&id).into_iter().flatten());
        }
    }
    found
}

/// The last call in a clause from which its predicate is reached again.
fn repeating(program: &Program, back: &FxHashSet<PredId>, clause: &Clause) -> Option<(PredId, Span)> {
    let mut found = None;
    called(program, clause, &mut |callee, span| {
        if back.contains(&callee) {
            found = Some((callee, span));
        }
    });
    found
}

/// Every predicate of the user that a clause calls, directly or through a goal of the library, with the goal.
fn called(program: &Program, clause: &Clause, see: &mut impl FnMut(PredId, Span)) {
    let is_users = |id: PredId| program.is_users(program.predicate(id).key.scope);
    each_goal(&clause.body, &mut |goal| {
        let Goal::Call { callee, args, span } = goal else { return };
        match callee {
            Callee::User(id) if is_users(*id) => see(*id, *span),
            callee => {
                let rows = rows(library_name(program, callee), args.len());
                let closures = rows.first().into_iter().flat_map(|row| row.iter().zip(args));
                for (arg, node) in closures {
                    let (Type::Closure(more), Some((name, own))) = (&arg.of, clause.tree.functor(*node)) else {
                        continue;
                    };
                    if let Some(Callee::User(id)) = program
                        .resolve(USER, name, own + more.len())
                        .filter(|callee| matches!(callee, Callee::User(id) if is_users(*id)))
                    {
                        see(id, *span);
                    }
                }
            }
        }
    });
}
