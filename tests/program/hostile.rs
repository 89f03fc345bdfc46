//! Hostile rules and goals: each run through the binary ends soon with an answer or a diagnostic, and never
//! in a crash.
//!
//! The rules and goals are constants, written to cargo's temporary folder. Each goal runs twice, with text
//! output and with JSON output, in a process of its own. A process that takes too long is killed.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

mod games;
mod load;
mod numbers;

/// The limit for a run. A run that takes longer counts as a failure.
const LONGEST: Duration = Duration::from_secs(20);

const RULES: &str = r#"
q.
runaway(X) :- runaway(f(X)), q.
grow(L) :- grow([a|L]).
ever :- q, ever.
count(N, N, T, T) :- !.
count(I, N, A, T) :- J is I + 1, count(J, N, s(A), T).
tower(N, T) :- count(0, N, z, T).
atoms(A) :- atom_concat(A, x, B), atoms(B).
deep([], 0).
deep([_|T], N) :- deep(T, M), N is M + 1.
shared(0, x) :- !.
shared(N, f(X, X)) :- M is N - 1, shared(M, X).
:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
edge(b, c).
edge(c, a).
"#;

/// The result of a run.
struct Ran {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    taken: Duration,
}

fn alphorn(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command
        .args(args)
        .env("LC_ALL", "C.UTF-8")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn read_all(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("a pipe can be read");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for a process and kills it if it takes too long. A killed process has no exit status.
fn ended(mut child: Child, begun: Instant) -> Ran {
    let stdout = read_all(child.stdout.take().expect("it is a pipe"));
    let stderr = read_all(child.stderr.take().expect("it is a pipe"));
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break status.code();
        }
        if begun.elapsed() > LONGEST {
            child.kill().expect("a child can be killed");
            child.wait().expect("a child can be waited for");
            break None;
        }
        thread::park_timeout(Duration::from_millis(5));
    };
    Ran {
        status,
        taken: begun.elapsed(),
        stdout: stdout.join().expect("the reader lives"),
        stderr: stderr.join().expect("the reader lives"),
    }
}

fn run(args: &[&str]) -> Ran {
    let begun = Instant::now();
    ended(alphorn(args).spawn().expect("the binary is built"), begun)
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile_{name}.pl"));
    std::fs::write(&path, text).expect("the folder is there");
    path.to_str().expect("names are UTF-8").to_string()
}

fn shortened(text: &str) -> String {
    text.chars().take(400).collect()
}

/// The expected result of a goal.
enum Wanted {
    /// These lines on standard output.
    Answers(&'static str),
    /// No answer.
    No,
    /// An output that begins with this text, of any length.
    Begins(&'static str),
    /// One of these codes, with these words in the message or in the help.
    Fault(&'static [&'static str], &'static [&'static str]),
    /// An answer, or an error with one of these codes: both are correct.
    Either(&'static [&'static str]),
}
use Wanted::{Answers, Begins, Either, Fault, No};

const LIMITS: &[&str] = &["A0601", "A0602"];
/// The codes that are allowed for a goal with a cyclic term.
const CYCLIC: &[&str] = &["A0601", "A0602", "A0626"];
const SMALL: &[&str] = &["--memory", "256M", "--steps", "10000000"];

/// What is wrong with a run, as text for the developer.
fn complaint(ran: &Ran, json: bool, wanted: &Wanted) -> Option<String> {
    let Some(status) = ran.status else {
        return Some(format!("did not end within {LONGEST:?}"));
    };
    if ran.stderr.contains("panicked") || !(0..=2).contains(&status) {
        return Some(format!("crashed with status {status}: {}", shortened(&ran.stderr)));
    }
    let said = if json { &ran.stdout } else { &ran.stderr };
    let object: Value = match serde_json::from_str(ran.stdout.trim_end()) {
        Ok(object) => object,
        Err(error) if json => return Some(format!("stdout is no JSON object ({error}): {}", shortened(&ran.stdout))),
        Err(_) => Value::Null,
    };
    if json && (object["schema"] != 2 || ran.stdout.trim_end().contains('\n')) {
        return Some(format!("not one object of schema 2 on one line: {}", shortened(&ran.stdout)));
    }
    let coded = |codes: &[&str]| match json {
        true => codes.iter().any(|code| object["error"]["code"] == **code),
        false => codes.iter().any(|code| ran.stderr.contains(code)),
    };
    let fine = match wanted {
        Answers(text) if json => {
            status == 0
                && object["complete"] == true
                && object["answers"].as_array().map(Vec::len) == Some(text.lines().count())
        }
        Answers(text) => status == 0 && ran.stdout == *text,
        No if json => status == 1 && object["answers"] == serde_json::json!([]),
        No => status == 1 && ran.stdout == "false\n",
        Begins(_) if json => status == 0,
        Begins(text) => status == 0 && ran.stdout.starts_with(text),
        Fault(codes, words) => status == 2 && coded(codes) && words.iter().all(|word| said.contains(word)),
        Either(codes) => status < 2 || coded(codes),
    };
    (!fine).then(|| format!("status {status}, stdout {}, stderr {}", shortened(&ran.stdout), shortened(&ran.stderr)))
}

