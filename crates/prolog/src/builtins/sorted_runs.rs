//! Sorts lists that consist of a few sorted runs: a natural merge sort (Donald Knuth, "The Art of Computer
//! Programming", volume 3, 1973, section 5.2.4).
//!
//! The next position of a game is often such a list: the facts that changed, then the others in their order.

use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::heap::{Heap, header_small};
use crate::term::{ATOM, INT, LST, STR, Term};
use alphorn_text::symbol::{Atom, atoms};
use arrayvec::ArrayVec;
use std::cmp::Ordering;

const NIL: Term = Term::atom(atoms::NIL);

/// The most elements, and the most runs, of a list that is sorted here.
const MOST_ELEMENTS: usize = 256;
const MOST_RUNS: usize = 16;

type Elements = ArrayVec<Term, MOST_ELEMENTS>;
/// The places where runs begin.
type Begins = ArrayVec<usize, MOST_RUNS>;

/// The runs of a list.
#[derive(Default)]
struct Runs {
    elements: Elements,
    /// The list cell of each element.
    cells: ArrayVec<usize, MOST_ELEMENTS>,
    begins: Begins,
    /// From this element on, no repeated element was left out.
    complete: usize,
}

/// Sorts a list, stably; `unique` removes repeated elements. The greatest elements share their list cells with the
/// given list, if they are in order there. `None` for lists that are too long, or have too many runs, and for other
/// terms.
pub(super) fn merge_runs(store: &mut Store, list: Term, unique: bool) -> Result<Option<Term>, Fault> {
    // The buffers stay in place, for a copy of them would take longer than the sort of a short list.
    let (mut runs, mut target) = (Runs::default(), Elements::new());
    if !runs.fill(store, list, unique)? {
        return Ok(None);
    }
    let shared = runs.shared(store, unique)?;
    let rest = runs.cells.get(shared).map_or(NIL, |cell| Term::tagged(LST, *cell));
    if shared == 0 {
        return Ok(Some(rest));
    }
    runs.elements.truncate(shared);
    let elements = merged(store, (&mut runs.elements, &mut target), runs.begins, unique)?;
    store.room(2 * elements.len())?;
    Ok(Some(elements.iter().rev().fold(rest, |rest, element| store.heap.cons(*element, rest))))
}

impl Runs {
    /// Finds the runs of a list. Returns `false` for lists that are too long, or have too many runs, and for other terms.
    #[inline(always)]
    fn fill(&mut self, store: &mut Store, list: Term, unique: bool) -> Result<bool, Fault> {
        let (mut rest, mut count) = (store.heap.deref(list), 0);
        while rest.tag() == LST {
            let cell = rest.index();
            let element = store.heap.deref(Term(store.heap.cells[cell]));
            rest = store.heap.deref(Term(store.heap.cells[cell + 1]));
            count += 1;
            let order = match self.elements.last() {
                Some(last) => order(store, *last, element)?,
                None => Ordering::Greater,
            };
            match order {
                Ordering::Equal if unique => {
                    self.complete = self.elements.len();
                    continue;
                }
                Ordering::Greater if self.begins.try_push(self.elements.len()).is_err() => return Ok(false),
                _ => {}
            }
            if self.elements.try_push(element).is_err() {
                return Ok(false);
            }
            self.cells.push(cell);
        }
        if rest != NIL {
            return Ok(false);
        }
        store.charge(count)?;
        Ok(true)
    }

    /// The number of the first element of the last run that, with those behind it, comes after all other runs.
    fn shared(&self, store: &mut Store, unique: bool) -> Result<usize, Fault> {
        let mut low = self.begins.last().map_or(0, |last| self.complete.max(*last));
        for next in self.begins.iter().skip(1) {
            let (greatest, mut high) = (self.elements[*next - 1], self.elements.len());
            while low < high {
                let middle = (low + high) / 2;
                match order(store, self.elements[middle], greatest)? {
                    Ordering::Less => low = middle + 1,
                    Ordering::Equal if unique => low = middle + 1,
                    _ => high = middle,
                }
            }
        }
        Ok(low)
    }
}

