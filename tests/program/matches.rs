//! Tests that matches are fair and reproducible, and that they end. They run the command `alphorn match`.
//!
//! The tests use the built binary, shipped games and small games. All limits are depths or numbers of
//! positions, so every number is the same on every machine.

use crate::ran::{self, Ran};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

const KEYS: &[&str] = &[
    "schema",
    "games",
    "wins",
    "draws",
    "losses",
    "pentanomial",
    "score",
    "standard_error",
    "low",
    "high",
    "alike",
    "elo",
    "elo_low",
    "elo_high",
    "los",
    "draw_ratio",
    "sprt",
    "openings",
    "opening_plies",
    "same_moves",
    "plies",
    "unfinished",
    "adjudicated",
    "a",
    "b",
    "ended",
    "stopped",
];
const GAME_KEYS: &[&str] = &["schema", "game", "max", "position", "opening", "moves", "outcome", "end", "points"];

/// Two tokens on a ring of six places. Each player moves a token one place forward or back. Nobody wins.
const RING: &str = "\
initial(ring(max, 0, 3)).
max_to_move(ring(max, _, _)).
move(ring(max, A, B), S, ring(min, C, B)) :- member(S, [1, -1]), C is (A + S) mod 6.
move(ring(min, A, B), S, ring(max, A, C)) :- member(S, [1, -1]), C is (B + S) mod 6.
static_eval(_, 0).
";

/// Take one to three matches; the player who takes the last match wins. The evaluation depends on parameters.
const MATCHES: &str = "\
:- use_module(library(alphorn)).
:- param(good, 0, 0..1, \"whether the evaluation knows the secret\").
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other), between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(Player, 0), win(Winner)) :- other(Player, Winner).
static_eval(left(Player, N), V) :- param(good, 1), N mod 4 =:= 0, !, worth(Player, V).
static_eval(_, 0).
worth(max, -1).
worth(min, 1).
acyclic.
other(max, min).
other(min, max).
";

fn run(args: &[&str]) -> Ran {
    ran::run(&[&["match"], args].concat())
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn json(args: &[&str]) -> Value {
    let ran = run(&[args, &["--json"]].concat());
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{args:?}: {}", ran.out);
    let found: Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(keys(&found), KEYS, "{args:?}");
    found
}

/// The games that `--json-lines` prints.
fn games(args: &[&str]) -> Vec<Value> {
    let ran = run(&[args, &["--json-lines"]].concat());
    assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.err);
    let games: Vec<Value> = ran.err.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    for (number, game) in games.iter().enumerate() {
        // The second game of a pair also has the result of the finished pairs.
        let so_far: &[&str] = if number % 2 == 1 { &["so_far"] } else { &[] };
        assert_eq!(keys(game), [GAME_KEYS, so_far].concat());
    }
    games
}

/// Writes a file of rules for one test and returns its path.
fn file(name: &str, rules: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, rules).expect("the folder for tests can be written");
    path
}

/// Asserts that a match ends in an error with this code and these words.
fn refused(args: &[&str], words: &[&str]) {
    let ran = run(args);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{args:?}");
    let told = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    words.iter().for_each(|word| assert!(told.contains(word), "{args:?} should speak of {word}: {told}"));
}

#[test]
fn a_way_to_play_is_exactly_as_good_as_itself() {
    for (game, settings) in [
        ("games/connect_four.pl", "--nodes 150"),
        ("games/krk.pl", "--depth 1"),
        ("games/kalah.pl", "--depth 2 --heuristic --hash 1"),
        ("games/tictactoe.pl", "--algorithm alphabeta --depth 2"),
        ("games/nim.pl", ""),
    ] {
        let found = json(&[game, "--a", settings, "--b", settings, "--games", "8"]);
        assert_eq!(
            (&found["score"], &found["standard_error"], &found["games"]),
            (&0.5.into(), &0.into(), &8.into()),
            "{game}"
        );
        assert_eq!(found["a"], found["b"], "{game}");
    }
}

