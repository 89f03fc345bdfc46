//! What all functions of a procedure share while they are emitted: the code, the plan, the stubs.

use super::Regs;
use super::plan::Plan;
use crate::machine::ir::LinkedCode;
use cranelift_codegen::isa::CallConv;
use cranelift_module::FuncId;
use rustc_hash::FxHashMap;

/// A function of `quiet.rs`.
#[derive(Clone, Copy)]
pub(super) enum QuietHelper {
    Same,
    Order,
    Find,
    Solid,
}

/// The number of quiet helpers.
pub(super) const QUIET: usize = 4;

/// Shared pieces of code: see `stubs.rs`.
#[derive(Clone, Copy)]
pub(super) struct Stubs {
    pub(super) exit: *const u8,
    pub(super) fail: *const u8,
    /// The stub of each quiet helper.
    pub(super) quiet: [*const u8; QUIET],
}

/// What all functions of a procedure share.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) unit: &'a LinkedCode,
    pub(super) plan: &'a Plan<'a>,
    pub(super) functions: &'a FxHashMap<u32, FuncId>,
    pub(super) regs: *const Regs,
    pub(super) stubs: Stubs,
    pub(super) helper_convention: CallConv,
}
