//! Emits the values of operands: constants, cells of compounds, output cells.

use super::emit::Emit;
use crate::machine::ir::{From, Operand};
use crate::term::{INT, REF, TAG};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value};

impl Emit<'_> {
    /// Tests the tag of a value.
    pub(super) fn has_tag(&mut self, value: Value, tag: u64) -> Value {
        let own = self.b.ins().band_imm_s(value, TAG as i64);
        self.b.ins().icmp_imm_s(IntCC::Equal, own, tag as i64)
    }

    /// A constant of the unit.
    pub(super) fn constant(&mut self, number: u32) -> Value {
        let word = self.unit.consts[number as usize];
        let value = self.number(word);
        self.learn(value, word & TAG);
        value
    }

    /// The number that a value always is, if it was emitted as a constant.
    pub(super) fn known_number(&self, value: Value) -> Option<i64> {
        match self.b.func.dfg.insts[self.b.func.dfg.value_def(value).inst()?] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.into()),
            _ => None,
        }
    }

    /// The address of a compound's cells, and an offset to add.
    pub(super) fn compound(&mut self, value: Value) -> (Value, i32) {
        match self.tag(value) {
            Some(tag) => (self.b.ins().iadd(self.cells, value), -(tag as i32)),
            None => {
                let place = self.b.ins().band_imm_s(value, !(TAG as i64));
                (self.b.ins().iadd(self.cells, place), 0)
            }
        }
    }

    /// Loads a cell of a compound, by its distance from the first.
    pub(super) fn field(&mut self, value: Value, at: u16) -> Value {
        let (address, less) = self.compound(value);
        self.load(address, 8 * i32::from(at) + less)
    }

    /// The position of an output argument's cell.
    pub(super) fn destination(&mut self, value: Value) -> Value {
        if self.tag(value) == Some(REF) {
            return value;
        }
        let place = self.b.ins().band_imm_s(value, !(TAG as i64));
        let tail = self.b.ins().band_imm_s(value, 4);
        let tail = self.b.ins().ishl_imm_u(tail, 1);
        self.b.ins().iadd(place, tail)
    }

    /// Appends a cell to the heap.
    pub(super) fn push(&mut self, value: Value) {
        let (begin, end) = self.heap_offset();
        let address = self.b.ins().iadd(self.cells, begin);
        self.store(value, address, end);
        self.heap = self.b.ins().iadd_imm_s(begin, i64::from(end) + 8);
        self.appended = Some((self.heap, begin, end + 8));
    }

    /// The end of the heap as a value and a number: that of the first of adjacent cells, and their size. So no address
    /// waits for the one before.
    fn heap_offset(&self) -> (Value, i32) {
        match self.appended {
            Some((heap, begin, end)) if heap == self.heap => (begin, end),
            _ => (self.heap, 0),
        }
    }

    /// A tagged pointer to the next free cell.
    pub(super) fn tagged(&mut self, tag: u64) -> Value {
        let (begin, end) = self.heap_offset();
        let value = self.b.ins().iadd_imm_s(begin, i64::from(end) + tag as i64);
        self.learn(value, tag);
        value
    }

    /// The value of an operand.
    pub(super) fn value(&mut self, operand: Operand) -> Value {
        match operand.from() {
            From::Slot(slot) => self.slot(slot),
            From::Const(number) => self.constant(number),
            From::Field(slot, at) => {
                let whole = self.slot(slot);
                self.field(whole, at)
            }
            From::Cell(slot) => {
                let destination = self.slot(slot);
                let place = self.destination(destination);
                let address = self.b.ins().iadd(self.cells, place);
                self.load(address, 0)
            }
            From::Fresh(slot) => {
                let fresh = self.heap;
                let empty = self.number(INT);
                self.push(empty);
                self.set(slot, fresh);
                self.learn(fresh, REF);
                fresh
            }
        }
    }

    /// The values of adjacent operands.
    pub(super) fn values(&mut self, args: u32, count: u16) -> Vec<Value> {
        (0..u32::from(count)).map(|at| self.value(self.unit.operands[(args + at) as usize])).collect()
    }
}
