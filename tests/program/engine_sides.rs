//! Tests of external engines as sides of matches and tournaments. The engines are shell scripts and Alphorn itself.

use crate::engines::{engine, file};
use std::fs;
use std::process::Stdio;

/// Plays a match of Nim and returns what is written to standard error.
fn match_of(a: &str, b: &str, more: &[&str]) -> String {
    let args = ["match", "games/nim.pl", "--a", a, "--b", b, "--threads", "2", "--games"];
    let ended = engine(&args).args(more).stdin(Stdio::null()).output().expect("the binary starts");
    let told = String::from_utf8(ended.stderr).expect("alphorn writes UTF-8");
    assert_eq!(ended.status.code(), Some(0), "{told}");
    told
}

fn games_of(a: &str, b: &str, games: &str) -> Vec<serde_json::Value> {
    let told = match_of(a, b, &[games, "--json-lines"]);
    told.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[cfg(unix)]
#[test]
fn an_engine_that_gives_no_legal_move_loses_its_games() {
    let fake = "tests/data/json/engine.sh";
    for (what, reason) in [
        ("dies", "the engine ended with exit status: 3"),
        ("illegal", "the engine played take:all, which is not legal"),
        ("resigns", "the engine gave no move"),
        ("hangs", "the engine did not answer in time"),
    ] {
        let games = games_of("--depth 1", &format!("--time 0.05 engine:sh {fake} {what}"), "2");
        assert_eq!(games.len(), 2);
        for game in games {
            assert_eq!((game["end"].as_str(), game["points"].as_f64()), (Some("forfeit"), Some(1.0)), "{game}");
            assert_eq!(game["forfeit"], reason);
        }
    }
    let told = match_of(&format!("engine:sh {fake} resigns"), "--depth 1", &["2"]);
    for number in [1, 2] {
        assert!(told.contains(&format!("game {number}: A loses: the engine gave no move")), "{told}");
    }
}

/// Once a side that forfeited all games lost them as if it had played badly, and every game had a note.
#[cfg(unix)]
#[test]
fn forfeited_games_are_counted_and_have_few_notes() {
    let broken = "engine:sh tests/data/json/engine.sh illegal";
    let run = |args: &[&str]| {
        let ended = engine(args).output().expect("the binary starts");
        let text = |bytes| String::from_utf8(bytes).expect("alphorn writes UTF-8");
        (text(ended.stdout), text(ended.stderr))
    };
    let record = file("forfeits.jsonl", "");
    fs::remove_file(&record).expect("it was made");
    let args = ["match", "games/nim.pl", "--a", "--depth 1", "--b", broken, "--games", "8", "--games", &record];
    let (out, notes) = run(&args);
    let line = "note      8 games forfeited by B: no legal move, or out of time\n";
    assert!(out.ends_with(line) && !out.contains("forfeited by A"), "{out}");
    assert_eq!(notes.matches("B loses: ").count(), 3, "{notes}");
    assert!(notes.ends_with("note: B forfeited 5 more games\n"), "{notes}");
    assert_eq!(run(&["match", "--report", &record]).0, out);
    let (json, _) = run(&["match", "--report", &record, "--json"]);
    let found: serde_json::Value = serde_json::from_str(&json).expect("one object");
    assert_eq!((&found["a"]["forfeits"], &found["b"]["forfeits"]), (&0.into(), &8.into()), "{found}");

    let record = file("forfeits_tournament.jsonl", "");
    fs::remove_file(&record).expect("it was made");
    let broken = format!("broken={broken}");
    let sides = ["--side", &broken, "--side", "one=--depth 1", "--side", "late=--depth 1 --clock 0.000001"];
    let args = [&["tournament", "games/nim.pl", "--games", "4", "--games", &record], &sides[..]].concat();
    let (out, notes) = run(&args);
    assert!(notes.matches(" loses: ").count() <= 6, "{notes}");
    assert!(notes.contains("note: broken forfeited ") && notes.contains(" more games\n"), "{notes}");
    assert!(out.contains(" games forfeited by broken: ") && out.contains(" forfeited by late: "), "{out}");
    assert_eq!(run(&["tournament", "--report", &record]).0, out);
    let (json, _) = run(&["tournament", "--report", &record, "--json"]);
    let found: serde_json::Value = serde_json::from_str(&json).expect("one object");
    let forfeits = |name: &str| {
        let side = found["sides"].as_array().expect("a list").iter().find(|side| side["name"] == name);
        side.expect("it has this side")["forfeits"].as_u64().expect("a number")
    };
    // Each game between the two broken sides is forfeited by one of them.
    assert_eq!((forfeits("one"), forfeits("broken") + forfeits("late")), (0, 12), "{found}");
    let header = fs::read_to_string(&record).expect("it is there");
    assert!(header.lines().next().is_some_and(|line| line.contains("\"times\":true")), "a clock depends on time");
}

#[test]
fn a_wrong_parameter_names_its_side() {
    for (args, said) in [
        (&["match", "--a", "-p misere=maybe"][..], "A: misere is one of no, yes, not maybe"),
        (&["match", "--a", "--depth 1", "--b", "-p mann=0"], "B: there is no parameter mann"),
        (&["tournament", "--side", "x=--depth 1", "--side", "why=-p mann=0"], "why: there is no parameter mann"),
    ] {
        let ended = engine(&[&args[..1], &["games/nim.pl"], &args[1..]].concat()).output().expect("the binary starts");
        let told = String::from_utf8_lossy(&ended.stderr).replace("\n  │ ", " ");
        assert_eq!(ended.status.code(), Some(2), "{told}");
        assert!(told.contains(said), "{told}");
    }
}

/// Once the second of two answers to a question was the answer to the next question.
#[cfg(unix)]
#[test]
fn an_answer_that_comes_twice_counts_once() {
    let rules = "initial(at(0)).\nmax_to_move(at(N)) :- 0 is N mod 2.\nterminal(at(8)).\noutcome(at(8), draw).\nacyclic.\n\
                 move(at(N), m(N), at(M)) :- M is N + 1.\n";
    let rules = file("counting.pl", rules);
    let args = ["--a", "--depth 1", "--b", "engine:sh tests/data/json/engine.sh twice", "--opening-plies", "0"];
    let ended = engine(&[&["match", rules.as_str(), "--json-lines", "--games", "2"], &args[..]].concat()).output();
    let told = String::from_utf8(ended.expect("the binary starts").stderr).expect("alphorn writes UTF-8");
    assert_eq!(told.lines().count(), 2, "{told}");
    for line in told.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(game["end"], "rules", "{line}");
    }
}

