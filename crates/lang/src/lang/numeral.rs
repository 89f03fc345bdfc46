//! Reads numbers: digit groups, radixes, floats, and text that looks like a number but is none.
//!
//! `lexer.rs` finds the end of a number. This file returns its token. It also reports letters directly
//! behind a number that cannot be a separate word, with what to type instead.

use crate::lang::token::TokenKind;
use alphorn_text::code::Code;
use num_bigint::BigInt;
use num_traits::Num;

/// The value of a number.
#[derive(Clone, Debug, PartialEq)]
pub enum NumeralValue {
    /// An integer of any size.
    Int(BigInt),
    /// A float of 64 bits.
    Float(f64),
}

/// The number of digits that are read one after the other.
const FEW: usize = 2_000;

/// The largest radix: ten digits and 26 letters.
const LARGEST: u32 = 36;

const REFUSED: Code = Code::MalformedNumber;

/// Reads the digits of an integer, perhaps in groups.
pub(super) fn integer(text: &str, base: u32) -> BigInt {
    match text.bytes().all(|c| c.is_ascii_alphanumeric()) {
        true => value(text, base),
        false => value(&digits(text), base),
    }
}

/// Removes the separators of digit groups: `_` and layout.
fn digits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '%' => rest.find('\n').unwrap_or(rest.len()),
            '/' => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ => c.len_utf8(),
        };
        if c.is_ascii_alphanumeric() {
            out.push(c);
        }
        rest = &rest[end..];
    }
    out
}

/// Reads digits. Splits a long number into halves: one product costs less than many digit steps.
fn value(digits: &str, base: u32) -> BigInt {
    if digits.len() <= FEW {
        return BigInt::from_str_radix(digits, base).expect("only digits of the radix get here");
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    value(high, base) * BigInt::from(base).pow(low.len() as u32) + value(low, base)
}

/// Reads `0xff`, `0o17` or `0b101`.
pub(super) fn radix(text: &str) -> BigInt {
    let base = match text.as_bytes()[1] {
        b'x' => 16,
        b'o' => 8,
        _ => 2,
    };
    integer(&text[2..], base)
}

/// Reads `16'ff`: radix, quote, digits.
pub(super) fn based(text: &str) -> TokenKind {
    let (base, figures) = text.split_once('\'').expect("the grammar wants a quote");
    let Some(base) = base.parse().ok().filter(|base| (2..=LARGEST).contains(base)) else {
        let help = "write 16'ff for a radix from 2 to 36, 0'c for the code of the character c, \
                    or put a blank before a quoted atom";
        return TokenKind::Broken(REFUSED, format!("{base} is not a radix"), help.into());
    };
    let figures = digits(figures);
    match figures.chars().find(|c| !c.is_digit(base)) {
        Some(figure) => no_digit(figure, base),
        None => TokenKind::Int(value(&figures, base)),
    }
}

/// Reads a float whose digits may be in groups.
pub(super) fn float(text: &str) -> TokenKind {
    let read = match text.split_once('.') {
        Some((whole, rest)) if whole.contains(['_', ' ']) => format!("{}.{rest}", digits(whole)).parse::<f64>(),
        _ => text.parse::<f64>(),
    };
    match read {
        Ok(value) if value.is_finite() => TokenKind::Float(value),
        _ => TokenKind::Broken(REFUSED, "this float is too large".into(), "the largest float is about 1.8e308".into()),
    }
}

fn no_digit(figure: char, base: u32) -> TokenKind {
    let kind = match base {
        2 => "a binary number".to_string(),
        8 => "an octal number".to_string(),
        16 => "a hexadecimal number".to_string(),
        base => format!("a number of radix {base}"),
    };
    let last = char::from_digit(base - 1, base).expect("the radix is at most 36");
    let help = match base {
        2 => "its digits are 0 and 1".to_string(),
        3..=10 => format!("its digits are 0 to {last}"),
        11 => "its digits are 0 to 9 and a".to_string(),
        _ => format!("its digits are 0 to 9 and a to {last}"),
    };
    let help = format!("{help}; put an operator or a blank where the number ends");
    TokenKind::Broken(REFUSED, format!("`{figure}` is not a digit of {kind}"), help)
}

/// The mistake of letters, digits and `_` directly behind a number: their length and a broken token. A
/// name or variable behind a decimal number is left to the parser, which has the operators.
pub(super) fn broken(number: &str, behind: &str) -> Option<(usize, TokenKind)> {
    let run = &behind[..behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len())];
    let first = run.chars().next()?;
    let whole = format!("{number}{run}");
    let word = |message: String, help: String| Some((run.len(), TokenKind::Broken(REFUSED, message, help)));
    let base = base_of(&whole);
    let plain: String = whole.chars().filter(|c| *c != '_').collect();
    let plain_is_number = is_number(&plain);
    if whole.contains('_') && !number.starts_with("0'") && (first == '_' || plain_is_number) {
        let help = match plain_is_number {
            true => format!("write {plain}"),
            false => {
                "write `_` only between two digits, as in 1_000, and an operator between a number and a name".into()
            }
        };
        let message = match plain_is_number && is_grouped_fraction(&whole) {
            true => "the digits after a decimal point cannot be grouped with `_`",
            false => "`_` in a number must be between two digits",
        };
        return word(message.into(), help);
    }
    if number.starts_with("0'") {
        let help = "write 'abc' for an atom, or put a blank or an operator after the character";
        return word(format!("`{run}` directly after {number}, which is one character"), help.into());
    }
    if let Some((base, figures)) = base {
        if whole.as_bytes()[1].is_ascii_uppercase() {
            let small = whole.to_ascii_lowercase();
            let help = match is_number(&small) {
                true => format!("write {small}"),
                false => "write 0x, 0o or 0b with a small letter".into(),
            };
            return word(format!("`{}` is not a number prefix", &whole[..2]), help);
        }
        return match figures.chars().find(|c| !c.is_digit(base) && *c != '_') {
            Some(figure) => Some((run.len(), no_digit(figure, base))),
            None => word(format!("digits are missing after `{whole}`"), format!("write {whole}1 for 1")),
        };
    }
    if number.ends_with("Inf") || number.ends_with("NaN") {
        return word("a name directly after a number".into(), format!("write {number} alone, or put a blank after it"));
    }
    match run.strip_prefix('r') {
        Some(below) if !below.is_empty() && below.bytes().all(|c| c.is_ascii_digit()) => {
            let help = format!("write {number} / {below} in arithmetic for a float, or keep the two integers apart");
            word("there are no rational numbers".into(), help)
        }
        _ => None,
    }
}

