//! Tests files with very many mistakes, and very large correct files: the load time is proportional to the
//! size.

use super::{alphorn, ended, file, run};
use alphorn::lang::ProgramOptions;
use alphorn::rules::{self, Expected};
use alphorn::source::Source;
use cpu_time::ThreadTime;
use miette::Diagnostic;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The number of repetitions: with quadratic time a test takes minutes.
const MANY: usize = 20_000;

/// A game to which the tests add clauses.
const GAME: &str = "initial(a).\nmax_to_move(a).\nmoves(a, []).\nstatic_eval(a, 0).\nfoo(a, b).\n";

/// A kind of text: its name, a function that makes a text of a given size, and whether the text has mistakes.
type Kind = (&'static str, fn(usize) -> String, bool);

/// Numbered clauses.
fn clauses(many: usize, of: fn(usize) -> String) -> String {
    (0..many).map(|number| of(number) + "\n").collect()
}

/// One clause with many goals.
fn goals(many: usize, head: &str, of: fn(usize) -> String) -> String {
    let goals: Vec<String> = (0..many).map(of).collect();
    format!("{head} :- {}.\n", goals.join(",\n    "))
}

/// Every kind of mistake, very often, and large texts without mistakes.
const KINDS: &[Kind] = &[
    ("undefined", |many| clauses(many, |n| format!("p{n} :- undefd{n}(a).")), true),
    ("single", |many| goals(many, "p(X)", |n| format!("foo(V{n}, X)")), true),
    (
        "single_list",
        |many| format!("p([{}]).\n", (0..many).map(|n| format!("X{n}")).collect::<Vec<_>>().join(",")),
        true,
    ),
    ("exchanged_findall", |many| goals(many, "p(X)", |n| format!("findall(foo(X, b), L{n}, X)")), true),
    ("exchanged_member", |many| goals(many, "p(X, L)", |n| format!("member([X|L], X + {n})")), true),
    ("uncomputed", |many| goals(many, "p", |n| format!("X{n} = Y{n} + 1, q(X{n}), Y{n} > 2")) + "q(1).\n", true),
    ("no_number", |many| goals(many, "p(X)", |n| format!("X is V{n} + x{n}")), true),
    ("unended", |many| clauses(many, |n| format!("p{n}(a)")), true),
    ("unclosed", |many| clauses(many, |n| format!("p('a{n}).")), true),
    ("endless", |many| clauses(many, |n| format!("p{n}(f(X)) :- p{n}(X).")), true),
    ("arity", |many| clauses(many, |n| format!("p{n}(a, b) :- p{n}(b).")), true),
    (
        "negated",
        |many| {
            let chain = clauses(many, |n| format!("p{n}(X) :- \\+ p{}(X).", n + 1));
            format!(":- table p0/1.\n{chain}p{many}(X) :- \\+ p0(X).\n")
        },
        true,
    ),
    ("modules", |many| clauses(many, |n| format!("p{n} :- nosuch{n}:goal(1).")), true),
    ("params", |many| clauses(many, |n| format!(":- param(a{n}, 9, 1..3, \"t\").")), true),
    ("params_unknown", |many| clauses(many, |n| format!("p{n} :- param(b{n}, X), foo(X, X).")), true),
    ("expectations", |many| clauses(many, |n| format!(":- expect(holdz(p{n})).")), true),
    ("texts", |many| clauses(many, |n| format!("p{n} :- foo(\"a\", X), foo(X, b).")), true),
    (
        "single_cases",
        |many| format!("p(X) :- {}.\n", (0..many).map(|n| format!("X = Y{n}")).collect::<Vec<_>>().join(" ; ")),
        true,
    ),
    (
        "claimed",
        |many| {
            let moves = "move(b(X), m, b(Y)) :- X < 3, Y is X + 1.\n";
            moves.to_string() + &clauses(many, |n| format!(":- expect(value(c({n})) = 1)."))
        },
        // One warning says that all expectations contradict the first position, as in the next text.
        false,
    ),
    ("claimed_goals", |many| clauses(many, |n| format!(":- expect(holds(static_eval(c({n}), 1))).")), false),
    ("idle", |many| clauses(many, |n| format!("p{n}(a).")), true),
    ("unequal", |many| goals(many, "p(X)", |n| format!("\\+ (X = V{n})")), true),
    ("cases", |many| goals(many, "p(X)", |n| format!("( X = V{n} ; foo(X, V{n}) )")), false),
    ("facts", |many| clauses(many, |n| format!("f({n}, a{n}).\nf(a{n}, {n}).")), false),
    ("goals", |many| goals(many, "p(X)", |n| format!("foo(X, Y{n}), foo(Y{n}, X)")), false),
    ("deep", |many| format!("p({}a{}).\n", "f(".repeat(many), ")".repeat(many)), false),
];

/// Regression test: each of these texts took from ten seconds to many minutes.
#[test]
fn loading_took_time_with_the_square_of_the_mistakes() {
    let mut bad = Vec::new();
    for (name, of, wrong) in KINDS {
        let ran = run(&["check", &file(&format!("many_{name}"), &format!("{GAME}{}", of(MANY)))]);
        let told = ran.stderr.contains("more problems; fix these first");
        if ran.status.is_none() || told != *wrong || ran.stderr.contains("panicked") {
            bad.push(format!("{name}: status {:?} after {:?}, told of more: {told}", ran.status, ran.taken));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Four times the text takes about four times the CPU time of this thread, on a busy machine too.
#[test]
fn loading_takes_work_in_proportion_to_the_text() {
    let work = |text: &str| {
        let source = Source::typed("many.pl", text);
        let begun = ThreadTime::now();
        let _rules = rules::load(&[source], &[], &ProgramOptions::default(), Expected::Game);
        begun.elapsed().as_secs_f64()
    };
    let mut bad = Vec::new();
    for (name, of, _) in KINDS {
        let [small, large] = [MANY / 8, MANY / 2].map(|many| format!("{GAME}{}", of(many)));
        // Costs that occur only once, such as the first use of a table, are in neither measurement.
        let ratio = |_| {
            let few = work(&small);
            work(&large) / few.max(0.01)
        };
        let least = (0..3).map(ratio).find(|ratio| *ratio < 8.0);
        if least.is_none() {
            bad.push(*name);
        }
    }
    assert!(bad.is_empty(), "these grow faster than the text: {bad:?}");
}

/// Regression test: each of 100 drawings walked through the whole line, which took five times as long as loading.
#[test]
fn drawing_took_time_with_the_length_of_the_line() {
    let text = format!("{GAME}{}", goals(MANY, "p(X)", |n| format!("\\+ (X = V{n})")).replace('\n', " "));
    let begun = ThreadTime::now();
    let rules = rules::load(&[Source::typed("long.pl", &text)], &[], &ProgramOptions::default(), Expected::Game);
    let loading = begun.elapsed();
    let begun = ThreadTime::now();
    let mut drawn = 0;
    for drawing in rules.report.drawings().take(100) {
        let (text, labels) = (drawing.source_code().expect("a text"), drawing.labels().expect("labels"));
        for label in labels {
            let part = text.read_span(label.inner(), 1, 1).expect("the label is in the text");
            drawn += usize::from(part.data().len() < 200);
        }
    }
    assert_eq!(drawn, 100);
    assert!(begun.elapsed() < loading, "drawing {:?}, loading {loading:?}", begun.elapsed());
}

/// Regression test: a Ctrl-C between two loads of a file with 20,000 warnings was answered after three seconds.
#[cfg(unix)]
#[test]
fn an_interrupt_waited_for_the_diagnostics_of_a_loaded_file() {
    let text = format!("{GAME}{}", clauses(MANY, |n| format!("p{n}(X) :- foo(a, _).")));
    let path = file("warned", &text);
    for wait in (200..2000).step_by(200) {
        let child = alphorn(&["check", "--json", &path]).spawn().expect("the binary is built");
        std::thread::park_timeout(std::time::Duration::from_millis(wait));
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
        let ran = ended(child, Instant::now());
        let has_ended = ran.status == Some(0) || !killed.success();
        assert!(has_ended || ran.status == Some(130), "{wait} ms: {:?} {}", ran.status, ran.stderr);
        assert!(ran.taken < std::time::Duration::from_secs(2), "{wait} ms: {:?}", ran.taken);
    }
}

/// Regression test: 400,000 full stops took 25 s and 1.7 GB, because each diagnostic was kept and counted the
/// characters of its line.
#[test]
fn what_cannot_be_read_had_no_bound() {
    let ran = run(&["check", &file("stops", &". ".repeat(400_000))]);
    assert!(ran.stdout.contains("400,000 errors"), "{}", ran.stdout);
    assert!(ran.stderr.contains("399,900 more problems; fix these first"), "{}", ran.stderr);
    let json = run(&["check", "--json", &file("stops_json", &". ".repeat(400_000))]);
    assert!(json.stdout.contains("\"390,000 more errors are not listed\""), "{} bytes", json.stdout.len());
    assert!(json.stdout.len() < 8 << 20, "{} bytes", json.stdout.len());
    for (name, text) in [("brackets", "("), ("controls", "\u{1}"), ("words", "a ")] {
        let ran = run(&["check", &file(name, &text.repeat(20_000_000))]);
        assert!(ran.stderr.contains("no full stop in the next 4,194,304 bytes"), "{name}: {}", ran.stderr);
    }
    let ran = run(&["check", &file("zeros", &"\0".repeat(20_000_000))]);
    assert!(ran.stderr.contains("line 1 has a zero byte (byte 0)"), "{}", ran.stderr);
}

#[test]
fn of_many_mistakes_a_hundred_are_drawn_and_the_others_counted() {
    let text: String = (0..350).map(|number| format!("p{number} :- undefd{number}(a).\n")).collect();
    let ran = run(&["check", &file("hundred", &format!("{GAME}{text}"))]);
    assert_eq!(ran.stderr.matches("× undefd").count(), 100, "{}", ran.stderr);
    assert!(ran.stderr.contains("250 more problems; fix these first"), "{}", ran.stderr);
    assert!(ran.stdout.contains("350 errors"), "{}", ran.stdout);
}

/// Regression test: a program that waited for input ignored the first Ctrl-C.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_what_waits_for_input_at_once() {
    let rules = file("waiting", GAME);
    let pipe = std::env::temp_dir().join(format!("alphorn-hostile-{}.fifo", std::process::id()));
    let _ = std::fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let pipe = pipe.display().to_string();
    let cases: &[&[&str]] = &[
        &["check", "-"],
        &["query", "-", "true"],
        &["repl"],
        &["check", &pipe],
        &["value", &rules, "--with", &pipe],
        &["verify", &rules, &pipe],
    ];
    let mut bad = Vec::new();
    for args in cases {
        let mut child = alphorn(args).stdin(Stdio::piped()).spawn().expect("the binary is built");
        let input = child.stdin.take();
        // The program waits for input within this time; the test cannot observe when.
        std::thread::park_timeout(std::time::Duration::from_millis(700));
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
        let ran = ended(child, Instant::now());
        drop(input);
        if !killed.success() || ran.status != Some(130) || ran.stderr.contains("panicked") {
            bad.push(format!("{}: status {:?} after {:?}: {}", args.join(" "), ran.status, ran.taken, ran.stderr));
        }
    }
    let _ = std::fs::remove_file(&pipe);
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Regression test: `--proof` could not write to a named pipe, though the manual allows it.
#[cfg(unix)]
#[test]
fn a_proof_goes_through_a_named_pipe_and_into_devices() {
    let pipe = std::env::temp_dir().join(format!("alphorn-read-{}.fifo", std::process::id()));
    let _ = std::fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let path = pipe.display().to_string();
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().expect("cat is there");
    let ran = run(&["solve", "games/nim.pl", "--opening", "3", "--proof", &path]);
    let read = reader.wait_with_output().expect("cat ends").stdout;
    let _ = std::fs::remove_file(&pipe);
    assert!(ran.status == Some(0) && read.starts_with(b"alphorn proof 1"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(run(&["solve", "games/nim.pl", "--proof", "/dev/null"]).status, Some(0));
    let full = run(&["solve", "games/nim.pl", "--proof", "/dev/full"]);
    assert!(full.status == Some(2) && full.stderr.contains("the disk is full"), "{}", full.stderr);
}

/// Regression test: Ctrl-C lost the value while the named pipe of the proof waited for a reader.
#[cfg(unix)]
#[test]
fn an_interrupt_lost_the_value_that_was_found() {
    let pipe = std::env::temp_dir().join(format!("alphorn-proof-{}.fifo", std::process::id()));
    let _ = std::fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let path = pipe.display().to_string();
    let child = alphorn(&["solve", "games/nim.pl", "--opening", "3", "--proof", &path]).spawn();
    let child = child.expect("the binary is built");
    // The value is found within this time; the test cannot observe when.
    std::thread::park_timeout(std::time::Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    let ran = ended(child, Instant::now());
    let _ = std::fs::remove_file(&pipe);
    assert!(killed.success() && ran.stdout.contains("value   "), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("no program reads from it"), "{}", ran.stderr);
}
