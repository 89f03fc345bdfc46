//! Repeats the last question when the rules change, and compares the answers.
//!
//! Both answers are found in the same way: to the depth that was reached, by one thread, without a
//! clock. The module does not depend on what changed or who prints the result.

use super::Repl;
use super::answer::Answer;
use super::commands::{self, CommandAction};
use super::diff::{DiffVerdict, compared};
use super::settings::Settings;
use crate::cli::INTERRUPTED;
use crate::cli::output::Color;
use crate::cli::output::Out;
use alphorn_protocol::protocol::clock::Clock;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::workspace::{Snapshot, Workspace};
use alphorn_session::session::{Failure, SessionResult};
use clap::Command;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Seconds for a repeated question, or this multiple of its first time if that is more.
const PATIENCE: f64 = 10.0;
const TIMES: f64 = 4.0;

/// Options that limit a search other than by depth, or that make its result vary.
const UNSTEADY: &[&str] = &["time", "threads", "nodes", "depth", "games"];

/// Options that write a file; a question with them is not repeated.
const WRITES: &[&str] = &["--save", "--proof", "--output", "--svg"];

/// A question at the prompt.
#[derive(Clone, Debug)]
pub(super) enum PromptQuestion {
    Goal(String),
    Order(&'static str, String),
}

/// How a question is repeated.
pub(super) struct RepeatOptions<'a> {
    pub(super) settings: &'a Settings,
    /// Stops the question.
    pub(super) stop: &'a Arc<AtomicBool>,
    /// The arrow between the old and the new value.
    pub(super) arrow: &'a str,
    /// Whether the user is typing a line meanwhile.
    pub(super) behind: bool,
}

/// A question with its answer, to be repeated when the rules change.
#[derive(Clone, Debug)]
pub(super) struct AskedQuestion {
    asked: PromptQuestion,
    /// The position in which the question was asked.
    at: Option<Position>,
    pub(super) answer: Answer,
    /// Whether the same rules would give the same answer.
    repeatable: bool,
}

/// Search limits that make a search repeatable.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RepeatBounds {
    depth: Option<u64>,
    games: Option<u64>,
}

impl RepeatBounds {
    /// Limits that match an answer; an exact answer needs no limit on the depth.
    fn of(answer: &Value) -> RepeatBounds {
        let games = answer["sample"]["games"].as_u64();
        let open = answer["exact"] != Value::Bool(true) && games.is_none();
        let depth = answer["depth"].as_u64().or_else(|| answer["search"]["depth"].as_u64());
        RepeatBounds { depth: depth.filter(|_| open), games }
    }

    /// Replaces the limits among the words of a command.
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
                // The next word is the value of this option.
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
    /// Keeps a question and its answer, unless the question was interrupted.
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
        let at = self.workspace().here().cloned();
        self.question = Some(AskedQuestion { asked, at, answer: Answer { json, text }, repeatable });
    }

    /// Whether the same rules would give the same answer to the same question. Helper threads and
    /// clocks may change an answer.
    fn is_repeatable(&self, asked: &PromptQuestion, json: &Value) -> bool {
        let PromptQuestion::Order(name, rest) = asked else { return true };
        let (name, rest) = match *name {
            "pv" => ("value", rest.as_str()),
            // The number of lines is not a depth.
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

    /// Answers a question without printing anything.
    fn again(&mut self, asked: &PromptQuestion) -> SessionResult<Answer> {
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

/// Whether a command with these arguments may be repeated.
pub(super) fn is_question(order: commands::PromptCommand, rest: &str) -> bool {
    matches!(order.does, CommandAction::Ask(_) | CommandAction::Run)
        && !rest.split_whitespace().any(|word| WRITES.iter().any(|write| word.starts_with(write)))
}

impl AskedQuestion {
    /// Asks the question in a workspace of its own; `None` if it was stopped or took too long.
    fn ask(&self, snapshot: Snapshot, way: &RepeatOptions<'_>) -> SessionResult<Option<Answer>> {
        let seconds = self.answer.json["seconds"].as_f64().unwrap_or(0.0);
        let clock = Clock::new(way.stop, Some(PATIENCE.max(TIMES * seconds)));
        clock.begin();
        let mut settings = way.settings.clone();
        for name in UNSTEADY.iter().filter(|name| !matches!(**name, "depth" | "games")) {
            settings.set(name, None)?;
        }
        let mut out = Out::new(false, Color::Never);
        out.behind = way.behind;
        let workspace = Workspace::resume(snapshot, clock.flag())?;
        let mut repl = Repl::unseen(workspace, settings, &mut out, clock.flag());
        repl.bounds = Some(RepeatBounds::of(&self.answer.json));
        let answer = repl.again(&self.asked);
        if clock.flag().load(Relaxed) {
            return Ok(None);
        }
        let answer = answer?;
        Ok(Some(answer).filter(|answer| !answer.has("stopped")))
    }

    /// Computes the answer of the old rules in the current position, in the way of a repetition.
    /// Returns whether that succeeded.
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

    /// Repeats the question with the new rules and compares the answers. `None` if it was stopped or
    /// took too long.
    fn repeat(&mut self, after: Snapshot, way: &RepeatOptions<'_>) -> SessionResult<Option<DiffVerdict>> {
        let Some(mut answer) = self.ask(after, way)? else { return Ok(None) };
        truncate_like(&self.answer.json, &mut answer.json);
        let verdict = compared(&self.answer, &answer, way.arrow);
        self.answer = answer;
        Ok(Some(verdict))
    }
}

/// Cuts the new answers of a goal to the number of old ones, if the old ones are incomplete.
fn truncate_like(before: &Value, after: &mut Value) {
    let Some(told) = before["answers"].as_array().filter(|_| before["complete"] == false) else { return };
    if let Some(answers) = after["answers"].as_array_mut()
        && answers.len() >= told.len()
    {
        answers.truncate(told.len());
        after["complete"] = false.into();
        after["output"] = before["output"].clone();
    }
}

/// How the last answer changed.
pub(super) struct AnswerChange {
    pub(super) verdict: Option<DiffVerdict>,
    /// The question with its new answer.
    pub(super) question: Option<AskedQuestion>,
}

impl AnswerChange {
    /// The failure of the question with the new rules.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.verdict {
            Some(DiffVerdict::Fails(failure)) => Some(failure),
            _ => None,
        }
    }

    /// The change, in lines of text.
    pub(super) fn text(&self) -> String {
        self.verdict.as_ref().map(DiffVerdict::text).unwrap_or_default()
    }
}

/// Compares the answers before and after `change`; `None` for the question means no comparison.
pub(super) fn compare_across_change(
    question: Option<AskedQuestion>,
    before: Snapshot,
    way: &RepeatOptions<'_>,
    change: impl FnOnce() -> SessionResult<Snapshot>,
) -> SessionResult<AnswerChange> {
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
        // A question that was stopped is dropped: it would be stopped again.
        Ok(None) => {
            let why = "it was stopped, or took too long".to_string();
            AnswerChange { verdict: Some(DiffVerdict::Apart(why)), question: None }
        }
        Err(failure) => AnswerChange { verdict: Some(DiffVerdict::Fails(failure)), question: Some(question) },
    })
}
