//! What the modules that programs name mean here.
//!
//! In: the name of a module, or of a library of another system. Out: where its predicates are.
//! Alphorn has no modules of its own: a file hides what it does not export, and that is all.

use crate::lang::program::{Callee, Key, PRELUDE, Program, Scope, USER};
use alphorn_text::signature::Class;
use alphorn_text::symbol::Atom;

/// Libraries of other systems whose pure predicates are all built in.
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

/// Whether everything pure of a library of this name is built in, so that loading it does nothing.
pub fn is_built_in(name: &str) -> bool {
    LIBRARIES.contains(&name)
}

/// Whose predicates a goal `Module:Goal` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// Those that are built in.
    BuiltIn,
    /// Those of one file, or of the user's files.
    Scope(Scope),
}

impl Program {
    /// The module of this name, if there is one.
    pub fn module(&self, name: Atom) -> Option<Module> {
        match &*name.name() {
            "user" => Some(Module::Scope(USER)),
            text => {
                // A file may have the name of a library, and so have the prelude's parts.
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

    /// The names of all modules that a goal may name: the user's own first.
    pub fn modules(&self) -> impl Iterator<Item = &str> {
        let own = self.scopes.iter().filter(|scope| !scope.library).filter_map(|scope| scope.module);
        own.map(|module| -> &str { module.text() }).chain(["user"]).chain(LIBRARIES.iter().copied())
    }

    /// What a goal of this name and arity means in a module; `None` where the module lacks it.
    pub fn resolve_in(&self, module: Module, name: Atom, arity: usize) -> Option<Callee> {
        let scope = match module {
            Module::BuiltIn => PRELUDE,
            Module::Scope(scope) => scope,
        };
        let own = self.by_key.get(&Key { scope, name, arity }).copied();
        let seen = own.filter(|id| module != Module::BuiltIn || self.predicate(*id).exported);
        let native = || self.known.get(name, arity).filter(|(_, row)| row.class != Class::Host);
        seen.map(Callee::User).or_else(|| {
            let (id, _) = native().filter(|_| module == Module::BuiltIn)?;
            Some(Callee::Native(id))
        })
    }

    /// The module that a goal which is built at run time names, `None` where that sees what the user's files see:
    /// `user` itself, and a module that nobody defined.
    pub fn module_called(&self, name: Atom) -> Option<(Module, Atom)> {
        self.module(name).filter(|module| *module != Module::Scope(USER)).map(|module| (module, name))
    }

    /// What a goal that is built at run time means, in the module that it names.
    pub fn resolve_called(&self, module: Option<Module>, name: Atom, arity: usize) -> Option<Callee> {
        match module {
            // A library sees nothing of the user's.
            Some(Module::BuiltIn) => self.resolve_in(Module::BuiltIn, name, arity),
            Some(module) => self.resolve_in(module, name, arity).or_else(|| self.resolve_call(name, arity)),
            None => self.resolve_call(name, arity),
        }
    }

    /// Whether a file of the user's that is seen from a scope, or one that it loads, defines the predicate.
    pub fn has_own(&self, scope: Scope, name: Atom, arity: usize) -> bool {
        match self.resolve(scope, name, arity) {
            Some(Callee::User(id)) => self.predicate(id).key.scope != PRELUDE,
            _ => false,
        }
    }
}
