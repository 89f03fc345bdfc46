//! Evaluates expressions: `is/2`, comparisons, `between/3`, `succ/2`, `plus/3` and `divmod/4`.

use crate::builtins::large;
use crate::builtins::number::{self, ArithmeticError, Number};
use crate::machine::BuiltinResult;
use crate::machine::fault::{Cause, Fault};
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::heap::TermView;
use crate::term::short;
use alphorn_text::symbol::{Atom, atoms};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// The greatest nesting of an expression.
const MAX_DEPTH: u32 = 1_000_000;
/// The most cells that a level of an expression takes on the process stack.
const LEVEL: usize = 64;

/// Integers of fewer bits need no computation in pieces.
const ONE_PIECE: u64 = 1 << 12;

/// The greatest work that is done in pieces, in steps: several seconds, in which the budget or an
/// interrupt can end it.
const MOST: u64 = 400_000_000;

/// Evaluates an expression.
pub fn eval(store: &mut Store, term: Term) -> Result<Number, Fault> {
    if let Some(value) = store.heap.deref(term).as_small() {
        return Ok(Number::Int(value));
    }
    nested(store, term, 0)
}

fn nested(store: &mut Store, term: Term, depth: u32) -> Result<Number, Fault> {
    if depth % 128 == 127 {
        if depth > MAX_DEPTH || store.room(LEVEL * depth as usize).is_err() {
            return Err(store.unpackable(term));
        }
        return stacker::maybe_grow(128 << 10, 4 << 20, || value(store, term, depth));
    }
    value(store, term, depth)
}

fn value(store: &mut Store, term: Term, depth: u32) -> Result<Number, Fault> {
    let term = store.heap.deref(term);
    match store.heap.view(term) {
        TermView::Int(value) => Ok(Number::Int(value)),
        TermView::Big(negative, words) => {
            let value = Number::whole(store.heap.big_of(negative, words));
            store.charge(value.words() / 64)?;
            Ok(value)
        }
        TermView::Float(value) => Ok(Number::Float(value)),
        TermView::Var(_) => Err(Fault::instantiation(&mut store.heap)),
        TermView::Text(length, words) => {
            let text = store.heap.text_of(length, words);
            match text.chars().next() {
                Some(c) if text.chars().count() == 1 => Ok(Number::Int(i64::from(u32::from(c)))),
                _ => Err(Fault::type_error(&mut store.heap, "character", term)),
            }
        }
        TermView::Atom(name) => number::constant(&name.name()).ok_or_else(|| not_evaluable(store, name, 0)),
        TermView::Compound(name, [arg]) => {
            let arg = Term(*arg);
            let value = nested(store, arg, depth + 1)?;
            store.charge(value.words() / 64)?;
            match number::unary(&name.name(), &value) {
                Some(result) => finish(store, result),
                None => Err(not_evaluable(store, name, 1)),
            }
        }
        TermView::Compound(name, [left, right]) => {
            let (left, right) = (Term(*left), Term(*right));
            if name == atoms::DOT {
                return match store.heap.deref(right) {
                    nil if nil == Term::atom(atoms::NIL) => nested(store, left, depth + 1),
                    _ => Err(Fault::type_error(&mut store.heap, "evaluable", term)),
                };
            }
            let left = nested(store, left, depth + 1)?;
            let right = nested(store, right, depth + 1)?;
            apply(store, name, &left, &right)
        }
        TermView::Compound(name, args) => {
            let arity = args.len();
            Err(not_evaluable(store, name, arity))
        }
    }
}

fn apply(store: &mut Store, name: Atom, left: &Number, right: &Number) -> Result<Number, Fault> {
    if let (Number::Int(a), Number::Int(b)) = (left, right) {
        let quick = match name {
            atoms::PLUS => a.checked_add(*b),
            atoms::MINUS => a.checked_sub(*b),
            atoms::STAR => a.checked_mul(*b),
            _ => None,
        };
        if let Some(value) = quick {
            return Ok(Number::Int(value));
        }
    }
    let written = name.name();
    let text = &*written;
    let bits = large::growth(text, left, right);
    if bits > 64 && bits / 8 > store.memory.saturating_sub(store.used()) / 4 {
        return Err(resource(store));
    }
    let cost = large::cost(text, left, right);
    if (bits > ONE_PIECE || left.words().max(right.words()) > ONE_PIECE / 64) && large::is_known(text) {
        if cost > MOST {
            return Err(Cause::LongOperation(MOST).into());
        }
        if let Some(value) = large::apply(store, text, left, right)? {
            return Ok(value);
        }
    }
    store.work(cost)?;
    match number::binary(text, left, right) {
        Some(result) => finish(store, result),
        None => Err(not_evaluable(store, name, 2)),
    }
}

