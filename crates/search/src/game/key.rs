//! Keys: 128-bit hashes of positions, for tables that cannot keep the positions themselves.
//!
//! A key is two 64-bit hashes with different seeds, the same in every run and on every machine of
//! one byte order. Two positions share a key with probability 2^-128, so a table may use keys as
//! names.

use foldhash::quality::{FixedState, FoldHasher};
use std::hash::{BuildHasher, Hash, Hasher};

/// A hasher that feeds two hashers.
struct Twin<'a>(FoldHasher<'a>, FoldHasher<'a>);

impl Hasher for Twin<'_> {
    fn finish(&self) -> u64 {
        self.0.finish()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
        self.1.write(bytes);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0.write_u64(word);
        self.1.write_u64(word);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// The 128-bit key of a value.
#[inline]
pub fn key_of(value: &impl Hash) -> u128 {
    const ONE: FixedState = FixedState::with_seed(0x9E37_79B9_7F4A_7C15);
    const OTHER: FixedState = FixedState::with_seed(0xD1B5_4A32_D192_ED03);
    let mut twin = Twin(ONE.build_hasher(), OTHER.build_hasher());
    value.hash(&mut twin);
    u128::from(twin.0.finish()) << 64 | u128::from(twin.1.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_independent_of_each_other() {
        let mut both = rustc_hash::FxHashSet::default();
        for word in 0..10_000u64 {
            let key = key_of(&(word, word % 7));
            assert!(both.insert((key >> 64) as u64) && both.insert(key as u64), "no half comes twice");
        }
    }
}
