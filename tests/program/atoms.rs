//! Tests that atoms made by rules are kept while they are needed, and freed afterwards.
//!
//! The games and goals make long atoms in many ways, with little memory. Random goals make short atoms; they
//! run with the usual sweeps of the atom table, and with sweeps at every opportunity (`ALPHORN_SWEEP`). No
//! run may exceed its memory, and sweeps must not change an answer.

use crate::bounds::{CONSTANT, data, file, finished, run_in, said, stays_within};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::process::{Command, Stdio};

/// Uses of a long atom `A`. Earlier versions kept the atom for ever in some of these cases.
const USES: [&str; 19] = [
    "copy_term(f(A, X), f(B, Y)), A == B, var(X), var(Y)",
    "catch(throw(own(A)), own(B), true), A == B",
    "catch(throw(A), _, true)",
    "catch(_ is A + 1, error(type_error(evaluable, B/0), _), true), A == B",
    "catch(must_be(integer, A), error(E, _), true), E == type_error(integer, A)",
    "catch(call(A), error(existence_error(_, B/0), _), true), A == B",
    "catch((true, call(A)), error(_, _), true)",
    "catch((call(A) ; true), error(_, _), true)",
    "catch(call(lists:A, x), error(_, _), true)",
    "catch(call(A:foo), error(_, _), true)",
    "functor(T, A, 2), T =.. [B|_], A == B, catch(call(T), _, true)",
    "findall(Y, distinct(Y, member(Y, [A, A, b])), [_, _])",
    "findnsols(2, X-A, member(X, [1, 2]), [_, 2-B]), A == B",
    "seen(A, B), A == B",
    "f(A, X) =@= f(A, Y), var(X), var(Y)",
    "term_to_atom(g(A), B), term_to_atom(C, B), C == g(A)",
    "sformat_(A, B), atom_string(C, B), A == C",
    "findall(X-A, member(X, [_, 2]), [_-B|_]), setof(Z, member(Z, [B, A]), [C]), A == C",
    "list_to_assoc([A-1], T), put_assoc(A, T, 2, U), get_assoc(A, U, 2)",
];

/// A game that makes an atom of 20,000 letters at each move. The goal `by` uses the atom, in the moves or in
/// the evaluation.
fn game(by: &str, of_moves: bool) -> String {
    let (moving, valuing) = if of_moves { (by, "true") } else { ("true", by) };
    format!(
        "initial(0).\nmax_to_move(N) :- N mod 2 =:= 0.\n:- table seen/2.\nseen(A, A).\nsformat_(A, B) :- format(string(B), '~w', [A]).\n\
         move(N, K, M) :- N < 1000, member(K, [1, 2]), M is 2*N + K, format(atom(A), \"~w~`xt~20000|\", [M]), ( {moving} -> true ; fail ).\n\
         static_eval(N, V) :- format(atom(A), \"~w~`yt~20000|\", [N]), ( {valuing} -> true ; fail ), V is N mod 7.\nacyclic.\n"
    )
}

/// Regression test: each of these games ended in A0602, with a message about positions.
#[test]
fn terms_that_are_soon_forgotten_keep_no_atoms() {
    for (number, by) in USES.iter().enumerate() {
        for of_moves in [true, false] {
            let rules = file(&format!("use_{number}_{of_moves}.pl"), &game(by, of_moves));
            let ran = run_in(16 + CONSTANT, &["solve", &rules, "--memory", "16M"], "");
            assert!(said(&ran).contains("value"), "{by}: {}", said(&ran).chars().take(2000).collect::<String>());
        }
    }
}

/// A search that forgets positions also frees their long atoms.
#[test]
fn positions_that_a_search_forgets_free_their_atoms() {
    let rules = file(
        "assoc.pl",
        "initial(p(0, T)) :- list_to_assoc([], T).\nmax_to_move(p(N, _)) :- N mod 2 =:= 0.\n\
         move(p(N, T), K, p(M, U)) :- N < 100000000, member(K, [1, 2]), M is 2*N + K,\n\
         \x20 format(atom(A), \"~w~`xt~20000|\", [M]), Key is M mod 4, put_assoc(Key, T, A, U).\n\
         static_eval(p(N, T), V) :- ( get_assoc(1, T, A) -> atom_length(A, L) ; L = 0 ), V is (N + L) mod 7.\nacyclic.\n",
    );
    for command in [&["value", &rules, "--depth", "12"][..], &["bench", &rules, "--depth", "9"]] {
        stays_within(16, command, &["value", "signature"]);
    }
    stays_within(16, &["solve", &rules], &["A0602", "A0630"]);
}

