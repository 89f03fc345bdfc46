//! `alphorn new`: every template is a game that loads, keeps its expectations, and plays to an end.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("new_{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder for tests can be written");
    path
}

/// The exit status, standard output and standard error.
fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let command = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output();
    let Output { status, stdout, stderr } = command.expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn every_template_is_a_good_game() {
    let here = folder("all");
    let (_, listed, _) = run(&here, &["new", "--list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    let rows = listed["templates"].as_array().expect("a list");
    assert!(rows.len() > 10, "{listed}");
    for row in rows {
        let (board, moves) = (row["board"].as_str().expect("text"), row["moves"].as_str().expect("text"));
        let name = format!("my_{board}_{moves}");
        let file = format!("{name}.pl");
        let (status, out, err) = run(&here, &["new", &name, "--board", board, "--moves", moves]);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{name}");
        assert!(out.starts_with(&format!("created {file}\n")), "{out}");
        let text = fs::read_to_string(here.join(&file)).expect("written");
        assert!(text.starts_with(&format!("% {name}: ")) && !text.contains("NAME"), "{name}");
        let (status, out, err) = run(&here, &["check", "--deny-warnings", &file]);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{name}: {out}");
        let (status, out, err) = run(&here, &["test", &file]);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{name}");
        let passed =
            out.trim_end().strip_suffix(" passed").and_then(|text| text.rsplit(' ').next()?.parse::<u32>().ok());
        assert!(passed.is_some_and(|passed| passed >= 5), "{name}: {out}");
        let (status, out, err) = run(&here, &["stats", &file, "--games", "20", "--json"]);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{name}: {out}");
        let (status, out, err) = run(&here, &["moves", &file]);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{name}");
        assert!(out.lines().count() > 2, "{name} has a picture: {out}");
    }
}

#[test]
fn wrong_names_and_templates_are_told() {
    let here = folder("wrong");
    fs::create_dir(here.join("games")).expect("made");
    let told = |args: &[&str], words: &[&str]| {
        let (status, out, err) = run(&here, args);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}");
        words.iter().for_each(|word| assert!(err.contains(word), "{args:?} should speak of {word}: {err}"));
    };
    told(&["new"], &["the name of the game is missing", "--list"]);
    told(&["new", "a", "--board", "9x9"], &["board 9x9", "hex, points"]);
    told(&["new", "a", "--board", "none", "--moves", "step"], &["--moves take"]);
    told(&["new", "a/"], &["a"]);
    told(&["new", "nowhere/a"], &["nowhere"]);
    told(&["new", "a:b"], &["a:b", "letters"]);
    assert_eq!(fs::read_dir(&here).expect("read").count(), 1, "nothing was written");
    assert_eq!(run(&here, &["new", "games/a.pl"]).0, Some(0));
    told(&["new", "games/a"], &["exists"]);
    assert!(here.join("games/a.pl").exists());
}
