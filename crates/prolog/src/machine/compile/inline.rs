//! The table of builtins that have special code, and properties of the other builtins.
//!
//! A builtin in none of these lists takes general arguments, and its results are treated as general
//! terms. The table maps each builtin, by name and arity, to the way to compile its calls.

use crate::machine::ir::{Function, IntComparison, TypeTest};
use alphorn_text::signature::KnownPredicates;
use std::sync::Arc;

/// The way to compile a call of a builtin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BuiltinKind {
    Unify,
    NotUnifiable,
    Same,
    NotSame,
    Is,
    Compare(IntComparison),
    Type(TypeTest),
    Arg,
    Between,
    PutArg,
    /// `=..`.
    Univ,
    Ground,
    /// A call of the builtin itself.
    Plain,
}

/// The properties of a builtin.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuiltinInfo {
    pub how: BuiltinKind,
    /// Whether the builtin never binds a variable.
    pub tests: bool,
    /// The arguments that become ground if all other arguments are ground before the call.
    pub solid: &'static [usize],
    /// If these arguments are ground, the builtin has at most one answer.
    pub once: &'static [usize],
    /// Whether the builtin never succeeds.
    pub never: bool,
}

const TESTS: &[(&str, u8)] = &[
    ("\\=", 2),
    ("==", 2),
    ("\\==", 2),
    ("@<", 2),
    ("@>", 2),
    ("@=<", 2),
    ("@>=", 2),
    ("=@=", 2),
    ("\\=@=", 2),
    ("=:=", 2),
    ("=\\=", 2),
    ("<", 2),
    (">", 2),
    ("=<", 2),
    (">=", 2),
    ("var", 1),
    ("nonvar", 1),
    ("atom", 1),
    ("integer", 1),
    ("float", 1),
    ("number", 1),
    ("atomic", 1),
    ("compound", 1),
    ("callable", 1),
    ("is_list", 1),
    ("string", 1),
    ("ground", 1),
    ("acyclic_term", 1),
    ("subsumes_term", 2),
    ("must_be", 2),
    ("throw", 1),
    ("nl", 0),
    ("write", 1),
    ("print", 1),
    ("writeln", 1),
    ("writeq", 1),
    ("write_canonical", 1),
    ("tab", 1),
    ("format", 1),
    ("format", 2),
];

/// Arguments that become ground if the others are ground before the call.
const SOLID: &[(&str, u8, &[usize])] = &[
    ("is", 2, &[0]),
    ("compare", 3, &[0]),
    ("arg", 3, &[0, 2]),
    ("=..", 2, &[0, 1]),
    ("copy_term", 2, &[1]),
    ("between", 3, &[2]),
    ("succ", 2, &[0, 1]),
    ("plus", 3, &[0, 1, 2]),
    ("divmod", 4, &[2, 3]),
    ("msort", 2, &[1]),
    ("sort", 2, &[1]),
    ("sort", 4, &[3]),
    ("keysort", 2, &[1]),
    ("numlist", 3, &[2]),
    ("length", 2, &[1]),
    ("atom_length", 2, &[1]),
    ("atom_chars", 2, &[0, 1]),
    ("atom_codes", 2, &[0, 1]),
    ("char_code", 2, &[0, 1]),
    ("number_chars", 2, &[0, 1]),
    ("number_codes", 2, &[0, 1]),
    ("atom_number", 2, &[0, 1]),
    ("atom_concat", 3, &[0, 1, 2]),
    ("sub_atom", 5, &[1, 2, 3, 4]),
    ("upcase_atom", 2, &[1]),
    ("downcase_atom", 2, &[1]),
    ("string_codes", 2, &[0, 1]),
    ("string_chars", 2, &[0, 1]),
    ("atom_string", 2, &[0, 1]),
    ("value", 3, &[2]),
    ("best", 3, &[2]),
    ("position_now", 1, &[0]),
    ("put_arg", 4, &[3]),
    ("put_args", 3, &[2]),
    ("args_with", 3, &[2]),
    ("atomic_list_concat", 2, &[1]),
    ("atomic_list_concat", 3, &[0, 2]),
];

const ONCE: &[(&str, u8, &[usize])] = &[
    ("arg", 3, &[0, 1]),
    ("between", 3, &[0, 1, 2]),
    ("length", 2, &[0]),
    ("atom_concat", 3, &[0, 1]),
    ("sub_atom", 5, &[0, 1, 2, 3, 4]),
    ("args_with", 3, &[0, 1, 2]),
];

