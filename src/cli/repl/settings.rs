//! Settings: options of searches that `:set` sets for all later commands.
//!
//! The settings become arguments of the commands that search. The command line defines the possible
//! values.

use super::Repl;
use super::table::columns;
use crate::cli::commands::CommandSubject;
use crate::cli::value::ValueArgs;
use crate::cli::{CommandResult, YES};
use alphorn_lang::lang::near::nearest;
use alphorn_protocol::protocol::words::Bytes;
use alphorn_search::search::Algorithm;
use alphorn_session::session::Failure;
use alphorn_session::session::options::LoadOptions;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use clap::{Arg, Args, Command};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The settings with their meaning: the noun that follows `depth is`.
const SETTINGS: &[(&str, &str)] = &[
    ("time", "seconds to search, such as 5 or 0.5"),
    ("depth", "a number of plies, 0 or more"),
    ("nodes", "the greatest number of positions to search"),
    ("algorithm", "a search algorithm, such as auto, pvs or mcts"),
    ("threads", "a number from 1 to 1024"),
    ("hash", "megabytes of the transposition table, from 1"),
    ("seed", "a seed, for the order of equal moves and the dice"),
    ("advice", "off, order, prune, focus=PLIES, strict or plan"),
    ("heuristic", "on or off: skip unlikely moves"),
    ("backup", "expect, entropic=K or risk=RULE, for chance moves"),
    ("risk-view", "owner, max or min: whose attitude to risk"),
    ("games", "a number of random games, from 1"),
    ("explore", "a number from 0, such as 0.7, for mcts"),
    ("implicit", "a number from 0 to 1, such as 0.3, for mcts"),
    ("leaf", "playout or eval: what evaluates a leaf of mcts"),
    ("steps", "a number of steps for one goal; 0: no limit"),
    ("memory", "bytes for one goal, such as 512M or 2G"),
    ("stats", "on or off: print statistics for every depth"),
    (ANSWERS, "a number from 1: answers shown without a terminal"),
];

const ANSWERS: &str = "answers";

/// Number of answers shown if the input is not a terminal.
const MOST_ANSWERS: usize = 100;

/// Settings that limit every evaluation of rules, not only searches.
const BUDGETS: &[&str] = &["steps", "memory"];

/// Settings that limit a search.
const LIMITS: &[&str] = &["time", "depth", "nodes", "games"];

/// Seconds for a search without limits.
const PATIENCE: f64 = 5.0;

/// The settings of a session.
#[derive(Clone, Default)]
pub(super) struct Settings {
    values: BTreeMap<&'static str, String>,
    /// Seconds for a search without limits, until the user changes the setting `time`.
    patience: Option<f64>,
}

impl Settings {
    pub(super) fn new() -> Settings {
        Settings { values: BTreeMap::new(), patience: Some(PATIENCE) }
    }

    /// Number of answers shown if the input is not a terminal.
    pub(super) fn answers(&self) -> usize {
        self.values.get(ANSWERS).and_then(|value| value.parse().ok()).unwrap_or(MOST_ANSWERS)
    }

    /// The budgets of goals.
    pub(super) fn budgets(&self) -> LoadOptions {
        let steps = self.typed("steps");
        let memory = self.typed::<Bytes>("memory").map(|Bytes(bytes)| bytes);
        LoadOptions { steps, memory, ..LoadOptions::default() }
    }

    /// The value of a setting, as the type of its option.
    fn typed<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Option<T> {
        let (option, value) = option(name).zip(self.values.get(name))?;
        let found = Command::new("set").no_binary_name(true).arg(option);
        found.try_get_matches_from([format!("--{name}={value}")]).ok()?.get_one::<T>(name).cloned()
    }

    /// The default seconds, if no setting limits a search.
    fn patience(&self) -> Option<String> {
        let limited = LIMITS.iter().any(|name| self.values.contains_key(name));
        self.patience.filter(|_| !limited).map(|seconds| seconds.to_string())
    }

