//! Young atoms: atoms that rules create while they run, with counts of their holders.
//!
//! A young atom exists as long as a [`Region`] or a packed term holds it. Each heap has a region, which
//! holds the atoms of the terms in the heap. All other code must call [`Atom::keep`] to use a young
//! atom for longer than its holders.

use super::common::{
    COUNT, CommonAtom, FIRST_YOUNG, LAST, LONGEST, MOST, USES, common, common_with, remember, remember_lasting,
};
use super::{Atom, AtomTable, LASTING, read, write};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::{replace, take};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError};

/// The most bytes that an atom takes beside its text: its list entry, its allocation, and its share of the map and of
/// the set of its region. Just after a hash table has grown, an atom has twice its share, and the old table exists too.
pub(super) const ATOM_OVERHEAD: usize = 272;

/// Young atoms of a region, or without holders, stay while they take fewer bytes than this. The next
/// evaluation often creates the same atoms again.
const FEW: usize = 256 << 10;

/// The count of holders that marks a number without an atom.
const FREED: u64 = u64::MAX;

/// `ALPHORN_SWEEP`, for tests. 1 forgets atoms at each opportunity. 2 also reuses their numbers in
/// builds that check whether an atom outlives its holders.
static SWEEP: LazyLock<u32> =
    LazyLock::new(|| std::env::var("ALPHORN_SWEEP").ok().and_then(|how| how.parse().ok()).unwrap_or(0));

#[cold]
fn sweep_threshold() -> usize {
    if *SWEEP == 0 { FEW } else { 0 }
}

/// A young atom.
pub(super) struct Young {
    pub(super) text: Arc<str>,
    /// The number of its places in packed terms, plus one once it is kept.
    packed: AtomicU64,
    /// The number of regions that hold it.
    regions: AtomicU64,
    kept: AtomicBool,
    /// Packed terms that contain it, and heaps that it entered, up to the number that makes it common.
    uses: AtomicU32,
    /// The text of a common atom.
    common: OnceLock<&'static str>,
    /// A copy of the text that lives as long as the process.
    lasting: OnceLock<&'static str>,
    /// The value that represents the atom in hashes: a hash of its text.
    hash: OnceLock<[u64; 2]>,
}

/// Whether a young atom exists yet. A thread that packs one has created it or received it from its
/// creator.
static HAS_YOUNG_ATOMS: AtomicBool = AtomicBool::new(false);

/// Bytes of the young atoms in packed terms and of those kept forever.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// Bytes of the young atoms that have lost their last holder since the last sweep.
static DEAD: AtomicUsize = AtomicUsize::new(0);

/// Bytes of the young atoms in packed terms: positions, labels, answers, tables, thrown terms. Every
/// evaluation that begins while they exist is charged for them.
pub fn kept_bytes() -> usize {
    // A thread may subtract the bytes of an atom just before another one adds them.
    (KEPT.load(Ordering::Relaxed) as isize).max(0) as usize
}

impl Young {
    fn bytes(&self) -> usize {
        self.text.len() + ATOM_OVERHEAD
    }

    fn hold(&self) {
        if self.packed.fetch_add(1, Ordering::Relaxed) == 0 {
            KEPT.fetch_add(self.bytes(), Ordering::Relaxed);
        }
    }

    /// Removes one place in a packed term. Returns whether nothing holds the atom now.
    fn release(&self) -> bool {
        let last = self.packed.fetch_sub(1, Ordering::Relaxed) == 1;
        if last {
            KEPT.fetch_sub(self.bytes(), Ordering::Relaxed);
        }
        last && self.regions.load(Ordering::Relaxed) == 0
    }

    pub(super) fn keep(&self) {
        if !self.kept.swap(true, Ordering::Relaxed) {
            self.hold();
        }
    }

    pub(super) fn lasting(&self) -> &'static str {
        if let Some(text) = self.common() {
            return text;
        }
        self.lasting.get_or_init(|| {
            self.keep();
            KEPT.fetch_add(self.text.len(), Ordering::Relaxed);
            Box::leak(self.text.to_string().into_boxed_str())
        })
    }

    /// The text of the atom if it is common.
    fn common(&self) -> Option<&'static str> {
        self.common.get().copied()
    }

    /// Makes the atom common.
    fn make_common(&self) -> &'static str {
        self.common.get_or_init(|| {
            // A holder for ever, which is not charged to any evaluation.
            if self.packed.fetch_add(1, Ordering::Relaxed) > 0 {
                KEPT.fetch_sub(self.bytes(), Ordering::Relaxed);
            }
            COUNT.fetch_add(1, Ordering::Relaxed);
            LASTING.fetch_add(self.bytes() + self.text.len(), Ordering::Relaxed);
            Box::leak(self.text.to_string().into_boxed_str())
        })
    }

    fn is_freed(&self) -> bool {
        self.packed.load(Ordering::Relaxed) == FREED
    }

    fn hash(&self) -> [u64; 2] {
        *self.hash.get_or_init(|| {
            let half = |seed: u64| {
                let mut hasher = DefaultHasher::new();
                (seed, &*self.text).hash(&mut hasher);
                hasher.finish()
            };
            [half(0), half(1)]
        })
    }
}

