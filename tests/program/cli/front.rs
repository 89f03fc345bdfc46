//! Tests the output besides the value: the depth, the speed, the winner.

use super::{answers, file, json, run};
use serde_json::Value;

/// The names of all algorithms, from the error message about an unknown algorithm.
fn algorithms() -> Vec<String> {
    let refused = run(&["value", "games/nim.pl", "--algorithm", "none"]).err;
    let (_, names) = refused.split_once("the algorithms are ").expect("the algorithms are told");
    let names = names.lines().next().unwrap_or_default();
    names.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_string).collect()
}

/// Regression test: the output showed the value of an unfinished depth beside the number of the finished
/// depth.
#[test]
fn a_stopped_search_shows_the_value_of_the_depth_that_it_shows() {
    let (mut finished, mut deeper) = (0, 0);
    for nodes in ["40", "300", "450", "700", "1100", "1600", "2300"] {
        for game in ["games/othello.pl", "games/breakthrough.pl"] {
            let (_, found) = json(&["value", game, "--nodes", nodes, "--threads", "1"]);
            assert_eq!(found["stopped"], true, "{game} {nodes}");
            if found["finished"] == false {
                assert_eq!(found["deeper"], Value::Null);
                continue;
            }
            finished += 1;
            let depth = found["depth"].to_string();
            let (_, whole) = json(&["value", game, "--depth", &depth, "--threads", "1"]);
            assert_eq!((&found["value"], &found["depth"]), (&whole["value"], &whole["depth"]), "{game} {nodes}");
            let next = &found["deeper"];
            if next.is_null() {
                continue;
            }
            deeper += 1;
            assert!(next["depth"].as_u64() > found["depth"].as_u64(), "{next}");
            let best = next["best"].as_str().expect("it has a move");
            let behind = (next["depth"].as_u64().expect("a number") - 1).to_string();
            let (_, worth) = json(&["value", game, "--moves", best, "--depth", &behind, "--threads", "1"]);
            assert_eq!(next["value"], worth["value"], "{game} {nodes}: {best}");
            let told = run(&["value", game, "--nodes", nodes, "--threads", "1"]).out;
            let line = format!(
                "deeper {best}, value {}: the best so far at depth {}, not finished",
                next["value"], next["depth"]
            );
            assert!(told.contains(&line) && told.contains(&format!("\ndepth  {depth}\n")), "{line}: {told}");
        }
    }
    assert!(finished > 5 && deeper > 0, "{finished} {deeper}");
}

#[test]
fn a_value_of_no_finished_depth_says_so() {
    for algorithm in ["alphabeta", "pvs", "minimax", "f2"] {
        let args = ["value", "games/tictactoe.pl", "--algorithm", algorithm, "--depth", "6", "--nodes", "600"];
        let (_, found) = json(&args);
        assert_eq!((&found["stopped"], &found["finished"]), (&true.into(), &false.into()), "{algorithm}: {found:?}");
        if !found["value"].is_null() {
            assert!(run(&args).out.contains("\ndepth  6, not finished:"), "{algorithm}");
        }
    }
}

/// Regression test: `turn` and `outcome` were missing, and the text said only that the game was over.
#[test]
fn moves_after_the_end_say_who_has_won() {
    let won = "pos(o,[x,x,x,o,o,e,e,e,e])";
    let drawn = "pos(o,[x,o,x,x,o,o,o,x,x])";
    let numbered =
        file("numbered.pl", "initial(0).\nmax_to_move(_).\nmove(0, up, 1).\nmove(0, down, -1).\nstatic_eval(N, N).\n");
    for (game, args, outcome, words) in [
        ("games/tictactoe.pl", ["--position", won], "max", "the game is over: MAX wins"),
        ("games/tictactoe.pl", ["--position", drawn], "draw", "the game is over: a draw"),
        (&numbered, ["--moves", "down"], "min", "the game is over: MIN wins"),
        (&numbered, ["--moves", "up"], "max", "the game is over: MAX wins"),
    ] {
        let args = [&["moves", game], &args[..]].concat();
        let (_, found) = json(&args);
        let told = (&found["turn"], &found["outcome"], &found["moves"]);
        assert_eq!(told, (&Value::Null, &outcome.into(), &Value::Array(Vec::new())), "{args:?}");
        assert_eq!(run(&args).out.lines().last(), Some(words), "{args:?}");
    }
    for (args, turn) in [(&["games/nim.pl"][..], "max"), (&["games/pig.pl", "--moves", "roll"], "chance")] {
        let (_, found) = json(&[&["moves"], args].concat());
        assert_eq!((&found["turn"], &found["outcome"]), (&turn.into(), &Value::Null), "{args:?}");
    }
    let (_, found) = json(&["explain", &numbered, "down"]);
    assert_eq!((&found["turn"], &found["leaf"]["outcome"]), (&"max".into(), &"min".into()));
    assert!(run(&["explain", &numbered, "down"]).out.contains("the game is over: MIN wins"));
}

