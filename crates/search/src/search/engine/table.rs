//! The transposition table: results of positions that were searched before.
//!
//! It maps keys of positions to entries; a new entry may replace an old one. Threads share it
//! without locks. An entry is four words, two of them mixed with the others. So a reader rejects an
//! entry torn by two writers (Robert Hyatt and Timothy Mann, "A lockless transposition-table
//! implementation for parallel search", 2002). It must not depend on positions or searches.

use super::words::Words;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The depth of a full-depth search.
pub(in crate::search) const ENDLESS: u32 = u32::MAX;

/// How the rank of an entry relates to the value of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Bound {
    /// Not at all: only the move counts.
    None = 0,
    /// The value is at least the rank, for Max.
    Lower = 1,
    /// The value is at most the rank, for Max.
    Upper = 2,
    /// The value is the rank.
    Exact = 3,
}

/// An entry of the table. Distances to a win count from the position, not from a root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::search) struct Entry {
    /// For Max, as in [`crate::game::Score::rank`].
    pub(in crate::search) rank: i64,
    pub(in crate::search) bound: Bound,
    /// The search depth in plies: less than [`Entry::DEEPEST`], or [`ENDLESS`].
    pub(in crate::search) depth: u32,
    /// The binary logarithm of the number of nodes behind the entry, rounded down.
    pub(in crate::search) work: u8,
    /// Whether no horizon position had a part in it, so that a deeper search changes nothing.
    pub(in crate::search) resolved: bool,
    /// The index of the best move in the game's order; [`Entry::NO_MOVE`] if unknown.
    pub(in crate::search) best: u16,
}

impl Entry {
    pub(in crate::search) const NO_MOVE: u16 = u16::MAX;

    /// The stored depth of a full-depth search; other searches have a smaller depth.
    pub(in crate::search) const DEEPEST: u32 = (1 << 24) - 1;

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

/// The cost of losing an entry: first the work, then the depth.
fn worth_of(meta: u64) -> u32 {
    (meta as u32).rotate_left(8)
}

fn age_of(meta: u64) -> u8 {
    (meta >> 48) as u8
}

/// One entry: two key halves mixed with the other words, the rank, and the packed rest.
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

    fn clear(self) {
        self.0.iter().for_each(|word| word.store(0, Relaxed));
    }
}

/// Slots for one key: those of one cache line.
const BUCKET: usize = 2;

/// Words of one bucket.
const STEP: usize = BUCKET * WORDS;

/// The number of buckets of a new table.
const FIRST: usize = 1 << 14;

/// So many new entries bring so many new buckets.
const GROWTH: usize = 64;

/// A transposition table that threads share without locks.
///
/// The table grows with its entries, because the system clears memory when it is used first, and that takes longer
/// than a short search. Growth is gradual, by linear hashing (Witold Litwin, 1980): it splits one bucket after the
/// other.
pub struct TranspositionTable {
    words: Words,
    /// The number of buckets in use.
    buckets: AtomicUsize,
    /// Occupied slots, while the table grows.
    taken: AtomicUsize,
    /// The bits of a key that choose a bucket.
    mask: u64,
    age: AtomicU64,
}

/// The bucket of a key with these bits, among so many buckets.
#[inline(always)]
fn place(bits: u64, buckets: usize) -> usize {
    // The buckets before the next one to split have one bit more.
    let half = 1 << buckets.ilog2();
    let at = bits as usize & (2 * half - 1);
    if at < buckets { at } else { at - half }
}

impl TranspositionTable {
    /// A table of at most so many bytes, with at least one bucket; `None` if the system has too
    /// little memory.
    pub fn new(bytes: u64) -> Option<TranspositionTable> {
        TranspositionTable::with_bits(bytes, 64)
    }

    /// A table whose bucket numbers use only so many bits of the key, for tests.
    pub fn with_bits(bytes: u64, bits: u32) -> Option<TranspositionTable> {
        let buckets = usize::try_from(bytes / (STEP * size_of::<u64>()) as u64).ok()?.max(1);
        let words = buckets.checked_mul(STEP)?;
        let words = if buckets <= FIRST { Words::few(words) } else { Words::many(words)? };
        Some(TranspositionTable { mask: u64::MAX >> (64 - bits), ..TranspositionTable::of(words) })
    }

