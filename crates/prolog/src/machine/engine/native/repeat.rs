//! Sequences of operations that the loop can repeat.
//!
//! Such operations only read cells and write slots. If native code leaves to the loop within a sequence,
//! the loop runs the sequence again from its beginning. So a slot that only the sequence reads is not
//! written to the frame, and the sequence needs one exit.

use super::plan::Plan;
use crate::machine::ir::{From, LinkedCode, Op, Operand, Slot};

/// The greatest number of operations in a sequence. The emitter looks through the rest of a sequence for each slot
/// that it writes.
const LONGEST: u32 = 256;

/// The addresses of a sequence.
#[derive(Clone, Copy)]
pub(super) struct Sequence {
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Sequence {
    pub(super) fn contains(self, at: u32) -> bool {
        (self.first..self.end).contains(&at)
    }
}

/// Whether an operation only reads cells and writes slots.
fn can_repeat(op: &Op) -> bool {
    let adds_no_cell = |v: &Operand| !matches!(v.from(), From::Fresh(_));
    match op {
        Op::Move { v, .. } | Op::Deref { v, .. } => adds_no_cell(v),
        Op::Find { key, .. } => adds_no_cell(key),
        Op::Add { .. }
        | Op::AddK { .. }
        | Op::Sub { .. }
        | Op::Arith { .. }
        | Op::Compare { .. }
        | Op::CompareK { .. }
        | Op::Load { .. }
        | Op::Rest { .. }
        | Op::Arg { .. }
        | Op::ArgK { .. }
        | Op::Arity { .. }
        | Op::Column { .. }
        | Op::IsConst { .. }
        | Op::FieldIs { .. }
        | Op::IsList { .. }
        | Op::IsStruct { .. }
        | Op::Is { .. } => true,
        _ => false,
    }
}

/// Whether an operation writes a slot.
pub(super) fn writes(unit: &LinkedCode, op: &Op, slot: Slot) -> bool {
    let mut found = false;
    op.slots(unit, &mut |_| (), &mut |written| found |= written == slot);
    found
}

impl Plan<'_> {
    /// The sequence that begins at an address, within a block. It ends after an operation that writes a slot which
    /// its beginning reads.
    pub(super) fn sequence(&self, unit: &LinkedCode, first: u32) -> Sequence {
        let mut end = first;
        while end - first < LONGEST
            && can_repeat(&unit.code[end as usize])
            && (end == first || !self.leaders.contains(&end))
        {
            let mut stops = false;
            let mut see = |slot| stops |= self.alive.contains(first, slot);
            unit.code[end as usize].slots(unit, &mut |_| (), &mut see);
            end += 1;
            if stops {
                break;
            }
        }
        Sequence { first, end }
    }
}
