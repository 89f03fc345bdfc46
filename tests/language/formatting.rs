//! The formatter: the clauses and comments of all rules of the project stay, and a formatted text stays.

use alphorn::lang::ast::Sentence;
use alphorn::lang::format::{declare, format};
use alphorn::lang::lexer::words;
use alphorn::lang::ops::Ops;
use alphorn::lang::read;
use alphorn::lang::token::TokenKind;
use alphorn::rules::examples;
use alphorn::source::SourceId;
use alphorn::symbol::atoms;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::fs;
use std::path::{Path, PathBuf};

const SOURCE: SourceId = SourceId(0);

/// The words of a text, without their places.
fn tokens(text: &str) -> Vec<TokenKind> {
    let (mut found, mut from) = (Vec::new(), 0);
    while from < text.len() {
        let words = words(SOURCE, text, from);
        found.extend(words.tokens.into_iter().map(|token| token.word));
        found.extend(words.stop.map(|_| TokenKind::Mark('.')));
        from = words.next.max(from + 1);
    }
    found
}

/// The sentences of a text as terms; `None` for those that cannot be read.
fn sentences(text: &str) -> Vec<Option<Vec<String>>> {
    let mut ops = Ops::default();
    ops.add_extras();
    let shown = |sentence: &Sentence| sentence.tree.nodes().map(|(_, kind)| format!("{kind:?}")).collect();
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(next) = read::clause(SOURCE, text, from, &ops) {
        found.push(match (next.problem, next.sentence) {
            (None, Some(sentence)) => {
                if let Some(directive) = sentence.tree.unary(sentence.root, atoms::NECK) {
                    declare(&mut ops, &sentence.tree, directive);
                }
                Some(shown(&sentence))
            }
            _ => None,
        });
        from = next.next;
    }
    found
}

/// The comments of a text to the ends of lines, in their order.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.find("%%%").map(|at| line[at..].trim_end())).collect()
}

#[track_caller]
fn check(name: &str, text: &str) {
    let found = format(text);
    let again = format(&found.text);
    assert_eq!(again.text, found.text, "{name}: formatting again changes the text");
    assert_eq!(tokens(text), tokens(&found.text), "{name}: the words differ");
    let (before, after) = (sentences(text), sentences(&found.text));
    for (number, pair) in before.iter().zip(&after).enumerate() {
        assert_eq!(pair.0, pair.1, "{name}: clause {number} differs");
    }
    assert_eq!(before.len(), after.len(), "{name}: the number of clauses differs");
    assert_eq!(comments(text), comments(&found.text), "{name}: the comments differ");
}

/// All files of rules below a folder.
fn rules(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => rules(&path, found),
            false if path.extension().is_some_and(|ending| ending == "pl") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn the_rules_of_the_project_stay_the_same_clauses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    ["games", "lib", "tests", "crates/prolog/src/builtins"]
        .iter()
        .for_each(|folder| rules(&root.join(folder), &mut files));
    assert!(files.len() > 500, "only {} files", files.len());
    for path in files {
        // Some tests are about texts that are not UTF-8.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        check(&path.display().to_string(), &text);
    }
}

#[test]
fn shipped_rules_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    ["games", "lib", "templates", "crates/prolog/src/builtins"]
        .iter()
        .for_each(|folder| rules(&root.join(folder), &mut files));
    for path in files {
        let text = fs::read_to_string(&path).expect("rules are UTF-8");
        assert_eq!(format(&text).text, text, "run alphorn fmt {}", path.display());
    }
}

/// A text with other layout: blanks, tabs, line breaks and comments come and go.
fn shaken(text: &str, random: &mut Xoshiro256PlusPlus) -> String {
    let mut found = String::new();
    let mut chars = text.chars().peekable();
    let (mut in_comment, mut in_quotes) = (false, false);
    while let Some(c) = chars.next() {
        in_comment = c != '\n' && (in_comment || c == '%' && !in_quotes);
        in_quotes = c != '\n' && in_quotes ^ (c == '\'' && !in_comment);
        let odds = random.random_range(0..40);
        match c {
            c if in_quotes => found.push(c),
            ' ' if !in_comment && odds == 0 => found.push('\n'),
            ' ' if !in_comment && odds == 1 => found.push('\t'),
            ' ' if !in_comment && odds < 4 => found.push_str("   "),
            ' ' if !in_comment && odds == 4 && chars.peek().is_some_and(|next| next.is_alphabetic()) => {
                found.push_str(" /* here */ ");
            }
            ',' if !in_comment && odds < 3 && chars.peek() == Some(&' ') => {
                found.push(',');
                chars.next();
            }
            '\n' if odds == 0 => found.push_str(" %%% a remark\n"),
            '\n' if odds < 3 => found.push_str("\n\n\n\n"),
            c => found.push(c),
        }
    }
    found
}

#[test]
fn texts_with_other_layout_stay_the_same_clauses() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    for (name, text) in examples().iter().filter(|(_, text)| text.len() < 12_000) {
        for number in 0..12 {
            let text = shaken(text, &mut random);
            check(&format!("{name}, number {number}:\n{text}"), &text);
        }
    }
}

#[test]
fn damaged_texts_stay_the_same_words() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(22);
    for (name, text) in examples().iter().filter(|(_, text)| text.len() < 6_000) {
        for number in 0..12 {
            let mut chars: Vec<char> = text.chars().collect();
            for _ in 0..random.random_range(1..6) {
                let at = random.random_range(0..chars.len());
                let with = *['(', ')', '\'', '"', '.', ',', ' ', '%', '-', '\n', '\t', '[', '0']
                    .get(random.random_range(0..13))
                    .expect("one of 13");
                match random.random_range(0..3) {
                    0 => drop(chars.remove(at)),
                    1 => chars.insert(at, with),
                    _ => chars[at] = with,
                }
            }
            let text: String = chars.into_iter().collect();
            let found = format(&text);
            assert_eq!(format(&found.text).text, found.text, "{name}, number {number}:\n{text}");
            assert_eq!(tokens(&text), tokens(&found.text), "{name}, number {number}:\n{text}");
        }
    }
}
