//! Gives each lambda expression of a clause its own variables.
//!
//! The library copies a lambda expression for each call. So a variable that occurs only in lambda expressions is
//! never bound, and neither is one that occurs elsewhere only in goals that bind nothing, such as that of a `findall/3`.
//! Clauses often use one name in several lambda expressions: `include([X]>>..., A, B), maplist([X]>>..., B, C)`.
//! With a variable of its own, each expression is known completely where it is called, and needs no copy.

use crate::machine::compile::Library;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PRELUDE};
use alphorn_text::symbol::atoms;
use rustc_hash::{FxHashMap, FxHashSet};

/// The occurrences of one variable.
#[derive(Default)]
struct Occurrences {
    /// Whether the variable occurs where it may be bound.
    is_open: bool,
    /// Whether it occurs in a goal that binds nothing.
    is_scoped: bool,
    /// The lambda expressions that contain it.
    lambdas: Vec<NodeId>,
    /// Whether one of them is in a goal that binds nothing.
    any_scoped: bool,
}

struct Finder<'a> {
    library: &'a mut Library,
    tree: &'a TermTree,
    found: FxHashMap<u32, Occurrences>,
    /// The nodes of variables outside of lambda expressions.
    outside: FxHashSet<NodeId>,
    /// The lambda expressions that were met.
    lambdas: FxHashSet<NodeId>,
}

/// The clauses with new variables, if a clause has lambda expressions with common variables.
pub(super) fn with_own_variables(library: &mut Library, clauses: &[Clause]) -> Option<Vec<Clause>> {
    let has_lambdas = |clause: &Clause| clause.tree.has_functor(atoms::LAMBDA, 2);
    if !clauses.iter().any(has_lambdas) {
        return None;
    }
    let mut is_changed = false;
    let mut renamed = clauses.to_vec();
    for clause in renamed.iter_mut().filter(|clause| has_lambdas(clause)) {
        is_changed |= rename(library, clause);
    }
    is_changed.then_some(renamed)
}

/// Returns whether the clause was changed.
fn rename(library: &mut Library, clause: &mut Clause) -> bool {
    let (outside, lambdas) = Default::default();
    let mut finder = Finder { library, tree: &clause.tree, found: FxHashMap::default(), outside, lambdas };
    finder.term(clause.head, false);
    finder.goal(&clause.body, false);
    let Finder { found, outside, .. } = finder;
    let mut own: Vec<(u32, Occurrences)> = found.into_iter().collect();
    own.sort_by_key(|(var, _)| *var);
    let mut changes = Vec::new();
    for (var, Occurrences { is_open, is_scoped, lambdas, any_scoped }) in own {
        if is_open || is_scoped && any_scoped {
            continue;
        }
        for lambda in lambdas.into_iter().skip(usize::from(!is_scoped)) {
            let nodes = nodes_of(&clause.tree, lambda, var);
            if nodes.iter().all(|node| !outside.contains(node)) {
                changes.push((var, nodes));
            }
        }
    }
    let mut renamed = Vec::new();
    for (var, nodes) in &changes {
        let number = clause.tree.variables.len() as u32;
        let variable = clause.tree.variables[*var as usize].clone();
        clause.tree.variables.push(variable);
        renamed.extend(nodes.iter().map(|node| (*node, number)));
    }
    clause.tree.set_variables(&renamed);
    !changes.is_empty()
}

/// The nodes of a variable in a term.
fn nodes_of(tree: &TermTree, node: NodeId, var: u32) -> Vec<NodeId> {
    let (mut found, mut open) = (Vec::new(), vec![node]);
    while let Some(at) = open.pop() {
        match tree.kind(at) {
            TermKind::Var(own) if *own == var => found.push(at),
            _ => open.extend(tree.args(at)),
        }
    }
    found
}

impl Finder<'_> {
    /// Notes the variables of a term outside of lambda expressions.
    fn term(&mut self, node: NodeId, is_scoped: bool) {
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            if let TermKind::Var(var) = self.tree.kind(at) {
                self.outside.insert(at);
                let known = self.found.entry(*var).or_default();
                known.is_open |= !is_scoped;
                known.is_scoped |= is_scoped;
            }
            open.extend(self.tree.args(at));
        }
    }

    fn goal(&mut self, goal: &Goal, is_scoped: bool) {
        stacker::maybe_grow(64 << 10, 4 << 20, || match goal {
            Goal::True | Goal::Fail | Goal::Cut => {}
            Goal::Conj(goals) => goals.iter().for_each(|goal| self.goal(goal, is_scoped)),
            Goal::Or(left, right) => [left, right].into_iter().for_each(|goal| self.goal(goal, is_scoped)),
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                [condition, then, other].into_iter().for_each(|goal| self.goal(goal, is_scoped));
            }
            Goal::Scope(inner) => self.goal(inner, is_scoped),
            Goal::Not(inner) => self.goal(inner, true),
            Goal::Findall { template, goal, list, tail, .. } => {
                self.term(*template, true);
                self.goal(goal, true);
                [*list].into_iter().chain(*tail).for_each(|node| self.term(node, is_scoped));
            }
            Goal::Meta(node, _) => self.term(*node, is_scoped),
            Goal::Call { callee, args, .. } => self.call(*callee, args, is_scoped),
        });
    }

    fn call(&mut self, callee: Callee, args: &[NodeId], is_scoped: bool) {
        let Callee::User(pred) = callee else {
            return args.iter().for_each(|arg| self.term(*arg, is_scoped));
        };
        let key = self.library.program.predicate(pred).key;
        // Of other predicates it is not known that they only call a lambda expression.
        let closures = if key.scope == PRELUDE { self.library.closures(pred) } else { Box::default() };
        let binds_nothing = |at: usize| match (key.scope == PRELUDE, key.name.text(), args.len()) {
            (true, "forall", 2) => true,
            (true, "aggregate_all", 3) => at < 2,
            _ => false,
        };
        for (at, arg) in args.iter().enumerate() {
            match self.tree.binary(*arg, atoms::LAMBDA) {
                Some((left, _)) if closures.contains(&at) && !binds_nothing(at) => self.lambda(*arg, left, is_scoped),
                _ => self.term(*arg, is_scoped || binds_nothing(at)),
            }
        }
    }

    /// Notes the variables of a lambda expression. The shared ones are not copied.
    fn lambda(&mut self, node: NodeId, left: NodeId, is_scoped: bool) {
        // A goal that was expanded may occur twice.
        if !self.lambdas.insert(node) {
            return self.term(node, is_scoped);
        }
        if let Some((shared, _)) = self.tree.binary(left, atoms::SLASH) {
            self.term(shared, is_scoped);
        }
        for var in self.tree.variables_of(node) {
            let known = self.found.entry(var).or_default();
            known.lambdas.push(node);
            known.any_scoped |= is_scoped;
        }
    }
}
