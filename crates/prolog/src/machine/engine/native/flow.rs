//! Calls, choice points and collected solutions, in native code.

use super::builtin_calls;
use super::emit::Emit;
use super::helpers::{self, Helper};
use super::{ChoicePoint, Regs};
use crate::machine::ir::{ARGS, FAIL, From, Label, Op, Operand, Slot, SolutionStorage};
use crate::term::INT;
use alphorn_text::signature::BuiltinId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;

impl Emit<'_> {
    /// Counts a step. Leaves to the loop if the budget must be checked or garbage collected, or if
    /// `full` holds.
    pub(super) fn step(&mut self, full: Option<Value>) {
        self.may_step(1, full);
        self.count_steps(1);
    }

    /// Counts several steps, as [`Emit::step`] does.
    pub(super) fn steps(&mut self, count: u32) {
        self.may_step(count, None);
        self.count_steps(count);
    }

    fn may_step(&mut self, count: u32, or: Option<Value>) {
        let fuel = self.reg(offset_of!(Regs, fuel));
        let out = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, fuel, i64::from(count));
        self.exit_if(out);
        if self.roomy != Some(self.heap) {
            let collect = self.reg(offset_of!(Regs, collect));
            let full = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, self.heap, collect);
            self.exit_if(full);
            self.roomy = Some(self.heap);
        }
        if let Some(or) = or {
            self.exit_if(or);
        }
    }

    fn count_steps(&mut self, count: u32) {
        let fuel = self.reg(offset_of!(Regs, fuel));
        let fuel = self.b.ins().iadd_imm_s(fuel, -i64::from(count));
        self.set_reg(offset_of!(Regs, fuel), fuel);
    }

    pub(super) fn proceed(&mut self) {
        let collect = self.reg(offset_of!(Regs, collect));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, self.heap, collect);
        let returns = self.reg(offset_of!(Regs, returns));
        // The loop runs the last return of a round.
        let last = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, returns, 1);
        self.exit_if(full);
        self.exit_if(last);
        let returns = self.b.ins().iadd_imm_s(returns, -1);
        self.set_reg(offset_of!(Regs, returns), returns);
        let place = self.load(self.frame, 0);
        let caller = self.load(self.frame, 8);
        let stack = self.reg(offset_of!(Regs, stack));
        let table = self.reg(offset_of!(Regs, table));
        let offset = self.b.ins().ishl_imm_u(caller, 3);
        let frame = self.b.ins().iadd(stack, offset);
        let offset = self.b.ins().ishl_imm_u(place, 3);
        let code = self.b.ins().iadd(table, offset);
        let code = self.load(code, 0);
        self.b.ins().return_call_indirect(self.signature, code, &[self.ctx, frame, self.heap, self.cells, place]);
    }

    /// The address of the next frame, and whether there is no room for it.
    fn above(&mut self, size: u16) -> (Value, Value) {
        let top = self.reg(offset_of!(Regs, top));
        let new = self.b.ins().iadd_imm_s(self.frame, 8 * i64::from(size));
        let new = self.b.ins().umax(new, top);
        let limit = self.reg(offset_of!(Regs, limit));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, new, limit);
        (new, full)
    }

    /// The index of a frame's first word in the stack.
    fn place_of(&mut self, frame: Value) -> Value {
        let stack = self.reg(offset_of!(Regs, stack));
        let bytes = self.b.ins().isub(frame, stack);
        self.b.ins().ushr_imm_u(bytes, 3)
    }

    pub(super) fn call(&mut self, proc: u32, args: u32, count: u16, size: u16) {
        let (new, full) = self.above(size);
        self.step(Some(full));
        for at in 0..count {
            let value = self.value(self.unit.operands[args as usize + usize::from(at)]);
            self.store(value, new, 8 * i32::from(ARGS + at));
        }
        let back = self.number(u64::from(self.at + 1));
        self.store(back, new, 0);
        let own = self.place_of(self.frame);
        self.store(own, new, 8);
        self.go(proc, new);
    }

    pub(super) fn tail_call(&mut self, proc: u32, args: u32, count: u16, size: u16) {
        let operands = &self.unit.operands[args as usize..];
        let limit = self.reg(offset_of!(Regs, limit));
        let high = self.b.ins().icmp(IntCC::UnsignedGreaterThan, self.frame, limit);
        self.may_step(1, Some(high));
        let stays = |at: u16, operand: Operand| operand.from() == From::Slot(ARGS + at);
        let values: Vec<Option<Value>> = (0..count)
            .map(|at| {
                let operand = operands[usize::from(at)];
                (!stays(at, operand)).then(|| self.value(operand))
            })
            .collect();
        let [here, there] = [(); 2].map(|()| self.b.create_block());
        let top = self.reg(offset_of!(Regs, top));
        let in_place = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, self.frame, top);
        self.b.ins().brif(in_place, here, &[], there, &[]);
        let known = self.known.clone();
        self.b.switch_to_block(there);
        self.b.set_cold_block(there);
        let (new, full) = self.above(size);
        self.exit_if(full);
        self.count_steps(1);
        for (at, value) in (0..count).zip(&values) {
            let value = value.unwrap_or_else(|| self.slot(ARGS + at));
            self.store(value, new, 8 * i32::from(ARGS + at));
        }
        for header in [0, 8] {
            let word = self.load(self.frame, header);
            self.store(word, new, header);
        }
        self.again(proc, new, &values);
        self.known = known;
        self.b.switch_to_block(here);
        self.count_steps(1);
        for (at, value) in (0..count).zip(&values) {
            if let Some(value) = value {
                self.store(*value, self.frame, 8 * i32::from(ARGS + at));
            }
        }
        self.again(proc, self.frame, &values);
    }

    /// Jumps to a procedure, which may be this function, with these arguments in the frame.
    fn again(&mut self, proc: u32, frame: Value, values: &[Option<Value>]) {
        if self.is_here(proc) {
            self.loop_back(values);
            let block = self.target(proc);
            self.b.ins().jump(block, &[self.ctx.into(), frame.into(), self.heap.into(), self.cells.into()]);
        } else {
            self.go(proc, frame);
        }
    }

    /// The number of choice points. Leaves to the loop if there is no room for another.
    fn height(&mut self) -> Value {
        let height = self.reg(offset_of!(Regs, height));
        let room = self.reg(offset_of!(Regs, choices_room));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, height, room);
        self.exit_if(full);
        height
    }

    fn add_choice(&mut self, height: Value, alt: u32, size: u16) {
        let choices = self.reg(offset_of!(Regs, choices));
        let offset = self.b.ins().imul_imm_s(height, size_of::<ChoicePoint>() as i64);
        let choice = self.b.ins().iadd(choices, offset);
        let collectors = self.reg(offset_of!(Regs, collectors));
        let first = self.b.ins().bor_imm_s(collectors, i64::from(alt));
        self.store(first, choice, offset_of!(ChoicePoint, alt) as i32);
        let own = self.place_of(self.frame);
        self.store(own, choice, offset_of!(ChoicePoint, frame) as i32);
        let top = self.reg(offset_of!(Regs, top));
        let end = self.b.ins().iadd_imm_s(self.frame, 8 * i64::from(size));
        let top = self.b.ins().umax(top, end);
        self.set_reg(offset_of!(Regs, top), top);
        let top = self.place_of(top);
        self.store(top, choice, offset_of!(ChoicePoint, top) as i32);
        let cell = self.b.ins().ushr_imm_u(self.heap, 3);
        self.store(cell, choice, offset_of!(ChoicePoint, heap) as i32);
        let trailed = self.reg(offset_of!(Regs, trailed));
        self.store(trailed, choice, offset_of!(ChoicePoint, trail) as i32);
        let height = self.b.ins().iadd_imm_s(height, 1);
        self.set_reg(offset_of!(Regs, height), height);
        self.set_reg(offset_of!(Regs, mark), self.heap);
    }

    pub(super) fn push_choice(&mut self, alt: u32, size: u16) {
        let height = self.height();
        self.add_choice(height, alt, size);
    }

    /// Removes the choice points above a height stored in a slot.
    pub(super) fn cut_to(&mut self, s: Slot) {
        let height = self.slot(s);
        let height = self.b.ins().ushr_imm_u(height, 3);
        let now = self.reg(offset_of!(Regs, height));
        let higher = self.b.ins().icmp(IntCC::UnsignedLessThan, height, now);
        let [cut, done] = [(); 2].map(|()| self.b.create_block());
        self.b.ins().brif(higher, cut, &[], done, &[]);
        self.b.switch_to_block(cut);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, height, 0);
        self.exit_if(none);
        self.set_reg(offset_of!(Regs, height), height);
        let choices = self.reg(offset_of!(Regs, choices));
        let offset = self.b.ins().imul_imm_s(height, size_of::<ChoicePoint>() as i64);
        let choice = self.b.ins().iadd(choices, offset);
        let below = |at: usize| at as i32 - size_of::<ChoicePoint>() as i32;
        let stack = self.reg(offset_of!(Regs, stack));
        let top = self.load(choice, below(offset_of!(ChoicePoint, top)));
        let top = self.b.ins().ishl_imm_u(top, 3);
        let top = self.b.ins().iadd(stack, top);
        self.set_reg(offset_of!(Regs, top), top);
        let mark = self.load(choice, below(offset_of!(ChoicePoint, heap)));
        let mark = self.b.ins().ishl_imm_u(mark, 3);
        self.set_reg(offset_of!(Regs, mark), mark);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
    }

    pub(super) fn begin(&mut self, end: u32, size: u16) {
        let height = self.height();
        self.step(None);
        self.add_choice(height, end, size);
        let none = self.number(0);
        self.helper(helpers::begin, [none, none]);
    }

    /// Keeps a solution, in place or as a copy.
    pub(super) fn keep(&mut self, v: Operand, how: SolutionStorage) {
        self.may_step(1, None);
        let value = self.value(v);
        let keep: Helper = match how {
            SolutionStorage::Share => helpers::keep,
            SolutionStorage::Copy => helpers::keep_copy,
            SolutionStorage::Pack => helpers::keep_ground,
        };
        let full = self.helper(keep, [value, value]);
        let full = self.b.ins().icmp_imm_s(IntCC::Equal, full, helpers::FAULT as i64);
        self.exit_if(full);
        self.count_steps(1);
    }

    pub(super) fn end(&mut self, d: Slot, tail: Operand) {
        let tail = self.value(tail);
        let list = self.helper(helpers::end, [tail, tail]);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, list, 0);
        self.exit_if(none);
        self.set(d, list);
    }

    /// Stores the arguments of a builtin for a helper, and returns the builtin with its arity.
    fn pass(&mut self, id: BuiltinId, args: u32, count: u16) -> Value {
        let values = self.values(args, count);
        for (at, value) in values.into_iter().enumerate() {
            self.set_reg(offset_of!(Regs, args) + 8 * at, value);
        }
        self.number(u64::from(id.0) | u64::from(count) << 32)
    }

    /// Calls a helper that may fault, and returns its result.
    pub(super) fn whole_helper(&mut self, function: Helper, args: [Value; 2]) -> Value {
        let place = self.number(u64::from(self.at));
        self.set_reg(offset_of!(Regs, pc), place);
        let done = self.helper(function, args);
        let bad = self.b.ins().icmp_imm_s(IntCC::Equal, done, helpers::FAULT as i64);
        self.fault_if(bad);
        done
    }

    pub(super) fn once(&mut self, id: BuiltinId, args: u32, count: u16, or: Label) {
        let which = self.pass(id, args, count);
        let done = self.whole_helper(builtin_calls::once, [which, which]);
        self.test(done, or);
    }

    /// Calls a builtin that may succeed again, for the first time or on backtracking.
    pub(super) fn many(&mut self, op: Op) {
        let (Op::Many { id, count, args, state, size } | Op::Again { id, count, args, state, size }) = op else {
            return;
        };
        let first = matches!(op, Op::Many { .. });
        let height = self.height();
        if !first {
            self.step(None);
        }
        let which = self.pass(id, args, count);
        let passed = match first {
            true => {
                let none = self.number(INT);
                self.set(state, none);
                self.number(0)
            }
            false => self.slot(state),
        };
        self.add_choice(height, self.at + u32::from(first), size);
        let done = self.whole_helper(builtin_calls::many, [which, passed]);
        let left = self.reg(offset_of!(Regs, args));
        self.set(state, left);
        self.test(done, FAIL);
        if first {
            self.jump(self.at + 2);
        }
    }

    /// Ends the run if a helper has returned a fault.
    fn fault_if(&mut self, bad: Value) {
        let [fault, fine] = [(); 2].map(|()| self.b.create_block());
        self.b.ins().brif(bad, fault, &[], fine, &[]);
        self.b.switch_to_block(fault);
        self.b.set_cold_block(fault);
        let status = self.number(1);
        self.b.ins().return_(&[status]);
        self.b.switch_to_block(fine);
    }

    pub(super) fn count(&mut self, d: Slot, high: Slot, size: u16, slow: Label) {
        let (low, high) = (self.slot(d), self.slot(high));
        self.expect_ints(low, high, slow);
        let height = self.height();
        let [more, rest] = [(); 2].map(|()| self.b.create_block());
        let less = self.b.ins().icmp(IntCC::SignedLessThan, low, high);
        self.b.ins().brif(less, more, &[], rest, &[]);
        self.b.switch_to_block(rest);
        let last = self.b.ins().icmp(IntCC::Equal, low, high);
        self.leave_if(last, self.at + 2);
        self.jump(FAIL);
        self.b.switch_to_block(more);
        self.add_choice(height, self.at + 1, size);
        self.jump(self.at + 2);
    }

    /// Only the choice point of this operation leads here. It was just popped and is still in memory
    /// above the others, so equal fields are not written again.
    pub(super) fn count_on(&mut self, d: Slot, high: Slot, size: u16, free: bool) {
        let height = self.height();
        if !free {
            self.step(None);
        }
        let low = self.slot(d);
        let next = self.b.ins().iadd_imm_s(low, 8);
        self.set(d, next);
        self.learn(next, INT);
        let high = self.slot(high);
        let [more, done] = [(); 2].map(|()| self.b.create_block());
        let less = self.b.ins().icmp(IntCC::SignedLessThan, next, high);
        self.b.ins().brif(less, more, &[], done, &[]);
        self.b.switch_to_block(more);
        let choices = self.reg(offset_of!(Regs, choices));
        let offset = self.b.ins().imul_imm_s(height, size_of::<ChoicePoint>() as i64);
        let choice = self.b.ins().iadd(choices, offset);
        let top = self.reg(offset_of!(Regs, top));
        let end = self.b.ins().iadd_imm_s(self.frame, 8 * i64::from(size));
        let top = self.b.ins().umax(top, end);
        self.set_reg(offset_of!(Regs, top), top);
        let cell = self.b.ins().ushr_imm_u(self.heap, 3);
        self.store(cell, choice, offset_of!(ChoicePoint, heap) as i32);
        let height = self.b.ins().iadd_imm_s(height, 1);
        self.set_reg(offset_of!(Regs, height), height);
        self.set_reg(offset_of!(Regs, mark), self.heap);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
    }
}
