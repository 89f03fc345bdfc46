//! Numbers that need no memory: integers of at most 127 bits, and floats.
//!
//! The functions give the results of `builtins/number.rs`, or `None` for all else: errors, larger numbers, other
//! functions, deep expressions. General arithmetic then evaluates the expression. What they evaluate costs no steps
//! there.

use crate::term::heap::{Heap, TermView};
use crate::term::{INT, TAG, Term};
use alphorn_text::symbol::{Atom, atoms};
use std::cmp::Ordering;

/// The greatest depth of an expression.
const DEPTH: u32 = 32;

/// The greatest number of values that a formula holds at a time.
pub const MOST_VALUES: usize = 12;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShortNumber {
    /// An integer. It is not the least one of this type.
    Int(i128),
    /// A finite float.
    Float(f64),
}

use ShortNumber::{Float, Int};

/// A function of one or two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ShortFunction {
    Neg,
    Same,
    Abs,
    Sign,
    Not,
    Msb,
    Lsb,
    PopCount,
    ToFloat,
    Truncate,
    Round,
    Floor,
    Ceiling,
    Sqrt,
    Add,
    Sub,
    Mul,
    /// `/`, whose result is an integer if both arguments are and nothing remains.
    Divide,
    /// `//`, which truncates.
    Div,
    Rem,
    Mod,
    /// `div`, which rounds down.
    FloorDiv,
    Min,
    Max,
    Gcd,
    And,
    Or,
    Xor,
    GetBit,
    ShiftLeft,
    ShiftRight,
    Power,
}

/// A step of a formula. A formula is an expression in postfix order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FormulaPart {
    /// The argument with this number.
    Arg(u16),
    /// A number.
    Number(ShortNumber),
    /// A function of the last value.
    Unary(ShortFunction),
    /// A function of the last two values.
    Binary(ShortFunction),
}

impl ShortNumber {
    /// Makes a term of the number.
    #[inline]
    pub fn to_term(self, heap: &mut Heap) -> Term {
        match self {
            Int(value) => heap.wide(value),
            Float(value) => heap.float(value),
        }
    }

    /// The number that a term is.
    #[inline]
    pub fn of(heap: &Heap, term: Term) -> Option<ShortNumber> {
        if term.0 & TAG == INT {
            return term.as_small().map(|value| Int(value.into()));
        }
        match heap.view(term) {
            TermView::Int(value) => Some(Int(value.into())),
            TermView::Big(negative, words) => {
                let size = match *words {
                    [low] => u128::from(low),
                    [low, high] => u128::from(high) << 64 | u128::from(low),
                    _ => return None,
                };
                let size = i128::try_from(size).ok()?;
                Some(Int(if negative { -size } else { size }))
            }
            TermView::Float(value) => Some(Float(value)).filter(|_| value.is_finite()),
            _ => None,
        }
    }

    fn to_float(self) -> Option<f64> {
        match self {
            // Larger integers are rounded in another way.
            Int(value) => i64::try_from(value).ok().map(|value| value as f64),
            Float(value) => Some(value),
        }
    }
}

/// Compares two numbers.
pub fn order(left: ShortNumber, right: ShortNumber) -> Option<Ordering> {
    match (left, right) {
        (Int(left), Int(right)) => Some(left.cmp(&right)),
        (Float(left), Float(right)) => left.partial_cmp(&right),
        (Int(left), Float(right)) => exact(left)?.partial_cmp(&right),
        (Float(left), Int(right)) => left.partial_cmp(&exact(right)?),
    }
}

/// An integer as the float with the same value.
fn exact(value: i128) -> Option<f64> {
    (value.unsigned_abs() < 1 << 53).then_some(value as f64)
}

/// Evaluates a formula with these arguments. Returns its last two values; the first is 0 if there is only one.
pub fn evaluate_formula(heap: &Heap, parts: &[FormulaPart], args: &[Term]) -> Option<[ShortNumber; 2]> {
    let (mut values, mut count) = ([Int(0); MOST_VALUES + 1], 1);
    for part in parts {
        let value = match *part {
            FormulaPart::Arg(at) => ShortNumber::of(heap, args[usize::from(at)])?,
            FormulaPart::Number(value) => value,
            FormulaPart::Unary(function) => {
                count -= 1;
                function.of_one(values[count])?
            }
            FormulaPart::Binary(function) => {
                count -= 2;
                function.of_two(values[count], values[count + 1])?
            }
        };
        *values.get_mut(count)? = value;
        count += 1;
    }
    Some([values[count - 2], values[count - 1]])
}

