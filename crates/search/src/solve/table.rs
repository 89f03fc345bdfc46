//! The table of a proof-number search, in bounded memory.
//!
//! It stores the numbers of positions by key, with the work behind them. An entry with more work
//! replaces one with less, because small subtrees are quickly searched again. A key is a hash of 128
//! bits, and is taken to be unique for a position.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The key of a position.
pub(super) type Key = [u64; 2];

/// Computes the key of a position.
pub(super) fn key(state: &impl Hash) -> Key {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        state.hash(&mut hasher);
        hasher.finish()
    };
    [half(0), half(1)]
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    key: Key,
    /// The proof number: 0 if the attacker wins.
    pub(super) pn: u32,
    /// The disproof number: 0 if the attacker does not win.
    pub(super) dn: u32,
    /// Positions expanded for it; 0 for an empty entry.
    work: u32,
    /// For a win, the plies in which it is forced.
    pub(super) plies: u32,
}

const NOTHING: Entry = Entry { key: [0, 0], pn: 0, dn: 0, work: 0, plies: 0 };

/// Entries of one bucket.
const WAYS: usize = 4;

/// The initial number of buckets.
const PLACES: usize = 1 << 10;

/// A table of proof numbers that grows up to a limit.
pub(super) struct ProofTable {
    places: Vec<[Entry; WAYS]>,
    most: usize,
    /// Whether a decided entry was replaced.
    pub(super) forgot: bool,
}

impl ProofTable {
    /// A table that grows to at most so many bytes, with at least four entries.
    pub(super) fn new(bytes: u64) -> ProofTable {
        let most = usize::try_from(bytes / size_of::<[Entry; WAYS]>() as u64).unwrap_or(usize::MAX).max(1);
        ProofTable { places: vec![[NOTHING; WAYS]; PLACES.min(most)], most, forgot: false }
    }

    /// Doubles the number of buckets, up to the limit. No entry is dropped while the table can grow.
    fn grow(&mut self) {
        let wanted = (2 * self.places.len()).min(self.most);
        let old = std::mem::replace(&mut self.places, vec![[NOTHING; WAYS]; wanted]);
        for entry in old.into_iter().flatten().filter(|entry| entry.work > 0) {
            self.put(entry);
        }
    }

    /// Stores an entry in place of the one with the least work.
    fn put(&mut self, entry: Entry) {
        let at = self.place(entry.key);
        if let Some(least) = self.places[at].iter_mut().min_by_key(|other| other.work) {
            self.forgot |= least.work > 0 && (least.pn == 0 || least.dn == 0);
            *least = entry;
        }
    }

    fn place(&self, key: Key) -> usize {
        ((u128::from(key[0]) * self.places.len() as u128) >> 64) as usize
    }

    /// The entry of a position.
    pub(super) fn find(&self, key: Key) -> Option<&Entry> {
        self.places[self.place(key)].iter().find(|entry| entry.work > 0 && entry.key == key)
    }

    /// Stores a result. An undecided result never replaces a decided one.
    pub(super) fn keep(&mut self, key: Key, pn: u32, dn: u32, work: u64, plies: u32) {
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        let entry = Entry { key, pn, dn, work, plies };
        let at = self.place(key);
        if let Some(same) = self.places[at].iter_mut().find(|other| other.work > 0 && other.key == key) {
            if same.pn > 0 && same.dn > 0 {
                *same = Entry { work: same.work.saturating_add(work), ..entry };
            }
            return;
        }
        while self.places.len() < self.most && self.places[self.place(key)].iter().all(|other| other.work > 0) {
            self.grow();
        }
        self.put(entry);
    }
}