#[test]
fn every_algorithm_is_in_every_help() {
    let all = algorithms();
    assert!(all.len() > 13 && all.contains(&"mcts".to_string()), "{all:?}");
    for args in [&["value", "--help"][..], &["match", "--help"]] {
        let help = run(args).out;
        let help = if args[0] == "match" { run(&["profile", "--help"]).out } else { help };
        let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for name in &all {
            assert!(flat.contains(&format!(" {name}")), "{args:?} says nothing of {name}: {flat}");
        }
    }
    let help = run(&["trace", "--help"]).out;
    assert!(help.contains("f2g2") && !help.contains("mcts"), "{help}");
}

#[test]
fn a_search_that_takes_long_says_how_fast_it_is() {
    let (_, found) = json(&["value", "games/othello.pl", "--depth", "4", "--threads", "1"]);
    let (nodes, seconds) = (found["nodes"].as_f64().expect("a number"), found["seconds"].as_f64().expect("a number"));
    let rate = found["nodes_per_second"].as_f64().expect("a number");
    assert!((rate - nodes / seconds).abs() <= 1.0, "{found:?}");
    let told = run(&["value", "games/othello.pl", "--time", "0.5", "--threads", "1"]).out;
    assert!(told.lines().any(|line| line.starts_with("nodes  ") && line.contains(" a second), evaluations")), "{told}");
}

#[test]
fn bench_measures_any_game_and_searches_it_alike_each_time() {
    let signature = |args: &[&str]| {
        let (status, found) = json(&[&["bench"], args].concat());
        assert_eq!((status, found["games"].as_array().map(Vec::len)), (Some(0), Some(1)), "{args:?}");
        assert_eq!(found["games"][0]["game"], args[0]);
        (found["signature"].clone(), found["games"][0]["depth"].clone())
    };
    let once = signature(&["games/nim.pl", "--opening", "6", "--repeat", "2"]);
    assert_eq!(once, signature(&["games/nim.pl", "--opening", "6"]));
    assert_eq!(signature(&["games/tictactoe.pl", "--depth", "4"]).1, 4);
    assert!(signature(&["games/pig.pl", "-p", "target=10", "--depth", "2"]).0.as_u64() > Some(2));
    for (args, why) in [
        (&["bench", "nowhere.pl"][..], "cannot read nowhere.pl"),
        (&["bench", "--opening", "2"], "alphorn bench FILE"),
        (&["bench", "-p", "size=4"], "alphorn bench FILE"),
    ] {
        let ran = run(args);
        assert!(ran.status == Some(2) && ran.err.contains(why), "{args:?}: {}", ran.err);
    }
}

