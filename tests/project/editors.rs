//! Tests the grammar of the VS Code extension: its words of the library are the predicates of the program.
//!
//! `ALPHORN_DOCS=write cargo test --test project editors` writes these words into the grammar.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const GRAMMAR: &str = "editors/vscode/syntaxes/alphorn.tmLanguage.json";

/// The names in the list of exports of a library text.
fn exports(source: &str) -> impl Iterator<Item = String> {
    let list = source.split_once(":- module(").and_then(|(_, rest)| rest.split_once('[')).map(|(_, rest)| rest);
    let list = list.and_then(|list| list.split_once("]).").or_else(|| list.split_once(']'))).map(|(list, _)| list);
    let words = list.expect("a library file is a module").split(|c: char| c == ',' || c.is_whitespace());
    words.filter_map(|word| word.trim().rsplit_once('/')).map(|(name, _)| name.replace(['(', ')'], ""))
}

/// The names of all predicates that rules can call without a library file.
fn library() -> BTreeSet<String> {
    let builtins = alphorn::builtins::table();
    let builtins = builtins.iter().map(|row| row.signature.name.to_string());
    let parts = alphorn::builtins::PARTS.iter().chain(alphorn::builtins::MODULES).flat_map(|part| exports(part.text));
    let names = builtins.chain(exports(alphorn::builtins::PRELUDE)).chain(parts);
    let is_plain = |name: &String| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    names.filter(is_plain).collect()
}

#[test]
fn the_grammar_colours_the_words_of_the_library() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GRAMMAR);
    let mut grammar: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("the grammar is there")).expect("JSON");
    let pattern = grammar.pointer_mut("/repository/name/patterns/0/match").expect("the first pattern of names");
    let found = pattern.as_str().expect("a pattern");
    let (before, rest) = found.split_once("(?:").expect("a group");
    let (words, after) = rest.split_once(')').expect("a group");
    let library = library();
    assert!(library.len() > 200, "{} words", library.len());
    let wanted = library.iter().map(String::as_str).collect::<Vec<_>>().join("|");
    if words == wanted {
        return;
    }
    let is_written = std::env::var_os("ALPHORN_DOCS").is_some_and(|value| value == "write");
    assert!(is_written, "{GRAMMAR} has other words of the library: run this test with ALPHORN_DOCS=write");
    *pattern = format!("{before}(?:{wanted}){after}").into();
    let text = serde_json::to_string_pretty(&grammar).expect("JSON has names for keys") + "\n";
    fs::write(&path, text).expect("the grammar can be written");
}
