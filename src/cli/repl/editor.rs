//! The hand that helps at a prompt: completes, hints, colours, and knows when a goal is whole.
//!
//! In: what stands on the line, and what the program knows. Out: what the line editor asks for.
//! Nothing here runs rules.

use super::orders::{self, Wants};
use super::settings;
use crate::cli::args::Cli;
use crate::report::Problem;
use crate::session::Session;
use crate::session::typed::{Kind, Named, Reading};
use clap::CommandFactory;
use rustyline::Context;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// What a prompt looks like; as wide as what it shows.
pub(super) const PROMPT: &str = "?- ";

/// What can be typed, as the program stands.
#[derive(Default)]
pub(super) struct Words {
    pub(super) session: Option<Session>,
    pub(super) named: Vec<Named>,
    /// Atoms of the user's rules.
    pub(super) constants: Vec<String>,
    /// The labels of the moves that can be made.
    pub(super) moves: Vec<String>,
    /// Whether a line is a move if nothing else is said.
    pub(super) plays: bool,
}

impl Words {
    /// The part of a line that is a goal or a clause.
    pub(super) fn sentence<'t>(&self, text: &'t str) -> Option<&'t str> {
        let bare = text.trim_start();
        match bare.strip_prefix(':') {
            Some(order) if !bare.starts_with(":-") => {
                let (name, rest) = order.split_once(char::is_whitespace)?;
                (orders::find(name).ok()?.wants == Wants::Clause).then_some(rest)
            }
            _ if self.plays && !bare.starts_with("?-") => None,
            _ => Some(text),
        }
    }

    pub(super) fn reads(&self, sentence: &str) -> Option<Reading> {
        Some(self.session.as_ref()?.reads(sentence))
    }
}

/// See the module.
pub(super) struct Hand {
    words: Rc<RefCell<Words>>,
    files: FilenameCompleter,
    before: HistoryHinter,
}

impl Hand {
    pub(super) fn new(words: Rc<RefCell<Words>>) -> Hand {
        Hand { words, files: FilenameCompleter::new(), before: HistoryHinter::new() }
    }

    /// What can stand for the word that ends at a place of an order.
    fn of_order(&self, line: &str, at: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let blank = |c: char| c.is_whitespace();
        let Some(end) = line[..at].find(blank) else {
            let start = line.find(':').map_or(0, |colon| colon + 1);
            let pairs = orders::names().into_iter().map(|(name, about)| pair(&name, &about));
            return Ok((start, begun(&line[start..at], pairs)));
        };
        let name = line[..end].trim_start().trim_start_matches(':');
        let start = line[..at].rfind(blank).map_or(0, |blank| blank + 1);
        let word = &line[start..at];
        let words = self.words.borrow();
        let Ok(order) = orders::find(name) else { return Ok((start, Vec::new())) };
        let plain = |values: Vec<String>| begun(word, values.into_iter().map(|value| pair(&value, "")));
        let first = line[end..start].trim().is_empty();
        Ok(match order.wants {
            Wants::Files => return self.files.complete(line, at, ctx),
            Wants::Move => {
                let start = end + line[end..at].len() - line[end..at].trim_start().len();
                (start, begun(&line[start..at], words.moves.iter().map(|label| pair(label, ""))))
            }
            Wants::Setting if first => {
                (start, begun(word, settings::Settings::new().rows().iter().map(|row| pair(&row.name, &row.about))))
            }
            Wants::Setting => (start, plain(settings::values(line[end..start].trim()))),
            Wants::Order => (start, begun(word, orders::names().iter().map(|(name, about)| pair(name, about)))),
            Wants::Goal | Wants::Clause => self.of_goal(&words, line, at),
            Wants::Param => (start, plain(params(&words))),
            Wants::Nothing => (start, Vec::new()),
            Wants::Options => {
                let command = Cli::command();
                let options = command.find_subcommand(order.name).into_iter().flat_map(|command| {
                    let long = |arg: &clap::Arg| {
                        let about = arg.get_help().map(|help| help.to_string()).unwrap_or_default();
                        arg.get_long().map(|name| pair(&format!("--{name}"), &about))
                    };
                    command.get_arguments().filter_map(long).collect::<Vec<_>>()
                });
                (start, begun(word, options))
            }
        })
    }

    /// What can stand for the name that ends at a place of a goal.
    fn of_goal(&self, words: &Words, line: &str, at: usize) -> (usize, Vec<Pair>) {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let start = line[..at].char_indices().rev().take_while(|(_, c)| in_word(*c)).last().map_or(at, |(at, _)| at);
        let word = &line[start..at];
        if word.starts_with(|c: char| c.is_uppercase() || c == '_') {
            return (start, Vec::new());
        }
        let plain = |name: &str| name.starts_with(char::is_alphabetic);
        let named = words.named.iter().filter(|named| plain(&named.name)).map(|named| Pair {
            display: match &named.about {
                Some(about) => format!("{}/{}  {about}", named.name, named.arity),
                None => format!("{}/{}", named.name, named.arity),
            },
            replacement: if named.arity == 0 { named.name.clone() } else { format!("{}(", named.name) },
        });
        let mut found = begun(word, named);
        if !word.is_empty() {
            let constants = words.constants.iter().map(|name| pair(name, ""));
            for constant in begun(word, constants) {
                let name = &constant.replacement;
                if words.named.iter().all(|named| named.name != *name) {
                    found.push(constant);
                }
            }
        }
        (start, found)
    }
}

