//! Where lines come from: a person at a terminal, or a pipe.
//!
//! In: a prompt. Out: what was typed, one goal, clause, order or move at a time: lines that go on are
//! joined, and what was pasted is taken apart. A pipe has no prompt, no colours and nobody to ask.

use super::editor::{Completions, GOES_ON, LineHelper};
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

/// Lines of a history that are kept.
const KEPT: usize = 10_000;

/// Bytes of a text that is read again after every line: what nothing can make whole any more is told
/// at once, and the next line begins anew.
const SHORT: usize = 2000;

/// What came of asking for a line.
pub(super) enum LineInput {
    /// This was typed.
    Text(String),
    /// Nothing: the line was given up.
    Dropped,
    /// Something that is no text: what is wrong with it.
    Wrong(Box<Problem>),
    /// There is nothing more.
    End,
}

/// See the module.
pub(super) struct Lines {
    source: Source,
    /// What was read already.
    ahead: VecDeque<String>,
    /// What is wrong with the line behind that.
    wrong: Option<Box<Problem>>,
    words: Rc<RefCell<Completions>>,
}

enum Source {
    Terminal {
        editor: Box<Editor<LineHelper, FileHistory>>,
        history: Option<PathBuf>,
    },
    /// With the number of lines that were read.
    Pipe {
        lines: u64,
    },
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

/// Bytes of a history at most; a larger file is something else.
const LARGEST_HISTORY: u64 = 64 << 20;

/// Bytes of a line at most: what is longer is refused.
const LONGEST_LINE: u64 = 16 << 20;

/// Whether lines can be kept there: a device may have no end.
fn is_history(path: &PathBuf) -> bool {
    std::fs::metadata(path).map_or(true, |about| about.is_file() && about.len() <= LARGEST_HISTORY)
}

impl Lines {
    /// A terminal, with the history of former sittings.
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
            // The first sitting has none.
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

    /// Prints from another thread without disturbing what is being typed.
    pub(super) fn printer(&mut self) -> Option<Box<dyn rustyline::ExternalPrinter + Send>> {
        match &mut self.source {
            Source::Terminal { editor, .. } => {
                let printer = editor.create_external_printer().ok()?;
                Some(Box::new(printer))
            }
            Source::Pipe { .. } => None,
        }
    }

    /// The next command, goal or move.
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

    /// Reads on until a text is whole, or nothing follows that belongs to it.
    fn go_on(&mut self, text: &mut String) -> LineInput {
        let mut open = self.brackets(text);
        while self.words.borrow().goes_on(text) {
            loop {
                let line = match self.line(GOES_ON, text) {
                    LineInput::Text(line) => line,
                    other => return other,
                };
                // What begins anew does not go on.
                if line.starts_with("?-") || line.starts_with(':') && !line.starts_with(":-") {
                    self.ahead.push_front(line);
                    return LineInput::End;
                }
                text.push('\n');
                text.push_str(&line);
                open = open.zip(self.brackets(&line)).map(|(open, more)| open + more);
                // Reading a long text again for every line of it would take long.
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

    /// Where a text has several sentences: keeps the first, and the others for later.
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

    /// A line, as it was typed; of what was pasted, the first. `before` is what it goes on from.
    fn line(&mut self, prompt: &str, before: &str) -> LineInput {
        let typed = match self.ahead.pop_front() {
            Some(line) => {
                if self.is_terminal() {
                    // What becomes of each line is to be seen below it.
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

    /// Keeps a text for later sittings.
    fn remember(&mut self, text: &str) {
        let Source::Terminal { editor, history } = &mut self.source else { return };
        if text.trim().is_empty() {
            return;
        }
        // What cannot be kept is no reason to stop.
        let _ = editor.add_history_entry(text);
        if let Some(path) = history {
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = editor.append_history(path);
        }
    }

    /// What stands alone on the next line of a pipe, where that is one of these keys.
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

/// Whether a text may be over with a line more, after which so many brackets are open: `None` where
/// that is not known, as in a comment or between quotes. A full stop ends what it cannot fix.
fn may_end(open: Option<i64>, line: &str) -> bool {
    let line = line.trim_end();
    let stops = line.ends_with('.');
    match open {
        Some(open) => stops || open <= 0 && !line.ends_with([',', ';']) && !line.is_empty(),
        None => stops || line.contains(['\'', '"', '`', '/']),
    }
}

/// A line that a person types, behind what it goes on from. A key that is no character of UTF-8, or
/// a window that changes its size while the editor waits for one, ends the editor's work but not the
/// prompt: the line goes on as it stands.
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
                // The answer of the terminal, which nobody need be looking at.
                let _ = writeln!(std::io::stderr(), "\nignored a byte that is not UTF-8");
            }
            Err(_) => return LineInput::End,
        }
    }
}

/// A line of standard input; `lines` counts them.
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
        // The rest of it is no line of its own.
        let _ = interrupt::idle(|| input.skip_until(b'\n'));
        return LineInput::Wrong(Box::new(too_long(*lines)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => LineInput::Text(text.trim_end_matches(['\n', '\r']).to_string()),
        Err(error) => LineInput::Wrong(Box::new(no_text(*lines, error.utf8_error().valid_up_to()))),
    }
}

/// A line that nobody has typed.
fn too_long(line: u64) -> Problem {
    let message = format!("line {line} of the input is longer than {} MiB; Alphorn ignores it", LONGEST_LINE >> 20);
    Problem::placeless("A0620", message).help("write the clauses in a file, each on its own line, and type :load FILE")
}

/// A line that is not UTF-8, as files of rules are refused for it.
fn no_text(line: u64, at: usize) -> Problem {
    let message = format!("line {line} of the input is not UTF-8 text (byte {at} of the line); Alphorn ignores it");
    Problem::placeless("A0620", message).help("save the input as UTF-8")
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
