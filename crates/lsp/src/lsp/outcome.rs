//! What the threads that check files have found.

use alphorn_text::report::Report;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The part that a file plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A game of its own.
    Game,
    /// An overlay of the game in this file.
    Overlay(PathBuf),
    /// A part of the game in this file, which loads it.
    Part(PathBuf),
    /// A module that other files load.
    Module,
}

impl Role {
    /// The file of the game, if this is an overlay.
    pub fn game_of_overlay(&self) -> Option<&Path> {
        match self {
            Role::Overlay(game) => Some(game),
            _ => None,
        }
    }
}

/// The result of a check.
pub struct CheckOutcome {
    /// The version of the text.
    pub version: i32,
    /// The name of the file in the report.
    pub name: Arc<str>,
    /// The part that the file plays.
    pub role: Role,
    /// The problems, also those in other files.
    pub report: Report,
}

/// A hint behind a byte of the text.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The byte.
    pub offset: usize,
    /// The words.
    pub label: String,
    /// More words, as Markdown.
    pub about: String,
}

/// The hints of a text.
pub struct Hints {
    /// The version of the text.
    pub version: i32,
    /// The hints in order.
    pub hints: Vec<Hint>,
}
