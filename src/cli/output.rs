//! Where text goes, and in what dress: colours, drawn reports, JSON.

use crate::cli::args::Color;
use crate::cli::wording::at_prompt;
use alphorn_lab::tree::Letters;
use alphorn_protocol::protocol::data::{Refusal, SCHEMA};
use alphorn_session::session::writing::{FileFormat, reachable, replaceable, spared, write};
use alphorn_session::session::{Done, Failure};
use alphorn_text::printable;
use alphorn_text::report::{Problem, Report, plural};
use alphorn_text::source::Sources;
use miette::{GraphicalReportHandler, GraphicalTheme, ThemeStyles};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use textwrap::core::Word;
use textwrap::{WordSeparator, WordSplitter};

/// Drawn problems are limited, so that a broken file does not flood a screen.
const MOST_DRAWN: usize = 100;

/// Drawn problems have lines of so many characters at most.
const WIDEST: usize = 100;

/// What is said of the problems that are not drawn.
fn more_problems(left: usize) -> String {
    format!("{}; fix these first\n", plural(left as u64, "more problem", "more problems"))
}

/// Bytes of an answer's text that are kept.
const MOST_KEPT: usize = 1 << 20;

/// The files of what is loaded at a prompt.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// As they were named.
    pub named: Vec<String>,
    /// All that were read.
    pub read: Vec<PathBuf>,
}

/// The two outputs of a command.
pub struct Out {
    /// Whether results are JSON.
    pub json: bool,
    /// Whether a box may be drawn with more than ASCII.
    pub unicode: bool,
    /// Whether stdout is in colours.
    pub coloured: bool,
    /// What is loaded at a prompt; `None` for the command line.
    pub prompt: Option<Prompt>,
    /// What was answered last, as JSON.
    pub last: RefCell<Option<Value>>,
    /// The same as text, at a prompt.
    pub text: RefCell<String>,
    /// Whether stderr is in colours.
    vivid: bool,
    /// Whether answers are kept only.
    pub silent: bool,
    /// Whether a line is typed meanwhile, over which nothing may be drawn.
    pub behind: bool,
    /// Draws what is wrong, on stderr.
    handler: GraphicalReportHandler,
    /// Draws what is a result, on stdout.
    shower: GraphicalReportHandler,
}

impl Out {
    /// Decides once how to print.
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
            // A move such as 2-9 stands on one line.
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

    /// Gives an answer, as text or as JSON, and keeps it.
    pub fn answer(&self, fields: Value, text: impl FnOnce() -> String) {
        // A prompt keeps both.
        let text = if self.json && self.prompt.is_none() { String::new() } else { text() };
        match self.json {
            true => self.print(&line_of(&fields)),
            false => self.print(&text),
        }
        self.text.replace(text);
        self.keep(fields);
    }

    /// Gives a reply, as text or as JSON, and keeps it.
    pub fn reply(&self, reply: &impl Serialize, text: impl FnOnce() -> String) {
        self.answer(data(reply), text);
    }

    /// Keeps a reply that was printed as text.
    pub fn keep_reply(&self, reply: &impl Serialize) {
        self.keep(data(reply));
    }

    /// Keeps as JSON what was printed as text.
    pub fn keep(&self, fields: Value) {
        self.last.replace(Some(fields));
    }

    /// Forgets what was answered last.
    pub fn forget(&self) {
        self.last.take();
        self.text.take();
    }

