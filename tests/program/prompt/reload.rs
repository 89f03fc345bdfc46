//! Tests loading again, watching files, and comparing answers at the prompt.

use super::{Folder, OTHELLO, at_prompt, game, leave, piped, terminal};
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Writes files by name and text into a new folder, and runs a script with the first file. Returns the
/// output.
fn asked(name: &str, files: &[(&str, &str)], script: &str) -> String {
    let folder = Folder::new(name);
    for (name, text) in files {
        folder.file(name, text);
    }
    let (out, _, _) = piped(&folder, &[files[0].0], script);
    out
}

/// A game whose evaluation is in another file.
const INCLUDING: &str = ":- include('worth.pl').\ninitial(start).\nmax_to_move(start).\nmove(start, low, low).\n\
     move(start, high, high).\nterminal(low).\nterminal(high).\n";

fn worth(high: u32) -> String {
    format!("static_eval(start, 0).\nstatic_eval(low, 1).\nstatic_eval(high, {high}).\n")
}

#[test]
fn an_included_file_is_watched_and_one_that_vanishes_is_told() {
    let folder = Folder::new("included");
    folder.file("worth.pl", &worth(3));
    let file = folder.file("game.pl", INCLUDING);
    let mut session = terminal(&folder, &[&file]);
    session.send_line(":watch").expect("typed");
    session.exp_string("worth.pl").expect("it is watched as well");
    at_prompt(&mut session);
    session.send_line(":value").expect("typed");
    session.exp_string("value  3").expect("the value");
    at_prompt(&mut session);
    folder.file("worth.pl", &worth(44));
    session.exp_string("changed: value 3 -> 44").expect("the difference");
    fs::remove_file(folder.0.join("worth.pl")).expect("it was there");
    session.exp_string("worth.pl was removed").expect("it is told when it vanishes");
    // The rules loaded before are kept.
    session.send_line(":value").expect("typed");
    session.exp_string("value  44").expect("the rules as they were");
    at_prompt(&mut session);
    folder.file("worth.pl", &worth(55));
    session.exp_string("changed: value 44 -> 55").expect("and it comes back");
    leave(session);
}