/// Evaluates an expression.
pub fn evaluate(heap: &Heap, term: Term) -> Option<ShortNumber> {
    value(heap, term, DEPTH)
}

/// Compares the values of two expressions.
pub fn compare(heap: &Heap, left: Term, right: Term) -> Option<Ordering> {
    order(evaluate(heap, left)?, evaluate(heap, right)?)
}

fn value(heap: &Heap, term: Term, depth: u32) -> Option<ShortNumber> {
    let depth = depth.checked_sub(1)?;
    match heap.view(term) {
        TermView::Compound(name, [arg]) => {
            let value = value(heap, Term(*arg), depth)?;
            ShortFunction::of_atom(name, 1)?.of_one(value)
        }
        TermView::Compound(name, [left, right]) if name != atoms::DOT => {
            let left = value(heap, Term(*left), depth)?;
            let right = value(heap, Term(*right), depth)?;
            ShortFunction::of_atom(name, 2)?.of_two(left, right)
        }
        _ => ShortNumber::of(heap, term),
    }
}

/// A float without fraction as an integer.
fn rounded(value: f64) -> Option<ShortNumber> {
    (value.abs() < 9e18).then(|| Int(i128::from(value as i64)))
}

/// An integer, unless it is the least one of the type.
fn whole(value: i128) -> Option<ShortNumber> {
    (value != i128::MIN).then_some(Int(value))
}

/// The greatest common divisor, by Euclid's algorithm; `None` for integers beyond 64 bits.
fn divisor(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (u64::try_from(a.unsigned_abs()).ok()?, u64::try_from(b.unsigned_abs()).ok()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a.into())
}

fn left_shift(value: i128, by: i128) -> Option<i128> {
    let bits = i128::from(128 - value.unsigned_abs().leading_zeros());
    // The sum could overflow.
    (by < 127 && bits + by < 127).then(|| value << by)
}

impl ShortFunction {
    /// Returns the function with this name and arity.
    pub fn named(name: &str, arity: usize) -> Option<ShortFunction> {
        Some(match (name, arity) {
            ("-", 1) => ShortFunction::Neg,
            ("+", 1) => ShortFunction::Same,
            ("abs", 1) => ShortFunction::Abs,
            ("sign", 1) => ShortFunction::Sign,
            ("\\", 1) => ShortFunction::Not,
            ("msb", 1) => ShortFunction::Msb,
            ("lsb", 1) => ShortFunction::Lsb,
            ("popcount", 1) => ShortFunction::PopCount,
            ("float", 1) => ShortFunction::ToFloat,
            ("truncate", 1) => ShortFunction::Truncate,
            ("integer" | "round", 1) => ShortFunction::Round,
            ("floor", 1) => ShortFunction::Floor,
            ("ceiling", 1) => ShortFunction::Ceiling,
            ("sqrt", 1) => ShortFunction::Sqrt,
            ("+", 2) => ShortFunction::Add,
            ("-", 2) => ShortFunction::Sub,
            ("*", 2) => ShortFunction::Mul,
            ("/", 2) => ShortFunction::Divide,
            ("//" | "tdiv", 2) => ShortFunction::Div,
            ("rem", 2) => ShortFunction::Rem,
            ("mod", 2) => ShortFunction::Mod,
            ("div", 2) => ShortFunction::FloorDiv,
            ("min", 2) => ShortFunction::Min,
            ("max", 2) => ShortFunction::Max,
            ("gcd", 2) => ShortFunction::Gcd,
            ("/\\", 2) => ShortFunction::And,
            ("\\/", 2) => ShortFunction::Or,
            ("xor", 2) => ShortFunction::Xor,
            ("getbit", 2) => ShortFunction::GetBit,
            ("<<", 2) => ShortFunction::ShiftLeft,
            (">>", 2) => ShortFunction::ShiftRight,
            ("**" | "^", 2) => ShortFunction::Power,
            _ => return None,
        })
    }

    fn of_atom(name: Atom, arity: usize) -> Option<ShortFunction> {
        // Functions have lasting names.
        let is_young = alphorn_text::symbol::is_young(name.number());
        (!is_young).then(|| name.text()).and_then(|name| ShortFunction::named(name, arity))
    }

