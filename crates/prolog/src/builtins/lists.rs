//! Builtins for lists: length, sorting, ranges of integers.

use crate::builtins::arithmetic::{integer, to_term, whole};
use crate::builtins::number::Number;
use crate::builtins::short_sort::sort_short;
use crate::builtins::sort_key::{SortKey, UNKNOWN, compared, find_keys};
use crate::builtins::sorted_runs::merge_runs;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::machine::{BoolResult, BuiltinResult};
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_text::symbol::{Atom, atoms};
use std::cmp::Ordering;

const NIL: Term = Term::atom(atoms::NIL);

/// Returns the elements of a proper list. Other terms are errors.
pub(super) fn proper(store: &mut Store, list: Term) -> Result<Vec<Term>, Fault> {
    let (items, end) = store.elements(list);
    store.charge(items.len() as u64 / 16)?;
    if end == NIL {
        Ok(items)
    } else if store.heap.is_var(end) {
        Err(Fault::instantiation(&mut store.heap))
    } else {
        Err(Fault::type_error(&mut store.heap, "list", list))
    }
}

pub(super) fn length(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    let (known, end) = store.length(args[0]);
    store.charge(known as u64 / 16)?;
    let yes = |found: bool| if found { BuiltinResult::BoolResult } else { BuiltinResult::No };
    if !store.heap.is_var(args[1]) {
        let wanted = integer(store, args[1])?;
        if end != NIL && !store.heap.is_var(end) {
            return Err(Fault::type_error(&mut store.heap, "list", args[0]));
        }
        if wanted < 0 {
            return Err(Fault::domain_error(&mut store.heap, "not_less_than_zero", args[1]));
        }
        if end == NIL || wanted < known as i64 {
            return Ok(yes(end == NIL && wanted == known as i64));
        }
        let list = fresh_list(store, (wanted - known as i64) as usize)?;
        return store.unify(end, list).map(yes);
    }
    if end == NIL {
        return store.unify(args[1], Term::small(known as i64)).map(yes);
    }
    if !store.heap.is_var(end) {
        return Err(Fault::type_error(&mut store.heap, "list", args[0]));
    }
    // A list is never equal to its own length.
    if end == store.heap.deref(args[1]) {
        return Ok(BuiltinResult::No);
    }
    let more = state.and_then(Term::as_small).unwrap_or(0);
    let list = fresh_list(store, more as usize)?;
    store.unify(end, list)?;
    store.unify(args[1], Term::small(known as i64 + more))?;
    Ok(BuiltinResult::Again(Term::small(more + 1)))
}

fn fresh_list(store: &mut Store, count: usize) -> Result<Term, Fault> {
    store.room(count.saturating_mul(2))?;
    store.charge(count as u64 / 16)?;
    Ok(store.heap.fresh_list(count))
}

pub(super) fn numlist(store: &mut Store, args: &[Term]) -> BoolResult {
    let small = |at: usize| store.heap.deref(args[at]).as_small();
    if let (Some(low), Some(high)) = (small(0), small(1)) {
        if low > high {
            return Ok(false);
        }
        let count = (high - low) as usize + 1;
        store.room(count.saturating_mul(2))?;
        store.charge(count as u64 / 16)?;
        let list = store.heap.list_of((0..count).map(|at| Term::small(low + at as i64)));
        return store.unify(args[2], list);
    }
    let (low, high) = (whole(store, args[0])?, whole(store, args[1])?);
    if low > high {
        return Ok(false);
    }
    let count = usize::try_from(&high - &low).unwrap_or(usize::MAX).saturating_add(1);
    // A list cell, and two words for an integer that may be large.
    store.room(count.saturating_mul(4))?;
    store.charge(count as u64 / 16)?;
    let mut list = NIL;
    for number in (0..count).rev() {
        let item = to_term(store, &Number::Big(&low + number));
        list = store.heap.cons(item, list);
    }
    store.unify(args[2], list)
}

/// An item of a list to sort: the beginning of its key, and the item.
type Keyed<T> = (SortKey, T);

