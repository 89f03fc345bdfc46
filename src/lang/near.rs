//! "Did you mean": the nearest of a set of names.
//!
//! In: what was typed and what exists. Out: the one name that is close enough
//! to have been meant. Used by every surface that knows names.

/// The nearest name, if it is near enough to be a slip.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match typed.chars().count() {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let near = names
        .into_iter()
        .filter(|name| *name != typed)
        .map(|name| (strsim::damerau_levenshtein(typed, name), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < typed.chars().count().max(name.chars().count()));
    near.min().map(|(_, name)| name)
}

/// Functions of arithmetic that a person may misspell; which of them there are is asked elsewhere.
const FUNCTIONS: &[&str] = &[
    "abs",
    "sign",
    "msb",
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

/// The function of arithmetic that was meant by a name with so many arguments, if it is near enough.
pub fn function(typed: &str, arity: usize, exists: impl Fn(&str, usize) -> bool) -> Option<&'static str> {
    // Three letters are near too many others.
    let all = FUNCTIONS.iter().copied().filter(|name| exists(name, arity));
    nearest(typed, all).filter(|_| typed.chars().count() > 2)
}
