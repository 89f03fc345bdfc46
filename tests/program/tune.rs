//! Tests of `tune` and `dataset`: every method finds better values, a killed command goes on, the overlay is
//! loaded again, and requests that make no sense are refused.
//!
//! All limits are depths or numbers of positions, so that results do not depend on the machine.

use crate::ran::{command, json, run};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

/// The path of a file of one test, which does not exist yet.
fn fresh(name: &str) -> String {
    let path = format!("{}/tune_{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&path);
    path
}

/// Asserts that a command ends in an error with these words.
fn refused(args: &[&str], words: &[&str]) {
    let ran = run(args);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{args:?}");
    let told = ran.err.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ");
    words.iter().for_each(|word| assert!(told.contains(word), "{args:?} should speak of {word}: {told}"));
}

/// Noughts and crosses with an evaluation that knows nothing at first.
const MARKS: [&str; 3] = ["games/tictactoe.pl", "--with", "tests/data/tune/tictactoe.pl"];

/// Short games from many openings.
const SHORT: [&str; 6] = ["--depth", "1", "--opening-plies", "2", "--games", "60"];

fn tune<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["tune"][..], &MARKS, &SHORT, more].concat()
}

fn value(found: &Value, name: &str) -> i64 {
    let param = found["params"].as_array().into_iter().flatten().find(|param| param["name"] == name);
    param.and_then(|param| param["value"].as_i64()).expect("the parameter has a value")
}

#[test]
fn self_play_finds_the_centre() {
    let found = json(&tune(&["--match-games", "20", "--every", "1"]));
    assert!(value(&found, "centre") > value(&found, "side"), "{found}");
    assert_eq!((&found["fit"]["linear"], &found["games"]), (&true.into(), &60.into()));
    let loss = |key: &str| found["fit"][key].as_f64().expect("a number");
    assert!(loss("end") < loss("start"));
    let unused = &found["params"][3];
    assert_eq!((&unused["name"], &unused["changes_evaluation"]), (&"unused".into(), &false.into()));
    assert_eq!((&unused["changes_choice"], &unused["value"]), (&false.into(), &1.into()));
    assert_eq!((&found["match"]["games"], &found["match_seed"]), (&20.into(), &1_000_001.into()));
    let text = run(&tune(&["--match-games", "20"])).out;
    for words in ["unused changes the evaluation of no sampled position", "openings with seed 1000001", "held out"] {
        assert!(text.contains(words), "{text}");
    }
}

/// Once weights as small as 1 stayed as they were, and nothing said that steps of 1 are too coarse for them.
#[test]
fn weights_that_are_too_small_are_told() {
    let of = |centre: &'static str| {
        run(&tune(&["-p", centre, "-p", "corner", "-p", "side", "--seed", "1", "--no-match"])).out
    };
    let [small, large] = ["centre=1", "centre=9"].map(of);
    assert!(small.contains("rounding to whole numbers costs"), "{small}");
    assert!(!large.contains("rounding to whole numbers"), "{large}");
}

#[test]
fn the_overlay_has_the_new_defaults() {
    let (overlay, plot) = (fresh("tuned.pl"), fresh("steps.svg"));
    let found = json(&tune(&["--no-match", "--output", &overlay, "--svg", &plot]));
    assert_eq!(found["match"], Value::Null);
    let text = fs::read_to_string(&overlay).expect("it was written");
    let (first, rest) = text.split_once('\n').expect("it has lines");
    let (line, rest) = rest.split_once('\n').expect("it has lines");
    assert!(line.starts_with("% alphorn tune games/tictactoe.pl --with"), "{line}");
    assert_eq!(found["overlay"], format!("{first}\n{rest}"));
    assert!(fs::read_to_string(&plot).is_ok_and(|svg| svg.starts_with("<svg ") && svg.contains("centre")));
    let goal = format!("param(centre, {})", value(&found, "centre"));
    let loaded = run(&["query", "games/tictactoe.pl", &goal, "--with", MARKS[2], "--with", &overlay]);
    assert_eq!((loaded.status, loaded.err.as_str()), (Some(0), ""), "{}", loaded.out);
    assert!(loaded.out.contains("true"), "{}", loaded.out);
    // -p is stronger than an overlay, and a range of an overlay holds.
    let set = run(&[
        "query",
        "games/tictactoe.pl",
        "param(centre, 7)",
        "-p",
        "centre=7",
        "--with",
        MARKS[2],
        "--with",
        &overlay,
    ]);
    assert!(set.status == Some(0) && set.out.contains("true"), "{}{}", set.out, set.err);
    refused(&tune(&["--no-match", "--output", "games/nim.pl"]), &["A0623", "overlay written by alphorn tune"]);
    assert_eq!(run(&tune(&["--no-match", "--output", &overlay])).status, Some(0), "it may be replaced");
}

