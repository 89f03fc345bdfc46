//! Products, powers, quotients and greatest common divisors of large integers, in pieces.
//!
//! This module also estimates the work of each function. The values are those of `number`. Each piece
//! is charged before it begins and takes some hundredths of a second, so the budget and interrupts end
//! the work. Only `arithmetic` calls this module; it has no floats.

use crate::builtins::number::{Number, ratio};
use crate::machine::fault::Fault;
use crate::machine::store::Store;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// The greatest work of one piece, in steps.
const PIECE: u64 = if cfg!(debug_assertions) { 200_000 } else { 2_000_000 };

/// The least number of quotient words that one piece computes. The copying for a piece then costs
/// little beside the division.
const FEWEST: u64 = 16;

/// The fixed cost of a step of Lehmer's method, beside its work on each word.
const ROUND: u64 = 128;

/// Estimates the bits of a product, a power or a left shift. Returns 0 for other functions and for
/// floats.
pub(super) fn growth(name: &str, left: &Number, right: &Number) -> u64 {
    match (name, left, right) {
        (_, Number::Float(_), _) | (_, _, Number::Float(_)) => 0,
        ("*", ..) => left.bits().saturating_add(right.bits()),
        ("<<", _, Number::Int(by @ 0..)) => left.bits().saturating_add(*by as u64),
        ("**" | "^", _, Number::Int(by @ 0..)) => left.bits().saturating_sub(1).saturating_mul(*by as u64),
        _ => 0,
    }
}

/// Returns the work of a function of these numbers, in steps.
pub(super) fn cost(name: &str, left: &Number, right: &Number) -> u64 {
    let (a, b) = (left.words(), right.words());
    let result = growth(name, left, right) / 64;
    match name {
        "*" => product_cost(a, b),
        "**" | "^" => product_cost(result, result),
        "//" | "/" | "mod" | "rem" | "div" | "tdiv" => quotient_cost(a, b),
        // Each step of Lehmer's method removes a word from both numbers.
        "gcd" => quotient_cost(a.max(b), a.min(b)).saturating_add(a.min(b).saturating_mul(a.min(b) / 8 + ROUND)),
        _ => (a + b + result) / 64,
    }
}

/// Estimates the work of a product of so many words, by the Toom-Cook method.
fn product_cost(left: u64, right: u64) -> u64 {
    (left.max(right) + 1).saturating_mul((left.min(right) + 1).isqrt()) / 12
}

/// Estimates the work of a quotient: each word of it takes one subtraction of a multiple of the divisor.
fn quotient_cost(left: u64, right: u64) -> u64 {
    (left.saturating_sub(right) + 1).saturating_mul(right + 1) / 16
}

/// Returns whether a function may take long and can be computed in pieces.
pub(super) fn is_known(name: &str) -> bool {
    matches!(name, "*" | "**" | "^" | "/" | "//" | "tdiv" | "rem" | "div" | "mod" | "gcd")
}

/// Applies a function to two large integers. Returns `None` if the work is short, or if this module
/// does not have the function.
pub(super) fn apply(store: &mut Store, name: &str, left: &Number, right: &Number) -> Result<Option<Number>, Fault> {
    let (Some(a), Some(b)) = (whole(left), whole(right)) else { return Ok(None) };
    let value = match name {
        "*" if product_cost(left.words(), right.words()) > PIECE => product(store, &a, &b)?,
        "**" | "^" => match right {
            Number::Int(exponent @ 2..) if left.bits() > 1 => power(store, &a, *exponent as u64)?,
            _ => return Ok(None),
        },
        "//" | "tdiv" | "rem" | "div" | "mod" if quotient_cost(left.words(), right.words()) > PIECE => {
            let (quotient, rest) = divide(store, &a, &b)?;
            // For rounding down, the remainder must have the sign of the divisor.
            let below = matches!(name, "div" | "mod") && !rest.is_zero() && rest.is_negative() != b.is_negative();
            match name {
                "rem" => rest,
                "mod" => rest + if below { b } else { BigInt::zero() },
                _ => quotient - BigInt::from(u8::from(below)),
            }
        }
        "/" if quotient_cost(left.words(), right.words()) > PIECE => {
            let (quotient, rest) = divide(store, &a, &b)?;
            if !rest.is_zero() {
                // A float needs only the first digits, which `ratio` finds fast.
                return Ok(
                    Some(Number::Float(ratio(&a, &b))).filter(|value| value.to_float().is_ok_and(f64::is_finite))
                );
            }
            quotient
        }
        "gcd" => divisor(store, a, b)?,
        _ => return Ok(None),
    };
    Ok(Some(Number::whole(value)))
}

