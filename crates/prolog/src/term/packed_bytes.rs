//! Counts the bytes and the blocks of packed terms.

use alphorn_text::symbol;
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering as Atomic};

/// The bytes of all packed terms of the process, without their atoms and without what threads have not added yet.
static LIVE: AtomicI64 = AtomicI64::new(0);

/// The bytes that a thread counts for itself before it adds them to those of the process. Threads that change one
/// word of memory for each term slow each other down.
const UNADDED: i64 = 1 << 16;

/// The bytes of packed terms that a thread has made, less those that it has dropped, since it last added them to
/// [`LIVE`].
struct OwnBytes(Cell<i64>);

impl Drop for OwnBytes {
    fn drop(&mut self) {
        LIVE.fetch_add(self.0.get(), Atomic::Relaxed);
    }
}

thread_local! {
    static OWN: OwnBytes = const { OwnBytes(Cell::new(0)) };
}

/// Counts bytes of packed terms; negative ones were dropped.
#[inline]
pub(super) fn count_bytes(bytes: i64) {
    let counted = OWN.try_with(|OwnBytes(own)| {
        let sum = own.get() + bytes;
        let added = if sum.abs() < UNADDED { 0 } else { sum };
        own.set(sum - added);
        if added != 0 {
            LIVE.fetch_add(added, Atomic::Relaxed);
        }
    });
    if counted.is_err() {
        // The thread ends.
        LIVE.fetch_add(bytes, Atomic::Relaxed);
    }
}

/// Returns the approximate bytes of all packed terms of the process, including the atoms that they
/// hold; up to 64 KiB of each other thread may be missing. The bytes of packed positions and answers count
/// against a memory budget.
#[inline]
pub fn live_bytes() -> u64 {
    let own = OWN.try_with(|OwnBytes(own)| own.get()).unwrap_or_default();
    (LIVE.load(Atomic::Relaxed) + own).max(0) as u64 + symbol::kept_bytes() as u64
}

/// The count of block numbers that a thread reserves at a time.
const NUMBERS: u64 = 1 << 20;

/// Returns a number that no block of the process has or had.
pub(super) fn fresh_number() -> u64 {
    static UNTAKEN: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static NEXT: Cell<u64> = const { Cell::new(0) };
    }
    NEXT.with(|next| {
        let mut number = next.get();
        if number.is_multiple_of(NUMBERS) {
            number = UNTAKEN.fetch_add(NUMBERS, Atomic::Relaxed);
        }
        next.set(number + 1);
        number
    })
}
