//! Tests the dependencies between modules, and the text of the source files.
//!
//! The input is the files of `src/` and of `crates/*/src/`. The compiler checks the dependencies between
//! crates. [`ROOMS`] lists the modules of every crate and the modules that each may use. A commit that adds
//! an import changes this table too, with a reason. The checks take a path and a text, so that tests can show
//! that they find planted mistakes.

use std::fs;
use std::path::{Path, PathBuf};

/// Each row: a module, its crate, and the modules that it may use. A module is below every module that uses
/// it in the table.
const ROOMS: &[(&str, &str, &[&str])] = &[
    ("source", "text", &[]),
    ("code", "text", &[]),
    // Code that loads or waits sets a mark, which the handler of Ctrl-C reads.
    ("interrupt", "text", &[]),
    // Decides which characters may be printed; every module that draws a text of rules uses it.
    ("printable", "text", &[]),
    ("symbol", "text", &[]),
    ("signature", "text", &["symbol"]),
    ("report", "text", &["code", "source", "printable"]),
    ("game", "search", &[]),
    ("search", "search", &["game"]),
    // Solving uses the limits and the line ends of a search, and stores positions.
    ("solve", "search", &["game", "search"]),
    // Follows an advice table; uses no search to judge the advice.
    ("advice", "search", &["game"]),
    // Checks proofs; shares no code with the solver that finds them.
    ("verify", "search", &["game"]),
    ("numerics", "lab", &[]),
    // Plays games between move choosers; only its tests use a search.
    ("arena", "lab", &["game", "search", "numerics"]),
    // Fits and climbs with numbers alone.
    ("tuning", "lab", &["numerics"]),
    // Repeats a search plainly and keeps its tree, which the searches do not keep; draws it for any front
    // end.
    ("tree", "lab", &["game", "search", "report", "printable"]),
    // Searches artificial trees and measures games; a user of `search`, not a part of it.
    ("lab", "lab", &["game", "search", "tree"]),
    ("lang", "lang", &["source", "symbol", "report", "code", "signature", "printable"]),
    ("term", "prolog", &["lang", "symbol", "printable"]),
    ("machine", "prolog", &["term", "lang", "signature", "symbol", "source"]),
    ("builtins", "prolog", &["machine", "term", "lang", "signature", "symbol", "source"]),
    // Proves goals by its own interpreter to explain them; uses answers of the machine, but no game.
    ("reason", "prolog", &["machine", "term", "lang", "signature", "symbol", "source"]),
    // Uses `reason` to explain why an evaluation or a picture fails.
    (
        "rules",
        "rules",
        &[
            "reason",
            "builtins",
            "machine",
            "term",
            "lang",
            "report",
            "code",
            // Checks read the facts of builtins.
            "signature",
            "symbol",
            "source",
            "advice",
            "game",
            "interrupt",
        ],
    ),
    (
        "session",
        "session",
        &[
            "rules",
            "reason",
            "machine",
            "term",
            "lang",
            "report",
            "code",
            "symbol",
            "source",
            "advice",
            "arena",
            "lab",
            "search",
            "solve",
            "tree",
            "verify",
            "game",
            "builtins",
            "interrupt",
            "printable",
        ],
    ),
    // Answers an editor from texts alone; runs no rules and no search.
    ("ide", "ide", &["rules", "builtins", "machine", "lang", "report", "signature", "source", "symbol"]),
    ("codes", "protocol", &[]),
    // Requests and replies of the front ends; draws nothing.
    (
        "protocol",
        "protocol",
        &[
            "session",
            "ide",
            "rules",
            "reason",
            "term",
            "lang",
            "report",
            "code",
            "source",
            "symbol",
            "advice",
            "arena",
            "tuning",
            "lab",
            "search",
            "solve",
            "tree",
            "game",
            "codes",
            "interrupt",
            "printable",
        ],
    ),
    // Speaks with an editor; draws nothing, and runs rules by the protocol and the session.
    ("lsp", "lsp", &["ide", "protocol", "session", "rules", "lang", "report", "code", "source", "symbol"]),
    // Carries lines between a browser and the protocol; knows no request but those about the opened file.
    ("studio", "studio", &["protocol", "session", "report", "code", "source"]),
    (
        "cli",
        "alphorn",
        &[
            "lsp",
            "studio",
            "protocol",
            "session",
            "rules",
            "reason",
            "lang",
            "report",
            "code",
            "source",
            "search",
            "tree",
            "game",
            "codes",
            "interrupt",
            "printable",
        ],
    ),
];

/// Words that the modules for play must not contain.
const TERMS: &[&str] =
    &["Term", "Packed", "Heap", "Clause", "PredId", "NodeId", "TermTree", "Goal", "Program", "Atom", "Position"];

const MOST_LINES: usize = 500;

/// Files that may be longer, each with the reason.
const LONGER: &[(&str, usize, &str)] =
    &[("machine/engine/run.rs", 820, "one loop over all operations, whose parts share every local")];

