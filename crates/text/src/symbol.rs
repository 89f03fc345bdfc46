//! Names, each stored once and known by a small number.
//!
//! In: the text of an atom. Out: an [`Atom`], equal exactly when the texts are.
//! The table is one for the whole process, so that positions may move between
//! threads and programs. Atoms of programs stay. Those that rules make while
//! they run are there as long as someone holds them.

mod young;

pub use young::{Region, hash, hold, is_young, kept_bytes, release};

use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use young::{BESIDE, FIRST_YOUNG, Young};

/// An atom: a name by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

struct Table {
    names: Vec<&'static str>,
    numbers: FxHashMap<&'static str, u32>,
    /// Those made while rules ran, and their numbers, which begin at [`FIRST_YOUNG`].
    young: Vec<Young>,
    young_numbers: FxHashMap<Arc<str>, u32>,
    /// Numbers of young atoms that are free again.
    free: Vec<u32>,
    /// Those that perhaps nobody holds any more.
    dead: Mutex<Vec<u32>>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let mut table = Table {
        names: Vec::new(),
        numbers: FxHashMap::default(),
        young: Vec::new(),
        young_numbers: FxHashMap::default(),
        free: Vec::new(),
        dead: Mutex::default(),
    };
    for name in WELL_KNOWN {
        table.add(name);
    }
    RwLock::new(table)
});

/// The table to look into. No change to it is left half done, whoever panics.
fn read() -> RwLockReadGuard<'static, Table> {
    TABLE.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, Table> {
    TABLE.write().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    fn add(&mut self, name: &'static str) -> u32 {
        let number = self.names.len() as u32;
        assert!(number < FIRST_YOUNG, "memory runs out before 2^31 atoms");
        self.names.push(name);
        self.numbers.insert(name, number);
        LASTING.fetch_add(name.len() + BESIDE, Ordering::Relaxed);
        number
    }

    /// The atom with this text. Rules' own may be used only while the lock is held, unless held.
    fn find(&self, text: &str) -> Option<Atom> {
        if let Some(number) = self.numbers.get(text) {
            return Some(Atom(*number));
        }
        if self.young_numbers.is_empty() {
            return None;
        }
        self.young_numbers.get(text).map(|number| Atom(*number))
    }

    /// The same for good.
    fn find_lasting(&self, text: &str) -> Option<Atom> {
        let found = self.find(text)?;
        if is_young(found.0) {
            self.young(found.0).keep();
        }
        Some(found)
    }
}

impl Atom {
    /// The atom with this text, which stays for the life of the process.
    pub fn new(text: &str) -> Atom {
        if let Some(found) = read().find_lasting(text) {
            return found;
        }
        let mut table = write();
        if let Some(found) = table.find_lasting(text) {
            return found;
        }
        let name: &'static str = Box::leak(text.to_owned().into_boxed_str());
        Atom(table.add(name))
    }

    /// Its text. An atom that rules made stays from then on: to look at any, take [`Atom::name`].
    pub fn text(self) -> &'static str {
        let table = read();
        match is_young(self.0) {
            false => table.names[self.0 as usize],
            true => table.young(self.0).lasting(),
        }
    }

    /// Its text, for as long as it is held.
    pub fn name(self) -> AtomText {
        let table = read();
        match is_young(self.0) {
            false => AtomText::Lasting(table.names[self.0 as usize]),
            true => AtomText::Shared(table.young(self.0).text.clone()),
        }
    }

    /// The same atom, which stays from now on.
    pub fn keep(self) -> Atom {
        if is_young(self.0) {
            read().young(self.0).keep();
        }
        self
    }

    /// Its number, for packing; the same for as long as the atom is there.
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
        write!(f, "{:?}", &*self.name())
    }
}

/// Numbers below this one are of names that the language and its library use.
const FIRST_OF_RULES: usize = 8192;

/// Gives the names that rules bring with them numbers that do not depend on how many names the library
/// has: positions hash by numbers, and the counts of a search are to stay when the library grows.
pub fn begin_rules() {
    let mut table = write();
    let count = table.names.len().max(FIRST_OF_RULES);
    table.names.resize(count, "");
}

/// A text of an atom, or one that was made.
#[derive(Clone, Debug)]
pub enum AtomText {
    /// Of an atom that stays.
    Lasting(&'static str),
    /// Of an atom that may be forgotten.
    Shared(Arc<str>),
    /// Of no atom.
    Made(String),
}

impl Deref for AtomText {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            AtomText::Lasting(text) => text,
            AtomText::Shared(text) => text,
            AtomText::Made(text) => text,
        }
    }
}

/// See [`lasting_bytes`].
static LASTING: AtomicUsize = AtomicUsize::new(0);

/// Bytes of all atoms that stay; never falls.
pub fn lasting_bytes() -> usize {
    LASTING.load(Ordering::Relaxed)
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
