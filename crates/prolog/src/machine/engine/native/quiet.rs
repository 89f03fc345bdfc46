//! The quiet helpers: functions that native code calls to look at terms and tables. They change nothing.
//!
//! # Safety
//!
//! Only native code may call the helpers, with registers that `load_registers()` has filled.

#![allow(unsafe_code)]

use super::Regs;
use super::helpers::FAULT;
use crate::term::{ATOM, INT, TAG, quick};

/// Whether two ground compounds with one tag are equal: 1, 0, or [`FAULT`] if a full comparison must
/// decide.
pub(super) unsafe extern "C" fn quick_same(regs: *const Regs, a: u64, b: u64) -> u64 {
    // SAFETY: see the module.
    unsafe { quick::same((*regs).cells, a, b) }.map_or(FAULT, u64::from)
}

/// The order of two ground terms as an atom, or [`FAULT`] if a full comparison must decide.
pub(super) unsafe extern "C" fn quick_order(regs: *const Regs, a: u64, b: u64) -> u64 {
    // SAFETY: see the module.
    unsafe { quick::order_name((*regs).cells, a, b) }.map_or(FAULT, |name| name.0)
}

/// Whether a term is surely ground and contains no references.
pub(super) unsafe extern "C" fn is_solid(regs: *const Regs, term: u64, _: u64) -> u64 {
    // SAFETY: see the module.
    u64::from(unsafe { quick::is_solid((*regs).cells, term) })
}

/// Finds the row of a table by a key.
pub(super) unsafe extern "C" fn find(regs: *const Regs, number: u64, key: u64) -> u64 {
    // SAFETY: the compiler emits only table numbers of the unit.
    let table = unsafe { &*(*regs).tables.add(number as usize) };
    let found = if matches!(key & TAG, ATOM | INT) { table.find(key) } else { u32::MAX };
    (u64::from(found) << 3) | INT
}
