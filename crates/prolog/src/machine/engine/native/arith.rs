//! Arithmetic on small integers, in native code.
//!
//! Operations work on tagged words. Other operands, and results outside of the range of small
//! integers, take the slow path.

use super::emit::Emit;
use crate::machine::ir::{Function, IntComparison, Label, Op, Slot};
use crate::term::{INT, TAG};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

const CLEAR: i64 = !(TAG as i64);

/// The value of a function of two numbers, if it needs no slow path.
fn constant(f: Function, a: i64, b: i64) -> Option<i64> {
    match f {
        Function::And => Some(a & b),
        Function::Or => Some(a | b),
        Function::Xor => Some(a ^ b),
        Function::Min => Some(a.min(b)),
        Function::Max => Some(a.max(b)),
        Function::Not => Some(!a),
        Function::Neg => a.checked_neg(),
        Function::Abs => a.checked_abs(),
        Function::Mul => a.checked_mul(b),
        Function::ShiftRight => (0..64).contains(&b).then(|| a >> b),
        Function::ShiftLeft => (0..61).contains(&b).then(|| a << b).filter(|value| value >> b == a),
        Function::Div if b > 0 => Some(a / b),
        Function::Rem if b > 0 => Some(a % b),
        Function::Mod if b > 0 => Some(a.rem_euclid(b)),
        Function::PopCount if a >= 0 => Some(i64::from(a.count_ones())),
        Function::Msb if a > 0 => Some(i64::from(a.ilog2())),
        _ => None,
    }
}