/// Sorts by keys, stably. Each comparison counts against the budget.
fn sorted<T>(
    store: &mut Store,
    items: impl ExactSizeIterator<Item = T>,
    key: impl Fn(&T) -> Term,
) -> Result<Vec<Keyed<T>>, Fault> {
    store.charge(items.len() as u64)?;
    let mut items: Vec<Keyed<T>> = items.map(|item| (UNKNOWN, item)).collect();
    find_keys(&store.heap, &mut items, &key);
    sort_keyed(store, &mut items, |item| (item.0, key(&item.1)))?;
    Ok(items)
}

/// Removes each item whose key is that of the item before.
fn remove_repeats<T: Copy>(
    store: &mut Store,
    items: &mut Vec<Keyed<T>>,
    key: impl Fn(&T) -> Term,
) -> Result<(), Fault> {
    let mut kept = items.len().min(1);
    for at in 1..items.len() {
        let (last, item) = (items[kept - 1], items[at]);
        if compared(store, (last.0, key(&last.1)), (item.0, key(&item.1)))? != Ordering::Equal {
            items[kept] = item;
            kept += 1;
        }
    }
    items.truncate(kept);
    Ok(())
}

fn sort_keyed<T>(store: &mut Store, items: &mut [T], key: impl Fn(&T) -> (SortKey, Term)) -> Result<(), Fault> {
    let mut in_order = true;
    for pair in items.get(1..).unwrap_or(&[]).windows(2) {
        in_order = in_order && compared(store, key(&pair[0]), key(&pair[1]))? != Ordering::Greater;
    }
    if in_order {
        // A new element before a sorted list is common when a fact is added: binary insertion suffices.
        let Some((first, rest)) = items.split_first() else { return Ok(()) };
        let (first, mut low, mut high) = (key(first), 0, rest.len());
        while low < high {
            let middle = (low + high) / 2;
            match compared(store, key(&rest[middle]), first)? {
                Ordering::Less => low = middle + 1,
                _ => high = middle,
            }
        }
        items[..=low].rotate_left(1);
        return Ok(());
    }
    let mut fault = None;
    items.sort_by(|left, right| {
        if fault.is_some() {
            return Ordering::Equal;
        }
        compared(store, key(left), key(right)).unwrap_or_else(|found| {
            fault = Some(found);
            Ordering::Equal
        })
    });
    fault.map_or(Ok(()), Err)
}

fn finish(
    store: &mut Store,
    items: impl DoubleEndedIterator<Item = Term> + ExactSizeIterator,
    target: Term,
) -> BoolResult {
    store.room(2 * items.len())?;
    let list = items.rev().fold(NIL, |rest, item| store.heap.cons(item, rest));
    store.unify(target, list)
}

/// Checks a result argument. ISO allows only a list or a partial list there.
fn result_list(store: &mut Store, target: Term) -> Result<(), Fault> {
    if store.heap.is_var(target) {
        return Ok(());
    }
    let (count, end) = store.heap.length(target);
    store.charge(count as u64 / 16)?;
    if end == NIL || store.heap.is_var(end) { Ok(()) } else { Err(Fault::type_error(&mut store.heap, "list", target)) }
}

/// Sorts a list without memory of its own. `None` for lists that need more.
fn sort_in_place(store: &mut Store, list: Term, unique: bool) -> Result<Option<Term>, Fault> {
    match sort_short(store, list, unique)? {
        None => merge_runs(store, list, unique),
        sorted => Ok(sorted),
    }
}

pub(super) fn msort(store: &mut Store, args: &[Term]) -> BoolResult {
    if let Some(list) = sort_in_place(store, args[0], false)? {
        return store.unify(args[1], list);
    }
    let items = proper(store, args[0])?;
    let items = sorted(store, items.into_iter(), |item| *item)?;
    finish(store, items.iter().map(|item| item.1), args[1])
}

pub(super) fn sort(store: &mut Store, args: &[Term]) -> BoolResult {
    if let Some(list) = sort_in_place(store, args[0], true)? {
        result_list(store, args[1])?;
        return store.unify(args[1], list);
    }
    let items = proper(store, args[0])?;
    result_list(store, args[1])?;
    let mut items = sorted(store, items.into_iter(), |item| *item)?;
    remove_repeats(store, &mut items, |item| *item)?;
    finish(store, items.iter().map(|item| item.1), args[1])
}

