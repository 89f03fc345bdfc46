//! Words: memory for a table that threads share, zero at first.
//!
//! In: how many words. Out: as many, straight from the system, or nothing where it has not so many.
//! Pages cost nothing until they are used, and are large ones where the system has them: a table is
//! read at random, and most of the time would go into finding the page.
//! Must not know what is kept in them.
#![allow(unsafe_code)]

use memmap2::{MmapMut, MmapOptions};
use std::slice;
use std::sync::atomic::AtomicU64;

/// See the module.
pub(super) enum Words {
    /// Held for its memory, which nobody else sees.
    Many(MmapMut),
    Few(Box<[AtomicU64]>),
}

impl Words {
    /// So many words from the system; `None` where it has not so many.
    pub(super) fn many(count: usize) -> Option<Words> {
        let bytes = count.checked_mul(size_of::<AtomicU64>()).filter(|bytes| isize::try_from(*bytes).is_ok())?;
        let map = MmapOptions::new().len(bytes).map_anon().ok()?;
        // Only a wish: without it all is the same, but slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Words::Many(map))
    }

    /// So many words that are worth no call of the system.
    pub(super) fn few(count: usize) -> Words {
        Words::Few((0..count).map(|_| AtomicU64::new(0)).collect())
    }

    /// The words.
    #[inline]
    pub(super) fn as_slice(&self) -> &[AtomicU64] {
        match self {
            // SAFETY: the map is private, as long as the slice, aligned to a page and zero at first;
            // it is seen as atomics alone.
            Words::Many(map) => unsafe {
                slice::from_raw_parts(map.as_ptr().cast(), map.len() / size_of::<AtomicU64>())
            },
            Words::Few(words) => words,
        }
    }
}