/// Merges runs until one is left. Returns the buffer that has it.
fn merged<'a>(
    store: &mut Store,
    (mut elements, mut target): (&'a mut Elements, &'a mut Elements),
    mut begins: Begins,
    unique: bool,
) -> Result<&'a Elements, Fault> {
    while begins.len() > 1 {
        let mut merged = Begins::new();
        target.clear();
        for pair in 0..begins.len().div_ceil(2) {
            let end = |run: usize| begins.get(run).map_or(elements.len(), |end| *end.min(&elements.len()));
            let (begin, middle, end) = (end(2 * pair), end(2 * pair + 1), end(2 * pair + 2));
            merged.push(target.len());
            merge(store, &elements[begin..middle], &elements[middle..end], unique, target)?;
        }
        std::mem::swap(&mut elements, &mut target);
        begins = merged;
    }
    Ok(elements)
}

/// Merges two runs.
fn merge(
    store: &mut Store,
    mut left: &[Term],
    mut right: &[Term],
    unique: bool,
    target: &mut Elements,
) -> Result<(), Fault> {
    while let (Some(first), Some(second)) = (left.first(), right.first()) {
        let order = order(store, *first, *second)?;
        if order == Ordering::Greater {
            target.push(*second);
            right = &right[1..];
        } else {
            target.push(*first);
            left = &left[1..];
            if unique && order == Ordering::Equal {
                right = &right[1..];
            }
        }
    }
    target.extend(left.iter().chain(right).copied());
    Ok(())
}

#[inline(always)]
fn order(store: &mut Store, left: Term, right: Term) -> Result<Ordering, Fault> {
    match flat_order(&store.heap, left, right) {
        Some(order) => Ok(order),
        None => store.compare(left, right),
    }
}

/// The order of two small integers, two atoms, or two structures of one name and arity whose arguments are such terms.
#[inline(always)]
fn flat_order(heap: &Heap, left: Term, right: Term) -> Option<Ordering> {
    if left.tag() != STR || right.tag() != STR {
        return simple_order(left, right);
    }
    let header = heap.cells[left.index()];
    if heap.cells[right.index()] != header {
        return None;
    }
    let count = header_small(header);
    let arguments = |term: Term| &heap.cells[term.index() + 1..][..count];
    for (left, right) in arguments(left).iter().zip(arguments(right)) {
        let (mut one, mut other) = (Term(*left), Term(*right));
        if one.0 == other.0 && matches!(one.tag(), INT | ATOM) {
            continue;
        }
        (one, other) = (heap.deref(one), heap.deref(other));
        match simple_order(one, other)? {
            Ordering::Equal => {}
            order => return Some(order),
        }
    }
    Some(Ordering::Equal)
}

