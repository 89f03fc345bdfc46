//! Tests the commands of `.pre-commit-hooks.yaml` and of the workflows on the page `docs/ci.md`: each succeeds
//! on good games and fails on bad ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

const GOOD: &str = ":- use_module(library(alphorn)).\n:- expect(value = win(max)).\ninitial(a).\nmoves(a, [b]).\n\
                    max_to_move(a).\noutcome(b, win(max)).\n";

/// Files that each command refuses, or not.
const BAD: &[(&str, &str)] = &[
    ("check", "initial(a).\nmoves(a, [b]).\nmax_to_move(a).\noutcome(b, wins(max)).\np(X) :- q(X).\n"),
    (
        "test",
        ":- use_module(library(alphorn)).\n:- expect(value = win(min)).\ninitial(a).\nmoves(a, [b]).\nmax_to_move(a).\noutcome(b, win(max)).\n",
    ),
    ("fmt", "initial( a ).\nmoves(a,[b]).\n"),
];

fn text(file: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The values of a key in a text of YAML, one for each line with the key.
fn values(text: &str, key: &str) -> Vec<String> {
    let value =
        |line: &str| line.trim().trim_start_matches("- ").strip_prefix(key).map(|value| value.trim().to_string());
    text.lines().filter_map(value).collect()
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("hooks_{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("games")).expect("the folder for tests can be written");
    path
}

/// The exit status of a command on the files of a folder. `games/*.pl` stands for these files, as in a shell.
fn status(folder: &Path, command: &str, files: &[&str]) -> Option<i32> {
    let words = command.strip_prefix("alphorn ").unwrap_or_else(|| panic!("{command} is no command of Alphorn"));
    let words = words.split(" > ").next().unwrap_or(words).split(' ');
    let args: Vec<&str> =
        words.flat_map(|word| if word == "games/*.pl" { files.to_vec() } else { vec![word] }).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.args(args).current_dir(folder).env_remove("GITHUB_WORKSPACE");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("the binary starts").code()
}

/// Runs a command, with its files at the end if it names none, on good games and on a bad game.
fn holds(name: &str, command: &str) {
    let named = if command.contains("games") { command.to_string() } else { format!("{command} games/*.pl") };
    let folder = folder(name);
    for file in ["games/one.pl", "games/two.pl"] {
        fs::write(folder.join(file), GOOD).expect("written");
    }
    assert_eq!(status(&folder, &named, &["games/one.pl", "games/two.pl"]), Some(0), "{named}");
    let word = command.split(' ').nth(1).expect("a command");
    let (_, bad) = BAD.iter().find(|(name, _)| *name == word).unwrap_or_else(|| panic!("{word} has a bad file"));
    fs::write(folder.join("games/two.pl"), bad).expect("written");
    // A formatter that writes reports nothing; pre-commit sees that the file has changed.
    let writes = word == "fmt" && !command.contains("--check");
    assert_eq!(status(&folder, &named, &["games/one.pl", "games/two.pl"]), Some(i32::from(!writes)), "{named}");
    let kept = fs::read_to_string(folder.join("games/two.pl")).expect("read") == *bad;
    assert_eq!(kept, !writes, "{named}");
}

#[test]
fn the_hooks_run() {
    let hooks = text(".pre-commit-hooks.yaml");
    let page = text("docs/ci.md");
    let (ids, entries) = (values(&hooks, "id:"), values(&hooks, "entry:"));
    assert!(ids.len() == entries.len() && ids.len() >= 4, "{ids:?} {entries:?}");
    for (id, entry) in ids.iter().zip(&entries) {
        assert!(page.contains(&format!("| `{id}` | `{entry}` |")), "docs/ci.md explains {id}");
        holds(id, entry);
    }
    for id in values(&page, "id:") {
        assert!(ids.contains(&id), "docs/ci.md uses {id}");
    }
}

#[test]
fn the_commands_of_the_workflows_run() {
    let commands: Vec<String> =
        values(&text("docs/ci.md"), "run:").into_iter().filter(|command| command.starts_with("alphorn ")).collect();
    assert!(commands.len() >= 4, "{commands:?}");
    for (number, command) in commands.iter().enumerate() {
        holds(&format!("workflow_{number}"), command);
    }
}