/// The help for a decimal number that touches a name, such as `12abc` or `1e10`.
pub(super) fn name_behind(number: &str, float: bool, name: &str) -> String {
    let exponent = name.strip_prefix(['e', 'E']).filter(|rest| rest.bytes().all(|c| c.is_ascii_digit()));
    match exponent {
        Some(_) if float => "digits are missing in the exponent: write 1.0e5 or 1.0e-5".to_string(),
        Some("") => format!("a float needs a fraction: write {number}.0e5, with digits after the e"),
        Some(_) => format!("a float needs a fraction: write {number}.0{name}"),
        None if matches!(&*name.to_lowercase(), "inf" | "nan") => "write inf or nan in arithmetic".to_string(),
        None => format!("write {number} * {name} for a product, or put a blank between them"),
    }
}

/// The radix of a prefix such as `0x` or `16'`, and the rest of the text.
fn base_of(text: &str) -> Option<(u32, &str)> {
    let figures = text.get(2..)?;
    match &text[..2] {
        "0x" | "0X" => Some((16, figures)),
        "0o" | "0O" => Some((8, figures)),
        "0b" | "0B" => Some((2, figures)),
        _ => text.split_once('\'').and_then(|(base, figures)| {
            let base = base.parse().ok().filter(|base| (2..=LARGEST).contains(base))?;
            Some((base, figures))
        }),
    }
}

/// Whether a text is a float in which each `_` is between two digits, as in `1.000_1`.
fn is_grouped_fraction(text: &str) -> bool {
    text.contains('.') && text.split(['_', '.']).all(|part| !part.is_empty())
}

fn is_number(text: &str) -> bool {
    let all = |base: u32, figures: &str| !figures.is_empty() && figures.chars().all(|c| c.is_digit(base));
    match base_of(text) {
        Some((base, figures)) => all(base, figures),
        None => text.split('.').count() <= 2 && text.split('.').all(|part| all(10, part)),
    }
}
