//! Puts closures in the place of the variables that hold them, as in `P = [X]>>..., include(P, L, M)`.
//!
//! A variable that a clause first uses in a goal `P = Term` is the term in all later goals. If one of these goals calls
//! it, the clause is rewritten with the term, so that the compiler knows what is called. The goal `P = Term` counts no
//! step.

use crate::machine::compile::Library;
use crate::machine::compile::called::rewritten;
use crate::machine::compile::matched::Matched;
use crate::machine::compile::only_called::UseCheck;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::program::{Callee, Clause, Goal};
use alphorn_text::signature::BuiltinKind;
use alphorn_text::symbol::atoms;
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a clause that hold closures.
struct Stored<'a> {
    library: &'a mut Library,
    tree: &'a TermTree,
    /// The number of occurrences of each variable in the clause.
    counts: Vec<u32>,
    /// The closure of each variable.
    found: FxHashMap<u32, NodeId>,
    /// The goals that may still be examined.
    left: u32,
}

/// The most goals `Variable = Term` of a clause that are examined, because each looks at all later goals.
const MOST_GOALS: u32 = 256;

/// The clauses with closures in the place of variables, if a clause has such variables.
pub(super) fn with_closures(library: &mut Library, clauses: &[Clause]) -> Option<Vec<Clause>> {
    let mut changed = None;
    for (at, clause) in clauses.iter().enumerate() {
        if let Some(clause) = with_closures_of(library, clause) {
            changed.get_or_insert_with(|| clauses.to_vec())[at] = clause;
        }
    }
    changed
}

fn with_closures_of(library: &mut Library, clause: &Clause) -> Option<Clause> {
    let mut stored =
        Stored { library, tree: &clause.tree, counts: Vec::new(), found: FxHashMap::default(), left: MOST_GOALS };
    if !stored.may_store(&clause.body) {
        return None;
    }
    stored.counts = stored.count(clause.tree.args(clause.head), std::slice::from_ref(&clause.body));
    stored.find(&clause.body);
    if stored.found.is_empty() {
        return None;
    }
    let body = stored.without_bindings(&clause.body);
    let locals = (0..).zip(stored.private(&body)).collect();
    let Stored { library, found, .. } = stored;
    let parts = clause.tree.args(clause.head).to_vec();
    let given = vec![false; parts.len()];
    let matched = Matched { tree: clause.tree.clone(), bound: found, parts, locals };
    let whole = Clause { body, ..clause.clone() };
    rewritten(library, matched.into_copy(&given, &FxHashSet::default()), &whole).ok()
}