/// Counts a use of a young atom; `true` if the atom is common, so that nobody need count its holders.
fn use_atom(number: u32, young: &Young) -> bool {
    let text = match young.common() {
        Some(text) => text,
        None => {
            // Two threads that count at once may lose a use.
            let uses = young.uses.load(Ordering::Relaxed);
            if uses < USES {
                young.uses.store(uses + 1, Ordering::Relaxed);
                return false;
            }
            // Tests that forget atoms soon have no common ones.
            let never = number >= LAST || young.text.len() > LONGEST || *SWEEP != 0;
            if never || COUNT.load(Ordering::Relaxed) >= MOST {
                return false;
            }
            young.make_common()
        }
    };
    remember(number, CommonAtom { text, hash: young.hash() });
    true
}

impl AtomTable {
    pub(super) fn young(&self, number: u32) -> &Young {
        let young = &self.young[(number - FIRST_YOUNG) as usize];
        debug_assert!(!young.is_freed(), "an atom outlived its holders");
        young
    }

    fn make(&mut self, text: &str) -> u32 {
        HAS_YOUNG_ATOMS.store(true, Ordering::Relaxed);
        let text: Arc<str> = text.into();
        let young = Young {
            text: text.clone(),
            packed: AtomicU64::new(0),
            regions: AtomicU64::new(1),
            kept: AtomicBool::new(false),
            uses: AtomicU32::new(0),
            common: OnceLock::new(),
            lasting: OnceLock::new(),
            hash: OnceLock::new(),
        };
        let number = match self.free.pop() {
            Some(number) => {
                self.young[(number - FIRST_YOUNG) as usize] = young;
                number
            }
            None => {
                let number = FIRST_YOUNG + self.young.len() as u32;
                assert!(number >= FIRST_YOUNG, "memory runs out before 2^31 atoms");
                // Twice the list would be memory that no budget is charged for.
                if self.young.len() == self.young.capacity() {
                    self.young.reserve_exact(self.young.len() / 8 + 64);
                }
                self.young.push(young);
                number
            }
        };
        self.young_numbers.insert(text, number);
        number
    }

    /// Forgets an atom if nothing holds it. A new holder finds the atom under the same lock or gets it
    /// from another holder.
    fn forget(&mut self, number: u32) {
        let young = &mut self.young[(number - FIRST_YOUNG) as usize];
        if *young.packed.get_mut() != 0 || *young.regions.get_mut() != 0 {
            return;
        }
        *young.packed.get_mut() = FREED;
        young.hash = OnceLock::new();
        *young.uses.get_mut() = 0;
        let text = replace(&mut young.text, Arc::from(""));
        self.young_numbers.remove(&text);
        // Such builds keep the number free to detect an atom that outlives its holders.
        if !cfg!(debug_assertions) || *SWEEP == 2 {
            self.free.push(number);
        }
    }
}

/// Whether this is the number of a young atom.
#[inline]
pub fn is_young(number: u32) -> bool {
    number >= FIRST_YOUNG
}

/// Holds the young atoms of a packed term, once for each place in the term. Returns whether there are
/// any. The caller already holds these atoms in another way.
#[inline]
pub fn hold(numbers: impl Iterator<Item = u32>) -> bool {
    if !HAS_YOUNG_ATOMS.load(Ordering::Relaxed) {
        return false;
    }
    let (mut table, mut any) = (None, false);
    for number in numbers.filter(|number| is_young(*number)) {
        any = true;
        if common(number).is_none() {
            let young = table.get_or_insert_with(read).young(number);
            if !use_atom(number, young) {
                young.hold();
            }
        }
    }
    any
}

/// Undoes [`hold`] with the same numbers.
#[cold]
pub fn release(numbers: impl Iterator<Item = u32>) {
    let (mut locked, mut bytes) = (None, 0);
    for number in numbers.filter(|number| is_young(*number) && common(*number).is_none()) {
        let table = locked.get_or_insert_with(read);
        let young = table.young(number);
        if young.common().is_none() && young.release() {
            bytes += young.bytes();
            table.dead.lock().unwrap_or_else(PoisonError::into_inner).push(number);
        }
    }
    drop(locked);
    if bytes == 0 {
        return;
    }
    if DEAD.fetch_add(bytes, Ordering::Relaxed) + bytes > sweep_threshold() {
        let mut table = write();
        let dead = take(table.dead.get_mut().unwrap_or_else(PoisonError::into_inner));
        dead.into_iter().for_each(|number| table.forget(number));
        DEAD.store(0, Ordering::Relaxed);
    }
}

