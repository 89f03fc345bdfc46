//! Turns a command of the prompt into the arguments of the command line.
//!
//! The arguments are the words that the user typed, the loaded files and the settings. [`CommandSubject`] says
//! which of them a command takes. Errors are worded for the prompt.

use super::commands::{self, PromptCommand};
use super::{Repl, refusal, settings};
use crate::cli::commands::{Command, CommandSubject, Dispatch, dispatch, parser};
use crate::cli::{CommandResult, misused};
use alphorn_protocol::codes;
use alphorn_protocol::protocol::words::plain_reason;
use alphorn_session::session::Failure;
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, FromArgMatches};
use std::error::Error;
use std::sync::Arc;

/// The parser of a prompt command, without the arguments that the prompt adds.
fn command(order: &PromptCommand) -> Option<clap::Command> {
    command_for(order, order)
}

/// The parser of `order` for the usage of `asked`, a prompt command that runs `order`.
fn command_for(order: &PromptCommand, asked: &PromptCommand) -> Option<clap::Command> {
    let about = Command::about(order.name)?;
    let all = parser();
    let globals: Vec<Arg> = all.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    let command = all.find_subcommand(order.name)?.clone();
    let known =
        command.get_positionals().next().filter(|_| about != CommandSubject::Nothing).map(|arg| arg.get_id().clone());
    let usage = match about {
        CommandSubject::Goal => format!(":{} [OPTIONS] {}", asked.name, asked.usage),
        _ if asked.usage.contains("[OPTIONS]") => asked.typed(),
        _ => format!("{} [OPTIONS]", asked.typed()),
    };
    let command = command.args(globals.into_iter().map(|arg| arg.hide(true)));
    // An argument before another one is always inserted. (`mut_arg` would move it behind that.)
    let required = command.get_positionals().count() > 1;
    let hidden = |arg: Arg| match known.as_ref() == Some(arg.get_id()) {
        true => arg.hide(true).required(required),
        false => arg,
    };
    let command = command.mut_args(hidden);
    Some(command.override_usage(usage).disable_help_flag(true).disable_version_flag(true))
}

/// The options of a prompt command, with their help.
pub(super) fn options(order: &PromptCommand) -> Vec<(String, String)> {
    let told = |arg: &Arg| {
        let about = arg.get_help().map(|help| help.to_string()).unwrap_or_default();
        arg.get_long().filter(|_| !arg.is_hide_set()).map(|name| (format!("--{name}"), about))
    };
    command(order).iter().flat_map(|command| command.get_arguments().filter_map(told).collect::<Vec<_>>()).collect()
}

/// The help of a prompt command.
pub(super) fn help(order: &PromptCommand) -> String {
    let bare = |command: clap::Command| command.about(Resettable::Reset).term_width(79).render_help().to_string();
    command(order).map(bare).unwrap_or_default()
}

/// Splits the words after a command, with quotes as in a shell.
pub(super) fn split(rest: &str) -> Result<Vec<String>, Failure> {
    shlex::split(rest).ok_or_else(|| refusal("a quote is never closed", "write '...' around a word with blanks"))
}

/// Splits the options before a goal from the goal.
fn before_goal<'t>(command: &clap::Command, rest: &'t str) -> Result<(Vec<String>, &'t str), Failure> {
    let mut goal = rest.trim();
    let mut found = Vec::new();
    while goal.starts_with("--") {
        let (word, more) = goal.split_once(char::is_whitespace).unwrap_or((goal, ""));
        goal = more.trim_start();
        if word == "--" {
            break;
        }
        found.extend(split(word)?);
        let option = command.get_arguments().find(|arg| arg.get_long() == word.strip_prefix("--"));
        if option.is_some_and(|option| option.get_action().takes_values()) {
            let (value, more) = goal.split_once(char::is_whitespace).unwrap_or((goal, ""));
            found.extend(split(value)?);
            goal = more.trim_start();
        }
    }
    Ok((found, goal))
}

/// Makes a number as the first word the option `--depth`, if the command has that option.
fn with_depth(command: &clap::Command, mut words: Vec<String>) -> Vec<String> {
    let has_depth = command.get_arguments().any(|arg| arg.get_long() == Some("depth"));
    if let Some(first) = words.first_mut().filter(|word| has_depth && word.parse::<u32>().is_ok()) {
        *first = format!("--depth={first}");
    }
    words
}

/// The usage of a command at the prompt.
fn usage(command: &clap::Command) -> String {
    command.clone().render_usage().to_string().trim_start_matches("Usage: ").trim_end().to_string()
}