    /// A small table for short searches, whose memory is always available.
    pub(in crate::search) fn small() -> TranspositionTable {
        TranspositionTable::of(Words::few(FIRST * STEP))
    }

    fn of(words: Words) -> TranspositionTable {
        let buckets = AtomicUsize::new(FIRST.min(words.as_slice().len() / STEP));
        TranspositionTable { words, buckets, taken: AtomicUsize::new(0), mask: u64::MAX, age: AtomicU64::new(0) }
    }

    /// Begins a new search, which replaces entries of older searches first.
    pub(in crate::search) fn begin(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// The number of searches that have begun with this table.
    pub(in crate::search) fn searches(&self) -> u64 {
        self.age.load(Relaxed)
    }

    /// The slots of the bucket with this number.
    #[inline(always)]
    fn bucket(&self, at: usize) -> [Slot<'_>; BUCKET] {
        let (buckets, _) = self.words.as_slice().as_chunks::<STEP>();
        let (slots, _) = buckets[at].as_chunks();
        [Slot(&slots[0]), Slot(&slots[1])]
    }

    /// The slots of the bucket of a key.
    #[inline(always)]
    fn bucket_of(&self, key: u128) -> [Slot<'_>; BUCKET] {
        self.bucket(place((key >> 64) as u64 & self.mask, self.buckets.load(Relaxed)))
    }

    /// Fetches the memory of an entry that is looked up soon.
    #[inline]
    pub(in crate::search) fn prefetch(&self, key: u128) {
        let [Slot([word, ..]), ..] = self.bucket_of(key);
        Words::prefetch(word);
    }

    /// The entry of the position with this key.
    #[inline]
    pub(in crate::search) fn get(&self, key: u128) -> Option<Entry> {
        self.bucket_of(key).into_iter().find_map(|slot| {
            let (other, rank, meta) = slot.read();
            (other == key && meta != 0).then(|| Entry::unpack(rank, meta))
        })
    }

    /// Stores an entry. It replaces the entry of its bucket with the least work (Dennis Breuker, Jos
    /// Uiterwijk and Jaap van den Herik, "Replacement schemes for transposition tables", 1994).
    pub(in crate::search) fn put(&self, key: u128, mut entry: Entry) {
        let age = self.age.load(Relaxed) as u8;
        let uses = self.bucket_of(key).map(|slot| {
            let (other, _, meta) = slot.read();
            let taken = || SlotUse::Taken { is_new: age_of(meta) == age, worth: worth_of(meta) };
            (
                slot,
                if meta == 0 {
                    SlotUse::Free
                } else if other == key {
                    SlotUse::Own(meta)
                } else {
                    taken()
                },
            )
        });
        let (slot, used) = if uses[1].1 < uses[0].1 { uses[1] } else { uses[0] };
        if let (Entry::NO_MOVE, SlotUse::Own(meta)) = (entry.best, used) {
            entry.best = (meta >> 32) as u16;
        }
        slot.write(key, entry.rank as u64, entry.pack(age));
        if used == SlotUse::Free {
            self.grow();
        }
    }

    /// Counts a new entry, and splits buckets if a quarter of the slots are taken: more entries would replace others.
    fn grow(&self) {
        let buckets = self.buckets.load(Relaxed);
        if buckets == self.words.as_slice().len() / STEP {
            return;
        }
        let taken = self.taken.fetch_add(1, Relaxed) + 1;
        if taken.is_multiple_of(GROWTH) && 4 * taken >= BUCKET * buckets {
            (0..GROWTH).for_each(|_| self.split());
        }
    }

    /// Splits the next bucket: half of its entries, in the mean, move to a new bucket behind all others.
    fn split(&self) {
        let buckets = self.buckets.load(Relaxed);
        let all = self.words.as_slice().len() / STEP;
        // Another thread may split it at the same time.
        if buckets == all || self.buckets.compare_exchange(buckets, buckets + 1, Relaxed, Relaxed).is_err() {
            return;
        }
        let split = buckets - (1 << buckets.ilog2());
        let (from, to) = (self.bucket(split), self.bucket(buckets));
        for (from, to) in from.into_iter().zip(to) {
            let (key, rank, meta) = from.read();
            if meta != 0 && place((key >> 64) as u64 & self.mask, buckets + 1) == buckets {
                to.write(key, rank, meta);
                from.clear();
            }
        }
    }
}

/// What a slot holds, seen from an entry that needs one. The least is replaced.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SlotUse {
    /// The entry with the same key, with its packed rest.
    Own(u64),
    Free,
    /// Another entry, and whether it is of the current search.
    Taken {
        is_new: bool,
        worth: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32) -> Entry {
        Entry { rank: -7, bound: Bound::Upper, depth, work: depth as u8, resolved: true, best: 3 }
    }

