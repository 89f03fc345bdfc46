//! Runs every example of README.md, CONTRIBUTING.md and docs/, and compares the reference with the tables of
//! the program.
//!
//! Tags of a fenced block: `sh` contains lines `$ command`, each with its output on both streams; `sh ignore`
//! is not run. `prolog NAME` is written to this file and must load; `prolog` is a program without a file and
//! must load; `prolog A0201` or `prolog NAME A0201` must have this problem; `prolog NAME overlay` is only
//! written. `query` contains goals with their answers, for the last program under the same heading, or for
//! the library alone. `session ARGUMENTS` is a session at the prompt; typed lines begin with `?- `. `python` is
//! a session of Python that `python/tests` runs. A line `...` stands for any lines. All times count as equal,
//! and JSON may have any layout. Each page has its own folder, with the shipped games in `games/` and the
//! libraries in `lib/`.
//!
//! `ALPHORN_DOCS=write cargo test --test program docs` writes the real output into the pages instead of
//! reporting differences. Read the diff afterwards.
#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_alphorn");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_readme_runs() {
    runs("README.md");
}

#[test]
fn the_language_reference_runs() {
    runs("docs/language.md");
}

#[test]
fn the_commands_run() {
    runs("docs/commands.md");
}

#[test]
fn the_page_on_engines_runs() {
    runs("docs/engines.md");
}

#[test]
fn the_diagnostics_run() {
    runs("docs/diagnostics.md");
}

#[test]
fn the_first_page_runs() {
    runs("docs/first.md");
}

#[test]
fn the_tutorial_runs() {
    runs("docs/tutorial.md");
}

#[test]
fn the_page_on_advice_runs() {
    runs("docs/advice.md");
}

#[test]
fn the_page_on_chance_runs() {
    runs("docs/chance.md");
}

#[test]
fn the_page_on_tuning_runs() {
    runs("docs/tuning.md");
}

#[test]
fn the_architecture_page_runs() {
    runs("docs/architecture.md");
}

#[test]
fn the_page_on_changes_runs() {
    runs("docs/changes.md");
}

#[test]
fn the_page_on_the_machine_runs() {
    runs("docs/machine.md");
}

#[test]
fn the_page_on_the_prompt_runs() {
    runs("docs/prompt.md");
}

#[test]
fn the_page_on_the_protocol_runs() {
    runs("docs/protocol.md");
}

#[test]
fn the_page_on_python_runs() {
    runs("docs/python.md");
}

#[test]
fn the_page_on_profiles_runs() {
    runs("docs/profile.md");
}

#[test]
fn the_page_on_speed_runs() {
    runs("docs/speed.md");
}

#[test]
fn the_page_on_checks_in_a_repository_runs() {
    runs("docs/ci.md");
}

#[test]
fn the_page_on_editors_runs() {
    runs("docs/editors.md");
}

#[test]
fn the_page_on_studio_runs() {
    runs("docs/studio.md");
}

#[test]
fn the_glossary_runs() {
    runs("docs/glossary.md");
}

#[test]
fn the_page_for_prolog_users_runs() {
    runs("docs/prolog.md");
}

#[test]
fn the_lessons_run() {
    runs("docs/teaching.md");
}

#[test]
fn the_gallery_runs() {
    runs("docs/gallery.md");
}

#[test]
fn the_guide_for_contributors_runs() {
    runs("CONTRIBUTING.md");
}

/// The reference names every predicate that rules can call.
#[test]
fn the_reference_names_every_predicate() {
    let page = text("docs/language.md");
    let builtins = alphorn::builtins::table();
    let builtins = builtins
        .iter()
        .map(|row| format!("{}/{}", row.signature.name, row.signature.arity))
        .filter(|name| !name.starts_with('$'));
    let missing: Vec<String> = builtins
        .chain(exports(alphorn::builtins::PRELUDE))
        .chain(alphorn::builtins::PARTS.iter().flat_map(|part| exports(part.text)))
        .chain(alphorn::builtins::MODULES.iter().flat_map(|part| exports(part.text)))
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "docs/language.md says nothing of {missing:?}");
}

