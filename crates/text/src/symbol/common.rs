//! Common atoms: young atoms that rules use again and again, such as the labels of moves.
//!
//! A common atom stays for the life of the process. Each thread remembers the common atoms that it has met, so
//! it uses them without the lock of the table and without a count of their holders, which threads would change
//! together. Their number and their length are bounded.

use super::young::{FIRST_YOUNG, Young};
use super::{Atom, LASTING};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The uses after which an atom is common: packed terms that contain it, and heaps that it enters.
const USES: u32 = 128;

/// The greatest number of common atoms.
const MOST: u32 = 1 << 12;

/// The most bytes of a common atom.
const LONGEST: usize = 64;

/// Numbers of young atoms from here on never belong to common ones, which bounds the lists of the threads.
const LAST: u32 = FIRST_YOUNG + (1 << 16);

/// The number of common atoms.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// What a thread remembers of a common atom.
#[derive(Clone, Copy)]
pub(super) struct CommonAtom {
    pub(super) text: &'static str,
    pub(super) hash: [u64; 2],
}

/// The common atoms that a thread has met.
#[derive(Default)]
struct KnownAtoms {
    /// By their numbers from [`FIRST_YOUNG`] on.
    atoms: Vec<Option<CommonAtom>>,
    /// The numbers of their texts.
    numbers: FxHashMap<&'static str, u32>,
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

/// The common atom with this text, if this thread has met it.
#[inline]
pub(super) fn common_with(text: &str) -> Option<Atom> {
    KNOWN.try_with(|known| known.borrow().numbers.get(text).map(|number| Atom(*number))).ok().flatten()
}

/// Counts a use of a young atom; `true` if the atom is common, so that nobody need count its holders.
pub(super) fn use_atom(number: u32, young: &Young) -> bool {
    let found = match young.common() {
        Some(text) => text,
        None => {
            // Two threads that count at once may lose a use.
            let uses = young.uses.load(Relaxed);
            if uses < USES {
                young.uses.store(uses + 1, Relaxed);
                return false;
            }
            let never = number >= LAST || young.text.len() > LONGEST || super::young::sweeps();
            if never || COUNT.load(Relaxed) >= MOST {
                return false;
            }
            young.make_common(|bytes| {
                COUNT.fetch_add(1, Relaxed);
                LASTING.fetch_add(bytes, Relaxed);
            })
        }
    };
    // A failure to remember costs time only.
    let _ = KNOWN.try_with(|known| {
        let mut known = known.borrow_mut();
        let at = (number - FIRST_YOUNG) as usize;
        if at >= known.atoms.len() {
            known.atoms.resize(at + 1, None);
        }
        known.atoms[at] = Some(CommonAtom { text: found, hash: young.hash() });
        known.numbers.insert(found, number);
    });
    true
}

#[cfg(test)]
mod tests {
    use super::super::{Region, hash, hold, release};
    use super::*;

    #[test]
    fn a_frequent_atom_stays_and_keeps_its_text_and_hash() {
        let text = "frequent atom of this test";
        let mut region = Region::default();
        let atom = region.atom(text);
        let number = atom.number();
        let hash_of = || {
            let mut found = [0; 2];
            hash([(0, number)].into_iter(), |_, hash| found = hash);
            found
        };
        let before = hash_of();
        for _ in 0..2 * USES {
            assert!(hold([number].into_iter()));
            release([number].into_iter());
        }
        assert!(common(number).is_some() && common_with(text) == Some(atom));
        drop(region);
        assert_eq!((&*atom.name(), hash_of()), (text, before));
        assert_eq!(Region::default().atom(text), atom);
        let elsewhere = std::thread::spawn(move || (common(number).is_none(), Region::default().atom(text)));
        assert_eq!(elsewhere.join().expect("the thread ends"), (true, atom));
    }

    #[test]
    fn a_long_atom_never_is_common() {
        let text = "long ".repeat(LONGEST);
        let mut region = Region::default();
        let number = region.atom(&text).number();
        for _ in 0..2 * USES {
            assert!(hold([number].into_iter()));
            release([number].into_iter());
        }
        assert!(common(number).is_none());
    }
}
