//! Reads lines from a terminal or a pipe.
//!
//! Each call returns one goal, clause, command or move. Continued lines are joined, and pasted text
//! is split. A pipe has no prompt, no colours and no questions.

use super::editor::{Completions, GOES_ON, LineHelper};
use alphorn_text::code::Code;
use alphorn_text::interrupt;
use alphorn_text::printable;
use alphorn_text::report::Problem;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{BufRead, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::rc::Rc;

/// Lines of the history that are kept.
const KEPT: usize = 10_000;

/// Bytes up to which an unfinished text is parsed after every line. A text that no further line can
/// complete is reported at once.
const SHORT: usize = 2000;

/// The result of reading a line.
pub(super) enum LineInput {
    /// A complete text.
    Text(String),
    /// The user gave up the line.
    Dropped,
    /// The input is no text, for this reason.
    Wrong(Box<Problem>),
    /// The end of the input.
    End,
}

/// The source of lines.
pub(super) struct Lines {
    source: Source,
    /// Lines that were read but not used.
    ahead: VecDeque<String>,
    /// The problem with the line after those.
    wrong: Option<Box<Problem>>,
    words: Rc<RefCell<Completions>>,
}

enum Source {
    Terminal {
        editor: Box<Editor<LineHelper, FileHistory>>,
        history: Option<PathBuf>,
    },
    /// A pipe, with the number of lines read.
    Pipe {
        lines: u64,
    },
}

/// The file with the history of earlier sessions.
fn history() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    if let Some(path) = std::env::var_os("ALPHORN_HISTORY") {
        return (!path.is_empty()).then(|| path.into());
    }
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("alphorn").join("history"))
}

/// Greatest size of a history in bytes; a larger file is no history.
const LARGEST_HISTORY: u64 = 64 << 20;

/// Greatest length of a line in bytes; longer lines are refused.
const LONGEST_LINE: u64 = 16 << 20;

/// Whether the file can keep a history: a device may be endless.
fn is_history(path: &PathBuf) -> bool {
    std::fs::metadata(path).map_or(true, |about| about.is_file() && about.len() <= LARGEST_HISTORY)
}

impl Lines {
    /// A terminal, with the history of earlier sessions.
    pub(super) fn terminal(words: Rc<RefCell<Completions>>, coloured: bool) -> Result<Lines, ReadlineError> {
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
        editor.set_helper(Some(LineHelper::new(words.clone())));
        let history = history().filter(is_history);
        if let Some(path) = &history {
            // The first session has no history file.
            let _ = editor.load_history(path);
        }
        Ok(Lines {
            source: Source::Terminal { editor: Box::new(editor), history },
            ahead: VecDeque::new(),
            wrong: None,
            words,
        })
    }

    pub(super) fn pipe(words: Rc<RefCell<Completions>>) -> Lines {
        Lines { source: Source::Pipe { lines: 0 }, ahead: VecDeque::new(), wrong: None, words }
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self.source, Source::Terminal { .. })
    }

    /// A printer for other threads, which does not disturb the line being typed.
    pub(super) fn printer(&mut self) -> Option<Box<dyn rustyline::ExternalPrinter + Send>> {
        match &mut self.source {
            Source::Terminal { editor, .. } => {
                let printer = editor.create_external_printer().ok()?;
                Some(Box::new(printer))
            }
            Source::Pipe { .. } => None,
        }
    }

    /// Reads the next command, goal or move.
    pub(super) fn read(&mut self, prompt: &str) -> LineInput {
        let mut text = match self.line(prompt, "") {
            LineInput::Text(text) => text,
            other => return other,
        };
        if let given_up @ (LineInput::Dropped | LineInput::Wrong(_)) = self.go_on(&mut text) {
            return given_up;
        }
        self.first_of(&mut text);
        self.remember(&text);
        LineInput::Text(text)
    }

    /// Reads further lines until a text is complete, or the next line does not continue it.
    fn go_on(&mut self, text: &mut String) -> LineInput {
        let mut open = self.brackets(text);
        while self.words.borrow().goes_on(text) {
            loop {
                let line = match self.line(GOES_ON, text) {
                    LineInput::Text(line) => line,
                    other => return other,
                };
                // A line that begins a goal or command does not continue the text.
                if line.starts_with("?-") || line.starts_with(':') && !line.starts_with(":-") {
                    self.ahead.push_front(line);
                    return LineInput::End;
                }
                text.push('\n');
                text.push_str(&line);
                open = open.zip(self.brackets(&line)).map(|(open, more)| open + more);
                // Parsing a long text after each of its lines would take too long.
                if may_end(open, &line) || text.len() < SHORT {
                    break;
                }
            }
        }
        LineInput::End
    }

    fn brackets(&self, line: &str) -> Option<i64> {
        self.words.borrow().session.as_ref()?.brackets(line)
    }

    /// Keeps the first of several sentences, and saves the others for later.
    fn first_of(&mut self, text: &mut String) {
        let words = self.words.borrow();
        let goal = words.sentence(text).filter(|sentence| sentence.len() == text.len());
        let Some((goal, session)) = goal.zip(words.session.as_ref()) else { return };
        let sentences = session.sentences(goal);
        let [first, others @ ..] = sentences.as_slice() else { return };
        if others.is_empty() {
            return;
        }
        let first = first.to_string();
        others.iter().rev().for_each(|sentence| self.ahead.push_front(sentence.to_string()));
        drop(words);
        *text = first;
    }

    /// Reads a line; of pasted lines, the first. `before` is the text that the line continues.
    fn line(&mut self, prompt: &str, before: &str) -> LineInput {
        let typed = match self.ahead.pop_front() {
            Some(line) => {
                if self.is_terminal() {
                    // The output of each line appears below it.
                    let _ = writeln!(std::io::stdout(), "{prompt}{}", printable::line(&line));
                }
                return LineInput::Text(line);
            }
            None => match &mut self.source {
                Source::Pipe { lines } => match self.wrong.take() {
                    Some(problem) => return LineInput::Wrong(problem),
                    None => return next(lines),
                },
                Source::Terminal { editor, .. } => match typed(editor, &self.words, prompt, before) {
                    LineInput::Text(text) => text,
                    other => return other,
                },
            },
        };
        let pasted = typed.trim_end_matches('\n');
        if !pasted.contains('\n') || before.is_empty() && self.words.borrow().is_one(pasted) {
            return LineInput::Text(pasted.to_string());
        }
        self.ahead.extend(pasted.split('\n').map(str::to_string));
        self.line(prompt, before)
    }

    /// Adds a text to the history.
    fn remember(&mut self, text: &str) {
        let Source::Terminal { editor, history } = &mut self.source else { return };
        if text.trim().is_empty() {
            return;
        }
        // A write error of the history is ignored.
        let _ = editor.add_history_entry(text);
        if let Some(path) = history {
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = editor.append_history(path);
        }
    }

    /// The next line of a pipe, if that line is one of these keys.
    pub(super) fn key(&mut self, keys: &[&str]) -> Option<String> {
        if self.is_terminal() {
            return None;
        }
        if let (true, None, Source::Pipe { lines }) = (self.ahead.is_empty(), &self.wrong, &mut self.source) {
            match next(lines) {
                LineInput::Text(text) => self.ahead.push_back(text),
                LineInput::Wrong(problem) => self.wrong = Some(problem),
                LineInput::Dropped | LineInput::End => {}
            }
        }
        let typed = self.ahead.front()?.trim().to_string();
        if keys.contains(&typed.as_str()) {
            self.ahead.pop_front();
            return Some(typed);
        }
        None
    }
}

