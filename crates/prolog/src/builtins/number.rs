//! Numbers and arithmetic functions, with exact integers of any size.
//!
//! The functions take and return values, or an error. Results are those of SWI-Prolog: `7 / 2` is
//! 3.5, `//` truncates, `mod` has the sign of the divisor.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer of 64 bits.
    Int(i64),
    /// A larger integer.
    Big(BigInt),
    /// A float.
    Float(f64),
}

/// The reason why a function has no value.
#[derive(Debug, PartialEq)]
pub enum ArithmeticError {
    /// The divisor is zero.
    ZeroDivisor,
    /// The function is not defined for these numbers.
    Undefined,
    /// The float is too large.
    FloatOverflow,
    /// The number must be an integer.
    NotInteger(Number),
    /// The number must be a float, as ISO requires.
    NotFloat(Number),
    /// The result would not fit in memory.
    Memory,
    /// The number is not in the domain with this name.
    Domain(&'static str, Number),
}

type Value = Result<Number, ArithmeticError>;

/// The greatest number of bits of an integer.
pub const MAX_BITS: u64 = 1 << 32;

impl Number {
    /// Makes an integer, in 64 bits if possible.
    pub fn whole(value: BigInt) -> Number {
        value.to_i64().map_or(Number::Big(value), Number::Int)
    }

    /// Converts to a float. Returns `FloatOverflow` if the number is too large.
    pub fn to_float(&self) -> Result<f64, ArithmeticError> {
        match self {
            Number::Int(value) => Ok(*value as f64),
            Number::Float(value) => Ok(*value),
            Number::Big(value) => {
                value.to_f64().filter(|value| value.is_finite()).ok_or(ArithmeticError::FloatOverflow)
            }
        }
    }

    fn to_big(&self) -> Result<BigInt, ArithmeticError> {
        match self {
            Number::Int(value) => Ok(BigInt::from(*value)),
            Number::Big(value) => Ok(value.clone()),
            Number::Float(_) => Err(ArithmeticError::NotInteger(self.clone())),
        }
    }

    fn is_float(&self) -> bool {
        matches!(self, Number::Float(_))
    }

