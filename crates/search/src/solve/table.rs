//! Table: what a proof-number search knows of positions, in a bounded room.
//!
//! In: keys, numbers, and the work they cost. Out: the numbers again, unless others that cost more
//! took their room: small subtrees are let go first, for they are found again soon. A key is a
//! hash of 128 bits, of which two positions do not share one.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What stands for a position.
pub(super) type Key = [u64; 2];

/// The key of a position.
pub(super) fn key(state: &impl Hash) -> Key {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        state.hash(&mut hasher);
        hasher.finish()
    };
    [half(0), half(1)]
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    key: Key,
    /// The proof number: 0 for a win.
    pub(super) pn: u32,
    /// The disproof number: 0 where there is no win.
    pub(super) dn: u32,
    /// Positions that were opened for it, 0 where nothing is kept.
    work: u32,
    /// Of a win, plies in which it is forced.
    pub(super) plies: u32,
}

const NOTHING: Entry = Entry { key: [0, 0], pn: 0, dn: 0, work: 0, plies: 0 };

/// Entries that share a place.
const WAYS: usize = 4;

/// Places at first.
const PLACES: usize = 1 << 10;

/// See the module.
pub(super) struct ProofTable {
    places: Vec<[Entry; WAYS]>,
    most: usize,
    /// Whether anything was let go that had been decided.
    pub(super) forgot: bool,
}

impl ProofTable {
    /// A table that grows to at most so many bytes, and holds four entries at least.
    pub(super) fn new(bytes: u64) -> ProofTable {
        let most = usize::try_from(bytes / size_of::<[Entry; WAYS]>() as u64).unwrap_or(usize::MAX).max(1);
        ProofTable { places: vec![[NOTHING; WAYS]; PLACES.min(most)], most, forgot: false }
    }

    /// Twice the places, as long as there may be more: nothing is let go for want of them.
    fn grow(&mut self) {
        let wanted = (2 * self.places.len()).min(self.most);
        let old = std::mem::replace(&mut self.places, vec![[NOTHING; WAYS]; wanted]);
        for entry in old.into_iter().flatten().filter(|entry| entry.work > 0) {
            self.put(entry);
        }
    }

    /// Puts an entry where the least work is lost for it.
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

    /// What is known of a position.
    pub(super) fn find(&self, key: Key) -> Option<&Entry> {
        self.places[self.place(key)].iter().find(|entry| entry.work > 0 && entry.key == key)
    }

    /// Keeps what is known of a position. What is decided is never written over by what is not.
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
