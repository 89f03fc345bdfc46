//! The comparisons and functions of numbers that a goal of advice may use.

/// Comparisons of numbers.
pub(super) const COMPARISONS: [&str; 6] = ["<", ">", "=<", ">=", "=:=", "=\\="];

/// The functions in comparisons. They take precedence over predicates with these names.
pub(super) const FUNCTIONS: [(&str, usize); 12] = [
    ("+", 2),
    ("-", 2),
    ("*", 2),
    ("/", 2),
    ("//", 2),
    ("mod", 2),
    ("min", 2),
    ("max", 2),
    ("-", 1),
    ("+", 1),
    ("abs", 1),
    ("sign", 1),
];