    /// Returns the number of bits of an integer.
    pub fn bits(&self) -> u64 {
        match self {
            Number::Int(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Number::Big(value) => value.bits(),
            Number::Float(_) => 64,
        }
    }

    /// Returns the number of words that an integer takes beside its cell.
    pub fn words(&self) -> u64 {
        match self {
            Number::Big(value) => value.bits() / 64,
            Number::Int(_) | Number::Float(_) => 0,
        }
    }

    fn is_zero(&self) -> bool {
        *self == Number::Int(0)
    }

    fn is_negative(&self) -> bool {
        match self {
            Number::Int(value) => *value < 0,
            Number::Big(value) => value.is_negative(),
            Number::Float(value) => *value < 0.0,
        }
    }
}

/// Checks a float result. As in SWI-Prolog, overflow and undefined results are errors.
fn checked(value: f64, from: &[&Number]) -> Value {
    let special = |number: &&Number| matches!(number, Number::Float(value) if !value.is_finite());
    if value.is_finite() || from.iter().any(special) {
        Ok(Number::Float(value))
    } else if value.is_nan() {
        Err(ArithmeticError::Undefined)
    } else {
        Err(ArithmeticError::FloatOverflow)
    }
}

/// Compares two numbers by value, exactly. Returns `None` if one is NaN.
pub fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (left, right) {
        (Number::Int(left), Number::Int(right)) => Some(left.cmp(right)),
        (Number::Float(left), Number::Float(right)) => left.partial_cmp(right),
        (Number::Float(left), right) if !left.is_nan() => {
            right.to_big().ok().map(|right| crate::term::order::float_to_integer(*left, &right))
        }
        (left, Number::Float(right)) if !right.is_nan() => {
            left.to_big().ok().map(|left| crate::term::order::float_to_integer(*right, &left).reverse())
        }
        (Number::Float(_), _) | (_, Number::Float(_)) => None,
        (left, right) => Some(left.to_big().ok()?.cmp(&right.to_big().ok()?)),
    }
}

macro_rules! exact_or_float {
    ($name:ident, $checked:ident, $op:tt) => {
        fn $name(left: &Number, right: &Number) -> Value {
            if let (Number::Int(a), Number::Int(b)) = (left, right) {
                if let Some(value) = a.$checked(*b) {
                    return Ok(Number::Int(value));
                }
            }
            if left.is_float() || right.is_float() {
                return checked(left.to_float()? $op right.to_float()?, &[left, right]);
            }
            Ok(Number::whole(left.to_big()? $op right.to_big()?))
        }
    };
}

exact_or_float!(add, checked_add, +);
exact_or_float!(subtract, checked_sub, -);
exact_or_float!(multiply, checked_mul, *);

fn divide(left: &Number, right: &Number) -> Value {
    if left.is_float() || right.is_float() {
        let divisor = right.to_float()?;
        if divisor == 0.0 && !left.to_float()?.is_nan() {
            return Err(if left.to_float()? == 0.0 {
                ArithmeticError::Undefined
            } else {
                ArithmeticError::ZeroDivisor
            });
        }
        return checked(left.to_float()? / divisor, &[left, right]);
    }
    if right.is_zero() {
        return Err(ArithmeticError::ZeroDivisor);
    }
    if let (Number::Int(a), Number::Int(b)) = (left, right) {
        if a.checked_rem(*b) == Some(0) {
            return Ok(Number::Int(a / b));
        }
        return Ok(Number::Float(*a as f64 / *b as f64));
    }
    let (quotient, rest) = left.to_big()?.div_rem(&right.to_big()?);
    if rest.is_zero() { Ok(Number::whole(quotient)) } else { checked(ratio(&left.to_big()?, &right.to_big()?), &[]) }
}

/// Returns the quotient of two large integers as a float. Shifts scale the quotient to 64 bits.
pub fn ratio(left: &BigInt, right: &BigInt) -> f64 {
    let shift = 64 + right.bits() as i64 - left.bits() as i64;
    let scaled = if shift >= 0 { (left << shift as usize) / right } else { left / (right << (-shift) as usize) };
    let mantissa = scaled.to_f64().unwrap_or(f64::NAN);
    let half = i32::try_from(-shift / 2).unwrap_or(0);
    mantissa * 2f64.powi(half) * 2f64.powi(i32::try_from(-shift).unwrap_or(0) - half)
}

/// The bit of a natural number at a place.
fn bit(value: &Number, place: &Number) -> Value {
    for number in [value, place] {
        if number.is_float() {
            return Err(ArithmeticError::NotInteger(number.clone()));
        }
        if number.is_negative() {
            return Err(ArithmeticError::Domain("not_less_than_zero", number.clone()));
        }
    }
    let place = place.to_big()?.to_u64();
    Ok(Number::Int(i64::from(match (value, place) {
        (Number::Int(value), Some(place @ 0..63)) => value >> place & 1 == 1,
        (Number::Big(value), Some(place)) => value.bit(place),
        _ => false,
    })))
}

type Whole = fn(&BigInt, &BigInt) -> BigInt;

fn integer_division(left: &Number, right: &Number, small: fn(i64, i64) -> Option<i64>, large: Whole) -> Value {
    for number in [left, right] {
        if number.is_float() {
            return Err(ArithmeticError::NotInteger(number.clone()));
        }
    }
    if right.is_zero() {
        return Err(ArithmeticError::ZeroDivisor);
    }
    if let (Number::Int(a), Number::Int(b)) = (left, right)
        && let Some(value) = small(*a, *b)
    {
        return Ok(Number::Int(value));
    }
    Ok(Number::whole(large(&left.to_big()?, &right.to_big()?)))
}

fn bitwise(left: &Number, right: &Number, small: fn(i64, i64) -> i64, large: Whole) -> Value {
    match (left, right) {
        (Number::Int(a), Number::Int(b)) => Ok(Number::Int(small(*a, *b))),
        _ => Ok(Number::whole(large(&left.to_big()?, &right.to_big()?))),
    }
}

fn shift(left: &Number, right: &Number, leftward: bool) -> Value {
    let value = left.to_big()?;
    let by = right.to_big()?;
    let leftward = leftward != by.is_negative();
    let Some(distance) =
        by.abs().to_u64().filter(|distance| !leftward || value.is_zero() || value.bits() + distance <= MAX_BITS)
    else {
        return if leftward && !value.is_zero() {
            Err(ArithmeticError::Memory)
        } else {
            Ok(Number::Int(if value.is_negative() { -1 } else { 0 }))
        };
    };
    if leftward {
        return Ok(if value.is_zero() { Number::Int(0) } else { Number::whole(value << distance) });
    }
    match left {
        Number::Int(small) => Ok(Number::Int(if distance > 63 { small >> 63 } else { small >> distance })),
        _ => Ok(Number::whole(value >> distance)),
    }
}

fn power(left: &Number, right: &Number) -> Value {
    if left.is_float() || right.is_float() {
        let (base, exponent) = (left.to_float()?, right.to_float()?);
        if base == 0.0 && exponent < 0.0 {
            return Err(ArithmeticError::ZeroDivisor);
        }
        return checked(base.powf(exponent), &[left, right]);
    }
    match left {
        Number::Int(1) => return Ok(Number::Int(1)),
        Number::Int(-1) => return Ok(Number::Int(if right.to_big()?.is_even() { 1 } else { -1 })),
        _ => {}
    }
    if right.is_negative() {
        if left.is_zero() {
            return Err(ArithmeticError::ZeroDivisor);
        }
        // SWI-Prolog gives this result if `prefer_rationals` is false.
        return checked(left.to_float()?.powf(right.to_float()?), &[]);
    }
    if left.is_zero() {
        return Ok(Number::Int(i64::from(right.is_zero())));
    }
    let exponent = right.to_big()?.to_u32().ok_or(ArithmeticError::Memory)?;
    if (left.bits() - 1).saturating_mul(u64::from(exponent)) > MAX_BITS {
        return Err(ArithmeticError::Memory);
    }
    Ok(Number::whole(left.to_big()?.pow(exponent)))
}

fn round(value: &Number, how: fn(f64) -> f64) -> Value {
    match value {
        Number::Float(float) if float.is_nan() => Err(ArithmeticError::Undefined),
        Number::Float(float) if float.is_infinite() => Err(ArithmeticError::Undefined),
        Number::Float(float) => {
            let whole = how(*float);
            if whole.abs() < 9e18 {
                Ok(Number::Int(whole as i64))
            } else {
                num_traits::FromPrimitive::from_f64(whole).map(Number::whole).ok_or(ArithmeticError::Undefined)
            }
        }
        whole => Ok(whole.clone()),
    }
}

fn floats(value: &Number, f: fn(f64) -> f64) -> Value {
    checked(f(value.to_float()?), &[value])
}

fn logarithm(value: &Number) -> Value {
    if value.is_zero() || *value == Number::Float(0.0) || value.is_negative() {
        return Err(ArithmeticError::Undefined);
    }
    match value {
        Number::Big(big) => {
            let shift = big.bits().saturating_sub(60);
            let top = (big >> shift).to_f64().unwrap_or(f64::NAN);
            Ok(Number::Float(top.ln() + shift as f64 * std::f64::consts::LN_2))
        }
        _ => floats(value, f64::ln),
    }
}

/// Returns the value of a constant.
pub fn constant(name: &str) -> Option<Number> {
    Some(Number::Float(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "inf" | "infinite" => f64::INFINITY,
        "nan" => f64::NAN,
        "epsilon" => f64::EPSILON,
        "max_tagged_integer" => return Some(Number::Int((1 << 60) - 1)),
        "min_tagged_integer" => return Some(Number::Int(-(1 << 60))),
        "max_integer" => return Some(Number::Int(i64::MAX)),
        "min_integer" => return Some(Number::Int(i64::MIN)),
        _ => return None,
    }))
}

