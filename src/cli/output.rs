//! Prints the results and diagnostics of commands, as text or as JSON, with or without colours.

use crate::cli::wording::at_prompt;
use alphorn_lab::tree::Letters;
use alphorn_protocol::protocol::data::{Refusal, SCHEMA};
use alphorn_session::session::writing::{FileFormat, check_not_rules, check_replaceable, reachable, write};
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::printable;
use alphorn_text::report::{Problem, Report, plural};
use alphorn_text::source::Sources;
use clap::ValueEnum;
use miette::{GraphicalReportHandler, GraphicalTheme, ThemeStyles};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use textwrap::core::Word;
use textwrap::{WordSeparator, WordSplitter};

/// Number of drawn problems, so that a broken file does not flood a screen.
const MOST_DRAWN: usize = 100;

/// Greatest line width of drawn problems, in characters.
const WIDEST: usize = 100;

/// The number of problems that are not drawn.
fn beyond_drawn(report: &Report) -> usize {
    report.problems.iter().skip(MOST_DRAWN).map(|problem| problem.count).sum()
}

/// Says how many problems are not drawn.
fn more_problems(left: usize) -> String {
    format!("{}; fix these first\n", plural(left as u64, "more problem", "more problems"))
}

/// Bytes of an answer's text that are kept.
const MOST_KEPT: usize = 1 << 20;

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What a prompt has loaded, and its commands.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// The names as the user typed them.
    pub named: Vec<String>,
    /// All files that were read.
    pub read: Vec<PathBuf>,
    /// The names of the commands of the command line that the prompt has too.
    pub commands: Vec<&'static str>,
}

/// The two outputs of a command, stdout and stderr.
pub struct Out {
    /// Whether results are JSON.
    pub json: bool,
    /// Whether drawings may use box characters beyond ASCII.
    pub unicode: bool,
    /// Whether stdout is coloured.
    pub coloured: bool,
    /// The files loaded at the prompt; `None` outside of a prompt.
    pub prompt: Option<Prompt>,
    /// The last answer, as JSON.
    pub last: RefCell<Option<Value>>,
    /// The last answer as text, at a prompt.
    pub text: RefCell<String>,
    /// Whether stderr is coloured.
    vivid: bool,
    /// Whether answers are only kept, not printed.
    pub silent: bool,
    /// Whether the user is typing a line that progress must not overwrite.
    pub behind: bool,
    /// Draws problems on stderr.
    handler: GraphicalReportHandler,
    /// Draws problems as results on stdout.
    shower: GraphicalReportHandler,
}

impl Out {
    /// Chooses colours and characters by the option, the terminal and the environment.
    pub fn new(json: bool, color: Color) -> Out {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let clever = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let colour = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => !set("NO_COLOR") && (terminal && clever || set("CLICOLOR_FORCE")),
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        let unicode = locale.is_some_and(|name| name.to_lowercase().replace('-', "").contains("utf8"));
        let handler = |terminal: bool| {
            let mut theme = if unicode { GraphicalTheme::unicode_nocolor() } else { GraphicalTheme::ascii() };
            theme.styles = if colour(terminal) { ThemeStyles::ansi() } else { ThemeStyles::none() };
            let width = if terminal { columns(WIDEST).min(WIDEST) } else { WIDEST };
            // Moves such as 2-9 must not be split between lines.
            let handler = GraphicalReportHandler::new_themed(theme)
                .with_word_splitter(WordSplitter::NoHyphenation)
                .with_word_separator(WordSeparator::Custom(words));
            handler.with_width(width).with_links(false)
        };
        Out {
            json,
            unicode,
            coloured: colour(io::stdout().is_terminal()),
            vivid: colour(io::stderr().is_terminal()),
            prompt: None,
            last: RefCell::default(),
            text: RefCell::default(),
            silent: false,
            behind: false,
            handler: handler(io::stderr().is_terminal()),
            shower: handler(io::stdout().is_terminal()),
        }
    }

    /// Prints an answer as text or as JSON, and keeps it.
    pub fn answer(&self, fields: Value, text: impl FnOnce() -> String) {
        // A prompt keeps both the text and the JSON.
        let text = if self.json && self.prompt.is_none() { String::new() } else { text() };
        match self.json {
            true => self.print(&line_of(&fields)),
            false => self.print(&text),
        }
        self.text.replace(text);
        self.keep(fields);
    }