#[inline(always)]
fn simple_order(left: Term, right: Term) -> Option<Ordering> {
    match (left.tag(), right.tag()) {
        (INT, INT) => Some((left.0 as i64).cmp(&(right.0 as i64))),
        (ATOM, ATOM) if left == right => Some(Ordering::Equal),
        (ATOM, ATOM) => {
            let begin = |term: Term| Atom::from_number((term.0 >> 3) as u32).begin();
            match begin(left)?.cmp(&begin(right)?) {
                Ordering::Equal => None,
                order => Some(order),
            }
        }
        (INT, ATOM) => Some(Ordering::Less),
        (ATOM, INT) => Some(Ordering::Greater),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_ELEMENTS, MOST_RUNS, NIL, Store, Term, merge_runs};
    use crate::term::order;
    use alphorn_text::symbol::Atom;
    use std::cmp::Ordering;
    use std::sync::Arc;

    fn new_store() -> Store {
        Store::new(Arc::default(), Arc::default())
    }

    /// The lists of numbers below 4 with this many elements.
    fn lists(count: u32) -> impl Iterator<Item = Vec<i64>> {
        (0..4_i64.pow(count)).map(move |code| (0..count).map(|at| code / 4_i64.pow(at) % 4).collect())
    }

    /// Panics unless the sorted list has the elements, in the same cells where possible, that a plain stable sort has.
    fn sorts(store: &mut Store, elements: &[Term], unique: bool) {
        let list = store.heap.list(elements, NIL);
        let sorted = merge_runs(store, list, unique).ok().flatten().expect("the list is sorted by runs");
        let mut expected = elements.to_vec();
        expected.sort_by(|left, right| order::compare(&store.heap, *left, *right));
        if unique {
            expected.dedup_by(|next, kept| order::compare(&store.heap, *kept, *next) == Ordering::Equal);
        }
        assert_eq!(store.heap.elements(sorted), (expected, NIL), "{elements:?}");
    }

    #[test]
    fn short_lists_are_sorted() {
        for numbers in (0..7).flat_map(lists) {
            let mut store = new_store();
            let elements: Vec<Term> = numbers.iter().map(|number| Term::small(*number)).collect();
            sorts(&mut store, &elements, false);
            sorts(&mut store, &elements, true);
        }
    }

    /// Terms of all kinds, some equal, some with variables.
    fn terms(store: &mut Store) -> Vec<Term> {
        let heap = &mut store.heap;
        let mut terms = vec![heap.variable(), heap.float(1.0), heap.integer(i64::MAX), heap.text("text"), NIL];
        terms.extend(["", "a", "b", "abcdefgh", "abcdefgi", "a\0b"].map(|name| Term::atom(Atom::new(name))));
        terms.extend([-1, 0, 1, 2].map(Term::small));
        for at in 0..terms.len() {
            let (part, next) = (terms[at], terms[(at + 1) % 15]);
            terms.push(heap.structure(Atom::new("fact"), &[part]));
            terms.push(heap.structure(Atom::new("fact"), &[part, next]));
            terms.push(heap.structure(Atom::new("cell"), &[Term::small(1), next, part]));
            terms.push(heap.cons(part, next));
        }
        terms
    }

    #[test]
    fn runs_of_all_kinds_of_terms_are_merged_stably() {
        let mut store = new_store();
        let terms = terms(&mut store);
        let mut seed: u64 = 7;
        let mut below = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % bound
        };
        for _ in 0..2_000 {
            let mut elements = Vec::new();
            for _ in 0..=below(MOST_RUNS / 2 - 1) {
                let mut run: Vec<Term> = (0..below(12)).map(|_| terms[below(terms.len())]).collect();
                run.sort_by(|left, right| order::compare(&store.heap, *left, *right));
                elements.extend(run);
            }
            sorts(&mut store, &elements, false);
            sorts(&mut store, &elements, true);
        }
    }

    #[test]
    fn the_greatest_elements_share_their_cells() {
        for place in 0..=40 {
            let mut store = new_store();
            let mut elements = vec![Term::small(2 * place)];
            elements.extend((0..40).map(|other| Term::small(2 * other + 1)));
            let list = store.heap.list(&elements, NIL);
            let before = store.heap.cells.len();
            let sorted = merge_runs(&mut store, list, true).ok().flatten().expect("there are two runs");
            let new = if place == 0 { 0 } else { place as usize + 1 };
            assert_eq!(store.heap.cells.len() - before, 2 * new);
            elements[..=place as usize].rotate_left(1);
            assert_eq!(store.heap.elements(sorted), (elements, NIL));
        }
    }

    #[test]
    fn long_lists_and_lists_of_many_runs_are_left() {
        let mut store = new_store();
        let long: Vec<Term> = (0..=MOST_ELEMENTS as i64).map(Term::small).collect();
        let many: Vec<Term> = (0..=MOST_RUNS as i64).rev().map(Term::small).collect();
        for elements in [long, many] {
            let list = store.heap.list(&elements, NIL);
            assert!(merge_runs(&mut store, list, true).ok().is_some_and(|sorted| sorted.is_none()));
            let list = store.heap.list(&elements[1..], NIL);
            assert!(merge_runs(&mut store, list, true).ok().is_some_and(|sorted| sorted.is_some()));
        }
    }
}
