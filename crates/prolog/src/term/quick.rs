//! Fast equality and order of small terms, without a stack and without counting steps.
//!
//! The functions look at few parts of two terms. They return `None` if these parts do not decide
//! the result; the caller then compares the terms in full.

use super::heap::{FUNCTOR, Heap, TEXT, header_kind, header_large, header_small, raw_words};
use super::{ATOM, BOX, HDR, INT, LST, REF, STR, TAG, Term};
use alphorn_text::symbol::{Atom, atoms};
use std::cmp::Ordering;

/// The number of parts to look at. So many parts cost no step.
pub const PARTS: u32 = 64;

/// A comparison of two terms in the cells of a heap.
struct QuickComparison {
    cells: *const u64,
    parts: u32,
    shared: bool,
}

/// Returns the order of two terms, and whether both contained the same object.
pub fn order(heap: &Heap, left: Term, right: Term) -> Option<(Ordering, bool)> {
    // SAFETY: the terms of a heap lie completely in its cells.
    #[allow(unsafe_code)]
    unsafe {
        order_within(heap.cells.as_ptr(), left.0, right.0)
    }
}

/// Returns the order of two terms as the atom `<`, `=` or `>`, unless both contain the same object.
///
/// # Safety
/// The terms must lie completely in the cells.
#[allow(unsafe_code)]
pub unsafe fn order_name(cells: *const u64, left: u64, right: u64) -> Option<Term> {
    // SAFETY: as above.
    let (found, shared) = unsafe { order_within(cells, left, right) }?;
    let name = match found {
        Ordering::Less => atoms::LESS,
        Ordering::Equal => atoms::EQUAL,
        Ordering::Greater => atoms::GREATER,
    };
    (!shared).then_some(Term::atom(name))
}

#[allow(unsafe_code)]
unsafe fn order_within(cells: *const u64, left: u64, right: u64) -> Option<(Ordering, bool)> {
    let mut look = QuickComparison { cells, parts: PARTS, shared: false };
    // SAFETY: the caller guarantees that both terms lie completely in the cells.
    let found = unsafe { look.order(left, right, 8) }?;
    Some((found, look.shared))
}

#[allow(unsafe_code)]
impl QuickComparison {
    // SAFETY: the methods are called only with terms that lie completely in the cells, and so do the parts of
    // these terms.

    unsafe fn cell(&self, at: usize) -> u64 {
        unsafe { *self.cells.add(at) }
    }

    unsafe fn deref(&self, mut word: u64) -> u64 {
        while word & TAG == REF {
            let next = unsafe { self.cell((word >> 3) as usize) };
            if next == word {
                break;
            }
            word = next;
        }
        word
    }

    /// Returns name, arity and first argument cell of a compound term.
    unsafe fn compound(&self, word: u64) -> Option<(u64, usize, usize)> {
        let at = (word >> 3) as usize;
        match word & TAG {
            LST => Some((u64::from(atoms::DOT.number()), 2, at)),
            STR => {
                let head = unsafe { self.cell(at) };
                debug_assert!(head & TAG == HDR && header_kind(head) == FUNCTOR);
                Some((header_large(head) as u64, header_small(head), at + 1))
            }
            _ => None,
        }
    }

    unsafe fn order(&mut self, left: u64, right: u64, depth: u32) -> Option<Ordering> {
        self.parts = self.parts.checked_sub(1)?;
        let (left, right) = unsafe { (self.deref(left), self.deref(right)) };
        if left == right {
            self.shared |= matches!(left & TAG, STR | LST);
            return Some(Ordering::Equal);
        }
        match (left & TAG, right & TAG) {
            (INT, INT) => Some((left as i64).cmp(&(right as i64))),
            (ATOM, ATOM) => {
                let atom = |word: u64| Atom::from_number((word >> 3) as u32);
                let (left, right) = (atom(left), atom(right));
                match (left.begin(), right.begin()) {
                    (Some(first), Some(second)) if first != second => Some(first.cmp(&second)),
                    _ => Some(left.name().cmp(&right.name())),
                }
            }
            (BOX, BOX) => unsafe { texts(self.cells, left, right) },
            (INT, ATOM | STR | LST) | (ATOM, STR | LST) => Some(Ordering::Less),
            (ATOM | STR | LST, INT) | (STR | LST, ATOM) => Some(Ordering::Greater),
            (STR | LST, STR | LST) if depth > 0 => {
                let ((name, count, a), (other, others, b)) = unsafe { (self.compound(left)?, self.compound(right)?) };
                if count != others {
                    return Some(count.cmp(&others));
                }
                if name != other {
                    let text = |number: u64| Atom::from_number(number as u32);
                    return Some(text(name).name().cmp(&text(other).name()));
                }
                // The last argument counts as the same depth, so long lists need no depth.
                for at in 0..count {
                    let last = at + 1 == count;
                    let depth = if last { depth } else { depth - 1 };
                    match unsafe { self.order(self.cell(a + at), self.cell(b + at), depth) }? {
                        Ordering::Equal => {}
                        found => return Some(found),
                    }
                }
                Some(Ordering::Equal)
            }
            _ => None,
        }
    }
}

/// The most words of a text that are compared.
const MOST_WORDS: usize = 64;