    /// The value of a setting, or its default.
    fn get(&self, name: &str) -> Option<String> {
        self.values.get(name).cloned().or_else(|| self.patience().filter(|_| name == "time"))
    }

    /// Sets an option, or unsets it if there is no value.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Failure> {
        let (name, what) = row(name)?;
        let Some(value) = value else {
            self.values.remove(name);
            if name == "time" {
                self.patience = None;
            }
            return Ok(());
        };
        let Some(option) = option(name) else { return Err(unknown(name)) };
        if !option.get_action().takes_values() {
            match value {
                "on" | "true" | "yes" => self.values.insert(name, "on".to_string()),
                "off" | "false" | "no" => self.values.remove(name),
                _ => return refused(format!("{name} must be on or off, not {value}"), format!(":set {name} on")),
            };
            return Ok(());
        }
        let known = values(name);
        let reader = Command::new("set").no_binary_name(true).arg(option);
        if reader.try_get_matches_from([format!("--{name}={value}")]).is_err() {
            let help = match nearest(value, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None if known.is_empty() => format!(":help {name} explains it"),
                None => format!("one of {}", known.join(", ")),
            };
            return refused(format!("{name} is {what}, not {value}"), help);
        }
        self.values.insert(name, value.to_string());
        Ok(())
    }

    /// The arguments that the settings add to a command, except those that the user typed or that
    /// conflict with typed ones.
    pub(super) fn arguments(&self, command: &Command, about: CommandSubject, said: &[&Arg]) -> Vec<String> {
        let is_said = |name: &str| said.iter().any(|arg| arg.get_long() == Some(name));
        let limited = LIMITS.iter().any(|name| is_said(name));
        let patience = self.patience().filter(|_| !limited).map(|seconds| ("time", seconds));
        let values = self.values.iter().map(|(name, value)| (*name, value.clone()));
        let searches = matches!(about, CommandSubject::Search | CommandSubject::Move);
        let argument = |(name, value): (&str, String)| {
            let option = command.get_arguments().find(|arg| arg.get_long() == Some(name))?;
            let heeded = searches || BUDGETS.contains(&name);
            let against = said.iter().any(|other| conflict(command, option, other));
            if !heeded || is_said(name) || against {
                return None;
            }
            Some(if option.get_action().takes_values() { format!("--{name}={value}") } else { format!("--{name}") })
        };
        values.chain(patience).filter_map(argument).collect()
    }
}

/// Whether two options of a command conflict; either may declare the conflict.
fn conflict(command: &Command, one: &Arg, other: &Arg) -> bool {
    let declares =
        |arg, against: &Arg| command.get_arg_conflicts_with(arg).iter().any(|arg| arg.get_id() == against.get_id());
    declares(one, other) || declares(other, one)
}

/// The names and meanings of all settings.
pub(super) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    SETTINGS.iter().copied()
}

/// The help on a setting.
pub(super) fn help(name: &str) -> Option<String> {
    let (name, what) = row(name).ok()?;
    let about = option(name)?.get_help().map(|help| format!("    {help}\n")).unwrap_or_default();
    let all = values(name);
    let told = all.last().is_none_or(|last| about.contains(last.as_str()));
    let all = if told { String::new() } else { format!("    one of {}\n", all.join(", ")) };
    Some(format!("{name}: {what}\n{about}{all}    :set {name} VALUE; :unset {name}\n"))
}

/// The possible values of an option, if they can be listed.
pub(super) fn values(name: &str) -> Vec<String> {
    let Some(option) = option(name) else { return Vec::new() };
    if !option.get_action().takes_values() {
        return vec!["on".to_string(), "off".to_string()];
    }
    match name {
        "algorithm" => Algorithm::every().map(|algorithm| algorithm.name().to_string()).collect(),
        _ => option.get_possible_values().iter().map(|value| value.get_name().to_string()).collect(),
    }
}

fn row(name: &str) -> Result<(&'static str, &'static str), Failure> {
    SETTINGS.iter().find(|(other, _)| *other == name).copied().ok_or_else(|| unknown(name))
}

