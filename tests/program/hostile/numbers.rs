//! Tests numbers of millions of bits: operations on them end soon, or the budget ends them.

use super::{Wanted, goals};
use Wanted::{Begins, Either, Fault};

const LIMITS: &[&str] = &["A0601", "A0602"];
const ENDLESS: &[&str] = &["--steps", "0"];

/// Regression test: each of these ran for minutes, with any budget.
#[test]
fn work_with_large_numbers_ends_soon() {
    let uses = [
        "atom_length(_X, _)",
        "number_codes(_X, _)",
        "atom_chars(_X, _)",
        "atom_number(_A, _X)",
        "term_to_atom(f(_X), _)",
        "print(_X)",
        "write_canonical(_X)",
        "format(atom(_A), \"~d\", [_X])",
        "format(atom(_A), \"~D\", [_X])",
        "format(atom(_A), \"~36r\", [_X])",
        "_Z is gcd(_X, _Y)",
        "_Z is gcd(_X, 12345)",
        "_Z is _X * _Y",
        "_Z is _X ** 7",
        "_Z is _X // _Y",
        "_Z is _X mod _Y",
        "_Z is _X / _Y",
        "Z = _X",
        "throw(_X)",
    ];
    let made = "_X is (1 << 400000000) - 1, _Y is (1 << 300000000) + 12345, ";
    let asked: Vec<String> = uses.iter().map(|each| format!("{made}({each})")).collect();
    let cases: Vec<_> =
        asked.iter().map(|goal| (goal.as_str(), ENDLESS, Either(&["A0601", "A0602", "A0603", "A0604"]))).collect();
    goals("large_numbers", &cases);
    let usual = [format!("{made}atom_length(_X, _)"), format!("{made}_Z is gcd(_X, _Y)")];
    let cases: Vec<_> = usual.iter().map(|goal| (goal.as_str(), &[][..], Fault(LIMITS, &[]))).collect();
    goals("large_numbers_usual", &cases);
}

#[test]
fn many_digits_are_read_as_they_are_written() {
    let goal = "_X is 7 ** 300000, term_to_atom(_X, _A), term_to_atom(_Y, _A), atom_number(_A, _Z), \
                (_X =:= _Y, _X =:= _Z -> A = same ; A = other)";
    goals("many_digits", &[(goal, &[], Begins("A = same"))]);
}
