//! The last question, and how it is asked again when the rules have changed.
//!
//! In: a question with its answer, and a sitting before and after the change. Out: the answers of
//! both, found in the same way, so that they can be compared: to the depth that was reached, by one
//! thread, without a clock. Must not know what has changed, or who tells it.

use super::Repl;
use super::commands::{self, CommandAction};
use super::diff::{DiffVerdict, compared};
use super::settings::Settings;
use crate::cli::INTERRUPTED;
use crate::cli::args::Color;
use crate::cli::output::Out;
use alphorn_protocol::protocol::clock::Clock;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::workspace::{Snapshot, Workspace};
use alphorn_session::session::{Done, Failure};
use clap::Command;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Seconds in which a question has to be answered again, and how many times those it took at first.
const PATIENCE: f64 = 10.0;
const TIMES: f64 = 4.0;

/// Options that bound a search otherwise than by its depth, or make it another one each time.
const UNSTEADY: &[&str] = &["time", "threads", "nodes", "depth", "games"];

/// Options by which a question writes a file: it is not asked again.
const WRITES: &[&str] = &["--save", "--proof", "--output", "--svg"];

/// What can be asked.
#[derive(Clone, Debug)]
pub(super) enum PromptQuestion {
    Goal(String),
    Order(&'static str, String),
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) json: Value,
    /// The same as a person reads it; empty for goals.
    pub(super) text: String,
}

impl Answer {
    pub(super) fn has(&self, field: &str) -> bool {
        self.json[field] == Value::Bool(true)
    }
}

/// How a question is asked again.
pub(super) struct RepeatOptions<'a> {
    pub(super) settings: &'a Settings,
    /// Ends it.
    pub(super) stop: &'a Arc<AtomicBool>,
    /// Between what was and what is.
    pub(super) arrow: &'a str,
    /// Whether a line is typed meanwhile.
    pub(super) behind: bool,
}

/// A question with its answer, to be asked again when the rules have changed.
#[derive(Clone, Debug)]
pub(super) struct AskedQuestion {
    asked: PromptQuestion,
    /// Where the game stood.
    at: Option<Position>,
    pub(super) answer: Answer,
    /// Whether the same rules would give the same answer again.
    repeatable: bool,
}

/// How a search is bounded so that it does the same each time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RepeatBounds {
    depth: Option<u64>,
    games: Option<u64>,
}

impl RepeatBounds {
    /// As far as an answer came; one that is exact needs no bound.
    fn of(answer: &Value) -> RepeatBounds {
        let games = answer["sample"]["games"].as_u64();
        let open = answer["exact"] != Value::Bool(true) && games.is_none();
        let depth = answer["depth"].as_u64().or_else(|| answer["search"]["depth"].as_u64());
        RepeatBounds { depth: depth.filter(|_| open), games }
    }

    /// The words of a command with these bounds in the place of its own.
    pub(super) fn put(self, command: &Command, words: Vec<String>) -> Vec<String> {
        let takes = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
        if !takes("time") {
            return words;
        }
        let goes = |name: &str| match name {
            "depth" => self.depth.is_some(),
            "games" => self.games.is_some(),
            name => UNSTEADY.contains(&name),
        };
        let mut kept = Vec::new();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").map(|long| long.split('=').next().unwrap_or(long).to_string());
            match name.filter(|name| goes(name)) {
                // Its value is the next word.
                Some(_) if !word.contains('=') => drop(words.next()),
                Some(_) => {}
                None => kept.push(word),
            }
        }
        let is_said = |name: &str| kept.iter().any(|word| word.starts_with(name));
        let seed = (self.games.is_some() && !is_said("--seed")).then_some(1);
        let new = [("threads", Some(1)), ("depth", self.depth), ("games", self.games), ("seed", seed)];
        let new = new.into_iter().filter(|(name, _)| takes(name));
        kept.extend(new.filter_map(|(name, value)| Some(format!("--{name}={}", value?))));
        kept
    }
}

impl Repl<'_> {
    /// Keeps what was asked, unless it was stopped: that is not asked again.
    pub(super) fn remember(&mut self, asked: PromptQuestion, ended: u8) {
        let json = self.out.last.borrow().clone();
        let is_kept = |json: &Value| ended != INTERRUPTED && !(json["stopped"] == true && json["value"].is_null());
        let Some(json) = json.filter(is_kept) else {
            self.question = None;
            return;
        };
        let text = match asked {
            PromptQuestion::Goal(_) => String::new(),
            PromptQuestion::Order(..) => self.out.text.borrow().clone(),
        };
        let repeatable = self.is_repeatable(&asked, &json);
        let at = self.sitting().here().cloned();
        self.question = Some(AskedQuestion { asked, at, answer: Answer { json, text }, repeatable });
    }

    /// Whether the same rules would give the same answer to the same words: helpers and clocks may
    /// change it.
    fn is_repeatable(&self, asked: &PromptQuestion, json: &Value) -> bool {
        let PromptQuestion::Order(name, rest) = asked else { return true };
        let (name, rest) = match *name {
            "pv" => ("value", rest.as_str()),
            // Its number of lines is no depth.
            "lines" => ("value", rest.split_once(char::is_whitespace).map_or("", |(_, more)| more)),
            name => (name, rest.as_str()),
        };
        let Ok(options) = commands::find(name).and_then(|order| self.options(order, rest)) else { return false };
        if options.try_get_raw("time").is_err() {
            return true;
        }
        let given = |name: &str| options.try_get_raw(name).ok().flatten().and_then(|mut values| values.next());
        let alone = given("threads").is_some_and(|threads| threads == "1");
        let drawn = json["sample"].is_null() || given("seed").is_some();
        alone && drawn && json["stopped"] != Value::Bool(true) && json["search"]["stopped"] != Value::Bool(true)
    }

    /// The answer to a question, which nobody sees.
    fn again(&mut self, asked: &PromptQuestion) -> Done<Answer> {
        self.out.silent = true;
        self.out.forget();
        match asked {
            PromptQuestion::Goal(goal) => drop(self.goal(goal)?),
            PromptQuestion::Order(name, rest) => drop(self.order(commands::find(name)?, rest)?),
        }
        let text = if matches!(asked, PromptQuestion::Goal(_)) { String::new() } else { self.out.text.take() };
        Ok(Answer { json: self.out.last.take().unwrap_or(Value::Null), text })
    }
}

