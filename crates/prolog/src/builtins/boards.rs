//! Boards as compound terms. A change makes a new term.
//!
//! These builtins belong to `library(alphorn)`. For other systems, `lib/alphorn.pl` defines them in
//! plain Prolog.

use crate::builtins::arithmetic::integer;
use crate::builtins::lists::proper;
use crate::machine::BuiltinResult;
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::TermView;
use alphorn_text::symbol::atoms;

fn place(store: &mut Store, number: Term, count: usize) -> Result<Option<usize>, Fault> {
    let number = integer(store, number)?;
    Ok((1..=count as i64).contains(&number).then(|| number as usize - 1))
}

fn board(store: &mut Store, term: Term) -> Result<(alphorn_text::symbol::Atom, Vec<Term>), Fault> {
    match store.heap.functor(term) {
        Some((name, 1..)) => Ok((name, store.heap.args(term))),
        None if store.heap.is_var(term) => Err(Fault::instantiation(&mut store.heap)),
        _ => Err(Fault::type_error(&mut store.heap, "compound", term)),
    }
}

/// `put_arg(+I, +Term, +Value, -New)`. Fails if `I` is not in `1..arity`.
pub(super) fn put_arg(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let (name, mut cells) = board(store, args[1])?;
    let Some(at) = place(store, args[0], cells.len())? else { return Ok(false) };
    cells[at] = args[2];
    store.room(cells.len() + 1)?;
    let changed = store.heap.structure(name, &cells);
    store.unify(args[3], changed)
}

/// `put_args(+Term, +[I-Value, ...], -New)`. Of several values for the same `I`, the last is used.
pub(super) fn put_args(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let (name, mut cells) = board(store, args[0])?;
    for pair in proper(store, args[1])? {
        let (number, value) = match store.heap.view(pair) {
            TermView::Compound(atoms::MINUS, [number, value]) => (Term(*number), Term(*value)),
            TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
            _ => return Err(Fault::type_error(&mut store.heap, "pair", pair)),
        };
        match place(store, number, cells.len())? {
            Some(at) => cells[at] = value,
            None => return Ok(false),
        }
    }
    store.room(cells.len() + 1)?;
    let changed = store.heap.structure(name, &cells);
    store.unify(args[2], changed)
}

/// `args_with(+Term, +Value, -I)`. Gives the places of a value in ascending order.
pub(super) fn args_with(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    let (_, cells) = board(store, args[0])?;
    if !store.heap.is_var(args[2]) {
        let at = place(store, args[2], cells.len())?;
        let found = match at {
            Some(at) => store.is_same(cells[at], args[1])?,
            None => false,
        };
        return Ok(if found { BuiltinResult::BoolResult } else { BuiltinResult::No });
    }
    let from = state.and_then(Term::as_small).unwrap_or(0) as usize;
    let mut found = None;
    for (at, cell) in cells.iter().enumerate().skip(from) {
        if store.is_same(*cell, args[1])? {
            if let Some(first) = found {
                store.unify(args[2], Term::small(first as i64 + 1))?;
                return Ok(BuiltinResult::Again(Term::small(at as i64)));
            }
            found = Some(at);
        }
    }
    match found {
        Some(last) => store.unify(args[2], Term::small(last as i64 + 1)).map(|_| BuiltinResult::BoolResult),
        None => Ok(BuiltinResult::No),
    }
}