/// The reference names every predicate of the library files.
#[test]
fn the_reference_names_the_library_files() {
    let page = text("docs/language.md");
    for entry in fs::read_dir(Path::new(ROOT).join("lib")).expect("lib/ is a folder") {
        let path = entry.expect("lib/ can be listed").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("library files have plain names");
        assert!(page.contains(&format!("library({stem})")), "docs/language.md says nothing of library({stem})");
        let source = fs::read_to_string(&path).expect("library files can be read");
        let missing: Vec<String> =
            exports(&source).into_iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
        assert!(missing.is_empty(), "docs/language.md says nothing of {missing:?} of {}", path.display());
    }
}

/// The commands page has a section for every command that `--help` lists.
#[test]
fn the_commands_page_has_every_command() {
    let page = text("docs/commands.md");
    let folder = folder("help");
    let help = String::from_utf8(alphorn(&["--help"], &folder).stdout).expect("help is UTF-8");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| line.starts_with("  "));
    // Continuation lines have more indentation.
    let listed = listed.filter(|line| !line.starts_with("   "));
    for command in listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(page.contains(&format!("\n## `alphorn {command}`")), "docs/commands.md has no section for {command}");
        let help = String::from_utf8(alphorn(&[command, "--help"], &folder).stdout).expect("help is UTF-8");
        let flags = help
            .split_whitespace()
            .filter(|word| word.starts_with("--"))
            .map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()));
        let missing: Vec<&str> = flags.filter(|flag| flag.len() > 2 && !page.contains(&format!("`{flag}"))).collect();
        assert!(missing.is_empty(), "docs/commands.md says nothing of {missing:?} of {command}");
    }
}

fn text(page: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The predicates that a library file exports, as name/arity.
fn exports(source: &str) -> Vec<String> {
    let list = source
        .split_once(":- module(")
        .and_then(|(_, rest)| {
            Some(rest.split_once('[')?.1.split_once("]).").or_else(|| rest.split_once('[')?.1.split_once(']'))?.0)
        })
        .expect("a library file is a module");
    let words = list.split(|c: char| c == ',' || c.is_whitespace()).map(|word| word.trim().replace(['(', ')'], ""));
    words
        .filter(|word| {
            word.rsplit_once('/').is_some_and(|(name, arity)| !name.is_empty() && arity.parse::<u8>().is_ok())
        })
        .collect()
}

/// A new folder with links to the shipped games and libraries.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("alphorn-docs-{}-{}", std::process::id(), name.replace('/', "-")));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder can be made");
    for shipped in ["games", "lib"] {
        symlink(Path::new(ROOT).join(shipped), path.join(shipped)).expect("a folder can be linked");
    }
    path
}

