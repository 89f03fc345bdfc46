//! Compares the output of `--json` with the schemas of docs/schema/, in both directions.
//!
//! The input is `tests/data/json.tsv`, one line for each command: the schema of its output, its exit status,
//! its arguments after `alphorn --json`, and its standard input, if it reads any (`\n` ends a line). Several
//! schemas are those of the lines of the output, in their order. Each command runs in a folder with the
//! shipped games in `games/` and the files of `tests/data/json/`. Every line of standard output must match
//! its schema, and must not match if a key is removed or added.
#![cfg(unix)]

use jsonschema::Validator;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const BINARY: &str = env!("CARGO_BIN_EXE_alphorn");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Keys with objects whose keys come from a game or a goal.
const MAPS: &[&str] = &["answers", "by_failure", "by_rule", "by_advice", "settings"];

/// Keys with data of a goal, of a game or of another command: variables, terms, or a whole answer.
const OTHERS: &[&str] = &["answer", "term"];

/// The name in the table for events, replies and errors in any order.
const PROTOCOL: &str = "protocol";

/// Keys that are present only if a request of the protocol sets an option.
const ASKED: &[&str] = &["term", "svg", "board", "squares", "children"];

/// Keys of terms in JSON, which are also present only if a request sets an option.
const TERMS: &[&str] = &["functor", "args", "string", "integer", "var", "text"];

/// A published schema.
struct Schema {
    text: Value,
    validator: Validator,
}

/// All schemas by file name.
fn schemas() -> BTreeMap<String, Schema> {
    let entries = fs::read_dir(Path::new(ROOT).join("docs/schema")).expect("the schemas lie in docs/schema");
    let schema = |path: PathBuf| {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("schemas have plain names").to_string();
        let text = fs::read_to_string(&path).expect("a schema can be read");
        let text: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        jsonschema::draft202012::meta::validate(&text).unwrap_or_else(|error| panic!("{name} is no schema: {error}"));
        let validator = jsonschema::draft202012::new(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, Schema { text, validator })
    };
    entries.map(|entry| schema(entry.expect("docs/schema can be listed").path())).collect()
}

/// A row of the table.
struct Row {
    /// The schemas: one for all lines of the output, or one for each line.
    schemas: Vec<String>,
    status: i32,
    command: String,
    /// The standard input.
    typed: String,
}

impl Row {
    /// The name of the schema for a line of output, by its number from 0. A line of the protocol tells its
    /// schema itself.
    fn schema(&self, line: usize, object: &Value) -> Option<&str> {
        match self.schemas.as_slice() {
            [only] if only == PROTOCOL => Some(match (object.get("reply"), object.get("event")) {
                (Some(_), _) => "protocol-reply",
                (None, Some(_)) => "protocol-event",
                (None, None) => "protocol-error",
            }),
            [only] => Some(only),
            each => each.get(line).map(String::as_str),
        }
    }
}

fn rows() -> Vec<Row> {
    let table = fs::read_to_string(Path::new(ROOT).join("tests/data/json.tsv")).expect("the table can be read");
    let row = |line: &str| {
        let (schemas, status, command, typed) = match line.split('\t').collect::<Vec<_>>().as_slice() {
            [schemas, status, command] => (*schemas, *status, *command, ""),
            [schemas, status, command, typed] => (*schemas, *status, *command, *typed),
            _ => panic!("three fields or four: {line}"),
        };
        let status = status.parse().unwrap_or_else(|_| panic!("a status: {line}"));
        let schemas = schemas.split(' ').map(str::to_string).collect();
        Row { schemas, status, command: command.to_string(), typed: typed.replace("\\n", "\n") }
    };
    table.lines().skip(1).map(row).collect()
}

