//! Formulas with floats, in native code.
//!
//! Native code computes with floats of 64 bits. A small integer among the arguments is converted, if this is exact.
//! In all other cases, and if the result of an operation on two integers might not be exact, the helper evaluates the
//! whole formula.

use super::emit::Emit;
use super::{MOST_ARGS, Regs};
use super::{builtin_calls, helpers};
use crate::machine::ir::{Formula, IntComparison, Label};
use crate::term::heap::{FLOAT, header};
use crate::term::short::{FormulaPart, ShortFunction, ShortNumber};
use crate::term::{BOX, INT, TAG};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use std::mem::offset_of;

/// Integers below this size are floats without rounding.
const EXACT: f64 = (1u64 << 53) as f64;

/// What is known of the type of a value.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// It is a float.
    Float,
    /// It is a float if an argument is one.
    Promoted,
    /// It may be any of its arguments.
    Any,
}

impl Kind {
    fn of_two(function: ShortFunction, left: Kind, right: Kind) -> Option<Kind> {
        match function {
            ShortFunction::Add | ShortFunction::Sub | ShortFunction::Mul | ShortFunction::Divide => {
                Some(match (left, right) {
                    (Kind::Float, _) | (_, Kind::Float) => Kind::Float,
                    (Kind::Any, _) | (_, Kind::Any) => Kind::Any,
                    _ => Kind::Promoted,
                })
            }
            ShortFunction::Min | ShortFunction::Max => {
                Some(if (left, right) == (Kind::Float, Kind::Float) { Kind::Float } else { Kind::Any })
            }
            _ => None,
        }
    }

    fn of_one(function: ShortFunction, value: Kind) -> Option<Kind> {
        match function {
            ShortFunction::Neg | ShortFunction::Abs | ShortFunction::Same => Some(value),
            ShortFunction::Sqrt | ShortFunction::ToFloat => Some(Kind::Float),
            _ => None,
        }
    }
}

/// The kinds of the values of a formula, if native code can compute with floats: the functions are known, and the result
/// is a float unless all arguments are integers.
fn kinds(formula: &Formula) -> Option<Vec<Kind>> {
    let mut kinds = Vec::new();
    for part in &formula.parts {
        let kind = match *part {
            FormulaPart::Arg(_) => Kind::Promoted,
            FormulaPart::Number(ShortNumber::Float(_)) => Kind::Float,
            FormulaPart::Number(ShortNumber::Int(value)) => {
                (value.unsigned_abs() < EXACT as u128).then_some(Kind::Promoted)?
            }
            FormulaPart::Unary(function) => Kind::of_one(function, kinds.pop()?)?,
            FormulaPart::Binary(function) => {
                let right = kinds.pop()?;
                Kind::of_two(function, kinds.pop()?, right)?
            }
        };
        kinds.push(kind);
    }
    // Without arguments, the result of two integers may be an integer.
    let is_float = match kinds[..] {
        [Kind::Promoted] => formula.count > 0,
        [kind] => kind == Kind::Float,
        _ => formula.order.is_some(),
    };
    is_float.then_some(kinds)
}