fn goal_needed(order: &PromptCommand, command: &clap::Command) -> Failure {
    let help = format!("write {}, such as :{} member(X, [a, b])", usage(command), order.name);
    refusal(&format!(":{} needs a goal", order.name), &help)
}

/// Reports a parse error in the words of the prompt.
fn wrong(asked: &PromptCommand, command: &clap::Command, error: &clap::Error) -> Failure {
    let mut problem = misused(error);
    let said = problem.help.take().unwrap_or_default();
    let shell = ["Usage:", "For more information", "tip:"];
    let rest = said.lines().filter(|line| !shell.iter().any(|word| line.starts_with(word))).map(str::to_string);
    let (message, tips) = match sentence(asked, error) {
        Some((message, tip)) => (message, tip.into_iter().collect()),
        None => (problem.message.clone(), rest.collect::<Vec<_>>()),
    };
    problem.message = message;
    let parts: Vec<&str> =
        command.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help").collect();
    let all = parts.join(", ");
    let tips = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand if !parts.is_empty() => {
            problem.message = format!(":{} needs a word that says what to run", asked.name);
            vec![format!("the words are {all}")]
        }
        ErrorKind::InvalidSubcommand => match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(word)) => {
                problem.message = format!(":{} has no {word}", asked.name);
                vec![format!("the words are {all}")]
            }
            _ => tips,
        },
        _ => tips,
    };
    let usage = format!("type {}; :help {} explains it", usage(command), asked.name);
    let help = tips.into_iter().chain([usage]).collect::<Vec<_>>().join("\n");
    Failure::Problem(Box::new(problem.help(help)), Arc::default())
}

/// Rewords an error of the argument parser, with a suggestion.
fn sentence(asked: &PromptCommand, error: &clap::Error) -> Option<(String, Option<String>)> {
    let told = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) if !texts.is_empty() => Some(texts.join(", ")),
        _ => None,
    };
    let word = told(ContextKind::InvalidArg)?;
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let near = told(ContextKind::SuggestedArg).map(|near| format!("did you mean {near}?"));
            let message = match word.parse::<f64>() {
                Ok(number) if number < 0.0 => {
                    format!("{word} is negative, and :{} takes no negative number", asked.name)
                }
                _ if word.starts_with('-') => format!("{word} is not an option of :{}", asked.name),
                _ => format!("{word} is one argument too many for :{}", asked.name),
            };
            Some((message, near.filter(|_| word.starts_with("--"))))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = told(ContextKind::InvalidValue)?;
            let name = word.split([' ', '=']).next().unwrap_or_default();
            let known = settings::names().find(|(known, _)| name.strip_prefix("--") == Some(known));
            let what = known.map(|(_, what)| what.to_string());
            let what = what.or_else(|| told(ContextKind::ValidValue).map(|all| format!("one of {all}")));
            let near = told(ContextKind::SuggestedValue).map(|near| format!("did you mean {near}?"));
            if let Some(reason) = reason(error).filter(|_| !value.is_empty()) {
                return Some((format!("{name} cannot be {value}: {reason}"), near));
            }
            match (what, value.is_empty()) {
                (Some(what), false) => Some((format!("{name} is {what}, not {value}"), near)),
                (Some(what), true) => Some((format!("{name} needs a value: {what}"), near)),
                (None, true) => Some((format!("{name} needs a value"), near)),
                (None, false) => {
                    let said = error.source().map(|source| source.to_string()).unwrap_or_default();
                    let plain = plain_reason(&said).or(Some(said).filter(|said| said.starts_with("write ")));
                    Some(match plain {
                        Some(plain) => (format!("{name} cannot be {value}: {plain}"), near),
                        None => (format!("{value} is not a value of {word}"), near),
                    })
                }
            }
        }
        _ => None,
    }
}

/// Why the parser of an option refuses its value, if the parser is one of Alphorn.
fn reason(error: &clap::Error) -> Option<String> {
    let reason = error.source()?.to_string();
    let line = reason.lines().next().unwrap_or_default().trim_start_matches("error: ").to_string();
    let is_bare = plain_reason(&reason).is_some() || reason.starts_with("write a whole number");
    (!line.is_empty() && !is_bare).then_some(line)
}

/// The options that the user typed.
fn said<'c>(command: &'c clap::Command, typed: &ArgMatches) -> Vec<&'c Arg> {
    let is_said = |arg: &&Arg| {
        typed.ids().any(|id| id == arg.get_id())
            && typed.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    command.get_arguments().filter(is_said).collect()
}

fn unread(error: clap::Error) -> Failure {
    Failure::Problem(Box::new(misused(&error)), Arc::default())
}

