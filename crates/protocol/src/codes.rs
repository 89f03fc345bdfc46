//! The codes of the diagnostics: meaning, a wrong example and the corrected example.
//!
//! The page `docs/codes.md` is the only source of these texts. `alphorn explain` prints them, and a
//! test runs every example.

use std::sync::LazyLock;

/// A code and its explanation.
pub struct CodePage {
    /// The code, such as `A0201`. A code never gets another meaning.
    pub code: &'static str,
    /// The title in a few words.
    pub title: String,
    /// The meaning, and what to do.
    pub text: String,
    /// A file that has the problem; empty if no single file shows it.
    pub wrong: &'static str,
    /// The same file corrected.
    pub right: &'static str,
}

const PAGE: &str = include_str!("../codes.md");

/// All codes, in order.
pub static CODES: LazyLock<Vec<CodePage>> = LazyLock::new(|| PAGE.split("\n## ").skip(1).map(section).collect());

/// Parses one section of the page: the code, `*the title*`, paragraphs, and two examples or none.
fn section(section: &'static str) -> CodePage {
    let (code, rest) = section.split_once('\n').unwrap_or((section, ""));
    let (prose, examples) = rest.split_once("\nWrong:\n").unwrap_or((rest, ""));
    let (title, text) = prose.trim().split_once('\n').unwrap_or((prose, ""));
    let mut blocks = examples.split("```prolog\n").skip(1).map(|block| block.split("```").next().unwrap_or(block));
    CodePage {
        code: code.trim(),
        title: plain(title.trim().trim_matches('*')),
        text: plain(text.trim()),
        wrong: blocks.next().unwrap_or(""),
        right: blocks.next().unwrap_or(""),
    }
}

/// Removes the Markdown marks from a text of the page. Indented lines are code and have none.
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