fn whole(number: &Number) -> Option<BigInt> {
    match number {
        Number::Int(value) => Some((*value).into()),
        Number::Big(value) => Some(value.clone()),
        Number::Float(_) => None,
    }
}

/// Computes a product. Large factors are split by Karatsuba's method (1962), down to pieces.
fn product(store: &mut Store, a: &BigInt, b: &BigInt) -> Result<BigInt, Fault> {
    let sign = if a.sign() == Sign::NoSign || b.sign() == Sign::NoSign { Sign::NoSign } else { a.sign() * b.sign() };
    Ok(BigInt::from_biguint(sign, magnitude(store, a.magnitude(), b.magnitude())?))
}

fn magnitude(store: &mut Store, a: &BigUint, b: &BigUint) -> Result<BigUint, Fault> {
    let (a, b) = if a.bits() < b.bits() { (b, a) } else { (a, b) };
    let cost = product_cost(a.bits() / 64, b.bits() / 64);
    if cost <= PIECE {
        store.charge(cost)?;
        return Ok(a * b);
    }
    let half = a.bits().div_ceil(128) * 64;
    let split = |number: &BigUint| {
        let high = number >> half;
        let low = number - (&high << half);
        (high, low)
    };
    let (high, low) = split(a);
    if b.bits() <= half {
        let (upper, lower) = (magnitude(store, &high, b)?, magnitude(store, &low, b)?);
        return Ok((upper << half) + lower);
    }
    let (other_high, other_low) = split(b);
    let upper = magnitude(store, &high, &other_high)?;
    let lower = magnitude(store, &low, &other_low)?;
    let middle = magnitude(store, &(high + low), &(other_high + other_low))? - &upper - &lower;
    Ok((((upper << half) + middle) << half) + lower)
}

/// Computes a power by repeated squaring.
fn power(store: &mut Store, base: &BigInt, exponent: u64) -> Result<BigInt, Fault> {
    let mut value = BigInt::one();
    for bit in (0..64 - exponent.leading_zeros()).rev() {
        value = product(store, &value, &value)?;
        if exponent >> bit & 1 == 1 {
            value = product(store, &value, base)?;
        }
    }
    Ok(value)
}

/// Returns quotient and remainder of a truncating division. The quotient is found some words at a
/// time, as in long division.
fn divide(store: &mut Store, a: &BigInt, b: &BigInt) -> Result<(BigInt, BigInt), Fault> {
    let (quotient, rest) = quotient(store, a.magnitude(), b.magnitude())?;
    let sign = if a.is_negative() == b.is_negative() { Sign::Plus } else { Sign::Minus };
    let rest_sign = if a.is_negative() { Sign::Minus } else { Sign::Plus };
    Ok((BigInt::from_biguint(sign, quotient), BigInt::from_biguint(rest_sign, rest)))
}

fn quotient(store: &mut Store, a: &BigUint, b: &BigUint) -> Result<(BigUint, BigUint), Fault> {
    let (above, below) = (a.bits() / 64, b.bits() / 64);
    if quotient_cost(above, below) <= PIECE {
        store.charge(quotient_cost(above, below))?;
        return Ok(a.div_rem(b));
    }
    // One quotient word costs as much as a division of a number that is one word longer than the divisor.
    let words = (PIECE / quotient_cost(below, below).max(1)).clamp(FEWEST, 1 << 20);
    let digits = a.to_u32_digits();
    let mut found = vec![0; digits.len()];
    let mut rest = BigUint::zero();
    let piece = 2 * words as usize;
    for start in (0..digits.len()).step_by(piece).rev() {
        let end = (start + piece).min(digits.len());
        store.charge(quotient_cost(below + words, below))?;
        rest = (rest << (32 * (end - start))) + BigUint::from_slice(&digits[start..end]);
        let (part, left) = rest.div_rem(b);
        rest = left;
        let part = part.to_u32_digits();
        found[start..start + part.len()].copy_from_slice(&part);
    }
    Ok((BigUint::new(found), rest))
}

