//! Analyses the call graph: predicates that nothing reaches, and builtins called in the wrong place.

use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, PredId, Predicate, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::signature::PredicateClass;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reports calls that other systems understand only with `library(alphorn)`.
pub fn extras(program: &Program, clause: &Clause, problems: &mut Vec<Problem>) {
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee: Callee::Native(id), span, .. } = goal {
            let row = program.known.row(*id);
            if row.class == PredicateClass::Extra {
                problems.push(
                    Problem::warning(Code::LibraryNotLoaded, *span, format!("{}/{} belongs to library(alphorn)", row.name, row.arity))
                        .help("write :- use_module(library(alphorn)). at the top of the file, so that other systems can load it"),
                );
            }
        }
    });
}

/// The predicates that the roots can call. A name that a body mentions counts as a call, because it
/// may be a closure that gets more arguments.
pub fn reachable(program: &Program, roots: &[PredId]) -> FxHashSet<PredId> {
    let mut found = FxHashSet::default();
    let mut stack = roots.to_vec();
    let mut named: FxHashSet<(Atom, usize)> = FxHashSet::default();
    let all = by_name(program);
    let mut exact: FxHashSet<Span> = FxHashSet::default();
    while let Some(id) = stack.pop() {
        if !found.insert(id) {
            continue;
        }
        for clause in &program.predicate(id).clauses {
            // A head or a goal refers to one predicate, not to all of the same name.
            exact.clear();
            exact.insert(clause.tree.span(clause.head));
            each_goal(&clause.body, &mut |goal| {
                if let Goal::Call { callee: Callee::User(callee), span, .. } = goal {
                    stack.push(*callee);
                    exact.insert(*span);
                }
            });
            for (node, _) in clause.tree.nodes() {
                let Some((name, given)) = clause.tree.functor(node) else { continue };
                if !exact.contains(&clause.tree.span(node)) && named.insert((name, given)) {
                    let mentioned = all.get(&name).into_iter().flatten().copied();
                    stack.extend(mentioned.filter(|id| program.predicate(*id).key.arity >= given));
                }
            }
        }
    }
    found
}

/// All predicates by name.
pub fn by_name(program: &Program) -> FxHashMap<Atom, Vec<PredId>> {
    let mut found: FxHashMap<Atom, Vec<PredId>> = FxHashMap::default();
    for (number, pred) in program.predicates.iter().enumerate() {
        found.entry(pred.key.name).or_default().push(PredId(number as u32));
    }
    found
}

/// The user's predicates outside of the set, without exported ones.
pub fn never_called(program: &Program, reached: &FxHashSet<PredId>) -> Vec<PredId> {
    let own = |pred: &Predicate| program.is_users(pred.key.scope) && !pred.exported;
    // A clause that stands in no text has an empty span.
    let written = |pred: &Predicate| pred.clauses.first().is_some_and(|first| first.span.end > first.span.start);
    let all = program.predicates.iter().enumerate().map(|(number, pred)| (PredId(number as u32), pred));
    all.filter(|(id, pred)| !reached.contains(id) && own(pred) && written(pred)).map(|(id, _)| id).collect()
}

/// Goals that write text in the user's predicates of the set.
pub fn writers(program: &Program, reached: &FxHashSet<PredId>) -> Vec<(PredId, &'static str, Span)> {
    let mut found = Vec::new();
    let mut ids: Vec<PredId> =
        reached.iter().copied().filter(|id| program.is_users(program.predicate(*id).key.scope)).collect();
    ids.sort_unstable();
    for id in ids {
        for clause in &program.predicate(id).clauses {
            each_goal(&clause.body, &mut |goal| {
                if let Goal::Call { callee: Callee::Native(native), span, .. } = goal {
                    let row = program.known.row(*native);
                    if row.class == PredicateClass::Writer {
                        found.push((id, row.name, *span));
                    }
                }
            });
        }
    }
    found
}
