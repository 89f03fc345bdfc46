//! Tests typing, pasting and completion at the prompt.

use super::{Folder, OTHELLO, at_prompt, leave, piped, terminal};
use rexpect::session::PtySession;
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

fn keys(session: &mut PtySession, typed: &str) {
    session.send(typed).expect("typed");
    session.flush().expect("sent");
}

fn sees(session: &mut PtySession, text: &str) {
    session.exp_string(text).unwrap_or_else(|error| panic!("{text}: {error}"));
}

#[test]
fn tab_before_the_name_of_an_order_loses_no_sitting() {
    let folder = Folder::new("before");
    let mut session = terminal(&folder, &[]);
    keys(&mut session, ":mo\x01\t\x05\x15");
    keys(&mut session, "   :mo\x01\t\x06\t\x06\x06\t\x05\x15");
    // Blanks of three bytes.
    keys(&mut session, ":move\u{3000}\t\x05\x15");
    session.send_line("X is 6 * 7.").expect("typed");
    sees(&mut session, "X = 42.");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn what_is_pasted_runs_line_by_line() {
    let folder = Folder::new("paste");
    let mut session = terminal(&folder, &[]);
    // One terminal reports pasted text, the other does not.
    keys(&mut session, "\x1b[200~X = one.\nX = two.\n:set depth 3\nX = f(a,\n  b). X = three.\x1b[201~\r");
    for answer in ["X = one.", "X = two.", "\ndepth 3", "X = f(a,b).", "\nX = three."] {
        sees(&mut session, answer);
    }
    at_prompt(&mut session);
    keys(&mut session, "Y = four.\rY = five.\r:set nodes 7\r");
    for answer in ["\nY = four.", "\nY = five.", "\nnodes 7"] {
        sees(&mut session, answer);
    }
    at_prompt(&mut session);
    leave(session);
    let history = fs::read_to_string(folder.0.join("history")).expect("there is one");
    for line in ["X = one.", "X = two.", ":set depth 3", "X = three.", "Y = five.", ":set nodes 7"] {
        assert!(history.lines().any(|kept| kept == line), "{line} is not in {history}");
    }
}

#[test]
fn a_goal_that_goes_on_has_a_prompt() {
    let folder = Folder::new("goes-on");
    let mut session = terminal(&folder, &[]);
    session.send_line("append([a,").expect("typed");
    sees(&mut session, "|  ");
    session.send_line("b c], L, M).").expect("typed");
    // An error in the pasted goal ends the goal.
    sees(&mut session, "expected `,`");
    at_prompt(&mut session);
    session.send_line("append([a,").expect("typed");
    sees(&mut session, "|  ");
    session.send_line("b], [c], L).").expect("typed");
    sees(&mut session, "L = [a,b,c].");
    at_prompt(&mut session);
    session.send_line("f(").expect("typed");
    sees(&mut session, "|  ");
    session.send_control('c').expect("typed");
    at_prompt(&mut session);
    leave(session);
}

/// Regression test: `Y = 2.` was read as part of the previous goal, which has an open bracket.
#[test]
fn what_nothing_can_make_whole_ends_with_its_line() {
    let folder = Folder::new("hopeless");
    for wrong in
        ["X = f(a b", "foo(X Y, [1", "X = [1, 2 3", "p :- q, (r s", "X = {a b", "f(a, g(h i), [", "X is (1 + 2 3"]
    {
        let (out, err, _) = piped(&folder, &[], &format!("{wrong}\nY = 2.\n"));
        assert_eq!(out, "Y = 2.\n", "{wrong}: {err}");
        assert!(err.contains("expected") && !err.contains("Y = 2"), "{wrong}: {err}");
    }
    // The line that follows also belongs to the goal.
    let (out, err, _) = piped(&folder, &[], "X = f(a,\n  b c\nY = 2.\n");
    assert_eq!(out, "Y = 2.\n", "{err}");
    for (whole, answer) in [
        ("X = f(\n a,\n b\n).", "X = f(a,b).\n"),
        ("X = [1\n, -\n 2].", "X = [1,-2].\n"),
        ("X = [1 |\n [2]].", "X = [1,2].\n"),
        ("X = {a\n :- b}.", "X = {a:-b}.\n"),
        ("X = (a :-\n b).", "X = (a:-b).\n"),
        ("\\+ (\n fail ).", "true.\n"),
        ("X = - (\n1).", "X = - (1).\n"),
        ("( X = 1\n; X = 2\n), X > 1.", "X = 2.\n"),
        ("X = 'a (b', Y = f(\nX).", "X = 'a (b', Y = f('a (b').\n"),
    ] {
        let (out, err, _) = piped(&folder, &[], &format!("{whole}\n"));
        assert_eq!(out, answer, "{whole}: {err}");
    }
}

#[test]
fn orders_complete_what_stands_behind_them() {
    let folder = Folder::new("behind");
    let mut session = terminal(&folder, &[OTHELLO]);
    for (typed, completed) in [
        (":param \t", ":param size="),
        (":play of\t", ":play off"),
        (":watch of\t", ":watch off"),
        (":set dep\t", ":set depth"),
    ] {
        keys(&mut session, typed);
        sees(&mut session, completed);
        keys(&mut session, "\x15");
    }
    session.send_line(":rule static_eval(_, 0).").expect("typed");
    sees(&mut session, "in place of the clause of");
    at_prompt(&mut session);
    // Only one predicate was added.
    keys(&mut session, ":drop \t");
    sees(&mut session, ":drop static_eval/2");
    keys(&mut session, "\x15");
    leave(session);
}

#[test]
fn a_history_without_end_is_none() {
    let folder = Folder::new("endless");
    let mut command = super::command(&folder, &["repl"]);
    command.env("ALPHORN_HISTORY", "/dev/full");
    let options = rexpect::session::Options::new().timeout_ms(Some(30_000)).strip_ansi_escape_codes(true);
    let mut session = rexpect::session::spawn_with_options(command, options).expect("alphorn starts");
    at_prompt(&mut session);
    session.send_line("X = 1.").expect("typed");
    sees(&mut session, "\nX = 1.");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn a_pipe_takes_sentences_apart_and_keys_that_come_too_late() {
    let folder = Folder::new("apart");
    let (out, err, status) = piped(&folder, &[], "X = 1. X = 2.\nmember(X, [1]).\n;\nX = 3.\n");
    assert_eq!((out.as_str(), err.as_str(), status), ("X = 1.\nX = 2.\nX = 1.\nX = 3.\n", "", Some(0)));
}

#[test]
fn many_lines_of_one_goal_are_read_in_time() {
    let folder = Folder::new("many");
    let begun = Instant::now();
    let script = format!("X = [a{}\n], length(X, N), X = [_|_].\nY = 1.\n", "\n,\nf(a, 'b')".repeat(10_000));
    let (out, err, _) = piped(&folder, &[], &script);
    assert!(out.contains("N = 10001") && out.ends_with("Y = 1.\n"), "{err}");
    assert!(begun.elapsed() < Duration::from_secs(20), "it took {:?}", begun.elapsed());
}

/// Regression test: the place counted bytes, but the caret counted columns.
#[test]
fn the_place_and_the_caret_count_columns() {
    let folder = Folder::new("columns");
    let (_, err, _) = piped(&folder, &[], "X = \"字字\" b.\n");
    assert!(err.contains("[goal:1:10]"), "{err}");
    let mut session = terminal(&folder, &[]);
    // Two letters are two columns wide: `b` is in column 12.
    session.send_line("X = \"字字\" b.").expect("typed");
    sees(&mut session, "[goal:1:10]");
    sees(&mut session, ":            ^");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn a_full_stop_ends_what_is_never_closed() {
    let folder = Folder::new("closed");
    let (out, err, _) = piped(&folder, &[], "f(a,\nX = 1.\nY = 2.\n");
    assert_eq!(out, "Y = 2.\n", "{err}");
    assert!(err.contains("never closed"), "{err}");
}

#[test]
fn a_play_tells_orders_by_their_colon() {
    let folder = Folder::new("colon");
    let (_, err, _) = piped(&folder, &["play", OTHELLO, "--depth", "1"], "help\nundo\n?\n");
    for order in [":help", ":undo", ":help"] {
        assert!(err.contains(&format!("did you mean {order}?")), "{err}");
    }
}

/// Regression test: the prompt ended with status 0, and the typed rules were lost.
#[test]
fn a_key_that_is_no_text_ended_the_prompt() {
    let folder = Folder::new("bytes");
    let mut session = terminal(&folder, &[]);
    session.send_line(":rule kept(1).").expect("typed");
    at_prompt(&mut session);
    // Ctrl-V inserts the next key unchanged: here half a character, and a byte that cannot begin a character.
    for bytes in [&b"kept(\x16\xff"[..], b"\x16\xc3("] {
        let mut terminal = session.process().get_file_handle().expect("there is one");
        terminal.write_all(bytes).expect("typed");
        sees(&mut session, "not UTF-8");
        // Before the prompt is back, the terminal itself would interpret Ctrl-V and Ctrl-U.
        at_prompt(&mut session);
    }
    keys(&mut session, "\x15kept(X).\r");
    sees(&mut session, "X = 1.");
    at_prompt(&mut session);
    leave(session);
}

/// Regression test: such a byte became another character, and the line was run.
#[test]
fn a_line_of_a_pipe_that_is_no_text_was_run() {
    let folder = Folder::new("latin");
    let script = b"X = 1.\nX = 'caf\xe9'.\nX = f(\n'\xff').\nmember(X, [1, 2]).\n\xfe\nX = 2.\n";
    let mut child = super::command(&folder, &[])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("alphorn starts");
    child.stdin.take().expect("there is one").write_all(script).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.starts_with("X = 1.\n") && out.ends_with("X = 2.\n") && out.contains("X = 2.\nX = 2.\n"), "{out}");
    for line in ["line 2 of the input is not UTF-8", "line 4 of the input", "line 6 of the input"] {
        assert!(err.contains(line), "{line}: {err}");
    }
    assert_eq!((err.matches("A0620").count(), output.status.code()), (3, Some(2)), "{err}");
}

/// Regression test: a program that is not a game was read again for every goal.
#[test]
fn a_goal_costs_the_same_in_a_large_program() {
    let folder = Folder::new("large");
    let facts: String = (0..40_000).map(|number| format!("f({number}, a{}).\n", number % 100)).collect();
    let file = folder.file("facts.pl", &facts);
    let goals: String = (0..300).map(|number| format!("X is {number} + 1.\nf({number}, X).\n")).collect();
    let begun = Instant::now();
    let (out, err, status) = piped(&folder, &[&file], &goals);
    assert_eq!((out.lines().count(), err.as_str(), status), (600, "", Some(0)));
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// Regression test: a longer line was split, and the rest of it was run.
#[test]
fn the_rest_of_a_line_that_is_too_long_was_run() {
    let folder = Folder::new("long");
    let blanks = " ".repeat((16 << 20) - 2);
    let (out, err, status) = piped(&folder, &[], &format!("X = 1.\nX = 2,{blanks}X = 3.\nX = 4.\n"));
    assert_eq!((out.as_str(), status), ("X = 1.\nX = 4.\n", Some(2)), "{err}");
    assert!(err.contains("line 2 of the input is longer than 16 MiB"), "{err}");
}

/// Regression test: a command waited for a named pipe without a writer, and only leaving the prompt ended the
/// wait.
#[test]
#[cfg(unix)]
fn no_order_waits_for_a_pipe() {
    let folder = Folder::new("pipe");
    let game = folder.file("game.pl", &super::game(3));
    let pipe = folder.0.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let mut session = terminal(&folder, &[&game]);
    session.send_line(":rule more(1).").expect("typed");
    for order in [":verify pipe", ":save pipe", ":load pipe"] {
        session.send_line(order).expect("typed");
        sees(&mut session, "named pipe");
    }
    session.send_line(":value --table pipe").expect("typed");
    sees(&mut session, "regular file");
    session.send_line("X is 6 * 7.").expect("typed");
    sees(&mut session, "X = 42.");
    at_prompt(&mut session);
    leave(session);
}
