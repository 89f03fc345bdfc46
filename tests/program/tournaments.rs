//! Tests of tournaments: schedule, ratings, record, bad input. They run the command `alphorn tournament`.
//!
//! All limits are depths or numbers of positions.

use crate::ran::{self, Ran, command};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

fn run(args: &[&str]) -> Ran {
    ran::run(&[&["tournament"], args].concat())
}

fn json(args: &[&str]) -> Value {
    ran::json(&[&["tournament"], args].concat())
}

/// The path of a file of one test, which does not exist yet.
fn fresh(name: &str) -> String {
    let path = format!("{}/tournament_{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&path);
    path
}

fn file(name: &str, text: &str) -> String {
    let path = fresh(name);
    fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn bytes(path: &str) -> Vec<u8> {
    fs::read(path).expect("the file is there")
}

/// The words of a message in one line. A long message continues after a bar.
fn words(told: &str) -> String {
    told.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ")
}

/// Asserts that a command ends in an error with these words.
fn refused(args: &[&str], words: &[&str]) {
    let ran = run(args);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{args:?}");
    let told = self::words(&ran.err);
    words.iter().for_each(|word| assert!(told.contains(word), "{args:?} should speak of {word}: {told}"));
}

/// Three sides in a short game, with a record.
fn three<'a>(games: &'a str, record: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let sides = ["--side", "deep=--depth 5", "--side", "some=--nodes 20", "--side", "low=--depth 1"];
    [&["games/tictactoe.pl"], &sides[..], &["--games", games, "--games", record], more].concat()
}

fn sides(found: &Value) -> &[Value] {
    found["sides"].as_array().expect("there are sides")
}

#[test]
fn all_pairings_play_the_same_openings() {
    for (more, pairings) in [(&[][..], 3), (&["--gauntlet"], 2)] {
        let record = fresh(&format!("openings{pairings}.jsonl"));
        let found = json(&three("8", &record, more));
        assert_eq!((&found["games"], &found["openings"]), (&(8 * pairings).into(), &4.into()), "{found}");
        let text = fs::read_to_string(&record).expect("it is there");
        let games: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a game")).collect();
        let mut keys: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
        let mut colours: BTreeMap<String, u64> = BTreeMap::new();
        for game in &games {
            keys.entry(game["pair"].as_u64().expect("a number")).or_default().push(&game["key"]);
            *colours.entry(format!("{} {}", game["sides"], game["max"])).or_default() += 1;
        }
        assert!(keys.len() == 4 && keys.values().all(|keys| keys.iter().all(|key| *key == keys[0])), "{keys:?}");
        assert!(colours.len() == 2 * pairings && colours.values().all(|count| *count == 4), "{colours:?}");
        // The deepest search leads, and ranks, scores and counts agree.
        assert_eq!((&sides(&found)[0]["name"], &sides(&found)[0]["rank"]), (&"deep".into(), &1.into()), "{found}");
        for side in sides(&found) {
            let [games, wins, draws, losses] =
                ["games", "wins", "draws", "losses"].map(|key| side[key].as_f64().expect("a number"));
            assert_eq!(games, wins + draws + losses, "{side}");
            let score = side["score"].as_f64().expect("a number");
            assert!((score - (wins + 0.5 * draws) / games).abs() < 1e-5, "{side}");
            let last = side["score_over_games"].as_array().and_then(|all| all.last()).expect("there are games");
            assert_eq!((&last[0], &last[1]), (&side["games"], &side["score"]), "{side}");
        }
        let sum: f64 = sides(&found).iter().filter_map(|side| side["rating"].as_f64()).sum();
        assert!(sum.abs() < 0.1, "the mean is 0: {found}");
    }
}

/// One pairing plays the games of a match, and the ratings differ by the Elo difference of the match.
#[test]
fn two_sides_play_a_match() {
    let (a, b) = ("--depth 2", "--depth 1");
    let found = json(&["games/connect_four.pl", "--side", a, "--side", b, "--games", "20"]);
    let matched = ran::run(&["match", "games/connect_four.pl", "--a", a, "--b", b, "--games", "20", "--json"]);
    let matched: Value = serde_json::from_str(&matched.out).expect("one object");
    for key in ["wins", "draws", "losses", "pentanomial", "score", "elo", "same_moves"] {
        assert_eq!(found["pairings"][0][key], matched[key], "{key}");
    }
    for key in ["games", "openings", "opening_plies", "plies", "unfinished", "ended"] {
        assert_eq!(found[key], matched[key], "{key}");
    }
    let rating = |at: usize| sides(&found)[at]["rating"].as_f64().expect("it has a rating");
    let elo = matched["elo"].as_f64().expect("it is finite");
    assert!((rating(0) - rating(1) - elo.abs()).abs() < 0.02, "{found} {matched}");
    let anchored = json(&["games/connect_four.pl", "--side", a, "--side", b, "--games", "20", "--anchor", b]);
    assert_eq!((&anchored["anchor"], &sides(&anchored)[1]["rating"]), (&b.into(), &0.into()), "{anchored}");
}

#[test]
fn a_record_does_not_depend_on_the_number_of_jobs() {
    let (one, many) = (fresh("jobs1.jsonl"), fresh("jobs5.jsonl"));
    let alone = run(&three("8", &one, &["--jobs", "1"]));
    assert_eq!((alone.status, alone.err.as_str()), (Some(0), ""));
    assert_eq!(alone.out, run(&three("8", &many, &["--jobs", "5"])).out);
    assert!(bytes(&one) == bytes(&many));
    assert_eq!(alone.out, run(&["--report", &one]).out, "the report has the same ratings");
    let (played, mut report) = (json(&three("8", &one, &[])), json(&["--report", &one]));
    assert_eq!((&played["ended"], &report["ended"]), (&"games".into(), &"record".into()));
    report["ended"] = "games".into();
    assert_eq!(played, report);
    assert_eq!(json(&["--report", &one, "--anchor", "low"])["anchor"], "low");
    refused(&["--report", &one, "--anchor", "lo"], &["A0620", "no side has the name lo", "--anchor 'low'"]);
}

#[test]
fn a_tournament_goes_on_after_every_cut() {
    let (whole, cut) = (fresh("whole.jsonl"), fresh("cut.jsonl"));
    let undisturbed = run(&three("6", &whole, &[]));
    let complete = bytes(&whole);
    let ends: Vec<usize> = (0..complete.len()).filter(|at| complete[*at] == b'\n').collect();
    assert_eq!(ends.len(), 19);
    // After the header, in the middle of a pair, of an opening and of a line.
    let lengths = [0, 1, ends[0], ends[0] + 1, ends[1] + 1, ends[4] + 9, ends[8] + 1, ends[17], complete.len()];
    for length in lengths {
        fs::write(&cut, &complete[..length]).expect("it can be written");
        let ran = run(&three("6", &cut, &["--jobs", "2"]));
        assert_eq!((ran.status, &ran.out), (Some(0), &undisturbed.out), "{length}: {}", ran.err);
        assert!(bytes(&cut) == complete, "after {length} bytes");
    }
    // A greater number of games continues a complete tournament.
    let longer = fresh("longer.jsonl");
    assert_eq!(run(&three("8", &cut, &[])).out, run(&three("8", &longer, &[])).out);
    assert!(bytes(&cut) == bytes(&longer));
    refused(&three("6", &cut, &[]), &["A0620", "already holds 24 games", "--games 8 or more"]);
}

/// Starts a tournament and sends it a signal after some milliseconds. It may be over before.
#[cfg(unix)]
fn ended_by(signal: &str, args: &[&str], after: u64) {
    let mut command = command(&[&["tournament"], args].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts");
    std::thread::park_timeout(std::time::Duration::from_millis(after));
    Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().expect("kill is there");
    child.wait().expect("it ends");
}

#[cfg(unix)]
#[test]
fn a_killed_tournament_goes_on() {
    let (whole, cut) = (fresh("undisturbed.jsonl"), fresh("killed.jsonl"));
    let args = |record| {
        let sides = ["--side", "a=--depth 3", "--side", "b=--nodes 100", "--side", "c=--depth 1"];
        [&["games/connect_four.pl"][..], &sides, &["--games", "24", "--seed", "7", "--games", record]].concat()
    };
    let undisturbed = run(&args(&whole));
    for (after, signal) in [(30, "KILL"), (80, "INT"), (120, "KILL"), (180, "KILL"), (250, "INT")] {
        ended_by(signal, &args(&cut), after);
    }
    let resumed = run(&args(&cut));
    assert_eq!((resumed.status, resumed.out), (Some(0), undisturbed.out));
    assert!(bytes(&cut) == bytes(&whole));
}

#[test]
fn sides_come_from_options_and_from_a_file() {
    let list = file("sides.txt", "# my sides\nlow=--depth 1\n\n% another one\n--depth 2\nagain = --depth 2\n");
    let found = json(&["games/nim.pl", "--side", "first=", "--sides", &list, "--games", "2"]);
    let mut names: Vec<&str> = sides(&found).iter().filter_map(|side| side["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["--depth 2", "again", "first", "low"]);
    let order: Vec<String> =
        found["pairings"].as_array().into_iter().flatten().map(|pair| format!("{}", pair["a"])).collect();
    assert_eq!(order[0], "\"first\"", "{found}");
    // Sides with the same settings play the same moves, and the result says so.
    let told = run(&["games/nim.pl", "--sides", &list, "--games", "2"]).out;
    assert!(told.contains("--depth 2 and again played the same moves in every pair"), "{told}");
    let wrong = file("wrong.txt", "low=--depth 1\n\nhigh=--dept 2\n");
    refused(&["games/nim.pl", "--sides", &wrong], &["A0620", "wrong.txt:3", "--dept", "--depth"]);
    refused(&["games/nim.pl", "--sides", "nowhere.txt"], &["A0620", "nowhere.txt"]);
}

/// The likelihood has no maximum then, and a drawn game is added.
#[test]
fn a_side_that_wins_all_games_has_a_finite_rating() {
    let blind = file("blind.pl", "static_eval(_, 0).\nprefer(_, _, 0).\n");
    let weak = format!("blind=--depth 1 --with {blind}");
    let args = ["games/connect_four.pl", "--side", "good=--depth 2", "--side", &weak, "--games", "10"];
    let found = json(&args);
    assert_eq!((&found["virtual_draws"], &sides(&found)[0]["score"]), (&true.into(), &1.into()), "{found}");
    let rating = sides(&found)[0]["rating"].as_f64().expect("it is finite");
    let error = sides(&found)[0]["error"].as_f64().expect("it is finite");
    assert!((100.0..1500.0).contains(&rating) && error > 100.0, "{found}");
    let told = run(&args).out;
    assert!(
        told.contains("good won all games, blind lost all games") && told.contains("one drawn game is added"),
        "{told}"
    );
}

#[test]
fn the_plots_are_a_picture() {
    let (record, svg) = (fresh("plot.jsonl"), fresh("plot.svg"));
    let played = run(&three("4", &record, &["--svg", &svg]));
    assert_eq!(played.status, Some(0), "{}", played.err);
    let text = fs::read_to_string(&svg).expect("it is there");
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{text}");
    for word in ["ratings after 12 games", "\ndeep\n", "\nlow\n", "score over games", "the mean is 0"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let again = fresh("again.svg");
    assert_eq!(run(&["--report", &record, "--svg", &again]).status, Some(0));
    assert!(fs::read_to_string(&again).is_ok_and(|text| text.contains("ratings after 12 games")));
    refused(&three("4", &fresh("other.jsonl"), &["--svg", "games/tictactoe.pl"]), &["A0623", "rules in use"]);
    refused(&three("4", &fresh("other.jsonl"), &["--svg", &record]), &["A0623"]);
}

#[test]
fn lines_of_json_have_the_standings() {
    let args = ["games/nim.pl", "--side", "a=--depth 1", "--side", "b=", "--side", "c=--depth 2", "--games", "2"];
    let ran = run(&[&args[..], &["--json-lines"]].concat());
    let games: Vec<Value> = ran.err.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(games.len(), 6);
    for (number, game) in games.iter().enumerate() {
        let names = [["a", "b"], ["a", "c"], ["b", "c"]][number / 2];
        assert_eq!((&game["game"], &game["sides"]), (&(number + 1).into(), &Value::from(names.to_vec())), "{game}");
        assert_eq!(game["standings"].is_array(), number % 2 == 1, "{game}");
    }
    let last = games[5]["standings"].as_array().expect("the last pair is finished");
    assert!(last.iter().all(|side| side["games"] == 4), "{last:?}");
    assert_eq!(last.iter().filter_map(|side| side["points"].as_f64()).sum::<f64>(), 6.0);
}

#[test]
fn an_engine_is_a_side() {
    let program = env!("CARGO_BIN_EXE_alphorn");
    let engine = format!("other=--nodes 50 engine:{program} ugi games/nim.pl");
    let record = fresh("engine.jsonl");
    let all = ["games/nim.pl", "--side", "own=--depth 2", "--side", "low=--depth 1", "--side", &engine];
    let args = [&all[..], &["--games", "2", "--games", &record]].concat();
    let found = json(&args);
    assert_eq!(sides(&found).len(), 3);
    let complete = bytes(&record);
    let fourth = complete.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(3).expect("there are lines").0;
    fs::write(&record, &complete[..=fourth]).expect("it can be written");
    assert_eq!(json(&args), found);
    assert!(bytes(&record) == complete);
    if cfg!(unix) {
        let fake = "bad=--time 0.05 engine:sh tests/data/json/engine.sh resigns";
        let told = run(&["games/nim.pl", "--side", "own=--depth 2", "--side", fake, "--games", "2"]);
        assert!(told.err.contains("game 1: bad loses: the engine gave no move"), "{}", told.err);
    }
}

#[test]
fn wrong_input_is_told() {
    let nim = |more: &[&'static str]| [&["games/nim.pl"], more].concat();
    for (args, words) in [
        (&[][..], &["A0620", "a tournament needs sides", "--side 'deep=--depth 4'"][..]),
        (&["--side", "a="], &["A0620", "at least two sides", "only a"]),
        (&["--side", "a=", "--side", "a=--depth 2"], &["A0620", "two sides have the name a", "--side 'a2=--depth 2'"]),
        (&["--side", "--depth 1", "--side", "--depth 1"], &["two sides have the name --depth 1", "again="]),
        (&["--side", "a=--dept 1", "--side", "b="], &["'a=--dept 1'", "a side has no option --dept", "--depth"]),
        (&["--side", "my a=", "--side", "b="], &["\"my a\" is no name of a side"]),
        (&["--side", "a=", "--side", "b=", "--games", "7"], &["write 6 or 8"]),
        (&["--side", "a=", "--side", "b=", "--games", "2", "--games", "4"], &["given twice with a number"]),
        (&["--side", "a=", "--side", "b=", "--games", "x.jsonl", "--games", "y.jsonl"], &["given twice with a file"]),
        (&["--side", "a=", "--side", "b=", "--anchor", "c"], &["no side has the name c", "a, b"]),
        (&["--side", "a=", "--side", "b=", "--side", "c=", "--games", "1000000"], &["3000000 games", "--games 333332"]),
        (&["--side", "a=engine:/nowhere/x", "--side", "b="], &["A0620", "a: the engine /nowhere/x does not start"]),
        (&["--side", "a=", "--side", "b=", "--openings", "book"], &["book.txt"]),
        (&["--side", "a=", "--side", "b=", "--games", "games/nim.pl"], &["A0623", "rules in use"]),
    ] {
        refused(&nim(args), words);
    }
    let wide = ["games/hexapawn.pl", "--side", "wide=--depth 2 -p width=4", "--side", "b=--depth 1"];
    let words = ["A0640", "by the rules of wide", "of the tournament", "alphorn tournament FILE -p NAME=VALUE"];
    refused(&[&wide[..], &["--games", "2", "--opening-plies", "1"]].concat(), &words);
    refused(&["--report", "nowhere.jsonl"], &["A0645", "nowhere.jsonl"]);
}

#[test]
fn other_records_are_told_and_kept() {
    let (record, of_match) = (fresh("good.jsonl"), fresh("match.jsonl"));
    let nim = ["games/nim.pl", "--side", "a=--depth 1", "--side", "b=--depth 2", "--games", "2", "--games", &record];
    json(&nim);
    let good = fs::read_to_string(&record).expect("it is there");
    let with = |from: &str, to: &str| nim.map(|word| if word == from { to.to_string() } else { word.to_string() });
    for (from, to, more, words) in [
        ("b=--depth 2", "b=--depth 3", &[][..], "side 2: \"b=--depth 2\" in the file, \"b=--depth 3\" in this command"),
        ("b=--depth 2", "b=--depth 2", &["--side", "c="], "2 sides in the file, 3 sides in this command"),
        ("b=--depth 2", "b=--depth 2", &["--seed", "2"], "--seed: 1 in the file, 2 in this command"),
        ("b=--depth 2", "b=--depth 2", &["--gauntlet"], "--gauntlet: false in the file, true in this command"),
    ] {
        let args = with(from, to);
        let args: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
        refused(&args, &["A0645", "other settings", words]);
    }
    ran::run(&["match", "games/nim.pl", "--games", "2", "--games", &of_match]);
    refused(&["--report", &of_match], &["A0645", "it is the record of a match, not of a tournament"]);
    let told = words(&ran::run(&["match", "--report", &record]).err);
    assert!(told.contains("it is the record of a tournament, not of a match"), "{told}");
    // A file can hold anything: no sides, one name twice, and sides that do not play this game.
    for (name, text, words) in [
        ("none.jsonl", good.replacen("\"sides\":[{", "\"sides\":[],\"x\":[{", 1), "it is no record of a tournament"),
        ("twice.jsonl", good.replacen("\"name\":\"b\"", "\"name\":\"a\"", 1), "it is no record of a tournament"),
        ("other.jsonl", good.replacen("[\"a\",\"b\"]", "[\"b\",\"a\"]", 1), "`sides` is wrong"),
        ("zero.jsonl", good.replacen("\"game\":1,", "\"game\":0,", 1), "game 0 comes after game 0"),
    ] {
        assert_ne!(text, good, "{name}");
        let path = file(name, &text);
        refused(&["--report", &path], &["A0645", words]);
        assert_eq!(fs::read_to_string(&path).ok(), Some(text), "{name}");
    }
    // A record without a game has no result.
    let header = good.lines().next().map(|line| format!("{line}\n")).expect("there is a header");
    assert_eq!(run(&["--report", &file("header.jsonl", &header)]).out, "no pair of games was finished\n");
    assert_eq!(fs::read_to_string(&record).ok(), Some(good), "refused commands change nothing");
}

#[test]
fn the_protocol_plays_tournaments() {
    let requests = "{\"id\":1,\"request\":\"tournament\",\"side\":[\"a=--depth 1\",{\"name\":\"b\",\"settings\":{\"depth\":2}},\
                    {\"settings\":\"--depth 3\"}],\"games\":2,\"anchor\":\"a\"}\n\
                    {\"id\":2,\"request\":\"tournament\",\"side\":[{\"nam\":\"a\"}]}\n\
                    {\"id\":3,\"request\":\"tournament\",\"side\":[\"a=\"]}\n";
    let path = file("requests.jsonl", requests);
    let mut command = command(&["repl", "--json", "games/nim.pl"]);
    let input = fs::File::open(&path).expect("it was written");
    let output = command.stdin(Stdio::from(input)).output().expect("the binary starts");
    let text = String::from_utf8(output.stdout).expect("alphorn writes UTF-8");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let of = |id: u64| lines.iter().filter(move |line| line["id"] == id).collect::<Vec<_>>();
    let first = of(1);
    assert_eq!(first.iter().filter(|line| line["event"] == "game").count(), 6, "{text}");
    let reply = first.last().expect("there is a reply");
    assert_eq!((&reply["reply"], &reply["anchor"]), (&"tournament".into(), &"a".into()), "{reply}");
    assert!(sides(reply).iter().any(|side| side["name"] == "--depth 3"), "{reply}");
    let told = |id| of(id).last().map(|line| line["error"]["message"].to_string()).unwrap_or_default();
    assert!(told(2).contains("nam"), "{}", told(2));
    assert!(told(3).contains("at least two sides"), "{}", told(3));
}