#[test]
fn a_line_does_not_wait_for_what_is_asked_again() {
    let folder = Folder::new("line");
    let text = fs::read_to_string(OTHELLO).expect("the game is there");
    let file = folder.file("othello.pl", &text);
    let mut session = terminal(&folder, &[&file]);
    session.send_line(":watch").expect("typed");
    session.exp_string("watching").expect("it says so");
    at_prompt(&mut session);
    session.send_line(":value --time 4").expect("typed");
    session.exp_string("nodes ").expect("an answer");
    at_prompt(&mut session);
    folder.file("othello.pl", &format!("{text}\nseen(7).\n"));
    sleep(Duration::from_millis(800));
    let begun = Instant::now();
    session.send_line("seen(X).").expect("typed");
    session.exp_string("X = 7.").expect("the rules as they are now");
    assert!(begun.elapsed() < Duration::from_secs(3), "the prompt waited {:?}", begun.elapsed());
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn an_answer_that_is_the_same_is_the_same_though_a_clock_bounded_it() {
    let folder = Folder::new("clock");
    let text = fs::read_to_string(OTHELLO).expect("the game is there");
    let file = folder.file("othello.pl", &text);
    let mut session = terminal(&folder, &[&file]);
    session.send_line(":value --time 1").expect("typed");
    session.exp_string("nodes ").expect("an answer");
    at_prompt(&mut session);
    folder.file("othello.pl", &format!("{text}\n% nothing new\n"));
    session.send_line(":reload").expect("typed");
    session.exp_string("loaded ").expect("it names the file");
    session.exp_regex("value .* as before, best .* as before").expect("nothing has changed");
    at_prompt(&mut session);
    session.send_line(":move d3").expect("typed");
    session.exp_string("MIN to move").expect("another position");
    at_prompt(&mut session);
    leave(session);
}

#[test]
fn an_interrupted_question_is_not_asked_again() {
    let folder = Folder::new("stopped");
    let mut session = terminal(&folder, &[OTHELLO]);
    session.send_line(":value --time 60").expect("typed");
    sleep(Duration::from_millis(1500));
    session.send_control('c').expect("typed");
    session.exp_regex("best so far|no value yet").expect("what is known by then");
    at_prompt(&mut session);
    let begun = Instant::now();
    session.send_line(":rule static_eval(_, 1).").expect("typed");
    session.exp_string("in place of the clause of ").expect("it is loaded");
    at_prompt(&mut session);
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    leave(session);
}

#[test]
fn a_question_is_compared_at_the_position_where_the_game_stands() {
    // The position changed after the question; the comparison is between the old and the new rules.
    let out = asked(
        "moved",
        &[("game.pl", &(game(3) + "move(low, on, end).\nterminal(end).\nstatic_eval(end, 2).\n"))],
        ":value --threads 1\n:position end\n:rule static_eval(end, 9).\n",
    );
    assert!(out.contains("changed: value 2 -> 9"), "{out}");
}

#[test]
fn lines_pictures_and_output_are_compared() {
    let moves = "initial(a).\nmax_to_move(a).\nmove(a, x, b).\nmove(a, y, c).\nterminal(b).\nterminal(c).\n\
                 static_eval(a, 0).\nstatic_eval(b, 9).\nstatic_eval(c, V) :- worth(V).\nworth(1).\n\
                 show(_, [Line]) :- line(Line).\nline('o o').\n";
    let script = ":lines 2\n:rule worth(8).\n:drop worth/1\n:show\n:rule line('o x').\n:drop line/1\n\
                  worth(_V), write(_V)\n:rule worth(5).\n";
    let out = asked("lines", &[("game.pl", moves)], script);
    assert!(out.contains("changed: lines x 9, y 1 -> x 9, y 8\n"), "{out}");
    assert!(out.contains("changed: from line 1 on\n- o o\n+ o x\n"), "{out}");
    assert!(out.contains("changed: output 1 -> 5"), "{out}");
}

#[test]
fn every_command_that_is_a_question_is_asked_again() {
    let script = ":tree 1\n:rule static_eval(_, 7).\n:why static_eval(high, V)\n:rule static_eval(high, 8).\n\
                  :whynot nowhere(1)\n:rule nowhere(1).\n:listing static_eval\n:rule static_eval(high, 9).\n:test\n:reload\n:check\n:reload\n:analyze --depth 1\n:reload\n\
                  :perft 1\n:reload\n:stats --games 2\n:reload\n:profile --depth 1 --threads 1\n:reload\n";
    let out = asked("every", &[("game.pl", &game(3))], script);
    let told = out.lines().filter(|line| line.starts_with("changed: ") || *line == "the last answer is the same");
    let told: Vec<&str> = told.collect();
    assert_eq!(told.len(), 10, "{told:?} in {out}");
    assert!(told[..4].iter().all(|line| line.starts_with("changed: ")), "{told:?}");
    assert!(told[4..].iter().all(|line| line.starts_with("the last")), "{told:?}");
    assert!(out.contains("\n- ") && out.contains("\n+ "), "{out}");
}

#[test]
fn what_writes_a_file_is_not_asked_again() {
    let folder = Folder::new("writes");
    folder.file("game.pl", &game(3));
    let script = ":tree 1 --output tree.txt\n:rule static_eval(high, 7).\n";
    let (out, _, _) = piped(&folder, &["game.pl"], script);
    let written = fs::read_to_string(folder.0.join("tree.txt")).expect("it was written");
    assert!(written.contains('3') && !written.contains('7'), "{written}");
    assert!(!out.contains("changed"), "{out}");
}

#[test]
fn long_answers_are_cut_around_the_difference() {
    let big = |last: u32| format!("big([{}{last}]).\n", "a,".repeat(80));
    let folder = Folder::new("long");
    folder.file("big.pl", &big(1));
    let script = format!("big(X).\n:rule {}", big(2));
    let (out, _, _) = piped(&folder, &["big.pl"], &script);
    let told = out.lines().find(|line| line.starts_with("changed")).unwrap_or_default();
    assert!(told.contains("a,1]") && told.contains("a,2]") && told.len() < 150, "{out}");
}

#[test]
fn of_a_goal_only_the_answers_that_were_told_are_compared() {
    let out = asked("told", &[("p.pl", "p(1).\np(2).\np(3).\np(4).\n")], "p(X).\n;\n:reload\n");
    assert!(out.starts_with("X = 1 ;\nX = 2") && out.ends_with("the last answer is the same\n"), "{out}");
    let out = asked("other", &[("p.pl", "p(1).\np(2).\np(3).\n")], "p(X).\n;\n:rule p(1).\n");
    assert!(out.contains("changed: "), "{out}");
}

#[test]
fn a_game_that_has_ended_by_repetition_is_a_draw_for_every_question() {
    let rules = "repetition(draw).\ninitial(a).\nmax_to_move(a).\nmin_to_move(b).\nmove(a, right, b).\n\
                 move(b, left, a).\nmove(a, fail, c).\nterminal(c).\noutcome(c, win(min)).\nstatic_eval(_, 5).\n";
    let script = ":move right\n:move left\n/* there again */\n:value\n:explain --threads 1\n:why fail\n";
    let out = asked("again", &[("again.pl", rules)], script);
    assert!(out.contains("value  0 (draw), exact"), "{out}");
    assert!(out.contains("       the game is over: a draw by repetition\n") && !out.contains("static_eval"), "{out}");
    // A text that is both a goal and a legal move counts as a move.
    assert!(out.ends_with("move(a,fail,c)  again.pl:7, clause 3 of 3\n"), "{out}");
}

#[test]
fn a_number_that_is_no_label_names_no_other_move() {
    let folder = Folder::new("full");
    let four = concat!(env!("CARGO_MANIFEST_DIR"), "/games/connect_four.pl");
    let script = ":move 1\n:move 1\n:move 1\n:move 1\n:move 1\n:move 1\n:move 1\n:history\n:whynot 1\n:explain 2 3\n";
    let (out, err, _) = piped(&folder, &[four], script);
    assert!(out.contains("\n1 1 1 1 1 1\n") && err.contains("1 is not a legal move"), "{out}{err}");
    assert!(out.contains(",1,_)"), "{out}");
    assert!(err.contains(":explain needs exactly one move"), "{err}");
    // If labels are names, a number is a number in the list of moves, and the beginning of a name suffices.
    let (out, err, _) = piped(&folder, &[OTHELLO], ":why 1\n:why c\n:whynot d\n");
    assert!(out.contains(",d3,pos(o,") && out.contains(",c4,pos(o,") && out.contains("d3 is legal"), "{out}{err}");
}

#[test]
fn what_chance_did_since_is_no_move_to_explain() {
    let script = ":move roll\n:go\n:explain --depth 1\n:lines 2 1\n";
    let folder = Folder::new("chance");
    let pig = concat!(env!("CARGO_MANIFEST_DIR"), "/games/pig.pl");
    let (out, err, status) = piped(&folder, &[pig], script);
    assert!(out.contains("move   roll, by MAX") && out.contains("depth  1\n"), "{out}{err}");
    assert_eq!(status, Some(0), "{err}");
}

#[test]
fn an_error_is_no_difference() {
    let out = asked("wrong", &[("p.pl", "p(1).\n")], "p(X).\n:rule p(X) :- X is foo + 1.\n");
    assert!(out.contains("changed: the goal ends in an error now: "), "{out}");
    assert!(!out.contains("{") && !out.contains("code"), "{out}");
}

#[test]
fn only_what_is_new_is_warned_of() {
    let folder = Folder::new("warned");
    folder.file("man.pl", "man(max, 1).\nman(moritz, 2).\nidle(X) :- man(X, _).\nidle(_).\n");
    let script = ":rule boy(B) :- man(Once, B).\n:rule man(max, y).\n:reload\n";
    let (out, err, _) = piped(&folder, &["man.pl"], script);
    assert_eq!(err.matches("A0301").count(), 1, "{err}");
    assert!(out.contains("man/2: 1 clause in place of the 2 clauses of man.pl\n"), "{out}");
    assert!(out.contains("boy/1: 1 clause, of a new predicate\n"), "{out}");
    assert!(out.contains("loaded man.pl\n"), "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn clocks_end_with_their_searches() {
    use std::io::Write;
    use std::process::Stdio;
    let folder = Folder::new("clocks");
    folder.file("game.pl", &game(3));
    let mut child = super::command(&folder, &["game.pl"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("alphorn starts");
    let mut typed = child.stdin.take().expect("there is one");
    typed.write_all(":value --time 1000 --depth 1\n".repeat(10).as_bytes()).expect("it is read");
    typed.flush().expect("sent");
    sleep(Duration::from_secs(3));
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).expect("it is still there").count();
    drop(typed);
    child.wait().expect("it ends");
    assert!(threads < 6, "{threads} threads are left of ten searches");
}