fn resource(store: &mut Store) -> Fault {
    Cause::Memory(store.memory).into()
}

fn not_evaluable(store: &mut Store, name: Atom, arity: usize) -> Fault {
    let indicator = Fault::indicator(&mut store.heap, name, arity);
    Fault::type_error(&mut store.heap, "evaluable", indicator)
}

fn finish(store: &mut Store, result: Result<Number, ArithmeticError>) -> Result<Number, Fault> {
    result.map_err(|trouble| match trouble {
        ArithmeticError::ZeroDivisor => Fault::evaluation(&mut store.heap, "zero_divisor"),
        ArithmeticError::Undefined => Fault::evaluation(&mut store.heap, "undefined"),
        ArithmeticError::FloatOverflow => Fault::evaluation(&mut store.heap, "float_overflow"),
        ArithmeticError::Memory => resource(store),
        ArithmeticError::NotInteger(number) => {
            let culprit = to_term(store, &number);
            Fault::type_error(&mut store.heap, "integer", culprit)
        }
        ArithmeticError::NotFloat(number) => {
            let culprit = to_term(store, &number);
            Fault::type_error(&mut store.heap, "float", culprit)
        }
        ArithmeticError::Domain(domain, number) => {
            let culprit = to_term(store, &number);
            Fault::domain_error(&mut store.heap, domain, culprit)
        }
    })
}

/// Makes a term of a number.
pub fn to_term(store: &mut Store, number: &Number) -> Term {
    match number {
        Number::Int(value) => store.heap.integer(*value),
        Number::Big(value) => store.heap.big(value),
        Number::Float(value) => store.heap.float(*value),
    }
}

pub(super) fn is(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    if let Some(value) = short::evaluate(&store.heap, args[1]) {
        let value = value.to_term(&mut store.heap);
        return store.unify(args[0], value);
    }
    let value = eval(store, args[1])?;
    if let Number::Big(big) = &value {
        store.room(big.bits() as usize / 64 + 2)?;
    }
    let value = to_term(store, &value);
    store.unify(args[0], value)
}

fn ordered(store: &mut Store, args: &[Term]) -> Result<Option<Ordering>, Fault> {
    if let Some(order) = short::compare(&store.heap, args[0], args[1]) {
        return Ok(Some(order));
    }
    let left = eval(store, args[0])?;
    let right = eval(store, args[1])?;
    Ok(number::compare(&left, &right))
}

pub(super) fn equal(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    Ok(ordered(store, args)? == Some(Ordering::Equal))
}

pub(super) fn unequal(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    Ok(ordered(store, args)? != Some(Ordering::Equal))
}

pub(super) fn less(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    Ok(ordered(store, args)? == Some(Ordering::Less))
}

pub(super) fn greater(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    Ok(ordered(store, args)? == Some(Ordering::Greater))
}

pub(super) fn at_most(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    Ok(matches!(ordered(store, args)?, Some(Ordering::Less | Ordering::Equal)))
}

pub(super) fn at_least(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    Ok(matches!(ordered(store, args)?, Some(Ordering::Greater | Ordering::Equal)))
}

/// Returns an integer argument, clamped to 64 bits. An unbound variable or another term is an error.
pub(super) fn integer(store: &mut Store, term: Term) -> Result<i64, Fault> {
    match store.heap.view(term) {
        TermView::Int(value) => Ok(value),
        TermView::Big(false, _) => Ok(i64::MAX),
        TermView::Big(true, _) => Ok(i64::MIN),
        TermView::Var(_) => Err(Fault::instantiation(&mut store.heap)),
        _ => Err(Fault::type_error(&mut store.heap, "integer", term)),
    }
}

/// Returns an integer argument of any size.
pub(super) fn whole(store: &mut Store, term: Term) -> Result<BigInt, Fault> {
    let near = integer(store, term)?;
    Ok(match eval(store, term)? {
        Number::Big(value) => value,
        Number::Int(value) => value.into(),
        Number::Float(_) => near.into(),
    })
}