/// Regression test: a prompt whose memory was full stayed full for ever.
#[test]
fn a_prompt_that_was_full_has_room_again() {
    let kept = "p(N, A) :- format(atom(A), \"~w~`xt~100000|\", [N]).\n\
         initial(N-A) :- N = 0, p(N, A).\nmax_to_move(N-_) :- N mod 2 =:= 0.\n\
         move(N-_, K, M-A) :- N < 100000, member(K, [1, 2]), M is 2*N + K, p(M, A).\nstatic_eval(N-_, V) :- V is N mod 7.\nacyclic.\n";
    let goal = "numlist(1, 20, L), forall(member(X, L), (p(X, A), copy_term(A, B), A == B)), Y = fine.\n";
    let session = format!(":solve\n{goal}:value --depth 7\n:solve\n:moves\n{goal}").repeat(3);
    let ran = run_in(16 + CONSTANT, &["repl", &file("full.pl", kept), "--memory", "16M"], &session);
    let text = said(&ran);
    assert_eq!((text.matches("A0602").count(), text.matches("Y = fine").count()), (6, 6), "{text}");
}

#[test]
fn thousands_of_goals_at_the_prompt_leave_nothing_behind() {
    let goal = |number: usize| {
        let by = USES[number % USES.len()];
        format!(
            "findall(Long, (format(atom(A), \"~w~`xt~20000|\", [{number}]), once(({by})), atom_length(A, Long)), [Long]).\n"
        )
    };
    let session: String = (0..2000).map(goal).collect();
    let ran = run_in(16 + CONSTANT, &["repl", &file("goals.pl", &game("true", true)), "--memory", "16M"], &session);
    let text = said(&ran);
    assert_eq!(text.matches("Long = 20000").count(), 2000, "{}", text.chars().take(2000).collect::<String>());
}

/// The output of a run with sweeps of one kind, without the times.
fn swept(how: &str, args: &[&str], input: &str) -> String {
    let child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .env("ALPHORN_SWEEP", how)
        .env("ALPHORN_HISTORY", "")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let text = said(&finished(child, input));
    assert!(!text.contains("panicked"), "{how} {args:?}: {text}");
    let timeless = |line: &str| {
        let untimed =
            line.rsplit_once(", ").filter(|(_, time)| time.ends_with(" s")).map_or(line, |(before, _)| before);
        // A search that takes long enough prints its speed.
        let speed = untimed.find(" (").and_then(|from| Some(from..from + untimed[from..].find(" a second)")? + 10));
        speed.map_or(untimed.to_string(), |speed| untimed[..speed.start].to_string() + &untimed[speed.end..])
    };
    text.lines().map(timeless).collect::<Vec<_>>().join("\n")
}

fn says_the_same_however_often_swept(args: &[&str], input: &str) -> String {
    let usual = swept("0", args, input);
    for how in ["1", "2"] {
        assert_eq!(swept(how, args, input), usual, "ALPHORN_SWEEP={how} {args:?}\n{input}");
    }
    usual
}

/// A goal that makes atoms of atoms in random ways, and keeps them in random places.
fn random_goal(random: &mut Xoshiro256PlusPlus) -> String {
    let mut goals = vec!["A0 = a, A1 = 'B', A2 = made".to_string()];
    let count = random.random_range(2..9);
    for new in 3..3 + count {
        let mut old = || format!("A{}", random.random_range(0..new));
        let (x, y, z, new) = (old(), old(), old(), format!("A{new}"));
        let way = [
            "atom_concat(X, Y, N)",
            "atomic_list_concat([X, Y, Z], '-', N)",
            "upcase_atom(X, N0), atom_concat(N0, Y, N)",
            "format(atom(N), '~w~q', [X, f(Y, Z)])",
            "term_to_atom(g(X, Y), N)",
            "atom_concat(X, u, N0), term_to_atom(N0, N1), term_to_atom(N, N1)",
            "findall(W, distinct(W, (member(W, [X, Y, Z, X]))), N0), atomic_list_concat(N0, N)",
            "catch((atom_concat(X, Y, N0), throw(b(N0, Z))), b(N1, N2), atom_concat(N1, N2, N))",
            "atom_concat(X, c, N0), copy_term(f(N0, V, V), f(N, W, W1)), W == W1",
            "atom_concat(X, Y, N0), joined(N0, Z, N)",
            "joined(X, Y, N0), joined(N0, N0, N1), atom_length(N1, N2), atom_concat(Z, N2, N)",
            "atom_concat(X, t, N0), functor(T, N0, 2), T =.. [N1|_], atom_concat(N1, Y, N)",
            "atom_concat(X, k, N0), catch(call(N0, Y), error(existence_error(_, N1/_), _), true), atom_concat(N1, Z, N)",
            "setof(W, M^member(M-W, [1-X, 2-Y, 3-Z]), N0), atomic_list_concat(N0, +, N)",
            "sub_atom(X, 0, 1, _, N0), atom_concat(Y, N0, N)",
            "atom_chars(X, N0), append(N0, [q], N1), atom_chars(N, N1)",
            "once((between(1, 40, W), atom_concat(X, W, N0), atom_length(N0, L), L > 3)), atom_concat(N0, Y, N)",
            "forall(between(1, 30, W), (atom_concat(X, W, N1), copy_term(N1, N2), N1 == N2)), atom_concat(Y, Z, N)",
        ]
        .choose(random)
        .expect("there are some");
        let mut text = String::new();
        for word in way.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let (name, rest) = word.split_at(word.len() - usize::from(!word.ends_with(char::is_alphanumeric)));
            text.push_str(&match name {
                "X" => x.clone(),
                "Y" => y.clone(),
                "Z" => z.clone(),
                "N" => new.clone(),
                name if name.starts_with(|c: char| c.is_ascii_uppercase()) => format!("{name}{new}"),
                name => name.to_string(),
            });
            text.push_str(rest);
        }
        // Atoms stay short.
        goals.push(format!("{text}, atom_length({new}, Long{new}), Long{new} < 2000"));
    }
    goals.join(", ") + ".\n"
}

