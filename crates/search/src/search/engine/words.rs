//! Memory for a table that threads share, initially zero.
//!
//! The words come directly from the system; `None` means that the system has too little memory.
//! Pages cost nothing until they are used. They are large pages where the system has them: a table
//! is read at random, and most time would go into address translation. This module must not depend
//! on the contents.
#![allow(unsafe_code)]

use memmap2::{MmapMut, MmapOptions};
use std::slice;
use std::sync::atomic::AtomicU64;

/// An array of atomic words, mapped or on the heap.
pub(super) enum Words {
    /// A private mapping: no other code sees its memory.
    Many(MmapMut),
    Few(Box<[AtomicU64]>),
}

impl Words {
    /// Maps so many words; `None` if the system has too little memory.
    pub(super) fn many(count: usize) -> Option<Words> {
        let bytes = count.checked_mul(size_of::<AtomicU64>()).filter(|bytes| isize::try_from(*bytes).is_ok())?;
        let map = MmapOptions::new().len(bytes).map_anon().ok()?;
        // Only a hint: without it, the table works the same but slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Words::Many(map))
    }

    /// Allocates so many words on the heap, for tables too small for a system call.
    pub(super) fn few(count: usize) -> Words {
        Words::Few((0..count).map(|_| AtomicU64::new(0)).collect())
    }

    /// Fetches the cache line of a word that is read soon. Only a hint.
    #[inline]
    pub(super) fn prefetch(word: &AtomicU64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch has no effect but on the caches, and each x86-64 processor has the instruction.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = word;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[AtomicU64] {
        match self {
            // SAFETY: the map is private, lives as long as the slice, is aligned to a page and
            // initially zero; all access to it is through atomics.
            Words::Many(map) => unsafe {
                slice::from_raw_parts(map.as_ptr().cast(), map.len() / size_of::<AtomicU64>())
            },
            Words::Few(words) => words,
        }
    }
}
