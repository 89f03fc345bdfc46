//! Suggests the nearest of a set of names: "did you mean ...?".
//!
//! Every part of Alphorn that accepts names uses it to correct spelling mistakes.

use std::cmp::Ordering;

/// The name nearest to `typed`, if it is near enough for a spelling mistake.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = typed.chars().count();
    let allowed = match length {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut letters = LetterCounts::of(typed);
    let near = names
        .into_iter()
        .filter(|name| *name != typed && letters.may_be_within(name, allowed))
        .map(|name| (strsim::damerau_levenshtein(typed, name), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < length.max(name.chars().count()));
    near.min().map(|(_, name)| name)
}

/// Whether `name` is surely a misspelling of `other`: a letter missing, added or replaced, or two
/// letters exchanged. Short names with such a difference may both be right.
pub fn is_slip(name: &str, other: &str) -> bool {
    let plain = |name: &str| name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let close = name.len().abs_diff(other.len()) < 2;
    if !close || !plain(name) || !plain(other) || strsim::damerau_levenshtein(name, other) != 1 {
        return false;
    }
    let sorted = |name: &str| {
        let mut letters = name.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    let doubled = || {
        name.as_bytes().windows(2).filter(|pair| pair[0] == pair[1]).count()
            > other.as_bytes().windows(2).filter(|pair| pair[0] == pair[1]).count()
    };
    match name.len().cmp(&other.len()) {
        Ordering::Less => true,
        Ordering::Greater => other.len() > 3 || doubled(),
        Ordering::Equal => name.len() > 4 || sorted(name) == sorted(other),
    }
}

/// Whether `name` is `other` with one letter missing or added, or with two letters exchanged. Another letter
/// may make another word. Unlike [`is_slip`], it takes names of any length.
pub fn is_short_slip(name: &str, other: &str) -> bool {
    let sorted = |name: &str| {
        let mut letters = name.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    strsim::damerau_levenshtein(name, other) == 1 && (name.len() != other.len() || sorted(name) == sorted(other))
}

/// Whether `name` is `other` with one letter replaced by another.
pub fn is_one_letter_off(name: &str, other: &str) -> bool {
    let differ = name.chars().zip(other.chars()).filter(|(one, two)| one != two).count();
    differ == 1 && name.chars().count() == other.chars().count()
}

/// Arithmetic functions to suggest. The caller says which of them exist.
const FUNCTIONS: &[&str] = &[
    "abs",
    "sign",
    "msb",
    "lsb",
    "getbit",
    "popcount",
    "integer",
    "truncate",
    "round",
    "floor",
    "ceiling",
    "float",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "log2",
    "rem",
    "mod",
    "div",
    "min",
    "max",
    "xor",
    "gcd",
    "copysign",
    "float_integer_part",
    "float_fractional_part",
];

/// The arithmetic function of this arity that is nearest to `typed`, if it is near enough.
pub fn function(typed: &str, arity: usize, exists: impl Fn(&str, usize) -> bool) -> Option<&'static str> {
    // A name of two letters is near too many others.
    let all = FUNCTIONS.iter().copied().filter(|name| exists(name, arity));
    nearest(typed, all).filter(|_| typed.chars().count() > 2)
}

/// The help for an unknown arithmetic function; `given` is the text of its arguments.
pub fn function_help(typed: &str, given: &str, arity: usize, exists: impl Fn(&str, usize) -> bool) -> String {
    match function(typed, arity, exists) {
        Some(near) => format!("did you mean {near}({given})?"),
        None => "arithmetic functions are + - * / // mod min max abs and others: see docs/language.md".to_string(),
    }
}

/// Whether to compare a name with so many names after so many problems. Users fix the first problems
/// first. Without a limit, the time grows with the square of the text.
pub fn is_worthwhile(problems: usize, names: usize) -> bool {
    problems.saturating_mul(names) <= MOST_COMPARED
}

/// The approximate limit of compared names in one load.
const MOST_COMPARED: usize = 2_000_000;

/// The count of each letter in a name. Comparing counts is much cheaper than the edit distance.
struct LetterCounts {
    counts: [i32; 256],
    length: usize,
}

impl LetterCounts {
    fn of(name: &str) -> LetterCounts {
        let mut letters = LetterCounts { counts: [0; 256], length: name.len() };
        name.bytes().for_each(|byte| letters.counts[usize::from(byte)] += 1);
        letters
    }

    /// Whether the edit distance to `name` can be at most `slips`. One edit replaces at most one
    /// character, which has at most four bytes.
    fn may_be_within(&mut self, name: &str, slips: usize) -> bool {
        let widest = if name.is_ascii() { 1 } else { 4 };
        if name.len().abs_diff(self.length) > slips * 4 {
            return false;
        }
        let mut differing = 0;
        for byte in name.bytes() {
            let count = &mut self.counts[usize::from(byte)];
            *count -= 1;
            differing += usize::from(*count < 0);
        }
        name.bytes().for_each(|byte| self.counts[usize::from(byte)] += 1);
        differing <= slips * widest
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    /// Like [`nearest`], but without comparing letters first.
    fn slowly<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
        let length = typed.chars().count();
        let allowed = if length < 5 { 1 } else { 2 + usize::from(length > 8) };
        let distance = |name: &&&str| strsim::damerau_levenshtein(typed, name);
        let near = names.iter().filter(|name| **name != typed && distance(name) <= allowed);
        let near = near.filter(|name| distance(name) < length.max(name.chars().count()));
        near.map(|name| (strsim::damerau_levenshtein(typed, name), *name)).min().map(|(_, name)| name)
    }

    #[test]
    fn looking_at_letters_first_finds_the_same_names() {
        let names =
            ["findall", "forall", "lenght", "length", "größe", "grösse", "ab", "ba", "xaxb", "日本", "日木", ""];
        let typed =
            ["findal", "fnidall", "foral", "lentgh", "größse", "grosse", "a", "b", "axb", "日本語", "日", "", "é"];
        for typed in typed.iter().chain(&names) {
            assert_eq!(nearest(typed, names), slowly(typed, &names), "{typed}");
        }
    }
}