/// Whether a text may end with `line`, after which `open` brackets are open. `None` means that the
/// count is unknown, as in a comment or a quoted atom. A full stop ends even a wrong text.
fn may_end(open: Option<i64>, line: &str) -> bool {
    let line = line.trim_end();
    let stops = line.ends_with('.');
    match open {
        Some(open) => stops || open <= 0 && !line.ends_with([',', ';']) && !line.is_empty(),
        None => stops || line.contains(['\'', '"', '`', '/']),
    }
}

/// Reads a line at the terminal, after the text that it continues. The editor fails on invalid UTF-8,
/// or if the window is resized while it waits. The editor is then restarted with the same line.
fn typed(
    editor: &mut Editor<LineHelper, FileHistory>,
    words: &Rc<RefCell<Completions>>,
    prompt: &str,
    before: &str,
) -> LineInput {
    {
        let mut words = words.borrow_mut();
        words.before = if before.is_empty() { String::new() } else { format!("{before}\n") };
        words.typed.clear();
    }
    loop {
        let so_far = words.borrow().typed.clone();
        match editor.readline_with_initial(prompt, (&so_far, "")) {
            Ok(text) => return LineInput::Text(text),
            Err(ReadlineError::Eof) if !before.is_empty() => return LineInput::Dropped,
            Err(ReadlineError::Interrupted) => return LineInput::Dropped,
            Err(ReadlineError::Signal(_)) => {}
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                // A write error of this message is ignored.
                let _ = writeln!(std::io::stderr(), "\nignored a byte that is not UTF-8");
            }
            Err(_) => return LineInput::End,
        }
    }
}

/// Reads a line of standard input; `lines` counts the lines.
fn next(lines: &mut u64) -> LineInput {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock();
    let count =
        interrupt::idle(|| Read::by_ref(&mut input).take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)).unwrap_or(0);
    if count == 0 {
        return LineInput::End;
    }
    *lines += 1;
    if !bytes.ends_with(b"\n") && bytes.len() as u64 > LONGEST_LINE {
        // The rest of a long line must not count as another line.
        let _ = interrupt::idle(|| input.skip_until(b'\n'));
        return LineInput::Wrong(Box::new(too_long(*lines)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => LineInput::Text(text.trim_end_matches(['\n', '\r']).to_string()),
        Err(error) => LineInput::Wrong(Box::new(no_text(*lines, error.utf8_error().valid_up_to()))),
    }
}

/// The problem of a line that is too long.
fn too_long(line: u64) -> Problem {
    let message = format!("line {line} of the input is longer than {} MiB; Alphorn ignores it", LONGEST_LINE >> 20);
    Problem::placeless(Code::InvalidArgument, message)
        .help("write the clauses in a file, each on its own line, and type :load FILE")
}

/// The problem of a line that is not UTF-8.
fn no_text(line: u64, at: usize) -> Problem {
    let message = format!("line {line} of the input is not UTF-8 text (byte {at} of the line); Alphorn ignores it");
    Problem::placeless(Code::InvalidArgument, message).help("save the input as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::may_end;

    #[test]
    fn a_line_is_worth_reading_where_it_may_be_the_last() {
        assert!(may_end(Some(0), "b]).") && may_end(Some(0), "b])") && may_end(Some(-1), "b]))"));
        assert!(!may_end(Some(1), "f(a),") && !may_end(Some(0), "foo(a),") && !may_end(Some(0), ""));
        assert!(may_end(Some(3), "a full stop."));
        assert!(may_end(None, "b'") && may_end(None, "b."));
        assert!(!may_end(None, "words between quotes"));
    }
}
