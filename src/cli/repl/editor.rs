//! Helps the line editor: completes, hints and colours the line, and detects unfinished goals.
//!
//! No rules are run here.

use super::commands;
use super::{arguments, settings};
use crate::cli::commands::CommandArgument;
use alphorn_protocol::codes;
use alphorn_session::session::Session;
use alphorn_session::session::predicates::NamedPredicate;
use alphorn_session::session::reading::{InputState, WordKind};
use alphorn_text::printable;
use rustyline::Context;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::validate::Validator;
use std::borrow::Cow;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// The prompt. [`GOES_ON`] has the same width.
pub(super) const PROMPT: &str = "?- ";
/// The prompt of a line that continues a goal.
pub(super) const GOES_ON: &str = "|  ";

/// The completions, and the state of the line.
#[derive(Default)]
pub(super) struct Completions {
    pub(super) session: Option<Session>,
    pub(super) named: Vec<NamedPredicate>,
    /// Atoms of the user's rules.
    pub(super) constants: Vec<String>,
    /// The labels of the legal moves.
    pub(super) moves: Vec<String>,
    /// Whether a line is a move by default.
    pub(super) plays: bool,
    /// The predicates of the added clauses.
    pub(super) added: Vec<String>,
    /// The earlier lines of the unfinished goal.
    pub(super) before: String,
    /// The line, as far as it is typed.
    pub(super) typed: String,
}

impl Completions {
    /// The part of a line that is a goal or a clause.
    pub(super) fn sentence<'t>(&self, text: &'t str) -> Option<&'t str> {
        let bare = text.trim_start();
        match bare.strip_prefix(':') {
            Some(order) if !bare.starts_with(":-") => {
                let (name, rest) = order.split_once(char::is_whitespace)?;
                (commands::find(name).ok()?.wants == CommandArgument::Clause).then_some(rest)
            }
            _ if self.plays && !bare.starts_with("?-") => None,
            _ => Some(text),
        }
    }

    /// The part of the typed line that is a goal or a clause.
    fn sentence_of_line<'t>(&self, line: &'t str) -> Option<&'t str> {
        if self.before.is_empty() { self.sentence(line) } else { Some(line) }
    }

    /// Whether a text may continue on the next line.
    pub(super) fn goes_on(&self, text: &str) -> bool {
        self.sentence(text).is_some_and(|sentence| matches!(self.reads(sentence), Some(InputState::More)))
    }

    /// Whether a text is one goal, clause, command or move, or the beginning of one.
    pub(super) fn is_one(&self, text: &str) -> bool {
        match self.sentence(text) {
            Some(sentence) => !matches!(self.reads(sentence), Some(InputState::Wrong(..))),
            None => !text.contains('\n'),
        }
    }

    /// The predicates as name and arity, with their descriptions.
    fn indicators(&self) -> impl Iterator<Item = Pair> {
        self.named.iter().map(|named| pair(&named.indicator(), named.about.as_deref().unwrap_or("")))
    }

    pub(super) fn reads(&self, sentence: &str) -> Option<InputState> {
        Some(self.session.as_ref()?.reads(sentence))
    }
}

/// The helper of the line editor.
pub(super) struct LineHelper {
    words: Rc<RefCell<Completions>>,
    files: FilenameCompleter,
    before: HistoryHinter,
}

impl LineHelper {
    pub(super) fn new(words: Rc<RefCell<Completions>>) -> LineHelper {
        LineHelper { words, files: FilenameCompleter::new(), before: HistoryHinter::new() }
    }

