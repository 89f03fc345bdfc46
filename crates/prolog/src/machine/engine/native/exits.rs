//! Emits the ways out of a function of native code: to the loop, and to other functions. Says which slots must be in
//! the frame there.

use super::emit::Emit;
use super::repeat::writes;
use crate::machine::ir::{FAIL, Label, Slot};
use cranelift_codegen::ir::{Block, InstBuilder, Value, types::I64};

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

    /// The block that leaves the current operation, or the sequence that contains it, to the loop.
    pub(super) fn exit(&mut self) -> Block {
        if let Some(exit) = self.exit {
            return exit;
        }
        let block = self.b.create_block();
        let place = self.sequence.map_or(self.at, |sequence| sequence.first);
        self.exits.push((block, place, [self.ctx, self.frame, self.before, self.cells]));
        self.exit = Some(block);
        block
    }

    /// Leaves the operation to the loop if `condition` holds. Before this exit the operation may
    /// write only fresh cells and slots.
    pub(super) fn exit_if(&mut self, condition: Value) {
        let next = self.b.create_block();
        let exit = self.exit();
        self.b.ins().brif(condition, exit, &[], next, &[]);
        self.b.switch_to_block(next);
        self.b.seal_block(next);
    }

    /// Emits the blocks that leave to the loop. They share the jump, which is much code.
    pub(super) fn write_exits(&mut self) {
        let exits = std::mem::take(&mut self.exits);
        if exits.is_empty() {
            return;
        }
        let leave = self.meeting();
        let place = self.b.append_block_param(leave, I64);
        for (block, at, [ctx, frame, heap, cells]) in exits {
            self.b.switch_to_block(block);
            self.b.set_cold_block(block);
            let at = self.number(u64::from(at));
            self.b.ins().jump(leave, &[ctx, frame, heap, cells, at].map(Into::into));
        }
        self.b.switch_to_block(leave);
        self.b.set_cold_block(leave);
        let [ctx, frame, heap, cells, _] = *self.b.block_params(leave) else { return };
        let code = self.address(self.common.stubs.exit);
        self.b.ins().return_call_indirect(self.signature, code, &[ctx, frame, heap, cells, place]);
    }

    /// Emits a jump to a label of another function.
    pub(super) fn jump_outside(&mut self, block: Block, label: Label) {
        let [ctx, frame, heap, cells] = *self.b.block_params(block) else { return };
        let place = self.number(u64::from(label));
        let args = [ctx, frame, heap, cells, place];
        if self.is_ours(label) {
            let function = self.function(label);
            self.b.ins().return_call(function, &args);
        } else {
            let code = self.address(if label == FAIL { self.common.stubs.fail } else { self.common.stubs.exit });
            self.b.ins().return_call_indirect(self.signature, code, &args);
        }
    }
}
