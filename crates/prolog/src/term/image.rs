//! Images of ground terms: copies of heap cells with relative references.
//!
//! An image has the cell of the term, then its objects in breadth-first order. A reference is the
//! offset of its object from the first word. Images share no subterms, so equal terms have equal
//! words. One pass that adjusts the references copies an image back into a heap. A term with
//! variables has no image; `prefix` packs such terms.

use super::heap::{FUNCTOR, Heap, header_kind, header_small, raw_words};
use super::{ATOM, BOX, HDR, INT, LST, REF, STR, TAG, Term};

/// The result of copying a term out of a heap.
pub(super) enum Copied {
    /// The term is ground and was copied.
    Ground {
        /// The number of words of the image.
        words: usize,
        /// The number of objects with a header.
        headed: usize,
        /// Whether the image contains raw words, which are not cells.
        raw: bool,
    },
    /// The term contains a variable.
    Open,
    /// The term needs more words than the buffer has.
    TooLarge,
}

/// Makes a reference to an offset of the image.
fn refer(tag: u64, offset: usize) -> u64 {
    ((offset as u64) << 3) | tag
}

const fn is_constant(cell: u64) -> bool {
    (1 << ATOM | 1 << INT) >> (cell & TAG) & 1 == 1
}

/// Copies the image of a term to the beginning of `out`.
pub(super) fn copy_out(heap: &Heap, term: Term, out: &mut [u64]) -> Copied {
    let cells = &*heap.cells;
    if let Some(words) = copy_flat(cells, term, out) {
        return Copied::Ground { words, headed: 1, raw: false };
    }
    let Some(root) = out.first_mut() else { return Copied::TooLarge };
    *root = term.0;
    let (mut headed, mut raw) = (0, false);
    // Words before `at` are final. Words from `end` on are not written yet.
    let (mut at, mut end) = (0, 1);
    loop {
        // Most cells contain constants, and the loop skips a run of constants at once.
        let Some(next) = out[at..end].iter().position(|cell| !is_constant(*cell)) else {
            return Copied::Ground { words: end, headed, raw };
        };
        at += next;
        let cell = out[at];
        let from = (cell >> 3) as usize;
        let object = match cell & TAG {
            REF => {
                let next = cells[from];
                if next == cell {
                    return Copied::Open;
                }
                out[at] = next;
                continue;
            }
            HDR => {
                at += if header_kind(cell) == FUNCTOR { 1 } else { 1 + raw_words(cell) };
                continue;
            }
            LST => {
                out[at] = refer(LST, end);
                at += 1;
                let (mut tail, mut head) = (cells[from + 1], cells[from]);
                loop {
                    let Some([first, second, ..]) = out.get_mut(end..) else { return Copied::TooLarge };
                    end += 2;
                    (*first, *second) = (head, tail);
                    // The cells of a list of constants are copied one after the other.
                    if at + 2 != end || !is_constant(head) || tail & TAG != LST {
                        break;
                    }
                    *second = refer(LST, end);
                    at = end;
                    let from = (tail >> 3) as usize;
                    (tail, head) = (cells[from + 1], cells[from]);
                }
                continue;
            }
            STR => &cells[from..=from + header_small(cells[from])],
            BOX => {
                raw = true;
                &cells[from..=from + raw_words(cells[from])]
            }
            _ => unreachable!("forwards are never the value of a term"),
        };
        out[at] = refer(cell & TAG, end);
        at += 1;
        headed += 1;
        let Some(room) = out.get_mut(end..end + object.len()) else { return Copied::TooLarge };
        end += object.len();
        // A plain loop is faster than a call, because most objects are short.
        for (to, from) in room.iter_mut().zip(object) {
            *to = *from;
        }
    }
}

/// Copies a structure of constants whose last argument may be a list of constants. Many positions
/// have this form. Returns `None` for other terms and if the buffer is too small.
#[inline]
fn copy_flat(cells: &[u64], term: Term, out: &mut [u64]) -> Option<usize> {
    if term.tag() != STR {
        return None;
    }
    let from = term.index();
    let object = &cells[from..=from + header_small(cells[from])];
    let (last, others) = object.split_last()?;
    let mut end = 1 + object.len();
    let room = out.get_mut(..end)?;
    room[0] = refer(STR, 1);
    room[1] = others.first().copied()?;
    for (to, word) in room[2..].iter_mut().zip(&others[1..]) {
        if !is_constant(*word) {
            return None;
        }
        *to = *word;
    }
    let (mut list, mut link) = (*last, end - 1);
    while list & TAG == LST {
        let at = (list >> 3) as usize;
        let [head, tail] = *cells.get(at..at + 2)? else { return None };
        if !is_constant(head) {
            return None;
        }
        *out.get_mut(link)? = refer(LST, end);
        *out.get_mut(end)? = head;
        (link, list, end) = (end + 1, tail, end + 2);
    }
    if !is_constant(list) {
        return None;
    }
    *out.get_mut(link)? = list;
    Some(end)
}

/// Copies an image into a heap. `raw` is the flag that `copy_out` returned.
pub(super) fn copy_in(heap: &mut Heap, words: &[u64], raw: bool) -> Term {
    // Offset 1 is the first free cell of the heap.
    let by = (heap.cells.len() as u64 - 1) << 3;
    // One bit for each tag, which avoids a branch for each word.
    const REFERENCES: u64 = 1 << STR | 1 << LST | 1 << BOX;
    let moved = |word: u64| word + (by & (REFERENCES >> (word & TAG) & 1).wrapping_neg());
    if !raw {
        heap.cells.extend(words[1..].iter().map(|word| moved(*word)));
        return Term(moved(words[0]));
    }
    let mut at = 1;
    while let Some(&word) = words.get(at) {
        let beside = if word & TAG == HDR && header_kind(word) != FUNCTOR { raw_words(word) } else { 0 };
        heap.cells.push(moved(word));
        heap.cells.extend_from_slice(&words[at + 1..=at + beside]);
        at += 1 + beside;
    }
    Term(moved(words[0]))
}