pub(super) fn between(store: &mut Store, args: &[Term], state: Option<Term>) -> Result<BuiltinResult, Fault> {
    let endless = matches!(store.heap.view(args[1]), TermView::Atom(atoms::INF | atoms::INFINITE));
    let small = |at: usize| store.heap.deref(args[at]).as_small();
    if let (Some(low), Some(high)) = (small(0), if endless { Some(i64::MAX) } else { small(1) })
        && store.heap.is_var(args[2])
    {
        return next_between(store, args, low, high, state);
    }
    let low = whole(store, args[0])?;
    let high = if endless { None } else { Some(whole(store, args[1])?) };
    let is_in = |value: &BigInt| high.as_ref().is_none_or(|high| value <= high);
    if !store.heap.is_var(args[2]) {
        let value = whole(store, args[2])?;
        return Ok(if low <= value && is_in(&value) { BuiltinResult::BoolResult } else { BuiltinResult::No });
    }
    let passed = state.and_then(Term::as_small).unwrap_or(0);
    let value = low + passed;
    if !is_in(&value) {
        return Ok(BuiltinResult::No);
    }
    let last = high.as_ref() == Some(&value);
    let value = to_term(store, &Number::Big(value));
    store.unify(args[2], value)?;
    Ok(if last { BuiltinResult::BoolResult } else { BuiltinResult::Again(Term::small(passed + 1)) })
}

/// Gives the next integer of a range whose bounds are small integers.
fn next_between(
    store: &mut Store,
    args: &[Term],
    low: i64,
    high: i64,
    state: Option<Term>,
) -> Result<BuiltinResult, Fault> {
    let passed = state.and_then(Term::as_small).unwrap_or(0);
    let Some(value) = low.checked_add(passed).filter(|value| *value <= high) else {
        return Ok(BuiltinResult::No);
    };
    let value_term = store.heap.integer(value);
    store.unify(args[2], value_term)?;
    Ok(if value == high { BuiltinResult::BoolResult } else { BuiltinResult::Again(Term::small(passed + 1)) })
}

pub(super) fn succ(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let natural = |store: &mut Store, term: Term| match store.heap.view(term) {
        TermView::Var(_) => Ok(None),
        TermView::Int(0..) | TermView::Big(false, _) => eval(store, term).map(Some),
        TermView::Int(_) | TermView::Big(..) => Err(Fault::domain_error(&mut store.heap, "not_less_than_zero", term)),
        _ => Err(Fault::type_error(&mut store.heap, "integer", term)),
    };
    let (small, large) = (natural(store, args[0])?, natural(store, args[1])?);
    let (known, by, target) = match (small, large) {
        (Some(small), _) => (small, Number::Int(1), args[1]),
        (None, Some(Number::Int(0))) => return Ok(false),
        (None, Some(large)) => (large, Number::Int(-1), args[0]),
        (None, None) => return Err(Fault::instantiation(&mut store.heap)),
    };
    let value = apply(store, atoms::PLUS, &known, &by)?;
    let value = to_term(store, &value);
    store.unify(target, value)
}

pub(super) fn plus(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let small = |at: usize| store.heap.deref(args[at]).as_small();
    if let (Some(left), Some(right)) = (small(0), small(1))
        && store.heap.is_var(args[2])
    {
        let sum = store.heap.integer(left + right);
        return store.unify(args[2], sum);
    }
    let unbound: Vec<usize> = (0..3).filter(|at| store.heap.is_var(args[*at])).collect();
    let (name, left, right, target) = match unbound.as_slice() {
        [] | [2] => (atoms::PLUS, args[0], args[1], args[2]),
        [0] => (atoms::MINUS, args[2], args[1], args[0]),
        [1] => (atoms::MINUS, args[2], args[0], args[1]),
        _ => return Err(Fault::instantiation(&mut store.heap)),
    };
    let left = eval(store, left)?;
    let right = eval(store, right)?;
    let value = apply(store, name, &left, &right)?;
    let value = to_term(store, &value);
    store.unify(target, value)
}

/// `divmod(+Dividend, +Divisor, -Quotient, -Remainder)`.
pub(super) fn divmod(store: &mut Store, args: &[Term]) -> Result<bool, Fault> {
    let left = eval(store, args[0])?;
    let right = eval(store, args[1])?;
    for (name, target) in [("div", args[2]), ("mod", args[3])] {
        let value = apply(store, Atom::new(name), &left, &right)?;
        let value = to_term(store, &value);
        if !store.unify(target, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}