impl Repl<'_> {
    /// Runs a command of the command line on the loaded files.
    pub(super) fn command(&mut self, order: PromptCommand, rest: &str) -> CommandResult {
        self.command_as(order, order.name, rest)
    }

    /// Runs `order` for another prompt command, whose name `asked` the user typed.
    pub(super) fn command_as(&mut self, order: PromptCommand, asked: &str, rest: &str) -> CommandResult {
        let asked = commands::named(asked).unwrap_or(order);
        if rest.split_whitespace().any(|word| word == "--help") {
            return self.help(asked.name);
        }
        let command = self.read(order, asked.name, rest)?;
        let stop = self.stop.clone();
        dispatch(&command, Dispatch { workspace: Some(&self.workspace), out: self.out, stop: &stop })
    }

    /// Parses the command `order` for the prompt command `asked`, which the user typed.
    pub(super) fn read(&self, order: PromptCommand, asked: &str, rest: &str) -> Result<Command, Failure> {
        let asked = commands::named(asked).unwrap_or(order);
        self.matches(order, &asked, rest).and_then(|found| Command::from_arg_matches(&found).map_err(unread))
    }

    /// The options of a command, with those from the settings.
    pub(super) fn options(&self, order: PromptCommand, rest: &str) -> Result<ArgMatches, Failure> {
        let mut found = self.matches(order, &order, rest)?;
        let (_, options) = found.remove_subcommand().ok_or_else(|| refusal("there is no such command", ":help"))?;
        Ok(options)
    }

    fn matches(&self, order: PromptCommand, asked: &PromptCommand, rest: &str) -> Result<ArgMatches, Failure> {
        parser().try_get_matches_from(self.arguments_for(order, asked, rest)?).map_err(unread)
    }

    /// The arguments of a command: the files, the settings, and what the user typed.
    fn arguments_for(&self, order: PromptCommand, asked: &PromptCommand, rest: &str) -> Result<Vec<String>, Failure> {
        let missing = || refusal(&format!("there is no command {}", order.name), ":help lists the commands");
        let (about, mut command) = Command::about(order.name).zip(command_for(&order, asked)).ok_or_else(missing)?;
        command.build();
        let (mut words, goal) = match about {
            CommandSubject::Goal => before_goal(&command, rest).map(|(words, goal)| (words, Some(goal)))?,
            CommandSubject::Move => (split(rest)?, None),
            _ => (with_depth(&command, split(rest)?), None),
        };
        if let Some(bounds) = self.bounds {
            words = bounds.put(&command, words);
        }
        let files = &self.workspace().load_options().files;
        let file = files.first().cloned().unwrap_or_else(|| "-".to_string());
        let first = command.get_positionals().next().map(|arg| arg.get_id().clone());
        // The goal is an argument of its own after the rules, or the last of the list of texts.
        let alone = about == CommandSubject::Goal && command.get_positionals().count() > 1;
        if alone || matches!(about, CommandSubject::Search | CommandSubject::Game) {
            words.insert(0, file.clone());
        }
        words.extend(
            goal.filter(|goal| !goal.is_empty()).into_iter().flat_map(|goal| ["--".to_string(), goal.to_string()]),
        );
        let name = std::iter::once(order.name.to_string());
        let typed = command.try_get_matches_from_mut(name.chain(words.iter().cloned()));
        let typed = typed.map_err(|error| match error.kind() {
            ErrorKind::MissingRequiredArgument if about == CommandSubject::Goal => goal_needed(&order, &command),
            _ => wrong(asked, &command, &error),
        })?;
        let named = first.and_then(|first| typed.get_many::<String>(first.as_str()));
        let named: Vec<&String> = named.into_iter().flatten().collect();
        if about == CommandSubject::Move && named.len() > 1 {
            let help = "type a move, in quotes if it contains blanks";
            return Err(refusal(&format!(":{} needs exactly one move", order.name), help));
        }
        let is_code = |word: &String| codes::CODES.iter().any(|row| row.code.eq_ignore_ascii_case(word));
        if about == CommandSubject::Goal && !alone && named.is_empty() {
            return Err(goal_needed(&order, &command));
        }
        let mut found = vec!["alphorn".to_string(), order.name.to_string()];
        found.extend(self.settings.arguments(&command, about, &said(&command, &typed)));
        match about {
            CommandSubject::Files if named.is_empty() => found.extend(files.iter().cloned()),
            CommandSubject::Move if matches!(named.as_slice(), [word] if !is_code(word)) => found.push(file),
            _ => {}
        }
        found.extend(words);
        Ok(found)
    }
}