#[test]
fn who_looks_deeper_wins_and_sides_swapped_mirror_the_score() {
    let args = |a, b| ["games/connect_four.pl", "--a", a, "--b", b, "--games", "20", "--seed", "3"];
    let found = json(&args("--depth 4", "--depth 1"));
    assert!(found["low"].as_f64() > Some(0.5), "{found}");
    let mirrored = json(&args("--depth 1", "--depth 4"));
    assert_eq!((&found["wins"], &found["draws"]), (&mirrored["losses"], &mirrored["draws"]));
    assert_eq!(
        (&found["a"], &found["b"], &found["standard_error"]),
        (&mirrored["b"], &mirrored["a"], &mirrored["standard_error"])
    );
    let number = |object: &Value, key: &str| object[key].as_f64().expect("a number");
    for (key, other) in [("score", "score"), ("low", "high"), ("high", "low"), ("los", "los")] {
        assert!((number(&found, key) + number(&mirrored, other) - 1.0).abs() < 1e-5, "{key}");
    }
    let counts = |object: &Value| object["pentanomial"].as_array().cloned().unwrap_or_default();
    assert_eq!(counts(&found), counts(&mirrored).into_iter().rev().collect::<Vec<_>>());
    let elo = 400.0 * (number(&found, "low") / (1.0 - number(&found, "low"))).log10();
    assert!((number(&found, "elo_low") - elo).abs() < 0.1, "{found}");
}

#[test]
fn the_number_of_threads_changes_nothing_and_the_seed_does() {
    let played = |threads, seed| {
        let args = ["games/kalah.pl", "--a", "--depth 3", "--b", "--nodes 60", "--games", "12", "--json-lines"];
        let ran = run(&[&args[..], &["--threads", threads, "--seed", seed]].concat());
        (ran.status, ran.out, ran.err)
    };
    let alone = played("1", "1");
    assert_eq!(alone.0, Some(0));
    assert_eq!(alone, played("5", "1"));
    assert_ne!(alone.2, played("5", "2").2);
}

#[test]
fn both_games_of_a_pair_begin_alike() {
    let games = games(&["games/nim.pl", "--games", "6", "--opening-plies", "3", "--a", "--depth 1"]);
    assert_eq!(games.len(), 6);
    for (number, pair) in games.chunks(2).enumerate() {
        let of = |key: &str| (pair[0][key].clone(), pair[1][key].clone());
        assert_eq!(of("game"), (Value::from(2 * number + 1), Value::from(2 * number + 2)));
        assert_eq!(of("max"), ("a".into(), "b".into()));
        assert_eq!(of("opening").0, of("opening").1);
        assert_eq!(of("position").0, of("position").1);
        assert_eq!(pair[0]["opening"].as_array().map(Vec::len), Some(3));
    }
}

#[test]
fn overlays_and_parameters_of_a_side_are_for_its_thoughts() {
    let rules = file("match_matches.pl", MATCHES);
    let blind = file("match_blind.pl", "static_eval(_, 0).\n");
    let wise = json(&[&rules, "--a", "-p good=1 --depth 1", "--b", "--depth 1", "--games", "12"]);
    assert!(wise["score"].as_f64() > Some(0.6), "{wise}");
    // Now both players have `good=1`, but an overlay of B removes the evaluation again.
    let blinded = format!("--depth 1 --with '{blind}'");
    let both = json(&[&rules, "-p", "good=1", "--a", "--depth 1", "--b", &blinded, "--games", "12"]);
    for key in ["wins", "losses", "score", "plies"] {
        assert_eq!(both[key], wise[key], "{key}");
    }
    let wide = games(&["games/hexapawn.pl", "-p", "width=4", "--games", "2", "--opening-plies", "1"]);
    assert!(wide[0]["position"].to_string().len() > 30, "{}", wide[0]);
}

#[test]
fn a_side_that_plays_another_game_is_told() {
    let rules = file("match_other.pl", MATCHES);
    let jumps = file("match_jumps.pl", "move(left(P, N), take(9), left(Q, 0)) :- other(P, Q), N > 0.\n");
    let lies = file("match_lies.pl", "max_to_move(_).\n");
    let fails = file("match_fails.pl", "static_eval(left(max, 7), _) :- fail.\nstatic_eval(_, 0).\n");
    let throws = file("match_throws.pl", "static_eval(_, V) :- V is 1 / 0.\n");
    let b = |overlay: &str| format!("--depth 1 --with {overlay}");
    refused(&[&rules, "--b", &b(&jumps)], &["A0640", "B plays take(9), which is not legal", "left(max,"]);
    refused(&[&rules, "--b", &b(&lies)], &["A0640", "by the rules of B MAX moves, but MIN is to move", "in game"]);
    refused(&[&rules, "--b", &b(&throws)], &["A0603", "division by zero", "where B moves", "after the moves take("]);
    assert_eq!(run(&[&rules, "--games", "2", "--a", &b(&fails)]).status, Some(0), "the next clause answers");
    refused(&["games/hexapawn.pl", "--a", "--depth 1 -p width=5", "--opening-plies", "1"], &["A0640", "A"]);
}

