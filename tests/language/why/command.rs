//! Tests the output and the errors of the commands `why` and `whynot`.

pub(super) fn ran(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C").env("NO_COLOR", "1");
    let output = command.args(args).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("alphorn writes UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn commands() {
    assert_eq!(
        ran(&["why", "member(X, [a, b]), X \\== a"]),
        (Some(0), "X = b\nmember(b,[a,b])  library\nb\\==a  builtin\n".to_string(), String::new())
    );
    assert_eq!(
        ran(&["why", "member(c, [a, b])"]),
        (Some(1), "false; alphorn whynot explains why\n".to_string(), String::new())
    );
    let (status, out, _) = ran(&["why", "member(X, [a])", "--answer", "3"]);
    assert_eq!((status, out.as_str()), (Some(1), "there is no answer 3: 1 in all\n"));
    let (status, out, _) = ran(&["whynot", "member(a, [a])"]);
    assert_eq!((status, out.as_str()), (Some(1), "it is true; alphorn why shows the proof\n"));
    let (status, out, err) = ran(&["whynot", "X is a + 1"]);
    assert_eq!((status, out.as_str(), err.contains("A0603")), (Some(2), "", true), "{err}");
    let (status, out, err) = ran(&["whynot", "foo("]);
    assert_eq!((status, out.as_str(), err.is_empty()), (Some(2), "", false), "{err}");
    let (status, out, err) = ran(&["whynot", "nowhere.pl", "foo"]);
    assert_eq!((status, out.as_str(), err.contains("no such file")), (Some(2), "", true), "{err}");
    let (status, out, _) = ran(&["whynot", "games/nim.pl", "terminal(pos(max, [0, 1]))"]);
    assert_eq!(status, Some(0));
    assert!(out.is_ascii() && out.lines().all(|line| line.chars().count() <= 100), "{out}");
}

#[test]
fn a_library_folder_of_ones_own_is_ones_own() {
    let folder = std::env::temp_dir().join(format!("alphorn-why-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("lib")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("lib/lines.pl", ":- module(mine, [big/1]).\nbig(X) :- X > 3.\n");
    write("main.pl", ":- use_module(library(lines)).\n:- use_module('lib/lines.pl').\nok(X) :- big(X).\n");
    let (status, out, err) = ran(&["whynot", &folder.join("main.pl").display().to_string(), "ok(2)"]);
    assert!(status == Some(0) && out.contains("2 > 3 is false") && err.is_empty(), "{out}{err}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn json_has_the_documented_keys() {
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
    };
    let object = |args: &[&str]| -> serde_json::Value {
        let (_, out, err) = ran(args);
        assert_eq!(err, "", "{args:?}");
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}"))
    };
    let found = object(&["why", "games/nim.pl", "initial(P)", "--json"]);
    assert_eq!(keys(&found), ["schema", "move", "answer", "found", "proof", "warnings"]);
    assert_eq!(
        keys(&found["proof"][0]),
        ["goal", "as_called", "place", "by", "clause", "solutions", "parts", "folded"]
    );
    assert_eq!(keys(&found["proof"][0]["clause"]), ["number", "of", "place"]);
    let found = object(&["whynot", "games/nim.pl", "move(pos(max, [1, 2]), take(1, 2), _)", "--json"]);
    assert_eq!(keys(&found), ["schema", "move", "fails", "answer", "failing", "smallest", "warnings"]);
    let failing = ["goal", "place", "reason", "clauses", "omitted", "followed", "proof", "parts", "cut"];
    assert_eq!(keys(&found["failing"]), failing);
    let clause = ["number", "head", "place", "mismatch", "note", "goals", "times", "because"];
    assert_eq!(keys(&found["failing"]["clauses"][0]), clause);
    assert_eq!(keys(&found["failing"]["clauses"][0]["goals"][0]), ["goal", "place", "mark"]);
    assert_eq!(keys(&found["smallest"]), ["message", "label", "place", "called", "clause", "attempts", "help"]);
    let found = object(&["whynot", "X is a + 1", "--json"]);
    assert_eq!(keys(&found["error"]), ["code", "level", "term", "message", "help", "places", "edits"]);
}
