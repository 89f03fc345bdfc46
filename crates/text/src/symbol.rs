//! Names, each stored once and known by a small number.
//!
//! In: the text of an atom. Out: an [`Atom`], equal exactly when the texts are.
//! The table is one for the whole process, so that positions may move between
//! threads and programs. Atoms of programs stay. Those that rules make while
//! they run belong to a [`Region`], which forgets them unless something that
//! outlives the evaluation has kept them: [`kept_bytes`] counts those.

use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// An atom: a name by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

/// Numbers from here on are of atoms that were made while rules ran.
const FIRST_YOUNG: u32 = 1 << 31;

/// Bytes that an atom takes beside its text: its place in the list and its share of a map.
const BESIDE: usize = 160;

struct Table {
    names: Vec<&'static str>,
    numbers: FxHashMap<&'static str, u32>,
    /// Those made while rules ran, and their numbers, which begin at [`FIRST_YOUNG`].
    young: Vec<Young>,
    young_numbers: FxHashMap<Arc<str>, u32>,
    /// Numbers of young atoms that are free again.
    free: Vec<u32>,
}

/// An atom that was made while rules ran.
struct Young {
    text: Arc<str>,
    /// The region that it belongs to; [`NOBODY`] once it is kept.
    owner: AtomicU64,
    /// Its text for those who cannot say for how long they need it.
    lasting: OnceLock<&'static str>,
}

/// The owner of an atom that stays.
const NOBODY: u64 = 0;
/// The owner of a number that no atom has.
const FREED: u64 = u64::MAX;

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let mut table = Table {
        names: Vec::new(),
        numbers: FxHashMap::default(),
        young: Vec::new(),
        young_numbers: FxHashMap::default(),
        free: Vec::new(),
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
        if READING.get() {
            KEPT.fetch_add(name.len() + BESIDE, Ordering::Relaxed);
        }
        number
    }

    /// The atom with this text, for whoever owns `region`; others keep it from now on.
    fn find(&self, text: &str, region: u64) -> Option<Atom> {
        if let Some(number) = self.numbers.get(text) {
            return Some(Atom(*number));
        }
        if self.young_numbers.is_empty() {
            return None;
        }
        let number = *self.young_numbers.get(text)?;
        let young = self.young(number);
        if young.owner.load(Ordering::Relaxed) != region {
            young.keep();
        }
        Some(Atom(number))
    }

    fn young(&self, number: u32) -> &Young {
        let young = &self.young[(number - FIRST_YOUNG) as usize];
        debug_assert!(young.owner.load(Ordering::Relaxed) != FREED, "an atom outlived its region");
        young
    }

    fn make(&mut self, text: &str, region: u64) -> Atom {
        SOME_YOUNG.store(true, Ordering::Relaxed);
        let text: Arc<str> = text.into();
        let young = Young { text: text.clone(), owner: AtomicU64::new(region), lasting: OnceLock::new() };
        let number = match self.free.pop() {
            Some(number) => {
                self.young[(number - FIRST_YOUNG) as usize] = young;
                number
            }
            None => {
                let number = FIRST_YOUNG + self.young.len() as u32;
                assert!(number >= FIRST_YOUNG, "memory runs out before 2^31 atoms");
                self.young.push(young);
                number
            }
        };
        self.young_numbers.insert(text, number);
        Atom(number)
    }

    /// Forgets an atom of a region, unless it was kept.
    fn forget(&mut self, number: u32, region: u64) {
        let young = &mut self.young[(number - FIRST_YOUNG) as usize];
        if young.owner.load(Ordering::Relaxed) != region {
            return;
        }
        let text = std::mem::replace(&mut young.text, Arc::from(""));
        *young.owner.get_mut() = FREED;
        self.young_numbers.remove(&text);
        // Builds that check whether an atom outlives its region must not give its number away.
        if !cfg!(debug_assertions) {
            self.free.push(number);
        }
    }
}

impl Young {
    fn keep(&self) {
        if self.owner.swap(NOBODY, Ordering::Relaxed) != NOBODY {
            let bytes = self.text.len() + BESIDE;
            LASTING.fetch_add(bytes, Ordering::Relaxed);
            KEPT.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    fn lasting(&self) -> &'static str {
        self.lasting.get_or_init(|| {
            self.keep();
            LASTING.fetch_add(self.text.len(), Ordering::Relaxed);
            KEPT.fetch_add(self.text.len(), Ordering::Relaxed);
            Box::leak(self.text.to_string().into_boxed_str())
        })
    }
}

impl Atom {
    /// The atom with this text, which stays for the life of the process.
    pub fn new(text: &str) -> Atom {
        if let Some(found) = read().find(text, NOBODY) {
            return found;
        }
        let mut table = write();
        if let Some(found) = table.find(text, NOBODY) {
            return found;
        }
        let name: &'static str = Box::leak(text.to_owned().into_boxed_str());
        Atom(table.add(name))
    }

    /// Its text. An atom that rules made stays from then on: to look at any, take [`Atom::name`].
    pub fn text(self) -> &'static str {
        let table = read();
        match self.0 < FIRST_YOUNG {
            true => table.names[self.0 as usize],
            false => table.young(self.0).lasting(),
        }
    }

    /// Its text, for as long as it is held.
    pub fn name(self) -> Text {
        let table = read();
        match self.0 < FIRST_YOUNG {
            true => Text::Lasting(table.names[self.0 as usize]),
            false => Text::Shared(table.young(self.0).text.clone()),
        }
    }