/// The module of a file, by its path under `src/` of its crate; none for `lib.rs` and `main.rs`.
pub(crate) fn room(path: &str) -> Option<&str> {
    let first = path.split('/').next().unwrap_or(path);
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib" && name != "main").then_some(name)
}

/// The text without comments. Strings stay, because no string looks like an import.
fn code(text: &str) -> String {
    let bare = |line: &str| match line.find("//") {
        Some(at) if !line[..at].ends_with(':') => line[..at].to_string(),
        _ => line.to_string(),
    };
    text.lines().map(bare).collect::<Vec<_>>().join("\n")
}

/// The part of a file before its tests.
pub(crate) fn before_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// The Rust names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The crates of the library.
const CRATES: &[&str] =
    &["text", "search", "lab", "lang", "prolog", "rules", "session", "ide", "protocol", "lsp", "studio"];

/// The modules that a text names after `crate::` or after a crate of the workspace, also in groups.
fn imports(text: &str) -> Vec<String> {
    let mut code = code(text);
    for name in CRATES {
        code = code.replace(&format!("alphorn_{name}::"), "crate::");
    }
    let mut found = Vec::new();
    for after in code.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            Some(group) => found.extend(group_heads(group)),
            None => found.extend(words(after).next().map(str::to_string)),
        }
    }
    found
}

/// The first names of the paths in `a::b, c::{d, e}}`.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let (mut depth, mut at_head) = (0, true);
    let mut rest = group;
    while let Some(c) = rest.chars().next() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_head = true,
            _ if at_head && c.is_alphabetic() => {
                heads.extend(words(rest).next().map(str::to_string));
                at_head = false;
            }
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    heads
}

/// The forbidden imports of one file.
fn import_breaches(path: &str, text: &str) -> Vec<String> {
    let Some(home) = room(path) else { return Vec::new() };
    let Some((.., allowed)) = ROOMS.iter().find(|(name, ..)| *name == home) else {
        return vec![format!("{path}: the module {home} is unknown: add it to ROOMS")];
    };
    let mut found: Vec<String> = Vec::new();
    for name in imports(text) {
        if name != home && !allowed.contains(&name.as_str()) {
            found.push(format!("{path}: {home} must not use {name}; if it should, change ROOMS and give the reason"));
        }
    }
    // In the top file of a module, `super` is the whole crate.
    let top = !path.contains('/') || path.ends_with("/mod.rs");
    let is_room = |after: &str| words(after).next().is_some_and(|word| ROOMS.iter().any(|(room, ..)| *room == word));
    let serious = code(before_tests(text));
    if serious.contains("super::super::") || (top && serious.split("super::").skip(1).any(is_room)) {
        found.push(format!("{path}: super:: leaves the room: write crate::"));
    }
    found
}

/// The breaches of the coding rules in one file.
fn manner_breaches(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut tell = |what: String| found.push(format!("{path}: {what}"));
    if !text.starts_with("//! ") {
        tell("does not open with //! and what it is for".into());
    }
    let lines = text.lines().count();
    let most = LONGER.iter().find(|(longer, ..)| *longer == path).map_or(MOST_LINES, |(_, most, _)| *most);
    if lines > most {
        tell(format!("has {lines} lines: look for the second idea"));
    }
    for word in ["TODO", "FIXME"] {
        if words(text).any(|other| other == word) {
            tell(format!("has a {word}: an unfinished thought is an issue"));
        }
    }
    for macro_call in ["todo!", "dbg!", "unimplemented!"] {
        if text.contains(macro_call) {
            tell(format!("has {macro_call}"));
        }
    }
    let serious = code(before_tests(text));
    if serious.contains("use super::*") {
        tell("imports super::* outside tests".into());
    }
    if serious.contains(".unwrap()") {
        tell("unwraps outside tests: write expect with the reason".into());
    }
    if matches!(room(path), Some("search" | "game" | "arena" | "lab" | "solve" | "verify" | "advice")) {
        // A forcing tree is not a tree of terms.
        for word in TERMS.iter().filter(|word| room(path) != Some("advice") || **word != "Tree") {
            if words(&serious).any(|other| other == *word) {
                tell(format!("mentions {word}: the rooms that play know no terms"));
            }
        }
    }
    found
}

/// The source files of each crate, with its name: paths below its `src/`, and texts.
pub(crate) fn crates() -> Vec<(String, Vec<(String, String)>)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = CRATES.iter().map(|name| (*name, top.join("crates").join(name)));
    folders.chain([("alphorn", top.to_path_buf())]).map(|(name, at)| (name.into(), below(&at.join("src")))).collect()
}

/// Every file of the program: its path in the sources of its crate, and its text.
pub(crate) fn files() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = crates().into_iter().flat_map(|(_, files)| files).collect();
    found.sort();
    assert!(found.len() > 30, "only {} files were found", found.len());
    found
}

fn below(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).expect("it lies in src").to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).expect("a file can be read")));
            }
        }
    }
    found
}

