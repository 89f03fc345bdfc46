//! Builtins that inspect, take apart, build and compare terms.

use crate::builtins::arithmetic::integer;
use crate::machine::fault::{Cause, Fault};
use crate::machine::store::{ROUND, Store};
use crate::machine::{BoolResult, BuiltinResult};
use crate::term::Term;
use crate::term::heap::{MAX_ARITY, TermView};
use crate::term::pack;
use alphorn_text::symbol::atoms;
use std::cmp::Ordering;

/// Visits that cost no step in builtins that compiled code often avoids.
const FREE_VISITS: u64 = 1 << 20;

pub(super) fn unify(store: &mut Store, args: &[Term]) -> BoolResult {
    store.unify(args[0], args[1])
}

/// Returns whether two terms unify. No binding stays.
fn unifiable(store: &mut Store, left: Term, right: Term) -> BoolResult {
    let trail = store.trail.len();
    let mark = std::mem::replace(&mut store.mark, store.heap.len());
    let found = store.unify(left, right);
    store.undo(trail);
    store.mark = mark;
    found
}

pub(super) fn not_unifiable(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(!unifiable(store, args[0], args[1])?)
}

pub(super) fn unify_occurs(store: &mut Store, args: &[Term]) -> BoolResult {
    unify_finite(store, args[0], args[1])
}

