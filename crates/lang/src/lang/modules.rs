//! Resolves the module names of a program.
//!
//! Given the name of a module, or of a library of another Prolog system, this file finds its
//! predicates. Alphorn has no modules of its own; a file only hides what it does not export.

use crate::lang::program::{Callee, PRELUDE, PredicateKey, Program, Scope, USER};
use alphorn_text::signature::PredicateClass;
use alphorn_text::symbol::Atom;

/// Libraries of other Prolog systems whose pure predicates are all built in.
const LIBRARIES: &[&str] = &[
    "lists",
    "apply",
    "aggregate",
    "pairs",
    "yall",
    "ordsets",
    "assoc",
    "strings",
    "solution_sequences",
    "error",
    "debug",
    "between",
    "arith",
    "arithmetic",
    "system",
    "basics",
    "backcomp",
    "tabling",
    "apply_macros",
];

/// Whether all pure predicates of this library are built in, so that loading it does nothing.
pub fn is_built_in(name: &str) -> bool {
    LIBRARIES.contains(&name)
}

/// The libraries of other Prolog systems that a program may load without effect.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    LIBRARIES.iter().copied()
}

/// The module in a goal `Module:Goal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// The builtins.
    BuiltIn,
    /// The predicates of one file, or of the user's files.
    Scope(Scope),
}

impl Program {
    /// The module of this name, if there is one.
    pub fn module(&self, name: Atom) -> Option<Module> {
        match &*name.name() {
            "user" => Some(Module::Scope(USER)),
            text => {
                // A user file may have the name of a library, and so may the parts of the prelude.
                let all = || (0..self.scopes.len()).filter(|number| *number != usize::from(PRELUDE.0));
                let named = |number: &usize| self.scopes[*number].module == Some(name);
                let own = all().filter(named).find(|number| !self.scopes[*number].library);
                let number = match is_built_in(text) {
                    true if own.is_none() => return Some(Module::BuiltIn),
                    true => own,
                    false => own.or_else(|| all().find(named)),
                };
                Some(Module::Scope(Scope(number? as u16)))
            }
        }
    }

    /// The names of all modules that a goal may name, those of the user first.
    pub fn modules(&self) -> impl Iterator<Item = &str> {
        let own = self.scopes.iter().filter(|scope| !scope.library).filter_map(|scope| scope.module);
        own.map(|module| -> &str { module.text() }).chain(["user"]).chain(LIBRARIES.iter().copied())
    }

    /// The predicate that a goal calls in a module; `None` if the module lacks the predicate.
    pub fn resolve_in(&self, module: Module, name: Atom, arity: usize) -> Option<Callee> {
        if let Module::Scope(scope) = module {
            return self.resolve(scope, name, arity);
        }
        let own = self.by_key.get(&PredicateKey { scope: PRELUDE, name, arity }).copied();
        let native = || self.known.get(name, arity).filter(|(_, row)| row.class != PredicateClass::Host);
        let seen = own.filter(|id| self.predicate(*id).exported).map(Callee::User);
        seen.or_else(|| native().map(|(id, _)| Callee::Native(id)))
    }

    /// The module of a goal that is built at run time. `None` for `user` and for undefined modules,
    /// where the goal sees what the user's files see.
    pub fn module_called(&self, name: Atom) -> Option<(Module, Atom)> {
        self.module(name).filter(|module| *module != Module::Scope(USER)).map(|module| (module, name))
    }

    /// The predicate that a goal built at run time calls in its module.
    pub fn resolve_called(&self, module: Option<Module>, name: Atom, arity: usize) -> Option<Callee> {
        match module {
            // Library code does not see the user's predicates.
            Some(Module::BuiltIn) => self.resolve_in(Module::BuiltIn, name, arity),
            Some(module) => self.resolve_in(module, name, arity).or_else(|| self.resolve_call(name, arity)),
            None => self.resolve_call(name, arity),
        }
    }

    /// Whether the goals that a typed goal passes to this predicate need the module `user`: in its file, their names may
    /// mean other predicates.
    pub fn needs_user(&self, callee: Callee) -> bool {
        let Callee::User(id) = callee else { return false };
        let scope = self.predicate(id).key.scope;
        !self.hidden.is_empty() && scope != USER && scope != PRELUDE && self.takes_goals(callee)
    }

    /// Whether a predicate of this name is defined outside the prelude and the builtins, in any scope.
    pub fn defines(&self, name: &str, arity: usize) -> bool {
        // The text is compared, because no atom may be made here: positions hash by the numbers of atoms.
        let is_it = |key: &PredicateKey| key.arity == arity && key.scope != PRELUDE && *key.name.name() == *name;
        self.predicates.iter().any(|predicate| is_it(&predicate.key))
    }

    /// Whether a goal in this scope calls a predicate that is defined outside the prelude and the builtins.
    pub fn has_own(&self, scope: Scope, name: Atom, arity: usize) -> bool {
        match self.resolve(scope, name, arity) {
            Some(Callee::User(id)) => self.predicate(id).key.scope != PRELUDE,
            _ => false,
        }
    }
}