#[test]
fn the_first_game_that_fails_is_the_one_that_is_told() {
    let rules = file(
        "match_first.pl",
        &MATCHES.replace("static_eval(_, 0).", "static_eval(left(_, N), V) :- V is 1 // (N - 2)."),
    );
    let told = |threads| run(&[&rules, "--a", "--depth 1", "--b", "--depth 2", "--threads", threads]).err;
    assert!(told("1").contains("of the match"), "{}", told("1"));
    assert_eq!(told("1"), told("4"));
}

#[test]
fn wrong_settings_are_told_as_wrong_arguments_are() {
    for (args, words) in [
        (&["--a", "--dept 3"][..], &["'--a <SETTINGS>'", "a side has no option --dept", "--depth"][..]),
        (&["--b", "--depth x"], &["'--b <SETTINGS>'", "invalid value 'x'"]),
        (&["--a", "--with 'x"], &["quote is not closed"]),
        (&["--a", "--threads 2"], &["each game uses one thread"]),
        (&["--a", "--algorithm deep"], &["there is no algorithm `deep`"]),
        (&["--a", "--lines 3"], &["a side has no option --lines"]),
        (&["--a", "-p size=3"], &["A0211", "no parameter size"]),
        (&["--a", "--with nowhere.pl"], &["A0620", "nowhere.pl"]),
        (&["--games", "7"], &["write 6 or 8"]),
        (&["--games", "0"], &["an even number"]),
        (&["--opening-plies", "60"], &["A0640", "--opening-plies 0"]),
    ] {
        refused(&[&["games/nim.pl"], args].concat(), words);
    }
}

#[test]
fn a_game_that_need_not_end_ends() {
    let endless = file("match_endless.pl", RING);
    let args = ["--a", "--depth 2", "--b", "--depth 3", "--games", "4"];
    let given_up = json(&[&[&endless, "--max-plies", "30"], &args[..]].concat());
    assert_eq!((&given_up["unfinished"], &given_up["draws"], &given_up["plies"]), (&4.into(), &4.into(), &34.into()));
    let repeating = file("match_repeating.pl", &format!("repetition(draw).\n{RING}"));
    for game in games(&[&[repeating.as_str()], &args[..]].concat()) {
        assert_eq!((&game["end"], &game["outcome"]), (&"repetition".into(), &"draw".into()));
        assert!(game["moves"].as_array().is_some_and(|moves| moves.len() < 72), "{game}");
    }
}

/// At `home`, a search that does not know the position history expects 9 for the move `out`. But `out`
/// occurred before, so that move is a draw; a search that knows the history makes another move.
#[test]
fn players_know_what_was_played_before() {
    let rules = "\
repetition(draw).
initial(out).
max_to_move(_).
move(out, in, home).
move(home, out, out).
move(home, wait, hall).
move(hall, leave, street).
static_eval(out, 9).
static_eval(home, 0).
static_eval(hall, 5).
static_eval(street, 7).
";
    let rules = file("match_past.pl", rules);
    let games = games(&[&rules, "--a", "--depth 1", "--b", "--depth 1", "--opening-plies", "1", "--games", "2"]);
    assert_eq!(games[0]["moves"].as_array().map(Vec::len), Some(2), "{}", games[0]);
    assert_eq!((&games[0]["end"], &games[0]["outcome"]), (&"rules".into(), &"max".into()));
}

#[test]
fn the_sign_decides_where_a_game_ends_in_numbers() {
    let args = ["games/bratko.pl", "--a", "--depth 1", "--opening-plies", "0", "--games", "2"];
    for game in games(&args) {
        assert_eq!((&game["outcome"], &game["end"]), (&"max".into(), &"rules".into()));
    }
    let found = json(&args);
    assert_eq!((&found["openings"], &found["standard_error"], &found["low"]), (&1.into(), &Value::Null, &Value::Null));
}

/// An advice table for MAX: leave a multiple of four, or else take one match.
const LEAVE_FOUR: &str = "\
good :: if not multiple then [leave_four].
bad :: if true then [wait].
advice(leave_four, [better(multiple), us(at(0, legal)), them([])]).
advice(wait, [better(matches < root(matches)), us(at(0, one)), them([])]).
multiple(left(_, N)) :- N mod 4 =:= 0.
matches(left(_, N), N).
move_class(one, _, take(1), _).
";