fn quiet(command: &mut Command, folder: &Path) -> Output {
    let bin = Path::new(BINARY).parent().expect("the binary lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("LC_ALL", "C.UTF-8")
        .env("NO_COLOR", "1");
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn alphorn(args: &[&str], folder: &Path) -> Output {
    quiet(Command::new(BINARY).args(args), folder)
}

fn json(args: &[&str], folder: &Path) -> Value {
    let output = alphorn(args, folder);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"))
}

/// A fenced block of a page.
struct Block {
    line: usize,
    tag: String,
    section: usize,
    body: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut open, mut section) = (false, 0);
    for (number, line) in page.lines().enumerate() {
        if let Some(tag) = line.strip_prefix("```") {
            open = !open;
            if open {
                let (line, tag) = (number + 1, tag.trim().to_string());
                found.push(Block { line, tag, section, body: Vec::new() });
            }
        } else if open {
            found.last_mut().expect("a block is open").body.push(line.to_string());
        } else if line.starts_with('#') {
            section += 1;
        }
    }
    assert!(!open, "a block is never closed");
    found
}

/// Runs the blocks of a page in order and collects all errors.
fn runs(page: &str) {
    let folder = folder(page);
    let page_text = text(page);
    let mut wrong: Vec<String> = Vec::new();
    let mut mended = page_text.clone();
    let mut program: Option<(usize, String)> = None;
    for block in blocks(&page_text) {
        let words: Vec<&str> = block.tag.split_whitespace().collect();
        let questions = match words.as_slice() {
            ["sh", "ignore"] | ["text" | "rust" | "python"] => Vec::new(),
            ["sh"] => shell(&block, &folder),
            ["session", arguments @ ..] => sitting(&block, arguments, &folder),
            ["query"] => {
                let file =
                    program.as_ref().filter(|(section, _)| *section == block.section).map(|(_, file)| file.as_str());
                asked(&block, file, &folder)
            }
            ["prolog", rest @ ..] => {
                let name = rest.iter().find(|word| word.ends_with(".pl"));
                let file = name.map_or(format!("fragment-{}.pl", block.line), ToString::to_string);
                fs::write(folder.join(&file), block.body.join("\n") + "\n").expect("a program can be written");
                wrong.extend(written(rest, &file, &folder).map(|message| format!("{page}:{}: {message}", block.line)));
                program = Some((block.section, file));
                Vec::new()
            }
            _ => panic!("{page}:{}: no test knows the tag `{}`", block.line, block.tag),
        };
        for question in questions.iter().filter(|question| !question.holds) {
            wrong.push(format!("{page}:{}: {}", block.line, question.told()));
            mended = mended.replacen(&question.shown(&question.expected), &question.shown(&question.found), 1);
        }
    }
    let _ = fs::remove_dir_all(&folder);
    if std::env::var_os("ALPHORN_DOCS").is_some_and(|value| value == "write") {
        fs::write(Path::new(ROOT).join(page), mended).expect("a page can be written");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}

/// A goal or command, its output in the page and its real output.
struct Question {
    line: String,
    expected: Vec<String>,
    found: Vec<String>,
    holds: bool,
}

impl Question {
    fn shown(&self, answer: &[String]) -> String {
        answer.iter().fold(format!("{}\n", self.line), |text, line| text + line + "\n")
    }

    fn told(&self) -> String {
        format!("{}\ninstead of\n{}", self.shown(&self.found), self.expected.join("\n"))
    }
}

/// The errors of a program in a block, which the tags of the block describe.
fn written(tags: &[&str], file: &str, folder: &Path) -> Option<String> {
    match tags.iter().find(|tag| tag.starts_with("A0")) {
        None if tags.contains(&"overlay") => None,
        None => loads(file, folder),
        Some(code) => has(code, file, folder),
    }
}

fn loads(file: &str, folder: &Path) -> Option<String> {
    let found = json(&["query", file, "true", "--json"], folder);
    (!found["answers"].is_array()).then(|| format!("{file} does not load: {found}"))
}

fn has(code: &str, file: &str, folder: &Path) -> Option<String> {
    let found = json(&["check", file, "--json"], folder);
    let problems = found["files"][0]["problems"].as_array().cloned().unwrap_or_default();
    let told = problems.iter().any(|problem| problem["code"] == code);
    (!told).then(|| format!("there is no {code}: {found}"))
}

/// Runs goals and compares their answers.
fn asked(block: &Block, file: Option<&str>, folder: &Path) -> Vec<Question> {
    let ask = |(line, expected): (String, Vec<String>)| {
        let goal = line.trim_start_matches("?- ").trim_end_matches('.');
        let args: Vec<&str> = ["query", "--json"].into_iter().chain(file).chain(["--", goal]).collect();
        let found = answers(&json(&args, folder));
        Question { holds: matches(&expected, &found), line, expected, found }
    };
    split(&block.body, "?- ").into_iter().map(ask).collect()
}

fn answers(found: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for answer in found["answers"].as_array().into_iter().flatten().filter_map(Value::as_object) {
        let bindings: Vec<String> =
            answer.iter().map(|(name, value)| format!("{name} = {}", value.as_str().unwrap_or_default())).collect();
        lines.push(if bindings.is_empty() { "true".to_string() } else { bindings.join(", ") });
    }
    if let Some(error) = found["error"].as_object() {
        lines.push(format!("error: {}", error.get("term").and_then(Value::as_str).unwrap_or("the goal was not asked")));
    } else if lines.is_empty() {
        lines.push("false".to_string());
    }
    lines
}

/// Runs commands and compares their output.
fn shell(block: &Block, folder: &Path) -> Vec<Question> {
    let mut status = 0;
    let ask = |(line, expected): (String, Vec<String>)| {
        let command = line.trim_start_matches("$ ").replace("cargo run --release -- ", "alphorn ");
        let script = format!("(exit {status})\n{{ {command}\n}} 2>&1");
        let output = quiet(Command::new("sh").arg("-c").arg(script), folder);
        status = output.status.code().unwrap_or(-1);
        let printed = String::from_utf8_lossy(&output.stdout);
        let mut found: Vec<String> = printed.lines().map(|line| line.trim_end().to_string()).collect();
        let holds = match (object(&expected), object(&found)) {
            (Some(expected), Some(value)) => {
                found = laid_out(&value);
                without_time(expected) == without_time(value)
            }
            _ => alike(&expected, &found),
        };
        Question { line, expected, found, holds }
    };
    split(&block.body, "$ ").into_iter().map(ask).collect()
}

/// Runs a session at the prompt; a pipe sends all lines.
fn sitting(block: &Block, arguments: &[&str], folder: &Path) -> Vec<Question> {
    let script: String =
        block.body.iter().filter_map(|line| line.strip_prefix("?- ")).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("script"), script).expect("a script can be written");
    let command = format!("{BINARY} repl --echo {} < script 2>&1", arguments.join(" "));
    let output = quiet(Command::new("sh").arg("-c").arg(command), folder);
    let printed = String::from_utf8_lossy(&output.stdout);
    let found: Vec<String> = printed.trim_end().lines().map(|line| line.trim_end().to_string()).collect();
    let holds = alike(&block.body, &found);
    vec![Question { line: String::new(), expected: block.body.clone(), found, holds }]
}

/// Parses the lines as one JSON object.
fn object(lines: &[String]) -> Option<Value> {
    serde_json::from_str(&lines.join("\n")).ok().filter(Value::is_object)
}

/// Formats an object with one line for each key.
fn laid_out(value: &Value) -> Vec<String> {
    let rows: Vec<String> =
        value.as_object().into_iter().flatten().map(|(key, value)| format!("  {key:?}: {value}")).collect();
    format!("{{\n{}\n}}", rows.join(",\n")).lines().map(str::to_string).collect()
}

/// Splits the lines of a block into questions, each with the lines that follow it.
fn split(body: &[String], mark: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in body {
        match (line.starts_with(mark), found.last_mut()) {
            (true, _) => found.push((line.to_string(), Vec::new())),
            (false, Some((_, answer))) => answer.push(line.trim_end().to_string()),
            (false, None) => panic!("a block begins with {mark}"),
        }
    }
    for (_, answer) in &mut found {
        while answer.last().is_some_and(String::is_empty) {
            answer.pop();
        }
    }
    found
}

/// Whether the lines are the expected lines; `...` stands for any lines.
fn matches(expected: &[String], found: &[String]) -> bool {
    let found = &found[..found.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1)];
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "..." => (0..=found.len()).any(|skip| matches(rest, &found[skip..])),
        Some((first, rest)) => found.split_first().is_some_and(|(line, others)| line == first && matches(rest, others)),
    }
}

