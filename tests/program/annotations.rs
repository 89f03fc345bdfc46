//! Tests `--format github` and `--format sarif`: both must say what `--json` says.
//!
//! The input is `tests/broken/*.pl`. A log must match the schema of SARIF 2.1.0 (`tests/data/sarif-2.1.0.json`,
//! published by OASIS), and its fixes must make the same text as the edits of `--json`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The exit status and standard output of a command in a folder.
fn run(folder: &Path, args: &[&str], workspace: Option<&PathBuf>) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.args(args).current_dir(folder).env_remove("GITHUB_WORKSPACE").stdin(Stdio::null());
    command.envs(workspace.map(|path| ("GITHUB_WORKSPACE", path)));
    let ended = command.output().expect("the binary starts");
    (ended.status.code(), String::from_utf8(ended.stdout).expect("UTF-8"))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("annotations_{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder for tests can be written");
    path
}

/// The broken files, as arguments.
fn broken() -> Vec<String> {
    let entries = fs::read_dir(root().join("tests/broken")).expect("the folder is there");
    let name = |entry: fs::DirEntry| format!("tests/broken/{}", entry.file_name().to_str().expect("UTF-8"));
    let mut files: Vec<String> = entries.map(|entry| name(entry.expect("a folder lists its files"))).collect();
    files.sort_unstable();
    files
}

/// The output of `alphorn check --playouts 0` on all broken files.
fn check(format: &[&str]) -> String {
    let files = broken();
    let files = files.iter().map(String::as_str);
    let args: Vec<&str> = ["check", "--playouts", "0"].into_iter().chain(format.iter().copied()).chain(files).collect();
    run(&root(), &args, None).1
}

/// All diagnostics of the broken files.
fn diagnostics() -> Vec<Value> {
    let reply: Value = serde_json::from_str(&check(&["--json"])).expect("JSON");
    let files = reply["files"].as_array().expect("a list");
    files.iter().flat_map(|file| file["problems"].as_array().expect("a list").clone()).collect()
}

fn log(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).expect("a log is JSON");
    let schema = fs::read_to_string(root().join("tests/data/sarif-2.1.0.json")).expect("the schema is there");
    // A pattern of the schema has a bracket that regular expressions of Unicode want escaped.
    let schema = schema.replace("-[a-zA-Z]{2}]?$", r"-[a-zA-Z]{2}\\]?$");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::draft7::new(&schema).expect("a schema");
    let wrong: Vec<String> = schema.iter_errors(&log).take(5).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    log
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().expect("a list")
}

/// The byte at a line and a column, both from 1. Columns count UTF-16 code units.
fn byte(text: &str, line: &Value, column: &Value) -> usize {
    let (line, column) = (line.as_u64().expect("a line") as usize, column.as_u64().expect("a column") as usize);
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let mut units = 1;
    let within = text[start..].char_indices().find(|(_, c)| {
        let here = units >= column;
        units += c.len_utf16();
        here
    });
    within.map_or(text.len(), |(at, _)| start + at)
}

/// A text after changes, given as ranges of bytes with their new texts.
fn changed(text: &str, mut changes: Vec<(usize, usize, String)>) -> String {
    changes.sort_by_key(|change| std::cmp::Reverse(change.0));
    let mut text = text.to_string();
    for (start, end, new) in changes {
        text.replace_range(start..end, &new);
    }
    text
}

/// The text of a file, without its byte-order mark.
fn text(file: &str) -> String {
    let text = String::from_utf8(fs::read(root().join(file)).expect("the file is there")).expect("UTF-8");
    text.trim_start_matches('\u{feff}').to_string()
}

