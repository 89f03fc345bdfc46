//! Tests the prompt, with a pseudo-terminal and with a pipe.
//!
//! In the pseudo-terminal the test types like a person: incomplete words and the tab key, goals over several
//! lines, Ctrl-C. The same script also runs through a pipe.

mod asking;
mod helps;
mod typing;

use rexpect::session::{Options, PtySession, spawn_with_options};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

mod reload;
mod save;

const TICTACTOE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/tictactoe.pl");
const OTHELLO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/othello.pl");

/// A folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("alphorn-prompt-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.args(arguments).current_dir(&folder.0).env("ALPHORN_HISTORY", folder.0.join("history"));
    command.env("TERM", "xterm").env("LC_ALL", "C").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// A terminal with an open prompt.
fn terminal(folder: &Folder, arguments: &[&str]) -> PtySession {
    let mut command = command(folder, arguments);
    command.args(["--color", "never"]);
    let options = Options::new().timeout_ms(Some(60_000)).strip_ansi_escape_codes(true);
    let mut session = spawn_with_options(command, options).expect("alphorn starts");
    session.exp_string("?- ").expect("there is a prompt");
    session
}

/// Waits until the prompt accepts a line.
fn at_prompt(session: &mut PtySession) {
    session.exp_string("?- ").expect("the prompt is back");
}

/// Ends a session that waits at its prompt. Text typed before the prompt appears is read by the line
/// discipline of the terminal, for which Ctrl-D is the end of a line and not a key.
fn leave(mut session: PtySession) {
    session.send_control('d').expect("it can be typed");
    session.exp_eof().expect("it ends");
}