fn builtin_kind(name: &str, arity: u8) -> BuiltinKind {
    match (name, arity) {
        ("=", 2) => BuiltinKind::Unify,
        ("\\=", 2) => BuiltinKind::NotUnifiable,
        ("==", 2) => BuiltinKind::Same,
        ("\\==", 2) => BuiltinKind::NotSame,
        ("is", 2) => BuiltinKind::Is,
        ("<", 2) => BuiltinKind::Compare(IntComparison::Less),
        ("=<", 2) => BuiltinKind::Compare(IntComparison::AtMost),
        (">", 2) => BuiltinKind::Compare(IntComparison::Greater),
        (">=", 2) => BuiltinKind::Compare(IntComparison::AtLeast),
        ("=:=", 2) => BuiltinKind::Compare(IntComparison::Equal),
        ("=\\=", 2) => BuiltinKind::Compare(IntComparison::Unequal),
        ("var", 1) => BuiltinKind::Type(TypeTest::Var),
        ("nonvar", 1) => BuiltinKind::Type(TypeTest::Nonvar),
        ("atom", 1) => BuiltinKind::Type(TypeTest::Atom),
        ("integer", 1) => BuiltinKind::Type(TypeTest::Integer),
        ("atomic", 1) => BuiltinKind::Type(TypeTest::Atomic),
        ("compound", 1) => BuiltinKind::Type(TypeTest::Compound),
        ("number", 1) => BuiltinKind::Type(TypeTest::Number),
        ("callable", 1) => BuiltinKind::Type(TypeTest::Callable),
        ("arg", 3) => BuiltinKind::Arg,
        ("between", 3) => BuiltinKind::Between,
        ("put_arg", 4) => BuiltinKind::PutArg,
        ("=..", 2) => BuiltinKind::Univ,
        ("$ground", 1) => BuiltinKind::Ground,
        _ => BuiltinKind::Plain,
    }
}

fn positions(table: &[(&str, u8, &'static [usize])], name: &str, arity: u8) -> &'static [usize] {
    table.iter().find(|(other, n, _)| (*other, *n) == (name, arity)).map_or(&[], |(_, _, args)| *args)
}

/// Makes the table of all builtins, by their numbers.
pub(super) fn table(known: &KnownPredicates) -> Arc<[BuiltinInfo]> {
    let row = |name: &str, arity: u8| BuiltinInfo {
        how: builtin_kind(name, arity),
        tests: TESTS.contains(&(name, arity)),
        solid: positions(SOLID, name, arity),
        once: positions(ONCE, name, arity),
        never: (name, arity) == ("throw", 1),
    };
    known.rows().map(|signature| row(signature.name, signature.arity)).collect()
}

/// An arithmetic function with special code.
pub(super) enum Compiled {
    Add,
    Sub,
    Other(Function),
}

/// Returns the compiled function with this name and arity.
pub(super) fn function(name: &str, arity: usize) -> Option<Compiled> {
    Some(match (name, arity) {
        ("+", 2) => Compiled::Add,
        ("-", 2) => Compiled::Sub,
        ("*", 2) => Compiled::Other(Function::Mul),
        ("//", 2) => Compiled::Other(Function::Div),
        ("mod", 2) => Compiled::Other(Function::Mod),
        ("rem", 2) => Compiled::Other(Function::Rem),
        ("/\\", 2) => Compiled::Other(Function::And),
        ("\\/", 2) => Compiled::Other(Function::Or),
        ("xor", 2) => Compiled::Other(Function::Xor),
        ("<<", 2) => Compiled::Other(Function::ShiftLeft),
        (">>", 2) => Compiled::Other(Function::ShiftRight),
        ("min", 2) => Compiled::Other(Function::Min),
        ("max", 2) => Compiled::Other(Function::Max),
        ("-", 1) => Compiled::Other(Function::Neg),
        ("abs", 1) => Compiled::Other(Function::Abs),
        ("\\", 1) => Compiled::Other(Function::Not),
        ("popcount", 1) => Compiled::Other(Function::PopCount),
        ("msb", 1) => Compiled::Other(Function::Msb),
        _ => return None,
    })
}