/// Returns whether arithmetic has a function with this name and arity.
pub fn is_function(name: &str, arity: usize) -> bool {
    let one = Number::Int(1);
    match arity {
        0 => constant(name).is_some(),
        1 => unary(name, &one).is_some(),
        2 => binary(name, &one, &one).is_some(),
        _ => false,
    }
}

/// Applies a function of one number. Returns `None` if there is no such function.
pub fn unary(name: &str, value: &Number) -> Option<Value> {
    Some(match name {
        "-" => match value {
            Number::Float(value) => Ok(Number::Float(-value)),
            whole => whole.to_big().map(|value| Number::whole(-value)),
        },
        "+" => Ok(value.clone()),
        "abs" => match value {
            Number::Float(value) => Ok(Number::Float(value.abs())),
            whole => whole.to_big().map(|value| Number::whole(value.abs())),
        },
        "sign" => match value {
            // As in SWI-Prolog, the sign of -0.0 is 0.0.
            Number::Float(value) if *value == 0.0 => Ok(Number::Float(0.0)),
            Number::Float(value) => Ok(Number::Float(value.signum())),
            whole => Ok(Number::Int(i64::from(!whole.is_zero()) * if whole.is_negative() { -1 } else { 1 })),
        },
        "\\" => match value {
            Number::Int(value) => Ok(Number::Int(!value)),
            whole => whole.to_big().map(|value| Number::whole(-value - 1)),
        },
        "msb" => match value {
            Number::Float(_) => Err(ArithmeticError::NotInteger(value.clone())),
            whole if whole.is_negative() || whole.is_zero() => {
                Err(ArithmeticError::Domain("not_less_than_one", value.clone()))
            }
            whole => Ok(Number::Int(whole.bits() as i64 - 1)),
        },
        "lsb" => match value {
            Number::Float(_) => Err(ArithmeticError::NotInteger(value.clone())),
            whole if whole.is_negative() || whole.is_zero() => {
                Err(ArithmeticError::Domain("not_less_than_one", value.clone()))
            }
            Number::Int(small) => Ok(Number::Int(i64::from(small.trailing_zeros()))),
            Number::Big(large) => Ok(Number::Int(large.trailing_zeros().unwrap_or(0) as i64)),
        },
        "popcount" => match value {
            Number::Int(small @ 0..) => Ok(Number::Int(i64::from(small.count_ones()))),
            Number::Float(_) => Err(ArithmeticError::NotInteger(value.clone())),
            whole if whole.is_negative() => Err(ArithmeticError::Domain("not_less_than_zero", value.clone())),
            whole => whole
                .to_big()
                .map(|value| Number::Int(value.iter_u64_digits().map(|digit| i64::from(digit.count_ones())).sum())),
        },
        "integer" => round(value, f64::round),
        "truncate" => round(value, f64::trunc),
        "round" => round(value, f64::round),
        "floor" => round(value, f64::floor),
        "ceiling" => round(value, f64::ceil),
        "float" => value.to_float().map(Number::Float),
        "float_integer_part" => match value {
            Number::Float(value) => Ok(Number::Float(value.trunc())),
            whole => Ok(whole.clone()),
        },
        "float_fractional_part" => match value {
            Number::Float(value) => Ok(Number::Float(value.fract().copysign(*value))),
            _ => Ok(Number::Int(0)),
        },
        _ => return real(name, value),
    })
}

