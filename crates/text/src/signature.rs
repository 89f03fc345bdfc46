//! What the checker must know of a predicate that no clause defines.
//!
//! A ground-floor vocabulary, so that the passes over the language and the
//! table of builtins need not import each other. In: rows of the builtins.
//! Out: [`KnownPredicates`], which the passes are handed.

use crate::symbol::Atom;
use rustc_hash::FxHashMap;

/// Which promises a predicate makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Part of the language: a program may not define it again.
    Core,
    /// Part of the library: a program's own definition wins.
    Library,
    /// As `Library`, but known to other systems only through `library(alphorn)`.
    Extra,
    /// Writes text: for goals a person types, not for the rules of a game.
    Writer,
    /// Asks the search: for goals a person types; to rules it does not exist.
    Host,
}

/// A predicate by name, arity and use.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: u8,
    /// One character an argument: a digit where a goal or closure is expected
    /// that lacks so many arguments, `^` for a goal with `^`, `?` otherwise;
    /// empty where no argument is a goal.
    pub meta: &'static str,
    /// What a program may do with it.
    pub class: Class,
}

/// The row of a builtin in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BuiltinId(pub u16);

/// All predicates that the machine provides.
#[derive(Clone, Debug, Default)]
pub struct KnownPredicates {
    rows: Vec<Signature>,
    by_name: FxHashMap<(Atom, usize), BuiltinId>,
    /// Whether arithmetic has a function of a name and number of arguments.
    functions: Option<fn(&str, usize) -> bool>,
    /// The library file that has a predicate: looked for only when one is missing, so that loading
    /// names no atoms that the program does not have.
    libraries: Option<fn(Atom, usize) -> Option<&'static str>>,
    /// The predicates that are loaded only where they are named.
    offered: Option<Offered>,
}

/// Lists names with their numbers of arguments.
type Offered = fn() -> Vec<(&'static str, usize)>;

impl KnownPredicates {
    /// Gathers the rows; a row's number is its place.
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

    /// The same, with the functions of arithmetic and where library files have a predicate.
    pub fn with(
        self,
        functions: fn(&str, usize) -> bool,
        libraries: fn(Atom, usize) -> Option<&'static str>,
    ) -> KnownPredicates {
        KnownPredicates { functions: Some(functions), libraries: Some(libraries), ..self }
    }

    /// The same, with the predicates that are loaded only where they are named.
    pub fn offering(self, offered: Offered) -> KnownPredicates {
        KnownPredicates { offered: Some(offered), ..self }
    }

    /// The predicates that are loaded only where they are named: what may have been meant.
    pub fn offered(&self) -> Vec<(&'static str, usize)> {
        self.offered.map_or_else(Vec::new, |all| all())
    }

    /// Whether arithmetic may know this function: a constant has no arguments.
    pub fn is_function(&self, name: Atom, arity: usize) -> bool {
        self.functions.is_none_or(|knows| knows(name.text(), arity))
    }

    /// The library that has this predicate.
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

    /// All rows, by their numbers.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Signature> {
        self.rows.iter()
    }

    /// All names with their arities.
    pub fn keys(&self) -> impl Iterator<Item = (Atom, usize)> + '_ {
        self.by_name.keys().copied()
    }
}
