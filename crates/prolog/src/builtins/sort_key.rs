//! Keys that order most terms of a list in one comparison of numbers.
//!
//! A key is the beginning of a term: two numbers, those of its first two parts. If the keys of two terms differ,
//! the terms have the same order. Equal keys decide only if they tell the whole term.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::heap::{Heap, header_small};
use crate::term::order;
use crate::term::{ATOM, INT, LST, STR, Term};
use alphorn_text::symbol::Atom;
use arrayvec::ArrayVec;
use std::cmp::Ordering;

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
    fn is_whole(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The order of two items, each with the beginning of its key.
#[inline]
pub(super) fn compared(store: &mut Store, left: (SortKey, Term), right: (SortKey, Term)) -> Result<Ordering, Fault> {
    match left.0.cmp(&right.0) {
        Ordering::Equal if left.0.is_whole() => Ok(Ordering::Equal),
        Ordering::Equal => store.compare(left.1, right.1),
        order => Ok(order),
    }
}

/// Above the parts that are small integers, and above those that are atoms too.
const ATOMS: u64 = 1 << 61;
const COMPOUNDS: u64 = 1 << 62;

/// The key of a term of which nothing is known.
pub(super) const UNKNOWN: SortKey = SortKey(0);

/// The most kinds of terms in a list whose terms have keys.
const MOST_KINDS: usize = 16;

/// Writes the keys of terms. A kind of terms is the integers and atoms, the lists, or the structures with the same name
/// and arity. Leaves all keys unknown if there are other terms.
pub(super) fn find_keys<T>(heap: &Heap, items: &mut [(SortKey, T)], term: impl Fn(&T) -> Term) {
    let mut kind = None;
    for at in 0..items.len() {
        let found = begin(heap, term(&items[at].1));
        let Some((_, key)) = found.filter(|(functor, _)| *kind.get_or_insert(*functor) == *functor) else {
            if found.is_none() || find_mixed_keys(heap, items, term).is_none() {
                items.iter_mut().for_each(|item| item.0 = UNKNOWN);
            }
            return;
        };
        items[at].0 = key;
    }
}

/// Writes keys that begin with the place of the kind among all kinds. Their parts have fewer bits.
fn find_mixed_keys<T>(heap: &Heap, items: &mut [(SortKey, T)], term: impl Fn(&T) -> Term) -> Option<()> {
    let mut kinds: ArrayVec<(u64, Term), MOST_KINDS> = ArrayVec::new();
    for item in &mut *items {
        let term = term(&item.1);
        let parts = Parts::of(heap, term)?;
        if kinds.iter().all(|(kind, _)| *kind != parts.kind) {
            kinds.try_push((parts.kind, term)).ok()?;
        }
    }
    // The kinds of two terms decide their order.
    kinds.sort_by(|left, right| order::compare(heap, left.1, right.1));
    for item in items {
        let parts = Parts::of(heap, term(&item.1))?;
        let place = kinds.iter().position(|(kind, _)| *kind == parts.kind)?;
        let (first, known) = (narrow(parts.first)?, parts.known);
        let (second, whole) = match parts.second(heap)? {
            Some((second, whole)) => (narrow(second)?, whole),
            None => (0, known),
        };
        let key = (place as u128) << 120 | u128::from(first) << 60 | u128::from(second << 1 | u64::from(whole));
        item.0 = SortKey(key);
    }
    Some(())
}

/// The number of a part in 54 bits. `None` for large integers.
fn narrow(part: u64) -> Option<u64> {
    match part {
        ..ATOMS => part.checked_sub((1 << 60) - (1 << 50)).filter(|part| *part < 1 << 51),
        // Six characters, and whether the atom is longer. Then it is not known completely.
        ATOMS..COMPOUNDS => {
            let begin = part - ATOMS;
            Some(1 << 52 | begin >> 8 << 1 | u64::from(begin & 0xff != 0))
        }
        _ => Some(1 << 53),
    }
}

/// The kind of a term, and its key. `None` if it has none.
#[inline(always)]
pub(super) fn begin(heap: &Heap, term: Term) -> Option<(u64, SortKey)> {
    let parts = Parts::of(heap, term)?;
    Some(match parts.second(heap)? {
        Some((second, whole)) => (parts.kind, SortKey::of(parts.first, second, whole)),
        None => (parts.kind, SortKey::of(parts.first, 0, parts.known)),
    })
}

/// The first part of a term, and where the second one is.
struct Parts {
    kind: u64,
    first: u64,
    /// Whether the number of the first part tells it completely.
    known: bool,
    count: usize,
    second: usize,
}

impl Parts {
    #[inline(always)]
    fn of(heap: &Heap, term: Term) -> Option<Parts> {
        let term = heap.deref(term);
        let at = term.index();
        let (kind, (first, known), count, second) = match term.tag() {
            INT | ATOM => (INT, part(heap, term)?, 1, 0),
            LST => (LST, part(heap, Term(heap.cells[at]))?, 2, at + 1),
            STR => {
                let header = heap.cells[at];
                (header, part(heap, Term(heap.cells[at + 1]))?, header_small(header), at + 2)
            }
            _ => return None,
        };
        Some(Parts { kind, first, known, count, second })
    }

    /// The number of the second part, and whether the term is known completely. The second part counts only if the
    /// first is known completely: else the result is `Some(None)`, as for a term with one part.
    #[inline(always)]
    #[allow(clippy::option_option)]
    fn second(&self, heap: &Heap) -> Option<Option<(u64, bool)>> {
        if self.count == 1 || !self.known {
            return Some(None);
        }
        let (second, known) = part(heap, Term(heap.cells[self.second]))?;
        Some(Some((second, known && self.count == 2)))
    }
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
    }

    #[test]
    fn terms_of_several_kinds_have_keys() {
        let mut heap = Heap::default();
        let parts: Vec<Term> =
            parts(&mut heap).into_iter().filter(|part| part.as_small().is_none_or(|n| n < 100)).collect();
        let parts: Vec<Term> = parts.into_iter().filter(|part| part.as_small().is_none_or(|n| n > -100)).collect();
        let mut mixed = parts.clone();
        for name in ["cell", "control", "step"].map(Atom::new) {
            for left in &parts {
                mixed.push(heap.structure(name, &[*left]));
                mixed.push(heap.structure(name, &[*left, parts[3]]));
                mixed.push(heap.structure(name, &[parts[4], *left]));
                mixed.push(heap.structure(name, &[*left, parts[5], Term::small(7)]));
            }
        }
        assert!(are_known(&heap, &mixed));
        let large = heap.structure(Atom::new("large"), &[Term::small(1 << 50)]);
        assert!(!are_known(&heap, &[parts[0], large]));
        let below = heap.structure(Atom::new("below"), &[Term::small((1 << 50) - 1), Term::small(-(1 << 50))]);
        assert!(are_known(&heap, &[parts[0], below]));
        let kinds: Vec<Term> = (1..18).map(|arity| heap.structure(Atom::new("many"), &vec![parts[0]; arity])).collect();
        assert!(!are_known(&heap, &kinds));
    }
}