    /// The same atom, which stays from now on.
    pub fn keep(self) -> Atom {
        if self.0 >= FIRST_YOUNG {
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

/// Whether rules have made an atom yet. Who packs one has made it before, or has it from who did.
static SOME_YOUNG: AtomicBool = AtomicBool::new(false);

/// Numbers below this one are of names that the language and its library use.
const FIRST_OF_RULES: usize = 8192;

/// Gives the names that rules bring with them numbers that do not depend on how many names the library
/// has: positions hash by numbers, and the counts of a search are to stay when the library grows.
pub fn begin_rules() {
    let mut table = write();
    let count = table.names.len().max(FIRST_OF_RULES);
    table.names.resize(count, "");
}

/// Keeps those of these atoms, by their numbers, that rules made. A number that is none does no harm.
#[inline]
pub fn keep_all(numbers: impl Iterator<Item = u32>) {
    if !SOME_YOUNG.load(Ordering::Relaxed) {
        return;
    }
    let mut table = None;
    for number in numbers.filter(|number| *number >= FIRST_YOUNG) {
        let table = table.get_or_insert_with(read);
        let young = table.young.get((number - FIRST_YOUNG) as usize);
        if let Some(young) = young.filter(|young| young.owner.load(Ordering::Relaxed) != FREED) {
            young.keep();
        }
    }
}

/// A text of an atom, or one that was made.
#[derive(Clone, Debug)]
pub enum Text {
    /// Of an atom that stays.
    Lasting(&'static str),
    /// Of an atom that may be forgotten.
    Shared(Arc<str>),
    /// Of no atom.
    Made(String),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Text::Lasting(text) => text,
            Text::Shared(text) => text,
            Text::Made(text) => text,
        }
    }
}

/// The atoms that the rules of one evaluation make. They are there until the region is cleared or
/// dropped, and longer if they were kept.
#[derive(Debug)]
pub struct Region {
    number: u64,
    atoms: Vec<u32>,
    bytes: usize,
}

/// Where atoms take fewer bytes than this, they stay for the next evaluation, which often makes the
/// same ones.
const FEW: usize = 256 << 10;

impl Default for Region {
    fn default() -> Region {
        static NEXT: AtomicU64 = AtomicU64::new(NOBODY + 1);
        Region { number: NEXT.fetch_add(1, Ordering::Relaxed), atoms: Vec::new(), bytes: 0 }
    }
}

impl Region {
    /// The atom with this text, new or not.
    pub fn atom(&mut self, text: &str) -> Atom {
        if let Some(found) = read().find(text, self.number) {
            return found;
        }
        let mut table = write();
        if let Some(found) = table.find(text, self.number) {
            return found;
        }
        let atom = table.make(text, self.number);
        self.atoms.push(atom.0);
        self.bytes += text.len() + BESIDE;
        atom
    }

    /// Bytes that its atoms take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Begins a new evaluation: forgets the atoms of the last one, if they take much room. No term of
    /// that evaluation may be looked at any more.
    #[inline]
    pub fn renew(&mut self) {
        if self.bytes > FEW {
            self.clear();
        }
    }

    #[cold]
    fn clear(&mut self) {
        let mut table = write();
        self.atoms.drain(..).for_each(|number| table.forget(number, self.number));
        self.bytes = 0;
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if !self.atoms.is_empty() {
            self.clear();
        }
    }
}

/// See [`lasting_bytes`] and [`kept_bytes`].
static LASTING: AtomicUsize = AtomicUsize::new(0);
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// Bytes of all atoms that stay; never falls.
pub fn lasting_bytes() -> usize {
    LASTING.load(Ordering::Relaxed)
}

/// Bytes of those among them that rules made while they ran: they stay in positions, labels and
/// answers, and are charged to every evaluation that follows. Never falls.
pub fn kept_bytes() -> usize {
    KEPT.load(Ordering::Relaxed)
}

thread_local! {
    /// Whether this thread reads a text while rules run.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Reads a text while rules run: atoms that are made of it stay, and count as kept.
pub fn reading<T>(read: impl FnOnce() -> T) -> T {
    let before = READING.replace(true);
    let done = read();
    READING.set(before);
    done
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

#[cfg(test)]
mod tests {
    use super::{Atom, FEW, Region, kept_bytes};

    /// A text that no other test makes.
    fn long(name: &str) -> String {
        name.repeat(FEW)
    }

    #[test]
    fn atoms_that_nothing_keeps_are_forgotten() {
        let mut region = Region::default();
        let text = long("forgotten");
        let atom = region.atom(&text);
        assert_eq!(*atom.name(), text);
        assert_eq!(region.atom(&text), atom);
        region.renew();
        assert_eq!(region.bytes(), 0);
        let again = region.atom(&text);
        assert_eq!(*again.name(), text);
        assert!(again != atom || cfg!(not(debug_assertions)), "a debug build gives no number twice");
    }

    #[test]
    fn a_kept_atom_stays_and_is_counted() {
        let mut region = Region::default();
        let text = long("kept");
        let atom = region.atom(&text).keep();
        let counted = kept_bytes();
        assert!(counted >= text.len());
        region.renew();
        assert_eq!(*atom.name(), text);
        assert_eq!(Atom::new(&text), atom);
    }

    #[test]
    fn whoever_else_finds_an_atom_keeps_it() {
        let (mut one, mut other) = (Region::default(), Region::default());
        let text = long("found");
        let atom = one.atom(&text);
        assert_eq!(other.atom(&text), atom);
        drop(one);
        assert_eq!(*atom.name(), text);
    }
}
