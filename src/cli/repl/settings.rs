//! Settings: the options of commands, said once for all that follows.
//!
//! In: names and values as a person types them. Out: arguments for the commands that have such an
//! option. The options of the command line are the table, with their types, ranges and help.

use crate::cli::args::Cli;
use crate::lang::near::nearest;
use crate::report::Problem;
use crate::session::Failure;
use clap::{Arg, Command, CommandFactory};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Options that belong to one question, or to the program as a whole.
const NO_SETTINGS: &[&str] = &[
    "position",
    "at",
    "opening",
    "moves",
    "param",
    "with",
    "json",
    "json-lines",
    "color",
    "help",
    "version",
    "a",
    "b",
    "output",
    "save",
    "proof",
    "all",
    "playouts",
    "code",
    "cost",
    "deny-warnings",
    "answer",
    "only",
    "skip",
    "search",
    "svg",
    "side",
    "plies",
    "echo",
    "source",
    "table",
    "goal",
];

/// Answers shown where nobody can be asked whether there should be more.
pub(super) const ANSWERS: usize = 100;

/// Seconds for a search at a prompt, where nothing limits it.
const PATIENCE: &str = "5";

/// See the module.
#[derive(Clone, Default)]
pub(super) struct Settings {
    values: BTreeMap<String, String>,
}

/// A setting as a list shows it.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) about: String,
}

impl Settings {
    pub(super) fn new() -> Settings {
        Settings { values: BTreeMap::from([("time".to_string(), PATIENCE.to_string())]) }
    }

    /// How many answers are shown where nobody can be asked.
    pub(super) fn answers(&self) -> usize {
        self.values.get("answers").and_then(|value| value.parse().ok()).unwrap_or(ANSWERS)
    }

    /// Whether an option is on or off, rather than a value; `None` where there is no such option.
    pub(super) fn is_flag(&self, name: &str) -> Option<bool> {
        option(name).map(|option| !option.get_action().takes_values())
    }

    /// A value, if one was said.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Sets an option; without a value it is as if nothing had been said.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Failure> {
        let Some(option) = option(name) else {
            let names: Vec<String> = options().iter().filter_map(long).collect();
            let help = match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None => ":set lists them".to_string(),
            };
            return refused(format!("there is no setting {name}"), help);
        };
        let Some(value) = value else {
            self.values.remove(name);
            return Ok(());
        };
        let flag = !option.get_action().takes_values();
        match (flag, value) {
            (true, "on" | "true" | "yes") => self.values.insert(name.to_string(), "on".to_string()),
            (true, "off" | "false" | "no") => self.values.remove(name),
            (true, _) => return refused(format!("{name} is on or off, not {value}"), format!(":set {name} on")),
            (false, _) => {
                let about = option.get_help().map(|help| help.to_string()).unwrap_or_default();
                let reader = Command::new("set").no_binary_name(true).arg(option.required(false));
                if let Err(error) = reader.try_get_matches_from([format!("--{name}={value}")]) {
                    let text = error.to_string();
                    let told = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
                    let told = told.replace(" for '", " for the setting '").replace("'--", "'");
                    return refused(told, format!("{name}: {about}"));
                }
                self.values.insert(name.to_string(), value.to_string())
            }
        };
        Ok(())
    }

    /// What they add to the arguments of a command that has such options, unless it has been said.
    pub(super) fn arguments(&self, command: &Command, said: &[String]) -> Vec<String> {
        let takes = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
        let is_said = |name: &str| {
            said.iter().any(|word| word.strip_prefix("--").is_some_and(|word| word.split('=').next() == Some(name)))
        };
        // A limit that was said takes the place of the usual one.
        let limited = ["depth", "nodes", "games"].iter().any(|name| is_said(name) || self.values.contains_key(*name));
        let mut found = Vec::new();
        for (name, value) in &self.values {
            let Some(option) = takes(name).filter(|_| !is_said(name)) else { continue };
            if name == "time" && value == PATIENCE && limited {
                continue;
            }
            match option.get_action().takes_values() {
                true => found.push(format!("--{name}={value}")),
                false => found.push(format!("--{name}")),
            }
        }
        found
    }

    /// All settings, with what they are.
    pub(super) fn rows(&self) -> Vec<Row> {
        let row = |option: &Arg| {
            let name = long(option)?;
            let value = self.get(&name).map(str::to_string);
            let about = option.get_help().map(|help| help.to_string()).unwrap_or_default();
            Some(Row { value, about, name })
        };
        options().iter().filter_map(row).collect()
    }
}

/// The values that an option can have, where they can be listed.
pub(super) fn values(name: &str) -> Vec<String> {
    let Some(option) = option(name) else { return Vec::new() };
    if !option.get_action().takes_values() {
        return vec!["on".to_string(), "off".to_string()];
    }
    match name {
        "algorithm" => crate::search::Algorithm::ALL.iter().map(|algorithm| algorithm.name().to_string()).collect(),
        _ => option.get_possible_values().iter().map(|value| value.get_name().to_string()).collect(),
    }
}

fn long(option: &Arg) -> Option<String> {
    option.get_long().map(str::to_string)
}

fn option(name: &str) -> Option<Arg> {
    options().into_iter().find(|option| option.get_long() == Some(name))
}

/// Every option of every command that is about a game, each once, and `answers`.
fn options() -> Vec<Arg> {
    let mut found: BTreeMap<String, Arg> = BTreeMap::new();
    let all = Cli::command();
    let value = all.find_subcommand("value");
    let others = all.get_subcommands().filter(|command| is_about_a_game(command) && command.get_name() != "play");
    for command in value.into_iter().chain(others) {
        for option in command.get_arguments() {
            if let Some(name) = long(option).filter(|name| !NO_SETTINGS.contains(&name.as_str())) {
                found.entry(name).or_insert_with(|| option.clone());
            }
        }
    }
    let answers = Arg::new("answers")
        .long("answers")
        .value_parser(clap::value_parser!(u64).range(1..))
        .help(format!("How many answers of a goal are shown where nobody can be asked ({ANSWERS})"));
    found.insert("answers".to_string(), answers);
    found.into_values().collect()
}

/// Whether a command has a file of rules as its argument.
pub(super) fn is_about_a_game(command: &Command) -> bool {
    command.get_positionals().any(|arg| matches!(arg.get_id().as_str(), "file" | "files" | "texts" | "what"))
}

fn refused<T>(message: String, help: String) -> Result<T, Failure> {
    Err(Failure::Problem(Box::new(Problem::placeless("A0620", message).help(help)), Arc::default()))
}