#[test]
fn a_log_has_the_diagnostics_and_their_fixes() {
    let log = log(&check(&["--format", "sarif"]));
    assert_eq!(log["runs"][0]["columnKind"], "utf16CodeUnits");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("a list");
    let (diagnostics, results) = (diagnostics(), results(&log));
    assert_eq!(diagnostics.len(), results.len());
    let mut fixes = 0;
    for (diagnostic, result) in diagnostics.iter().zip(results) {
        let code = diagnostic["code"].as_str().expect("a code");
        assert_eq!((&result["level"], result["ruleId"].as_str()), (&diagnostic["level"], Some(code)));
        let rule = &rules[result["ruleIndex"].as_u64().expect("a number") as usize];
        assert!(rule["id"] == code && !rule["shortDescription"]["text"].as_str().expect("text").is_empty());
        let Some(place) = diagnostic["places"].get(0) else { continue };
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], place["file"]);
        let file = place["file"].as_str().expect("a name");
        let text = text(file);
        let bytes = |region: &Value| {
            let start = byte(&text, &region["startLine"], &region["startColumn"]);
            (start, byte(&text, &region["endLine"], &region["endColumn"]))
        };
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        assert_eq!(bytes(&location["region"]), (number(&place["start"]), number(&place["end"])), "{file}");
        let edits = diagnostic["edits"].as_array().expect("a list");
        assert_eq!(edits.is_empty(), result["fixes"].is_null(), "{file}");
        if edits.is_empty() {
            continue;
        }
        let written = |value: &Value| value.as_str().expect("a text").to_string();
        let change = |edit: &Value| (number(&edit["start"]), number(&edit["end"]), written(&edit["text"]));
        let replacements = result["fixes"][0]["artifactChanges"][0]["replacements"].as_array().expect("a list");
        let replacement = |change: &Value| {
            let (start, end) = bytes(&change["deletedRegion"]);
            (start, end, written(&change["insertedContent"]["text"]))
        };
        let by_log = changed(&text, replacements.iter().map(replacement).collect());
        assert_eq!(changed(&text, edits.iter().map(change).collect()), by_log, "{file}");
        fixes += 1;
    }
    assert!(results.len() > 300 && fixes > 80, "{} results, {fixes} fixes", results.len());
}

/// The properties and the message of an annotation, without its escapes.
fn annotation(line: &str) -> (String, BTreeMap<String, String>, String) {
    let plain = |text: &str| {
        let text = text.replace("%0A", "\n").replace("%0D", "\r").replace("%3A", ":").replace("%2C", ",");
        text.replace("%25", "%")
    };
    let (head, message) = line.strip_prefix("::").and_then(|line| line.split_once("::")).expect("a command");
    let (level, properties) = head.split_once(' ').unwrap_or((head, ""));
    let pair = |property: &str| {
        let (name, value) = property.split_once('=').expect("name=value");
        (name.to_string(), plain(value))
    };
    (level.to_string(), properties.split(',').filter(|text| !text.is_empty()).map(pair).collect(), plain(message))
}

#[test]
fn annotations_are_the_diagnostics() {
    let printed = check(&["--format", "github"]);
    let diagnostics = diagnostics();
    assert_eq!(printed.lines().count(), diagnostics.len());
    for (line, diagnostic) in printed.lines().zip(&diagnostics) {
        let (level, properties, message) = annotation(line);
        let wanted = match diagnostic["level"].as_str() {
            Some("note") => "notice",
            level => level.expect("a level"),
        };
        assert_eq!(
            (level.as_str(), properties["title"].as_str()),
            (wanted, diagnostic["code"].as_str().expect("text"))
        );
        assert!(message.starts_with(diagnostic["message"].as_str().expect("text")), "{line}");
        assert!(diagnostic["help"].as_str().is_none_or(|help| message.ends_with(help)), "{line}");
        if let Some(place) = diagnostic["places"].get(0) {
            let at = (properties["file"].as_str(), properties["line"].parse().expect("a number"));
            assert_eq!(at, (place["file"].as_str().expect("text"), place["line"].as_u64().expect("a number")));
        }
    }
}

const GAME: &str = "initial(a).\nmoves(a, [b, c]).\nmax_to_move(a).\noutcome(b, win(min)).\noutcome(c, win(max)).\n";

