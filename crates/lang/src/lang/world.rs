//! The surroundings of a program: the builtins, and the library with its parts and files.
//!
//! The caller of `lang::load` makes a [`World`]. Loading only reads it.

use alphorn_text::signature::KnownPredicates;
use std::sync::Arc;

/// The surroundings of a program: the builtins and the library.
#[derive(Clone)]
pub struct World {
    /// The builtins.
    pub known: Arc<KnownPredicates>,
    /// The text of the prelude, the library that every file sees.
    pub prelude: &'static str,
    /// The parts of the library that are loaded only if a program names them.
    pub parts: &'static [LibraryPart],
    /// Finds the predicates of the parts that have this name.
    pub offers: fn(&str) -> &'static [PartPredicate],
    /// Whether all parts are loaded, for goals that are typed later.
    pub whole_library: bool,
    /// Finds the text of a library file by its name, such as `lines`.
    pub library: fn(&str) -> Option<&'static str>,
    /// The names of the library files.
    pub library_names: Vec<&'static str>,
}

/// A library file that is loaded if a program names one of its predicates.
#[derive(Clone, Copy, Debug)]
pub struct LibraryPart {
    /// The name, such as `assoc`.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
    /// The parts whose predicates this part calls.
    pub needs: &'static [&'static str],
}

/// A predicate that a part defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPredicate {
    /// The number of arguments.
    pub arity: usize,
    /// The index of the part.
    pub part: usize,
}