/// The checks cover only crates in this list, so the list must be complete.
#[test]
fn every_crate_is_looked_at() {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")).expect("the crates are there");
    let mut there: Vec<String> =
        entries.map(|entry| entry.expect("an entry can be read").file_name().to_string_lossy().into_owned()).collect();
    let mut known = CRATES.to_vec();
    there.sort();
    known.sort();
    assert_eq!(there, known);
}

fn none(breaches: Vec<String>) {
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn imports_point_down() {
    none(files().iter().flat_map(|(path, text)| import_breaches(path, text)).collect());
}

#[test]
fn every_file_keeps_the_manners_of_the_house() {
    none(files().iter().flat_map(|(path, text)| manner_breaches(path, text)).collect());
}

#[test]
fn every_module_stands_below_what_it_uses() {
    for (at, (room, _, uses)) in ROOMS.iter().enumerate() {
        for used in *uses {
            assert!(ROOMS[..at].iter().any(|(above, ..)| above == used), "{room} uses {used}, which stands below it");
        }
    }
}

/// The page on architecture lists the crates and modules of the program.
#[test]
fn the_page_on_architecture_lists_these_crates() {
    let page = fs::read_to_string("docs/architecture.md").expect("the page is there");
    let mut listed = Vec::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, name, rooms, ..] = cells[..]
            && let Some(name) = name.strip_prefix("`crates/").and_then(|name| name.strip_suffix('`'))
        {
            listed.extend(rooms.split(", ").map(|room| (room.trim_matches('`').to_string(), name.to_string())));
        }
    }
    let own = ROOMS.iter().filter(|(_, home, _)| *home != "alphorn");
    let mut kept: Vec<(String, String)> = own.map(|(room, home, _)| (room.to_string(), home.to_string())).collect();
    listed.sort();
    kept.sort();
    assert_eq!(listed, kept);
}

/// A permission that no import uses any more would allow the import to return unnoticed.
#[test]
fn every_permission_is_used() {
    let files = files();
    for (home, _, uses) in ROOMS {
        let used: Vec<String> =
            files.iter().filter(|(path, _)| room(path) == Some(home)).flat_map(|(_, text)| imports(text)).collect();
        assert!(files.iter().any(|(path, _)| room(path) == Some(home)), "there is no module {home}");
        for other in *uses {
            assert!(used.iter().any(|name| name == other), "{home} may use {other} and does not: take it out of ROOMS");
        }
    }
}

#[test]
fn planted_imports_are_seen() {
    let seen = |path: &str, text: &str| !import_breaches(path, text).is_empty();
    assert!(seen("search/perft.rs", "//! x\nuse crate::term::Term;\n"));
    assert!(seen("search/perft.rs", "//! x\nfn f() -> crate::rules::Rules {}\n"));
    assert!(seen("lang/load.rs", "//! x\nuse crate::{source::Source, machine::{Ask, Solver}};\n"));
    assert!(seen("rules/game.rs", "//! x\nuse crate::search::run;\n"));
    assert!(seen("session/mod.rs", "//! x\nuse crate::cli::Ended;\n"));
    assert!(seen("cli/query.rs", "//! x\nuse crate::term::Term;\n"));
    assert!(seen("source.rs", "//! x\nuse super::report::Problem;\n"));
    assert!(seen("game/score.rs", "//! x\nuse super::super::lang;\n"));
    assert!(seen("attic/mod.rs", "//! x\n"));
    assert!(seen("lang/load.rs", "//! x\nuse crate::nowhere::Thing;\n"));
    let fine = "//! See crate::cli.\nuse crate::{lang::{ast::Tree, Options}, symbol::Atom};\nuse super::heap::Heap; // crate::cli\n";
    assert_eq!(import_breaches("term/write.rs", fine), Vec::<String>::new());
    assert_eq!(import_breaches("lib.rs", "use crate::cli::run;"), Vec::<String>::new());
}

#[test]
fn planted_bad_manners_are_seen() {
    let seen = |path: &str, text: &str| !manner_breaches(path, text).is_empty();
    assert!(!seen(
        "lang/load.rs",
        "//! Loads.\n#[cfg(test)]\nmod tests {\n    use super::*;\n    fn f() { x.unwrap() }\n}\n"
    ));
    assert!(seen("lang/load.rs", "fn f() {}\n"));
    assert!(seen("lang/load.rs", &format!("//! x\n{}", "\n".repeat(500))));
    assert!(seen("lang/load.rs", "//! x\n// TODO later\n"));
    assert!(seen("lang/load.rs", "//! x\nfn f() { dbg!(1); }\n"));
    assert!(seen("lang/load.rs", "//! x\nfn f() { x.unwrap() }\n"));
    assert!(seen("lang/load.rs", "//! x\nuse super::*;\n"));
    assert!(seen("game/score.rs", "//! x\nfn f(term: &Term) {}\n"));
    assert!(!seen("game/score.rs", "//! Knows no Term.\nfn f() {}\n"));
}