#[test]
fn names_of_files_are_escaped_and_relative_to_the_repository() {
    let here = folder("names");
    let inner = here.join("my games");
    fs::create_dir(&inner).expect("written");
    fs::write(inner.join("50%,a:b.pl"), "initial(a\n").expect("written");
    let args = ["check", "./50%,a:b.pl", "--format"];
    let (status, printed) = run(&inner, &[&args[..], &["github"]].concat(), Some(&here));
    assert_eq!(status, Some(1));
    assert!(printed.starts_with("::error file=my games/50%25%2Ca%3Ab.pl,line=1,"), "{printed}");
    let (_, printed) = run(&inner, &[&args[..], &["sarif"]].concat(), Some(&here));
    let log = log(&printed);
    let place = &results(&log)[0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&place["uri"], &place["uriBaseId"]), (&"my%20games/50%25%2Ca%3Ab.pl".into(), &"%SRCROOT%".into()));
    // A workspace elsewhere says nothing about these files.
    let (_, printed) = run(&inner, &[&args[..], &["github"]].concat(), Some(&folder("elsewhere")));
    assert!(printed.starts_with("::error file=50%25%2Ca%3Ab.pl,line=1,"), "{printed}");
}

#[test]
fn expectations_and_layout_are_annotated() {
    let here = folder("kinds");
    fs::write(here.join("good.pl"), GAME).expect("written");
    fs::write(here.join("claims.pl"), format!(":- use_module(library(alphorn)).\n:- expect(value = draw).\n{GAME}"))
        .expect("written");
    fs::write(here.join("loose.pl"), "p(a).\np(X):-q(X).\nq(a).\n").expect("written");
    let (status, printed) = run(&here, &["test", "good.pl", "claims.pl", "--format", "github"], None);
    let place = "file=claims.pl,line=2,col=11,endLine=2,endColumn=23,title=A0616";
    assert_eq!((status, printed.lines().count(), printed.contains(place)), (Some(1), 1, true), "{printed}");
    let message = "::this expectation does not hold: the value is 999999 (win in 1)%0Aclaims.pl:7:1: ";
    assert!(printed.contains(message) && printed.contains("%0Ahelp: "), "{printed}");
    let (status, printed) = run(&here, &["fmt", "--check", "good.pl", "loose.pl", "--format", "github"], None);
    let wanted = "::error file=loose.pl,line=2,endLine=2,title=format::the file is not formatted%0Ahelp: type alphorn fmt loose.pl\n";
    assert_eq!((status, printed.as_str()), (Some(1), wanted));
    let (_, printed) = run(&here, &["fmt", "--check", "loose.pl", "--format", "sarif"], None);
    let fixed = &log(&printed)["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(fixed["insertedContent"]["text"], "p(X) :- q(X).\n");
    for format in ["github", "sarif"] {
        let (status, printed) = run(&here, &["check", "good.pl", "nowhere.pl", "--format", format], None);
        assert_eq!((status, printed.contains("cannot read nowhere.pl")), (Some(2), true), "{printed}");
        let (status, printed) = run(&here, &["fmt", "loose.pl", "--format", format], None);
        assert_eq!((status, printed.as_str()), (Some(2), ""));
        let (status, printed) = run(&here, &["check", "good.pl", "--format", format], None);
        assert_eq!((status, printed.contains("::")), (Some(0), false), "{printed}");
    }
    for args in [&["check", "good.pl"][..], &["check"], &["test", "claims.pl"], &["fmt", "--check", "loose.pl"]] {
        let json = run(&here, &[args, &["--json"]].concat(), None);
        let format = run(&here, &[args, &["--format", "json"]].concat(), None);
        assert!(json.1.starts_with("{\"schema\":2,"), "{}", json.1);
        // The usage in the help names the options that were typed.
        assert!(json == format || args.len() == 1 && json.0 == format.0, "{args:?}");
    }
}
