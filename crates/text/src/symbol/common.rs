//! Common atoms: young atoms that rules use again and again, such as the labels of moves.
//!
//! A common atom stays for the life of the process. Each thread remembers the common atoms that it has met, so
//! it uses them without the lock of the table and without a count of their holders, which threads would change
//! together. Their number and their length are bounded.

use super::Atom;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// The numbers of lasting atoms of one ASCII character that were looked up; `u32::MAX` if it was not. Rules split
/// texts into such atoms, and the number of a lasting atom never changes.
static LETTERS: [AtomicU32; 128] = [const { AtomicU32::new(u32::MAX) }; 128];

fn letter(text: &str) -> Option<&'static AtomicU32> {
    let &[c] = text.as_bytes() else { return None };
    LETTERS.get(usize::from(c))
}

/// The lasting atom of one character that was looked up before.
#[inline]
pub(super) fn lasting_letter(text: &str) -> Option<Atom> {
    let number = letter(text)?.load(Ordering::Relaxed);
    (number != u32::MAX).then_some(Atom(number))
}

/// Remembers a lasting atom if it is one character.
pub(super) fn remember_letter(text: &str, atom: Atom) {
    if let Some(known) = letter(text) {
        known.store(atom.0, Ordering::Relaxed);
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
    KNOWN.try_with(|known| known.borrow().numbers.get(text).map(|number| Atom(*number))).ok().flatten()
}

/// Remembers a lasting atom in this thread. Its number never changes.
pub(super) fn remember_lasting(text: &'static str, atom: Atom) {
    let _ = KNOWN.try_with(|known| known.borrow_mut().numbers.insert(text, atom.0));
}

/// Remembers a common atom in this thread.
pub(super) fn remember(number: u32, atom: CommonAtom) {
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
