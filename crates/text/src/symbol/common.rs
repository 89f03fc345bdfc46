//! Common atoms: young atoms that rules use again and again, such as the labels of moves.
//!
//! A common atom stays for the life of the process. Each thread remembers the common atoms that it has met, so
//! it uses them without the lock of the table and without a count of their holders, which threads would change
//! together. Their number and their length are bounded.

use super::Atom;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::atomic::AtomicU32;

/// Numbers from here on belong to young atoms.
pub(super) const FIRST_YOUNG: u32 = 1 << 31;

/// The uses after which an atom is common: packed terms that contain it, and heaps that it enters.
pub(super) const USES: u32 = 128;

/// The greatest number of common atoms.
pub(super) const MOST: u32 = 1 << 12;

/// The most bytes of a common atom.
pub(super) const LONGEST: usize = 64;

/// Numbers of young atoms from here on never belong to common ones, which bounds the lists of the threads.
pub(super) const LAST: u32 = FIRST_YOUNG + (1 << 16);

/// The number of common atoms.
pub(super) static COUNT: AtomicU32 = AtomicU32::new(0);

/// What a thread remembers of a common atom.
#[derive(Clone, Copy)]
pub(super) struct CommonAtom {
    pub(super) text: &'static str,
    pub(super) hash: [u64; 2],
}

/// The common atoms that a thread has met, and the lasting ones that its rules have made from texts.
#[derive(Default)]
struct KnownAtoms {
    /// By their numbers from [`FIRST_YOUNG`] on.
    atoms: Vec<Option<CommonAtom>>,
    /// The numbers of their texts.
    numbers: FxHashMap<&'static str, u32>,
}

/// The number of no atom.
const NONE: u32 = u32::MAX;

thread_local! {
    /// The lasting and common atoms of one ASCII character that this thread has looked up, or [`NONE`]. Rules split
    /// texts into such atoms, and their numbers never change.
    static LETTERS: [Cell<u32>; 128] = const { [const { Cell::new(NONE) }; 128] };
}

impl Atom {
    /// The atom of one character, if it is ASCII and this thread has looked up the atom, which stays.
    #[inline]
    pub fn known_letter(c: char) -> Option<Atom> {
        let number = LETTERS.with(|known| known.get(c as usize).map_or(NONE, Cell::get));
        (number != NONE).then_some(Atom(number))
    }
}

/// Remembers the atom of one character, if the text is one.
fn remember_letter(text: &str, number: u32) {
    if let &[c] = text.as_bytes() {
        LETTERS.with(|known| known[usize::from(c)].set(number));
    }
}

thread_local! {
    static KNOWN: RefCell<KnownAtoms> = RefCell::default();
}

/// The common atom with this number, if this thread has met it.
#[inline]
pub(super) fn common(number: u32) -> Option<CommonAtom> {
    let at = (number - FIRST_YOUNG) as usize;
    // A thread that ends has no list any more.
    KNOWN.try_with(|known| known.borrow().atoms.get(at).copied().flatten()).ok().flatten()
}

/// The common or lasting atom with this text, if this thread has met it while rules ran.
#[inline]
pub(super) fn common_with(text: &str) -> Option<Atom> {
    if let &[c] = text.as_bytes()
        && let Some(letter) = Atom::known_letter(char::from(c))
    {
        return Some(letter);
    }
    KNOWN.try_with(|known| known.borrow().numbers.get(text).map(|number| Atom(*number))).ok().flatten()
}

/// Remembers a lasting atom in this thread. Its number never changes.
pub(super) fn remember_lasting(text: &'static str, atom: Atom) {
    remember_letter(text, atom.0);
    let _ = KNOWN.try_with(|known| known.borrow_mut().numbers.insert(text, atom.0));
}

/// Remembers a common atom in this thread.
pub(super) fn remember(number: u32, atom: CommonAtom) {
    remember_letter(atom.text, number);
    // A failure to remember costs time only.
    let _ = KNOWN.try_with(|known| {
        let mut known = known.borrow_mut();
        let at = (number - FIRST_YOUNG) as usize;
        if at >= known.atoms.len() {
            known.atoms.resize(at + 1, None);
        }
        known.atoms[at] = Some(atom);
        known.numbers.insert(atom.text, number);
    });
}