/// A limit of time gives exit status 2, after the results so far.
#[test]
fn what_runs_out_of_time_says_what_it_knows() {
    for args in [
        &["solve", "games/breakthrough.pl", "--time", "0"][..],
        &["solve", "games/breakthrough.pl", "--time", "0", "--method", "pns"],
        &["solve", "games/pig.pl", "--time", "0"],
        &["perft", "games/chess.pl", "--depth", "9", "--time", "0"],
        &["stats", "games/chess.pl", "--games", "100000", "--time", "0"],
        &["prove", "games/kqk.pl", "--time", "0"],
        &["advice-worth", "games/krk.pl", "--time", "0"],
    ] {
        let ran = run(args);
        assert_eq!(ran.status, Some(2), "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("--time 0"), "{args:?}: {}", ran.err);
        assert!(args[0] != "solve" || ran.out.contains("stopped: no value yet"), "{args:?}: {}", ran.out);
    }
    let (status, found) = json(&["solve", "games/breakthrough.pl", "--time", "0"]);
    assert_eq!((status, &found["value"], &found["stopped"]), (Some(2), &Value::Null, &true.into()));
    let (status, found) = json(&["solve", "games/nim.pl", "--time", "600"]);
    assert_eq!((status, &found["stopped"]), (Some(0), &false.into()));
}

/// Regression test: the message listed all legal moves, sometimes hundreds.
#[test]
fn of_many_legal_moves_ten_are_told_and_how_many_there_are() {
    let many = file(
        "many.pl",
        "initial(0).\nmax_to_move(_).\nmove(0, to(N), N) :- between(1, 1500, N).\nstatic_eval(_, 0).\n",
    );
    for args in [&["value", &many, "--moves", "zero"][..], &["moves", &many, "--moves", "zero"]] {
        let told = run(args).err;
        assert!(told.contains("to(10)") && !told.contains("to(11)"), "{told}");
        assert!(told.contains("(1,500 in all)"), "{told}");
    }
    let few = run(&["value", "games/nim.pl", "--opening", "6", "--moves", "zero"]).err;
    assert!(few.contains("take(3,1)") && !few.contains("in all"), "{few}");
    let typed = run(&["explain", &many, "to(1"]).err;
    assert!(!typed.contains("to(1499)"), "{typed}");
}

/// Regression test: the trace showed the calls inside all library predicates.
#[test]
fn a_trace_leaves_the_library_closed_unless_it_is_asked() {
    let rules = file(
        "doubling.pl",
        "double(X, Y) :- Y is 2 * X.\ndoubled(L, M) :- maplist(double, L, M), last(M, _), sum_list(M, _).\n",
    );
    let trace = |more: &[&str]| run(&[&["trace", &rules, "doubled([1, 2], M)"], more].concat()).out;
    let (closed, open) = (trace(&[]), trace(&["--library"]));
    assert!(closed.lines().count() < open.lines().count(), "{closed}\n{open}");
    for shown in ["maplist(", "double(1,", "double(2,", "last(", "sum_list("] {
        assert!(closed.contains(shown), "{shown}: {closed}");
    }
    // The calls inside the library are nested deeper than the goals of the user.
    let calls = |name: &str| closed.lines().filter(|line| line.contains("call") && line.contains(name)).count();
    assert_eq!((calls("last("), calls("sum_list("), calls("maplist(")), (1, 1, 1), "{closed}");
    let named = trace(&["--only", "last"]);
    assert!(named.contains("last("), "{named}");
    assert_eq!(answers(&[&rules, "doubled([1, 2], M)"]).1, "M = [2,4]\n");
}

/// Regression test: `mcts` printed the length of its proved line as if no win were shorter.
#[test]
fn the_line_of_mcts_is_not_called_the_shortest() {
    let told = run(&["value", "games/nim.pl", "--algorithm", "mcts", "--games", "50000"]).out;
    let (_, line) = told.split_once("(MAX wins), exact; the line has ").expect("the win is proved");
    assert!(line.contains(" plies, and need not be the shortest\nbest   "), "{told}");
    // Other searches find the shortest win.
    let told = run(&["value", "games/nim.pl", "--algorithm", "auto"]).out;
    assert!(told.contains(", exact, ") && !told.contains("shortest"), "{told}");
    // A draw has no such line.
    let game = ["value", "games/tictactoe.pl", "--moves", "1 4", "--algorithm", "mcts", "--games", "300000"];
    let told = run(&game).out;
    assert!(told.contains("(draw), exact, ") && !told.contains("shortest"), "{told}");
}

/// Regression test: a tree that needed more memory than `--memory` ended in A0602, without a value.
#[test]
fn a_tree_of_mcts_that_fills_the_memory_had_no_value() {
    let args = ["value", "games/chess.pl", "--algorithm", "mcts", "--games", "3000"];
    let short = [&args[..], &["--memory", "16M"]].concat();
    let told = run(&short);
    assert!(told.status == Some(0) && told.out.contains("\ntree   full: it did not grow any more"), "{}", told.err);
    let (_, found) = json(&short);
    assert_eq!((&found["sample"]["full"], &found["sample"]["games"]), (&true.into(), &3000.into()), "{found:?}");
    let (_, found) = json(&args);
    assert!(found["sample"]["full"].is_null() && found["value"].is_number(), "{found:?}");
}

/// Regression test: a clock out of range was refused with the form of the option.
#[test]
fn a_clock_out_of_range_is_refused_with_its_range() {
    let refused = |clock: &str| run(&["play", "games/nim.pl", "--clock", clock]).err;
    assert!(refused("99999999999999999999+1").contains("more than 0, and at most 1000000"), "{}", refused("9e30"));
    assert!(refused("60+99999999999999999999").contains("the seconds of each move must be from 0 to 1000000"));
    assert!(refused("soon").contains("such as 60+0.6"));
}
