//! Evaluates usual expressions without allocating memory: integers of at most 127 bits, and floats.
//!
//! The functions give the results of `number.rs`, or `None` for all else: errors, larger numbers, other functions, deep
//! expressions. `arithmetic.rs` then evaluates the expression. What they evaluate costs no steps there.

use crate::term::Term;
use crate::term::heap::{Heap, TermView};
use alphorn_text::symbol::{Atom, atoms};
use std::cmp::Ordering;

/// The greatest depth of an expression.
const DEPTH: u32 = 32;

/// A number.
#[derive(Clone, Copy)]
pub(super) enum ShortNumber {
    /// An integer. It is not the least one of this type.
    Int(i128),
    /// A finite float.
    Float(f64),
}

use ShortNumber::{Float, Int};

impl ShortNumber {
    /// Makes a term of the number.
    pub(super) fn to_term(self, heap: &mut Heap) -> Term {
        match self {
            Int(value) => heap.wide(value),
            Float(value) => heap.float(value),
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

/// Evaluates an expression.
pub(super) fn evaluate(heap: &Heap, term: Term) -> Option<ShortNumber> {
    value(heap, term, DEPTH)
}

/// Compares the values of two expressions.
pub(super) fn compare(heap: &Heap, left: Term, right: Term) -> Option<Ordering> {
    match (evaluate(heap, left)?, evaluate(heap, right)?) {
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

fn value(heap: &Heap, term: Term, depth: u32) -> Option<ShortNumber> {
    let depth = depth.checked_sub(1)?;
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
        TermView::Compound(name, [arg]) => {
            let value = value(heap, Term(*arg), depth)?;
            unary(known_name(name)?, value)
        }
        TermView::Compound(name, [left, right]) if name != atoms::DOT => {
            let left = value(heap, Term(*left), depth)?;
            let right = value(heap, Term(*right), depth)?;
            binary(name, left, right)
        }
        _ => None,
    }
}

/// The name of a function. Functions have lasting names.
fn known_name(name: Atom) -> Option<&'static str> {
    (!alphorn_text::symbol::is_young(name.number())).then(|| name.text())
}

fn unary(name: &str, value: ShortNumber) -> Option<ShortNumber> {
    match (name, value) {
        ("-", Int(value)) => Some(Int(-value)),
        ("-", Float(value)) => Some(Float(-value)),
        ("+", value) => Some(value),
        ("abs", Int(value)) => Some(Int(value.abs())),
        ("abs", Float(value)) => Some(Float(value.abs())),
        ("sign", Int(value)) => Some(Int(value.signum())),
        ("\\", Int(value)) => whole(!value),
        ("msb", Int(value @ 1..)) => Some(Int(i128::from(value.ilog2()))),
        ("lsb", Int(value @ 1..)) => Some(Int(value.trailing_zeros().into())),
        ("popcount", Int(value @ 0..)) => Some(Int(value.count_ones().into())),
        ("float", value) => value.to_float().map(Float),
        ("truncate" | "integer" | "round" | "floor" | "ceiling", Int(value)) => Some(Int(value)),
        ("truncate", Float(value)) => rounded(value.trunc()),
        ("integer" | "round", Float(value)) => rounded(value.round()),
        ("floor", Float(value)) => rounded(value.floor()),
        ("ceiling", Float(value)) => rounded(value.ceil()),
        ("sqrt", value) => value.to_float().filter(|value| *value >= 0.0).map(|value| Float(value.sqrt())),
        _ => None,
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

fn binary(name: Atom, left: ShortNumber, right: ShortNumber) -> Option<ShortNumber> {
    let (a, b) = match (left, right) {
        (Int(left), Int(right)) => (left, right),
        _ => return floats(known_name(name)?, left.to_float()?, right.to_float()?),
    };
    let value = match known_name(name)? {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => match a.checked_rem(b)? {
            0 => a.checked_div(b),
            _ => return Some(Float(exact(a)? / exact(b)?)),
        },
        "//" | "tdiv" => a.checked_div(b),
        "rem" => a.checked_rem(b),
        // Both round down, also for a negative divisor.
        "mod" => a.checked_rem(b).map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }),
        "div" => a.checked_div(b).map(|quotient| quotient - i128::from(a % b != 0 && (a < 0) != (b < 0))),
        "min" => Some(a.min(b)),
        "max" => Some(a.max(b)),
        "/\\" => Some(a & b),
        "\\/" => Some(a | b),
        "xor" => Some(a ^ b),
        "getbit" if a >= 0 && b >= 0 => Some(a >> b.min(127) & 1),
        "<<" if b >= 0 => left_shift(a, b),
        "<<" => Some(a >> (-b).min(127)),
        ">>" if b >= 0 => Some(a >> b.min(127)),
        ">>" => left_shift(a, -b),
        "**" | "^" if b >= 0 => a.checked_pow(u32::try_from(b).ok()?),
        _ => None,
    };
    whole(value?)
}

fn left_shift(value: i128, by: i128) -> Option<i128> {
    let bits = i128::from(128 - value.unsigned_abs().leading_zeros());
    // The sum could overflow.
    (by < 127 && bits + by < 127).then(|| value << by)
}

fn floats(name: &str, a: f64, b: f64) -> Option<ShortNumber> {
    let value = match name {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" if b != 0.0 => a / b,
        _ => return None,
    };
    value.is_finite().then_some(Float(value))
}

#[cfg(test)]
mod tests {
    use super::{compare, evaluate};
    use crate::builtins::arithmetic;
    use crate::builtins::number;
    use crate::machine::store::Store;
    use crate::term::Term;
    use alphorn_text::symbol::Atom;
    use num_bigint::BigInt;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use std::sync::Arc;

    const UNARY: [&str; 15] = [
        "-", "+", "abs", "sign", "\\", "msb", "lsb", "popcount", "float", "truncate", "integer", "round", "floor",
        "ceiling", "sqrt",
    ];
    const BINARY: [&str; 19] = [
        "+", "-", "*", "/", "//", "tdiv", "rem", "mod", "div", "min", "max", "/\\", "\\/", "xor", "getbit", "<<", ">>",
        "**", "^",
    ];

    /// A number: small, near a limit of 60 to 192 bits, or a float.
    fn number(store: &mut Store, random: &mut Xoshiro256PlusPlus) -> Term {
        let small = random.random_range(-5i64..130);
        match random.random_range(0..8) {
            0..3 => store.heap.integer(small),
            3 => store.heap.float([0.0, -0.0, 0.5, -2.5, 1e300, 9_007_199_254_740_993.0][random.random_range(0..6)]),
            4 => store.heap.float(random.random_range(-100.0..100.0)),
            _ => {
                let bits = [59, 60, 61, 62, 63, 64, 72, 126, 127, 128, 192][random.random_range(0..11)];
                let near = (BigInt::from(1) << bits) + random.random_range(-2i64..3);
                store.heap.big(&if random.random() { near } else { -near })
            }
        }
    }

    fn expression(store: &mut Store, random: &mut Xoshiro256PlusPlus, depth: u32) -> Term {
        match random.random_range(0..if depth == 0 { 1 } else { 4 }) {
            0 => number(store, random),
            1 => {
                let arg = expression(store, random, depth - 1);
                store.heap.structure(Atom::new(UNARY[random.random_range(0..UNARY.len())]), &[arg])
            }
            _ => {
                let args = [(); 2].map(|()| expression(store, random, depth - 1));
                store.heap.structure(Atom::new(BINARY[random.random_range(0..BINARY.len())]), &args)
            }
        }
    }

    #[test]
    fn results_are_those_of_general_arithmetic_and_cost_nothing() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut evaluated = [0; 2];
        for round in 0..200_000 {
            let mut store = Store::new(Arc::default(), Arc::default());
            let (left, right) = (expression(&mut store, &mut random, 1), expression(&mut store, &mut random, 2));
            if let Some(value) = evaluate(&store.heap, right) {
                evaluated[0] += 1;
                let before = store.steps;
                let general = arithmetic::eval(&mut store, right).expect("general arithmetic has a value");
                assert_eq!(store.steps, before, "round {round}");
                let (own, general) = (value.to_term(&mut store.heap), arithmetic::to_term(&mut store, &general));
                assert!(same(&store, own, general), "round {round}");
                if let Some(order) = compare(&store.heap, left, right) {
                    evaluated[1] += 1;
                    let sides = [left, right].map(|side| arithmetic::eval(&mut store, side));
                    let [left, right] = sides.map(|side| side.expect("general arithmetic has a value"));
                    assert_eq!(Some(order), number::compare(&left, &right), "round {round}");
                }
            }
        }
        assert!(evaluated[0] > 50_000 && evaluated[1] > 30_000, "{evaluated:?}");
    }

    /// Whether two numbers have the same cells.
    fn same(store: &Store, left: Term, right: Term) -> bool {
        let cells = |term: Term| match term.as_small() {
            Some(_) => vec![term.0],
            None => {
                let words = crate::term::heap::raw_words(store.heap.cells[term.index()]);
                store.heap.cells[term.index()..=term.index() + words].to_vec()
            }
        };
        cells(left) == cells(right)
    }
}
