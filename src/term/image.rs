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
        /// How many objects with a header there are.
        headed: usize,
        /// Whether words stand among them that are no cells.
        raw: bool,
    },
    /// A variable stands in it.
    Open,
    /// It takes more than the limit.
    TooLarge,
}

/// A reference with an offset in place of its cell.
fn refer(tag: u64, offset: usize) -> u64 {
    ((offset as u64) << 3) | tag
}

const fn is_constant(cell: u64) -> bool {
    matches!(cell & TAG, ATOM | INT)
}

/// Adds a term to `out`, which may come to hold about `limit` words. What was
/// added of a term that is not ground, or too large, stays there.
pub(super) fn copy_out(heap: &Heap, term: Term, out: &mut Vec<u64>, limit: usize) -> Copied {
    let cells = &*heap.cells;
    let start = out.len();
    let (mut headed, mut raw) = (0, false);
    out.push(term.0);
    // Words before this one are done with.
    let mut at = start;
    while let Some(&cell) = out.get(at) {
        let from = (cell >> 3) as usize;
        match cell & TAG {
            ATOM | INT => {
                at += 1;
                continue;
            }
            REF => {
                let next = cells[from];
                if next == cell {
                    return Copied::Open;
                }
                out[at] = next;
                continue;
            }
            LST => {
                out[at] = refer(LST, out.len() - start);
                at += 1;
                let mut from = from;
                // The cells of a list of constants follow one another.
                while at == out.len() {
                    let (head, tail) = (cells[from], cells[from + 1]);
                    if !is_constant(head) || tail & TAG != LST {
                        break;
                    }
                    out.extend([head, refer(LST, at + 2 - start)]);
                    at += 2;
                    from = (tail >> 3) as usize;
                    if out.len() > limit {
                        return Copied::TooLarge;
                    }
                }
                out.extend([cells[from], cells[from + 1]]);
            }
            STR => {
                out[at] = refer(STR, out.len() - start);
                at += 1;
                out.extend_from_slice(&cells[from..=from + header_small(cells[from])]);
                headed += 1;
            }
            BOX => {
                out[at] = refer(BOX, out.len() - start);
                at += 1;
                out.extend_from_slice(&cells[from..=from + raw_words(cells[from])]);
                headed += 1;
                raw = true;
            }
            HDR => {
                at += if header_kind(cell) == FUNCTOR { 1 } else { 1 + raw_words(cell) };
                continue;
            }
            _ => unreachable!("forwards are never the value of a term"),
        }
        if out.len() > limit {
            return Copied::TooLarge;
        }
    }
    Copied::Ground { headed, raw }
}

/// Puts a term that was copied out into a heap; `raw` as it was told then.
pub(super) fn copy_in(heap: &mut Heap, words: &[u64], raw: bool) -> Term {
    // Offset 1 is the first cell of the heap that is free.
    let by = (heap.cells.len() as u64 - 1) << 3;
    let moved = |word: u64| if matches!(word & TAG, STR | LST | BOX) { word + by } else { word };
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