/// Runs a script through a pipe; returns standard output, standard error and the exit status.
fn piped(folder: &Folder, arguments: &[&str], script: &str) -> (String, String, Option<i32>) {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("alphorn starts");
    child.stdin.take().expect("there is one").write_all(script.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn answers_come_one_at_a_time() {
    let folder = Folder::new("answers");
    let mut session = terminal(&folder, &[]);
    session.send_line("member(X, [a, b, c]).").expect("typed");
    session.exp_string("X = a").expect("the first answer");
    session.send(";").expect("typed");
    session.flush().expect("sent");
    session.exp_string(" ;").expect("it goes on");
    session.exp_string("X = b").expect("the second");
    session.send("\r").expect("typed");
    session.flush().expect("sent");
    session.exp_string(".").expect("no more");
    at_prompt(&mut session);
    session.send_line("member(X, [1, 2, 3, 4]), X > 2").expect("a full stop may be left out");
    session.exp_string("X = 3").expect("the first answer");
    session.send("a").expect("typed");
    session.flush().expect("sent");
    session.exp_string("X = 4.").expect("all of them");
    at_prompt(&mut session);
    session.send_line("?- fail.").expect("typed");
    session.exp_string("false.").expect("no");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn a_goal_goes_on_until_it_is_whole() {
    let folder = Folder::new("lines");
    let mut session = terminal(&folder, &[]);
    session.send_line("append([a,").expect("typed");
    session.send_line("   b], [c],").expect("typed");
    session.send_line(" L).").expect("typed");
    session.exp_string("L = [a,b,c].").expect("three lines are one goal");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn after_an_error_the_next_line_is_a_line_of_its_own() {
    let folder = Folder::new("error");
    let mut session = terminal(&folder, &[]);
    session.send_line("X = f(a b).").expect("typed");
    session.exp_string("expected `,` or `)`").expect("it is told");
    session.exp_string("help: ").expect("there is help");
    at_prompt(&mut session);
    // Regression test: the text appeared behind the wrong prompt.
    session.send_line("Y = 3.").expect("typed");
    session.exp_string("\nY = 3.").expect("another goal");
    at_prompt(&mut session);
    // The up key recalls the wrong line; the test moves the cursor back from the end of the line over `b).`.
    session.send("\x1b[A\x1b[A\x7f\x7f\x7f\x7f, b).\r").expect("typed");
    session.flush().expect("sent");
    session.exp_string("X = f(a,b).").expect("the mended goal");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn the_tab_key_completes() {
    let folder = Folder::new("tab");
    let mut session = terminal(&folder, &[OTHELLO]);
    for (typed, completed) in [
        (":rel\t", ":reload"),
        ("\x15static_ev\t", "static_eval("),
        ("\x15:set algo\t", ":set algorithm"),
        ("\x15:set algorithm expectim\t", ":set algorithm expectiminimax"),
        ("\x15:move f\t", ":move f5"),
    ] {
        session.send(typed).expect("typed");
        session.flush().expect("sent");
        session.exp_string(completed).unwrap_or_else(|error| panic!("{typed:?}: {error}"));
    }
    session.send("\x15between\t\t").expect("typed");
    session.flush().expect("sent");
    session.exp_string("between(").expect("a builtin");
    session.send("\x15atom_l\t\t").expect("typed");
    session.flush().expect("sent");
    session.exp_string("atom_length(").expect("several begin with atom, one so");
    session.send("\x15").expect("typed");
    leave(session);
}

#[test]
fn candidates_are_listed_with_what_they_are() {
    let folder = Folder::new("candidates");
    let file = folder.file("two.pl", "%! pick(-X): what there is\npick(a).\npicture(b).\n");
    let mut session = terminal(&folder, &[&file]);
    session.send("pic\t\t").expect("typed");
    session.flush().expect("sent");
    session.exp_regex(r"pick/1 +\S*.*what there is").expect("with its line of doc");
    session.exp_string("picture/1").expect("and the other");
    session.send("\x15").expect("typed");
    leave(session);
}

#[test]
fn ctrl_c_stops_an_endless_goal_and_a_long_search() {
    let folder = Folder::new("interrupt");
    let mut session = terminal(&folder, &[OTHELLO, "--steps", "0"]);
    session.send_line("repeat, fail.").expect("typed");
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    session.send_control('c').expect("typed");
    session.exp_string("stopped").expect("it says so");
    at_prompt(&mut session);
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());

    session.send_line(":value --time 1000").expect("typed");
    std::thread::sleep(Duration::from_millis(1500));
    session.send_control('c').expect("typed");
    session.exp_string("best so far").expect("what is known by then");
    at_prompt(&mut session);
    // The interrupted input has no effect on the following lines.
    session.send_line("X is 6 * 7.").expect("typed");
    session.exp_string("X = 42.").expect("the prompt works");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn the_history_lasts_from_sitting_to_sitting() {
    let folder = Folder::new("history");
    let mut session = terminal(&folder, &[]);
    session.send_line("X = remembered.").expect("typed");
    session.exp_string("X = remembered.").expect("the answer");
    at_prompt(&mut session);
    leave(session);
    let mut session = terminal(&folder, &[]);
    session.send("\x1b[A").expect("the key up");
    session.flush().expect("sent");
    session.exp_string("X = remembered.").expect("what was typed before");
    session.send_line("").expect("typed");
    session.exp_string("\nX = remembered.").expect("and its answer");
    at_prompt(&mut session);
    leave(session);
}

/// A game with one move. Its value is a number in the rules.
fn game(value: u32) -> String {
    format!(
        "initial(start).\nmax_to_move(start).\nmove(start, low, low).\nmove(start, high, high).\n\
         terminal(low).\nterminal(high).\nstatic_eval(start, 0).\nstatic_eval(low, 1).\nstatic_eval(high, {value}).\n"
    )
}

#[test]
fn reload_tells_the_difference() {
    let folder = Folder::new("reload");
    let file = folder.file("game.pl", &game(3));
    let mut session = terminal(&folder, &[&file]);
    session.send_line(":value").expect("typed");
    session.exp_string("value  3").expect("the value");
    at_prompt(&mut session);
    folder.file("game.pl", &game(0));
    session.send_line(":reload").expect("typed");
    session.exp_string("changed: value 3 -> 1, best high -> low").expect("the difference");
    at_prompt(&mut session);
    folder.file("game.pl", "initial(start.\n");
    session.send_line(":reload").expect("typed");
    session.exp_string("game.pl:1").expect("the place of the error");
    at_prompt(&mut session);
    session.send_line(":value").expect("typed");
    session.exp_string("value  1").expect("what was loaded before is still there");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn a_watched_file_is_loaded_when_it_is_saved() {
    let folder = Folder::new("watch");
    let file = folder.file("game.pl", &game(3));
    let mut session = terminal(&folder, &[&file]);
    session.send_line(":watch").expect("typed");
    session.exp_string("watching").expect("it says so");
    at_prompt(&mut session);
    session.send_line(":value").expect("typed");
    session.exp_string("value  3").expect("the value");
    at_prompt(&mut session);
    // The test types nothing: saving the file is enough for the message.
    folder.file("game.pl", &game(55));
    session.exp_string("changed: value 3 -> 55").expect("the difference");
    session.send_line(":value").expect("typed");
    session.exp_string("value  55").expect("the rules as they are now");
    at_prompt(&mut session);
    folder.file("game.pl", "initial(start.\n");
    session.exp_string("never closed").expect("an error is told as well");
    leave(session);
}

#[test]
fn a_game_is_played_at_the_prompt() {
    let folder = Folder::new("play");
    let mut session = terminal(&folder, &[OTHELLO]);
    session.send_line(":move a1").expect("typed");
    session.exp_string("not a legal move").expect("an illegal move is refused");
    at_prompt(&mut session);
    session.send_line(":move f5").expect("typed");
    session.exp_string("to move").expect("the position");
    at_prompt(&mut session);
    session.send_line(":go --depth 2").expect("typed");
    session.exp_string("plays").expect("the program moves");
    at_prompt(&mut session);
    session.send_line(":undo 2").expect("typed");
    session.exp_string("to move").expect("the position");
    at_prompt(&mut session);
    session.send_line(":history").expect("typed");
    session.exp_string("no moves yet").expect("they were taken back");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn ctrl_c_lets_the_program_play_what_it_has_found() {
    let folder = Folder::new("go");
    let mut session = terminal(&folder, &[OTHELLO]);
    session.send_line(":go --time 1000").expect("typed");
    std::thread::sleep(Duration::from_millis(1500));
    session.send_control('c').expect("typed");
    session.exp_string("MAX plays ").expect("the best move so far");
    session.exp_string("MIN to move").expect("the position after it");
    at_prompt(&mut session);
    session.send_line(":pv --time 1000").expect("typed");
    std::thread::sleep(Duration::from_millis(1500));
    session.send_control('c').expect("typed");
    session.exp_string("1. MIN ").expect("the line so far");
    session.exp_string("then").expect("and where it leads");
    at_prompt(&mut session);
    session.send_line(":history").expect("typed");
    let line = session.exp_regex(r"\n[a-h][1-8]\r").expect("one move was made");
    assert!(!line.1.is_empty());
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn the_last_move_is_explained_where_it_was_made() {
    let folder = Folder::new("explain");
    let script = ":explain\n:go --depth 2 --threads 1\n:explain --depth 2\n:history\n:position nonsense\n:history\n";
    let (out, err, status) = piped(&folder, &[OTHELLO], script);
    assert!(err.contains("no move has been made"), "{err}");
    assert!(out.contains("MAX plays d3") && out.contains("move   d3, by MAX"), "{out}");
    // A text that is not a position leaves the current position unchanged.
    assert!(err.contains("A0607") && out.ends_with("\nd3\nd3\n"), "{out}{err}");
    assert_eq!(status, Some(2));
}

#[test]
fn moves_are_named_as_ever_when_the_time_is_over() {
    let folder = Folder::new("named");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/games/checkers.pl");
    let asked = "{\"request\":\"moves\"}\n{\"request\":\"value\",\"time\":0.3}\n\
                 {\"request\":\"explain\",\"move\":\"9-13\",\"time\":0.5}\n";
    let (out, ..) = piped(&folder, &[game, "--json"], asked);
    let rows = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let rows: Vec<serde_json::Value> = rows.filter(|row| row.get("reply").is_some()).collect();
    assert_eq!(rows.len(), 3, "{out}");
    let labels: Vec<&str> =
        rows[0]["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["label"].as_str()).collect();
    for row in &rows[1..] {
        let best = row["best"]["move"].as_str().or(row["best"].as_str()).unwrap_or_else(|| panic!("{row}"));
        assert!(labels.contains(&best), "{best} is none of {labels:?}");
    }
}

const SCRIPT: &str = "\
member(X, [a, b, c]).
;
append([a,
   b], [c],
   L).
?- fail.
:value --depth 9 --threads 1
:rule static_eval(_, 0).
:drop static_eval/2
X = f(a b).
:set depht 3
";

#[test]
fn the_same_script_goes_through_a_pipe() {
    let folder = Folder::new("pipe");
    let (out, err, status) = piped(&folder, &[TICTACTOE], SCRIPT);
    let shown: Vec<&str> = out.lines().take(5).collect();
    assert_eq!(shown, ["X = a ;", "X = b.", "L = [a,b,c].", "false.", "value  0 (draw), exact, 9 plies"], "{out}");
    assert!(out.contains("value 0 as before, best "), "{out}");
    assert!(err.contains("expected") && err.contains("goal:1:9"), "{err}");
    assert!(err.contains("did you mean depth?"), "{err}");
    assert_eq!(status, Some(2), "something went wrong");
    assert!(!out.contains('\x1b') && !out.contains("?- "), "no prompt and no colours: {out}");
}

#[test]
fn without_keys_a_pipe_gets_all_answers() {
    let folder = Folder::new("all");
    let (out, _, status) =
        piped(&folder, &[], "member(X, [a, b]).\nbetween(1, inf, N).\n:set answers 2\nbetween(1, inf, N).\n");
    assert!(out.starts_with("X = a ;\nX = b.\nN = 1 ;\n"), "{out}");
    assert!(out.contains("N = 100.\nanswers 2\nN = 1 ;\nN = 2.\n"), "{out}");
    assert_eq!(status, Some(0));
}
