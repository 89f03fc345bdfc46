//! Sorts short lists by insertion. Each element gets its key once, for the comparisons of a merge would find the
//! beginnings of a term again and again.

use crate::builtins::sort_key::{SortKey, begin, compared};
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::{LST, Term};
use alphorn_text::symbol::atoms;
use arrayvec::ArrayVec;
use std::cmp::Ordering;

const NIL: Term = Term::atom(atoms::NIL);

/// The most elements of a list that is sorted here.
const SHORT: usize = 16;

/// An element: its key, the element, and its list cell.
type Item = (SortKey, Term, usize);

/// Sorts a list, stably; `unique` removes repeated elements. The greatest elements share their list cells with the
/// given list, if they are in order there. `None` for longer lists, for elements without keys or of several kinds, and
/// for other terms.
pub(super) fn sort_short(store: &mut Store, list: Term, unique: bool) -> Result<Option<Term>, Fault> {
    let mut cells: ArrayVec<usize, SHORT> = ArrayVec::new();
    let mut rest = store.heap.deref(list);
    while rest.tag() == LST {
        if cells.try_push(rest.index()).is_err() {
            return Ok(None);
        }
        rest = store.heap.deref(Term(store.heap.cells[rest.index() + 1]));
    }
    if rest != NIL {
        return Ok(None);
    }
    let mut items: ArrayVec<Item, SHORT> = ArrayVec::new();
    let mut kind = None;
    for cell in cells {
        let element = store.heap.deref(Term(store.heap.cells[cell]));
        match begin(&store.heap, element) {
            Some((found, key)) if *kind.get_or_insert(found) == found => items.push((key, element, cell)),
            _ => return Ok(None),
        }
    }
    store.charge(items.len() as u64)?;
    insert_each(store, &mut items, unique)?;
    let mut sorted = NIL;
    while let Some((_, _, cell)) = items.last()
        && store.heap.deref(Term(store.heap.cells[cell + 1])) == sorted
    {
        sorted = Term::tagged(LST, *cell);
        items.pop();
    }
    store.room(2 * items.len())?;
    Ok(Some(items.iter().rev().fold(sorted, |rest, item| store.heap.cons(item.1, rest))))
}

fn insert_each(store: &mut Store, items: &mut ArrayVec<Item, SHORT>, unique: bool) -> Result<(), Fault> {
    let mut kept = 0;
    for next in 0..items.len() {
        let item = items[next];
        let (mut at, mut order) = (kept, Ordering::Less);
        while at > 0 {
            let before = items[at - 1];
            order = compared(store, (before.0, before.1), (item.0, item.1))?;
            if order != Ordering::Greater {
                break;
            }
            items[at] = before;
            at -= 1;
        }
        if at > 0 && unique && order == Ordering::Equal {
            // The elements behind have moved by one place.
            items.copy_within(at + 1..kept + 1, at);
            continue;
        }
        items[at] = item;
        kept += 1;
    }
    items.truncate(kept);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{NIL, Ordering, SHORT, Store, Term, sort_short};
    use crate::builtins::sorted_runs::merge_runs;
    use crate::term::order;
    use alphorn_text::symbol::Atom;
    use std::sync::Arc;

    /// Panics unless a list has the elements of a plain stable sort, and as many new cells as a merge of its runs makes.
    fn sorts(store: &mut Store, elements: &[Term], unique: bool) {
        let list = store.heap.list(elements, NIL);
        let begin = store.heap.cells.len();
        merge_runs(store, list, unique).ok().flatten().expect("the list has few runs");
        let end = store.heap.cells.len();
        let sorted = sort_short(store, list, unique).ok().flatten().expect("the elements have keys");
        assert_eq!(store.heap.cells.len() - end, end - begin, "{elements:?}");
        let mut expected = elements.to_vec();
        expected.sort_by(|left, right| order::compare(&store.heap, *left, *right));
        if unique {
            expected.dedup_by(|next, kept| order::compare(&store.heap, *kept, *next) == Ordering::Equal);
        }
        assert_eq!(store.heap.elements(sorted), (expected, NIL), "{elements:?}");
    }

    #[test]
    fn short_lists_of_numbers_are_sorted() {
        for count in 0..7 {
            let mut store = Store::new(Arc::default(), Arc::default());
            for code in 0..4_i64.pow(count) {
                let elements: Vec<Term> = (0..count).map(|at| Term::small(code / 4_i64.pow(at) % 4)).collect();
                sorts(&mut store, &elements, false);
                sorts(&mut store, &elements, true);
            }
        }
    }

    #[test]
    fn equal_keys_leave_the_order_to_the_whole_elements() {
        let mut store = Store::new(Arc::default(), Arc::default());
        let name = Atom::new("cell");
        let mut terms = Vec::new();
        for code in 0..27 {
            let digits = [code % 3, code / 3 % 3, code / 9].map(Term::small);
            terms.push(store.heap.structure(name, &digits));
            terms.push(store.heap.structure(name, &digits));
        }
        for step in 1..54 {
            for count in 0..=SHORT {
                let elements: Vec<Term> = (0..count).map(|at| terms[(at * step + count) % 54]).collect();
                sorts(&mut store, &elements, false);
                sorts(&mut store, &elements, true);
            }
        }
    }

    #[test]
    fn other_lists_are_left() {
        let mut store = Store::new(Arc::default(), Arc::default());
        let long = vec![Term::small(1); SHORT + 1];
        let mixed = vec![Term::small(1), store.heap.structure(Atom::new("fact"), &[NIL])];
        let open = vec![store.heap.variable()];
        for elements in [long, mixed, open] {
            let list = store.heap.list(&elements, NIL);
            assert!(sort_short(&mut store, list, true).ok().is_some_and(|sorted| sorted.is_none()));
        }
    }
}