/// Once a program that a script had started went on after the match.
#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_starts_ends_with_the_match() {
    let number = file("child", "");
    let script = file("wrapper.sh", &format!("sleep 300 &\necho $! >{number}\nread line\nexit 4\n"));
    let ended = engine(&["match", "games/nim.pl", "--b", &format!("engine:sh {script}")]).output();
    assert_eq!(ended.expect("the binary starts").status.code(), Some(2));
    let child = fs::read_to_string(number).expect("the script ran");
    let stat = || fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    // A killed process ends a moment later, and may then wait as a zombie.
    let runs = || !stat().is_empty() && !stat().contains(") Z");
    let begun = std::time::Instant::now();
    while runs() && begun.elapsed().as_secs() < 10 {
        std::thread::yield_now();
    }
    assert!(!runs(), "{}", stat());
}

#[test]
fn engines_play_matches() {
    let program = env!("CARGO_BIN_EXE_alphorn");
    let other = format!("--nodes 100 -p Hash=2 engine:{program} ugi games/nim.pl");
    let games = games_of("--nodes 100", &other, "4");
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game["end"] == "rules"), "{games:?}");
}

#[test]
fn a_wrong_engine_is_refused_before_the_match() {
    let alphorn = format!("engine:{} ugi games/nim.pl", env!("CARGO_BIN_EXE_alphorn"));
    for (side, said) in [
        ("engine:", "write the command after engine:"),
        (
            "--hash 3 engine:true",
            "an engine heeds only --depth, --nodes, --time, --clock and -p NAME=VALUE before engine:",
        ),
        ("engine:true", "B: the engine ended before it answered with exit status: 0"),
        (
            format!("engine:{} ugi nope.pl", env!("CARGO_BIN_EXE_alphorn")).as_str(),
            "the engine ended before it answered with exit status: 2; its error: cannot read nope.pl: there is no such",
        ),
        ("engine:/nowhere/engine -x", "the engine /nowhere/engine does not start"),
        (format!("-p Hush=2 {alphorn}").as_str(), "the engine has no option Hush; did you mean Hash?"),
        (format!("-p Hash=0 {alphorn}").as_str(), "the option Hash is a whole number from 1 to 1048576, not 0"),
        (format!("-p misere=maybe {alphorn}").as_str(), "the option misere is no, yes, not maybe"),
    ] {
        let ended = engine(&["match", "games/nim.pl", "--b", side]).output().expect("the binary starts");
        let told = String::from_utf8_lossy(&ended.stderr).replace("\n  | ", " ");
        assert_eq!(ended.status.code(), Some(2), "{told}");
        assert!(told.contains(said), "{side}: {told}");
    }
}
