//! The transposition table: what is known of positions that were searched before.
//!
//! In: keys of positions, with what a search found there. Out: the same, unless something else has
//! taken its place. Shared by threads without locks: an entry is four words, two of them mixed with
//! the others, so that one that was torn by two writers is recognised as nobody's (Robert Hyatt and
//! Timothy Mann, "A lockless transposition-table implementation for parallel search", 2002).
//! Must not know what a position is, nor who searches.

use super::ENDLESS;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a rank in the table says of the value of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// Nothing: only the move counts.
    None = 0,
    /// It is at least so much for Max.
    Lower = 1,
    /// It is at most so much for Max.
    Upper = 2,
    /// It is the value.
    Exact = 3,
}

/// What is known of a position. Distances to a win count from the position, not from a root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// For Max, as in [`crate::game::Score::rank`].
    pub(super) rank: i64,
    pub(super) bound: Bound,
    /// Plies that were looked ahead: less than [`Entry::DEEPEST`], or [`ENDLESS`].
    pub(super) depth: u32,
    /// About the binary logarithm of the positions that were visited for it.
    pub(super) work: u8,
    /// Whether no position at a horizon had a part in it, so that looking further changes nothing.
    pub(super) resolved: bool,
    /// The number of the best move in the game's own order; [`Entry::NO_MOVE`] where none is known.
    pub(super) best: u16,
}

impl Entry {
    pub(super) const NO_MOVE: u16 = u16::MAX;

    /// Stands for a search to the end of the game; other searches are less deep.
    pub(super) const DEEPEST: u32 = (1 << 24) - 1;

    fn pack(self, age: u8) -> u64 {
        u64::from(self.depth.min(Entry::DEEPEST))
            | u64::from(self.work) << 24
            | u64::from(self.best) << 32
            | u64::from(age) << 48
            | (self.bound as u64) << 56
            | u64::from(self.resolved) << 58
            | 1 << 59
    }

    fn unpack(rank: u64, meta: u64) -> Entry {
        let bound = match meta >> 56 & 3 {
            0 => Bound::None,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        let depth = match meta as u32 & Entry::DEEPEST {
            Entry::DEEPEST => ENDLESS,
            depth => depth,
        };
        let (work, best) = ((meta >> 24) as u8, (meta >> 32) as u16);
        Entry { rank: rank as i64, bound, depth, work, resolved: meta >> 58 & 1 == 1, best }
    }
}

/// How much would be lost with an entry: the work first, then the depth.
fn worth_of(meta: u64) -> u32 {
    (meta as u32).rotate_left(8)
}

fn age_of(meta: u64) -> u8 {
    (meta >> 48) as u8
}

/// One entry: both halves of the key, mixed with what follows; the rank; the rest.
#[derive(Clone, Copy)]
struct Slot<'a>(&'a [AtomicU64; WORDS]);

/// Words of a slot.
const WORDS: usize = 4;

impl Slot<'_> {
    fn read(self) -> (u128, u64, u64) {
        let [first, second, rank, meta] = self.0;
        let (rank, meta) = (rank.load(Relaxed), meta.load(Relaxed));
        let (first, second) = (first.load(Relaxed) ^ rank, second.load(Relaxed) ^ meta);
        (u128::from(first) << 64 | u128::from(second), rank, meta)
    }

    fn write(self, key: u128, rank: u64, meta: u64) {
        let [first, second, at_rank, at_meta] = self.0;
        first.store((key >> 64) as u64 ^ rank, Relaxed);
        second.store(key as u64 ^ meta, Relaxed);
        at_rank.store(rank, Relaxed);
        at_meta.store(meta, Relaxed);
    }
}

/// Slots that one key may stand in: those of one line of the cache.
const BUCKET: usize = 2;

/// See the module.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The first word at which a line of the cache begins.
    first: usize,
    /// Halves of keys that choose a bucket are cut down to so many bits.
    bits: u32,
    age: AtomicU64,
}

impl Table {
    /// A table of at most so many bytes, and of one bucket at least.
    pub fn new(bytes: u64) -> Table {
        Table::with_bits(bytes, 64)
    }

