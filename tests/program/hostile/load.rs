//! Files with very many mistakes, and very large ones without: all load in a time that grows as the
//! text does.

use super::{alphorn, ended, file, run};
use std::process::{Command, Stdio};
use std::time::Instant;

/// So many of a kind: what takes time with their square takes minutes.
const MANY: usize = 20_000;

/// A game to which clauses are added.
const GAME: &str = "initial(a).\nmax_to_move(a).\nmoves(a, []).\nstatic_eval(a, 0).\nfoo(a, b).\n";

/// Clauses by their number.
fn clauses(of: fn(usize) -> String) -> String {
    (0..MANY).map(|number| of(number) + "\n").collect()
}

/// One clause of many goals.
fn goals(head: &str, of: fn(usize) -> String) -> String {
    let goals: Vec<String> = (0..MANY).map(of).collect();
    format!("{head} :- {}.\n", goals.join(",\n    "))
}

/// Once failed: each of these took from ten seconds to many minutes.
#[test]
fn loading_took_time_with_the_square_of_the_mistakes() {
    let cases: &[(&str, String, bool)] = &[
        ("undefined", clauses(|n| format!("p{n} :- undefd{n}(a).")), true),
        ("single", goals("p(X)", |n| format!("foo(V{n}, X)")), true),
        ("single_list", format!("p([{}]).\n", (0..MANY).map(|n| format!("X{n}")).collect::<Vec<_>>().join(",")), true),
        ("exchanged_findall", goals("p(X)", |n| format!("findall(foo(X, b), L{n}, X)")), true),
        ("exchanged_member", goals("p(X, L)", |n| format!("member([X|L], X + {n})")), true),
        ("uncomputed", goals("p", |n| format!("X{n} = Y{n} + 1, q(X{n}), Y{n} > 2")) + "q(1).\n", true),
        ("no_number", goals("p(X)", |n| format!("X is V{n} + x{n}")), true),
        ("unended", clauses(|n| format!("p{n}(a)")), true),
        ("unclosed", clauses(|n| format!("p('a{n}).")), true),
        ("endless", clauses(|n| format!("p{n}(f(X)) :- p{n}(X).")), true),
        ("arity", clauses(|n| format!("p{n}(a, b) :- p{n}(b).")), true),
        (
            "negated",
            format!(":- table p0/1.\n{}", clauses(|n| format!("p{n}(X) :- \\+ p{}(X).", (n + 1) % MANY))),
            true,
        ),
        ("cases", goals("p(X)", |n| format!("( X = V{n} ; foo(X, V{n}) )")), false),
        ("facts", clauses(|n| format!("f({n}, a{n}).\nf(a{n}, {n}).")), false),
        ("goals", goals("p(X)", |n| format!("foo(X, Y{n}), foo(Y{n}, X)")), false),
        ("deep", format!("p({}a{}).\n", "f(".repeat(MANY), ")".repeat(MANY)), false),
    ];
    let mut bad = Vec::new();
    for (name, text, wrong) in cases {
        let ran = run(&["check", &file(&format!("many_{name}"), &format!("{GAME}{text}"))]);
        let told = ran.stderr.contains("more problems; fix these first");
        if ran.status.is_none() || told != *wrong || ran.stderr.contains("panicked") {
            bad.push(format!("{name}: status {:?} after {:?}, told of more: {told}", ran.status, ran.taken));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn of_many_mistakes_a_hundred_are_drawn_and_the_others_counted() {
    let text: String = (0..350).map(|number| format!("p{number} :- undefd{number}(a).\n")).collect();
    let ran = run(&["check", &file("hundred", &format!("{GAME}{text}"))]);
    assert_eq!(ran.stderr.matches("× undefd").count(), 100, "{}", ran.stderr);
    assert!(ran.stderr.contains("250 more problems; fix these first"), "{}", ran.stderr);
    assert!(ran.stdout.contains("350 errors"), "{}", ran.stdout);
}

/// Once failed: the first Ctrl-C was ignored by whatever waited for input.
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
        // Long enough for the waiting to begin, which nothing outside can see.
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

/// Once lost: the value that was found, while a named pipe waited for somebody to read the proof.
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
    // Long enough for the value to be found, which nothing outside can see.
    std::thread::park_timeout(std::time::Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    let ran = ended(child, Instant::now());
    let _ = std::fs::remove_file(&pipe);
    assert!(killed.success() && ran.stdout.contains("value   "), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("nothing has read from it"), "{}", ran.stderr);
}
