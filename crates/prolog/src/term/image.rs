//! Ground terms as a heap holds them, but for where they lie.
//!
//! In: a term in a heap. Out: words: its cell, then its objects, those nearer
//! the root first, with references that count from that cell. Nothing is
//! shared, so equal terms have equal words, and a term is put back by one pass
//! that moves the references. Knows no variables: a term with one is packed in
//! another way.

use super::heap::{FUNCTOR, Heap, header_kind, header_small, raw_words};
use super::{ATOM, BOX, HDR, INT, LST, REF, STR, TAG, Term};

/// What became of a term that was to be copied out.
pub(super) enum Copied {
    /// It is there.
    Ground {
        /// How many words it takes.
        words: usize,
        /// How many objects with a header there are.
        headed: usize,
        /// Whether words stand among them that are no cells.
        raw: bool,
    },
    /// A variable stands in it.
    Open,
    /// It takes more room than there is.
    TooLarge,
}

/// A reference with an offset in place of its cell.
fn refer(tag: u64, offset: usize) -> u64 {
    ((offset as u64) << 3) | tag
}

const fn is_constant(cell: u64) -> bool {
    (1 << ATOM | 1 << INT) >> (cell & TAG) & 1 == 1
}

/// Writes a term to the beginning of `out`.
pub(super) fn copy_out(heap: &Heap, term: Term, out: &mut [u64]) -> Copied {
    let cells = &*heap.cells;
    if let Some(words) = copy_flat(cells, term, out) {
        return Copied::Ground { words, headed: 1, raw: false };
    }
    let Some(root) = out.first_mut() else { return Copied::TooLarge };
    *root = term.0;
    let (mut headed, mut raw) = (0, false);
    // Words before `at` are done with; those from `end` on are not yet written.
    let (mut at, mut end) = (0, 1);
    loop {
        // Most cells hold constants, and are passed over in one go.
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
                    // The cells of a list of constants follow one another.
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
        // A loop, for most objects are too short for a call.
        for (to, from) in room.iter_mut().zip(object) {
            *to = *from;
        }
    }
}

/// The same for a structure of constants, of which the last argument may be a
/// list of constants: many positions are no more than that. `None` for others.
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

/// Puts a term that was copied out into a heap; `raw` as it was told then.
pub(super) fn copy_in(heap: &mut Heap, words: &[u64], raw: bool) -> Term {
    // Offset 1 is the first cell of the heap that is free.
    let by = (heap.cells.len() as u64 - 1) << 3;
    // One bit for each tag, which spares a branch for each word.
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
