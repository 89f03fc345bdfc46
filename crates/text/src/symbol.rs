//! Atoms: names, each stored once and identified by a small number.
//!
//! Two [`Atom`]s are equal if and only if their texts are equal. One table serves the whole process, so
//! positions can move between threads and programs. Atoms of program texts stay forever. Atoms that
//! rules create at run time ("young" atoms) stay as long as something holds them.

mod common;
mod young;

pub use young::{Region, hash, hold, is_young, kept_bytes, release};

use arrayvec::ArrayString;
use common::FIRST_YOUNG;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use young::{ATOM_OVERHEAD, Young};

/// An atom: the number of a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

struct AtomTable {
    names: Vec<&'static str>,
    numbers: FxHashMap<&'static str, u32>,
    /// Atoms created while rules ran. Their numbers begin at [`FIRST_YOUNG`].
    young: Vec<Young>,
    young_numbers: FxHashMap<Arc<str>, u32>,
    /// Numbers of young atoms that are free again.
    free: Vec<u32>,
    /// Numbers of young atoms that may have no holder any more.
    dead: Mutex<Vec<u32>>,
}

static TABLE: LazyLock<RwLock<AtomTable>> = LazyLock::new(|| {
    let mut table = AtomTable {
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

/// Locks the table for reading. A panic leaves no change half done, so a poisoned lock is fine.
fn read() -> RwLockReadGuard<'static, AtomTable> {
    TABLE.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, AtomTable> {
    TABLE.write().unwrap_or_else(PoisonError::into_inner)
}

impl AtomTable {
    fn add(&mut self, name: &'static str) -> u32 {
        let number = self.names.len() as u32;
        assert!(number < FIRST_YOUNG, "memory runs out before 2^31 atoms");
        self.names.push(name);
        self.numbers.insert(name, number);
        LASTING.fetch_add(name.len() + ATOM_OVERHEAD, Ordering::Relaxed);
        number
    }

    /// The atom with this text. A young atom is valid only under the lock, unless it is held.
    fn find(&self, text: &str) -> Option<Atom> {
        if let Some(number) = self.numbers.get(text) {
            return Some(Atom(*number));
        }
        if self.young_numbers.is_empty() {
            return None;
        }
        self.young_numbers.get(text).map(|number| Atom(*number))
    }

    /// Like [`AtomTable::find`], but a young atom that is found is kept forever.
    fn find_lasting(&self, text: &str) -> Option<Atom> {
        let found = self.find(text)?;
        if is_young(found.0) {
            self.young(found.0).keep();
        }
        Some(found)
    }
}

thread_local! {
    /// The texts of the atoms that stay. They never change, so each thread reads them once under the lock.
    static NAMES: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };

    /// [`Atom::begin`] of the atoms that stay.
    static BEGINNINGS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// The text of an atom that stays, by its number.
fn lasting_name(number: u32) -> &'static str {
    let at = number as usize;
    let known = NAMES.try_with(|known| {
        let mut known = known.borrow_mut();
        if at >= known.len() {
            let first = known.len();
            known.extend_from_slice(&read().names[first..]);
        }
        known[at]
    });
    // A thread that ends has no list any more.
    known.unwrap_or_else(|_| read().names[at])
}

/// The number of [`Atom::begin`].
fn beginning(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    if bytes.contains(&0) {
        return None;
    }
    let mut begin = [0; 8];
    let count = bytes.len().min(7);
    begin[1..=count].copy_from_slice(&bytes[..count]);
    Some(u64::from_be_bytes(begin))
}

impl Atom {
    /// The atom with this text. It stays for the life of the process.
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

    /// The text of the atom. A young atom stays forever afterwards; [`Atom::name`] avoids this.
    pub fn text(self) -> &'static str {
        match is_young(self.0) {
            false => lasting_name(self.0),
            true => match common::common(self.0) {
                Some(atom) => atom.text,
                None => read().young(self.0).lasting(),
            },
        }
    }

    /// The text of the atom. The returned value holds the text, not the atom.
    pub fn name(self) -> AtomText {
        match is_young(self.0) {
            false => AtomText::Lasting(lasting_name(self.0)),
            true => match common::common(self.0) {
                Some(atom) => AtomText::Lasting(atom.text),
                None => AtomText::Shared(read().young(self.0).text.clone()),
            },
        }
    }

    /// Calls a function with the text of the atom, which takes less time than [`Atom::name`].
    pub fn with_name<T>(self, see: impl FnOnce(&str) -> T) -> T {
        if !is_young(self.0) {
            return see(lasting_name(self.0));
        }
        see(&self.name())
    }

    /// The first seven bytes of the text as a number, with zeros after a shorter text: texts whose numbers
    /// differ have the order of the numbers. `None` if the text contains a character 0.
    pub fn begin(self) -> Option<u64> {
        if is_young(self.0) {
            return beginning(&self.name());
        }
        // The text of such an atom never changes, so each thread reads it once without a lock.
        BEGINNINGS.with_borrow_mut(|known| {
            let at = self.0 as usize;
            if at >= known.len() {
                known.extend((known.len()..=at).map(|at| beginning(lasting_name(at as u32)).unwrap_or(u64::MAX)));
            }
            Some(known[at]).filter(|begin| *begin != u64::MAX)
        })
    }

    /// Keeps the atom for the life of the process and returns it.
    pub fn keep(self) -> Atom {
        if is_young(self.0) {
            read().young(self.0).keep();
        }
        self
    }

    /// The number of the atom, for packing. It stays the same as long as the atom exists.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The atom whose [`Atom::number`] is this number.
    pub fn from_number(number: u32) -> Atom {
        Atom(number)
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.name())
    }
}

/// Smaller numbers are reserved for names of the language and its library.
const FIRST_OF_RULES: usize = 8192;

/// Ends the numbers of the library, so that atoms of rules have the same numbers for any library.
/// Positions hash by these numbers, and the node counts of a search must not change with the library.
pub fn reserve_library_atoms() {
    let mut table = write();
    let count = table.names.len().max(FIRST_OF_RULES);
    table.names.resize(count, "");
}

/// The most bytes of a [`ShortText`].
pub const SHORT_TEXT: usize = 32;

/// A text that needs no memory of its own.
pub type ShortText = ArrayString<SHORT_TEXT>;

/// The text of an atom, or a text that was built.
#[derive(Clone, Debug)]
pub enum AtomText {
    /// The text of an atom that stays forever.
    Lasting(&'static str),
    /// The text of an atom that may be forgotten.
    Shared(Arc<str>),
    /// A text that is not the text of an atom.
    Made(String),
    /// Such a text, if it is short.
    Short(ShortText),
}

impl Deref for AtomText {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            AtomText::Lasting(text) => text,
            AtomText::Shared(text) => text,
            AtomText::Made(text) => text,
            AtomText::Short(text) => text,
        }
    }
}

/// The counter behind [`lasting_bytes`].
static LASTING: AtomicUsize = AtomicUsize::new(0);

/// Bytes of all atoms that stay forever. The number never falls.
pub fn lasting_bytes() -> usize {
    LASTING.load(Ordering::Relaxed)
}

macro_rules! well_known {
    ($($name:ident = $text:literal),* $(,)?) => {
        const WELL_KNOWN: &[&str] = &[$($text),*];
        /// Atoms that the language itself uses.
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