/// A folder for one command.
fn folder(number: usize) -> PathBuf {
    let path = std::env::temp_dir().join(format!("alphorn-schema-{}-{number}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder can be made");
    symlink(Path::new(ROOT).join("games"), path.join("games")).expect("a folder can be linked");
    for entry in fs::read_dir(Path::new(ROOT).join("tests/data/json")).expect("the files are there") {
        let file = entry.expect("the files can be listed");
        fs::copy(file.path(), path.join(file.file_name())).expect("a file can be copied");
    }
    path
}

/// Runs a row. Returns the objects of the output, and the error if the command ended wrongly.
fn ran(row: &Row, number: usize) -> (Vec<Value>, Option<String>) {
    let folder = folder(number);
    let bin = Path::new(BINARY).parent().expect("the binary lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new("sh")
        .args(["-c", &format!("alphorn --json {}", row.command)])
        .current_dir(&folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("LC_ALL", "C")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    // Some commands do not read their input to its end, so an error of this write is ignored.
    let _ = child.stdin.take().expect("standard input is a pipe").write_all(row.typed.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("a command can be waited for");
    let _ = fs::remove_dir_all(&folder);
    let told = String::from_utf8_lossy(&stderr);
    let objects = String::from_utf8_lossy(&stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}: {line}", row.command)))
        .collect::<Vec<Value>>();
    let wrong = match status.code() {
        code if code != Some(row.status) => Some(format!("ends with {code:?}, not {}: {told}", row.status)),
        _ if !told.is_empty() => Some(format!("prints to stderr: {told}")),
        _ if objects.is_empty() => Some("prints nothing".to_string()),
        _ if row.schemas.len() > 1 && row.schemas.len() != objects.len() => {
            Some(format!("prints {} lines, not {}", objects.len(), row.schemas.len()))
        }
        _ => None,
    };
    (objects, wrong)
}

/// Collects every part of a schema that describes an object by its keys.
fn closed<'a>(schema: &'a Value, found: &mut Vec<&'a Map<String, Value>>) {
    match schema {
        Value::Object(object) => {
            if object.get("properties").is_some_and(Value::is_object) && object.contains_key("required") {
                found.push(object);
            }
            object.values().for_each(|below| closed(below, found));
        }
        Value::Array(all) => all.iter().for_each(|below| closed(below, found)),
        _ => {}
    }
}

fn parts(schema: &Value) -> Vec<&Map<String, Value>> {
    let mut found = Vec::new();
    closed(schema, &mut found);
    found
}

/// The keys that a part names, and the keys that it requires.
fn keys(part: &Map<String, Value>) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let named = part["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
    let required = part["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    (named, required)
}

/// Objects that differ from this object by one key, each with a description of the change. Optional keys are
/// not removed, and objects with free keys are not changed.
fn mutants(value: &Value, optional: &BTreeSet<&str>) -> Vec<(String, Value)> {
    fn places(value: &Value, at: &str, map: bool, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                if !map {
                    found.push(at.to_string());
                }
                for (key, below) in object.iter().filter(|(key, _)| !OTHERS.contains(&key.as_str())) {
                    places(below, &format!("{at}/{key}"), !map && MAPS.contains(&key.as_str()), found);
                }
            }
            // The first element of a list stands for all elements.
            Value::Array(all) => {
                if let Some(first) = all.first() {
                    places(first, &format!("{at}/0"), map, found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    places(value, "", false, &mut found);
    let changed = |at: &str, change: &dyn Fn(&mut Map<String, Value>)| {
        let mut copy = value.clone();
        let object = copy.pointer_mut(at).and_then(Value::as_object_mut).expect("an object is there");
        change(object);
        copy
    };
    let mut all = Vec::new();
    for at in &found {
        all.push((format!("a key put into {at}/"), changed(at, &|object| drop(object.insert("new".into(), 0.into())))));
        let here = value.pointer(at).and_then(Value::as_object).expect("an object is there");
        for key in here.keys().filter(|key| !optional.contains(key.as_str())) {
            all.push((format!("{at}/{key} taken out"), changed(at, &|object| drop(object.shift_remove(key)))));
        }
    }
    all
}

/// Collects every key that occurs in a value.
fn occurring(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            found.extend(object.keys().cloned());
            object.values().for_each(|below| occurring(below, found));
        }
        Value::Array(all) => all.iter().for_each(|below| occurring(below, found)),
        _ => {}
    }
}

/// The output matches its schema, and changed output does not.
#[test]
fn what_is_printed_has_its_schema() {
    let schemas = schemas();
    let mut wrong: Vec<String> = Vec::new();
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (number, row) in rows().iter().enumerate() {
        if let Some(name) = row.schemas.iter().find(|name| *name != PROTOCOL && !schemas.contains_key(*name)) {
            wrong.push(format!("{}: there is no docs/schema/{name}.json", row.command));
            continue;
        }
        let (objects, ended) = ran(row, number);
        wrong.extend(ended.map(|ended| format!("{}: {ended}", row.command)));
        for (line, object) in objects.iter().enumerate() {
            let Some((name, schema)) = row.schema(line, object).and_then(|name| schemas.get_key_value(name)) else {
                continue;
            };
            let pieces = parts(&schema.text);
            let optional: BTreeSet<&str> =
                pieces.iter().map(|part| keys(part)).flat_map(|(named, required)| &named - &required).collect();
            occurring(object, seen.entry(name.clone()).or_default());
            let place = format!("{}: line {}", row.command, line + 1);
            wrong.extend(schema.validator.iter_errors(object).map(|error| format!("{place}: {name}: {error}")));
            let passed = mutants(object, &optional).into_iter().filter(|(_, mutant)| schema.validator.is_valid(mutant));
            wrong.extend(passed.map(|(what, _)| format!("{place}: {name} allows {what}")));
        }
    }
    let never = BTreeSet::new();
    let anywhere: BTreeSet<&String> = seen.values().flatten().collect();
    // Requests are input, and the other lines of the protocol contain the output of commands.
    for (name, schema) in schemas.iter().filter(|(name, _)| !name.starts_with(PROTOCOL)) {
        let seen = seen.get(name).unwrap_or(&never);
        let shared: BTreeSet<&str> =
            schema.text.get("$defs").map(parts).into_iter().flatten().flat_map(|part| keys(part).0).collect();
        // A definition that several schemas share need not occur in the output of each command.
        let is_seen = |key: &str| seen.contains(key) || shared.contains(key) && anywhere.contains(&key.to_string());
        let unseen: BTreeSet<&str> = parts(&schema.text)
            .into_iter()
            .flat_map(|part| keys(part).0)
            .filter(|key| !is_seen(key) && !ASKED.contains(key) && !TERMS.contains(key))
            .collect();
        if !unseen.is_empty() {
            wrong.push(format!("no command of tests/data/json.tsv prints {unseen:?} of docs/schema/{name}.json"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The schemas in `docs/schema/` are generated from the types; `ALPHORN_DOCS=write` writes them.
#[test]
fn schemas_are_made_of_the_types() {
    let folder = Path::new(ROOT).join("docs/schema");
    for (name, schema) in alphorn::protocol::schemas() {
        let path = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        if std::env::var_os("ALPHORN_DOCS").is_some_and(|value| value == "write") {
            fs::write(&path, &text).expect("a schema can be written");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{name}: ALPHORN_DOCS=write cargo test --test program schema writes it anew");
    }
}

/// A schema allows only keys that it names, and describes each key.
#[test]
fn every_key_is_described() {
    for (name, schema) in schemas() {
        let pieces = parts(&schema.text);
        assert!(!pieces.is_empty(), "{name} describes no object");
        for part in pieces {
            assert_eq!(part.get("additionalProperties"), Some(&Value::Bool(false)), "{name}: {:?}", keys(part).0);
            let (named, required) = keys(part);
            assert!(required.is_subset(&named), "{name} requires what it does not name: {:?}", &required - &named);
            for key in named {
                let told = part["properties"][key]["description"].as_str();
                assert!(told.is_some_and(|told| !told.trim().is_empty()), "{name} does not say what {key} means");
            }
        }
    }
}

/// Each schema file is complete by itself, so shared definitions are repeated; the copies must be equal.
#[test]
fn shared_definitions_agree() {
    let mut known: BTreeMap<String, (String, Value)> = BTreeMap::new();
    for (name, schema) in schemas() {
        for (key, definition) in schema.text["$defs"].as_object().into_iter().flatten() {
            let (other, before) = known.entry(key.clone()).or_insert_with(|| (name.clone(), definition.clone()));
            assert_eq!(before, definition, "{name} and {other} differ in {key}");
        }
    }
}

/// Every command has a schema: NAME.json, or one for each of its experiments.
#[test]
fn every_command_has_a_schema() {
    let names = schemas().into_keys().collect::<BTreeSet<_>>();
    let listed = |args: &[&str]| -> Vec<String> {
        let output = Command::new(BINARY).args(args).arg("--help").output().expect("the binary starts");
        let help = String::from_utf8(output.stdout).expect("help is UTF-8");
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let words = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        words.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
    };
    let others = ["help", "repl", "play", "lsp", "serve", "ugi", "uci"];
    let commands: Vec<String> = listed(&[]).into_iter().filter(|name| !others.contains(&name.as_str())).collect();
    assert!(commands.len() > 20, "the help lists {commands:?}");
    for command in commands {
        let below: Vec<String> = listed(&[&command]).into_iter().filter(|name| name != "help").collect();
        let wanted = match below.is_empty() {
            true => vec![command.clone()],
            false => below.iter().map(|experiment| format!("{command}-{experiment}")).collect(),
        };
        let missing: Vec<&String> = wanted.iter().filter(|name| !names.contains(*name)).collect();
        assert!(missing.is_empty(), "docs/schema has nothing for {missing:?} of {command}");
    }
}
