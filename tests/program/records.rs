//! Tests of the record of a match: it continues an interrupted match, is the same in any case, and is read
//! again. They also test sequential tests, openings and known values.
//!
//! The tests run the command `alphorn match`. All limits are depths or numbers of positions.

use crate::ran::{self, Ran};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

fn command(args: &[&str]) -> Command {
    ran::command(&[&["match"], args].concat())
}

fn run(args: &[&str]) -> Ran {
    ran::run(&[&["match"], args].concat())
}

fn json(args: &[&str]) -> Value {
    ran::json(&[&["match"], args].concat())
}

/// The path of a file of one test, which does not exist yet.
fn fresh(name: &str) -> String {
    let path = format!("{}/record_{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&path);
    path
}

/// Writes a file for one test and returns its path.
fn file(name: &str, text: &str) -> String {
    let path = fresh(name);
    fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn bytes(path: &str) -> Vec<u8> {
    fs::read(path).expect("the record is there")
}

/// Asserts that a match ends in an error with these words.
fn refused(args: &[&str], words: &[&str]) {
    let ran = run(args);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{args:?}");
    // A long message continues after a bar.
    let told = ran.err.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ");
    words.iter().for_each(|word| assert!(told.contains(word), "{args:?} should speak of {word}: {told}"));
}

/// A match that is short, with its record.
fn short<'a>(record: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let args = ["games/tictactoe.pl", "--a", "--depth 2", "--b", "--nodes 30", "--games", "12", "--games", record];
    [&args[..], more].concat()
}

#[test]
fn a_record_does_not_depend_on_the_number_of_jobs() {
    let (one, many) = (fresh("jobs1.jsonl"), fresh("jobs5.jsonl"));
    let alone = run(&short(&one, &["--jobs", "1"]));
    assert_eq!((alone.status, alone.err.as_str()), (Some(0), ""));
    assert_eq!(alone.out, run(&short(&many, &["--jobs", "5"])).out);
    assert_eq!(bytes(&one), bytes(&many));
    assert_eq!(alone.out, run(&["--report", &one]).out, "the report has the same statistics");
    let (played, mut report) = (json(&short(&one, &[])), json(&["--report", &one]));
    assert_eq!((&played["ended"], &report["ended"]), (&"games".into(), &"record".into()));
    report["ended"] = "games".into();
    assert_eq!(played, report);
}

#[test]
fn a_line_has_what_was_played() {
    let path = fresh("lines.jsonl");
    json(&short(&path, &["--times"]));
    let text = fs::read_to_string(&path).expect("it is there");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((lines.len(), &lines[0]["record"], &lines[0]["a"]), (13, &"match".into(), &"--depth 2".into()));
    assert_eq!((&lines[0]["seed"], &lines[0]["times"]), (&1.into(), &true.into()));
    for (number, game) in lines[1..].iter().enumerate() {
        let length = |key: &str| game[key].as_array().map(Vec::len);
        assert_eq!((&game["game"], &game["pair"]), (&(number + 1).into(), &(number / 2 + 1).into()));
        assert!(length("moves") > Some(0), "{game}");
        for key in ["values", "nodes", "times"] {
            assert_eq!(length(key), length("moves"), "{key}");
        }
        let searched: u64 = game["nodes"].as_array().into_iter().flatten().filter_map(Value::as_u64).sum();
        assert_eq!(Some(searched), game["a"]["nodes"].as_u64().zip(game["b"]["nodes"].as_u64()).map(|(a, b)| a + b));
    }
}

/// In a game with chance, chance moves have no search.
#[test]
fn chance_moves_have_no_value() {
    let path = fresh("chance.jsonl");
    let args = ["games/pig.pl", "-p", "target=10", "--a", "--depth 2", "--b", "--depth 1", "--games", "4"];
    json(&[&args[..], &["--games", &path]].concat());
    let text = fs::read_to_string(&path).expect("it is there");
    let game: Value = serde_json::from_str(text.lines().nth(1).expect("there is a game")).expect("an object");
    let rows = |key: &str| game[key].as_array().cloned().unwrap_or_default();
    assert_eq!(rows("moves").len(), rows("nodes").len());
    assert!(rows("nodes").contains(&Value::Null) && rows("nodes").iter().any(Value::is_u64), "{game}");
}

#[test]
fn a_match_goes_on_after_every_cut() {
    let (whole, cut) = (fresh("whole.jsonl"), fresh("cut.jsonl"));
    let undisturbed = run(&short(&whole, &[]));
    let complete = bytes(&whole);
    let header = complete.iter().position(|byte| *byte == b'\n').expect("there is a header");
    let lengths = [0, 1, header, header + 1, header + 2, complete.len() / 2, complete.len() - 1, complete.len()];
    for length in lengths {
        fs::write(&cut, &complete[..length]).expect("it can be written");
        let ran = run(&short(&cut, &["--jobs", "2"]));
        assert_eq!((ran.status, &ran.out), (Some(0), &undisturbed.out), "{length}: {}", ran.err);
        assert!(bytes(&cut) == complete, "after {length} bytes");
    }
    // A greater number of games continues a complete match.
    let longer = fresh("longer.jsonl");
    let more = |record: &str| {
        short(record, &[])
            .into_iter()
            .map(|word| if word == "12" { "16" } else { word })
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(run_all(&more(&cut)).out, run_all(&more(&longer)).out);
    assert!(bytes(&cut) == bytes(&longer));
    refused(&short(&cut, &[]), &["A0620", "already holds 16 games", "--games 16"]);
    refused(&short(&cut, &["--games", "16"]), &["A0620", "given twice"]);
}

/// Each game with an engine depends on its number alone, too, if the engine limits positions and not time.
#[test]
fn a_match_with_an_engine_goes_on_after_a_cut() {
    let (whole, cut) = (fresh("engine_whole.jsonl"), fresh("engine_cut.jsonl"));
    let engine = format!("--nodes 40 engine:{} ugi games/nim.pl", env!("CARGO_BIN_EXE_alphorn"));
    let args = |record| {
        ["games/nim.pl", "--a", "--depth 1", "--b", &engine, "--games", "6", "--games", record].map(str::to_string)
    };
    let undisturbed = run_all(&args(&whole));
    let complete = bytes(&whole);
    let ends: Vec<usize> = (0..complete.len()).filter(|at| complete[*at] == b'\n').collect();
    assert_eq!((undisturbed.status, ends.len()), (Some(0), 7), "{}", undisturbed.err);
    for length in [ends[0] + 1, ends[1] + 20, ends[3] + 1] {
        fs::write(&cut, &complete[..length]).expect("it can be written");
        assert_eq!(run_all(&args(&cut)).out, undisturbed.out, "{length}");
        assert!(bytes(&cut) == complete, "after {length} bytes");
    }
}

fn run_all(args: &[String]) -> Ran {
    run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Starts a match and sends it a signal after some milliseconds. The match may be over before.
#[cfg(unix)]
fn ended_by(signal: &str, args: &[&str], after: u64) {
    let mut child = command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts");
    std::thread::park_timeout(std::time::Duration::from_millis(after));
    Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().expect("kill is there");
    child.wait().expect("it ends");
}

#[cfg(unix)]
#[test]
fn a_killed_match_goes_on() {
    let (whole, cut) = (fresh("undisturbed.jsonl"), fresh("killed.jsonl"));
    let args = |record| {
        let settings = ["--a", "--depth 3", "--b", "--nodes 200", "--seed", "7", "--sprt", "elo0=0,elo1=60"];
        [&["games/connect_four.pl"][..], &settings, &["--games", "60", "--games", record]].concat()
    };
    let undisturbed = run(&args(&whole));
    for (after, signal) in [(30, "KILL"), (80, "INT"), (150, "KILL"), (260, "KILL"), (400, "INT")] {
        ended_by(signal, &args(&cut), after);
    }
    let resumed = run(&args(&cut));
    assert_eq!((resumed.status, resumed.out), (Some(0), undisturbed.out));
    assert!(bytes(&cut) == bytes(&whole));
}

/// Once Ctrl-C at a terminal also ended the engines, and the record held games that they lost by this.
#[cfg(unix)]
#[test]
fn an_interrupt_forfeits_no_game() {
    use std::os::unix::process::CommandExt;
    let record = fresh("engine_interrupted.jsonl");
    let engine = "--time 9 engine:sh tests/data/json/engine.sh hangs";
    let args = ["games/nim.pl", "--a", engine, "--b", engine, "--games", "4", "--games", &record];
    let mut child = command(&args).process_group(0).stdout(Stdio::null()).spawn().expect("the binary starts");
    let begun = std::time::Instant::now();
    while bytes_if_any(&record) == 0 && begun.elapsed().as_secs() < 60 {
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
    std::thread::park_timeout(std::time::Duration::from_millis(200));
    // The signal goes to the whole process group, as from a terminal.
    Command::new("sh").args(["-c", &format!("kill -INT -{}", child.id())]).status().expect("kill is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let text = String::from_utf8(bytes(&record)).expect("alphorn writes UTF-8");
    assert_eq!(text.lines().count(), 1, "{text}");
}

/// The number of bytes of a file; 0 if there is none.
#[cfg(unix)]
fn bytes_if_any(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

#[test]
fn other_settings_are_told() {
    let path = fresh("settings.jsonl");
    let rules = file("rules.pl", &fs::read_to_string("games/nim.pl").expect("it is shipped"));
    let args = |more: &[&'static str]| {
        let args = [rules.clone(), "--b".into(), "--depth 1".into(), "--games".into(), "2".into()];
        let all: Vec<String> = args.into_iter().chain(["--games".to_string(), path.clone()]).collect();
        all.into_iter().chain(more.iter().map(|word| (*word).to_string())).collect::<Vec<String>>()
    };
    let told = |more: &[&'static str], words: &[&str]| {
        let args = args(more);
        refused(&args.iter().map(String::as_str).collect::<Vec<_>>(), words);
    };
    let first = args(&[]);
    json(&first.iter().map(String::as_str).collect::<Vec<_>>());
    let before = bytes(&path);
    told(&["--seed", "2"], &["A0645", "other settings", "--seed: 1 in the file, 2 in this command"]);
    told(&["--a", "--depth 3", "--max-plies", "9"], &["--a: \"\" in the file", "--max-plies: 1000 in the file"]);
    told(&["--sprt", "elo0=0,elo1=5"], &["--sprt: null in the file, \"elo0=0,elo1=5"]);
    told(&["--opening", "2"], &["--opening: null in the file, 2"]);
    fs::write(&rules, format!("{}\n% changed\n", fs::read_to_string(&rules).expect("it is there"))).expect("written");
    told(&[], &["the rules of the match", "have changed"]);
    assert!(bytes(&path) == before, "a refused command changes nothing");
}

/// A line without the numbers that are named `x`.
fn without_x(line: &str) -> String {
    let mut parts = line.split(",\"x\":");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.trim_start_matches(|c: char| c.is_ascii_digit())) + "\n"
}

#[test]
fn other_files_are_told_and_kept() {
    let nim = ["games/nim.pl", "--b", "--depth 1", "--games", "4", "--games"];
    let record = fresh("good.jsonl");
    json(&[&nim[..], &[record.as_str()]].concat());
    let good = fs::read_to_string(&record).expect("it is there");
    let mut lines: Vec<&str> = good.lines().collect();
    lines.swap(2, 3);
    for (name, text, words) in [
        ("text.txt", "my diary\n".to_string(), "it is no record of a match"),
        ("cut.txt", "my diary".to_string(), "it is no record of a match"),
        ("other.json", "{\"schema\":2}\n".to_string(), "it is no record of a match"),
        ("version.json", good.replace("\"schema\":2", "\"schema\":1"), "it is no record of a match"),
        ("swapped.jsonl", lines.join("\n") + "\n", "line 3 is not the next game: game 3 comes after game 1"),
        ("broken.jsonl", good.replacen("\"points\"", "\"pints\"", 1), "line 2 is not the next game"),
        ("key.jsonl", good.replacen("\"key\":\"", "\"key\":\"x", 1), "`key` is wrong"),
        ("points.jsonl", good.replacen("\"points\":", "\"points\":7", 1), "`points` is wrong"),
    ] {
        let path = file(name, &text);
        refused(&[&nim[..], &[path.as_str()]].concat(), &["A0645", words]);
        if name != "cut.txt" {
            refused(&["--report", &path], &["A0645", words]);
        }
        assert_eq!(fs::read_to_string(&path).ok(), Some(text), "{name}");
    }
    // A record can hold any numbers.
    let most = format!("\"depths\":{},\"x\":", u64::MAX);
    let many = good.replace("\"depths\":", &most).lines().map(without_x).collect::<String>();
    assert_eq!(run(&["--report", &file("many.jsonl", &many)]).status, Some(0));
    refused(&["--report", "nowhere.jsonl"], &["A0645", "nowhere.jsonl"]);
    refused(&["--report", "games"], &["A0645", "not a regular file"]);
    refused(&[&nim[..], &["games/nim.pl"]].concat(), &["A0623", "rules in use"]);
    refused(&[&nim[..], &["no/such/folder.jsonl"]].concat(), &["no/such"]);
    refused(&["games/nim.pl", "--games", "many"], &["games.jsonl"]);
    refused(&[], &["FILE"]);
}

#[test]
fn a_sequential_test_ends_the_match() {
    let blind = file("blind.pl", "static_eval(_, 0).\nprefer(_, _, 0).\n");
    let b = format!("--depth 2 --with {blind}");
    let stronger = ["games/connect_four.pl", "--a", "--depth 2", "--b", &b, "--sprt", "elo0=0,elo1=100"];
    let found = json(&stronger);
    assert_eq!((&found["sprt"]["accepted"], &found["ended"]), (&"h1".into(), &"sprt".into()), "{found}");
    assert!(found["sprt"]["llr"].as_f64() >= found["sprt"]["upper"].as_f64(), "{found}");
    assert!(found["games"].as_u64() < Some(100), "{found}");
    assert_eq!(json(&[&stronger[..], &["--jobs", "5"]].concat()), found, "the number of jobs changes nothing");
    let equals = ["games/connect_four.pl", "--a", "--depth 1", "--b", "--depth 1", "--sprt", "elo0=0,elo1=100"];
    let found = json(&equals);
    assert_eq!((&found["sprt"]["accepted"], &found["score"]), (&"h0".into(), &0.5.into()), "{found}");
    let told = run(&equals).out;
    assert!(told.contains("H0 accepted after") && told.contains("0 Elo or less, not 100 or more"), "{told}");
    assert!(told.contains("the same moves in every pair"), "{told}");
    let few = run(&[&equals[..], &["--games", "4"]].concat()).out;
    assert!(few.contains("not decided after 2 pairs") && few.contains("play more games: --games N"), "{few}");
    // A decided match is over, also when the command is typed again.
    let path = fresh("decided.jsonl");
    let recorded = run(&[&equals[..], &["--games", &path]].concat());
    let before = bytes(&path);
    let again = run(&[&equals[..], &["--games", &path]].concat());
    assert_eq!((again.out, again.err.as_str()), (recorded.out, ""));
    assert!(before == bytes(&path));
}

#[test]
fn wrong_options_are_told() {
    for (args, words) in [
        (&["--sprt", "elo0=10,elo1=0"][..], &["--sprt <TEST>", "write elo0=0,elo1=10"][..]),
        (&["--sprt", "elo0=1,elo1=1"], &["both 1"]),
        (&["--sprt", "elo0=0,elo1=5,alpha=0.7"], &["alpha=0.7", "write alpha=0.05"]),
        (&["--balance", "50"], &["write value=50,depth=4"]),
        (&["--balance", "value=0,depth=5", "--opening-plies", "1"], &["A0640", "--balance"]),
        (&["--openings", "initial", "--opening-plies", "3"], &["A0620", "--opening-plies has no effect"]),
        (&["--openings", "book"], &["book.txt"]),
        (&["--openings", "nowhere.txt"], &["A0620", "nowhere.txt"]),
        (&["--adjudicate", "nowhere.db"], &["A0632", "nowhere.db"]),
    ] {
        refused(&[&["games/bratko.pl", "--games", "2"], args].concat(), words);
    }
    refused(&["games/pig.pl", "--adjudicate", "x.db"], &["A0620", "averages"]);
}

/// The positions in which the players began, in their order.
fn openings(args: &[&str]) -> Vec<String> {
    let ran = run(&[args, &["--json-lines"]].concat());
    assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.err);
    let games = ran.err.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object"));
    games.map(|game| format!("{} {}", game["position"], game["opening"])).collect()
}

#[test]
fn every_opening_is_played_once() {
    let ttt = ["games/tictactoe.pl", "--a", "--depth 1", "--b", "--depth 1"];
    // There are nine first moves.
    let args = [&ttt[..], &["--opening-plies", "1", "--games", "40"]].concat();
    let found = json(&args);
    assert_eq!((&found["games"], &found["openings"], &found["ended"]), (&18.into(), &9.into(), &"openings".into()));
    assert!(run(&args).out.contains("no more different openings"));
    let all = openings(&args);
    assert_eq!((all.len(), all.iter().collect::<BTreeSet<_>>().len()), (18, 9), "{all:?}");

    let nim = openings(&["games/nim.pl", "--openings", "initial", "--a", "--depth 1", "--b", "--depth 1"]);
    let answers = json_moves("games/nim.pl");
    assert_eq!(nim.len(), 2 * answers, "{nim:?}");
}

/// The number of answers of `initial/1`.
fn json_moves(game: &str) -> usize {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["query", game, "initial(P)", "--json"]);
    let output = command.output().expect("the binary starts");
    let found: Value = serde_json::from_slice(&output.stdout).expect("one object");
    found["answers"].as_array().map_or(0, Vec::len)
}

#[test]
fn openings_come_from_a_file() {
    let book = file(
        "book.txt",
        "# positions and moves\n\ntake(1,1) take(2,2)\npos(min,[1,2,2])\nmoves: take(3,3)\nposition: pos(max,[0,2,3])\n\
         take(1,1) take(2,2)\n",
    );
    let args = ["games/nim.pl", "--opening", "3", "--a", "--depth 1", "--b", "--depth 1", "--openings", &book];
    let all = openings(&args);
    assert_eq!(all.len(), 8, "the last line repeats the first: {all:?}");
    assert!(all[0].contains("take(1,1)") && all[2].contains("pos(min,[1,2,2])"), "{all:?}");
    assert!(all[4].contains("take(3,3)") && all[6].contains("pos(max,[0,2,3])"), "{all:?}");
    let found = json(&[&args[..], &["--games", "4"]].concat());
    assert_eq!((&found["games"], &found["ended"], &found["opening_plies"]), (&4.into(), &"games".into(), &Value::Null));
    for (text, words) in [
        ("take(1,1)\ntake(1,99)\n", &["A0615", "txt:2", "neither a list of moves nor a position"][..]),
        ("take(1,1) take(7,7)\n", &["A0615", "txt:1", "move 2, take(7,7), is not legal"]),
        ("pos(max,[0,0,0])\n", &["A0640", "txt:1", "the game is over"]),
        ("# nothing\n", &["A0640", "has no opening"]),
        ("position: pos(max,X)\n", &["A0615", "txt:1", "variables"]),
    ] {
        let book = file("wrong_book.txt", text);
        refused(&["games/nim.pl", "--openings", &book], words);
    }
}

#[test]
fn balanced_openings_have_small_values() {
    let args =
        ["games/connect_four.pl", "--a", "--depth 1", "--b", "--depth 1", "--games", "12", "--opening-plies", "6"];
    let (all, balanced) = (openings(&args), openings(&[&args[..], &["--balance", "value=3,depth=2"]].concat()));
    assert_eq!((all.len(), balanced.len()), (12, 12));
    assert_ne!(all, balanced);
    refused(
        &["games/nim.pl", "--balance", "value=1,depth=30", "--games", "2"],
        &["A0640", "none of 1000 random openings"],
    );
}

#[test]
fn known_values_end_games() {
    let values = fresh("values.db");
    let solved = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["solve", "games/hexapawn.pl", "--save", &values])
        .output()
        .expect("the binary starts");
    assert!(solved.status.success(), "{}", String::from_utf8_lossy(&solved.stderr));
    let args = ["games/hexapawn.pl", "--a", "--depth 1", "--b", "--depth 1", "--opening-plies", "1", "--games", "4"];
    let found = json(&[&args[..], &["--adjudicate", &values]].concat());
    assert_eq!((&found["adjudicated"], &found["plies"]), (&4.into(), &1.into()), "{found}");
    assert_eq!(found["draws"], 0, "nobody draws hexapawn");
    let told = run(&[&args[..], &["--adjudicate", &values]].concat()).out;
    assert!(told.contains("4 ended by known values"), "{told}");
    refused(&["games/hexapawn.pl", "-p", "width=4", "--adjudicate", &values], &["A0632", "another game"]);
}