    fn of_one(self, value: ShortNumber) -> Option<ShortNumber> {
        match (self, value) {
            (ShortFunction::Neg, Int(value)) => Some(Int(-value)),
            (ShortFunction::Neg, Float(value)) => Some(Float(-value)),
            (ShortFunction::Same, value) => Some(value),
            (ShortFunction::Abs, Int(value)) => Some(Int(value.abs())),
            (ShortFunction::Abs, Float(value)) => Some(Float(value.abs())),
            (ShortFunction::Sign, Int(value)) => Some(Int(value.signum())),
            (ShortFunction::Not, Int(value)) => whole(!value),
            (ShortFunction::Msb, Int(value @ 1..)) => Some(Int(i128::from(value.ilog2()))),
            (ShortFunction::Lsb, Int(value @ 1..)) => Some(Int(value.trailing_zeros().into())),
            (ShortFunction::PopCount, Int(value @ 0..)) => Some(Int(value.count_ones().into())),
            (ShortFunction::ToFloat, value) => value.to_float().map(Float),
            (
                ShortFunction::Truncate | ShortFunction::Round | ShortFunction::Floor | ShortFunction::Ceiling,
                Int(value),
            ) => Some(Int(value)),
            (ShortFunction::Truncate, Float(value)) => rounded(value.trunc()),
            (ShortFunction::Round, Float(value)) => rounded(value.round()),
            (ShortFunction::Floor, Float(value)) => rounded(value.floor()),
            (ShortFunction::Ceiling, Float(value)) => rounded(value.ceil()),
            (ShortFunction::Sqrt, value) => {
                value.to_float().filter(|value| *value >= 0.0).map(|value| Float(value.sqrt()))
            }
            _ => None,
        }
    }

    fn of_two(self, left: ShortNumber, right: ShortNumber) -> Option<ShortNumber> {
        let (a, b) = match (left, right) {
            (Int(left), Int(right)) => (left, right),
            _ => return self.of_floats(left, right),
        };
        let value = match self {
            ShortFunction::Add => a.checked_add(b),
            ShortFunction::Sub => a.checked_sub(b),
            ShortFunction::Mul => a.checked_mul(b),
            ShortFunction::Divide => match a.checked_rem(b)? {
                0 => a.checked_div(b),
                _ => return Some(Float(exact(a)? / exact(b)?)),
            },
            ShortFunction::Div => a.checked_div(b),
            ShortFunction::Rem => a.checked_rem(b),
            // Both round down, also for a negative divisor.
            ShortFunction::Mod => {
                a.checked_rem(b).map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
            }
            ShortFunction::FloorDiv => {
                a.checked_div(b).map(|quotient| quotient - i128::from(a % b != 0 && (a < 0) != (b < 0)))
            }
            ShortFunction::Min => Some(a.min(b)),
            ShortFunction::Max => Some(a.max(b)),
            ShortFunction::Gcd => divisor(a, b),
            ShortFunction::And => Some(a & b),
            ShortFunction::Or => Some(a | b),
            ShortFunction::Xor => Some(a ^ b),
            ShortFunction::GetBit if a >= 0 && b >= 0 => Some(a >> b.min(127) & 1),
            ShortFunction::ShiftLeft if b >= 0 => left_shift(a, b),
            ShortFunction::ShiftLeft => Some(a >> (-b).min(127)),
            ShortFunction::ShiftRight if b >= 0 => Some(a >> b.min(127)),
            ShortFunction::ShiftRight => left_shift(a, -b),
            ShortFunction::Power if b >= 0 => a.checked_pow(u32::try_from(b).ok()?),
            _ => None,
        };
        whole(value?)
    }

    /// The value for numbers of which one is a float.
    fn of_floats(self, left: ShortNumber, right: ShortNumber) -> Option<ShortNumber> {
        // Of numbers that are not equal, the result is one.
        match (self, order(left, right)) {
            (ShortFunction::Min, Some(Ordering::Less)) | (ShortFunction::Max, Some(Ordering::Greater)) => {
                return Some(left);
            }
            (ShortFunction::Min, Some(Ordering::Greater)) | (ShortFunction::Max, Some(Ordering::Less)) => {
                return Some(right);
            }
            _ => {}
        }
        let (a, b) = (left.to_float()?, right.to_float()?);
        let value = match self {
            ShortFunction::Add => a + b,
            ShortFunction::Sub => a - b,
            ShortFunction::Mul => a * b,
            ShortFunction::Divide if b != 0.0 => a / b,
            _ => return None,
        };
        value.is_finite().then_some(Float(value))
    }
}