impl Emit<'_> {
    /// Evaluates a formula, and leaves for `slow` if it has no value.
    pub(super) fn formula(&mut self, number: u32, slow: Label) -> Value {
        let formula = &self.unit.formulas[number as usize];
        let args = self.values(formula.args, formula.count);
        debug_assert!(args.len() <= MOST_ARGS);
        match kinds(formula) {
            Some(kinds) => self.float_formula(formula, &args, &kinds, number, slow),
            None => self.general_formula(&args, number, slow),
        }
    }

    fn general_formula(&mut self, args: &[Value], number: u32, slow: Label) -> Value {
        for (at, value) in args.iter().enumerate() {
            self.set_reg(offset_of!(Regs, args) + 8 * at, *value);
        }
        let number = self.number(u64::from(number));
        let value = self.helper(builtin_calls::formula, [number, number]);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, value, helpers::FAULT as i64);
        self.leave_if(none, slow);
        value
    }

    fn float_formula(&mut self, formula: &Formula, args: &[Value], roots: &[Kind], number: u32, slow: Label) -> Value {
        let [general, join] = [(); 2].map(|()| self.b.create_block());
        self.b.set_cold_block(general);
        let state: Vec<Value> = [I64; 5].map(|kind| self.b.append_block_param(join, kind)).to_vec();
        let heap = self.heap;

        let (mut floats, mut any) = (Vec::new(), None);
        for arg in args {
            let (value, is_float) = self.float_of(*arg, general);
            floats.push(value);
            any = Some(match any {
                Some(any) => self.b.ins().bor(any, is_float),
                None => is_float,
            });
        }
        let values = self.float_values(formula, &floats, general);
        let result = match (formula.order, &values[..]) {
            (Some(order), [left, right]) => {
                self.expect_finite(*left, general);
                self.expect_finite(*right, general);
                let condition = match order {
                    IntComparison::Less => FloatCC::LessThan,
                    IntComparison::AtMost => FloatCC::LessThanOrEqual,
                    IntComparison::Greater => FloatCC::GreaterThan,
                    IntComparison::AtLeast => FloatCC::GreaterThanOrEqual,
                    IntComparison::Equal => FloatCC::Equal,
                    IntComparison::Unequal => FloatCC::NotEqual,
                };
                let holds = self.b.ins().fcmp(condition, *left, *right);
                self.b.ins().uextend(I64, holds)
            }
            (_, [.., value]) => {
                self.expect_finite(*value, general);
                if let ([Kind::Promoted], Some(any)) = (roots, any) {
                    self.continue_if(any, general);
                }
                let whole = self.tagged(BOX);
                let name = self.number(header(FLOAT, 0, 1));
                self.push(name);
                let bits = self.b.ins().bitcast(I64, MemFlagsData::new(), *value);
                self.push(bits);
                whole
            }
            _ => unreachable!("a formula has a value"),
        };
        let out = [result, self.ctx, self.frame, self.heap, self.cells].map(Into::into);
        self.b.ins().jump(join, &out);

        self.b.switch_to_block(general);
        self.b.seal_block(general);
        self.heap = heap;
        self.appended = None;
        let result = self.general_formula(args, number, slow);
        let out = [result, self.ctx, self.frame, self.heap, self.cells].map(Into::into);
        self.b.ins().jump(join, &out);

        self.b.switch_to_block(join);
        self.b.seal_block(join);
        (self.ctx, self.frame, self.heap, self.cells) = (state[1], state[2], state[3], state[4]);
        (self.before, self.exit, self.appended) = (self.heap, None, None);
        state[0]
    }

    /// Continues if a condition holds, else in another block.
    fn continue_if(&mut self, condition: Value, or: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, next, &[], or, &[]);
        self.b.switch_to_block(next);
        self.b.seal_block(next);
    }

    /// An argument as a float, and whether it is one.
    fn float_of(&mut self, value: Value, general: Block) -> (Value, Value) {
        let [int, boxed, next] = [(); 3].map(|()| self.b.create_block());
        let float = self.b.append_block_param(next, F64);
        let is_float = self.b.append_block_param(next, I8);
        let is_int = self.has_tag(value, INT);
        self.b.ins().brif(is_int, int, &[], boxed, &[]);
        self.b.switch_to_block(int);
        self.b.seal_block(int);
        let small = self.b.ins().sshr_imm_u(value, 3);
        let from_least = self.b.ins().iadd_imm_s(small, EXACT as i64);
        let is_exact = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, from_least, 2 * EXACT as i64);
        self.continue_if(is_exact, general);
        let converted = self.b.ins().fcvt_from_sint(F64, small);
        let no = self.b.ins().iconst(I8, 0);
        self.b.ins().jump(next, &[converted.into(), no.into()]);

        self.b.switch_to_block(boxed);
        self.b.seal_block(boxed);
        let is_boxed = self.has_tag(value, BOX);
        self.continue_if(is_boxed, general);
        let place = self.b.ins().band_imm_s(value, !(TAG as i64));
        let address = self.b.ins().iadd(self.cells, place);
        let name = self.load(address, 0);
        let is_named = self.b.ins().icmp_imm_s(IntCC::Equal, name, header(FLOAT, 0, 1) as i64);
        self.continue_if(is_named, general);
        let bits = self.load(address, 8);
        let loaded = self.b.ins().bitcast(F64, MemFlagsData::new(), bits);
        let yes = self.b.ins().iconst(I8, 1);
        self.b.ins().jump(next, &[loaded.into(), yes.into()]);

        self.b.switch_to_block(next);
        self.b.seal_block(next);
        (float, is_float)
    }

    /// The values of a formula. Other cases than those of the module's head continue in `general`.
    fn float_values(&mut self, formula: &Formula, args: &[Value], general: Block) -> Vec<Value> {
        let mut values: Vec<(Value, Kind)> = Vec::new();
        let known = "`kinds` has looked at the formula";
        for part in &formula.parts {
            let value = match *part {
                FormulaPart::Arg(at) => (args[usize::from(at)], Kind::Promoted),
                FormulaPart::Number(ShortNumber::Float(value)) => (self.b.ins().f64const(value), Kind::Float),
                FormulaPart::Number(ShortNumber::Int(value)) => (self.b.ins().f64const(value as f64), Kind::Promoted),
                FormulaPart::Unary(function) => {
                    let (value, kind) = values.pop().expect(known);
                    (self.float_of_one(function, value, kind, general), Kind::of_one(function, kind).expect(known))
                }
                FormulaPart::Binary(function) => {
                    let (right, other) = values.pop().expect(known);
                    let (left, kind) = values.pop().expect(known);
                    let kind = Kind::of_two(function, kind, other).expect(known);
                    (self.float_of_two(function, left, right, kind, general), kind)
                }
            };
            values.push(value);
        }
        values.into_iter().map(|(value, _)| value).collect()
    }

    fn float_of_one(&mut self, function: ShortFunction, value: Value, kind: Kind, general: Block) -> Value {
        match function {
            ShortFunction::Neg => {
                // The integer 0 has no sign.
                if kind != Kind::Float {
                    self.expect_not_zero(value, general);
                }
                self.b.ins().fneg(value)
            }
            ShortFunction::Abs => self.b.ins().fabs(value),
            ShortFunction::Sqrt => {
                let zero = self.b.ins().f64const(0.0);
                let fits = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, value, zero);
                self.continue_if(fits, general);
                self.b.ins().sqrt(value)
            }
            _ => value,
        }
    }

    fn float_of_two(
        &mut self,
        function: ShortFunction,
        left: Value,
        right: Value,
        kind: Kind,
        general: Block,
    ) -> Value {
        let value = match function {
            ShortFunction::Add => self.b.ins().fadd(left, right),
            ShortFunction::Sub => self.b.ins().fsub(left, right),
            ShortFunction::Mul => self.b.ins().fmul(left, right),
            ShortFunction::Divide => {
                self.expect_not_zero(right, general);
                let value = self.b.ins().fdiv(left, right);
                // A divisor without bounds gives 0, and so do some integers.
                self.expect_not_zero(value, general);
                return value;
            }
            _ => {
                // The result may hide an overflow. Of equal numbers, the result is one of the two.
                self.expect_finite(left, general);
                self.expect_finite(right, general);
                let differ = self.b.ins().fcmp(FloatCC::OrderedNotEqual, left, right);
                self.continue_if(differ, general);
                let condition = if function == ShortFunction::Max { FloatCC::GreaterThan } else { FloatCC::LessThan };
                let first = self.b.ins().fcmp(condition, left, right);
                return self.b.ins().select(first, left, right);
            }
        };
        if kind != Kind::Float {
            if function == ShortFunction::Mul {
                self.expect_not_zero(value, general);
            }
            let size = self.b.ins().fabs(value);
            let most = self.b.ins().f64const(EXACT);
            let is_exact = self.b.ins().fcmp(FloatCC::LessThan, size, most);
            self.continue_if(is_exact, general);
        }
        value
    }

    fn expect_not_zero(&mut self, value: Value, general: Block) {
        let zero = self.b.ins().f64const(0.0);
        let differs = self.b.ins().fcmp(FloatCC::OrderedNotEqual, value, zero);
        self.continue_if(differs, general);
    }

    fn expect_finite(&mut self, value: Value, general: Block) {
        let size = self.b.ins().fabs(value);
        let most = self.b.ins().f64const(f64::INFINITY);
        let is_finite = self.b.ins().fcmp(FloatCC::LessThan, size, most);
        self.continue_if(is_finite, general);
    }
}