    /// Prints a reply as text or as JSON, and keeps it.
    pub fn reply(&self, reply: &impl Serialize, text: impl FnOnce() -> String) {
        self.answer(data(reply), text);
    }

    /// Keeps a reply that was printed as text.
    pub fn keep_reply(&self, reply: &impl Serialize) {
        self.keep(data(reply));
    }

    /// Keeps the JSON of an answer that was printed as text.
    pub fn keep(&self, fields: Value) {
        self.last.replace(Some(fields));
    }

    /// Forgets the last answer.
    pub fn forget(&self) {
        self.last.take();
        self.text.take();
    }

    /// Writes a result to stdout. If the reader has closed the pipe, the program exits quietly.
    pub fn print(&self, text: &str) {
        if self.prompt.is_some() && !self.json && self.text.borrow().len() < MOST_KEPT {
            self.text.borrow_mut().push_str(text);
        }
        if self.silent {
            return;
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(terminal_safe(text, self.coloured).as_bytes()).and_then(|()| stdout.flush());
        if let Err(error) = written {
            let gone = error.kind() == io::ErrorKind::BrokenPipe;
            if !gone {
                self.tell(&format!("cannot write the result: {error}\n"));
            }
            std::process::exit(if gone { 0 } else { i32::from(super::FAILED) });
        }
    }

    /// Writes a line of results.
    pub fn line(&self, text: &str) {
        self.print(&format!("{text}\n"));
    }

    /// Writes one JSON object, with its schema, on one line, and keeps it.
    pub fn object(&self, fields: impl Serialize) {
        let fields = data(&fields);
        self.keep(fields.clone());
        self.print(&line_of(&fields));
    }

    /// Checks that a file may be written.
    ///
    /// # Errors
    ///
    /// Fails if the file holds rules in use or has another format, or if its folder does not exist.
    pub fn may_write(&self, path: &Path, form: Option<FileFormat>) -> SessionResult<()> {
        check_not_rules(path, &self.rules())?;
        reachable(path)?;
        form.map_or(Ok(()), |form| check_replaceable(path, form))
    }

    /// Writes a file that the user has named.
    ///
    /// # Errors
    ///
    /// Fails if the file may not be written, or cannot be.
    pub fn write(&self, path: &Path, text: &str, form: FileFormat) -> SessionResult<()> {
        self.may_write(path, Some(form))?;
        write(path, text, &self.rules())
    }

    /// The files with the rules of the prompt. For other commands, a
    /// [`Host`](alphorn_protocol::protocol::host::Host) protects the rule files before it runs a
    /// request.
    fn rules(&self) -> Vec<PathBuf> {
        self.prompt.as_ref().map_or_else(Vec::new, |prompt| prompt.read.clone())
    }

    /// The characters to use for drawings on a terminal.
    pub fn letters(&self) -> Letters {
        if self.unicode { Letters::Terminal } else { Letters::Ascii }
    }

    /// Writes a message to stderr. A write error is ignored.
    pub fn tell(&self, text: &str) {
        if self.silent {
            return;
        }
        let _ = io::stderr().lock().write_all(terminal_safe(text, self.vivid).as_bytes());
    }

    /// Draws problems on stderr, unless results are JSON.
    pub fn report(&self, report: &Report) {
        if self.json || self.silent {
            return;
        }
        let told = self.prompt.as_ref().and_then(|prompt| in_prompt_words(report, prompt));
        let report = told.as_ref().unwrap_or(report);
        for drawing in report.drawings().take(MOST_DRAWN) {
            let mut text = String::new();
            if self.handler.render_report(&mut text, &drawing).is_ok() {
                self.tell(&format!("{}\n", text.trim_end()));
            }
        }
        let left = beyond_drawn(report);
        if left > 0 {
            self.tell(&more_problems(left));
        }
    }

    /// Draws all problems on stdout, for a command whose result they are.
    pub fn show(&self, report: &Report) {
        for drawing in report.drawings() {
            let mut text = String::new();
            if self.shower.render_report(&mut text, &drawing).is_ok() {
                self.print(&format!("{}\n\n", text.trim_matches('\n').trim_end()));
            }
        }
    }

    /// Draws one problem.
    pub fn problem(&self, problem: &Problem, sources: &std::sync::Arc<Sources>) {
        self.report(&Report::new(sources.clone(), vec![problem.clone()]));
    }

    /// Draws the problems of a failure as text.
    pub fn drawn(&self, failure: &Failure) -> String {
        let report = failure.report();
        let mut text = String::new();
        for drawing in report.drawings().take(MOST_DRAWN) {
            // Writing to a string cannot fail.
            let _ = self.handler.render_report(&mut text, &drawing);
        }
        let left = beyond_drawn(&report);
        if left > 0 {
            text.push_str(&more_problems(left));
        }
        text
    }

    /// Reports why a command failed.
    pub fn failure(&self, failure: &Failure) {
        match failure {
            Failure::Text(report) => {
                self.report(report);
                if !self.json {
                    self.tell(&format!("{}\n", counted(report)));
                }
            }
            Failure::Problem(problem, sources) => self.problem(problem, sources),
        }
        if self.json {
            self.object(data(&Refusal::from(failure)));
        }
    }
}

/// Rewrites helps that name shell commands for the prompt; `None` if no help names one.
fn in_prompt_words(report: &Report, prompt: &Prompt) -> Option<Report> {
    let names = |problem: &Problem| problem.help.as_ref().is_some_and(|help| help.contains("alphorn "));
    if !report.problems.iter().any(names) {
        return None;
    }
    let told = |problem: &Problem| {
        let help = problem.help.as_ref().map(|help| at_prompt(help, &prompt.named, &prompt.commands));
        Problem { help, ..problem.clone() }
    };
    Some(Report::new(report.sources.clone(), report.problems.iter().map(told).collect()))
}

/// Removes what must not reach a terminal; colours stay if `coloured` is set.
fn terminal_safe(text: &str, coloured: bool) -> Cow<'_, str> {
    if coloured { printable::coloured(text) } else { printable::lines(text) }
}

