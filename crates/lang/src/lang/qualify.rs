//! Names the module of goals that a body passes on.
//!
//! A goal that is passed as a term is resolved when it is called, as if the user's files had written it. If that finds
//! another predicate than the file means, this pass writes `Module:Goal` in place of the goal. Most programs have no
//! such predicate, and their bodies stay as they are.

use crate::lang::ast::{NodeId, TermKind, TermTree};
use crate::lang::modules::Module;
use crate::lang::program::{Callee, PRELUDE, PredicateKey, Program, Scope, USER, added_arguments};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;

/// The predicates that a goal passed as a term does not reach by their names alone.
pub(super) fn hidden(program: &Program) -> FxHashSet<PredicateKey> {
    let is_hidden = |key: &PredicateKey| {
        let id = program.by_key[key];
        key.scope != USER
            // A module name does not reach the inner predicates of the prelude.
            && (key.scope != PRELUDE || program.predicate(id).exported)
            && program.resolve_call(key.name, key.arity) != Some(Callee::User(id))
    };
    // A program may also define a builtin again.
    let own = program.by_key.keys().filter(|key| key.scope == USER && program.known.get(key.name, key.arity).is_some());
    let builtins = own.map(|key| PredicateKey { scope: PRELUDE, ..*key });
    program.by_key.keys().copied().filter(is_hidden).chain(builtins).collect()
}

/// Returns a body in which all passed goals reach the predicates that its scope means.
pub(super) fn body(program: &Program, scope: Scope, tree: &mut TermTree, body: NodeId) -> NodeId {
    if program.hidden.is_empty() || program.has_own(USER, atoms::COLON, 2) {
        return body;
    }
    let Some(module) = module_name(program, scope) else { return body };
    Qualifier { program, scope, module, tree }.goal(body, None)
}

/// The name by which a goal reaches the predicates of a scope.
fn module_name(program: &Program, scope: Scope) -> Option<Atom> {
    match scope {
        USER => Some(Atom::new("user")),
        PRELUDE => Some(Atom::new("system")).filter(|name| program.module(*name) == Some(Module::BuiltIn)),
        _ => program.scopes[usize::from(scope.0)]
            .module
            .filter(|name| program.module(*name) == Some(Module::Scope(scope))),
    }
}

/// How a goal is passed.
#[derive(Clone)]
struct Passed {
    /// The number of arguments that the call adds.
    further: RangeInclusive<usize>,
    /// The scopes of the predicates that hand the goal on. They give it the modules of their files.
    to: Vec<Scope>,
}

struct Qualifier<'a> {
    program: &'a Program,
    scope: Scope,
    module: Atom,
    tree: &'a mut TermTree,
}

