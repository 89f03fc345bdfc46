//! Emits native code for each operation.
//!
//! Each arm does the same as the arm in `run.rs`; read them side by side.

use super::Regs;
use super::common::QuietHelper;
use super::emit::Emit;
use super::helpers;
use crate::machine::ir::{FAIL, Label, Op, Slot};
use crate::term::{ATOM, INT, LST, REF, STR};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;

impl Emit<'_> {
    pub(super) fn op(&mut self, op: Op) {
        match op {
            Op::Fail | Op::Jump { .. } => self.jump(if let Op::Jump { to } = op { to } else { FAIL }),
            Op::Proceed => self.proceed(),
            Op::Call { proc, args, count, size } => self.call(proc, args, count, size),
            Op::TailCall { proc, args, count, size } => self.tail_call(proc, args, count, size),
            Op::Push { alt, size } => self.push_choice(alt, size),
            Op::Height { d } => {
                let height = self.reg(offset_of!(Regs, height));
                let height = self.b.ins().ishl_imm_u(height, 3);
                let height = self.b.ins().bor_imm_s(height, INT as i64);
                self.set(d, height);
            }
            Op::CutTo { s } => self.cut_to(s),
            Op::Begin { end, size } => self.begin(end, size),
            Op::Keep { v, how } => self.keep(v, how),
            Op::End { d, tail } => self.end(d, tail),
            Op::IsConst { s, k, or } => {
                let value = self.slot(s);
                let word = self.unit.consts[k as usize];
                let same = self.b.ins().icmp_imm_s(IntCC::Equal, value, word as i64);
                self.test(same, or);
            }
            Op::FieldIs { s, at, k, or } => {
                let whole = self.slot(s);
                let cell = self.field(whole, at);
                let word = self.unit.consts[k as usize];
                let same = self.b.ins().icmp_imm_s(IntCC::Equal, cell, word as i64);
                self.test(same, or);
            }
            Op::IsList { s, or } => {
                let value = self.slot(s);
                self.expect(value, LST, or);
            }
            Op::IsStruct { s, k, or } => {
                let value = self.slot(s);
                self.expect(value, STR, or);
                let name = self.field(value, 0);
                let word = self.unit.consts[k as usize];
                let same = self.b.ins().icmp_imm_s(IntCC::Equal, name, word as i64);
                self.test(same, or);
            }
            Op::Rest { d, s, or } => {
                let value = self.slot(s);
                self.expect(value, LST, or);
                let rest = self.field(value, 1);
                self.set(d, rest);
            }
            Op::Same { a, b, or, .. } => {
                self.same(a, b, true, or);
            }
            Op::Differ { a, b, or, .. } => {
                self.same(a, b, false, or);
            }
            Op::Is { what, s, or } => self.is(what, s, or),
            Op::IsSolid { s, or } => {
                let value = self.slot(s);
                let holds = self.quiet_helper(QuietHelper::Solid, [value, value]);
                self.test(holds, or);
            }
            Op::Switch { s, table } => self.switch(s, table),
            Op::Move { d, v } => {
                let value = self.value(v);
                self.set(d, value);
            }
            Op::Load { d, s, at } => {
                let whole = self.slot(s);
                let value = self.field(whole, at);
                self.set(d, value);
            }
            Op::Deref { d, v } => {
                let value = self.value(v);
                let value = self.deref(value);
                self.set(d, value);
            }
            Op::NewVar { d } => {
                let fresh = self.heap;
                self.push(fresh);
                self.set(d, fresh);
                self.learn(fresh, REF);
            }
            Op::Cons { d, head, tail } => {
                let head = self.value(head);
                let tail = self.value(tail);
                let cell = self.tagged(LST);
                self.push(head);
                self.push(tail);
                self.set(d, cell);
            }
            Op::Build { d, k, args, count } => self.build(d, k, args, count),
            Op::Out { s, v } => {
                let value = self.value(v);
                let destination = self.slot(s);
                self.write_out(destination, value);
            }
            Op::OutVar { d, s } => self.out_var(d, s),
            Op::OutCons { s, head } => {
                let head = self.value(head);
                let destination = self.slot(s);
                let cell = self.tagged(LST);
                self.write_out(destination, cell);
                let tail = self.tagged(crate::term::FWD);
                let empty = self.number(INT);
                self.push(head);
                self.push(empty);
                self.set(s, tail);
            }
            Op::Add { .. } | Op::AddK { .. } | Op::Sub { .. } | Op::Arith { .. } => self.arithmetic(op),
            Op::Compare { .. } | Op::CompareK { .. } => self.comparison(op),
            Op::Eval { d, formula, slow } => {
                let value = self.formula(formula, slow);
                self.set(d, value);
            }
            Op::EvalCompare { formula, or, slow } => {
                let holds = self.formula(formula, slow);
                self.test(holds, or);
            }
            Op::Once { id, count, args, or } => self.once(id, args, count, or),
            Op::Count { d, high, size, slow } => self.count(d, high, size, slow),
            Op::CountOn { d, high, size, free } => self.count_on(d, high, size, free),
            Op::Find { row, key, table, or } => self.find(row, key, table, or),
            Op::Column { d, row, start, arity } => {
                let row = self.slot(row);
                let row = self.b.ins().sshr_imm_u(row, 3);
                let offset = self.b.ins().imul_imm_s(row, 8 * i64::from(arity));
                let consts = self.reg(offset_of!(Regs, consts));
                let at = self.b.ins().iadd(consts, offset);
                let value = self.load(at, 8 * start as i32);
                self.set(d, value);
            }
            Op::Arg { d, i, t, or, slow } => self.arg(d, i, t, or, slow),
            Op::ArgK { d, i, t, or, slow } => self.arg_const(d, i, t, or, slow),
            Op::Order { d, a, b, slow } => {
                let (a, b) = (self.value(a), self.value(b));
                let found = self.quiet_helper(QuietHelper::Order, [a, b]);
                let unknown = self.b.ins().icmp_imm_s(IntCC::Equal, found, helpers::FAULT as i64);
                self.leave_if(unknown, slow);
                self.learn(found, ATOM);
                self.set(d, found);
            }
            Op::Arity { d, t, slow } => {
                let whole = self.slot(t);
                let (count, _) = self.count_args(whole, slow);
                let count = self.integer(count);
                self.set(d, count);
            }
            Op::PutArg { d, args, or, slow } => self.put_arg(d, args, or, slow),
            Op::Many { .. } | Op::Again { .. } => self.many(op),
            Op::Unify { s, template } => {
                let (slot, template) = (self.number(u64::from(s)), self.number(u64::from(template)));
                let done = self.whole_helper(helpers::unify_template, [slot, template]);
                self.test(done, FAIL);
            }
            Op::UnifyAny { a, b } => self.unify_any(a, b),
            _ => unreachable!("left to the loop, or steps, which `block` emits"),
        }
    }

    /// Tags a small integer.
    fn integer(&mut self, number: Value) -> Value {
        let value = self.b.ins().ishl_imm_u(number, 3);
        let value = self.b.ins().bor_imm_s(value, INT as i64);
        self.learn(value, INT);
        value
    }

    /// Continues if a value has a tag, else at the label.
    pub(super) fn expect(&mut self, value: Value, tag: u64, or: Label) {
        match self.tag(value) {
            Some(own) if own == tag => {}
            Some(_) => {
                // The following code is unreachable, but must exist.
                let never = self.number(0);
                self.test(never, or);
                self.learn(value, tag);
            }
            None => {
                let fits = self.has_tag(value, tag);
                self.test(fits, or);
                self.learn(value, tag);
            }
        }
    }

    fn build(&mut self, d: Slot, k: u32, args: u32, count: u16) {
        let whole = self.tagged(STR);
        let name = self.constant(k);
        self.push(name);
        for at in 0..u32::from(count) {
            let value = self.value(self.unit.operands[(args + at) as usize]);
            self.push(value);
        }
        self.set(d, whole);
    }

    /// Writes to an output argument. A cell older than the last choice point goes on the trail.
    pub(super) fn write_out(&mut self, destination: Value, value: Value) {
        let place = self.destination(destination);
        let mark = self.reg(offset_of!(Regs, mark));
        let old = self.b.ins().icmp(IntCC::UnsignedLessThan, place, mark);
        let [trail, done] = [(); 2].map(|()| self.b.create_block());
        self.b.ins().brif(old, trail, &[], done, &[]);

        self.b.switch_to_block(trail);
        self.b.set_cold_block(trail);
        let trailed = self.reg(offset_of!(Regs, trailed));
        let room = self.reg(offset_of!(Regs, trail_room));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, trailed, room);
        self.exit_if(full);
        let entries = self.reg(offset_of!(Regs, trail));
        let offset = self.b.ins().ishl_imm_u(trailed, 3);
        let entry = self.b.ins().iadd(entries, offset);
        let cell = self.b.ins().ushr_imm_u(place, 3);
        let tail = match self.tag(destination) {
            Some(REF) => None,
            _ => {
                let bit = self.b.ins().band_imm_s(destination, 4);
                Some(self.b.ins().ishl_imm_u(bit, 61))
            }
        };
        let cell = match tail {
            Some(tail) => self.b.ins().bor(cell, tail),
            None => cell,
        };
        self.store(cell, entry, 0);
        let trailed = self.b.ins().iadd_imm_s(trailed, 1);
        self.set_reg(offset_of!(Regs, trailed), trailed);
        self.b.ins().jump(done, &[]);

        self.b.switch_to_block(done);
        let address = self.b.ins().iadd(self.cells, place);
        self.store(value, address, 0);
    }

    fn out_var(&mut self, d: Slot, s: Slot) {
        let destination = self.slot(s);
        if self.tag(destination) == Some(REF) {
            self.write_out(destination, destination);
            self.set(d, destination);
            return;
        }
        let is_tail = self.b.ins().band_imm_s(destination, 4);
        let fresh = self.heap;
        let variable = self.b.ins().select(is_tail, fresh, destination);
        // If the output is no list tail, the new cell is not kept.
        let address = self.b.ins().iadd(self.cells, self.heap);
        self.store(fresh, address, 0);
        let after = self.b.ins().iadd_imm_s(self.heap, 8);
        let heap = self.b.ins().select(is_tail, after, self.heap);
        self.write_out(destination, variable);
        self.heap = heap;
        self.set(d, variable);
        self.learn(variable, REF);
    }
}