    /// Writes a result; a reader that has gone away ends the program quietly.
    pub fn print(&self, text: &str) {
        if self.prompt.is_some() && !self.json && self.text.borrow().len() < MOST_KEPT {
            self.text.borrow_mut().push_str(text);
        }
        if self.silent {
            return;
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(gated(text, self.coloured).as_bytes()).and_then(|()| stdout.flush());
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

    /// Errs where a file may not be written: it holds rules that are in use, or something else than
    /// what is to be written; or its folder is not there.
    ///
    /// # Errors
    ///
    /// That.
    pub fn may_write(&self, path: &Path, form: Option<FileFormat>) -> Done<()> {
        spared(path, &self.rules())?;
        reachable(path)?;
        form.map_or(Ok(()), |form| replaceable(path, form))
    }

    /// Writes a file that a person has named.
    ///
    /// # Errors
    ///
    /// It may not be written, or it cannot.
    pub fn write(&self, path: &Path, text: &str, form: FileFormat) -> Done<()> {
        self.may_write(path, Some(form))?;
        write(path, text, &self.rules())
    }

    /// The files that the rules of a prompt were read from; those of other commands a
    /// [`Host`](alphorn_protocol::protocol::host::Host) spares before it carries out a request.
    fn rules(&self) -> Vec<PathBuf> {
        self.prompt.as_ref().map_or_else(Vec::new, |prompt| prompt.read.clone())
    }

    /// In which letters to write to a terminal.
    pub fn letters(&self) -> Letters {
        if self.unicode { Letters::Terminal } else { Letters::Ascii }
    }

    /// Says something beside the results; nobody need be listening.
    pub fn tell(&self, text: &str) {
        if self.silent {
            return;
        }
        let _ = io::stderr().lock().write_all(gated(text, self.vivid).as_bytes());
    }

    /// Draws problems on stderr, where results are not JSON.
    pub fn report(&self, report: &Report) {
        if self.json || self.silent {
            return;
        }
        let told = self.prompt.as_ref().and_then(|prompt| in_prompt_words(report, &prompt.named));
        let report = told.as_ref().unwrap_or(report);
        for drawing in report.drawings().take(MOST_DRAWN) {
            let mut text = String::new();
            if self.handler.render_report(&mut text, &drawing).is_ok() {
                self.tell(&format!("{}\n", text.trim_end()));
            }
        }
        let left = report.problems.len().saturating_sub(MOST_DRAWN);
        if left > 0 {
            self.tell(&more_problems(left));
        }
    }

    /// Draws problems that were asked for, all of them, on stdout.
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

    /// What would be said of a failure, as text.
    pub fn drawn(&self, failure: &Failure) -> String {
        let report = failure.report();
        let mut text = String::new();
        for drawing in report.drawings().take(MOST_DRAWN) {
            // Only a formatter that fails could fail here.
            let _ = self.handler.render_report(&mut text, &drawing);
        }
        let left = report.problems.len().saturating_sub(MOST_DRAWN);
        if left > 0 {
            text.push_str(&more_problems(left));
        }
        text
    }

    /// Says why a command could not be done.
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

/// Problems whose helps name commands of a shell, with those of a prompt; `None` where none does.
fn in_prompt_words(report: &Report, files: &[String]) -> Option<Report> {
    let names = |problem: &Problem| problem.help.as_ref().is_some_and(|help| help.contains("alphorn "));
    if !report.problems.iter().any(names) {
        return None;
    }
    let told = |problem: &Problem| {
        let help = problem.help.as_ref().map(|help| at_prompt(help, files));
        Problem { help, ..problem.clone() }
    };
    Some(Report::new(report.sources.clone(), report.problems.iter().map(told).collect()))
}

/// What may go to a terminal of a text; colours, if there are any.
fn gated(text: &str, coloured: bool) -> Cow<'_, str> {
    if coloured { printable::coloured(text) } else { printable::lines(text) }
}

/// `2 errors, 1 warning`.
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

/// An object as a line of JSON, with its schema.
pub fn line_of(fields: &impl Serialize) -> String {
    let mut object = Map::new();
    object.insert("schema".into(), SCHEMA.into());
    if let Value::Object(fields) = data(fields) {
        object.extend(fields);
    }
    printable::json(Value::Object(object).to_string()) + "\n"
}

/// Where lines of the protocol go, which are ASCII or escaped.
pub fn results() -> io::Stdout {
    io::stdout()
}

/// A reply as JSON.
fn data(reply: &impl Serialize) -> Value {
    serde_json::to_value(reply).expect("replies have names for keys")
}

/// The columns of the terminal that results go to; so many where they go to none.
pub fn columns(otherwise: usize) -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(otherwise, |(width, _)| usize::from(width.0).max(20))
}

/// Where a line may be broken: at every blank, and inside of a long word where Unicode has it. Unicode
/// alone keeps a blank together with a full stop behind it, and so with a row of an empty board.
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

    /// Once `it` stood alone on a line, and the last word was cut in the middle.
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
