//! Tests the options that write files: which files they overwrite, and the errors if they cannot write.

use super::{file, run};
use std::fs;

/// Regression test: the value was lost if its file could not be written.
#[test]
#[cfg(target_os = "linux")]
fn a_value_was_lost_with_the_file_that_it_was_written_to() {
    for (args, value) in [
        (&["solve", "games/hexapawn.pl", "--save", "/dev/full"][..], "value   "),
        (&["solve", "games/nim.pl", "--opening", "3", "--proof", "/dev/full"], "value   "),
        (&["solve", "games/nim.pl", "--opening", "3", "--method", "pns", "--proof", "/dev/full"], "value   "),
        (&["stats", "games/nim.pl", "--games", "10", "--svg", "/dev/full"], "games"),
        (&["lab", "tree", "--svg", "/dev/full"], "value  "),
    ] {
        let ran = run(args);
        assert!(ran.out.contains(value), "{args:?} tells what it has found: {}", ran.out);
        assert!(ran.status == Some(2) && ran.err.contains("/dev/full"), "{args:?}: {}", ran.err);
    }
}

/// Regression test: the signal at the size limit of files ended the program before it printed the value.
#[test]
#[cfg(target_os = "linux")]
fn a_value_was_lost_at_the_size_limit_of_files() {
    let folder = std::env::temp_dir();
    for (game, option) in [("nim", "--proof"), ("hexapawn", "--save")] {
        let path = folder.join(format!("alphorn-limit-{}-{game}", std::process::id()));
        let script = format!(
            "ulimit -f 1; exec {} solve games/{game}.pl {option} {}",
            env!("CARGO_BIN_EXE_alphorn"),
            path.display()
        );
        let ran = std::process::Command::new("sh").args(["-c", &script]).output().expect("there is a shell");
        let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(out.contains("value   "), "{game}: {out} {err}");
        assert_eq!(ran.status.code(), Some(2), "{game}: {err}");
        let _left = fs::remove_file(path);
    }
}

/// Regression test: `--output` and `--svg` overwrote any file; only `--proof` and `--save` checked the file.
#[test]
fn options_wrote_over_files_that_hold_something_else() {
    let thesis = file("thesis.txt", "Many years of work.\n");
    let picture = file("picture.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n");
    let tree = ["tree", "games/bratko.pl", "--depth", "2", "--output"];
    let cases: &[(&[&str], &[&str], &str)] = &[
        (&tree, &[], "text"),
        (&tree, &["--format", "svg"], "svg"),
        (&tree, &["--format", "dot"], "dot"),
        (&tree, &["--format", "json"], "json"),
        (&["stats", "games/nim.pl", "--games", "10", "--svg"], &[], "svg"),
        (&["lab", "tree", "--svg"], &[], "svg"),
        (&["solve", "games/nim.pl", "--opening", "3", "--proof"], &[], "proof"),
        (&["solve", "games/nim.pl", "--opening", "3", "--save"], &[], "values"),
    ];
    for (args, more, form) in cases {
        for other in [&thesis, &picture] {
            let ran = run(&[args, &[other.as_str()][..], more].concat());
            let replaces = *form == "svg" && *other == picture;
            assert_eq!(ran.status, Some(if replaces { 0 } else { 2 }), "{args:?} {other}: {}", ran.err);
            assert!(replaces || ran.err.contains("A0623") || ran.err.contains("A0632"), "{args:?}: {}", ran.err);
        }
        assert_eq!(fs::read_to_string(&thesis).expect("it is there"), "Many years of work.\n", "{args:?}");
        // An option may overwrite a file that it wrote before.
        let own = std::env::temp_dir().join(format!("alphorn-own-{}-{}.out", std::process::id(), form));
        for _ in 0..2 {
            let path = own.display().to_string();
            let ran = run(&[args, &[path.as_str()][..], more].concat());
            assert_eq!(ran.status, Some(0), "{args:?} again: {}", ran.err);
        }
        fs::remove_file(own).expect("it was written");
    }
}

/// Regression test: any XML file counted as a picture, and any text with the words of a tree as a tree.
#[test]
fn files_that_only_resemble_our_own_are_kept() {
    let xml = "<?xml version=\"1.0\"?>\n<thesis/>\n";
    let notes = "alphorn: I have looked at it.\n3 positions looked at, none judged\n";
    let tree = ["tree", "games/bratko.pl", "--depth", "2", "--output"];
    for (name, text, more) in [("thesis.xml", xml, &["--format", "svg"][..]), ("notes.txt", notes, &[])] {
        let path = file(name, text);
        let ran = run(&[&tree[..], &[path.as_str()], more].concat());
        assert!(ran.status == Some(2) && ran.err.contains("A0623"), "{name}: {}", ran.err);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), text, "{name}");
    }
}

/// Regression test: a new file below /dev could not be written, and a longer old file kept its end.
#[test]
#[cfg(target_os = "linux")]
fn files_below_dev_are_files() {
    let path = format!("/dev/shm/alphorn-{}.svg", std::process::id());
    if fs::write(&path, "").and_then(|()| fs::remove_file(&path)).is_err() {
        return;
    }
    let long = format!("<svg >{}</svg>\n", " ".repeat(100_000));
    for before in ["", &long] {
        if !before.is_empty() {
            fs::write(&path, before).expect("it can be written");
        }
        let ran = run(&["tree", "games/bratko.pl", "--depth", "2", "--format", "svg", "--output", &path]);
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(ran.status == Some(0) && text.len() < 90_000 && text.ends_with("</svg>\n"), "{}: {text}", ran.err);
    }
    fs::remove_file(&path).expect("it was written");
    for stream in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let ran = run(&["tree", "games/bratko.pl", "--depth", "2", "--format", "svg", "--output", stream]);
        assert!(ran.status == Some(0) && ran.out.contains("</svg>"), "{stream}: {}", ran.err);
    }
}