/// Unifies, and fails if the result would be a cyclic term. Each binding is tested when it is made,
/// because unification of two cyclic terms would not terminate.
fn unify_finite(store: &mut Store, first: Term, second: Term) -> BoolResult {
    let mut pairs = vec![(first, second)];
    let mut visits = 0u64;
    while let Some((left, right)) = pairs.pop() {
        store.charge(1)?;
        visits += 1;
        if visits.is_multiple_of(ROUND) {
            store.pairs_end((first, second), visits, pairs.len())?;
        }
        let (left, right) = (store.heap.deref(left), store.heap.deref(right));
        if left == right {
            store.steps_vary |=
                !store.heap.is_var(left) && store.heap.functor(left).is_some_and(|(_, arity)| arity > 0);
            continue;
        }
        let (variable, term) = if store.heap.is_var(left) { (left, right) } else { (right, left) };
        if store.heap.is_var(variable) {
            if occurs(store, variable, term)? || !store.unify(variable, term)? {
                return Ok(false);
            }
            continue;
        }
        if let (TermView::Compound(name, args), TermView::Compound(other, others)) =
            (store.heap.view(left), store.heap.view(right))
        {
            if name != other || args.len() != others.len() {
                return Ok(false);
            }
            pairs.extend(args.iter().zip(others).rev().map(|(a, b)| (Term(*a), Term(*b))));
        } else if !store.unify(left, right)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks that memory has room for the visited terms of a walk and for the terms that remain.
fn room_beside(store: &Store, seen: usize, ahead: usize) -> Result<(), Fault> {
    // A set takes up to four words for each element while it grows.
    if seen.is_multiple_of(4096) { store.room(4 * seen + 2 * ahead) } else { Ok(()) }
}

/// Returns whether a variable occurs in a compound term.
fn occurs(store: &mut Store, variable: Term, term: Term) -> BoolResult {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        let term = store.heap.deref(term);
        if term == variable && !seen.is_empty() {
            return Ok(true);
        }
        if !matches!(store.heap.view(term), TermView::Compound(..)) {
            continue;
        }
        if !seen.insert(term) {
            store.steps_vary = true;
            continue;
        }
        store.charge(1)?;
        room_beside(store, seen.len(), stack.len())?;
        if let TermView::Compound(_, args) = store.heap.view(term) {
            stack.extend(args.iter().map(|cell| Term(*cell)));
        }
    }
    Ok(false)
}

/// Returns whether a term is finite. Unification may build cyclic terms; callers that must not
/// accept them run this test afterwards.
pub(super) fn acyclic(store: &mut Store, term: Term) -> BoolResult {
    // Depth-first search. A compound that is met again while it is open is part of a cycle.
    let mut open = rustc_hash::FxHashSet::default();
    let mut closed = rustc_hash::FxHashSet::default();
    let mut stack = vec![(term, false)];
    while let Some((term, leave)) = stack.pop() {
        store.charge(1)?;
        let term = store.heap.deref(term);
        if leave {
            open.remove(&term);
            closed.insert(term);
            continue;
        }
        if let TermView::Compound(_, args) = store.heap.view(term) {
            if closed.contains(&term) {
                store.steps_vary = true;
                continue;
            }
            if !open.insert(term) {
                store.steps_vary = true;
                return Ok(false);
            }
            room_beside(store, open.len() + closed.len(), 2 * stack.len())?;
            stack.push((term, true));
            stack.extend(args.iter().map(|cell| (Term(*cell), false)));
        }
    }
    Ok(true)
}

pub(super) fn acyclic_term(store: &mut Store, args: &[Term]) -> BoolResult {
    acyclic(store, args[0])
}

fn order(store: &mut Store, args: &[Term]) -> Result<Ordering, Fault> {
    store.compare(args[0], args[1])
}

pub(super) fn same(store: &mut Store, args: &[Term]) -> BoolResult {
    store.is_same(args[0], args[1])
}

pub(super) fn not_same(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(!store.is_same(args[0], args[1])?)
}

pub(super) fn before(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(order(store, args)? == Ordering::Less)
}

pub(super) fn after(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(order(store, args)? == Ordering::Greater)
}

pub(super) fn not_after(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(order(store, args)? != Ordering::Greater)
}

pub(super) fn not_before(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(order(store, args)? != Ordering::Less)
}

pub(super) fn compare(store: &mut Store, args: &[Term]) -> BoolResult {
    match store.heap.view(args[0]) {
        TermView::Var(_) => {}
        TermView::Atom(name) if matches!(&*name.name(), "<" | "=" | ">") => {}
        TermView::Atom(_) => return Err(Fault::domain_error(&mut store.heap, "order", args[0])),
        _ => return Err(Fault::type_error(&mut store.heap, "atom", args[0])),
    }
    let name = match store.compare(args[1], args[2])? {
        Ordering::Less => atoms::LESS,
        Ordering::Equal => atoms::EQUAL,
        Ordering::Greater => atoms::GREATER,
    };
    store.unify(args[0], Term::atom(name))
}

/// Returns whether two terms are equal up to renaming of variables.
pub(super) fn variant(store: &mut Store, args: &[Term]) -> BoolResult {
    let (left, right) = (store.packed(args[0])?, store.packed(args[1])?);
    store.charge(left.words() as u64 / 8)?;
    Ok(left == right)
}

pub(super) fn not_variant(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(!variant(store, args)?)
}

macro_rules! type_tests {
    ($($name:ident: $pattern:pat),* $(,)?) => {
        $(pub(super) fn $name(store: &mut Store, args: &[Term]) -> BoolResult {
            Ok(matches!(store.heap.view(args[0]), $pattern))
        })*
    };
}

type_tests! {
    is_var: TermView::Var(_),
    is_atom: TermView::Atom(_),
    is_integer: TermView::Int(_) | TermView::Big(..),
    is_float: TermView::Float(_),
    is_number: TermView::Int(_) | TermView::Big(..) | TermView::Float(_),
    is_atomic: TermView::Atom(_) | TermView::Int(_) | TermView::Big(..) | TermView::Float(_) | TermView::Text(..),
    is_compound: TermView::Compound(..),
    is_callable: TermView::Atom(_) | TermView::Compound(..),
    is_string: TermView::Text(..),
}

pub(super) fn is_nonvar(store: &mut Store, args: &[Term]) -> BoolResult {
    Ok(!store.heap.is_var(args[0]))
}

pub(super) fn is_list(store: &mut Store, args: &[Term]) -> BoolResult {
    let (items, end) = store.elements(args[0]);
    store.charge(items.len() as u64 / 8)?;
    Ok(end == Term::atom(atoms::NIL))
}

pub(super) fn ground(store: &mut Store, args: &[Term]) -> BoolResult {
    let mut found = Vec::new();
    variables_up_to(store, args[0], (1, 0), &mut found)?;
    Ok(found.is_empty())
}

/// Tests for a ground term without charging steps, because compiled code often needs no test.
pub(super) fn is_ground(store: &mut Store, args: &[Term]) -> BoolResult {
    let mut found = Vec::new();
    variables_up_to(store, args[0], (1, FREE_VISITS), &mut found)?;
    Ok(found.is_empty())
}

pub(super) fn functor(store: &mut Store, args: &[Term]) -> BoolResult {
    if let Some((name, arity)) = match store.heap.view(args[0]) {
        TermView::Var(_) => None,
        TermView::Compound(name, args) => Some((Term::atom(name), args.len())),
        _ => Some((args[0], 0)),
    } {
        return Ok(store.unify(args[1], name)? && store.unify(args[2], Term::small(arity as i64))?);
    }
    let name = store.heap.deref(args[1]);
    match store.heap.view(name) {
        TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
        TermView::Compound(..) => return Err(Fault::type_error(&mut store.heap, "atomic", name)),
        _ => {}
    }
    let arity = integer(store, args[2])?;
    let made = match (store.heap.view(name), arity) {
        (_, i64::MIN..=-1) => return Err(Fault::domain_error(&mut store.heap, "not_less_than_zero", args[2])),
        (_, 0) => name,
        (TermView::Atom(name), arity) if arity as usize <= MAX_ARITY => {
            store.room(2 * arity as usize)?;
            store.charge(arity as u64 / 16)?;
            let fresh: Vec<Term> = (0..arity).map(|_| store.heap.variable()).collect();
            store.heap.structure(name, &fresh)
        }
        (TermView::Atom(_), _) => return Err(Cause::Memory(store.memory).into()),
        _ => return Err(Fault::type_error(&mut store.heap, "atom", name)),
    };
    store.unify(args[0], made)
}

pub(super) fn arg(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    let TermView::Compound(_, parts) = store.heap.view(args[1]) else {
        return Err(if store.heap.is_var(args[1]) {
            Fault::instantiation(&mut store.heap)
        } else {
            Fault::type_error(&mut store.heap, "compound", args[1])
        });
    };
    let count = parts.len();
    if !store.heap.is_var(args[0]) {
        let number = integer(store, args[0])?;
        if number < 0 {
            return Err(Fault::domain_error(&mut store.heap, "not_less_than_zero", args[0]));
        }
        if number == 0 || number as usize > count {
            return Ok(BuiltinResult::No);
        }
        let part = store.heap.arg(args[1], number as usize - 1);
        return Ok(if store.unify(args[2], part)? { BuiltinResult::BoolResult } else { BuiltinResult::No });
    }
    // Arguments that do not unify are skipped here rather than by backtracking.
    let from = state.and_then(Term::as_small).unwrap_or(0) as usize;
    let mut fits = (from..count).filter(|at| may_unify(store, args[2], store.heap.arg(args[1], *at)));
    let Some(at) = fits.next() else { return Ok(BuiltinResult::No) };
    let more = fits.next();
    let part = store.heap.arg(args[1], at);
    let found = store.unify(args[0], Term::small(at as i64 + 1))? && store.unify(args[2], part)?;
    Ok(match (found, more) {
        (false, None) => BuiltinResult::No,
        (true, None) => BuiltinResult::BoolResult,
        (true, Some(next)) => BuiltinResult::Again(Term::small(next as i64)),
        (false, Some(next)) => BuiltinResult::Later(Term::small(next as i64)),
    })
}

/// A fast test: different atoms or small integers never unify.
fn may_unify(store: &Store, left: Term, right: Term) -> bool {
    let simple = |term: Term| term.as_atom().is_some() || term.as_small().is_some();
    let (left, right) = (store.heap.deref(left), store.heap.deref(right));
    left == right || !(simple(left) && simple(right))
}

pub(super) fn univ(store: &mut Store, args: &[Term]) -> BoolResult {
    let nil = Term::atom(atoms::NIL);
    let (name, arity) = match store.heap.view(args[0]) {
        TermView::Var(_) => return made_of(store, args),
        TermView::Compound(name, args) => (Term::atom(name), args.len()),
        _ => (args[0], 0),
    };
    store.charge((arity as u64 + 1) / 16)?;
    let (count, end) = store.heap.length(args[1]);
    if end != nil && !store.heap.is_var(end) {
        store.charge(count as u64 / 16)?;
        return Err(Fault::type_error(&mut store.heap, "list", args[1]));
    }
    let mut list = nil;
    for at in (0..arity).rev() {
        let arg = store.heap.arg(args[0], at);
        list = store.heap.cons(arg, list);
    }
    list = store.heap.cons(name, list);
    store.unify(args[1], list)
}

/// Builds the term of a list that has its name and arguments.
fn made_of(store: &mut Store, args: &[Term]) -> BoolResult {
    let (count, end) = store.heap.length(args[1]);
    store.charge(count as u64 / 16)?;
    if store.heap.is_var(end) {
        return Err(Fault::instantiation(&mut store.heap));
    }
    let is_list = end == Term::atom(atoms::NIL);
    let Some((name, rest)) = store.heap.head_and_tail(args[1]) else {
        return Err(match is_list {
            true => Fault::domain_error(&mut store.heap, "non_empty_list", args[1]),
            false => Fault::type_error(&mut store.heap, "list", args[1]),
        });
    };
    // As in other systems, the error for a wrong name takes precedence over the error for a partial list.
    let made = match store.heap.view(name) {
        TermView::Var(_) => return Err(Fault::instantiation(&mut store.heap)),
        TermView::Atom(name) if is_list => store.heap.structure_of(name, rest, count - 1),
        TermView::Atom(_) => return Err(Fault::type_error(&mut store.heap, "list", args[1])),
        TermView::Compound(..) if count == 1 && is_list => {
            return Err(Fault::type_error(&mut store.heap, "atomic", name));
        }
        _ if count == 1 && is_list => name,
        _ => return Err(Fault::type_error(&mut store.heap, "atom", name)),
    };
    store.unify(args[0], made)
}

pub(super) fn copy_term(store: &mut Store, args: &[Term]) -> BoolResult {
    let (copy, size) = copied(store, args[0])?;
    store.charge(size as u64 / 16)?;
    store.unify(args[1], copy)
}

/// Copies without charging steps, because compiled code does not copy a known lambda expression.
pub(super) fn copy_lambda(store: &mut Store, args: &[Term]) -> BoolResult {
    let (copy, _) = copied(store, args[0])?;
    store.without_charge(|store| store.unify(args[1], copy))
}

/// A copy of a term with new variables, and its size in words.
fn copied(store: &mut Store, term: Term) -> Result<(Term, usize), Fault> {
    let most = store.words_left() / 2;
    pack::copy(&mut store.heap, term, most).ok_or_else(|| store.unpackable(term))
}

/// Returns the variables of a term in order of occurrence.
pub(super) fn variables_of(store: &mut Store, term: Term) -> Result<Vec<Term>, Fault> {
    let mut found = Vec::new();
    variables_up_to(store, term, (usize::MAX, 0), &mut found)?;
    Ok(found)
}

/// Returns the variables of a term. The first `FREE_VISITS` visits cost no steps.
pub(super) fn free_variables_of(store: &mut Store, term: Term) -> Result<Vec<Term>, Fault> {
    let mut found = Vec::new();
    variables_up_to(store, term, (usize::MAX, FREE_VISITS), &mut found)?;
    Ok(found)
}

/// Collects at most `most` variables. The first `free` visits cost no steps. The walk over a cyclic term
/// would not end, so a long walk tests the term once.
fn variables_up_to(
    store: &mut Store,
    term: Term,
    (most, free): (usize, u64),
    found: &mut Vec<Term>,
) -> Result<(), Fault> {
    let mut seen = rustc_hash::FxHashSet::default();
    let whole = term;
    let mut stack = vec![term];
    let (mut visits, mut is_tested) = (0u64, false);
    while let Some(term) = stack.pop() {
        visits += 1;
        if !is_tested && (visits >= ROUND || stack.len() as u64 >= ROUND) {
            store.finite(whole)?;
            is_tested = true;
        }
        if visits.is_multiple_of(ROUND) {
            // The capacity of the stack may just have doubled.
            store.room(2 * stack.len())?;
        }
        if visits > free && visits.is_multiple_of(4) {
            store.charge(1)?;
        }
        let term = store.heap.deref(term);
        match store.heap.view(term) {
            TermView::Var(_) if seen.insert(term) => {
                found.push(term);
                room_beside(store, found.len(), found.len() + stack.len())?;
            }
            TermView::Compound(_, args) => stack.extend(args.iter().rev().map(|cell| Term(*cell))),
            _ => {}
        }
        if found.len() >= most {
            break;
        }
    }
    Ok(())
}

pub(super) fn term_variables(store: &mut Store, args: &[Term]) -> BoolResult {
    let found = variables_of(store, args[0])?;
    let list = store.heap.list(&found, Term::atom(atoms::NIL));
    store.unify(args[1], list)
}

pub(super) fn throw(store: &mut Store, args: &[Term]) -> BoolResult {
    if store.heap.is_var(args[0]) {
        return Err(Fault::instantiation(&mut store.heap));
    }
    Err(Fault::thrown(&store.heap, args[0]))
}

/// Returns whether the first term is more general than the second.
pub(super) fn subsumes_term(store: &mut Store, args: &[Term]) -> BoolResult {
    let trail = store.trail.len();
    let mark = std::mem::replace(&mut store.mark, store.heap.len());
    let before = variables_of(store, args[1])?;
    let unified = unify_finite(store, args[0], args[1]);
    let mut subsumes = matches!(unified, Ok(true));
    if subsumes {
        let all = store.heap.list(&before, Term::atom(atoms::NIL));
        // The variables of the second term may be renamed, but must stay distinct variables.
        subsumes =
            variables_of(store, all)?.len() == before.len() && before.iter().all(|term| store.heap.is_var(*term));
    }
    store.undo(trail);
    store.mark = mark;
    unified.map(|_| subsumes)
}
