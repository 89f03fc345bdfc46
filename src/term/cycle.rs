//! Whether a term contains itself, as `X = f(X)` makes one.
//!
//! In: a term. Out: whether a walk down through it comes to where it has been. Each object is
//! entered once, however often it is shared. Knows no goal.

use super::heap::{FUNCTOR, Heap, header_kind, header_small};
use super::{LST, REF, STR, Term};

/// Whether a term contains itself. Takes a quarter of a byte for each cell of the heap, and a few
/// words for each level of the term.
pub fn is_cyclic(heap: &Heap, term: Term) -> bool {
    // Two bits for each cell: whether the object there was entered, and whether it was left.
    let mut marks = vec![0u64; 2 * heap.cells.len().div_ceil(64)];
    let marked = |marks: &[u64], at: usize, way: usize| marks[2 * (at / 64) + way] >> (at % 64) & 1 == 1;
    let mark = |marks: &mut [u64], at: usize, way: usize| marks[2 * (at / 64) + way] |= 1 << (at % 64);
    // Objects on the way down: where one begins, its next part, and where it ends.
    let mut path: Vec<(usize, usize, usize)> = Vec::new();
    let mut next = Some(term);
    loop {
        if let Some((object, from, to)) = next.take().and_then(|term| parts(heap, term)) {
            match (marked(&marks, object, 0), marked(&marks, object, 1)) {
                (true, false) => return true,
                (true, true) => {}
                (false, _) => {
                    mark(&mut marks, object, 0);
                    path.push((object, from, to));
                }
            }
        }
        let Some((object, from, to)) = path.last_mut() else { return false };
        if from < to {
            next = Some(Term(heap.cells[*from]));
            *from += 1;
        } else {
            mark(&mut marks, *object, 1);
            path.pop();
        }
    }
}

/// Where a compound term lies, and its parts: from, to.
fn parts(heap: &Heap, term: Term) -> Option<(usize, usize, usize)> {
    let term = heap.deref(term);
    let at = term.index();
    match term.tag() {
        LST => Some((at, at, at + 2)),
        STR => {
            debug_assert!(header_kind(heap.cells[at]) == FUNCTOR, "a structure begins with its functor");
            Some((at, at + 1, at + 1 + header_small(heap.cells[at])))
        }
        tag => {
            debug_assert!(tag != REF || heap.is_var(term), "a reference was followed to its end");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_cyclic;
    use crate::symbol::{Atom, atoms};
    use crate::term::Term;
    use crate::term::heap::Heap;

    #[test]
    fn what_is_shared_is_no_cycle() {
        let mut heap = Heap::default();
        let mut term = Term::atom(Atom::new("a"));
        for _ in 0..1000 {
            term = heap.structure(Atom::new("f"), &[term, term]);
        }
        assert!(!is_cyclic(&heap, term));
        let items: Vec<Term> = (0..1_000_000).map(|_| term).collect();
        let list = heap.list(&items, Term::atom(atoms::NIL));
        assert!(!is_cyclic(&heap, list));
    }

    #[test]
    fn a_term_inside_itself_is_found_at_any_depth() {
        let mut heap = Heap::default();
        let variable = heap.variable();
        let mut term = heap.structure(Atom::new("f"), &[variable]);
        for number in 0..100_000 {
            term = heap.list(&[Term::small(number), term], Term::atom(atoms::NIL));
        }
        assert!(!is_cyclic(&heap, term));
        heap.cells[variable.index()] = term.0;
        assert!(is_cyclic(&heap, term));
        assert!(is_cyclic(&heap, variable));
    }
}