/// Counts the problems of a report, such as `2 errors, 1 warning`.
pub fn counted(report: &Report) -> String {
    let errors = plural(report.errors() as u64, "error", "errors");
    let warnings = plural(report.warnings() as u64, "warning", "warnings");
    let counts = match (report.errors(), report.warnings()) {
        (0, 0) => "no problems".to_string(),
        (_, 0) => errors,
        (0, _) => warnings,
        (_, _) => format!("{errors}, {warnings}"),
    };
    match report.notes() {
        0 => counts,
        notes => format!("{counts}, {}", plural(notes as u64, "note", "notes")),
    }
}

/// Formats an object as a line of JSON, with its schema.
pub fn line_of(fields: &impl Serialize) -> String {
    let mut object = Map::new();
    object.insert("schema".into(), SCHEMA.into());
    if let Value::Object(fields) = data(fields) {
        object.extend(fields);
    }
    printable::json(Value::Object(object).to_string()) + "\n"
}

/// The output for lines of the protocol, which are ASCII or escaped.
pub fn results() -> io::Stdout {
    io::stdout()
}

/// Converts a reply to JSON.
fn data(reply: &impl Serialize) -> Value {
    serde_json::to_value(reply).expect("replies have names for keys")
}

/// The columns of the terminal on stdout, at least 20; `otherwise` if stdout is no terminal.
pub fn columns(otherwise: usize) -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(otherwise, |(width, _)| usize::from(width.0).max(20))
}

/// Splits a line into words, at every blank and where Unicode allows a break. Unicode alone does not
/// break at a blank before a full stop, as in the row of an empty board.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let blanks = WordSeparator::AsciiSpace.find_words(line);
    Box::new(blanks.flat_map(|word| {
        let (text, blank) = (word.word, word.whitespace);
        let mut parts: Vec<Word<'_>> = WordSeparator::UnicodeBreakProperties.find_words(text).collect();
        if let Some(last) = parts.last_mut() {
            last.whitespace = blank;
        } else {
            parts.push(word);
        }
        parts
    }))
}

#[cfg(test)]
mod tests {
    use super::words;

    /// Once `it` was alone on a line, and the last word was cut in the middle.
    #[test]
    fn rows_of_an_empty_board_were_one_word() {
        let texts: Vec<String> =
            words("it reads ......... ......... u(o,[[e],[x]]) 2-9").map(|word| word.word.to_string()).collect();
        assert_eq!(texts[..4], ["it", "reads", ".........", "........."], "{texts:?}");
        assert!(texts.len() > 6 && texts.last().is_some_and(|last| last.ends_with('9')), "{texts:?}");
        let whole: String = words("a  b c ").flat_map(|word| [word.word, word.whitespace]).collect();
        assert_eq!(whole, "a  b c ");
    }
}