/// Once the positions of another game gave an error of `static_eval/2`, and a wrong term had no line.
#[test]
fn positions_of_another_game_are_told() {
    let (data, record) = (fresh("other.jsonl"), fresh("same"));
    for (position, words) in [
        ("left(max,3)", "no position of the game has the form of the given position, left(_, _)"),
        ("pos(x,[", "position:1:4: A0106: this bracket is never closed"),
    ] {
        fs::write(&data, format!("{{\"position\":\"{position}\",\"result\":1}}\n")).expect("it can be written");
        refused(&tune(&["--data", &data, "--no-match"]), &["A0647", "tune_other.jsonl:1: ", words]);
    }
    refused(&tune(&["--output", &record, "--record", &record]), &["--record and --output name the same file"]);
    assert!(fs::metadata(&record).is_err(), "nothing was begun");
}

#[test]
fn solved_positions_teach_the_order_of_moves() {
    let (values, record) = (fresh("values"), fresh("solved.jsonl"));
    let solved = run(&[&["solve"][..], &MARKS, &["--save", &values]].concat());
    assert_eq!(solved.status, Some(0), "{}", solved.err);
    let args = tune(&["--table", &values, "--positions", "300", "--no-match", "--record", &record]);
    let found = json(&args);
    assert_eq!((&found["method"], &found["games"]), (&"solved".into(), &0.into()));
    let share = |key: &str| found["order"][key].as_f64().expect("a share");
    assert_eq!(share("pairs_start"), 0.5, "all evaluations are equal");
    assert!(share("pairs_end") > 0.5, "{}", found["order"]);
    assert_eq!(found, json(&args), "a finished record gives the same result");
    refused(&tune(&["--method", "solved"]), &["A0620", "alphorn solve GAME --save FILE"]);
    refused(&tune(&["--table", "nowhere"]), &["A0632"]);
}

#[test]
fn games_between_two_points_climb() {
    let args = tune(&["--method", "spsa", "-p", "centre", "-p", "corner=-5..5", "--match-games", "4", "--jobs", "2"]);
    let found = json(&args);
    assert_eq!((&found["method"], &found["fit"], &found["games"]), (&"spsa".into(), &Value::Null, &60.into()));
    let history = found["history"].as_array().expect("it has steps");
    assert_eq!((history.len(), &history[7]["step"], &history[7]["total"]), (8, &30.into(), &30.into()));
    assert!((-5..=5).contains(&value(&found, "corner")));
    assert_eq!(found["params"].as_array().map(Vec::len), Some(2));
}

