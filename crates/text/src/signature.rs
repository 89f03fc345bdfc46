//! Signatures of builtins: what the checks need to know of a predicate without clauses.
//!
//! The table of builtins provides the rows. The passes over the language receive them as
//! [`KnownPredicates`], so the passes and the table need not import each other.

use crate::symbol::Atom;
use rustc_hash::FxHashMap;

/// The class of a predicate: who may call it, and whether a program may redefine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredicateClass {
    /// Part of the language. A program must not define it again.
    Core,
    /// Part of the library. A definition in the program takes precedence.
    Library,
    /// Like `Library`, but other systems know it only through `library(alphorn)`.
    Extra,
    /// Writes text. It is for goals that the user types, not for the rules of a game.
    Writer,
    /// Runs a search. Only goals that the user types can call it; rules cannot.
    Host,
}

/// A predicate: name, arity, mode of goal arguments and class.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The name.
    pub name: &'static str,
    /// The number of arguments.
    pub arity: u8,
    /// One character per argument: a digit for a goal or closure that lacks so many arguments, `^` for
    /// a goal with `^`, `?` otherwise. Empty if no argument is a goal.
    pub meta: &'static str,
    /// What a program may do with the predicate.
    pub class: PredicateClass,
}

/// The number of a builtin: its row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BuiltinId(pub u16);

/// All predicates that the machine provides.
#[derive(Clone, Debug, Default)]
pub struct KnownPredicates {
    rows: Vec<Signature>,
    by_name: FxHashMap<(Atom, usize), BuiltinId>,
    /// Whether arithmetic has a function of this name and arity.
    functions: Option<fn(&str, usize) -> bool>,
    /// Finds the library file that defines a predicate. Only called if a predicate is missing, so that
    /// loading creates no atoms beside those of the program.
    libraries: Option<fn(Atom, usize) -> Option<&'static str>>,
    /// Lists the predicates that are loaded only if a program names them.
    offered: Option<Offered>,
}

/// A function that lists names with their arities.
type Offered = fn() -> Vec<(&'static str, usize)>;

impl KnownPredicates {
    /// Collects the rows. The number of a row is its place.
    pub fn new(rows: impl IntoIterator<Item = Signature>) -> KnownPredicates {
        let mut known = KnownPredicates::default();
        for (number, row) in rows.into_iter().enumerate() {
            let id = BuiltinId(number as u16);
            let before = known.by_name.insert((Atom::new(row.name), usize::from(row.arity)), id);
            assert!(before.is_none(), "{}/{} stands twice in the table", row.name, row.arity);
            known.rows.push(row);
        }
        known
    }

    /// Adds the functions of arithmetic, and the search for predicates in library files.
    pub fn with(
        self,
        functions: fn(&str, usize) -> bool,
        libraries: fn(Atom, usize) -> Option<&'static str>,
    ) -> KnownPredicates {
        KnownPredicates { functions: Some(functions), libraries: Some(libraries), ..self }
    }

    /// Adds the predicates that are loaded only if a program names them.
    pub fn offering(self, offered: Offered) -> KnownPredicates {
        KnownPredicates { offered: Some(offered), ..self }
    }

    /// The predicates that are loaded only if a program names them, for spelling suggestions.
    pub fn offered(&self) -> Vec<(&'static str, usize)> {
        self.offered.map_or_else(Vec::new, |all| all())
    }

    /// Whether arithmetic may have this function. The arity of a constant is 0.
    pub fn is_function(&self, name: Atom, arity: usize) -> bool {
        self.functions.is_none_or(|knows| knows(name.text(), arity))
    }

    /// The library file that defines this predicate.
    pub fn library_of(&self, name: Atom, arity: usize) -> Option<&'static str> {
        self.libraries.and_then(|find| find(name, arity))
    }

    /// The builtin of this name and arity.
    pub fn get(&self, name: Atom, arity: usize) -> Option<(BuiltinId, Signature)> {
        let id = *self.by_name.get(&(name, arity))?;
        Some((id, *self.row(id)))
    }

    /// The row with this number.
    pub fn row(&self, id: BuiltinId) -> &Signature {
        &self.rows[usize::from(id.0)]
    }

    /// All rows in the order of their numbers.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Signature> {
        self.rows.iter()
    }

    /// All names with their arities.
    pub fn keys(&self) -> impl Iterator<Item = (Atom, usize)> + '_ {
        self.by_name.keys().copied()
    }
}
