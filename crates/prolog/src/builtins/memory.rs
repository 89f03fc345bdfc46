//! Memories for `limit/2`, `distinct/2`, `findnsols/4` and similar predicates.
//!
//! A memory has a number. It keeps counts and terms of earlier solutions, which backtracking does
//! not undo. Rules cannot call these builtins; only `solution_sequences.pl` does. Its predicates
//! are pure, because each call makes a new memory and no other call has its number.

use crate::machine::BoolResult;
use crate::machine::fault::Fault;
use crate::machine::scratch::ScratchData;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::pack::{Packed, unpack};

/// `'$memory'(-Id)`. Makes a new memory.
pub(super) fn new(store: &mut Store, args: &[Term]) -> BoolResult {
    charge_bytes(store, size_of::<ScratchData>())?;
    let id = store.memories.len() as i64;
    store.memories.push(ScratchData::default());
    store.unify(args[0], Term::small(id))
}

/// `'$tick'(+Id, ?Count)`. Increments the counter and gives it; the first count is 1.
pub(super) fn tick(store: &mut Store, args: &[Term]) -> BoolResult {
    let Some(memory) = place(store, args[0]) else { return Ok(false) };
    memory.count += 1;
    let count = memory.count as i64;
    store.unify(args[1], Term::small(count))
}

/// `'$first'(+Id, @Term)`. Succeeds if the memory has not yet seen a variant of the term.
pub(super) fn first(store: &mut Store, args: &[Term]) -> BoolResult {
    let packed = packed(store, args[1])?;
    let bytes = size_of::<Packed>() + packed.bytes() as usize;
    let Some(memory) = place(store, args[0]) else { return Ok(false) };
    let is_new = memory.met.insert(packed);
    charge_bytes(store, if is_new { bytes } else { 0 })?;
    Ok(is_new)
}

/// `'$keep'(+Id, @Term, ?Count)`. Keeps a term. `Count` is the number of kept terms.
pub(super) fn keep(store: &mut Store, args: &[Term]) -> BoolResult {
    let packed = packed(store, args[1])?;
    charge_bytes(store, size_of::<Packed>() + packed.bytes() as usize)?;
    let Some(memory) = place(store, args[0]) else { return Ok(false) };
    memory.kept.push(packed);
    let count = memory.kept.len() as i64;
    store.unify(args[2], Term::small(count))
}

/// `'$kept'(+Id, -List, ?Tail)`. Removes all kept terms and gives them as a list.
pub(super) fn kept(store: &mut Store, args: &[Term]) -> BoolResult {
    let Some(memory) = place(store, args[0]) else { return Ok(false) };
    let kept = std::mem::take(&mut memory.kept);
    store.room(kept.iter().map(|packed| packed.words() + 2).sum())?;
    let items: Vec<Term> = kept.iter().map(|packed| unpack(&mut store.heap, packed)).collect();
    let list = store.heap.list(&items, args[2]);
    store.unify(args[1], list)
}

fn place(store: &mut Store, id: Term) -> Option<&mut ScratchData> {
    let id = store.heap.deref(id).as_small()?;
    store.memories.get_mut(usize::try_from(id).ok()?)
}

fn packed(store: &mut Store, term: Term) -> Result<Packed, Fault> {
    let packed = store.packed_in(term, store.words_left() / 2)?;
    store.charge(packed.words() as u64 / 16)?;
    Ok(packed)
}

/// Charges bytes outside the heap to the budget.
fn charge_bytes(store: &mut Store, bytes: usize) -> Result<(), Fault> {
    store.aside += bytes as u64;
    store.charge(1)?;
    store.room(0)
}
