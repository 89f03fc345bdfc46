//! The table of the prompt's commands: `:load`, `:move` and so on, and those of the command line.
//!
//! Help and completion use the same table. Each row says how the command is run. The rows of the commands of
//! the command line come from `cli/commands.rs`.

use super::Repl;
use crate::cli::CommandResult;
use crate::cli::commands::{AT_PROMPT, CommandArgument, PromptGroup, PromptRow, Repeat};
use CommandAction::{Act, Ask, Leave, Run, RunOnce};
use alphorn_lang::lang::near::nearest;
use alphorn_session::session::Failure;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use std::sync::{Arc, LazyLock};

/// Runs a prompt command with the text after its name.
type Work = fn(&mut Repl<'_>, &str) -> CommandResult;

/// How a prompt command is run.
#[derive(Clone, Copy, Debug)]
pub(super) enum CommandAction {
    /// A function of the prompt.
    Act(Work),
    /// A function of the prompt whose answer is compared after the rules change.
    Ask(Work),
    /// A command of the command line whose answer is compared after the rules change.
    Run,
    /// A command of the command line that is never repeated.
    RunOnce,
    /// Leaves the prompt.
    Leave,
}

/// A command of the prompt.
#[derive(Clone, Copy, Debug)]
pub(super) struct PromptCommand {
    pub(super) name: &'static str,
    /// The arguments, as help shows them.
    pub(super) usage: &'static str,
    /// What the command does, in one short line.
    pub(super) about: &'static str,
    pub(super) wants: CommandArgument,
    pub(super) does: CommandAction,
}

impl PromptCommand {
    /// The command and its arguments, as help shows them.
    pub(super) fn typed(&self) -> String {
        format!(":{} {}", self.name, self.usage).trim_end().to_string()
    }
}

const fn order(
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    wants: CommandArgument,
    does: CommandAction,
) -> PromptCommand {
    PromptCommand { name, usage, about, wants, does }
}

const GAME: &[PromptCommand] = &[
    order("show", "", "show the position and the player to move", CommandArgument::Nothing, Ask(|repl, _| repl.show())),
    order(
        "move",
        "MOVE",
        "play a move: label, start of a label, or number",
        CommandArgument::Move,
        Act(|repl, rest| repl.make(rest)),
    ),
    order("go", "[OPTIONS]", "let the program play a move", CommandArgument::Nothing, Act(|repl, rest| repl.go(rest))),
    order("undo", "[N]", "take moves back", CommandArgument::Nothing, Act(|repl, rest| repl.undo(rest))),
    order("history", "", "list the moves played so far", CommandArgument::Nothing, Act(|repl, _| repl.history())),
    order("new", "[OPENING]", "begin a game", CommandArgument::Nothing, Act(|repl, rest| repl.new_game(rest))),
    order(
        "position",
        "[TERM]",
        "go to a position, or print it as a term",
        CommandArgument::Goal,
        Act(|repl, rest| repl.position(rest)),
    ),
    order(
        "play",
        "[WHO|off]",
        "type moves only; WHO is max, min, both or none",
        CommandArgument::Word(&["max", "min", "both", "none", "off"]),
        Act(|repl, rest| repl.play(rest)),
    ),
];

const VALUES: &[PromptCommand] = &[
    order(
        "pv",
        "[DEPTH]",
        "show the principal variation, move by move",
        CommandArgument::Options,
        Ask(|repl, rest| repl.pv(rest)),
    ),
    order(
        "lines",
        "K [DEPTH]",
        "show the K best moves with their lines",
        CommandArgument::Options,
        Ask(|repl, rest| repl.best_lines(rest)),
    ),
];

const RULES: &[PromptCommand] = &[
    order(
        "load",
        "FILE...",
        "load rules, and begin a game if there is one",
        CommandArgument::Files,
        Act(|repl, rest| repl.load(rest)),
    ),
    order(
        "reload",
        "",
        "load the files again, and compare the last answer",
        CommandArgument::Nothing,
        Act(|repl, _| repl.reload()),
    ),
    order(
        "watch",
        "[on|off]",
        "reload each time a file is saved",
        CommandArgument::Word(&["on", "off"]),
        Act(|repl, rest| repl.watch(rest)),
    ),
    order(
        "rule",
        "CLAUSE.",
        "replace a predicate of the file by a clause",
        CommandArgument::Clause,
        Act(|repl, rest| repl.rule(rest)),
    ),
    order("rules", "", "list the added clauses", CommandArgument::Nothing, Act(|repl, _| repl.rules())),
    order(
        "drop",
        "NAME/ARITY",
        "remove the added clauses of a predicate",
        CommandArgument::Added,
        Act(|repl, rest| repl.drop_rules(rest)),
    ),
    order(
        "save",
        "FILE [--force]",
        "write added clauses to a file, for --with",
        CommandArgument::Files,
        Act(|repl, rest| repl.save(rest)),
    ),
    order(
        "param",
        "[NAME=VALUE]",
        "change a parameter of the game, or list them",
        CommandArgument::Param,
        Act(|repl, rest| repl.param(rest)),
    ),
];

const THIS: &[PromptCommand] = &[
    order(
        "set",
        "[NAME [VALUE]]",
        "set an option for later searches, or list all",
        CommandArgument::Setting,
        Act(|repl, rest| repl.set(rest)),
    ),
    order("unset", "NAME", "reset an option", CommandArgument::Setting, Act(|repl, rest| repl.unset(rest))),
    order(
        "apropos",
        "WORD",
        "search the help for a word",
        CommandArgument::Topic,
        Act(|repl, rest| repl.apropos(rest)),
    ),
    order(
        "help",
        "[TOPIC]",
        "explain a command, setting, predicate or code",
        CommandArgument::Topic,
        Act(|repl, rest| repl.help(rest)),
    ),
    order("quit", "", "leave the prompt; Ctrl-D too", CommandArgument::Nothing, Leave),
];

impl From<&PromptRow> for PromptCommand {
    fn from(row: &PromptRow) -> PromptCommand {
        let does = match row.repeat {
            Repeat::Run => Run,
            Repeat::RunOnce => RunOnce,
        };
        order(row.name, row.usage, row.about, row.wants, does)
    }
}

/// A group of commands in the help.
pub(super) struct CommandGroup {
    pub(super) heading: &'static str,
    /// The topic of `:help` that lists the group.
    pub(super) topic: &'static str,
    pub(super) orders: Vec<PromptCommand>,
}

impl CommandGroup {
    /// A group: the commands of the prompt alone, and those of the command line between them.
    fn new(
        (heading, topic): (&'static str, &'static str),
        group: PromptGroup,
        [before, after]: [&[PromptCommand]; 2],
    ) -> CommandGroup {
        let rows = AT_PROMPT.iter().filter(|row| row.group == group).map(PromptCommand::from);
        let orders = before.iter().copied().chain(rows).chain(after.iter().copied()).collect();
        CommandGroup { heading, topic, orders }
    }
}

/// All commands, group by group.
pub(super) static GROUPS: LazyLock<[CommandGroup; 5]> = LazyLock::new(|| {
    [
        CommandGroup::new(("The current game", "game"), PromptGroup::Game, [GAME, &[]]),
        CommandGroup::new(("Values", "values"), PromptGroup::Values, [&[], VALUES]),
        CommandGroup::new(("Reasons", "reasons"), PromptGroup::Reasons, [&[], &[]]),
        CommandGroup::new(("The rules", "rules"), PromptGroup::Rules, [RULES, &[]]),
        CommandGroup::new(("This prompt", "prompt"), PromptGroup::Prompt, [THIS, &[]]),
    ]
});

/// Other names of `:quit`.
const LEAVES: &[&str] = &["halt", "exit"];

/// All commands.
pub(super) fn all() -> impl Iterator<Item = &'static PromptCommand> {
    GROUPS.iter().flat_map(|group| group.orders.iter())
}

