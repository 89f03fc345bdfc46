//! Every diagnostic's code: what it means, a wrong example and the same example corrected.
//!
//! In: the page `docs/codes.md`, the only source of these texts. Out: the rows that `alphorn explain`
//! prints; a test runs every wrong and right example.

use std::sync::LazyLock;

/// A code and its explanation.
pub struct Code {
    /// Such as `A0201`; never used again for something else.
    pub code: &'static str,
    /// In a few words.
    pub title: String,
    /// What it means, and what to do.
    pub text: String,
    /// A file that has the problem; empty if no single file shows it.
    pub wrong: &'static str,
    /// The same file corrected.
    pub right: &'static str,
}

const PAGE: &str = include_str!("../codes.md");

/// All codes, in order.
pub static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| PAGE.split("\n## ").skip(1).map(section).collect());

/// One section of the page: the code, `*the title*`, paragraphs, and two examples or none.
fn section(section: &'static str) -> Code {
    let (code, rest) = section.split_once('\n').unwrap_or((section, ""));
    let (prose, examples) = rest.split_once("\nWrong:\n").unwrap_or((rest, ""));
    let (title, text) = prose.trim().split_once('\n').unwrap_or((prose, ""));
    let mut blocks = examples.split("```prolog\n").skip(1).map(|block| block.split("```").next().unwrap_or(block));
    Code {
        code: code.trim(),
        title: plain(title.trim().trim_matches('*')),
        text: plain(text.trim()),
        wrong: blocks.next().unwrap_or(""),
        right: blocks.next().unwrap_or(""),
    }
}

/// A text of the page without the marks of Markdown; indented lines are code and have none.
fn plain(text: &str) -> String {
    let unmarked = |line: &str| {
        let mut plain = String::with_capacity(line.len());
        let mut characters = line.chars();
        while let Some(c) = characters.next() {
            match c {
                '\\' => plain.extend(characters.next()),
                '`' => {}
                c => plain.push(c),
            }
        }
        plain
    };
    let lines = text.lines().map(|line| if line.starts_with("    ") { line.to_string() } else { unmarked(line) });
    lines.collect::<Vec<String>>().join("\n")
}