    /// Completes the word that ends at `at` in a command.
    fn of_order(&self, line: &str, at: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let from = line.len() - line.trim_start().len() + 1;
        let Some(typed) = line.get(from..at) else { return Ok((at, Vec::new())) };
        let Some(end) = typed.find(char::is_whitespace).map(|blank| from + blank) else {
            let pairs = commands::all().map(|order| pair(order.name, order.about));
            return Ok((from, begun(typed, pairs)));
        };
        let mut blanks = line[..at].char_indices().filter(|(_, c)| c.is_whitespace());
        let start = blanks.next_back().map_or(from, |(blank, c)| blank + c.len_utf8());
        let word = &line[start..at];
        let words = self.words.borrow();
        let Ok(order) = commands::find(&line[from..end]) else { return Ok((start, Vec::new())) };
        let plain = |values: &[String]| begun(word, values.iter().map(|value| pair(value, "")));
        let before = line[end..start].trim();
        Ok(match order.wants {
            CommandArgument::Files => {
                let (from, mut found) = self.files.complete(line, at, ctx)?;
                found.iter_mut().for_each(|pair| pair.display = printable::line(&pair.display).into_owned());
                return Ok((from, found));
            }
            CommandArgument::Move => {
                let start = end + line[end..at].len() - line[end..at].trim_start().len();
                (start, begun(&line[start..at], words.moves.iter().map(|label| pair(label, ""))))
            }
            CommandArgument::Setting if before.is_empty() => {
                (start, begun(word, settings::names().map(|(name, what)| pair(name, what))))
            }
            CommandArgument::Setting => (start, plain(&settings::values(before))),
            CommandArgument::Topic => {
                let codes = codes::CODES.iter().map(|row| pair(row.code, &row.title)).filter(|_| word.starts_with('A'));
                let orders = commands::all().map(|order| pair(order.name, order.about));
                let named = words.indicators().filter(|_| !word.is_empty());
                let settings = settings::names().map(|(name, what)| pair(name, what));
                (start, begun(word, orders.chain(settings).chain(named).chain(codes)))
            }
            CommandArgument::Predicate => (start, begun(word, words.indicators())),
            CommandArgument::Added => (start, plain(&words.added)),
            CommandArgument::Word(all) => (start, begun(word, all.iter().map(|word| pair(word, "")))),
            CommandArgument::Goal if word.starts_with("--") => (start, begun(word, options(&order))),
            CommandArgument::Goal | CommandArgument::Clause => self.of_goal(&words, line, at),
            CommandArgument::Param => (start, plain(&params(&words))),
            CommandArgument::Nothing => (start, Vec::new()),
            CommandArgument::Options => (start, begun(word, options(&order))),
        })
    }

