//! Functions with which native code calls builtins and general arithmetic.
//!
//! # Safety
//!
//! Only native code may call the helpers, with registers that `load_registers()` has filled.

#![allow(unsafe_code)]

use super::helpers::{FAULT, take_over};
use super::{MOST_ARGS, Regs};
use crate::machine::{BuiltinCode, BuiltinResult};
use crate::term::{INT, Term};
use alphorn_text::signature::BuiltinId;

/// Runs a builtin with the arguments in the registers. Returns 1, 0 or [`FAULT`].
pub(super) unsafe extern "C" fn once(regs: *mut Regs, _: *mut u64, _: usize, _: *mut u64, which: u64, _: u64) -> u64 {
    // SAFETY: the engine waits for native code, and accesses neither `engine` nor `regs` meanwhile. The arguments are no
    // part of what the engine changes, nobody reads them after `load_store()`, and a term is a word.
    let (engine, args) = unsafe {
        let args = (&raw const (*regs).args).cast::<Term>();
        (&mut *(*regs).engine, std::slice::from_raw_parts(args, (which >> 32) as usize))
    };
    // The builtin sees only the store.
    engine.save_store();
    let done = engine.run_once(BuiltinId(which as u16), args);
    engine.load_store();
    match done {
        Ok(done) => u64::from(done),
        Err(fault) => engine.failed(fault),
    }
}

/// The value of a formula with the arguments in the registers: a term, 1 or 0 for a comparison, or [`FAULT`] if general
/// arithmetic must find the value.
pub(super) unsafe extern "C" fn formula(
    regs: *mut Regs,
    _: *mut u64,
    _: usize,
    _: *mut u64,
    number: u64,
    _: u64,
) -> u64 {
    // SAFETY: as in `once`.
    let (engine, args) = unsafe {
        let args = (&raw const (*regs).args).cast::<Term>();
        (&mut *(*regs).engine, std::slice::from_raw_parts(args, MOST_ARGS))
    };
    engine.save_store();
    let found = engine.formula_value(number as u32, args);
    engine.load_store();
    found.unwrap_or(FAULT)
}

/// Runs a builtin that may succeed again: first with `passed` 0, then with the state that it left in
/// the first argument register. Its choice point was created before, and is removed if there are no
/// more answers.
pub(super) unsafe extern "C" fn many(
    regs: *mut Regs,
    _: *mut u64,
    _: usize,
    _: *mut u64,
    which: u64,
    passed: u64,
) -> u64 {
    let id = BuiltinId(which as u16);
    let state = (passed != 0).then_some(Term(passed));
    // SAFETY: as in `once`.
    let engine = unsafe { &mut *(*regs).engine };
    let Some(BuiltinCode::Many(run)) = engine.library.runs.get(usize::from(id.0)).copied() else {
        // SAFETY: as in `once`.
        return unsafe { next_of_table(regs, which, state) };
    };
    // SAFETY: as in `once`.
    let args = unsafe {
        let args = (&raw const (*regs).args).cast::<Term>();
        std::slice::from_raw_parts(args, (which >> 32) as usize)
    };
    engine.save_store();
    let done = run(&mut engine.store, args, state);
    engine.load_store();
    let (done, left) = match done {
        Ok(BuiltinResult::Again(left)) => (1, left.0),
        Ok(BuiltinResult::Later(left)) => (0, left.0),
        Ok(over) => {
            // SAFETY: as in `once`. The last choice point is that of this builtin, so there is one.
            unsafe { drop_choice(&mut *regs) };
            (u64::from(matches!(over, BuiltinResult::BoolResult)), INT)
        }
        Err(fault) => (engine.failed(fault), INT),
    };
    // SAFETY: as in `once`.
    unsafe { (*regs).args[0] = left };
    done
}

/// Removes the last choice point. There must be one.
#[inline]
unsafe fn drop_choice(regs: &mut Regs) {
    regs.height -= 1;
    let (mut top, mut mark) = (0, 0);
    if regs.height > 0 {
        // SAFETY: the choice points below the height are initialised.
        let choice = unsafe { &*regs.choices.add(regs.height - 1) };
        (top, mark) = (choice.top, choice.heap);
    }
    // SAFETY: a choice point keeps words of the stack.
    regs.top = unsafe { regs.stack.add(top) };
    regs.mark = 8 * mark;
}

/// The next answer of a table, for which the engine needs its whole state. The arguments and the result are those of
/// [`many`].
unsafe fn next_of_table(regs: *mut Regs, which: u64, state: Option<Term>) -> u64 {
    // SAFETY: as in `once`.
    let engine = unsafe { take_over(regs, (which >> 32) as usize) };
    let done = engine.many(BuiltinId(which as u16), state);
    let (done, left) = match done {
        Ok(BuiltinResult::Again(left)) => (Ok(1), left.0),
        Ok(BuiltinResult::Later(left)) => (Ok(0), left.0),
        Ok(over) => {
            engine.choices.pop();
            engine.store.mark = engine.choices.last().map_or(0, |choice| choice.heap);
            (Ok(u64::from(matches!(over, BuiltinResult::BoolResult))), INT)
        }
        Err(fault) => (Err(fault), INT),
    };
    let done = engine.give_back(done);
    // SAFETY: as in `once`.
    unsafe { (*regs).args[0] = left };
    done
}