impl Qualifier<'_> {
    /// Returns the goal at a node. `passed` is `None` for a goal that is resolved with its clause.
    fn goal(&mut self, at: NodeId, passed: Option<&Passed>) -> NodeId {
        stacker::maybe_grow(64 << 10, 4 << 20, || self.inner(at, passed))
    }

    fn inner(&mut self, at: NodeId, passed: Option<&Passed>) -> NodeId {
        let Some((name, arity)) = self.tree.functor(at) else {
            return match self.tree.kind(at) {
                TermKind::Var(_) if self.changes_variables(passed) => self.qualified(at),
                _ => at,
            };
        };
        let called = Passed { further: 0..=0, to: passed.map_or_else(Vec::new, |passed| passed.to.clone()) };
        let goals: Vec<(usize, Option<Passed>)> = match (name, arity) {
            (atoms::COLON, 2) if self.is_own(self.tree.args(at)[0]) => vec![(1, passed.cloned())],
            (atoms::COLON, 2) => return at,
            (atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW, 2) => {
                vec![(0, passed.cloned()), (1, passed.cloned())]
            }
            // A grammar body may contain goals.
            (atoms::CURLY, 1) if passed.is_some() => vec![(0, Some(called))],
            (atoms::LAMBDA, 2) if let Some(passed) = passed => {
                let further = 0..=*passed.further.end();
                vec![(1, Some(Passed { further, ..passed.clone() }))]
            }
            (atoms::CARET, 2) if passed.is_some() => vec![(1, passed.cloned())],
            (atoms::NOT | atoms::CALL | atoms::ONCE | atoms::IGNORE, 1) => vec![(0, passed.cloned().or(Some(called)))],
            (atoms::FORALL, 2) => vec![(0, Some(called.clone())), (1, Some(called))],
            (atoms::FINDALL, 3 | 4) => vec![(1, Some(called))],
            _ if self.changes(name, arity, passed) => return self.qualified(at),
            _ => self.passed_by(name, arity, passed),
        };
        self.with_goals(at, name, goals)
    }

    /// Returns the term with these arguments as goals.
    fn with_goals(&mut self, at: NodeId, name: Atom, goals: Vec<(usize, Option<Passed>)>) -> NodeId {
        let before = self.tree.args(at).to_vec();
        let mut args = before.clone();
        for (place, passed) in goals {
            args[place] = self.goal(before[place], passed.as_ref());
        }
        match args == before {
            true => at,
            false => self.tree.compound(name, &args, self.tree.span(at)),
        }
    }

    /// The arguments of a call that are goals.
    fn passed_by(&self, name: Atom, arity: usize, passed: Option<&Passed>) -> Vec<(usize, Option<Passed>)> {
        let further = passed.map_or(0..=0, |passed| passed.further.clone());
        let callee = further.into_iter().find_map(|more| self.program.resolve_typed(self.scope, name, arity + more));
        let Some(callee) = callee else { return Vec::new() };
        let mut to = passed.map_or_else(Vec::new, |passed| passed.to.clone());
        if let Callee::User(id) = callee {
            let scope = self.program.predicate(id).key.scope;
            to.extend(Some(scope).filter(|scope| *scope != self.scope && *scope != PRELUDE));
        }
        let goals = self.program.meta(callee).chars().take(arity).enumerate().filter_map(|(place, kind)| {
            let further = added_arguments(kind)?;
            Some((place, Some(Passed { further: further..=further, to: to.clone() })))
        });
        goals.collect()
    }

    /// Whether a name means another predicate in this scope than where the goal is called.
    fn changes(&self, name: Atom, arity: usize, passed: Option<&Passed>) -> bool {
        let (Some(Passed { further, to }), program) = (passed, self.program) else { return false };
        further.clone().any(|more| {
            let total = arity + more;
            let Some(own) = program.resolve_typed(self.scope, name, total) else { return false };
            // A module name does not reach the inner predicates of the prelude.
            let is_inner = matches!(own, Callee::User(id) if !program.predicate(id).exported);
            if self.scope == PRELUDE && is_inner {
                return false;
            }
            let called = |scope: &Scope| program.resolve_called(Some(Module::Scope(*scope)), name, total);
            program.resolve_call(name, total) != Some(own) || to.iter().any(|scope| called(scope) != Some(own))
        })
    }

    /// Whether the value of a variable may mean another predicate where it is called.
    fn changes_variables(&self, passed: Option<&Passed>) -> bool {
        match self.scope {
            USER => passed.is_some_and(|passed| !passed.to.is_empty()),
            // A predicate of the prelude gets its goals from elsewhere.
            PRELUDE => false,
            _ => true,
        }
    }

    /// Whether a term names the module of this scope.
    fn is_own(&self, module: NodeId) -> bool {
        matches!(self.tree.kind(module), TermKind::Atom(name) if *name == self.module)
    }

    fn qualified(&mut self, goal: NodeId) -> NodeId {
        let span = self.tree.span(goal);
        let module = self.tree.add(TermKind::Atom(self.module), span);
        self.tree.compound(atoms::COLON, &[module, goal], span)
    }
}