fn params(words: &Words) -> Vec<String> {
    let program = words.session.iter().map(|session| &session.rules.program);
    program.flat_map(|program| program.params.iter().map(|param| format!("{}=", param.name.text()))).collect()
}

fn pair(name: &str, about: &str) -> Pair {
    let display = if about.is_empty() { name.to_string() } else { format!("{name}  {about}") };
    Pair { display, replacement: name.to_string() }
}

/// Those that begin so.
fn begun(word: &str, pairs: impl IntoIterator<Item = Pair>) -> Vec<Pair> {
    pairs.into_iter().filter(|pair| pair.replacement.starts_with(word)).collect()
}

impl Completer for Hand {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let bare = line.trim_start();
        if bare.starts_with(':') && !bare.starts_with(":-") {
            return self.of_order(line, at, ctx);
        }
        let words = self.words.borrow();
        if words.plays && !bare.starts_with("?-") {
            return Ok((0, begun(&line[..at], words.moves.iter().map(|label| pair(label, "")))));
        }
        Ok(self.of_goal(&words, line, at))
    }
}

impl Hinter for Hand {
    type Hint = String;

    fn hint(&self, line: &str, at: usize, ctx: &Context<'_>) -> Option<String> {
        if at < line.len() || line.is_empty() {
            return None;
        }
        if let Some(order) = line.strip_prefix(':').and_then(|name| orders::find(name.trim_end()).ok())
            && line.len() > order.name.len()
            && !order.usage.is_empty()
        {
            let blank = if line.ends_with(' ') { "" } else { " " };
            return Some(format!("{blank}{}", order.usage));
        }
        self.before.hint(line, at, ctx)
    }
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const END: &str = "\x1b[0m";

fn colour(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Variable => Some("\x1b[33m"),
        Kind::Number => Some("\x1b[36m"),
        Kind::Quoted => Some("\x1b[32m"),
        Kind::Unknown | Kind::Broken => Some("\x1b[31m"),
        Kind::Plain => None,
    }
}

impl Highlighter for Hand {
    fn highlight<'l>(&self, line: &'l str, _at: usize) -> Cow<'l, str> {
        let words = self.words.borrow();
        let (Some(sentence), Some(session)) = (words.sentence(line), &words.session) else {
            return match line.split_once(' ') {
                Some((name, rest)) if name.starts_with(':') => format!("{BOLD}{name}{END} {rest}").into(),
                None if line.starts_with(':') => format!("{BOLD}{line}{END}").into(),
                _ => line.into(),
            };
        };
        let from = line.len() - sentence.len();
        let mut text = String::from(&line[..from]);
        let mut done = 0;
        for (range, kind) in session.words(sentence) {
            let Some(colour) = colour(kind).filter(|_| range.start >= done) else { continue };
            text.push_str(&sentence[done..range.start]);
            text.push_str(&format!("{colour}{}{END}", &sentence[range.clone()]));
            done = range.end;
        }
        text.push_str(&sentence[done..]);
        text.into()
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _default: bool) -> Cow<'b, str> {
        format!("{BOLD}{prompt}{END}").into()
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        format!("{DIM}{hint}{END}").into()
    }

    fn highlight_char(&self, _line: &str, _at: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor
    }
}

/// What is wrong, under the place where it stands.
fn under(text: &str, problem: &Problem) -> String {
    let at = problem.labels.first().map_or(text.len(), |(span, _)| (span.start as usize).min(text.len()));
    let begin = text[..at].rfind('\n').map_or(0, |line| line + 1);
    // Only the first line stands behind the prompt.
    let indent = if begin == 0 { PROMPT.len() } else { 0 } + text[begin..at].chars().count();
    let help = problem.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
    format!("\n{:indent$}^ {}{help}", "", problem.message)
}

impl Validator for Hand {
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = ctx.input();
        let words = self.words.borrow();
        let Some(sentence) = words.sentence(text) else { return Ok(ValidationResult::Valid(None)) };
        Ok(match words.reads(sentence) {
            None | Some(Reading::Whole) => ValidationResult::Valid(None),
            Some(Reading::More) => ValidationResult::Incomplete,
            Some(Reading::Wrong(problem, _)) => {
                let mut problem = *problem;
                let from = (text.len() - sentence.len()) as u32;
                problem.labels.iter_mut().for_each(|(span, _)| span.start += from);
                ValidationResult::Invalid(Some(under(text, &problem)))
            }
        })
    }
}

impl rustyline::Helper for Hand {}