/// Applies a function of one number whose value is a float, such as a root or a sine.
fn real(name: &str, value: &Number) -> Option<Value> {
    let domain =
        |inside: bool, f: fn(f64) -> f64| if inside { floats(value, f) } else { Err(ArithmeticError::Undefined) };
    let float = value.to_float();
    let within = |low: f64, high: f64| float.as_ref().is_ok_and(|value| value.is_nan() || (low..=high).contains(value));
    Some(match name {
        "sqrt" => domain(within(0.0, f64::INFINITY) || *value == Number::Float(-0.0), f64::sqrt),
        "sin" => floats(value, f64::sin),
        "cos" => floats(value, f64::cos),
        "tan" => floats(value, f64::tan),
        "asin" => domain(within(-1.0, 1.0), f64::asin),
        "acos" => domain(within(-1.0, 1.0), f64::acos),
        "atan" => floats(value, f64::atan),
        "sinh" => floats(value, f64::sinh),
        "cosh" => floats(value, f64::cosh),
        "tanh" => floats(value, f64::tanh),
        "exp" => floats(value, f64::exp),
        "log" => logarithm(value),
        "log2" => logarithm(value).and_then(|value| floats(&value, |value| value / std::f64::consts::LN_2)),
        _ => return None,
    })
}

/// Returns the minimum (`Less`) or the maximum (`Greater`) of two numbers, and NaN if one is NaN.
fn extreme(left: &Number, right: &Number, wanted: Ordering) -> Number {
    let Some(order) = compare(left, right) else { return Number::Float(f64::NAN) };
    // Of 0 and -0.0, the second is less.
    let low = |number: &Number| matches!(number, Number::Float(zero) if *zero == 0.0 && zero.is_sign_negative());
    let first = match order.then(low(right).cmp(&low(left))) {
        // Of an equal integer and float, SWI-Prolog takes the float.
        Ordering::Equal => left.is_float(),
        order => order == wanted,
    };
    if first { left.clone() } else { right.clone() }
}

