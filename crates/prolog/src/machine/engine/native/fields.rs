//! Arguments of compounds and columns of fact tables, in native code.

use super::Regs;
use super::common::QuietHelper;
use super::emit::Emit;
use super::helpers;
use crate::machine::ir::{Label, MOST_CELLS, Operand, Slot};
use crate::term::heap::{FUNCTOR, header};
use crate::term::{INT, LST, STR};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types::I64};
use std::mem::offset_of;

impl Emit<'_> {
    pub(super) fn find(&mut self, row: Slot, key: Operand, table: u32, or: Label) {
        let key = self.value(key);
        let number = table;
        let table = &self.unit.tables[number as usize];
        if table.keys.len() <= 4 {
            // Compares the keys in order; the first match counts.
            let done = self.b.create_block();
            self.b.append_block_param(done, I64);
            for (word, label) in &table.keys {
                let next = self.b.create_block();
                let same = self.b.ins().icmp_imm_s(IntCC::Equal, key, *word as i64);
                let number = self.number((u64::from(*label) << 3) | INT);
                self.b.ins().brif(same, done, &[number.into()], next, &[]);
                self.b.switch_to_block(next);
            }
            let none = self.number((u64::from(u32::MAX) << 3) | INT);
            self.b.ins().jump(done, &[none.into()]);
            self.b.switch_to_block(done);
            let found = self.b.block_params(done)[0];
            self.set(row, found);
        } else {
            let at = self.number(u64::from(number));
            let found = self.quiet_helper(QuietHelper::Find, [at, key]);
            self.set(row, found);
        }
        let found = self.slot(row);
        let none = ((u64::from(u32::MAX) << 3) | INT) as i64;
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, found, none);
        self.leave_if(missing, or);
        self.learn(found, INT);
    }

    /// The number of arguments of a compound, and the address before the first; jumps to `slow` if
    /// the value is no compound.
    pub(super) fn count_args(&mut self, whole: Value, slow: Label) -> (Value, Value) {
        let known = self.tag(whole);
        if known == Some(LST) {
            let address = self.b.ins().iadd(self.cells, whole);
            let before = self.b.ins().iadd_imm_s(address, -(LST as i64) - 8);
            return (self.number(2), before);
        }
        if known == Some(STR) {
            let first = self.b.ins().iadd(self.cells, whole);
            let first = self.b.ins().iadd_imm_s(first, -(STR as i64));
            let head = self.load(first, 0);
            let count = self.b.ins().ushr_imm_u(head, 5);
            return (self.b.ins().band_imm_s(count, (1 << 27) - 1), first);
        }
        let [done, list, other] = [(); 3].map(|()| self.b.create_block());
        let structure = self.b.create_block();
        self.b.append_block_param(done, I64);
        self.b.append_block_param(done, I64);
        let is = self.has_tag(whole, STR);
        self.b.ins().brif(is, structure, &[], other, &[]);
        self.b.switch_to_block(structure);
        let first = self.b.ins().iadd(self.cells, whole);
        let first = self.b.ins().iadd_imm_s(first, -(STR as i64));
        let head = self.load(first, 0);
        let count = self.b.ins().ushr_imm_u(head, 5);
        let count = self.b.ins().band_imm_s(count, (1 << 27) - 1);
        self.b.ins().jump(done, &[count.into(), first.into()]);
        self.b.switch_to_block(other);
        let is = self.has_tag(whole, LST);
        let (block, args) = self.way(slow);
        self.b.ins().brif(is, list, &[], block, &args);
        self.b.switch_to_block(list);
        let two = self.number(2);
        let address = self.b.ins().iadd(self.cells, whole);
        let before = self.b.ins().iadd_imm_s(address, -(LST as i64) - 8);
        self.b.ins().jump(done, &[two.into(), before.into()]);
        self.b.switch_to_block(done);
        (self.b.block_params(done)[0], self.b.block_params(done)[1])
    }

    pub(super) fn arg(&mut self, d: Slot, i: Slot, t: Slot, or: Label, slow: Label) {
        let (number, whole) = (self.slot(i), self.slot(t));
        if self.tag(number) != Some(INT) {
            let is = self.has_tag(number, INT);
            self.test(is, slow);
            self.learn(number, INT);
        }
        let (count, before) = self.count_args(whole, slow);
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, number, 0);
        self.leave_if(negative, slow);
        let index = self.b.ins().ushr_imm_u(number, 3);
        let less = self.b.ins().iadd_imm_s(index, -1);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, less, count);
        self.test(fits, or);
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let address = self.b.ins().iadd(before, offset);
        let value = self.load(address, 0);
        self.set(d, value);
    }

    pub(super) fn arg_const(&mut self, d: Slot, i: u16, t: Slot, or: Label, slow: Label) {
        let whole = self.slot(t);
        let (count, before) = self.count_args(whole, slow);
        let fits = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, count, i64::from(i));
        self.test(fits, or);
        let value = self.load(before, 8 * i32::from(i));
        self.set(d, value);
    }

    pub(super) fn put_arg(&mut self, d: Slot, args: u32, or: Label, slow: Label) {
        let [number, whole, value] = [0, 1, 2].map(|at| self.value(self.unit.operands[args as usize + at]));
        self.expect(number, INT, slow);
        self.expect(whole, STR, slow);
        let first = self.b.ins().iadd(self.cells, whole);
        let first = self.b.ins().iadd_imm_s(first, -(STR as i64));
        let head = self.load(first, 0);
        let count = self.b.ins().ushr_imm_u(head, 5);
        let count = self.b.ins().band_imm_s(count, (1 << 27) - 1);
        let many = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, count, MOST_CELLS as i64);
        self.leave_if(many, slow);
        let index = self.b.ins().ushr_imm_u(number, 3);
        let less = self.b.ins().iadd_imm_s(index, -1);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, less, count);
        self.test(fits, or);
        self.set_reg(offset_of!(Regs, args), value);
        let at = self.b.ins().isub(first, self.cells);
        let bytes = self.helper(helpers::put_arg, [at, index]);
        let board = self.tagged(STR);
        self.heap = self.b.ins().iadd(self.heap, bytes);
        self.set(d, board);
        const { assert!(FUNCTOR == 0 && header(0, 1, 0) >> 5 == 1) };
    }
}