/// Whether an order with these words is a question that may be asked again.
pub(super) fn is_question(order: commands::PromptCommand, rest: &str) -> bool {
    matches!(order.does, CommandAction::Ask(_) | CommandAction::Run)
        && !rest.split_whitespace().any(|word| WRITES.iter().any(|write| word.starts_with(write)))
}

impl AskedQuestion {
    /// Asks it in a sitting of its own; `None` where it was stopped, or took too long.
    fn ask(&self, snapshot: Snapshot, way: &RepeatOptions<'_>) -> Done<Option<Answer>> {
        let seconds = self.answer.json["seconds"].as_f64().unwrap_or(0.0);
        let clock = Clock::new(way.stop, Some(PATIENCE.max(TIMES * seconds)));
        clock.begin();
        let mut settings = way.settings.clone();
        for name in UNSTEADY.iter().filter(|name| !matches!(**name, "depth" | "games")) {
            settings.set(name, None)?;
        }
        let mut out = Out::new(false, Color::Never);
        out.behind = way.behind;
        let sitting = Workspace::resume(snapshot, clock.flag())?;
        let mut repl = Repl::unseen(sitting, settings, &mut out, clock.flag());
        repl.bounds = Some(RepeatBounds::of(&self.answer.json));
        let answer = repl.again(&self.asked);
        if clock.flag().load(Relaxed) {
            return Ok(None);
        }
        let answer = answer?;
        Ok(Some(answer).filter(|answer| !answer.has("stopped")))
    }

    /// Makes its answer one that the rules before the change give where the game stands now, in the
    /// way in which it will be asked after it; whether that could be done.
    fn prepare(&mut self, before: Snapshot, way: &RepeatOptions<'_>) -> bool {
        if self.repeatable && self.at.as_ref() == before.here() {
            return true;
        }
        let at = before.here().cloned();
        match self.ask(before, way) {
            Ok(Some(answer)) => {
                (self.answer, self.at, self.repeatable) = (answer, at, true);
                true
            }
            _ => false,
        }
    }

    /// Asks it of the rules after the change; what has become of its answer. `None` where it was
    /// stopped, or took too long.
    fn repeat(&mut self, after: Snapshot, way: &RepeatOptions<'_>) -> Done<Option<DiffVerdict>> {
        let Some(mut answer) = self.ask(after, way)? else { return Ok(None) };
        as_far_as(&self.answer.json, &mut answer.json);
        let verdict = compared(&self.answer, &answer, way.arrow);
        self.answer = answer;
        Ok(Some(verdict))
    }
}

/// Of a goal whose answers were not all asked for, as many as were.
fn as_far_as(before: &Value, after: &mut Value) {
    let Some(told) = before["answers"].as_array().filter(|_| before["complete"] == false) else { return };
    if let Some(answers) = after["answers"].as_array_mut()
        && answers.len() >= told.len()
    {
        answers.truncate(told.len());
        after["complete"] = false.into();
        after["output"] = before["output"].clone();
    }
}

/// What has become of the last answer.
pub(super) struct AnswerChange {
    pub(super) verdict: Option<DiffVerdict>,
    /// The question with its answer now.
    pub(super) question: Option<AskedQuestion>,
}

impl AnswerChange {
    /// What goes wrong with the rules as they are now.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.verdict {
            Some(DiffVerdict::Fails(failure)) => Some(failure),
            _ => None,
        }
    }

    /// What is said of it, in lines.
    pub(super) fn text(&self) -> String {
        self.verdict.as_ref().map(DiffVerdict::text).unwrap_or_default()
    }
}

/// Compares the answers before and after a change, which `change` makes; `None` is no question.
pub(super) fn across(
    question: Option<AskedQuestion>,
    before: Snapshot,
    way: &RepeatOptions<'_>,
    change: impl FnOnce() -> Done<Snapshot>,
) -> Done<AnswerChange> {
    let Some(mut question) = question else {
        change()?;
        return Ok(AnswerChange { verdict: None, question: None });
    };
    let ready = question.prepare(before, way);
    let stopped = way.stop.load(Relaxed);
    let after = change()?;
    if !ready {
        let why = if stopped { "it was stopped" } else { "the earlier rules gave no answer here, or not in time" };
        return Ok(AnswerChange { verdict: Some(DiffVerdict::Apart(why.to_string())), question: None });
    }
    Ok(match question.repeat(after, way) {
        Ok(Some(verdict)) => AnswerChange { verdict: Some(verdict), question: Some(question) },
        // It would be stopped again.
        Ok(None) => {
            let why = "it was stopped, or took too long".to_string();
            AnswerChange { verdict: Some(DiffVerdict::Apart(why)), question: None }
        }
        Err(failure) => AnswerChange { verdict: Some(DiffVerdict::Fails(failure)), question: Some(question) },
    })
}
