//! Runs `examples/session.py`, which shares no code with Alphorn and its tests: a whole game over the protocol. Every
//! line that the script sends or gets must match its schema.

use serde_json::Value;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn validator(name: &str) -> jsonschema::Validator {
    let path = format!("{ROOT}/docs/schema/protocol-{name}.json");
    let text = std::fs::read_to_string(path).expect("a schema");
    jsonschema::draft202012::new(&serde_json::from_str(&text).expect("JSON")).expect("a schema")
}

#[test]
fn a_foreign_script_plays_a_whole_game() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|python| python.status.success()) {
        eprintln!("not run: there is no python3");
        return;
    }
    let script = format!("{ROOT}/examples/session.py");
    let run = Command::new("python3").args([&script, env!("CARGO_BIN_EXE_alphorn"), "-v"]).output();
    let run = run.expect("python3 has run before");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).expect("the script writes UTF-8");
    let validators = ["request", "reply", "event", "error"].map(|name| (name, validator(name)));
    let mut seen = [0; 4];
    for line in text.lines().filter(|line| line.starts_with("> ") || line.starts_with("< ")) {
        let (sent, json) = line.split_at(2);
        let json: Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {line}"));
        let kind = match (sent, json.get("reply"), json.get("event")) {
            ("> ", ..) => 0,
            (_, Some(_), _) => 1,
            (_, _, Some(_)) => 2,
            _ => 3,
        };
        let (name, validator) = &validators[kind];
        seen[kind] += 1;
        if let Some(error) = validator.iter_errors(&json).next() {
            panic!("{name}: {error}: {line}");
        }
    }
    assert_eq!(seen[0], seen[1] + seen[3], "each request has one answer: {text}");
    for told in [
        "error: apend/3 is not defined - did you mean append/3?",
        "depth 6 value 5 reply",
        "solved: -3",
        "with a bonus: 0",
        "- the outcome is max",
        "game 4",
        "stopped: True with a move: True",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
}
