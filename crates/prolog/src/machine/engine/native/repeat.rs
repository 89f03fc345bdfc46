//! Sequences of operations that the loop can repeat.
//!
//! Such operations only read cells and write slots. If native code leaves to the loop within a sequence,
//! the loop runs the sequence again from its beginning. So a slot that only the sequence reads is not
//! written to the frame, and the sequence needs one exit.

use super::emit::Emit;
use super::plan::Plan;
use crate::machine::ir::{FAIL, From, Label, LinkedCode, Op, Operand, Slot};

/// The addresses of a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Sequence {
    pub(super) first: u32,
    end: u32,
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
fn writes(unit: &LinkedCode, op: &Op, slot: Slot) -> bool {
    let mut found = false;
    op.slots(unit, &mut |_| (), &mut |written| found |= written == slot);
    found
}

impl Plan<'_> {
    /// The sequence that begins at an address, within a block. It ends after an operation that writes a slot which
    /// its beginning reads.
    fn sequence(&self, unit: &LinkedCode, first: u32) -> Sequence {
        let mut end = first;
        while can_repeat(&unit.code[end as usize]) && (end == first || !self.leaders.contains(&end)) {
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

impl Emit<'_> {
    /// Sets where the loop continues if native code leaves at the current operation.
    pub(super) fn begin_operation(&mut self, at: u32) {
        self.at = at;
        if self.sequence.is_some_and(|sequence| sequence.contains(at)) {
            return;
        }
        // The loop counts how often it begins a function or a round of a loop, which does not mean that native code
        // was left there.
        let begins = || Some(self.common.plan.sequence(self.unit, at)).filter(|sequence| sequence.contains(at));
        self.sequence = if self.loops.contains_key(&at) { None } else { begins() };
        (self.before, self.exit) = (self.heap, None);
    }

    /// Whether a slot that the current operation sets must be written to the frame.
    pub(super) fn is_read_from_frame(&self, slot: Slot) -> bool {
        let plan = self.common.plan;
        let Some(sequence) = self.sequence.filter(|_| !plan.kept.contains(&slot)) else { return true };
        for at in self.at + 1..sequence.end {
            let mut op = self.unit.code[at as usize];
            let mut is_read = false;
            op.edges(|label| {
                is_read |= !self.repeats_for(*label) && *label != FAIL && plan.alive.contains(*label, slot)
            });
            if is_read || writes(self.unit, &op, slot) {
                return is_read;
            }
        }
        plan.alive.contains(sequence.end, slot)
    }

    /// Whether the loop runs the current sequence again instead of a jump to this label.
    pub(super) fn repeats_for(&self, label: Label) -> bool {
        self.sequence.is_some() && self.common.plan.is_left(label)
    }
}