/// Calls `see` with the place and the text hash of each young atom among `numbers`. Hashes use texts
/// because the number of a young atom may later belong to another atom.
pub fn hash(numbers: impl Iterator<Item = (usize, u32)>, mut see: impl FnMut(usize, [u64; 2])) {
    let mut table = None;
    for (at, number) in numbers.filter(|(_, number)| is_young(*number)) {
        let hash = common(number).map(|atom| atom.hash);
        see(at, hash.unwrap_or_else(|| table.get_or_insert_with(read).young(number).hash()));
    }
}

/// The young atoms of a heap: those that its evaluations create, and those of packed terms that were
/// copied into it.
#[derive(Debug, Default)]
pub struct Region {
    atoms: FxHashSet<u32>,
    /// Bytes of the atoms created here, and of the others.
    made: usize,
    others: usize,
}

thread_local! {
    /// The region that receives the atoms of the text which this thread reads while rules run.
    static READING: RefCell<Option<Region>> = const { RefCell::new(None) };
}

impl Atom {
    /// The atom with this text, which occurs in a text that is being read. It stays for the life of
    /// the process, unless rules read the text.
    pub fn read(text: &str) -> Atom {
        let own = READING.with_borrow_mut(|region| region.as_mut().map(|region| region.atom(text)));
        own.unwrap_or_else(|| Atom::new(text))
    }
}

impl Region {
    /// Finds or creates the atom with this text and holds it.
    pub fn atom(&mut self, text: &str) -> Atom {
        if let Some(found) = common_with(text) {
            return found;
        }
        if let Some(found) = self.find(&read(), text) {
            return found;
        }
        let mut table = write();
        if let Some(found) = self.find(&table, text) {
            return found;
        }
        let number = table.make(text);
        self.atoms.insert(number);
        self.made += text.len() + ATOM_OVERHEAD;
        Atom(number)
    }

    fn find(&mut self, table: &AtomTable, text: &str) -> Option<Atom> {
        let found = table.find(text)?;
        if !is_young(found.0) {
            remember_lasting(table.names[found.0 as usize], found);
            return Some(found);
        }
        let young = table.young(found.0);
        if !use_atom(found.0, young) && self.atoms.insert(found.0) {
            young.regions.fetch_add(1, Ordering::Relaxed);
            // Atoms of packed terms are charged already.
            match young.packed.load(Ordering::Relaxed) {
                0 => self.made += young.bytes(),
                _ => self.others += young.bytes(),
            }
        }
        Some(found)
    }

    /// Holds the young atoms of a packed term that is copied into the heap.
    pub fn hold(&mut self, numbers: impl Iterator<Item = u32>) {
        let mut table = None;
        for number in numbers.filter(|number| is_young(*number) && common(*number).is_none()) {
            if self.atoms.insert(number) {
                let young = table.get_or_insert_with(read).young(number);
                young.regions.fetch_add(1, Ordering::Relaxed);
                self.others += young.bytes();
            }
        }
    }

    /// Reads a text while rules run. The region holds the atoms of the text.
    pub fn reading<T>(&mut self, read: impl FnOnce() -> T) -> T {
        struct RestoreRegion<'a>(&'a mut Region, Option<Region>);
        impl Drop for RestoreRegion<'_> {
            fn drop(&mut self) {
                *self.0 = READING.replace(self.1.take()).unwrap_or_default();
            }
        }
        let before = READING.replace(Some(take(self)));
        let _back = RestoreRegion(self, before);
        read()
    }

    /// Bytes of the young atoms that its evaluations have created.
    pub fn bytes(&self) -> usize {
        self.made
    }

    /// Whether the atoms take so much memory that the next evaluation forgets them.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        !self.atoms.is_empty() && self.made + self.others > sweep_threshold()
    }

    /// Begins a new evaluation. Forgets the atoms of the last one if they take much memory, and
    /// returns whether it did. If so, terms of that evaluation must not be used any more.
    #[inline]
    pub fn renew(&mut self) -> bool {
        let many = self.is_crowded();
        if many {
            self.clear();
        }
        many
    }

    #[cold]
    fn clear(&mut self) {
        // In the order of their numbers, atoms are near each other in memory.
        let mut numbers: Vec<u32> = self.atoms.drain().collect();
        numbers.sort_unstable();
        let mut table = write();
        for number in numbers {
            *table.young[(number - FIRST_YOUNG) as usize].regions.get_mut() -= 1;
            table.forget(number);
        }
        (self.made, self.others) = (0, 0);
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if !self.atoms.is_empty() {
            self.clear();
        }
    }
}

#[cfg(test)]
mod tests;