pub(super) fn sort4(store: &mut Store, args: &[Term]) -> BoolResult {
    let keys = sort_keys(store, args[0])?;
    let Some(order) = store.heap.deref(args[1]).as_atom() else {
        return Err(if store.heap.is_var(args[1]) {
            Fault::instantiation(&mut store.heap)
        } else {
            Fault::type_error(&mut store.heap, "atom", args[1])
        });
    };
    let (downward, unique) = match &*order.name() {
        "@<" => (false, true),
        "@=<" => (false, false),
        "@>" => (true, true),
        "@>=" => (true, false),
        _ => return Err(Fault::domain_error(&mut store.heap, "order", args[1])),
    };
    let mut pairs = Vec::new();
    for item in proper(store, args[2])? {
        let key = keys.iter().try_fold(item, |term, key| key_of(store, term, *key))?;
        pairs.push((key, item));
    }
    if downward {
        pairs.reverse();
    }
    let mut pairs = sorted(store, pairs.into_iter(), |pair| pair.0)?;
    if downward {
        // The list was reversed before the sort and is reversed again now, so equal elements keep
        // their order.
        pairs.reverse();
    }
    if unique {
        remove_repeats(store, &mut pairs, |pair| pair.0)?;
    }
    finish(store, pairs.iter().map(|pair| pair.1.1), args[3])
}

/// Returns the keys of `sort/4`, from outside in. Without keys, whole elements are compared. `None`
/// is a dict key, which is an atom in SWI-Prolog; no term here has one.
fn sort_keys(store: &mut Store, key: Term) -> Result<Vec<Option<Term>>, Fault> {
    let (items, end) = store.heap.elements(key);
    let (items, least) = match end == Term::atom(atoms::NIL) && !items.is_empty() {
        true => (items, 1),
        false => (vec![key], 0),
    };
    let mut keys = Vec::new();
    for item in items {
        match store.heap.view(item) {
            TermView::Int(number) if number >= least => {
                if number > 0 {
                    keys.push(Some(item));
                }
            }
            TermView::Big(false, _) => keys.push(Some(item)),
            TermView::Atom(_) => keys.push(None),
            TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
            TermView::Int(_) | TermView::Big(..) => {
                return Err(Fault::domain_error(&mut store.heap, "not_less_than_one", item));
            }
            _ => return Err(Fault::type_error(&mut store.heap, "sort_key", item)),
        }
    }
    Ok(keys)
}

fn key_of(store: &mut Store, item: Term, key: Option<Term>) -> Result<Term, Fault> {
    let number = key.map(|key| store.heap.deref(key).as_small().map_or(usize::MAX, |key| key as usize));
    match (store.heap.view(item), number) {
        (TermView::Compound(_, args), Some(number)) if number <= args.len() => Ok(Term(args[number - 1])),
        (TermView::Compound(..), Some(_)) => {
            let number = key.unwrap_or(item);
            Err(Fault::of(&mut store.heap, "existence_error", &[Term::atom(Atom::new("argument")), number, item]))
        }
        (TermView::Compound(..), None) => Err(Fault::type_error(&mut store.heap, "dict", item)),
        (TermView::Var(_), _) => Err(Fault::instantiation(&mut store.heap)),
        _ => Err(Fault::type_error(&mut store.heap, "compound", item)),
    }
}

pub(super) fn keysort(store: &mut Store, args: &[Term]) -> BoolResult {
    let items = proper(store, args[0])?;
    result_list(store, args[1])?;
    let mut pairs = Vec::with_capacity(items.len());
    for item in items {
        match store.heap.view(item) {
            TermView::Compound(atoms::MINUS, [key, _]) => pairs.push((Term(*key), item)),
            TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
            _ => {
                return Err(Fault::of(
                    &mut store.heap,
                    "type_error",
                    &[Term::atom(alphorn_text::symbol::Atom::new("pair")), item],
                ));
            }
        }
    }
    let pairs = sorted(store, pairs.into_iter(), |pair| pair.0)?;
    finish(store, pairs.iter().map(|pair| pair.1.1), args[1])
}