/// A game whose positions and labels contain atoms made by rules. The atoms are made again in other orders.
fn random_game(random: &mut Xoshiro256PlusPlus) -> String {
    let (width, add, modulus) = (random.random_range(2..5), random.random_range(1..9), random.random_range(3..8));
    let named = ["atom_concat(w, K, A)", "atomic_list_concat([n, K, P], A)", "format(atom(A), '~w_~q', [P, K])"]
        .choose(random)
        .expect("there are some");
    let seen = ["", ":- table step/3.\n"].choose(random).expect("there are some");
    let merged = [
        "",
        "canonical(p(N, W, As), p(N, W, Bs)) :- msort(As, Bs).\n",
        "symmetry(p(N, W, As), p(N, W, Bs)) :- reverse(As, Bs).\n",
    ];
    let merged = merged.choose(random).expect("there are some");
    format!(
        "initial(p(0, x, [])).\nmax_to_move(p(_, x, _)).\n{seen}\
         step(P, K, A) :- member(K, [{}]), {named}.\n\
         move(p(N, W, As), L, p(M, V, Bs)) :- N < 7, M is N + 1, turned(W, V), length(As, P), step(P, K, A),\n\
         \x20 ( length(As, 3) -> As = [_|Cs] ; Cs = As ), append(Cs, [A], Bs),\n\
         \x20 catch(throw(t(A, K)), t(A2, _), true), atom_concat(A2, l, L0), term_to_atom(L0-V, L).\n\
         turned(x, o). turned(o, x).\n{merged}\
         static_eval(p(N, _, As), V) :- findall(C, (member(A, As), sub_atom(A, _, 1, 0, D), atom_codes(D, [C])), Cs),\n\
         \x20 sum_list(Cs, S), V is (S * {add} + N) mod {modulus}.\nacyclic.\n",
        (1..=width).map(|k| k.to_string()).collect::<Vec<_>>().join(", "),
    )
}

#[test]
fn no_answer_of_a_random_goal_depends_on_sweeps() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(20_261_123);
    let rules = file("joined.pl", ":- table joined/3.\njoined(A, B, C) :- atomic_list_concat([A, '<', B, '>'], C).\n");
    for round in 0..2 {
        let session: String = (0..200).map(|_| random_goal(&mut random)).collect();
        let text = says_the_same_however_often_swept(&["repl", &rules], &session);
        assert!(text.matches("A3 = ").count() > 100, "round {round}: most goals have answers: {text}");
    }
}

#[test]
fn no_value_of_a_random_game_depends_on_sweeps() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    for number in 0..10 {
        let rules = file(&format!("game_{number}.pl"), &random_game(&mut random));
        for command in
            ["value --threads 1 --depth 5", "solve", "perft --depth 3", "moves", "test", "match --games 2 --depth 2"]
        {
            let words: Vec<&str> = command.split(' ').collect();
            let args: Vec<&str> = [&words[..1], &[&*rules], &words[1..]].concat();
            let text = says_the_same_however_often_swept(&args, "");
            assert!(
                !text.contains("A0602") && !text.contains("A0603"),
                "{text}\n{}",
                std::fs::read_to_string(&rules).unwrap_or_default()
            );
        }
    }
    says_the_same_however_often_swept(&["value", &data("leak"), "--depth", "6", "--threads", "1"], "");
}

/// Regression test: keys of positions used the numbers of atoms, so an exact value was wrong.
#[test]
fn a_position_is_not_taken_for_one_whose_atom_had_its_number() {
    let rules = file(
        "path.pl",
        "initial(p(s)).\nmax_to_move(p(A)) :- atom_length(A, L), L mod 2 =:= 1.\n\
         move(p(A), K, p(B)) :- atom_length(A, L), L < 7, member(K, [a, b, c]), atom_concat(A, K, B).\n\
         static_eval(p(A), V) :- atom_codes(A, Cs), foldl([C, S, T]>>(T is (S * 31 + C) mod 1009), Cs, 7, V).\nacyclic.\n",
    );
    for args in [&["value", &rules, "--threads", "1"][..], &["solve", &rules], &["perft", &rules, "--depth", "6"]] {
        says_the_same_however_often_swept(args, "");
    }
}
