//! Tests the output and the errors of the command `tree`.

use super::*;

struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

fn alphorn(args: &[&str], locale: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", locale).env("NO_COLOR", "1");
    let output = command.args(args).output().expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is UTF-8");
    Ran { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn errors_say_what_to_do() {
    let file = std::env::temp_dir().join(format!("alphorn-tree-{}.pl", std::process::id()));
    let stuck = "initial(a).\nmax_to_move(a).\nmoves(a, []).\nterminal(none).\nstatic_eval(_, 0).\n";
    std::fs::write(&file, stuck).expect("a file can be written");
    let stuck = file.to_str().expect("the folder has a plain name");
    for (args, why) in [
        (&["tree", "games/nim.pl", "--depth", "1001"][..], "--depth"),
        (&["tree", "games/nim.pl", "--depth", "-1"], "--depth"),
        (&["tree", "games/nim.pl", "--max-nodes", "0"], "--max-nodes"),
        (&["tree", "games/nim.pl", "--format", "png"], "svg"),
        (&["tree", "games/nim.pl", "--output", "nowhere/x"], "nowhere/x: there is no such folder"),
        (&["tree", "games/nim.pl", "--output", "games"], "games: it is a folder"),
        (&["tree", "games/nim.pl", "--algorithm", "auto"], "A0622"),
        (&["tree", "games/pig.pl", "--algorithm", "star2"], "A0622"),
        (&["tree", "games/pig.pl", "--algorithm", "minimax"], "A0617"),
        (&["tree", "games/nim.pl", "--steps", "10"], "10 steps"),
        (&["tree", "nowhere.pl"], "A0620"),
        (&["tree", stuck], "A0607"),
    ] {
        let ran = alphorn(args, "C");
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(why), "{args:?} should speak of {why}: {}", ran.err);
    }
    let _ = std::fs::remove_file(&file);
}

#[test]
fn a_finished_game_is_a_tree_of_one() {
    let ran = alphorn(&["tree", "games/bratko.pl", "--position", "h"], "C");
    assert_eq!(ran.out, "1\n\nalphabeta: 1 position visited, 1 evaluated\n");
    let ran = alphorn(&["tree", "games/bratko.pl", "--position", "h", "--format", "svg"], "C");
    assert!(elements(&ran.out).is_ok_and(|names| names.contains(&"rect".to_string())));
}

#[test]
fn ascii_is_enough_where_the_locale_says_so() {
    for args in [&["tree", "games/pi_tree.pl", "--depth", "4"][..], &["tree", "games/nim.pl", "--max-nodes", "30"]] {
        assert!(alphorn(args, "C").out.is_ascii(), "{args:?}");
        assert!(!alphorn(args, "C.UTF-8").out.is_ascii(), "{args:?}");
    }
}

/// The JSON object has exactly the keys of the manual.
#[test]
fn json_has_the_documented_keys() {
    let ran = alphorn(&["tree", "examples/russell_norvig.pl", "--json"], "C");
    let found: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(
        (&found["value"], &found["pv"], &found["visited"]),
        (&3.into(), &serde_json::json!(["a1", "b1"]), &11.into())
    );
    let root = &found["nodes"][0];
    assert_eq!((&root["turn"], &root["window"]), (&"max".into(), &serde_json::json!([null, null])));
    let cut =
        found["nodes"].as_array().into_iter().flatten().find(|node| !node["cut"].is_null()).expect("there is a cut");
    assert_eq!((&cut["label"], &cut["cut"]["alpha"], &cut["cut"]["beta"]), (&"a2".into(), &3.into(), &2.into()));
    assert_eq!(cut["skipped"], serde_json::json!(["c2", "c3"]));
    let page =
        std::fs::read_to_string(format!("{}/docs/commands.md", env!("CARGO_MANIFEST_DIR"))).expect("it is there");
    let section =
        page.split("## `alphorn tree`").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("it has a section");
    for object in [&found, root] {
        for key in object.as_object().into_iter().flat_map(|object| object.keys()).filter(|key| *key != "schema") {
            assert!(section.contains(&format!("`{key}`")), "docs/commands.md says nothing of {key}");
        }
    }
    let written = alphorn(&["tree", "examples/russell_norvig.pl", "--format", "json"], "C");
    assert_eq!(written.out, ran.out);
}

/// The command draws the pictures of the pages unchanged.
#[test]
fn the_gallery_is_drawn_by_the_command() {
    for (picture, args) in [
        ("russell_norvig_minimax", &["examples/russell_norvig.pl", "--depth", "2", "--algorithm", "minimax"][..]),
        ("russell_norvig", &["examples/russell_norvig.pl", "--depth", "2", "--whole"]),
        ("pi_tree", &["games/pi_tree.pl", "--depth", "4", "--whole"]),
        ("bratko", &["games/bratko.pl", "--depth", "3", "--whole"]),
        ("tictactoe", &["games/tictactoe.pl", "--depth", "9", "--moves", "1 1 1 1 1"]),
        ("pig", &["games/pig.pl", "--depth", "3", "--position", "pos(max, 90, 80, 8)"]),
    ] {
        let path = format!("{}/docs/gallery/{picture}.svg", env!("CARGO_MANIFEST_DIR"));
        let drawn = alphorn(&[&["tree", "--format", "svg"], args].concat(), "C");
        assert_eq!(drawn.status, Some(0), "{picture}: {}", drawn.err);
        if std::env::var_os("ALPHORN_DOCS").is_some_and(|value| value == "write") {
            std::fs::write(&path, &drawn.out).expect("a picture can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == drawn.out, "{path}: ALPHORN_DOCS=write cargo test --test games tree draws it anew");
    }
}

#[test]
fn the_example_keeps_its_claims() {
    let ran = alphorn(&["test", "examples/russell_norvig.pl"], "C");
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "examples/russell_norvig.pl: 4 passed\n"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn an_interrupt_shows_the_tree_so_far() {
    let child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["tree", "games/kalah.pl", "--depth", "40", "--json", "--max-nodes", "500"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the binary starts");
    // The search begins within this time; the test cannot observe when.
    std::thread::park_timeout(std::time::Duration::from_millis(2500));
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("kill is there");
    assert!(sent.success(), "it has ended by itself");
    let begun = std::time::Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(begun.elapsed().as_secs() < 5, "it took {:?}", begun.elapsed());
    let found: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&found["stopped"], &found["value"]), (&true.into(), &Value::Null));
    let nodes = found["nodes"].as_array().expect("there are nodes");
    // The selected line and the lines beside it are kept.
    assert!(nodes.len() > 1 && nodes.len() < 2000, "{} nodes", nodes.len());
    let sum = |key: &str| found[key].as_u64().expect("it is a count");
    assert_eq!(nodes.len() as u64 + sum("folded") + sum("again"), sum("visited"));
}