/// The option of the command line with this name.
fn option(name: &str) -> Option<Arg> {
    if name == ANSWERS {
        let help = format!("Number of answers shown if the input is not a terminal ({MOST_ANSWERS})");
        return Some(Arg::new(ANSWERS).long(ANSWERS).value_parser(clap::value_parser!(u64).range(1..)).help(help));
    }
    let all = ValueArgs::augment_args(Command::new("set"));
    all.get_arguments().find(|arg| arg.get_long() == Some(name)).map(|arg| arg.clone().allow_negative_numbers(true))
}

fn unknown(name: &str) -> Failure {
    let help = match nearest(name, SETTINGS.iter().map(|(name, _)| *name)) {
        Some(near) => format!("did you mean {near}?"),
        None => ":set lists the settings; type other options after a command".to_string(),
    };
    let problem = Problem::placeless(Code::InvalidArgument, format!("there is no setting {name}")).help(help);
    Failure::Problem(Box::new(problem), Arc::default())
}

fn refused<T>(message: String, help: String) -> Result<T, Failure> {
    Err(Failure::Problem(Box::new(Problem::placeless(Code::InvalidArgument, message).help(help)), Arc::default()))
}

/// Splits a name from the value after a blank or `=`.
pub(super) fn assignment(rest: &str) -> (&str, Option<&str>) {
    match rest.split_once(|c: char| c == '=' || c.is_whitespace()) {
        Some((name, value)) => {
            let value = value.trim_start();
            let value = value.strip_prefix('=').unwrap_or(value).trim();
            (name.trim(), Some(value).filter(|value| !value.is_empty()))
        }
        None => (rest.trim(), None),
    }
}

impl Repl<'_> {
    pub(super) fn set(&mut self, rest: &str) -> CommandResult {
        if rest.is_empty() {
            let rows = || names().map(|(name, what)| (name, self.settings.get(name), what));
            let cells = rows().map(|(name, value, what)| {
                vec![format!("{name} {}", value.as_deref().unwrap_or("-")), what.to_string()]
            });
            let text = columns(&cells.collect::<Vec<_>>());
            self.out.print(&text);
            return Ok(YES);
        }
        let (name, value) = assignment(rest);
        let (name, _) = row(name)?;
        let flag = option(name).is_some_and(|option| !option.get_action().takes_values());
        if let Some(value) = value.or(flag.then_some("on")) {
            self.settings.set(name, Some(value))?;
        }
        let value = self.settings.get(name);
        let unset = if flag { "off" } else { "is not set" };
        self.out.print(&format!("{name} {}\n", value.as_deref().unwrap_or(unset)));
        Ok(YES)
    }

    pub(super) fn unset(&mut self, rest: &str) -> CommandResult {
        let name = rest.trim();
        self.settings.set(name, None)?;
        Ok(YES)
    }
}

#[cfg(test)]
mod tests {
    use super::{SETTINGS, Settings, assignment, option};

    #[test]
    fn every_setting_is_an_option() {
        for (name, what) in SETTINGS {
            assert!(option(name).is_some(), "{name}");
            assert!(what.len() <= 53, "{name}: {what}");
        }
    }

    #[test]
    fn a_value_stands_behind_a_blank_or_a_sign() {
        for text in ["depth 4", "depth=4", "depth = 4", "depth  =4"] {
            assert_eq!(assignment(text), ("depth", Some("4")), "{text}");
        }
        assert_eq!(assignment("depth"), ("depth", None));
        assert_eq!(assignment("advice focus=2"), ("advice", Some("focus=2")));
    }

    #[test]
    fn the_usual_time_gives_way_to_any_limit() {
        let mut settings = Settings::new();
        assert_eq!(settings.get("time").as_deref(), Some("5"));
        settings.set("nodes", Some("10")).expect("a number");
        assert_eq!(settings.get("time"), None);
        settings.set("time", Some("5")).expect("seconds");
        assert_eq!(settings.get("time").as_deref(), Some("5"));
    }
}