/// Runs goals, each with both forms of output at once.
fn goals(name: &str, cases: &[(&str, &[&str], Wanted)]) {
    let path = file(name, RULES);
    let mut bad = Vec::new();
    for (goal, more, wanted) in cases {
        let both = [false, true].map(|json| {
            let mut args: Vec<String> =
                ["query", &path, goal].iter().chain(more.iter()).map(ToString::to_string).collect();
            args.extend(json.then(|| "--json".to_string()));
            thread::spawn(move || run(&args.iter().map(String::as_str).collect::<Vec<_>>()))
        });
        for (json, running) in [false, true].into_iter().zip(both) {
            let ran = running.join().expect("a run ends");
            if let Some(complaint) = complaint(&ran, json, wanted) {
                bad.push(format!(
                    "{goal} {}{}: {complaint} ({:?})",
                    more.join(" "),
                    if json { " --json" } else { "" },
                    ran.taken
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n\n"));
}

#[test]
fn recursion_without_end_names_the_rule_and_the_goal() {
    goals(
        "recursion",
        &[
            ("runaway(a)", &["--memory", "64M"], Fault(LIMITS, &["runaway/1", "runaway(f("])),
            ("grow([])", &["--memory", "64M"], Fault(LIMITS, &["grow/1", "grow([a"])),
            ("ever", SMALL, Fault(&["A0601"], &["10,000,000 steps", "ever/0"])),
            // Regression test: if a builtin exceeded the limit when it was retried, the diagnostic did not
            // show its goal.
            ("between(1, inf, X), fail", SMALL, Fault(&["A0601"], &["between(1"])),
            ("repeat, fail", SMALL, Fault(&["A0601"], &["repeat"])),
            ("findall(X, between(1, inf, X), L)", SMALL, Fault(LIMITS, &["between(1"])),
            ("atoms(a)", &["--memory", "64M"], Fault(LIMITS, &["atoms/1", "atom_concat(axxx"])),
            ("length(L, L)", SMALL, Either(LIMITS)),
            // The answers of deep frames return through all frames.
            ("member(X, L), fail", SMALL, Fault(LIMITS, &[])),
            ("deep(L, N), fail", SMALL, Fault(LIMITS, &["deep/2"])),
        ],
    );
}

/// The default budget ends runaway recursion soon.
#[test]
fn recursion_without_end_ends_within_the_usual_memory() {
    goals("usual", &[("runaway(a)", &[], Fault(LIMITS, &["runaway/1", "runaway(f("]))]);
}

#[test]
fn limits_are_not_to_be_caught() {
    goals(
        "limits",
        &[
            ("catch(ever, _, true)", SMALL, Fault(&["A0601"], &["ever/0"])),
            ("catch(grow([]), _, true)", &["--memory", "64M"], Fault(LIMITS, &["grow/1"])),
            // Regression test: at a limit reached directly below catch/3, the diagnostic lacked the goal and
            // its place.
            ("catch(numlist(1, 1000000000, _), _, true)", &[], Fault(&["A0602"], &["numlist(1"])),
            ("catch(X is 7 ** (7 ** (7 ** 7)), _, true)", &[], Fault(&["A0602"], &["7**"])),
            ("findall(X, catch(ever, _, true), L)", SMALL, Fault(&["A0601"], &["ever/0"])),
        ],
    );
}

#[test]
fn numbers_and_lists_too_large_are_refused_at_once() {
    goals(
        "large",
        &[
            ("numlist(1, 1000000000, L)", &[], Fault(&["A0602"], &["numlist(1", "1 GiB"])),
            ("X is 7 ** (7 ** (7 ** 7))", &[], Fault(&["A0602"], &["7**(7**(7**7))"])),
            ("X is 7 ^ 7 ^ 7 ^ 7", &[], Fault(&["A0602"], &["7^7^7^7"])),
            ("_X is 2 ** 10000000, Y is _X mod 10", &[], Answers("Y = 6\n")),
            ("X is 2 ** 10000000, Y is X mod 10", &[], Begins("X = 90498")),
            ("X is 1 << 100000000000", &[], Fault(&["A0602"], &["1<<100000000000"])),
            ("X is 1 << 100000000000000000000000", &[], Fault(&["A0602", "A0603"], &["1<<1000"])),
            // Regression test: the help of a limit that no budget changes was to type --steps N.
            (
                "X is gcd(7 ** 3000000, 3 ** 3000000)",
                &["--steps", "0"],
                Fault(&["A0601"], &["one operation takes more than 400,000,000 steps", "whatever --steps says"]),
            ),
            ("X is 2.0 ** 100000", &[], Fault(&["A0603"], &["float_overflow"])),
            ("length(L, 1000000000)", &[], Fault(&["A0602"], &["length("])),
            ("functor(T, f, 1000000000)", &[], Fault(&["A0602", "A0603"], &["functor("])),
            ("tab(10000000000)", &[], Fault(&["A0602"], &["tab(10000000000)"])),
            ("format(\"~*c\", [1000000000, 0'x])", SMALL, Fault(&["A0602", "A0603"], &["format("])),
            ("format(\"~t~w~1000000000|\", [a])", SMALL, Fault(&["A0602", "A0603"], &["format("])),
            ("numlist(1, 1000000, _L), deep(_L, N)", &[], Answers("N = 1000000\n")),
            ("path(a, X)", &[], Answers("X = a\nX = b\nX = c\n")),
        ],
    );
}

/// Ten million levels in a release build, fewer in a debug build, which is slower.
#[test]
fn deep_terms_are_built_compared_copied_and_printed() {
    goals(
        "deep",
        &[
            ("tower(1000000, _T), tower(1000000, _U), compare(O, _T, _U)", &[], Answers("O = (=)\n")),
            ("tower(1000000, _T), tower(1000000, _T)", &[], Answers("true\n")),
            ("tower(1000000, _T), copy_term(_T, _U), _T == _U", &[], Answers("true\n")),
            ("tower(1000000, _T), findall(_T, true, [_U]), _T == _U", &[], Answers("true\n")),
            ("tower(1000000, T)", &[], Begins("T = s(s(s(")),
            ("tower(1000000, _T), print(_T)", &[], Begins("s(s(s(")),
            ("tower(1000000, _T), term_variables(_T, V), ground(_T)", &[], Answers("V = []\n")),
            ("tower(1000000, _T), catch(throw(_T), _B, true), _B == _T", &[], Either(LIMITS)),
            ("tower(1000000, _T), X is _T", &[], Fault(&["A0602", "A0603"], &["s(s("])),
            ("tower(10000000, _T)", &[], Answers("true\n")),
        ],
    );
}

#[test]
fn terms_that_share_their_parts_end_soon() {
    goals(
        "shared",
        &[
            ("shared(100, _X), shared(100, _Y), compare(O, _X, _Y)", SMALL, Either(LIMITS)),
            ("shared(100, _X), shared(100, _Y), _X = _Y", SMALL, Either(LIMITS)),
            ("shared(100, _X), shared(100, _Y), _X == _Y", SMALL, Either(LIMITS)),
            ("shared(100, _X), copy_term(_X, _Y)", SMALL, Either(LIMITS)),
            ("shared(100, _X), findall(_X, true, _Y)", SMALL, Either(LIMITS)),
            ("shared(100, _X), ground(_X)", SMALL, Either(LIMITS)),
            ("shared(100, _X), term_variables(_X, V)", SMALL, Either(LIMITS)),
            ("shared(100, _X), print(_X)", SMALL, Either(LIMITS)),
            ("shared(100, X)", SMALL, Either(LIMITS)),
            ("shared(100, _X), throw(_X)", SMALL, Either(&["A0601", "A0602", "A0604"])),
            ("shared(100, _X), catch(throw(_X), _, true)", SMALL, Either(LIMITS)),
            ("shared(100, _X), term_to_atom(_X, A)", SMALL, Either(LIMITS)),
            ("shared(100, _X), Y is _X", SMALL, Either(&["A0601", "A0602", "A0603"])),
            ("shared(100, _X), atom_length(_X, A)", SMALL, Either(&["A0601", "A0602", "A0603"])),
            ("shared(100, _X), msort([_X, _X, a], _L)", SMALL, Either(LIMITS)),
        ],
    );
}

/// Terms with many shared parts do not use up the default budget of a typed goal: a comparison of such terms
/// would take a thousand million steps without a check for shared parts.
#[test]
fn terms_that_share_their_parts_end_soon_in_the_usual_budget() {
    goals(
        "shared_usual",
        &[("shared(100, _X), shared(100, _Y), _X == _Y", &[], Either(LIMITS)), ("shared(100, X)", &[], Either(LIMITS))],
    );
}

/// The language has no cyclic terms. A goal that makes a cyclic term may end in an error or at a limit, but
/// it ends soon.
#[test]
fn cyclic_terms_end_soon() {
    goals(
        "cyclic",
        &[
            ("X = f(X), X == X", SMALL, Either(CYCLIC)),
            ("X = f(X)", SMALL, Fault(&["A0626"], &["the value of X"])),
            ("X = f(X), copy_term(X, _)", SMALL, Either(CYCLIC)),
            ("X = f(X), print(X)", SMALL, Either(CYCLIC)),
            ("X = f(X), Y = f(Y), X = Y", SMALL, Either(CYCLIC)),
            ("X = f(X), Y = f(Y), compare(_, X, Y)", SMALL, Either(CYCLIC)),
            ("X = f(X), ground(X)", SMALL, Either(CYCLIC)),
            ("X = [a|X], length(X, _)", SMALL, Either(&["A0626", "A0601", "A0602", "A0603"])),
            ("X = [a|X], member(b, X)", SMALL, Fault(CYCLIC, &[])),
            ("X = [a|X], atomic_list_concat(X, _)", SMALL, Either(&["A0626", "A0601", "A0602", "A0603"])),
            ("X = [a|X], msort(X, _)", SMALL, Either(&["A0626", "A0601", "A0602", "A0603"])),
            ("X = 1 + X, _ is X", SMALL, Fault(CYCLIC, &[])),
            ("X = (true, X), call(X)", SMALL, Either(&["A0626", "A0601", "A0602", "A0603"])),
            ("X = f(X), throw(X)", SMALL, Either(&["A0626", "A0601", "A0602", "A0604"])),
            ("X = f(X), findall(X, true, _)", SMALL, Either(CYCLIC)),
            ("X = f(X), term_variables(X, _)", SMALL, Either(CYCLIC)),
            ("unify_with_occurs_check(X, f(X))", SMALL, No),
        ],
    );
}

/// Like `| head -1`, without a shell: the test reads one line and closes the pipe.
#[test]
fn a_closed_pipe_is_no_error() {
    let tictactoe = file("tictactoe", &std::fs::read_to_string("games/tictactoe.pl").expect("the game is there"));
    let broken = file("broken", &"terminal(N) :- member(N, [1).\n".repeat(500));
    let commands: &[&[&str]] = &[
        &["value", &tictactoe, "--depth", "2"],
        &["perft", &tictactoe, "--depth", "3"],
        &["moves", &tictactoe],
        &["query", "between(1, 300000, X)"],
        &["query", "--json", "between(1, 300000, X)"],
        &["query", "between(1, 300000, X), print(X), nl, fail"],
        &["check", &broken],
        &["check", "--json", &broken],
        &["test", &tictactoe, &tictactoe, &tictactoe],
        &["example"],
        &["example", "chess"],
        &["explain"],
        &["explain", "A0201"],
        &["completions", "zsh"],
        &["man"],
        &["--help"],
        &["value", "--help"],
        &["--version"],
        &["nonsense"],
    ];
    for args in commands {
        for lines in [0, 1] {
            let mut child = alphorn(args).spawn().expect("the binary is built");
            let mut stdout = BufReader::new(child.stdout.take().expect("it is a pipe"));
            let mut line = String::new();
            for _ in 0..lines {
                stdout.read_line(&mut line).expect("a pipe can be read");
            }
            drop(stdout);
            child.stdout = None;
            let stderr = read_all(child.stderr.take().expect("it is a pipe"));
            let status = child.wait().expect("a child can be waited for");
            let said = stderr.join().expect("the reader lives");
            assert!(!said.contains("panicked") && !said.to_lowercase().contains("broken pipe"), "{args:?}: {said}");
            assert!(status.code().is_some_and(|code| code <= 2), "{args:?} ends with {status}");
        }
        // A closed standard error is no error either.
        let mut child = alphorn(args).spawn().expect("the binary is built");
        child.stderr = None;
        let stdout = read_all(child.stdout.take().expect("it is a pipe"));
        let status = child.wait().expect("a child can be waited for");
        stdout.join().expect("the reader lives");
        assert!(status.code().is_some_and(|code| code <= 2), "{args:?} ends with {status} when stderr is closed");
    }
}

/// A goal that writes a term without end, which would use all memory within a second.
#[cfg(unix)]
const WRITTEN: &str = "shared(60, X)";

/// Interrupts a search with Ctrl-C; the result has the seconds until the program ends.
#[cfg(unix)]
fn interrupted(args: &[&str]) -> Ran {
    let child = alphorn(args).spawn().expect("the binary is built");
    // The search begins within this time; the test cannot observe when.
    let wait = if args.contains(&WRITTEN) { 250 } else { 700 };
    thread::park_timeout(Duration::from_millis(wait));
    let begun = Instant::now();
    let killed = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("kill is there");
    assert!(killed.success(), "{args:?} has ended by itself");
    ended(child, begun)
}

/// A game with an expectation that cannot be decided.
#[cfg(unix)]
const ENDLESS_TEST: &str = "
:- expect(holds(ever(0))).
initial(0).
max_to_move(0).
moves(_, []).
static_eval(N, N).
ever(N) :- M is N + 1, ever(M).
";

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_130_within_a_second() {
    let rules = file("interrupt", RULES);
    let endless = file("interrupted_test", ENDLESS_TEST);
    let cases: &[&[&str]] = &[
        &["value", "games/chess.pl"],
        &["value", "games/chess.pl", "--json"],
        &["solve", "games/chess.pl"],
        &["solve", "games/chess.pl", "--method", "pns", "--json"],
        &["perft", "games/chess.pl", "--depth", "9"],
        &["perft", "games/chess.pl", "--depth", "9", "--json"],
        &["query", &rules, "ever", "--steps", "0"],
        &["query", &rules, "between(1, inf, X), fail", "--steps", "0", "--json"],
        &["query", &rules, "shared(60, _X), shared(60, _Y), _X = _Y", "--steps", "0"],
        &["query", &rules, "shared(60, _X), shared(60, _Y), _X == _Y", "--steps", "0"],
        &["query", &rules, WRITTEN, "--steps", "0"],
        &["query", &rules, "_X is 7 << 200000000, repeat, _Y is - (_X >> 3), fail", "--steps", "0"],
        // Regression test: a product of large numbers was one uninterruptible operation.
        &["query", &rules, "repeat, _X is (7 ** 30000000) mod 1000007, fail", "--steps", "0"],
        &["query", &rules, "repeat, _X is (1 << 3500000) - 1, _Y is _X mod ((1 << 1700000) + 1), fail", "--steps", "0"],
        &["query", &rules, "repeat, _X is gcd((1 << 800000) - 1, (1 << 799999) + 12345), fail", "--steps", "0"],
        &["test", &endless, "--steps", "0"],
        &["check", "games/chess.pl", "--playouts", "100000"],
        &["prove", "games/krk.pl"],
        &["prove", "games/krk.pl", "--json"],
        &["advice-worth", "games/krk.pl", "--depth", "30"],
    ];
    let mut bad = Vec::new();
    for args in cases {
        let ran = interrupted(args);
        if ran.status != Some(130) || ran.taken > Duration::from_secs(1) || ran.stderr.contains("panicked") {
            bad.push(format!(
                "{}: status {:?} after {:?}: {}",
                args.join(" "),
                ran.status,
                ran.taken,
                shortened(&ran.stderr)
            ));
        }
        let speaks = ran.stdout.contains("node") || ran.stdout.contains("perft") || ran.stdout.contains("  ");
        let told = ran.stdout.contains("stopped") || ran.stdout.contains("no search was finished");
        let silent = match args[0] {
            "value" | "perft" => !speaks,
            // Regression test: the diagnostic was only A0614, at the rule that happened to run.
            "prove" | "advice-worth" => !told || ran.stderr.contains("A0614"),
            _ => false,
        };
        if silent {
            bad.push(format!("{}: says nothing of what is known", args.join(" ")));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