/// Applies a function of two numbers. Returns `None` if there is no such function.
pub fn binary(name: &str, left: &Number, right: &Number) -> Option<Value> {
    Some(match name {
        "+" => add(left, right),
        "-" => subtract(left, right),
        "*" => multiply(left, right),
        "/" => divide(left, right),
        "//" => integer_division(left, right, i64::checked_div, |a, b| a / b),
        "rem" => integer_division(left, right, i64::checked_rem, |a, b| a % b),
        "mod" => integer_division(
            left,
            right,
            |a, b| a.checked_rem(b).map(|_| Integer::mod_floor(&a, &b)),
            Integer::mod_floor,
        ),
        "div" => integer_division(
            left,
            right,
            |a, b| a.checked_div(b).map(|_| Integer::div_floor(&a, &b)),
            Integer::div_floor,
        ),
        "tdiv" => integer_division(left, right, i64::checked_div, |a, b| a / b),
        "min" => Ok(extreme(left, right, Ordering::Less)),
        "max" => Ok(extreme(left, right, Ordering::Greater)),
        ">>" => shift(left, right, false),
        "<<" => shift(left, right, true),
        "/\\" => bitwise(left, right, |a, b| a & b, |a, b| a & b),
        "\\/" => bitwise(left, right, |a, b| a | b, |a, b| a | b),
        "xor" => bitwise(left, right, |a, b| a ^ b, |a, b| a ^ b),
        "**" | "^" => power(left, right),
        "getbit" => bit(left, right),
        "gcd" => match (left.to_big(), right.to_big()) {
            (Ok(left), Ok(right)) => Ok(Number::whole(left.gcd(&right))),
            (Err(trouble), _) | (_, Err(trouble)) => Err(trouble),
        },
        "atan2" | "atan" => match (left.to_float(), right.to_float()) {
            (Ok(y), Ok(x)) => checked(y.atan2(x), &[left, right]),
            (Err(trouble), _) | (_, Err(trouble)) => Err(trouble),
        },
        "copysign" => match (left.to_float(), right.to_float()) {
            (Ok(_), Ok(sign)) if !left.is_float() => left.to_big().map(|value| {
                let value = value.abs();
                Number::whole(if sign.is_sign_negative() { -value } else { value })
            }),
            (Ok(left), Ok(right)) => Ok(Number::Float(left.copysign(right))),
            (Err(trouble), _) | (_, Err(trouble)) => Err(trouble),
        },
        "log" => match (logarithm(left), logarithm(right)) {
            (Ok(base), Ok(value)) => divide(&value, &base),
            (Err(trouble), _) | (_, Err(trouble)) => Err(trouble),
        },
        _ => return None,
    })
}
