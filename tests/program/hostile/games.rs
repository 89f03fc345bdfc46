//! Tests hostile games: rules that loop, grow or throw during a search.

use super::{file, run, shortened};
use serde_json::Value;

/// Runs `value` on a game, with text output and with JSON output. Both outputs must contain all words.
fn game(name: &str, text: &str, more: &[&str], code: &str, words: &[&str]) {
    let path = file(name, text);
    let mut bad = Vec::new();
    for json in [false, true] {
        let mut args = vec!["value", &path];
        args.extend(more);
        args.extend(json.then_some("--json"));
        let ran = run(&args);
        let said = if json { &ran.stdout } else { &ran.stderr };
        let missing: Vec<&&str> = words.iter().filter(|word| !said.contains(**word)).collect();
        if ran.status != Some(2) || ran.stderr.contains("panicked") || !said.contains(code) || !missing.is_empty() {
            bad.push(format!(
                "{}: status {:?}, {:?}, missing {missing:?}:\n{}",
                args.join(" "),
                ran.status,
                ran.taken,
                shortened(said)
            ));
        }
        if json
            && serde_json::from_str::<Value>(ran.stdout.trim_end())
                .map_or(true, |object| object["schema"] != 2 || object["error"]["places"][0]["line"].is_null())
        {
            bad.push(format!("{}: no JSON object that points at a line: {}", args.join(" "), shortened(&ran.stdout)));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

const TURN: &str = "max_to_move(p(max, _)).\nstatic_eval(_, 0).\n";

#[test]
fn moves_that_loop_are_named_with_position_and_moves() {
    let text = format!(
        "initial(p(max, 0)).\nmoves(p(max, N), [p(min, M)]) :- M is N + 1.\nmoves(p(min, N), S) :- down(N, S).\ndown(N, S) :- M is N - 1, down(M, S).\n{TURN}"
    );
    game(
        "moves_loop",
        &text,
        &[],
        "A0601",
        &["down/2", "10,000,000 steps", "generating the moves", "position p(min,1)", "after the moves p(min,1)"],
    );
}

#[test]
fn runaway_recursion_in_a_game_names_rule_and_position() {
    let text = format!(
        "initial(p(max, 0)).\nmove(p(max, 0), up, p(min, 1)).\nmove(p(min, N), X, p(max, N)) :- run(X), N > 1.\nrun(X) :- run(f(X)), q.\nq.\n{TURN}"
    );
    game("runaway", &text, &[], "A060", &["run/1", "run(f(", "position p(min,1)", "after the moves up"]);
}

/// Regression test: the line had no limit, so the search filled the memory.
#[test]
fn a_position_that_grows_for_ever_ends_in_a_diagnostic() {
    let text = "initial([]).\nmax_to_move([]).\nmove(P, more, [a, a, a, a, a, a, a, a|P]).\nstatic_eval(_, 0).\n";
    let path = file("grows", text);
    for json in [false, true] {
        let mut args = vec!["value", &path, "--memory", "64M"];
        args.extend(json.then_some("--json"));
        let ran = run(&args);
        let said = if json { &ran.stdout } else { &ran.stderr };
        assert_eq!(ran.status, Some(2), "{:?} {}", ran.taken, shortened(&ran.stderr));
        assert!(!ran.stderr.contains("panicked") && said.contains("A06"), "{}", shortened(said));
        // The diagnostic shortens a long list of moves.
        assert!(said.len() < 20_000, "the diagnostic has {} bytes", said.len());
    }
}

/// Regression test: the line had no limit, so the search filled the memory.
#[test]
fn an_endless_game_of_small_positions_ends_in_a_diagnostic() {
    let text = "initial(0).\nmax_to_move(0).\nmove(N, on, M) :- M is N + 1.\nstatic_eval(_, 0).\n";
    let path = file("endless", text);
    let ran = run(&["value", &path, "--memory", "64M"]);
    assert_eq!(ran.status, Some(2), "{:?} {} {}", ran.taken, shortened(&ran.stdout), shortened(&ran.stderr));
    assert!(!ran.stderr.contains("panicked") && ran.stderr.len() < 20_000, "{}", shortened(&ran.stderr));
}

#[test]
fn what_terminal_throws_is_told() {
    let text = format!(
        "initial(p(max, 0)).\nmove(p(max, N), up, p(min, M)) :- M is N + 1.\nterminal(p(_, N)) :- N > 0, throw(oops(N)).\n{TURN}"
    );
    game("throws", &text, &[], "A0604", &["oops(1)", "terminal/1", "position p(min,1)", "after the moves up"]);
}

#[test]
fn a_division_by_zero_is_told_where_it_is() {
    let text = "initial(p(max, 2)).\nmax_to_move(p(max, _)).\nmove(p(_, N), down, p(min, M)) :- N > 0, M is N - 1.\nstatic_eval(p(_, N), V) :- V is 10 // N.\n";
    game(
        "zero",
        text,
        &[],
        "A0603",
        &["division by zero", "static_eval/2", "position p(min,0)", "after the moves down down"],
    );
}

#[test]
fn steps_run_out_at_the_same_step_twice() {
    let text = format!(
        "initial(p(max, 0)).\nmoves(p(_, N), [p(min, M)]) :- walk(N, M).\nwalk(N, M) :- K is N + 1, walk(K, M).\n{TURN}"
    );
    let path = file("twice", &text);
    let goal = file("twice_goal", "walk(N, M) :- K is N + 1, walk(K, M).\n");
    for args in
        [vec!["value", path.as_str(), "--steps", "1000"], vec!["query", goal.as_str(), "walk(0, M)", "--steps", "1000"]]
    {
        let (first, second) = (run(&args), run(&args));
        assert_eq!(first.status, Some(2));
        assert!(first.stderr.contains("A0601") && first.stderr.contains("1,000 steps"), "{}", first.stderr);
        assert_eq!(first.stderr, second.stderr);
        assert_eq!(first.stdout, second.stdout);
    }
}