    /// The same, of which only as many buckets are used as so many bits tell apart: for tests.
    pub fn with_bits(bytes: u64, bits: u32) -> Table {
        let buckets = (bytes / (BUCKET * WORDS * size_of::<u64>()) as u64).max(1);
        let buckets = usize::try_from(buckets).unwrap_or(1 << 40);
        // Memory that the system hands out as zeros is taken page by page, as it is used.
        let words: Box<[AtomicU64]> = bytemuck::zeroed_slice_box((buckets + 1) * BUCKET * WORDS);
        let first = words.as_ptr().align_offset(BUCKET * WORDS * size_of::<u64>()).min(BUCKET * WORDS);
        Table { words, first, bits, age: AtomicU64::new(0) }
    }

    /// Begins a new search: what older ones left may be replaced first.
    pub(in crate::search) fn begin(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    fn bucket(&self, key: u128) -> impl Iterator<Item = Slot<'_>> + Clone {
        let half = ((key >> 64) as u64) & (u64::MAX >> (64 - self.bits));
        let buckets = (self.words.len() / (BUCKET * WORDS) - 1) as u128;
        let wide = (u128::from(half) << (64 - self.bits)) * buckets;
        let at = self.first + (wide >> 64) as usize * BUCKET * WORDS;
        let (slots, _) = self.words[at..at + BUCKET * WORDS].as_chunks();
        slots.iter().map(Slot)
    }

    /// What is known of the position with this key.
    pub(super) fn get(&self, key: u128) -> Option<Entry> {
        self.bucket(key).find_map(|slot| {
            let (other, rank, meta) = slot.read();
            (other == key && meta != 0).then(|| Entry::unpack(rank, meta))
        })
    }

    /// Keeps what was found; what took the least work of what stands there gives way (Dennis
    /// Breuker, Jos Uiterwijk and Jaap van den Herik, "Replacement schemes for transposition
    /// tables", 1994).
    pub(super) fn put(&self, key: u128, entry: Entry) {
        let age = self.age.load(Relaxed) as u8;
        let bucket = self.bucket(key);
        let worth = |slot: &Slot<'_>| {
            let (other, _, meta) = slot.read();
            if meta == 0 {
                return (0, 0);
            }
            match other == key {
                true => (1, 0),
                false if age_of(meta) != age => (2, worth_of(meta)),
                false => (3, worth_of(meta)),
            }
        };
        // The key's own slot must be found even behind an empty one.
        let own = bucket.clone().find(|slot| {
            let (other, _, meta) = slot.read();
            other == key && meta != 0
        });
        let mut entry = entry;
        let slot = match own {
            Some(slot) => {
                if entry.best == Entry::NO_MOVE {
                    let (_, _, meta) = slot.read();
                    entry.best = (meta >> 32) as u16;
                }
                Some(slot)
            }
            None => bucket.min_by_key(worth),
        };
        if let Some(slot) = slot {
            slot.write(key, entry.rank as u64, entry.pack(age));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32) -> Entry {
        Entry { rank: -7, bound: Bound::Upper, depth, work: depth as u8, resolved: true, best: 3 }
    }

    #[test]
    fn what_is_put_is_found_by_its_whole_key_alone() {
        let table = Table::with_bits(1 << 16, 8);
        table.put(5 << 64 | 9, entry(4));
        assert_eq!(table.get(5 << 64 | 9), Some(entry(4)));
        assert_eq!(table.get(5 << 64 | 8), None);
        assert_eq!(table.get(6 << 64 | 9), None);
    }

    #[test]
    fn a_move_stays_where_none_is_given() {
        let table = Table::new(0);
        table.put(1, entry(4));
        table.put(1, Entry { best: Entry::NO_MOVE, ..entry(5) });
        assert_eq!(table.get(1), Some(entry(5)));
    }

    #[test]
    fn the_end_of_the_game_is_a_depth() {
        let table = Table::new(0);
        table.put(1, Entry { depth: ENDLESS, ..entry(4) });
        assert_eq!(table.get(1).map(|entry| entry.depth), Some(ENDLESS));
        table.put(1, entry(Entry::DEEPEST - 1));
        assert_eq!(table.get(1).map(|entry| entry.depth), Some(Entry::DEEPEST - 1));
    }

    #[test]
    fn what_took_less_work_gives_way() {
        let table = Table::new(0);
        for depth in [9, 3, 5] {
            table.put(u128::from(depth), entry(depth));
        }
        assert_eq!([9, 3, 5].map(|key| table.get(key).is_some()), [true, false, true]);
    }
}