impl Stored<'_> {
    /// Returns the variable and the term of a goal `Variable = Term`, if the term can be called.
    fn binding(&self, goal: &Goal) -> Option<(u32, NodeId)> {
        let Goal::Call { callee: Callee::Native(id), args, .. } = goal else { return None };
        if self.library.inline[usize::from(id.0)].how != BuiltinKind::Unify {
            return None;
        }
        match (self.tree.kind(args[0]), self.tree.kind(args[1])) {
            (TermKind::Var(var), TermKind::Atom(_) | TermKind::Compound(..)) => Some((*var, args[1])),
            (TermKind::Atom(_) | TermKind::Compound(..), TermKind::Var(var)) => Some((*var, args[0])),
            _ => None,
        }
    }

    fn may_store(&self, body: &Goal) -> bool {
        let mut found = false;
        each_goal(body, &mut |goal| found |= self.binding(goal).is_some());
        found
    }

    /// Counts the occurrences of each variable in terms and goals.
    fn count(&self, terms: &[NodeId], goals: &[Goal]) -> Vec<u32> {
        let (mut counts, mut open) = (vec![0; self.tree.variables.len()], terms.to_vec());
        for goal in goals {
            each_goal(goal, &mut |goal| match goal {
                Goal::Call { args, .. } => open.extend(args),
                Goal::Meta(node, _) => open.push(*node),
                Goal::Findall { template, list, tail, .. } => open.extend([*template, *list].into_iter().chain(*tail)),
                _ => {}
            });
        }
        while let Some(node) = open.pop() {
            match self.tree.kind(node) {
                TermKind::Var(var) => counts[*var as usize] += 1,
                _ => open.extend(self.tree.args(node)),
            }
        }
        counts
    }

    fn find(&mut self, goal: &Goal) {
        stacker::maybe_grow(64 << 10, 4 << 20, || match goal {
            Goal::Conj(goals) => {
                for (at, goal) in goals.iter().enumerate() {
                    match self.binding(goal) {
                        Some((var, term)) if self.is_stored(var, term, &goals[at + 1..]) => {
                            self.found.insert(var, term);
                        }
                        _ => self.find(goal),
                    }
                }
            }
            Goal::Or(left, right) => [left, right].into_iter().for_each(|goal| self.find(goal)),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                [condition, then, other].into_iter().for_each(|goal| self.find(goal));
            }
            Goal::Not(inner) | Goal::Scope(inner) | Goal::Findall { goal: inner, .. } => self.find(inner),
            Goal::True | Goal::Fail | Goal::Cut | Goal::Meta(..) | Goal::Call { .. } => {}
        });
    }

    /// Whether all other occurrences of a variable follow the goal that binds it, and a goal calls the variable.
    fn is_stored(&mut self, var: u32, term: NodeId, following: &[Goal]) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        let later = self.count(&[], following)[var as usize];
        let within = self.count(&[term], &[])[var as usize];
        later + 1 == self.counts[var as usize] && within == 0 && self.is_called(var, following)
    }

    fn is_called(&mut self, var: u32, goals: &[Goal]) -> bool {
        let (mut called, mut users) = (Vec::new(), Vec::new());
        for goal in goals {
            each_goal(goal, &mut |goal| match goal {
                Goal::Meta(node, _) => called.push(*node),
                Goal::Call { callee: Callee::User(pred), args, .. } => users.push((*pred, args.clone())),
                Goal::Call { callee: Callee::Native(id), args, .. } if self.library.is_call(id.0) => {
                    called.push(args[0])
                }
                _ => {}
            });
        }
        for (pred, args) in users {
            called.extend(self.library.closures(pred).iter().map(|at| args[*at]));
        }
        self.count(&called, &[])[var as usize] > 0
    }

    /// A goal without the goals that bind the variables.
    fn without_bindings(&self, goal: &Goal) -> Goal {
        let again = |goal: &Goal| Box::new(self.without_bindings(goal));
        stacker::maybe_grow(64 << 10, 4 << 20, || match goal {
            Goal::Conj(goals) => Goal::Conj(goals.iter().map(|goal| self.without_bindings(goal)).collect()),
            Goal::Or(left, right) => Goal::Or(again(left), again(right)),
            Goal::If(condition, then, other) => Goal::If(again(condition), again(then), again(other)),
            Goal::SoftIf(condition, then, other) => Goal::SoftIf(again(condition), again(then), again(other)),
            Goal::Not(inner) => Goal::Not(again(inner)),
            Goal::Scope(inner) => Goal::Scope(again(inner)),
            Goal::Findall { template, goal, list, tail, span } => {
                Goal::Findall { goal: again(goal), template: *template, list: *list, tail: *tail, span: *span }
            }
            Goal::Call { .. } if self.binding(goal).is_some_and(|(var, term)| self.found.get(&var) == Some(&term)) => {
                Goal::True
            }
            Goal::True | Goal::Fail | Goal::Cut | Goal::Meta(..) | Goal::Call { .. } => goal.clone(),
        })
    }

    /// The variables that occur only in one lambda expression, and are never bound: the clause and the predicates to
    /// which it passes the lambda expression only call it.
    fn private(&mut self, body: &Goal) -> Vec<NodeId> {
        let mut found = Vec::new();
        for (holder, term) in self.found.clone() {
            let Some((left, _)) = self.tree.binary(term, atoms::LAMBDA) else { continue };
            let mut check = UseCheck { library: self.library, tree: self.tree, var: holder, passed: Vec::new() };
            // The clause is without the goals that bind the variables, and another closure may contain this one.
            let is_called = check.goal(body) && !self.found.values().any(|other| check.occurs(*other));
            let passed = std::mem::take(&mut check.passed);
            if !is_called || !passed.into_iter().all(|(pred, at)| self.library.only_calls(pred, at)) {
                continue;
            }
            let term = &term;
            let shared = self.tree.binary(left, atoms::SLASH).map(|(shared, _)| self.tree.variables_of(shared));
            let within = self.count(&[*term], &[]);
            let (mut open, mut seen) = (vec![*term], Vec::new());
            while let Some(node) = open.pop() {
                if let TermKind::Var(var) = self.tree.kind(node)
                    && within[*var as usize] == self.counts[*var as usize]
                    && shared.as_ref().is_none_or(|shared| !shared.contains(var))
                    && !seen.contains(var)
                {
                    seen.push(*var);
                    found.push(node);
                }
                open.extend(self.tree.args(node));
            }
        }
        found
    }
}
