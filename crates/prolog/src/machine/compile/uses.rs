//! Finds the arguments that a predicate calls, or searches for in a list.
//!
//! A declaration of the predicate says so, or the clauses pass the argument to such a predicate.

use crate::machine::compile::Library;
use crate::machine::{BuiltinCode, SolverBuiltin};
use alphorn_lang::lang::ast::{NodeId, TermKind};
use alphorn_lang::lang::program::{Callee, Goal, PRELUDE, PredId, Program};
use alphorn_text::signature::Fact;
use rustc_hash::FxHashMap;

impl Library {
    /// Returns the arguments that a predicate calls.
    pub(super) fn closures(&mut self, pred: PredId) -> Box<[usize]> {
        used(&self.program, &mut self.closures, &UsedAsGoal(&self.runs), pred)
    }

    /// Returns the arguments that a predicate searches for in a list.
    pub(super) fn sought_arguments(&mut self, pred: PredId) -> Box<[usize]> {
        used(&self.program, &mut self.sought, &UsedAsElement, pred)
    }
}

/// A use of an argument, by the predicate or by a predicate that it calls.
trait ArgumentUse {
    /// Returns the arguments with a declared use, and whether these are all.
    fn declared(&self, program: &Program, pred: PredId) -> (Box<[usize]>, bool);
    /// Returns whether a goal outside the program uses its first argument so.
    fn is_done(&self, callee: Callee) -> bool;
    /// Returns whether a variable as a goal is used so.
    fn is_goal(&self) -> bool;
}

/// The use as a goal or closure.
struct UsedAsGoal<'a>(pub &'a [BuiltinCode]);

impl ArgumentUse for UsedAsGoal<'_> {
    fn declared(&self, program: &Program, pred: PredId) -> (Box<[usize]>, bool) {
        let meta = program.predicate(pred).meta.chars().enumerate();
        let declared = meta.filter(|(_, kind)| *kind == '^' || kind.is_ascii_digit()).map(|(at, _)| at);
        (declared.collect(), !program.predicate(pred).meta.is_empty())
    }

    fn is_done(&self, callee: Callee) -> bool {
        match callee {
            Callee::Native(id) => matches!(self.0[usize::from(id.0)], BuiltinCode::Solver(SolverBuiltin::Call)),
            _ => false,
        }
    }

    fn is_goal(&self) -> bool {
        true
    }
}

/// The use as the element to find in a list.
struct UsedAsElement;

impl ArgumentUse for UsedAsElement {
    fn declared(&self, program: &Program, pred: PredId) -> (Box<[usize]>, bool) {
        let key = program.predicate(pred).key;
        if key.scope != PRELUDE {
            return (Box::default(), false);
        }
        let facts = program.known.facts(key.name, key.arity).iter();
        (facts.filter_map(|fact| if let Fact::Seeks(place) = fact { Some(*place) } else { None }).collect(), true)
    }

    fn is_done(&self, _: Callee) -> bool {
        false
    }

    fn is_goal(&self) -> bool {
        false
    }
}

/// Returns the arguments that a predicate uses so.
fn used(
    program: &Program,
    known: &mut FxHashMap<PredId, Box<[usize]>>,
    what: &dyn ArgumentUse,
    pred: PredId,
) -> Box<[usize]> {
    match known.get(&pred) {
        Some(found) => found.clone(),
        None => stacker::maybe_grow(64 << 10, 4 << 20, || used_arguments(program, known, what, pred)),
    }
}

fn used_arguments(
    program: &Program,
    known: &mut FxHashMap<PredId, Box<[usize]>>,
    what: &dyn ArgumentUse,
    pred: PredId,
) -> Box<[usize]> {
    let predicate = program.predicate(pred);
    let (declared, all) = what.declared(program, pred);
    // During the analysis, a recursive predicate counts only with its declared arguments.
    known.insert(pred, declared.clone());
    if all {
        return declared;
    }
    let mut found = vec![false; predicate.key.arity];
    for clause in &predicate.clauses {
        let head = clause.tree.args(clause.head);
        let mut mark = |node: NodeId| {
            if let TermKind::Var(var) = clause.tree.kind(node) {
                for (at, arg) in head.iter().enumerate() {
                    found[at] |= clause.tree.kind(*arg) == &TermKind::Var(*var);
                }
            }
        };
        alphorn_lang::lang::goal::each_goal(&clause.body, &mut |goal| match goal {
            Goal::Meta(node, _) if what.is_goal() => mark(*node),
            Goal::Call { callee, args, .. } if what.is_done(*callee) => mark(args[0]),
            Goal::Call { callee: Callee::User(other), args, .. } => {
                used(program, known, what, *other).iter().for_each(|at| mark(args[*at]));
            }
            _ => {}
        });
    }
    let found: Box<[usize]> = (0..found.len()).filter(|at| found[*at]).collect();
    known.insert(pred, found.clone());
    found
}