/// Regression test: a player with `--advice strict` and a table for the other side searched without a note.
#[test]
fn strict_says_where_it_had_no_table() {
    let rules = file("match_strict.pl", &format!("{MATCHES}{LEAVE_FOUR}"));
    let args = [rules.as_str(), "--a", "--advice strict", "--b", "--depth 1", "--games", "10"];
    let found = json(&args);
    let (without, all) = (found["a"]["unadvised"].as_u64(), found["a"]["moves"].as_u64());
    assert!(without > Some(0) && without < all, "{found}");
    assert_eq!(found["b"]["unadvised"], 0);
    let ran = run(&args);
    let note = format!(
        "in {} of {} moves the table of A was for the other side",
        without.unwrap_or_default(),
        all.unwrap_or_default()
    );
    assert!(ran.out.contains(&note), "{}", ran.out);
    let both = file("match_strict_both.pl", &format!("{MATCHES}{LEAVE_FOUR}advice_for(both).\n"));
    let found = json(&[&both, "--a", "--advice strict", "--b", "--depth 1", "--games", "10"]);
    assert_eq!(found["a"]["unadvised"], 0, "{found}");
}

#[test]
fn a_level_that_means_nothing_is_told() {
    let rules = file("match_idle.pl", MATCHES);
    for (level, lacking) in [("plan", "advice table"), ("focus=2", "prune/2"), ("prune", "prune/2")] {
        let ran = run(&[&rules, "--a", &format!("--advice {level}"), "--b", "--depth 1", "--games", "2"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let note = format!("note: A: --advice {level} has no effect here: the rules have no");
        assert!(ran.err.starts_with(&note) && ran.err.contains(lacking), "{}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_tells_the_score_so_far() {
    let args = ["match", "games/connect_four.pl", "--a", "--depth 1", "--b", "--depth 1", "--json"];
    let args = [&args[..], &["--games", "1000000", "--opening-plies", "12"]].concat();
    let child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Some games finish in this time; the test cannot observe when.
    std::thread::park_timeout(std::time::Duration::from_millis(700));
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("kill is there");
    assert!(sent.success(), "it has ended by itself");
    let output = child.wait_with_output().expect("it ends");
    let found: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((output.status.code(), &found["stopped"]), (Some(130), &true.into()));
    assert_eq!((&found["score"], found["games"].as_u64() > Some(1)), (&0.5.into(), true), "{found}");
}

/// Regression test: if all pairs ended alike, the interval was empty and no note gave the reason.
#[test]
fn pairs_that_all_end_alike_leave_an_interval_and_are_told() {
    let args = ["games/tictactoe.pl", "--a", "--depth 2", "--b", "--depth 2", "--games", "12"];
    let found = json(&args);
    assert_eq!((&found["score"], &found["same_moves"]), (&0.5.into(), &6.into()));
    let (low, high) = (found["low"].as_f64().expect("a number"), found["high"].as_f64().expect("a number"));
    // 1 - 0.05 ** (1/6) is 0.393.
    assert!((low - 0.3035).abs() < 1e-3 && (low + high - 1.0).abs() < 1e-6, "{low} {high}");
    let told = run(&args).out;
    assert!(told.contains("by the rule of three") && told.contains("the same moves in every pair"), "{told}");
    let other = ["games/tictactoe.pl", "--a", "--depth 9", "--b", "--depth 1", "--games", "12"];
    let found = json(&other);
    assert!(found["low"].as_f64() < found["high"].as_f64() && found["same_moves"].as_u64() < Some(6), "{found}");
}

/// The clock of A ends with its first move; B has enough time for every move.
#[test]
fn a_side_that_oversteps_its_clock_loses() {
    let rules = file("clocks.pl", MATCHES);
    let games =
        ["--a", "--depth 1 --clock 0.000001", "--b", "--depth 1 --clock 1000+1", "--games", "2", "--json-lines"];
    let ran = run(&[&[rules.as_str()], &games[..]].concat());
    let lost = ran.err.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let lost: Vec<Value> = lost.filter(|game| game["end"] == "forfeit").collect();
    assert_eq!(lost.len(), 2, "{}", ran.err);
    for game in lost {
        assert_eq!(game["points"], 0.0, "{game}");
        assert!(game["forfeit"].as_str().is_some_and(|reason| reason.starts_with("out of time")), "{game}");
    }
}

#[test]
fn a_wrong_clock_is_refused() {
    let rules = file("clock.pl", MATCHES);
    refused(&[&rules, "--a", "--clock 1:30"], &["seconds of the game and of each move", "60+0.6"]);
    refused(&[&rules, "--a", "--clock 60 --time 1"], &["--clock", "--time"]);
}
