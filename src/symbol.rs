//! Names, each stored once and known by a small number.
//!
//! In: the text of an atom. Out: an [`Atom`], equal exactly when the texts are.
//! The table is one for the whole process, so that positions may move between
//! threads and programs; it only grows, and [`interned_bytes`] lets a solver
//! count that growth against its memory budget.

use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, RwLock};

/// An atom: a name by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

struct Table {
    names: Vec<&'static str>,
    numbers: FxHashMap<&'static str, u32>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let mut table = Table { names: Vec::new(), numbers: FxHashMap::default() };
    for name in WELL_KNOWN {
        table.add(name);
    }
    RwLock::new(table)
});

impl Table {
    fn add(&mut self, name: &'static str) -> u32 {
        let number = u32::try_from(self.names.len()).expect("memory runs out before 2^32 atoms");
        self.names.push(name);
        self.numbers.insert(name, number);
        // The text, its place in the list, and its share of the map.
        BYTES.fetch_add(name.len() + 112, Ordering::Relaxed);
        number
    }
}

impl Atom {
    /// The atom with this text.
    pub fn new(text: &str) -> Atom {
        {
            let table = TABLE.read().expect("no thread panics while it writes the table");
            if let Some(number) = table.numbers.get(text) {
                return Atom(*number);
            }
        }
        let mut table = TABLE.write().expect("no thread panics while it writes the table");
        if let Some(number) = table.numbers.get(text) {
            return Atom(*number);
        }
        let name: &'static str = Box::leak(text.to_owned().into_boxed_str());
        Atom(table.add(name))
    }

    /// The atom of a single character.
    pub fn of_char(c: char) -> Atom {
        Atom::new(c.encode_utf8(&mut [0; 4]))
    }

    /// Its text.
    pub fn text(self) -> &'static str {
        TABLE.read().expect("no thread panics while it writes the table").names[self.0 as usize]
    }

    /// Its number, for packing; the same for the life of the process.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The atom that [`Atom::number`] gave this number.
    pub fn from_number(number: u32) -> Atom {
        Atom(number)
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// See [`interned_bytes`].
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// Bytes that the table of atoms holds; never falls.
pub fn interned_bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

macro_rules! well_known {
    ($($name:ident = $text:literal),* $(,)?) => {
        const WELL_KNOWN: &[&str] = &[$($text),*];
        /// Atoms that the language itself speaks of.
        #[allow(missing_docs, non_upper_case_globals)]
        pub mod atoms {
            use super::Atom;
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Number { $($name),* }
            $(pub const $name: Atom = Atom(Number::$name as u32);)*
        }
    };
}

well_known! {
    NIL = "[]", DOT = ".", CURLY = "{}", COMMA = ",", BAR = "|", SEMICOLON = ";", ARROW = "->",
    SOFT_ARROW = "*->", NOT = "\\+", CUT = "!", TRUE = "true", FAIL = "fail", FALSE = "false",
    OTHERWISE = "otherwise", CALL = "call", ONCE = "once", IGNORE = "ignore", FORALL = "forall",
    FINDALL = "findall", CATCH = "catch", NECK = ":-", DCG_NECK = "-->", QUERY = "?-", MINUS = "-",
    PLUS = "+", STAR = "*", SLASH = "/", EQUAL = "=", CARET = "^", COLON = ":", LESS = "<",
    GREATER = ">", EMPTY = "", LAMBDA = ">>", RANGE = "..", ERROR = "error", INDICATOR_DCG = "//",
    VAR = "$VAR", IS = "is", END_OF_FILE = "end_of_file", FRAME = "$frame", INF = "inf",
    INFINITE = "infinite",
}
