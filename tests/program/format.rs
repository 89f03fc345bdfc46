//! `alphorn fmt`: files, folders, standard input, and what stays as it is.
#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const LOOSE: &str = "p(X):-q(X),X=1.\n";
const NEAT: &str = "p(X) :- q(X), X = 1.\n";

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fmt_{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder for tests can be written");
    path
}

/// The exit status, standard output and standard error.
fn fmt(folder: &PathBuf, args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .arg("fmt")
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the input is read");
    let ended = child.wait_with_output().expect("the binary ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (ended.status.code(), text(ended.stdout), text(ended.stderr))
}

#[test]
fn files_are_formatted_in_place() {
    let here = folder("place");
    fs::write(here.join("a.pl"), LOOSE).expect("written");
    fs::write(here.join("b.pl"), NEAT).expect("written");
    fs::set_permissions(here.join("a.pl"), fs::Permissions::from_mode(0o640)).expect("set");
    let told = (Some(0), "formatted a.pl\n".to_string(), String::new());
    assert_eq!(fmt(&here, &["a.pl", "b.pl"], ""), told);
    assert_eq!(fs::read_to_string(here.join("a.pl")).expect("read"), NEAT);
    assert_eq!(fs::metadata(here.join("a.pl")).expect("there").permissions().mode() & 0o777, 0o640);
    assert_eq!(fmt(&here, &["a.pl", "b.pl"], ""), (Some(0), String::new(), String::new()));
}

#[test]
fn check_and_diff_write_nothing() {
    let here = folder("check");
    fs::write(here.join("a.pl"), LOOSE).expect("written");
    fs::write(here.join("b.pl"), NEAT).expect("written");
    assert_eq!(fmt(&here, &["--check", "a.pl", "b.pl"], ""), (Some(1), "a.pl\n".to_string(), String::new()));
    let (status, out, err) = fmt(&here, &["--diff", "a.pl", "b.pl"], "");
    assert_eq!((status, err.as_str()), (Some(1), ""));
    assert_eq!(out, "--- a.pl\n+++ a.pl (formatted)\n@@ -1 +1 @@\n-p(X):-q(X),X=1.\n+p(X) :- q(X), X = 1.\n");
    assert_eq!(fs::read_to_string(here.join("a.pl")).expect("read"), LOOSE);
    assert_eq!(fmt(&here, &["--check", "b.pl"], ""), (Some(0), String::new(), String::new()));
}

#[test]
fn standard_input_goes_to_standard_output() {
    let here = folder("input");
    assert_eq!(fmt(&here, &["-"], LOOSE), (Some(0), NEAT.to_string(), String::new()));
    assert_eq!(fmt(&here, &["-"], ""), (Some(0), String::new(), String::new()));
    let (status, out, _) = fmt(&here, &["-", "--json"], LOOSE);
    let found: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (status, &found["files"][0]["text"], &found["files"][0]["changed"]),
        (Some(0), &NEAT.into(), &true.into())
    );
}

#[test]
fn folders_are_formatted_with_the_folders_below() {
    let here = folder("folders");
    fs::create_dir_all(here.join("games/more")).expect("made");
    fs::create_dir_all(here.join("games/.hidden")).expect("made");
    for name in ["games/a.pl", "games/more/b.pl", "games/.hidden/c.pl", "games/notes.txt"] {
        fs::write(here.join(name), LOOSE).expect("written");
    }
    symlink(here.join("games"), here.join("games/more/loop")).expect("linked");
    let (status, out, err) = fmt(&here, &["games"], "");
    assert_eq!(
        (status, out.as_str(), err.as_str()),
        (Some(0), "formatted games/a.pl\nformatted games/more/b.pl\n", "")
    );
    assert_eq!(fs::read_to_string(here.join("games/notes.txt")).expect("read"), LOOSE);
}

#[test]
fn unreadable_clauses_and_files_are_told() {
    let here = folder("unread");
    fs::write(here.join("a.pl"), "p(X :- q.\nq(X):-r(X).\n").expect("written");
    let (status, out, err) = fmt(&here, &["a.pl"], "");
    assert_eq!((status, out.as_str()), (Some(0), "formatted a.pl\n"));
    assert_eq!(err, "a.pl: 1 unreadable clause left as written; type alphorn check a.pl for the reasons\n");
    assert_eq!(fs::read_to_string(here.join("a.pl")).expect("read"), "p(X :- q.\nq(X) :- r(X).\n");
    let (status, out, err) = fmt(&here, &["none.pl"], "");
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(err.contains("none.pl"), "{err}");
    fs::write(here.join("latin.pl"), b"p('\xe9').\n").expect("written");
    let (status, _, err) = fmt(&here, &["latin.pl"], "");
    assert_eq!(status, Some(2), "{err}");
    assert_eq!(fs::read(here.join("latin.pl")).expect("read"), b"p('\xe9').\n");
}
