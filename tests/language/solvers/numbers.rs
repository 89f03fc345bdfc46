//! Tests that arithmetic beyond small integers has the same runs on both solvers: floats, large integers, and errors.

use super::rows::assert_same_runs;

/// Goals that run each expression several times, so that native code evaluates it, with values of all kinds.
#[test]
fn expressions_have_the_same_runs() {
    let text = "
        values([0, 1, -3, 7, 60, 576460752303423487, -576460752303423488, 1152921504606846976, 18446744073709551616,
            170141183460469231731687303715884105727, 680564733841876926926749214863536422912, 0.0, -0.0, 0.5, -2.25,
            1.0e10, 9007199254740993.0, 1.0e308, a, \"t\", f(1), []]).
        two(E, A, B, R) :- values(L), member(A, L), member(B, L), catch(( E = 1, R = none ; called(E, A, B, R) ), error(W, _), R = W).
        called(add, A, B, R) :- R is A + B.
        called(sub, A, B, R) :- R is A - B.
        called(mul, A, B, R) :- R is A * B.
        called(mixed, A, B, R) :- R is A * 0.5 + B * 1.5 - 0.25.
        called(divide, A, B, R) :- R is A / B.
        called(div, A, B, R) :- R is A // B.
        called(mod, A, B, R) :- R is A mod B.
        called(floor, A, B, R) :- R is truncate(A / 2) + round(B * 0.5) + floor(A) - ceiling(B).
        called(max, A, B, R) :- R is max(A, B) - min(A, B).
        called(max_float, A, B, R) :- R is max(A, 0.5) * min(B, 2).
        called(bits, A, B, R) :- R is (A /\\ B) \\/ (A xor 18446744073709551615).
        called(shift, A, B, R) :- R is (A << 3) - (B >> 2).
        called(far, A, B, R) :- R is A << (B + 1).
        called(root, A, B, R) :- R is sqrt(A * A + B).
        called(power, A, B, R) :- R is A ** 2 + B ^ 3.
        called(sign, A, B, R) :- R is sign(A) + abs(B) + (- A).
        called(many, A, B, R) :- R is A + A + B + B * 2 - (A - (B - (A - (B - (A - (B - 1.0)))))).
        called(less, A, B, R) :- ( A + 0.5 < B -> R = less ; R = other ).
        called(same, A, B, R) :- ( A =:= B * 1.0 -> R = same ; R = other ).
        called(at_most, A, B, R) :- ( A =< B -> R = at_most ; A > B -> R = more ; R = unordered ).
        called(not_same, A, B, R) :- ( A * 2 =\\= B + A -> R = differ ; R = same ).
        called(known, A, _, R) :- ( 2.5 is A -> R = yes ; R = no ).
        called(same_variable, A, B, R) :- R is B, A \\== B.
        called(unknown, A, B, R) :- R is A * 0.5 + foo(B).
        called(pi, A, _, R) :- R is A * pi + e.
        called(constants, _, _, R) :- R is 6 / 3 + 1, R > 2.5.
        called(hidden, A, B, R) :- ( min(A, B / 1.0e-10) > 3.0 -> R = more ; R = other ).
        called(hidden_value, A, B, R) :- R is max(A * 1.0, 2.5 - B * 1.0e10) / 2.
        called(known_in_part, A, _, R) :- R is A / 4 * 2.
        constant(0, R, R) :- !.
        constant(N, _, R) :- Q is 8 / 4, M is N - 1, constant(M, Q, R).
        loop(0, S, S) :- !.
        loop(N, S0, S) :- S1 is S0 * 0.999 + N / 3 - 0.25 * (N mod 7), M is N - 1, loop(M, S1, S).
        grow(0, B, B) :- !.
        grow(N, B0, B) :- B1 is ((B0 << 1) \\/ (N /\\ 1)) /\\ 1180591620717411303423, M is N - 1, grow(M, B1, B).
        more(N, N) :- N > 50.5, !.
        more(N0, N) :- N1 is N0 + 0.5, more(N1, N).
        nine(A, B, C, D, E, F, G, H, I, R) :- R is A + B + C + D + E + F + G + H + I + 0.5.
    ";
    let names = [
        "add",
        "sub",
        "mul",
        "mixed",
        "divide",
        "div",
        "mod",
        "floor",
        "max",
        "max_float",
        "bits",
        "shift",
        "far",
        "root",
        "power",
        "sign",
        "many",
        "less",
        "same",
        "at_most",
        "not_same",
        "known",
        "same_variable",
        "unknown",
        "pi",
        "constants",
        "hidden",
        "hidden_value",
        "known_in_part",
    ];
    let mut goals: Vec<String> = names.iter().map(|name| format!("findall(R, two({name}, _, _, R), L)")).collect();
    let more = [
        "loop(1000, 0.0, S)",
        "loop(1000, 0, S)",
        "grow(300, 1, B)",
        "more(0, N)",
        "constant(600, 0, R)",
        "more(a, N)",
        "nine(1, 2, 3, 4, 5, 6, 7, 8, 9, R)",
        "called(mixed, 1, x, R)",
        "called(far, 1, 100000, R), R > 0",
        "called(far, 1, 100000000000000, R)",
        "called(power, 3, 100000, R), R > 0",
    ];
    goals.extend(more.map(String::from));
    let goals: Vec<&str> = goals.iter().map(String::as_str).collect();
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}
