//! Boards as compound terms. A change makes a new term.
//!
//! These builtins belong to `library(alphorn)`. For other systems, `lib/alphorn.pl` defines them in
//! plain Prolog.

use crate::builtins::arithmetic::integer;
use crate::builtins::lists::proper;
use crate::machine::BuiltinResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::heap::TermView;
use crate::term::{REF, TAG, Term};
use alphorn_text::symbol::atoms;

fn place(store: &mut Store, number: Term, count: usize) -> Result<Option<usize>, Fault> {
    let number = integer(store, number)?;
    Ok((1..=count as i64).contains(&number).then(|| number as usize - 1))
}

/// The name and the number of arguments of a compound term.
fn functor(store: &mut Store, term: Term) -> Result<(alphorn_text::symbol::Atom, usize), Fault> {
    match store.heap.functor(term) {
        Some((name, count @ 1..)) => Ok((name, count)),
        None if store.heap.is_var(term) => Err(Fault::instantiation(&mut store.heap)),
        _ => Err(Fault::type_error(&mut store.heap, "compound", term)),
    }
}

/// `put_arg(+I, +Term, +Value, -New)`. Fails if `I` is not in `1..arity`.
pub(super) fn put_arg(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let (name, count) = functor(store, args[1])?;
    let Some(at) = place(store, args[0], count)? else { return Ok(false) };
    store.room(count + 1)?;
    let changed = store.heap.copy_structure(args[1], name);
    store.heap.set_arg(changed, at, args[2]);
    store.unify(args[3], changed)
}

/// `put_args(+Term, +[I-Value, ...], -New)`. Of several values for the same `I`, the last is used.
pub(super) fn put_args(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let (name, count) = functor(store, args[0])?;
    let pairs = proper(store, args[1])?;
    store.room(count + 1)?;
    let changed = store.heap.copy_structure(args[0], name);
    for pair in pairs {
        let (number, value) = match store.heap.view(pair) {
            TermView::Compound(atoms::MINUS, [number, value]) => (Term(*number), Term(*value)),
            TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
            _ => return Err(Fault::type_error(&mut store.heap, "pair", pair)),
        };
        match place(store, number, count)? {
            Some(at) => store.heap.set_arg(changed, at, value),
            None => return Ok(false),
        }
    }
    store.unify(args[2], changed)
}

/// `args_with(+Term, +Value, -I)`. Gives the places of a value in ascending order.
pub(super) fn args_with(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    let (_, count) = functor(store, args[0])?;
    if !store.heap.is_var(args[2]) {
        let at = place(store, args[2], count)?;
        let found = match at {
            Some(at) => store.is_same(store.heap.arg(args[0], at), args[1])?,
            None => false,
        };
        return Ok(if found { BuiltinResult::BoolResult } else { BuiltinResult::No });
    }
    let from = state.and_then(Term::as_small).unwrap_or(0) as usize;
    let Some(first) = next_with(store, args, from, count)? else { return Ok(BuiltinResult::No) };
    let second = next_with(store, args, first + 1, count)?;
    store.unify(args[2], Term::small(first as i64 + 1))?;
    Ok(second.map_or(BuiltinResult::BoolResult, |second| BuiltinResult::Again(Term::small(second as i64))))
}

/// The first place of a value in a compound term, from place `from` on.
fn next_with(store: &mut Store, args: &[Term], from: usize, count: usize) -> Result<Option<usize>, Fault> {
    let wanted = store.heap.deref(args[1]);
    if wanted.is_in_place()
        && let TermView::Compound(_, cells) = store.heap.view(args[0])
    {
        let cells = &cells[from.min(count)..];
        let same = |cell: &u64| *cell == wanted.0 || store.heap.deref(Term(*cell)) == wanted;
        // Most cells hold another constant, and a chunk of them takes a few instructions.
        let may_hold =
            |chunk: &[u64]| chunk.iter().fold(false, |may, cell| may | (*cell == wanted.0) | (*cell & TAG == REF));
        for (number, chunk) in cells.chunks(8).enumerate() {
            if may_hold(chunk)
                && let Some(at) = chunk.iter().position(same)
            {
                return Ok(Some(from + 8 * number + at));
            }
        }
        return Ok(None);
    }
    for at in from..count {
        if store.is_same(store.heap.arg(args[0], at), wanted)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