/// Whether a command printed what a page shows, apart from times. On a busy machine a search may print a
/// table of its depths; rows that the page does not have are ignored.
fn alike(expected: &[String], found: &[String]) -> bool {
    let found = timeless(found);
    let (expected, brief) = (timeless(expected), without_depths(&found));
    matches(&expected, &found) || matches(&expected, &brief)
}

/// The lines without tables of depths.
fn without_depths(lines: &[String]) -> Vec<String> {
    let mut inside = false;
    let mut kept = lines.to_vec();
    kept.retain(|line| {
        let heading = line.starts_with("depth ") && line.ends_with("line");
        inside = heading || (inside && line.starts_with(' '));
        !inside
    });
    kept
}

/// Replaces times such as `0.12 s` by `0.00 s`, and removes positions per second.
fn timeless(lines: &[String]) -> Vec<String> {
    let one = |line: &String| {
        let Some(number) = line.strip_suffix(" s") else { return line.clone() };
        let speed = number.find(" (").zip(number.find(" a second)"));
        let number = &speed.map_or_else(
            || number.to_string(),
            |(from, to)| format!("{}{}", &number[..from], &number[to + " a second)".len()..]),
        );
        let start = number.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
        format!("{}0.00 s", &number[..start])
    };
    lines.iter().map(one).collect()
}

fn without_time(mut value: Value) -> Value {
    for key in ["seconds", "nodes_per_second"] {
        if let Some(measured) = value.get_mut(key) {
            *measured = Value::Null;
        }
    }
    value
}
