//! Keys that order most terms of a list in one comparison of numbers.
//!
//! A key is the beginning of a term: two numbers, those of its first two parts. If the keys of two terms of one
//! kind differ, the terms have the same order. Equal keys decide only if they tell the whole term.

use crate::term::heap::{Heap, header_small};
use crate::term::{ATOM, INT, LST, STR, Term};
use alphorn_text::symbol::Atom;

/// The beginning of a term in the standard order. The lowest bit says whether it tells the whole term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SortKey(u128);

impl SortKey {
    /// The key of two parts. Equal parts of terms of one kind have equal `whole`, so it decides no order.
    #[inline(always)]
    fn of(first: u64, second: u64, whole: bool) -> SortKey {
        SortKey(u128::from(first) << 64 | u128::from(second << 1 | u64::from(whole)))
    }

    /// Whether terms of one kind with this key are equal.
    #[inline(always)]
    pub(super) fn is_whole(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Above the parts that are small integers, and above those that are atoms too.
const ATOMS: u64 = 1 << 61;
const COMPOUNDS: u64 = 1 << 62;

/// The key of a term of which nothing is known.
pub(super) const UNKNOWN: SortKey = SortKey(0);

/// Writes the keys of terms of one kind: integers, atoms, or structures with the same name and arity.
/// Leaves all keys unknown if there are others.
pub(super) fn find_keys<T>(heap: &Heap, items: &mut [(SortKey, T)], term: impl Fn(&T) -> Term) {
    let mut kind = None;
    for at in 0..items.len() {
        let found = begin(heap, term(&items[at].1));
        let Some((_, key)) = found.filter(|(functor, _)| *kind.get_or_insert(*functor) == *functor) else {
            items.iter_mut().for_each(|item| item.0 = UNKNOWN);
            return;
        };
        items[at].0 = key;
    }
}

/// The kind of a term, and its key. `None` if it has none.
#[inline(always)]
pub(super) fn begin(heap: &Heap, term: Term) -> Option<(u64, SortKey)> {
    let term = heap.deref(term);
    let at = term.index();
    // The number of parts, and the place of the second one.
    let (kind, (first, known), count, second) = match term.tag() {
        INT | ATOM => (INT, part(heap, term)?, 1, 0),
        LST => (LST, part(heap, Term(heap.cells[at]))?, 2, at + 1),
        STR => {
            let header = heap.cells[at];
            (header, part(heap, Term(heap.cells[at + 1]))?, header_small(header), at + 2)
        }
        _ => return None,
    };
    // A second part counts only if the first is known completely.
    if count == 1 || !known {
        return Some((kind, SortKey::of(first, 0, known)));
    }
    let (second, known) = part(heap, Term(heap.cells[second]))?;
    Some((kind, SortKey::of(first, second, known && count == 2)))
}

/// The number of one part, and whether it knows the part completely. `None` for variables and other numbers.
#[inline(always)]
fn part(heap: &Heap, term: Term) -> Option<(u64, bool)> {
    let term = heap.deref(term);
    match term.tag() {
        // The 61 bits of a small integer, with the least one as 0.
        INT => Some((((term.0 as i64) >> 3).wrapping_add(1 << 60) as u64, true)),
        ATOM => {
            let begin = Atom::from_number((term.0 >> 3) as u32).begin()?;
            Some((ATOMS + begin, begin & 0xff == 0))
        }
        LST | STR => Some((COMPOUNDS, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{UNKNOWN, find_keys};
    use crate::term::Term;
    use crate::term::heap::Heap;
    use crate::term::order::Comparison;
    use alphorn_text::symbol::Atom;
    use std::cmp::Ordering;

    /// Small integers, atoms and structures, in any order.
    fn parts(heap: &mut Heap) -> Vec<Term> {
        let names = ["", "a", "b", "abcdef", "abcdefg", "abcdefgh", "abcdefgi", "\u{e4}", "zz", "[]"];
        let mut parts: Vec<Term> = names.iter().map(|name| heap.atom(name)).collect();
        parts.extend([0, 1, -1, 7, 1 << 59, -(1 << 60), (1 << 60) - 1].map(Term::small));
        let (f, g) = (Atom::new("f"), Atom::new("g"));
        for arg in [Term::small(3), parts[1]] {
            parts.push(heap.structure(f, &[arg]));
            parts.push(heap.structure(g, &[arg, arg]));
            parts.push(heap.cons(arg, arg));
        }
        parts
    }

    /// Whether the keys of the terms are known. Panics if keys and terms differ in their order.
    fn are_known(heap: &Heap, terms: &[Term]) -> bool {
        let mut items: Vec<_> = terms.iter().map(|term| (UNKNOWN, *term)).collect();
        find_keys(heap, &mut items, |term| *term);
        for left in &items {
            for right in &items {
                let order = left.0.cmp(&right.0);
                let whole = Comparison::new(left.1, right.1).run(heap, u64::MAX).expect("it runs to its end");
                assert!(order == Ordering::Equal || order == whole, "{left:?} {right:?}");
                let decides = left.0 == right.0 && left.0.is_whole();
                assert!(!decides || whole == Ordering::Equal, "{left:?} {right:?}");
            }
        }
        items.iter().any(|item| item.0 != UNKNOWN)
    }

    #[test]
    fn keys_have_the_order_of_terms() {
        let mut heap = Heap::default();
        let parts = parts(&mut heap);
        let name = Atom::new("fact");
        let simple: Vec<Term> = parts[..17].to_vec();
        assert!(are_known(&heap, &simple));
        let mut pairs = Vec::new();
        let mut lists = Vec::new();
        for left in &parts {
            for right in &parts {
                pairs.push(heap.structure(name, &[*left, *right]));
                lists.push(heap.cons(*left, *right));
            }
        }
        assert!(are_known(&heap, &pairs));
        assert!(are_known(&heap, &lists));
    }

    #[test]
    fn other_terms_have_no_keys() {
        let mut heap = Heap::default();
        let others = [heap.float(1.5), heap.integer(i64::MAX), heap.variable(), heap.text("text"), heap.atom("a\0b")];
        let name = Atom::new("fact");
        for other in others {
            let (plain, held) = (heap.structure(name, &[Term::small(1)]), heap.structure(name, &[other]));
            assert!(!are_known(&heap, &[plain, held]));
            assert!(!are_known(&heap, &[Term::small(1), other]));
        }
        let mixed = [heap.structure(name, &[Term::small(1)]), heap.structure(name, &[Term::small(1), Term::small(2)])];
        assert!(!are_known(&heap, &mixed));
    }
}
