//! Every diagnostic's code, what it means, a wrong example and a right one.
//!
//! `alphorn explain` prints these; a test runs every wrong and right text.

mod advice;
mod checks;
mod commands;
mod game;
mod names;
mod play;
mod text;

use std::sync::LazyLock;

/// A code and its explanation.
pub struct Code {
    /// Such as `A0201`; never reused for something else.
    pub code: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// What it means, and what to do.
    pub text: &'static str,
    /// A file that has the problem; empty where no single file shows it.
    pub wrong: &'static str,
    /// The same file corrected.
    pub right: &'static str,
}

/// All codes, in order.
pub static CODES: LazyLock<Vec<&'static Code>> = LazyLock::new(|| {
    [text::ROWS, names::ROWS, checks::ROWS, game::ROWS, play::ROWS, commands::ROWS, advice::ROWS]
        .into_iter()
        .flatten()
        .collect()
});