    /// Completes the name that ends at `at` in a goal.
    fn of_goal(&self, words: &Completions, line: &str, at: usize) -> (usize, Vec<Pair>) {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let start = line[..at].char_indices().rev().take_while(|(_, c)| in_word(*c)).last().map_or(at, |(at, _)| at);
        let word = &line[start..at];
        if word.starts_with(|c: char| c.is_uppercase() || c == '_') {
            return (start, Vec::new());
        }
        let plain = |name: &str| name.starts_with(char::is_alphabetic);
        let named = words.named.iter().filter(|named| plain(&named.name)).map(|named| Pair {
            display: pair(&named.indicator(), named.about.as_deref().unwrap_or("")).display,
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

fn options(order: &commands::PromptCommand) -> Vec<Pair> {
    arguments::options(order).iter().map(|(name, about)| pair(name, about)).collect()
}

fn params(words: &Completions) -> Vec<String> {
    let program = words.session.iter().map(|session| &session.rules.program);
    program.flat_map(|program| program.params.iter().map(|param| format!("{}=", param.name.text()))).collect()
}

fn pair(name: &str, about: &str) -> Pair {
    // A doc comment may have several lines.
    let about = about.lines().next().unwrap_or_default();
    let display = if about.is_empty() { name.to_string() } else { format!("{name}  {about}") };
    Pair { display, replacement: name.to_string() }
}

/// The pairs that begin with this word.
fn begun(word: &str, pairs: impl IntoIterator<Item = Pair>) -> Vec<Pair> {
    pairs.into_iter().filter(|pair| pair.replacement.starts_with(word)).collect()
}

/// Catches a panic, so that a bug in a helper does not end the session.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

impl LineHelper {
    fn candidates(&self, line: &str, at: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let bare = line.trim_start();
        let words = self.words.borrow();
        if words.before.is_empty() && bare.starts_with(':') && !bare.starts_with(":-") {
            return self.of_order(line, at, ctx);
        }
        if words.sentence_of_line(line).is_none() {
            return Ok((0, begun(&line[..at], words.moves.iter().map(|label| pair(label, "")))));
        }
        Ok(self.of_goal(&words, line, at))
    }

    fn coloured(&self, line: &str) -> Option<String> {
        let words = self.words.borrow();
        let (Some(sentence), Some(session)) = (words.sentence_of_line(line), &words.session) else {
            return match line.split_once(' ') {
                Some((name, rest)) if name.starts_with(':') => Some(format!("{BOLD}{name}{END} {rest}")),
                None if line.starts_with(':') => Some(format!("{BOLD}{line}{END}")),
                _ => None,
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
        Some(text)
    }
}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        catch_panic(|| self.candidates(line, at, ctx)).unwrap_or(Ok((at, Vec::new())))
    }
}

impl Hinter for LineHelper {
    type Hint = String;

    fn hint(&self, line: &str, at: usize, ctx: &Context<'_>) -> Option<String> {
        // The editor calls this after every key, so a restarted editor can begin with this line.
        if let Ok(mut words) = self.words.try_borrow_mut() {
            words.typed = line.to_string();
        }
        if at < line.len() || line.is_empty() {
            return None;
        }
        if let Some(order) = line.strip_prefix(':').and_then(|name| commands::find(name.trim_end()).ok())
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

fn colour(kind: WordKind) -> Option<&'static str> {
    match kind {
        WordKind::Variable => Some("\x1b[33m"),
        WordKind::Number => Some("\x1b[36m"),
        WordKind::Quoted => Some("\x1b[32m"),
        WordKind::Unknown | WordKind::Broken => Some("\x1b[31m"),
        WordKind::Plain => None,
    }
}

impl Highlighter for LineHelper {
    fn highlight<'l>(&self, line: &'l str, _at: usize) -> Cow<'l, str> {
        catch_panic(|| self.coloured(line)).flatten().map_or(line.into(), Cow::from)
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

/// Accepts every line. An error is printed below it, and the next line begins anew. `Lines` reads the
/// further lines of a goal.
impl Validator for LineHelper {}

impl rustyline::Helper for LineHelper {}

#[cfg(test)]
mod tests {
    use super::{Completions, LineHelper};
    use alphorn_rules::rules::Expected;
    use alphorn_session::session::options::LoadOptions;
    use rustyline::Context;
    use rustyline::hint::Hinter;
    use rustyline::history::DefaultHistory;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::Arc;

    /// Calls everything that an editor calls, at every place of a line, without catching panics.
    #[test]
    fn no_line_is_too_strange() {
        let session =
            LoadOptions::default().open(Expected::Either, &Arc::default()).expect("nothing is wrong with nothing");
        let moves = vec!["d3".to_string()];
        let words = Rc::new(RefCell::new(Completions { session: Some(session), moves, ..Completions::default() }));
        let hand = LineHelper::new(words.clone());
        let history = DefaultHistory::new();
        let ctx = Context::new(&history);
        let lines = [
            ":",
            "  :mo",
            ":move\u{3000}d",
            ":set  depth 字",
            ":set\u{a0}x",
            ":rule é(X) :- 字(Y).",
            "字 :- '字",
            "X = \"字\" b",
            "'",
            "\"",
            "`",
            "/*",
            "0'",
            "0'字",
            ":- :",
            "?-",
            "?- 字",
            "[[[",
            ")))",
            "X = f(\n字 b",
            ":help A",
            ":play ",
            "\u{301}",
            ":why --depth",
            ":drop 字/",
            "\t:\t",
            "a\u{0}b",
            "%",
            "f(a, /* 字 */ b c)",
        ];
        for (plays, before) in [(false, ""), (true, ""), (false, "f(字,\n")] {
            (words.borrow_mut().plays, words.borrow_mut().before) = (plays, before.to_string());
            for line in lines {
                for at in (0..=line.len()).filter(|at| line.is_char_boundary(*at)) {
                    let found = hand.candidates(line, at, &ctx).expect("nothing is read");
                    assert!(found.0 <= at, "{line:?} at {at}");
                    hand.hint(line, at, &ctx);
                }
                hand.coloured(line);
            }
        }
    }
}
