//! Runs goals at the prompt and prints their answers one at a time, like other Prolog systems.
//!
//! At a terminal, a key asks for the next answer. In a pipe, a key is a line of its own; without such
//! lines, all answers are printed.

use super::Repl;
use crate::cli::query::{line, with_final_newline};
use crate::cli::{CommandResult, FAILED, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::data::Problems;
use alphorn_protocol::protocol::query::{GoalError, Reply, Values};
use alphorn_rules::rules::Expected;
use alphorn_session::session::query::{Answer, Answers, QueryOptions};
use alphorn_text::code::Code;
use console::{Key, Term};

/// The keys after an answer.
const KEYS: &str = "; Space n: next   f: five more   a: all   Enter . q: no more   h: this help\n";

/// The keys that a pipe may have on lines of their own.
const LINES: &[&str] = &[";", "n", "f", "a", "q", ".", "h"];

/// Answers for one press of `f`.
const FEW: usize = 5;

/// Bytes of the output of a goal that are kept.
const MOST_WRITTEN: usize = 1 << 20;

/// The user's choice after an answer.
#[derive(Clone, Copy, PartialEq)]
enum AnswerChoice {
    One,
    Few,
    All,
    None,
    Help,
    /// No choice yet, but the answer must be printed again.
    Back,
}

fn choice_of_key(key: &str) -> AnswerChoice {
    match key {
        ";" | "n" => AnswerChoice::One,
        "f" => AnswerChoice::Few,
        "a" => AnswerChoice::All,
        "h" => AnswerChoice::Help,
        _ => AnswerChoice::None,
    }
}

/// Reads a key; an error means no more answers.
fn read_choice(term: &Term) -> AnswerChoice {
    loop {
        return match term.read_key_raw() {
            Ok(Key::Char(';' | ' ' | 'n') | Key::Tab) => AnswerChoice::One,
            Ok(Key::Char('f')) => AnswerChoice::Few,
            Ok(Key::Char('a')) => AnswerChoice::All,
            Ok(Key::Char('h' | '?')) => AnswerChoice::Help,
            Ok(Key::Char('\u{1a}')) => {
                suspend();
                AnswerChoice::Back
            }
            Ok(
                Key::Enter | Key::Escape | Key::CtrlC | Key::Char('.' | 'q' | 'c' | '\u{3}' | '\u{4}' | '\r' | '\n'),
            ) => AnswerChoice::None,
            Ok(_) => continue,
            Err(_) => AnswerChoice::None,
        };
    }
}

/// Handles Ctrl-Z, which a terminal in raw mode leaves to the program.
fn suspend() {
    #[cfg(unix)]
    // If the signal is not allowed, the key does nothing.
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP);
}

/// How many answers are printed, and when to ask for more.
struct AnswerPager {
    terminal: bool,
    /// Answers that are printed without asking.
    free: usize,
    shown: usize,
    most: usize,
    /// Whether any key was read.
    heard: bool,
    /// Whether another answer was requested and has not come.
    open: bool,
}

impl Repl<'_> {
    /// Runs a goal and prints its answers.
    pub(super) fn goal(&mut self, goal: &str) -> CommandResult {
        let budgets = self.settings.budgets();
        let session = match budgets.is_empty() {
            true => self.session(),
            false => self.workspace().session_for_request(Expected::Either, &budgets, &self.stop)?,
        };
        let now = self.workspace().here().cloned();
        let terminal = self.lines.is_terminal();
        let most = self.settings.answers();
        let keep = QueryOptions { limit: usize::MAX, canonical: false, keep: false };
        let mut rows: Vec<Values> = Vec::new();
        let mut tap = AnswerPager { terminal, free: 0, shown: 0, most, heard: false, open: false };
        let mut written = String::new();
        let mut see = |answer: &Answer, output: &str, more: bool| {
            if written.len() < MOST_WRITTEN {
                written.push_str(output);
            }
            if rows.len() < most {
                rows.push(Values(answer.clone()));
            }
            match self.out.silent {
                // A silent prompt asks nothing.
                true => rows.len() < most,
                false => self.see(&mut tap, answer, output, more),
            }
        };
        let mut answers = session.query(goal, keep, now, &mut see)?;
        answers.tell_once();
        if let Some(error) = answers.error.as_mut().filter(|error| error.problem.code == Code::ErrorInGoal) {
            let name = whole_goal(goal);
            let known = session.predicates().iter().any(|named| named.callable && named.name == name);
            if !known {
                error.problem = *self.meant(goal, error.problem.clone());
            }
        }
        let open = tap.open;
        written.push_str(&answers.output);
        Ok(self.end(answers, (rows, written), open))
    }

    /// Prints an answer, and returns whether to look for another.
    fn see(&mut self, tap: &mut AnswerPager, answer: &Answer, output: &str, more: bool) -> bool {
        tap.shown += 1;
        tap.open = false;
        self.out.print(&format!("{}{}", with_final_newline(output), line(answer)));
        if !more {
            self.out.print(".\n");
            return true;
        }
        if tap.free > 0 {
            tap.free -= 1;
            tap.open = true;
            self.out.print(" ;\n");
            return true;
        }
        loop {
            let wish = match tap.terminal {
                true => read_choice(&Term::stdout()),
                false => match self.lines.key(LINES) {
                    Some(key) => {
                        tap.heard = true;
                        choice_of_key(&key)
                    }
                    // Without keys in the pipe, nothing is held back.
                    None if !tap.heard && tap.shown < tap.most => {
                        tap.free = tap.most - tap.shown - 1;
                        AnswerChoice::One
                    }
                    None => AnswerChoice::None,
                },
            };
            match wish {
                AnswerChoice::Help => {
                    self.out.print(&format!("\n{KEYS}{}", line(answer)));
                    continue;
                }
                AnswerChoice::Back => {
                    self.out.print(&line(answer));
                    continue;
                }
                AnswerChoice::None => {
                    self.out.print(".\n");
                    if !tap.terminal && !tap.heard {
                        self.out.tell(&format!("there may be more than {} answers: type :set answers N\n", tap.most));
                    }
                    return false;
                }
                AnswerChoice::One => {}
                AnswerChoice::Few => tap.free = FEW - 1,
                AnswerChoice::All => tap.free = usize::MAX,
            }
            tap.open = true;
            self.out.print(" ;\n");
            return true;
        }
    }

    /// Prints how a goal ended, and keeps its answers.
    fn end(&mut self, answers: Answers, (rows, written): (Vec<Values>, String), open: bool) -> u8 {
        let Answers { count, complete, output, error, warnings, .. } = answers;
        let none = error.is_none() && complete && (count == 0 || open);
        self.out.print(&format!("{}{}", with_final_newline(&output), if none { "false.\n" } else { "" }));
        self.out.report(&warnings);
        if let Some(error) = &error {
            self.out.problem(&error.problem, &warnings.sources);
        }
        let status = match &error {
            Some(error) if error.stopped => INTERRUPTED,
            Some(_) => FAILED,
            None if count == 0 && complete => NO,
            None => YES,
        };
        let error = error.map(|error| GoalError::of(error, &warnings.sources));
        let reply = Reply { answers: rows, complete, output: written, error, warnings: Problems(warnings) };
        self.out.keep_reply(&reply);
        status
    }
}

/// The name at the beginning of a goal.
fn whole_goal(goal: &str) -> &str {
    let bare = goal.trim().trim_start_matches("?-").trim_start();
    bare.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}
