//! Where lines come from: a person at a terminal, or a pipe.
//!
//! In: a prompt. Out: what was typed, as far as it is whole. A pipe has no prompt, no colours and
//! nobody to ask.

use super::editor::{Hand, Words};
use crate::session::typed::Reading;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use std::cell::RefCell;
use std::io::BufRead;
use std::path::PathBuf;
use std::rc::Rc;

/// Lines of a history that are kept.
const KEPT: usize = 10_000;

/// What came of asking for a line.
pub(super) enum Line {
    /// This was typed.
    Text(String),
    /// Nothing: the line was given up.
    Dropped,
    /// There is nothing more.
    End,
}

/// See the module.
pub(super) enum Lines {
    Terminal { editor: Box<Editor<Hand, FileHistory>>, history: Option<PathBuf> },
    Pipe { ahead: Option<String>, words: Rc<RefCell<Words>> },
}

/// Where the lines of former sittings are.
fn history() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    if let Some(path) = std::env::var_os("ALPHORN_HISTORY") {
        return (!path.is_empty()).then(|| path.into());
    }
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("alphorn").join("history"))
}

impl Lines {
    /// A terminal, with the history of former sittings.
    pub(super) fn terminal(words: Rc<RefCell<Words>>, coloured: bool) -> Result<Lines, ReadlineError> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bracketed_paste(true)
            .max_history_size(KEPT)?
            .history_ignore_dups(true)?
            .history_ignore_space(true)
            .build();
        let mut editor = Editor::with_config(config)?;
        if !coloured {
            editor.set_color_mode(rustyline::ColorMode::Disabled);
        }
        editor.set_helper(Some(Hand::new(words)));
        let history = history();
        if let Some(path) = &history {
            // The first sitting has none.
            let _ = editor.load_history(path);
        }
        Ok(Lines::Terminal { editor: Box::new(editor), history })
    }

    pub(super) fn pipe(words: Rc<RefCell<Words>>) -> Lines {
        Lines::Pipe { ahead: None, words }
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Lines::Terminal { .. })
    }

    /// Prints from another thread without disturbing what is being typed.
    pub(super) fn printer(&mut self) -> Option<Box<dyn rustyline::ExternalPrinter + Send>> {
        match self {
            Lines::Terminal { editor, .. } => {
                let printer = editor.create_external_printer().ok()?;
                Some(Box::new(printer))
            }
            Lines::Pipe { .. } => None,
        }
    }

    /// The next command, goal or move.
    pub(super) fn read(&mut self, prompt: &str) -> Line {
        match self {
            Lines::Terminal { editor, history } => match editor.readline(prompt) {
                Ok(text) => {
                    if !text.trim().is_empty() {
                        // What cannot be kept is no reason to stop.
                        let _ = editor.add_history_entry(text.as_str());
                        if let Some(path) = history {
                            let _ = path.parent().map(std::fs::create_dir_all);
                            let _ = editor.append_history(path);
                        }
                    }
                    Line::Text(text)
                }
                Err(ReadlineError::Interrupted) => Line::Dropped,
                Err(_) => Line::End,
            },
            Lines::Pipe { ahead, words } => {
                let Some(mut text) = ahead.take().or_else(next) else { return Line::End };
                while words.borrow().goes_on(&text) {
                    *ahead = next();
                    // What begins anew does not go on.
                    let begins =
                        |line: &str| line.starts_with("?-") || line.starts_with(':') && !line.starts_with(":-");
                    let Some(more) = ahead.take_if(|line| !begins(line)) else { break };
                    text.push('\n');
                    text.push_str(&more);
                }
                Line::Text(text)
            }
        }
    }

    /// What stands alone on the next line of a pipe, where that is one of these keys.
    pub(super) fn key(&mut self, keys: &[&str]) -> Option<String> {
        let Lines::Pipe { ahead, .. } = self else { return None };
        *ahead = ahead.take().or_else(next);
        let typed = ahead.as_ref()?.trim().to_string();
        if keys.contains(&typed.as_str()) {
            *ahead = None;
            return Some(typed);
        }
        None
    }
}

/// A line of standard input.
fn next() -> Option<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_until(b'\n', &mut bytes);
    let count = read.unwrap_or(0);
    if count == 0 {
        return None;
    }
    let text = String::from_utf8_lossy(&bytes);
    Some(text.trim_end_matches(['\n', '\r']).to_string())
}

impl Words {
    /// Whether a text may go on in the next line.
    pub(super) fn goes_on(&self, text: &str) -> bool {
        self.sentence(text).is_some_and(|sentence| matches!(self.reads(sentence), Some(Reading::More)))
    }
}