/// Returns the greatest common divisor by Lehmer's method (1938), down to numbers of a few words. The
/// leading words of both numbers determine many steps of Euclid's method, which are done at once.
fn divisor(store: &mut Store, a: BigInt, b: BigInt) -> Result<BigInt, Fault> {
    const FEW: u64 = 64 * 64;
    let (mut a, mut b) = (a.into_parts().1, b.into_parts().1);
    if a < b {
        (a, b) = (b, a);
    }
    while b.bits() > FEW {
        // One step of Euclid's method brings both numbers to the same length.
        let rest = quotient(store, &a, &b)?.1;
        let (mut high, mut low) = (b.to_u64_digits(), rest.to_u64_digits());
        while let Some(steps) = steps_of(&high, &low) {
            store.charge(high.len() as u64 / 4 + ROUND)?;
            (high, low) = (mixed(&high, &low, steps[0]), mixed(&high, &low, steps[1]));
        }
        (a, b) = (joined(&high), joined(&low));
    }
    let rest = if b.is_zero() { a } else { quotient(store, &a, &b)?.1 };
    store.charge(FEW / 64)?;
    Ok(BigInt::from(b.gcd(&rest)))
}

/// Returns the combined effect of all steps of Euclid's method that the leading words determine (Knuth,
/// 4.5.2 L): the factors of both numbers in each new number. Returns `None` if there is no such step.
fn steps_of(high: &[u64], low: &[u64]) -> Option<[[i64; 2]; 2]> {
    const WIDTH: usize = 126;
    const MOST: i128 = 1 << 62;
    let bits = 64 * high.len() - high.last()?.leading_zeros() as usize;
    let shift = bits.checked_sub(WIDTH)?;
    let first = |digits: &[u64]| {
        let word = |at: usize| digits.get(shift / 64 + at).copied().map_or(0, i128::from);
        let off = shift % 64;
        let above = if off == 0 { 0 } else { word(2) << (128 - off) };
        word(0) >> off | word(1) << (64 - off) | above
    };
    let (mut x, mut y) = (first(high), first(low));
    let [mut upper, mut lower] = [[1_i128, 0], [0, 1]];
    while y + lower[0] != 0 && y + lower[1] != 0 {
        let quotient = (x + upper[0]) / (y + lower[0]);
        if quotient != (x + upper[1]) / (y + lower[1]) || quotient >= MOST {
            break;
        }
        let next = [upper[0] - quotient * lower[0], upper[1] - quotient * lower[1]];
        if next.iter().any(|part| part.abs() >= MOST) {
            break;
        }
        (x, y) = (y, x - quotient * y);
        (upper, lower) = (lower, next);
    }
    (upper[1] != 0).then(|| [upper, lower].map(|row| row.map(|part| part as i64)))
}

/// Returns the sum of both numbers, each times its factor. One of the factors may be negative.
fn mixed(high: &[u64], low: &[u64], [first, second]: [i64; 2]) -> Vec<u64> {
    let (first, second) = (i128::from(first), i128::from(second));
    let mut carry = 0_i128;
    let digit = |(at, digit): (usize, &u64)| {
        carry += first * i128::from(*digit) + second * low.get(at).copied().map_or(0, i128::from);
        let word = carry as u64;
        carry >>= 64;
        word
    };
    let mut digits: Vec<u64> = high.iter().enumerate().map(digit).collect();
    while digits.last() == Some(&0) {
        digits.pop();
    }
    digits
}

fn joined(digits: &[u64]) -> BigUint {
    BigUint::new(digits.iter().flat_map(|digit| [*digit as u32, (*digit >> 32) as u32]).collect())
}

#[cfg(test)]
mod tests {
    use super::{Number, apply, cost};
    use crate::builtins::number;
    use crate::machine::fault::Cause;
    use crate::machine::store::{Budget, MEMORY, Store};
    use alphorn_lang::lang::ops::Ops;
    use num_bigint::BigInt;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn store(steps: u64, stop: &Arc<AtomicBool>) -> Store {
        let mut store = Store::new(Arc::new(Ops::default()), stop.clone());
        store.refill(Budget { steps, memory: MEMORY });
        store
    }

    /// Makes a random number of so many words. About half of its 32-bit digits are all zeros or all ones.
    fn drawn(random: &mut Xoshiro256PlusPlus, words: usize) -> Number {
        let digits = (0..2 * words).map(|_| match random.random_range(0..4) {
            0 => 0,
            1 => u32::MAX,
            _ => random.random(),
        });
        let value = BigInt::new(num_bigint::Sign::Plus, digits.collect());
        Number::whole(if random.random() { -value } else { value })
    }

