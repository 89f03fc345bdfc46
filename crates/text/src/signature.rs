//! Signatures and facts: what the checks and the compiler know of the predicates of the system.
//!
//! The table of builtins provides the rows. The passes over the language receive them as
//! [`KnownPredicates`], so the passes and the table need not import each other.

use crate::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

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

/// A fact about a predicate. A predicate without a fact is treated as one of which nothing is known.
/// Arguments are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The predicate binds no variable.
    BindsNothing,
    /// The predicate never succeeds.
    NeverSucceeds,
    /// These arguments become ground if all other arguments are ground before the call.
    MakesGround(&'static [usize]),
    /// If these arguments are new variables before the call, they are ground after it, whatever the others are.
    AnswersGround(&'static [usize]),
    /// If these arguments are ground, the predicate has at most one answer. A second fact gives other
    /// arguments of which the same is true.
    OneAnswer(&'static [usize]),
    /// The compiler has its own code for calls of the builtin.
    Compiled(BuiltinKind),
    /// The predicate tests the kind of its only argument.
    TestsKind,
    /// The predicate tests whether an argument is bound, so a clause that calls it handles both cases.
    TestsBinding,
    /// A clause that calls the predicate takes only some terms as arguments.
    Selects,
    /// All arguments are numbers or expressions.
    TakesNumbers,
    /// This argument must be a list.
    TakesList(usize),
    /// The predicate is a function in other languages. Its last argument is the result.
    Function,
    /// These arguments are compared with other terms.
    Compares(&'static [usize]),
    /// This argument is the element to find in a list.
    Seeks(usize),
    /// The predicate makes terms that occur in no clause.
    MakesTerms,
    /// A program that defines the predicate itself gets a warning.
    WarnsIfReplaced,
    /// The types of the arguments, as `rules/library.rs` reads them. Several rows all hold.
    Types(&'static [&'static str]),
}

/// The code that the compiler writes for a call of a builtin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BuiltinKind {
    Unify,
    NotUnifiable,
    Same,
    NotSame,
    Is,
    Compare(IntComparison),
    Type(TypeTest),
    Arg,
    Between,
    PutArg,
    /// `compare/3`.
    Order,
    /// A test of the standard order, such as `@</2`: like this comparison of integers.
    Ordered(IntComparison),
    /// `=..`.
    Univ,
    Ground,
    /// A call of the builtin itself.
    Plain,
}

/// A comparison of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntComparison {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

impl IntComparison {
    /// Whether the comparison holds for two numbers.
    #[inline(always)]
    pub const fn holds(self, a: i64, b: i64) -> bool {
        match self {
            IntComparison::Less => a < b,
            IntComparison::AtMost => a <= b,
            IntComparison::Greater => a > b,
            IntComparison::AtLeast => a >= b,
            IntComparison::Equal => a == b,
            IntComparison::Unequal => a != b,
        }
    }

    /// The comparison with its sides exchanged.
    pub fn turned(self) -> IntComparison {
        match self {
            IntComparison::Less => IntComparison::Greater,
            IntComparison::AtMost => IntComparison::AtLeast,
            IntComparison::Greater => IntComparison::Less,
            IntComparison::AtLeast => IntComparison::AtMost,
            order => order,
        }
    }
}

/// A type test of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypeTest {
    Var,
    Nonvar,
    Atom,
    Integer,
    Atomic,
    Compound,
    Number,
    Callable,
}

/// The facts of a predicate of the library: its name, its arity and the facts.
pub type LibraryRow = (&'static str, u8, &'static [Fact]);

/// A predicate: name, arity, mode of goal arguments, class and facts.
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
    /// What else is known of the predicate.
    pub facts: &'static [Fact],
}

impl Signature {
    /// Whether this fact holds.
    pub fn has(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }
}

/// The number of a builtin: its row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BuiltinId(pub u16);

/// All predicates that the machine provides.
#[derive(Clone, Debug, Default)]
pub struct KnownPredicates {
    rows: Vec<Signature>,
    by_name: FxHashMap<(Atom, usize), BuiltinId>,
    /// The facts of library predicates. The keys are texts, so that they create no atoms.
    library: FxHashMap<(&'static str, usize), &'static [Fact]>,
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

    /// Adds the facts of library predicates.
    pub fn with_facts(mut self, rows: &[LibraryRow]) -> KnownPredicates {
        self.library.extend(rows.iter().map(|(name, arity, facts)| ((*name, usize::from(*arity)), *facts)));
        self
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

    /// The facts of the builtin or library predicate of this name and arity.
    pub fn facts(&self, name: Atom, arity: usize) -> &'static [Fact] {
        match self.get(name, arity) {
            Some((_, row)) => row.facts,
            None => self.library.get(&(name.text(), arity)).copied().unwrap_or_default(),
        }
    }

    /// The names of the builtins and library predicates with this fact.
    pub fn names_with(&self, fact: Fact) -> FxHashSet<&'static str> {
        let rows = self.rows.iter().map(|row| (row.name, row.facts));
        let library = self.library.iter().map(|((name, _), facts)| (*name, *facts));
        rows.chain(library).filter(|(_, facts)| facts.contains(&fact)).map(|(name, _)| name).collect()
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