/// The command with exactly this name.
pub(super) fn named(name: &str) -> Option<PromptCommand> {
    let name = if LEAVES.contains(&name) { "quit" } else { name };
    all().find(|order| order.name == name).copied()
}

/// The command with this name, or the only one whose name begins with it.
pub(super) fn find(name: &str) -> Result<PromptCommand, Failure> {
    if let Some(order) = named(name) {
        return Ok(order);
    }
    let begun: Vec<&PromptCommand> = all().filter(|order| order.name.starts_with(name) && !name.is_empty()).collect();
    if let [only] = begun.as_slice() {
        return Ok(**only);
    }
    let help = match (begun.as_slice(), nearest(name, all().map(|order| order.name))) {
        ([_, ..], _) => format!("type one of {}", begun.iter().map(|order| order.name).collect::<Vec<_>>().join(" ")),
        (_, Some(near)) => format!("did you mean :{near}?"),
        (_, None) => ":help lists the commands".to_string(),
    };
    let problem = Problem::placeless(Code::InvalidArgument, format!("there is no command :{name}")).help(help);
    Err(Failure::Problem(Box::new(problem), Arc::default()))
}

#[cfg(test)]
mod tests {
    use super::{CommandAction, all, named};
    use crate::cli::args::Cli;
    use crate::cli::commands::Command;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_an_order_or_belongs_elsewhere() {
        for known in Cli::command().get_subcommands() {
            let name = known.get_name();
            let runs = matches!(named(name).map(|order| order.does), Some(CommandAction::Run | CommandAction::RunOnce));
            assert_eq!(Command::about(name).is_some(), runs, "{name}");
            let elsewhere = ["completions", "man", "repl", "help", "play", "new", "fmt", "lsp", "serve", "ugi", "uci"];
            assert!(runs || elsewhere.contains(&name), "no order for {name}");
        }
    }

    #[test]
    fn help_fits_a_screen() {
        for order in all() {
            assert!(order.typed().len() <= 24, "{}", order.typed());
            assert!(order.about.len() <= 51, "{}: {}", order.name, order.about.len());
        }
    }
}