    #[test]
    fn work_in_pieces_gives_the_same_numbers() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
        let mut store = store(0, &Arc::default());
        let sizes = [(6_000, 9_000), (9_000, 6_000), (40_000, 200), (12_000, 11_990), (3_000, 3_000), (20_000, 1)];
        for (left, right) in sizes {
            let (left, right) = (drawn(&mut random, left), drawn(&mut random, right));
            for name in ["*", "//", "tdiv", "rem", "div", "mod"] {
                let known = number::binary(name, &left, &right).expect("it is a function").expect("it has a value");
                let found = apply(&mut store, name, &left, &right).expect("nobody says stop");
                assert!(
                    found.is_none_or(|found| found == known),
                    "{name} of {} and {} bits",
                    left.bits(),
                    right.bits()
                );
            }
        }
        for (base, exponent) in [(7, 40_000), (-3, 20_001), (2, 90_000), (-10, 2), (1 << 40, 3_000)] {
            let (base, exponent) = (Number::Int(base), Number::Int(exponent));
            let known = number::binary("**", &base, &exponent).expect("it is a function").expect("it has a value");
            let found = apply(&mut store, "**", &base, &exponent).expect("nobody says stop");
            assert_eq!(found, Some(known));
        }
        let shared = drawn(&mut random, 300);
        let times = |store: &mut Store, words| {
            let other = drawn(&mut Xoshiro256PlusPlus::seed_from_u64(words as u64), words);
            apply(store, "*", &shared, &other)
                .expect("nobody says stop")
                .or(number::binary("*", &shared, &other).and_then(Result::ok))
        };
        let both = [times(&mut store, 500), times(&mut store, 200)].map(|value| value.expect("a product"));
        let known = number::binary("gcd", &both[0], &both[1]).and_then(Result::ok);
        assert_eq!(apply(&mut store, "gcd", &both[0], &both[1]).expect("nobody says stop"), known);
        for (left, right) in [(70, 70), (70, 64), (64, 200), (200, 3), (129, 128), (300, 299), (65, 65), (500, 0)] {
            for _ in 0..20 {
                let (left, right) = (drawn(&mut random, left), drawn(&mut random, right));
                let known = number::binary("gcd", &left, &right).and_then(Result::ok);
                assert_eq!(apply(&mut store, "gcd", &left, &right).expect("nobody says stop"), known);
            }
        }
    }

    /// The computation once took more than a minute in one piece and was charged too little.
    #[test]
    fn a_common_divisor_of_large_numbers_took_no_end() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(900_000);
        let (left, right) = (drawn(&mut random, 14_000), drawn(&mut random, 14_000));
        let stop = Arc::new(AtomicBool::new(false));
        let mut counted = store(0, &stop);
        let of = |name: &str, steps: u64, store: &mut Store| {
            store.refill(Budget { steps, memory: MEMORY });
            let before = store.steps;
            let ended = apply(store, name, &left, &right).map_err(|fault| fault.cause);
            (ended, store.steps - before)
        };
        let (found, steps) = of("gcd", 0, &mut counted);
        assert!(found.is_ok_and(|found| found.is_some()), "it has a value");
        let cost = cost("gcd", &left, &right);
        assert!((cost / 2..2 * cost).contains(&steps), "{steps} steps are paid, {cost} are reckoned");
        let (ended, _) = of("gcd", cost / 4, &mut counted);
        assert!(matches!(ended, Err(Cause::Steps(_))), "the budget holds");
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(of("gcd", 0, &mut counted).0, Err(Cause::Stopped)), "an interrupt ends it");
    }

    #[test]
    fn one_product_of_large_integers_could_not_be_stopped() {
        let stop = Arc::new(AtomicBool::new(false));
        let large = Number::whole(BigInt::from(1) << 8_000_000_u64);
        stop.store(true, Ordering::Relaxed);
        for (name, right) in
            [("*", large.clone()), ("**", Number::Int(20)), ("mod", Number::Int(7)), ("gcd", Number::Int(6))]
        {
            let large = match name {
                "mod" => Number::whole(BigInt::from(1) << 4_000_000_000_u64),
                _ => large.clone(),
            };
            let ended = apply(&mut store(0, &stop), name, &large, &right).map_err(|fault| fault.cause);
            assert!(matches!(ended, Err(Cause::Stopped)) || name == "gcd", "{name}: {ended:?}");
        }
        stop.store(false, Ordering::Relaxed);
        let ended = apply(&mut store(1_000, &stop), "*", &large, &large).map_err(|fault| fault.cause);
        assert!(matches!(ended, Err(Cause::Steps(1_000))), "the budget holds as well");
    }
}
