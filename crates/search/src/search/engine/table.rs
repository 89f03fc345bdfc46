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
}

/// Slots for one key: those of one cache line.
const BUCKET: usize = 2;

/// Words of one bucket.
const STEP: usize = BUCKET * WORDS;

/// The number of buckets of the first part.
const FIRST: usize = 1 << 14;

/// How many times as large each part is as the part before it.
const GROWTH: usize = 8;

/// A transposition table that threads share without locks.
pub struct TranspositionTable {
    /// The parts, each larger than the one before. The system clears memory when it is used first, and that
    /// takes longer than a short search, so a search uses as few parts as it needs.
    parts: Vec<Words>,
    /// The part that takes all new entries. The part before it is only read.
    used: AtomicUsize,
    /// Occupied slots of that part.
    taken: AtomicUsize,
    /// How many bits of the key choose a bucket.
    bits: u32,
    age: AtomicU64,
}

impl TranspositionTable {
    /// A table of at most so many bytes, with at least one bucket; `None` if the system has too
    /// little memory.
    pub fn new(bytes: u64) -> Option<TranspositionTable> {
        TranspositionTable::with_bits(bytes, 64)
    }

    /// A table whose bucket numbers use only so many bits of the key, for tests.
    pub fn with_bits(bytes: u64, bits: u32) -> Option<TranspositionTable> {
        let mut left = usize::try_from(bytes / (STEP * size_of::<u64>()) as u64).ok()?.max(1);
        let mut table = TranspositionTable { bits, ..TranspositionTable::short(left.min(FIRST)) };
        let mut size = FIRST;
        left = left.saturating_sub(size);
        while left >= size {
            // The last part takes what would be too little for another one.
            size = if left < 3 * GROWTH * size { left } else { GROWTH * size };
            table.parts.push(Words::many(size.checked_mul(STEP)?)?);
            left -= size;
        }
        Some(table)
    }

    /// A small table for short searches, whose memory is always available.
    pub(in crate::search) fn small() -> TranspositionTable {
        TranspositionTable::short(FIRST)
    }

    fn short(buckets: usize) -> TranspositionTable {
        let parts = vec![Words::few(buckets * STEP)];
        let (used, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        TranspositionTable { parts, used, taken, bits: 64, age: AtomicU64::new(0) }
    }

    /// A part, and the one before it.
    fn part(&self, at: usize) -> (&Words, Option<&Words>) {
        (&self.parts[at], at.checked_sub(1).map(|before| &self.parts[before]))
    }

    /// Begins a new search, which replaces entries of older searches first.
    pub(in crate::search) fn begin(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// The number of searches that have begun with this table.
    pub(in crate::search) fn searches(&self) -> u64 {
        self.age.load(Relaxed)
    }

    fn bucket_of<'w>(&self, words: &'w Words, key: u128) -> impl Iterator<Item = Slot<'w>> + Clone + use<'w> {
        let half = ((key >> 64) as u64) & (u64::MAX >> (64 - self.bits));
        let words = words.as_slice();
        let buckets = (words.len() / STEP) as u128;
        let wide = (u128::from(half) << (64 - self.bits)) * buckets;
        let at = (wide >> 64) as usize * STEP;
        let (slots, _) = words[at..at + STEP].as_chunks();
        slots.iter().map(Slot)
    }

    /// The entry of the position with this key.
    pub(in crate::search) fn get(&self, key: u128) -> Option<Entry> {
        let (used, before) = self.part(self.used.load(Relaxed));
        // The part before stays readable: to copy its entries would stop the search for a long time.
        self.found_in(used, key).or_else(|| self.found_in(before?, key))
    }

    fn found_in(&self, words: &Words, key: u128) -> Option<Entry> {
        self.bucket_of(words, key).find_map(|slot| {
            let (other, rank, meta) = slot.read();
            (other == key && meta != 0).then(|| Entry::unpack(rank, meta))
        })
    }

    /// Stores an entry. It replaces the entry of its bucket with the least work (Dennis Breuker, Jos
    /// Uiterwijk and Jaap van den Herik, "Replacement schemes for transposition tables", 1994).
    pub(in crate::search) fn put(&self, key: u128, entry: Entry) {
        let age = self.age.load(Relaxed) as u8;
        let at = self.used.load(Relaxed);
        let (used, before) = self.part(at);
        let bucket = self.bucket_of(used, key);
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
        // Finds the key's own slot even behind an empty one.
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
            None => {
                if let (Entry::NO_MOVE, Some(before)) = (entry.best, before) {
                    entry.best = self.found_in(before, key).map_or(Entry::NO_MOVE, |old| old.best);
                }
                bucket.min_by_key(worth)
            }
        };
        if let Some(slot) = slot {
            if at + 1 < self.parts.len() && slot.read().2 == 0 {
                // Once a quarter of the slots are taken, new entries begin to replace others.
                let most = self.parts[at].as_slice().len() / (4 * WORDS);
                if self.taken.fetch_add(1, Relaxed) == most {
                    self.taken.store(0, Relaxed);
                    self.used.store(at + 1, Relaxed);
                    return self.put(key, entry);
                }
            }
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
        for number in 0..20_000 {
            table.put(key(number), entry(1));
        }
        assert_eq!(table.used.load(Relaxed), 1);
        let known = (0..20_000).filter(|number| table.get(key(*number)).is_some()).count();
        assert!(known > 19_000, "only {known} are known");
    }

    #[test]
    fn parts_have_the_requested_size_together() {
        for bytes in [0, 1 << 16, 1 << 20, 3 << 20, 8 << 20, 64 << 20, 65 << 20, 1 << 30] {
            let table = TranspositionTable::new(bytes).expect("there is room");
            let sizes: Vec<u64> = table.parts.iter().map(|part| size_of_val(part.as_slice()) as u64).collect();
            assert_eq!(sizes.iter().sum::<u64>(), bytes.max(64), "{sizes:?}");
            assert!(sizes.is_sorted(), "{sizes:?}");
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