    #[test]
    fn what_is_put_is_found_by_its_whole_key_alone() {
        let table = TranspositionTable::with_bits(1 << 16, 8).expect("there is room");
        table.put(5 << 64 | 9, entry(4));
        assert_eq!(table.get(5 << 64 | 9), Some(entry(4)));
        assert_eq!(table.get(5 << 64 | 8), None);
        assert_eq!(table.get(6 << 64 | 9), None);
    }

    #[test]
    fn a_move_stays_where_none_is_given() {
        let table = TranspositionTable::new(0).expect("there is room");
        table.put(1, entry(4));
        table.put(1, Entry { best: Entry::NO_MOVE, ..entry(5) });
        assert_eq!(table.get(1), Some(entry(5)));
    }

    #[test]
    fn the_end_of_the_game_is_a_depth() {
        let table = TranspositionTable::new(0).expect("there is room");
        table.put(1, Entry { depth: ENDLESS, ..entry(4) });
        assert_eq!(table.get(1).map(|entry| entry.depth), Some(ENDLESS));
        table.put(1, entry(Entry::DEEPEST - 1));
        assert_eq!(table.get(1).map(|entry| entry.depth), Some(Entry::DEEPEST - 1));
    }

    #[test]
    fn what_was_known_before_it_grew_is_known_after() {
        let table = TranspositionTable::new(8 << 20).expect("there is room");
        let key = |number: u128| crate::game::key_of(&number);
        for number in 0..40_000 {
            table.put(key(number), entry(1));
        }
        assert!(table.buckets.load(Relaxed) > 2 * FIRST);
        let known = (0..40_000).filter(|number| table.get(key(*number)).is_some()).count();
        // The others gave way to entries of the same bucket.
        assert!(known > 32_000, "only {known} are known");
    }

    #[test]
    fn a_table_grows_to_its_requested_size() {
        for bytes in [0, 1 << 16, 1 << 20, 3 << 20, 7 << 20] {
            let table = TranspositionTable::new(bytes).expect("there is room");
            for number in 0..bytes as u128 / 16 {
                table.put(crate::game::key_of(&number), entry(1));
            }
            assert_eq!(table.buckets.load(Relaxed) as u64, (bytes / 64).max(1));
        }
    }

    #[test]
    fn a_bucket_splits_into_itself_and_the_new_one() {
        for buckets in 1..100usize {
            let split = buckets - (1 << buckets.ilog2());
            for bits in 0..1000 {
                let (before, after) = (place(bits, buckets), place(bits, buckets + 1));
                assert!(before < buckets && (after == before || (before, after) == (split, buckets)));
            }
        }
    }

    #[test]
    fn what_took_less_work_gives_way() {
        let table = TranspositionTable::new(0).expect("there is room");
        for depth in [9, 3, 5] {
            table.put(u128::from(depth), entry(depth));
        }
        assert_eq!([9, 3, 5].map(|key| table.get(key).is_some()), [true, false, true]);
    }
}
