//! Finds goals that look for a key without a value in an association list.
//!
//! `get_assoc(_, Places, Place)` does not enumerate the keys, but fails. A warning reports such a goal, and a
//! call that passes a variable of its own to a helper which looks for it as a key. Nothing is run. Only
//! `check` calls this check.

use crate::rules::library::library_name;
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use rustc_hash::FxHashMap;

/// A goal of the library that needs a key: its name and arity. The key is the first argument.
const KEYED: [(&str, usize); 2] = [("get_assoc", 3), ("del_assoc", 4)];

/// Reports every key that has no value.
pub(super) fn check(program: &Program, problems: &mut Vec<Problem>) {
    let mut helpers: FxHashMap<(PredId, usize), Span> = FxHashMap::default();
    let users = || (0..).map(PredId).zip(&program.predicates).filter(|(_, pred)| program.is_users(pred.key.scope));
    for (id, clause) in users().flat_map(|(id, pred)| pred.clauses.iter().map(move |clause| (id, clause))) {
        let mut before: Vec<u32> = Vec::new();
        each_goal(&clause.body, &mut |goal| {
            let Goal::Call { callee, args, span, .. } = goal else { return };
            let name = library_name(program, callee);
            if let (Some(key), true) = (args.first(), KEYED.contains(&(name, args.len())))
                && let TermKind::Var(number) = clause.tree.kind(*key)
            {
                let place = clause.tree.args(clause.head).iter().position(|arg| is(clause, *arg, *number));
                if is_alone(clause, *key) {
                    problems.push(problem(program, clause.tree.span(*key), name, args.len()));
                } else if let Some(place) = place.filter(|_| !before.contains(number)) {
                    helpers.entry((id, place)).or_insert(*span);
                }
            }
            args.iter().for_each(|arg| before.extend(clause.tree.variables_of(*arg)));
        });
    }
    if helpers.is_empty() {
        return;
    }
    for clause in users().flat_map(|(_, pred)| &pred.clauses) {
        each_goal(&clause.body, &mut |goal| {
            let Goal::Call { callee: Callee::User(pred), args, .. } = goal else { return };
            for (place, arg) in args.iter().enumerate() {
                if let Some(goal) = helpers.get(&(*pred, place)).filter(|_| is_alone(clause, *arg)) {
                    let found = problem(program, clause.tree.span(*arg), "get_assoc", 3);
                    problems.push(found.also(*goal, "this looks for the key"));
                }
            }
        });
    }
}

fn is(clause: &Clause, node: NodeId, number: u32) -> bool {
    matches!(clause.tree.kind(node), TermKind::Var(other) if *other == number)
}

/// Whether a term is a variable that occurs once in its clause.
fn is_alone(clause: &Clause, node: NodeId) -> bool {
    matches!(clause.tree.kind(node), TermKind::Var(number) if clause.tree.variables[*number as usize].count == 1)
}

fn problem(program: &Program, span: Span, name: &str, arity: usize) -> Problem {
    let own = program.sources.text(span);
    let message = format!("{name}/{arity} needs a key, and {own} has no value here");
    Problem::warning(Code::GoalNeverSucceeds, span, message)
        .help("gen_assoc(Key, Assoc, Value) enumerates the keys and their values")
}