#[test]
fn tuning_goes_on_after_every_cut() {
    for method in ["logistic", "spsa"] {
        let (whole, cut) = (fresh(&format!("{method}.jsonl")), fresh(&format!("{method}_cut.jsonl")));
        let settings = ["--depth", "1", "--opening-plies", "2", "--games", "24", "--match-games", "8"];
        let args = |record: &str| -> Vec<String> {
            let all = [&["tune"][..], &MARKS, &settings, &["--method", method, "--record", record]].concat();
            all.into_iter().map(String::from).collect()
        };
        let run_all = |args: &[String]| run(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let undisturbed = run_all(&args(&whole));
        assert_eq!(undisturbed.status, Some(0), "{}", undisturbed.err);
        let complete = fs::read(&whole).expect("it was written");
        let lengths = [40, complete.len() / 3, complete.len() * 3 / 4, complete.len()];
        for length in lengths {
            fs::write(&cut, &complete[..length]).expect("it can be written");
            let ran = run_all(&[args(&cut), vec!["--jobs".into(), "3".into()]].concat());
            assert_eq!((ran.status, &ran.out), (Some(0), &undisturbed.out), "{method} {length}: {}", ran.err);
            assert!(fs::read(&cut).is_ok_and(|bytes| bytes == complete), "{method} after {length} bytes");
        }
        let other = [args(&cut), vec!["--seed".into(), "2".into()]].concat();
        refused(&other.iter().map(String::as_str).collect::<Vec<_>>(), &["A0645", "--seed: 1 in the file, 2 in this"]);
    }
    let diary = fresh("diary.jsonl");
    fs::write(&diary, "my diary\n").expect("it can be written");
    refused(&tune(&["--record", &diary]), &["A0645", "no record of tuning"]);
    assert_eq!(fs::read_to_string(&diary).ok().as_deref(), Some("my diary\n"));
}

#[cfg(unix)]
#[test]
fn a_killed_command_goes_on() {
    let (whole, cut) = (fresh("undisturbed.jsonl"), fresh("killed.jsonl"));
    let args = |record| tune(&["--match-games", "30", "--record", record]);
    let undisturbed = run(&args(&whole));
    for (after, signal) in [(30, "KILL"), (70, "INT"), (120, "KILL"), (170, "KILL"), (250, "INT")] {
        let mut child =
            command(&args(&cut)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts");
        std::thread::park_timeout(std::time::Duration::from_millis(after));
        Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().expect("kill is there");
        child.wait().expect("it ends");
    }
    let resumed = run(&args(&cut));
    assert_eq!((resumed.status, resumed.out), (Some(0), undisturbed.out));
    assert!(fs::read(&cut).ok() == fs::read(&whole).ok());
}

#[test]
fn a_dataset_is_read_again() {
    let path = fresh("data.jsonl");
    let written = json(&[&["dataset"][..], &MARKS, &SHORT, &["--output", &path]].concat());
    assert_eq!(written["features"], serde_json::json!(["centre", "corner", "side", "unused"]));
    let text = fs::read_to_string(&path).expect("it was written");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(Some(rows.len() as u64), written["positions"].as_u64());
    for row in &rows {
        let sum: f64 = row["features"].as_array().into_iter().flatten().filter_map(Value::as_f64).sum();
        assert!(row["evaluation"] == 0 && row["params"] == written["features"] && sum.abs() <= 5.0, "{row}");
    }
    let [direct, read] = [&tune(&["--no-match"]), &tune(&["--no-match", "--data", &path])].map(|args| json(args));
    assert_eq!(direct["fit"], read["fit"]);
    assert_eq!(
        direct["overlay"].as_str().map(|text| text.lines().last()),
        read["overlay"].as_str().map(|text| text.lines().last())
    );
    for (text, words) in [
        ("{\"position\":\"pos(x,[])\"}", "missing field `result`"),
        ("{\"position\":\"pos(x,[])\",\"result\":2}", "`result` is not from 0 to 1"),
        ("", "no position that can be used"),
    ] {
        let wrong = fresh("wrong.jsonl");
        fs::write(&wrong, text).expect("it can be written");
        refused(&tune(&["--data", &wrong]), &["A0647", words]);
    }
    let dataset = |output: &str, words: &[&str]| {
        refused(&[&["dataset"][..], &MARKS, &SHORT, &["--output", output]].concat(), words);
    };
    dataset("positions.txt", &["A0620", "--output FILE.jsonl"]);
    if cfg!(not(feature = "parquet")) {
        dataset("positions.parquet", &["--features parquet"]);
    }
    dataset("no/such/folder.jsonl", &["no/such"]);
    refused(&tune(&["--data", "positions.parquet"]), &["A06"]);
}

/// Once `dataset` replaced the record of a match or of its own games.
#[test]
fn a_dataset_replaces_no_record() {
    let record = fresh("games.jsonl");
    let sides = ["--a", "--depth 1", "--b", "--depth 2", "--games", "2", "--games", &record];
    json(&[&["match"][..], &MARKS[..1], &sides].concat());
    let output = ["--output", &record];
    refused(&[&["dataset"][..], &MARKS, &SHORT, &output].concat(), &["A0623", "games.jsonl"]);
    refused(&[&["dataset"][..], &MARKS, &SHORT, &output, &["--record", &record]].concat(), &["games.jsonl"]);
    assert_eq!(json(&["match", "--report", &record])["games"], 2);
    refused(&["match", "--report", &record, "--sprt", "elo0=0,elo1=10"], &["cannot be used with", "--sprt"]);
    let positions = fresh("positions.jsonl");
    for _ in 0..2 {
        json(&[&["dataset"][..], &MARKS, &SHORT, &["--output", &positions]].concat());
    }
}

/// Chance moves have no evaluation; the positions in which a player moves have one.
#[test]
fn a_game_of_chance_gives_positions() {
    let path = fresh("pig.jsonl");
    let args = ["dataset", "games/pig.pl", "-p", "target=10", "--games", "4", "--depth", "1", "--opening-plies", "0"];
    let written = json(&[&args[..], &["--output", &path]].concat());
    assert!(written["positions"].as_u64() > Some(0) && written["features"] == serde_json::json!([]), "{written}");
}

#[test]
fn what_cannot_be_tuned_is_told() {
    refused(&tune(&["-p", "center"]), &["A0211", "there is no parameter center", "did you mean centre?"]);
    refused(&tune(&["-p", "centre=5..5"]), &["range 5..5 of centre is empty", "-p centre=-9..9"]);
    refused(&tune(&["-p", "centre=7..2"]), &["is empty"]);
    refused(&tune(&["-p", "centre=0..50"]), &["centre is from -9 to 9"]);
    refused(&tune(&["-p", "centre=3..5"]), &["present value of centre, 0,", "-p centre=3 -p centre=3..5"]);
    refused(&tune(&["-p", "centre", "-p", "centre"]), &["given twice"]);
    refused(&tune(&["-p", "centre=x..5"]), &["centre=0..50"]);
    refused(&tune(&["-p", "centre=12"]), &["centre is from -9 to 9, not 12"]);
    refused(&tune(&["-p", "unused", "--no-match"]), &["A0646", "no parameter changes the evaluation"]);
    refused(&["tune", "games/breakthrough.pl", "-p", "width"], &["A0646", "changes the rules of the game"]);
    refused(&["tune", "games/othello.pl", "-p", "size"], &["A0646", "no range of integers"]);
    refused(&["tune", "games/tictactoe.pl"], &["A0646", "uses no integer parameter of its own", ":- param(man"]);
    refused(&tune(&["--sprt", "elo0=5,elo1=0"]), &["elo0"]);
    refused(&tune(&["--method", "spsa", "--data", "x.jsonl"]), &["A0620"]);
    let drawn = ["--depth", "9", "--opening-plies", "0", "--games", "2", "--no-match"];
    refused(&[&["tune"][..], &MARKS, &drawn].concat(), &["A0647", "all games are drawn"]);
}

/// An overlay may declare a parameter of the game again, but not twice.
#[test]
fn an_overlay_declares_a_parameter_again() {
    let overlay = fresh("again.pl");
    let declare = |text: &str| fs::write(&overlay, text).expect("it can be written");
    let query =
        |goal: &str, more: &[&str]| run(&[&["query", "games/nim.pl", goal, "--with", &overlay][..], more].concat());
    declare(":- param(misere, yes, [yes, no], \"how the game ends\").\n");
    let found = query("param(misere, X)", &[]);
    assert!(found.status == Some(0) && found.out.contains("yes"), "{}{}", found.out, found.err);
    assert!(query("param(misere, X)", &["-p", "misere=no"]).out.contains("no"));
    declare(&":- param(misere, yes, [yes, no], \"how the game ends\").\n".repeat(2));
    assert!(query("true", &[]).err.contains("misere is declared twice"));
}

/// A product of parameters is fitted by differences.
#[test]
fn an_evaluation_that_is_not_linear_is_fitted() {
    let overlay = fresh("product.pl");
    let rules = fs::read_to_string(MARKS[2]).expect("it is there");
    fs::write(&overlay, rules.replace("Centre * M +", "Centre * max(Side, 1) * M +")).expect("it can be written");
    let args = ["tune", "games/tictactoe.pl", "--with", &overlay, "-p", "centre", "-p", "side", "--no-match"];
    let found = json(&[&args[..], &SHORT].concat());
    assert_eq!(found["fit"]["linear"], false);
    assert!(found["fit"]["end"].as_f64() < found["fit"]["start"].as_f64(), "{found}");
}