impl Emit<'_> {
    /// Continues if both values are small integers, else at `slow`.
    pub(super) fn expect_ints(&mut self, a: Value, b: Value, slow: Label) {
        for value in [a, b] {
            if self.tag(value) != Some(INT) {
                let is = self.has_tag(value, INT);
                self.test(is, slow);
                self.learn(value, INT);
            }
        }
    }

    fn expect_int(&mut self, value: Value, slow: Label) {
        self.expect_ints(value, value, slow);
    }

    fn result(&mut self, d: Slot, value: Value) {
        self.set(d, value);
        self.learn(value, INT);
    }

    pub(super) fn arithmetic(&mut self, op: Op) {
        match op {
            Op::Add { d, a, b, slow } | Op::Sub { d, a, b, slow } => {
                let (a, b) = (self.slot(a), self.slot(b));
                let f = if matches!(op, Op::Add { .. }) { i64::checked_add } else { i64::checked_sub };
                if self.folded(d, (a, b), f) {
                    return;
                }
                self.expect_ints(a, b, slow);
                let b = match self.known_number(b) {
                    Some(number) => self.number((number & CLEAR) as u64),
                    None => self.b.ins().band_imm_s(b, CLEAR),
                };
                let (value, over) = match op {
                    Op::Add { .. } => self.b.ins().sadd_overflow(a, b),
                    _ => self.b.ins().ssub_overflow(a, b),
                };
                self.leave_if(over, slow);
                self.result(d, value);
            }
            Op::AddK { d, a, k, slow } => {
                let a = self.slot(a);
                if self.folded(d, (a, a), |a, _| a.checked_add(i64::from(k))) {
                    return;
                }
                self.expect_int(a, slow);
                let k = self.number((i64::from(k) << 3) as u64);
                let (value, over) = self.b.ins().sadd_overflow(a, k);
                self.leave_if(over, slow);
                self.result(d, value);
            }
            Op::Arith { f, d, a, b, slow } => {
                let (a, b) = (self.slot(a), self.slot(b));
                if self.folded(d, (a, b), |a, b| constant(f, a, b)) {
                    return;
                }
                self.expect_ints(a, b, slow);
                let value = self.computed(f, a, b, slow);
                self.result(d, value);
            }
            _ => unreachable!("no arithmetic"),
        }
    }

    /// Sets a slot to a function of two constants, if both are small integers and so is the result.
    fn folded(&mut self, d: Slot, (a, b): (Value, Value), f: impl Fn(i64, i64) -> Option<i64>) -> bool {
        let numbers = self.known_small(a).zip(self.known_small(b));
        let value = numbers.and_then(|(a, b)| f(a, b)).and_then(|value| self.small(value));
        value.map(|value| self.result(d, value)).is_some()
    }

    /// The small integer that a value always is, if it was emitted as a constant.
    fn known_small(&self, value: Value) -> Option<i64> {
        self.known_number(value).filter(|word| *word as u64 & TAG == INT).map(|word| word >> 3)
    }

    /// A small integer as a constant; `None` if the number is too large.
    fn small(&mut self, number: i64) -> Option<Value> {
        let word = number << 3;
        (word >> 3 == number).then(|| self.number(word as u64 | INT))
    }

    /// Emits a function of two tagged integers, whose result is a tagged integer.
    fn computed(&mut self, f: Function, a: Value, b: Value, slow: Label) -> Value {
        match f {
            Function::And => self.b.ins().band(a, b),
            Function::Or => self.b.ins().bor(a, b),
            Function::Xor => {
                let value = self.b.ins().bxor(a, b);
                self.b.ins().bor_imm_s(value, INT as i64)
            }
            Function::Min => self.b.ins().smin(a, b),
            Function::Max => self.b.ins().smax(a, b),
            Function::Not => self.b.ins().bxor_imm_s(a, CLEAR),
            Function::PopCount => {
                let odd = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, a, 0);
                self.leave_if(odd, slow);
                // The tag has one set bit.
                let value = self.b.ins().popcnt(a);
                let value = self.b.ins().iadd_imm_s(value, -1);
                self.whole(value)
            }
            Function::Msb => {
                let odd = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, a, 8);
                self.leave_if(odd, slow);
                let above = self.b.ins().clz(a);
                let all = self.number(63 - 3);
                let value = self.b.ins().isub(all, above);
                self.whole(value)
            }
            Function::Neg | Function::Abs => {
                let zero = self.number(INT * 2);
                let (negated, over) = self.b.ins().ssub_overflow(zero, a);
                self.leave_if(over, slow);
                if f == Function::Neg {
                    return negated;
                }
                let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, a, 0);
                self.b.ins().select(negative, negated, a)
            }
            Function::Mul => {
                let (a, b) = if self.known_small(a).is_some() { (b, a) } else { (a, b) };
                let first = self.b.ins().band_imm_s(a, CLEAR);
                let second = match self.known_small(b) {
                    Some(number) => self.number(number as u64),
                    None => self.b.ins().sshr_imm_u(b, 3),
                };
                let (value, over) = self.b.ins().smul_overflow(first, second);
                self.leave_if(over, slow);
                self.b.ins().bor_imm_s(value, INT as i64)
            }
            Function::ShiftRight if let Some(by @ 0..64) = self.known_small(b) => {
                let value = self.b.ins().sshr_imm_u(a, by);
                let value = self.b.ins().band_imm_s(value, CLEAR);
                self.b.ins().bor_imm_s(value, INT as i64)
            }
            Function::ShiftRight => {
                let by = self.b.ins().sshr_imm_u(b, 3);
                let far = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, by, 64);
                self.leave_if(far, slow);
                let value = self.b.ins().sshr(a, by);
                let value = self.b.ins().band_imm_s(value, CLEAR);
                self.b.ins().bor_imm_s(value, INT as i64)
            }
            Function::ShiftLeft => {
                let by = match self.known_small(b) {
                    Some(by @ 0..61) => self.number(by as u64),
                    _ => {
                        let by = self.b.ins().sshr_imm_u(b, 3);
                        let far = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, by, 61);
                        self.leave_if(far, slow);
                        by
                    }
                };
                let from = self.b.ins().band_imm_s(a, CLEAR);
                let value = self.b.ins().ishl(from, by);
                let back = self.b.ins().sshr(value, by);
                let lost = self.b.ins().icmp(IntCC::NotEqual, back, from);
                self.leave_if(lost, slow);
                self.b.ins().bor_imm_s(value, INT as i64)
            }
            Function::Div | Function::Mod | Function::Rem => {
                if f == Function::Mod
                    && let Some(divisor) = self.known_small(b)
                    && divisor > 0
                    && (divisor as u64).is_power_of_two()
                {
                    // The words of these bits, for negative numbers too.
                    return self.b.ins().band_imm_s(a, (divisor - 1) << 3 | INT as i64);
                }
                let a = self.b.ins().sshr_imm_u(a, 3);
                let b = match self.known_small(b) {
                    Some(divisor) => self.number(divisor as u64),
                    None => self.b.ins().sshr_imm_u(b, 3),
                };
                let value = self.quotient(f, a, b, slow);
                self.whole(value)
            }
        }
    }

    /// Tags a small integer.
    fn whole(&mut self, value: Value) -> Value {
        let value = self.b.ins().ishl_imm_u(value, 3);
        self.b.ins().bor_imm_s(value, INT as i64)
    }

    /// Emits a division of untagged integers. The divisors 0 and -1 take the slow path: only with -1
    /// a quotient leaves the range.
    fn quotient(&mut self, f: Function, a: Value, b: Value, slow: Label) -> Value {
        if self.known_number(b).is_none_or(|divisor| (-1..=0).contains(&divisor)) {
            let next = self.b.ins().iadd_imm_s(b, 1);
            let odd = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, next, 1);
            self.leave_if(odd, slow);
        }
        match f {
            Function::Div => self.b.ins().sdiv(a, b),
            Function::Rem => self.b.ins().srem(a, b),
            _ => {
                let rest = self.b.ins().srem(a, b);
                let signs = self.b.ins().bxor(rest, b);
                let differ = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
                let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
                let turn = self.b.ins().band(differ, some);
                let turned = self.b.ins().iadd(rest, b);
                self.b.ins().select(turn, turned, rest)
            }
        }
    }

    pub(super) fn comparison(&mut self, op: Op) {
        let code = |order: IntComparison| match order {
            IntComparison::Less => IntCC::SignedLessThan,
            IntComparison::AtMost => IntCC::SignedLessThanOrEqual,
            IntComparison::Greater => IntCC::SignedGreaterThan,
            IntComparison::AtLeast => IntCC::SignedGreaterThanOrEqual,
            IntComparison::Equal => IntCC::Equal,
            IntComparison::Unequal => IntCC::NotEqual,
        };
        match op {
            Op::Compare { order, a, b, or, slow } => {
                let (a, b) = (self.slot(a), self.slot(b));
                self.expect_ints(a, b, slow);
                let holds = self.b.ins().icmp(code(order), a, b);
                self.test(holds, or);
            }
            Op::CompareK { order, a, k, or, slow } => {
                let a = self.slot(a);
                self.expect_int(a, slow);
                let k = (i64::from(k) << 3) | INT as i64;
                let holds = self.b.ins().icmp_imm_s(code(order), a, k);
                self.test(holds, or);
            }
            _ => unreachable!("no comparison"),
        }
    }
}
