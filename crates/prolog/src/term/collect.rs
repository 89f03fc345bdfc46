//! Copying garbage collection of a heap.
//!
//! The collector copies what the roots reach and drops the rest (Cheney, "A Nonrecursive List
//! Compacting Algorithm", 1970). It moves each object whole; see the invariant in `heap.rs`.

use super::heap::{FUNCTOR, Heap, header_kind, header_small, raw_words};
use super::{BOX, FWD, HDR, LST, REF, STR, Term};

/// A running collection. The caller passes every root to `root` and then calls `finish`.
pub struct Collector<'a> {
    from: &'a mut [u64],
    to: Vec<u64>,
    /// Cells below this index never move. They contain the program's constants.
    fixed: usize,
    scanned: usize,
}

impl<'a> Collector<'a> {
    /// Starts a collection. The first `fixed` cells stay and refer only to each other. The
    /// surviving cells go into `room`.
    pub fn new(heap: &'a mut Heap, fixed: usize, room: Vec<u64>) -> Collector<'a> {
        let mut to = room;
        to.clear();
        to.extend_from_slice(&heap.cells[..fixed]);
        Collector { from: &mut heap.cells, to, fixed, scanned: fixed }
    }

    /// Moves the object of a root and updates the root.
    pub fn root(&mut self, root: &mut Term) {
        *root = self.moved(*root);
    }

    fn moved(&mut self, term: Term) -> Term {
        let at = term.index();
        let tag = term.tag();
        let refers = matches!(tag, REF | STR | LST | BOX);
        if !refers || at < self.fixed {
            return term;
        }
        let first = self.from[at];
        if first & super::TAG == FWD {
            return Term::tagged(tag, (first >> 3) as usize);
        }
        let place = self.to.len();
        match tag {
            REF if first == term.0 => self.to.push(Term::tagged(FWD, place).0),
            REF => self.to.push(first),
            LST => self.to.extend_from_slice(&self.from[at..at + 2]),
            STR => self.to.extend_from_slice(&self.from[at..=at + header_small(first)]),
            _ => self.to.extend_from_slice(&self.from[at..=at + raw_words(first)]),
        }
        self.from[at] = Term::tagged(FWD, place).0;
        Term::tagged(tag, place)
    }

    /// Where the object at a cell is now; `None` if it has not been moved.
    pub fn target(&self, at: usize) -> Option<usize> {
        let first = self.from[at];
        match at < self.fixed {
            true => Some(at),
            false => (first & super::TAG == FWD).then_some((first >> 3) as usize),
        }
    }

    /// Moves everything that moved objects refer to. The caller may pass more roots afterwards.
    pub fn follow(&mut self) {
        while self.scanned < self.to.len() {
            let cell = self.to[self.scanned];
            if cell & super::TAG == HDR {
                self.scanned += 1 + if header_kind(cell) == FUNCTOR { 0 } else { raw_words(cell) };
                continue;
            }
            self.to[self.scanned] = match cell & super::TAG {
                FWD => Term::tagged(REF, self.scanned).0,
                _ => self.moved(Term(cell)).0,
            };
            self.scanned += 1;
        }
    }

    /// Ends the collection and returns the new cells of the heap.
    pub fn finish(mut self) -> Vec<u64> {
        self.follow();
        self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::heap::header;
    use alphorn_text::symbol::Atom;

    #[test]
    fn a_cell_that_arrives_where_its_value_stood_is_not_taken_for_a_variable() {
        let mut heap = Heap::default();
        let name = Atom::new("f");
        let fixed = heap.cells.len();
        // Garbage, a bound variable, and f(X) of it, whose argument moves to where X stood.
        heap.cells.push(Term::small(0).0);
        let bound = heap.cells.len();
        heap.cells.push(Term::small(7).0);
        let at = heap.cells.len();
        heap.cells.extend([header(FUNCTOR, 1, u64::from(name.number())), Term::tagged(REF, bound).0]);
        let mut root = Term::tagged(STR, at);
        let mut collector = Collector::new(&mut heap, fixed, Vec::new());
        collector.root(&mut root);
        heap.cells = collector.finish();
        let argument = Term(heap.cells[root.index() + 1]);
        assert_eq!(heap.deref(argument), Term::small(7));
    }
}
