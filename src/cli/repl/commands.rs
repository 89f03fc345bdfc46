//! The orders of the prompt: `:load`, `:move` and so on, and every command of the command line.
//!
//! One table, from which help and completion are made as well; each row says what carries it out.

use super::Repl;
use crate::cli::Ended;
use CommandAction::{Act, Ask, Leave, Run, RunOnce};
use alphorn_lang::lang::near::nearest;
use alphorn_session::session::Failure;
use alphorn_text::report::Problem;
use std::sync::Arc;

/// What stands behind an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandArgument {
    Nothing,
    Files,
    Goal,
    /// A clause, which may take several lines.
    Clause,
    Move,
    Setting,
    Param,
    /// A predicate, as name and arity.
    Predicate,
    /// One that was added.
    Added,
    /// An order, a setting, a predicate or a code.
    Topic,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The options of a command.
    Options,
}

/// Carries out an order, with what stands behind it.
type Work = fn(&mut Repl<'_>, &str) -> Ended;

/// Who carries out an order.
#[derive(Clone, Copy, Debug)]
pub(super) enum CommandAction {
    /// The prompt.
    Act(Work),
    /// The prompt; the answer is compared when the rules change.
    Ask(Work),
    /// A command of the command line, whose answer is compared as well.
    Run,
    /// One that is not asked again: it writes files, takes long on purpose, or asks nothing of the
    /// rules.
    RunOnce,
    /// Nobody: it is time to leave.
    Leave,
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct PromptCommand {
    pub(super) name: &'static str,
    /// What stands behind it, for people.
    pub(super) usage: &'static str,
    /// What it does, in one short line.
    pub(super) about: &'static str,
    pub(super) wants: CommandArgument,
    pub(super) does: CommandAction,
}

impl PromptCommand {
    /// How it is typed.
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
    order("show", "", "the position, and whose turn it is", CommandArgument::Nothing, Ask(|repl, _| repl.show())),
    order("moves", "", "the legal moves, and where they lead", CommandArgument::Options, Run),
    order(
        "move",
        "MOVE",
        "make a move: label, number, or a label's beginning",
        CommandArgument::Move,
        Act(|repl, rest| repl.make(rest)),
    ),
    order("go", "[OPTIONS]", "let the program move", CommandArgument::Nothing, Act(|repl, rest| repl.go(rest))),
    order("undo", "[N]", "take moves back", CommandArgument::Nothing, Act(|repl, rest| repl.undo(rest))),
    order("history", "", "the moves made so far", CommandArgument::Nothing, Act(|repl, _| repl.history())),
    order("new", "[OPENING]", "begin a game", CommandArgument::Nothing, Act(|repl, rest| repl.new_game(rest))),
    order(
        "position",
        "[TERM]",
        "go to a position, or write it as a term",
        CommandArgument::Goal,
        Act(|repl, rest| repl.position(rest)),
    ),
    order(
        "play",
        "[WHO|off]",
        "lines are moves; WHO is max, min, both or none",
        CommandArgument::Word(&["max", "min", "both", "none", "off"]),
        Act(|repl, rest| repl.play(rest)),
    ),
];

const VALUES: &[PromptCommand] = &[
    order("value", "[DEPTH]", "the value, the best move, the line of best play", CommandArgument::Options, Run),
    order(
        "pv",
        "[DEPTH]",
        "the line of best play, move by move",
        CommandArgument::Options,
        Ask(|repl, rest| repl.pv(rest)),
    ),
    order(
        "lines",
        "K [DEPTH]",
        "the K best moves with their lines",
        CommandArgument::Options,
        Ask(|repl, rest| repl.best_lines(rest)),
    ),
    order("solve", "", "the proved value", CommandArgument::Options, Run),
    order("verify", "PROOF", "whether a proof of :solve --proof stands", CommandArgument::Files, RunOnce),
    order("perft", "DEPTH", "the number of move paths for each depth", CommandArgument::Options, Run),
    order("stats", "", "random games: how long, how wide, who wins", CommandArgument::Options, Run),
    order("match", "--a A --b B", "two ways to play against each other", CommandArgument::Options, RunOnce),
    order("analyze", "[DEPTH]", "what a search costs, and would cost at best", CommandArgument::Options, Run),
    order("compare-backups", "", "the best move under each attitude to risk", CommandArgument::Options, Run),
    order("lab", "WHAT", "classic results on game trees, counted again", CommandArgument::Options, RunOnce),
    order("bench", "[FILE]", "how fast searches are", CommandArgument::Options, RunOnce),
];

const REASONS: &[PromptCommand] = &[
    order("why", "GOAL|MOVE", "the proof of a goal; why a move is legal", CommandArgument::Goal, Run),
    order("whynot", "GOAL|MOVE", "what a goal fails at; why a move is not legal", CommandArgument::Goal, Run),
    order("explain", "[MOVE|CODE]", "what a move is worth, or what a code means", CommandArgument::Move, Run),
    order("tree", "[DEPTH]", "the tree of a search", CommandArgument::Options, Run),
    order("trace", "GOAL|--search", "a goal through its ports, or a search", CommandArgument::Goal, RunOnce),
    order("profile", "[--goal GOAL]", "where the time goes, in a search or a goal", CommandArgument::Options, Run),
    order("advise", "", "what advice says of the position", CommandArgument::Options, Run),
    order("prove", "", "whether following advice reaches its aim", CommandArgument::Options, Run),
    order("advice-worth", "", "what advice saves a search", CommandArgument::Options, Run),
    order("query", "GOAL", "a goal, with all its answers", CommandArgument::Goal, Run),
];

const RULES: &[PromptCommand] = &[
    order(
        "load",
        "FILE...",
        "load rules, and begin a game if they are one",
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
        "reload whenever a file is saved",
        CommandArgument::Word(&["on", "off"]),
        Act(|repl, rest| repl.watch(rest)),
    ),
    order(
        "rule",
        "CLAUSE.",
        "add a clause, in place of the file's predicate",
        CommandArgument::Clause,
        Act(|repl, rest| repl.rule(rest)),
    ),
    order("rules", "", "the clauses that were added", CommandArgument::Nothing, Act(|repl, _| repl.rules())),
    order(
        "drop",
        "NAME/ARITY",
        "take added clauses away again",
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
    order("listing", "[NAME/ARITY]", "predicates as they are written", CommandArgument::Predicate, Run),
    order("check", "", "everything that is wrong with the files", CommandArgument::Options, Run),
    order("test", "", "the expectations that the files state", CommandArgument::Options, Run),
    order("example", "[NAME]", "the games that come with alphorn", CommandArgument::Options, RunOnce),
];

const THIS: &[PromptCommand] = &[
    order(
        "set",
        "[NAME [VALUE]]",
        "an option for all that follows, or all of them",
        CommandArgument::Setting,
        Act(|repl, rest| repl.set(rest)),
    ),
    order("unset", "NAME", "forget an option", CommandArgument::Setting, Act(|repl, rest| repl.unset(rest))),
    order(
        "apropos",
        "WORD",
        "what has to do with a word",
        CommandArgument::Topic,
        Act(|repl, rest| repl.apropos(rest)),
    ),
    order(
        "help",
        "[TOPIC]",
        "this list; or an order, setting, predicate, code",
        CommandArgument::Topic,
        Act(|repl, rest| repl.help(rest)),
    ),
    order("quit", "", "leave; so does Ctrl-D", CommandArgument::Nothing, Leave),
];

/// Orders that belong together, as help lists them.
pub(super) struct CommandGroup {
    pub(super) heading: &'static str,
    /// What is typed behind `:help` for them.
    pub(super) topic: &'static str,
    pub(super) orders: &'static [PromptCommand],
}

/// All orders, group by group.
pub(super) const GROUPS: &[CommandGroup] = &[
    CommandGroup { heading: "The game under way", topic: "game", orders: GAME },
    CommandGroup { heading: "Values", topic: "values", orders: VALUES },
    CommandGroup { heading: "Reasons", topic: "reasons", orders: REASONS },
    CommandGroup { heading: "The rules", topic: "rules", orders: RULES },
    CommandGroup { heading: "This prompt", topic: "prompt", orders: THIS },
];

/// Other words for leaving.
const LEAVES: &[&str] = &["halt", "exit"];

/// All orders.
pub(super) fn all() -> impl Iterator<Item = &'static PromptCommand> {
    GROUPS.iter().flat_map(|group| group.orders.iter())
}

/// The order with exactly this name.
pub(super) fn named(name: &str) -> Option<PromptCommand> {
    let name = if LEAVES.contains(&name) { "quit" } else { name };
    all().find(|order| order.name == name).copied()
}

/// The order with this name, or the only one that begins so.
pub(super) fn find(name: &str) -> Result<PromptCommand, Failure> {
    if let Some(order) = named(name) {
        return Ok(order);
    }
    let begun: Vec<&PromptCommand> = all().filter(|order| order.name.starts_with(name) && !name.is_empty()).collect();
    if let [only] = begun.as_slice() {
        return Ok(**only);
    }
    let help = match (begun.as_slice(), nearest(name, all().map(|order| order.name))) {
        ([_, ..], _) => format!("say which: {}", begun.iter().map(|order| order.name).collect::<Vec<_>>().join(" ")),
        (_, Some(near)) => format!("did you mean :{near}?"),
        (_, None) => ":help lists them".to_string(),
    };
    let problem = Problem::placeless("A0620", format!("there is no order :{name}")).help(help);
    Err(Failure::Problem(Box::new(problem), Arc::default()))
}

#[cfg(test)]
mod tests {
    use super::{CommandAction, all, named};
    use crate::cli::args::{Cli, Command};
    use clap::CommandFactory;

    #[test]
    fn every_command_is_an_order_or_belongs_elsewhere() {
        for known in Cli::command().get_subcommands() {
            let name = known.get_name();
            let runs = matches!(named(name).map(|order| order.does), Some(CommandAction::Run | CommandAction::RunOnce));
            assert_eq!(Command::about(name).is_some(), runs, "{name}");
            assert!(runs || ["completions", "man", "repl", "help", "play"].contains(&name), "no order for {name}");
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
