//! A test whether a term is cyclic, such as the term of `X = f(X)`.
//!
//! The test walks down the term and looks for an object on the current path. It enters each object
//! once, even a shared one. The module does not use goals.

use super::heap::{FUNCTOR, Heap, header_kind, header_small};
use super::{LST, REF, STR, Term};

/// Returns whether a term contains itself. Takes a quarter of a byte for each heap cell and a few words
/// for each level of the term. A last argument, such as a list tail, adds no level.
pub fn is_cyclic(heap: &Heap, term: Term) -> bool {
    // Two bits for each cell: whether the walk has entered the object there, and has left it.
    let mut marks = vec![0u64; 2 * heap.cells.len().div_ceil(64)];
    let marked = |marks: &[u64], at: usize, way: usize| marks[2 * (at / 64) + way] >> (at % 64) & 1 == 1;
    let mark = |marks: &mut [u64], at: usize, way: usize| marks[2 * (at / 64) + way] |= 1 << (at % 64);
    // The path consists of chains of last arguments. An entry has the first object of a chain and
    // the remaining arguments of its current object (from, to).
    let mut path: Vec<(Term, usize, usize)> = Vec::new();
    let mut next = Some(term);
    loop {
        if let Some(term) = next.take()
            && let Some((object, from, to)) = parts(heap, term)
        {
            match (marked(&marks, object, 0), marked(&marks, object, 1)) {
                (true, false) => return true,
                (true, true) => {}
                (false, _) => {
                    mark(&mut marks, object, 0);
                    path.push((term, from, to));
                }
            }
        }
        let Some((first, from, to)) = path.last_mut() else { return false };
        if *from + 1 < *to {
            next = Some(Term(heap.cells[*from]));
            *from += 1;
            continue;
        }
        // The chain continues in the last argument, unless the walk has already left that object.
        let last = (from < to).then(|| Term(heap.cells[*from])).and_then(|last| parts(heap, last));
        if let Some((object, start, end)) = last.filter(|(object, ..)| !marked(&marks, *object, 1)) {
            if marked(&marks, object, 0) {
                return true;
            }
            mark(&mut marks, object, 0);
            (*from, *to) = (start, end);
            continue;
        }
        let mut rest = Some(*first);
        while let Some((object, from, to)) = rest.take().and_then(|rest| parts(heap, rest))
            && !marked(&marks, object, 1)
        {
            mark(&mut marks, object, 1);
            rest = (from < to).then(|| Term(heap.cells[to - 1]));
        }
        path.pop();
    }
}

/// Returns the cell of a compound term and the range of its arguments (from, to).
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
    use crate::term::Term;
    use crate::term::heap::Heap;
    use alphorn_text::symbol::{Atom, atoms};

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

    #[test]
    fn cycles_of_any_shape_are_found() {
        let mut random = 1u64;
        let mut draw = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut cyclic = 0;
        for _ in 0..20_000 {
            let mut heap = Heap::default();
            let count = 1 + draw(7);
            let variables: Vec<Term> = (0..count).map(|_| heap.variable()).collect();
            let mut reaches = vec![vec![false; count]; count];
            for from in 0..count {
                let mut args = Vec::new();
                for _ in 0..1 + draw(3) {
                    let to = draw(count + 4);
                    match reaches[from].get_mut(to) {
                        Some(reaches) => {
                            *reaches = true;
                            args.push(variables[to]);
                        }
                        None => args.push(Term::small(0)),
                    }
                }
                let made = match args[..] {
                    [head, tail] => heap.list(&[head], tail),
                    _ => heap.structure(Atom::new("f"), &args),
                };
                heap.cells[variables[from].index()] = made.0;
            }
            for by in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        reaches[from][to] |= reaches[from][by] && reaches[by][to];
                    }
                }
            }
            let expected = (0..count).any(|at| (at == 0 || reaches[0][at]) && reaches[at][at]);
            cyclic += usize::from(expected);
            assert_eq!(is_cyclic(&heap, variables[0]), expected, "{reaches:?}");
        }
        assert!((4_000..16_000).contains(&cyclic), "both kinds come up: {cyclic}");
    }
}