/// Returns the order of two short texts; `None` for other terms.
///
/// # Safety
/// Both terms must be boxed, and lie completely in the cells.
#[allow(unsafe_code)]
unsafe fn texts(cells: *const u64, left: u64, right: u64) -> Option<Ordering> {
    // SAFETY: a boxed term has a header, and after it the number of words that the header says.
    let text = |word: u64| unsafe {
        let at = (word >> 3) as usize;
        let head = *cells.add(at);
        let count = raw_words(head);
        let is_short = header_kind(head) == TEXT && count <= MOST_WORDS;
        is_short.then(|| (header_large(head), std::slice::from_raw_parts(cells.add(at + 1), count)))
    };
    Some(super::order::texts(text(left)?, text(right)?))
}

/// Returns whether two terms without variables are equal.
///
/// # Safety
/// The terms must lie completely in the cells.
#[allow(unsafe_code)]
pub unsafe fn same(cells: *const u64, left: u64, right: u64) -> Option<bool> {
    let mut parts = PARTS;
    // SAFETY: the caller guarantees that both terms lie completely in `cells`.
    unsafe { same_within(cells, left, right, &mut parts, 8) }
}

#[allow(unsafe_code)]
unsafe fn same_within(cells: *const u64, left: u64, right: u64, parts: &mut u32, depth: u32) -> Option<bool> {
    if left == right {
        return Some(true);
    }
    let tag = left & TAG;
    if tag != right & TAG || matches!(tag, ATOM | INT) {
        return Some(false);
    }
    let (mut a, mut b) = ((left >> 3) as usize, (right >> 3) as usize);
    let count = match tag {
        // SAFETY: a structure lies completely in the heap, so its header can be read.
        STR => unsafe {
            if *cells.add(a) != *cells.add(b) {
                return Some(false);
            }
            (a, b) = (a + 1, b + 1);
            header_small(*cells.add(a - 1))
        },
        LST => 2,
        // SAFETY: the texts lie completely in the heap.
        BOX => return unsafe { texts(cells, left, right) }.map(Ordering::is_eq),
        _ => return None,
    };
    *parts = parts.checked_sub(count as u32)?;
    if depth == 0 {
        return None;
    }
    let mut told = Some(true);
    for at in 0..count {
        // SAFETY: both objects have `count` arguments, which lie in the heap.
        let (left, right) = unsafe { (*cells.add(a + at), *cells.add(b + at)) };
        // SAFETY: an argument of a term that lies in the cells lies there too.
        match unsafe { same_within(cells, left, right, parts, depth - u32::from(at + 1 < count)) } {
            Some(true) => {}
            Some(false) => return Some(false),
            None => told = None,
        }
    }
    told
}

/// The most cells that [`is_solid`] looks at.
const MOST_CELLS: usize = 1 << 14;

/// Returns whether a term has neither variables nor references to cells with values. Of a term with very many
/// parts it returns `false`.
///
/// # Safety
/// The term must lie completely in the cells.
#[allow(unsafe_code)]
pub unsafe fn is_solid(cells: *const u64, term: u64) -> bool {
    let (mut waiting, mut next, mut left) = (Vec::new(), Some(term), MOST_CELLS);
    while let Some(term) = next {
        let at = (term >> 3) as usize;
        let (first, arity) = match term & TAG {
            ATOM | INT | BOX => (0, 0),
            LST => (at, 2),
            // SAFETY: a structure lies completely in the heap, so its header can be read.
            STR => (at + 1, header_small(unsafe { *cells.add(at) })),
            _ => return false,
        };
        match left.checked_sub(arity) {
            Some(rest) => left = rest,
            None => return false,
        }
        next = None;
        for at in (first..first + arity).rev() {
            // SAFETY: the arguments of the object lie in the cells.
            let part = unsafe { *cells.add(at) };
            match part & TAG {
                ATOM | INT | BOX => {}
                STR | LST => waiting.extend(next.replace(part)),
                _ => return false,
            }
        }
        next = next.or_else(|| waiting.pop());
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Heap, order, same};
    use crate::term::order::compare;

    /// The order of texts is that of their characters: with equal beginnings, zeros, and characters of several bytes.
    #[test]
    fn texts_have_the_order_of_their_characters() {
        let long = ["x".repeat(600), format!("{}y", "x".repeat(599))];
        let short = ["", "\0", "\0\0", "a", "a\0", "ab", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgh\0", "abcdefgi"];
        let other = ["b", "é", "ё", "ಠ", "𝄞", "ééééé", "éééé", "zzzzzzzz\u{10ffff}", "zzzzzzzz\u{ffff}"];
        let texts: Vec<&str> = short.into_iter().chain(other).chain(long.iter().map(String::as_str)).collect();
        let mut heap = Heap::default();
        for left in &texts {
            for right in &texts {
                let (one, two) = (heap.text(left), heap.text(right));
                assert_eq!(compare(&heap, one, two), left.cmp(right), "{left:?} {right:?}");
                let is_long = left.len() > 500 || right.len() > 500;
                let found = order(&heap, one, two).map(|(found, _)| found);
                assert_eq!(found, (!is_long).then(|| left.cmp(right)), "{left:?} {right:?}");
                // SAFETY: both terms lie in the heap.
                #[allow(unsafe_code)]
                let equal = unsafe { same(heap.cells.as_ptr(), one.0, two.0) };
                assert_eq!(equal, (!is_long).then_some(left == right), "{left:?} {right:?}");
            }
        }
        let (text, float) = (heap.text("1.5"), heap.float(1.5));
        assert_eq!(order(&heap, text, float), None, "other boxed terms are compared in full");
    }
}
