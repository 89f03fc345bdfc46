//! The orders of the prompt: `:load`, `:move` and so on, and every command of the command line.
//!
//! One table, from which help and completion are made as well.

use super::settings::is_about_a_game;
use crate::cli::args::Cli;
use crate::lang::near::nearest;
use crate::report::Problem;
use crate::session::Failure;
use clap::CommandFactory;
use std::sync::Arc;

/// What stands behind an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    Nothing,
    Files,
    Goal,
    /// A clause, which may take several lines.
    Clause,
    Move,
    Setting,
    Param,
    Order,
    /// The options of a command.
    Options,
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) name: &'static str,
    /// What stands behind it, for people.
    pub(super) usage: &'static str,
    pub(super) about: &'static str,
    pub(super) wants: Wants,
    /// Under which heading help lists it.
    pub(super) group: &'static str,
    /// Whether it is a question, which is asked again when the rules have changed.
    pub(super) is_asked_again: bool,
}

impl Order {
    const fn question(self) -> Order {
        Order { is_asked_again: true, ..self }
    }
}

/// The commands that are questions. The others write files, take long on purpose, or ask nothing of
/// the rules.
const QUESTIONS: &[&str] = &[
    "value",
    "solve",
    "perft",
    "moves",
    "tree",
    "advise",
    "advice-worth",
    "prove",
    "analyze",
    "stats",
    "compare-backups",
    "query",
    "why",
    "whynot",
    "explain",
    "profile",
    "listing",
    "check",
    "test",
];

const RULES: &str = "The rules";
const GAME: &str = "The game under way";
const THIS: &str = "This prompt";
/// The heading of what the command line can do as well.
pub(super) const COMMANDS: &str = "Commands, as on the command line (alphorn help NAME)";

const fn order(
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    wants: Wants,
    group: &'static str,
) -> Order {
    Order { name, usage, about, wants, group, is_asked_again: false }
}

/// The orders that the command line does not have, in the order of the help.
const ORDERS: &[Order] = &[
    order("load", "FILE...", "load rules, and begin a game if they are one", Wants::Files, RULES),
    order(
        "reload",
        "",
        "load the same files again; the position stays, and the last answer is compared",
        Wants::Nothing,
        RULES,
    ),
    order("watch", "[on|off]", "reload whenever a file is saved", Wants::Nothing, RULES),
    order("rule", "CLAUSE.", "add a clause; it replaces the file's predicate of that name", Wants::Clause, RULES),
    order("rules", "", "the clauses that were added", Wants::Nothing, RULES),
    order("drop", "[NAME/ARITY]", "take added clauses away again", Wants::Goal, RULES),
    order("save", "FILE [--force]", "write the added clauses to a file, to be used by --with", Wants::Files, RULES),
    order("param", "[NAME=VALUE]", "change a parameter of the game, or list them", Wants::Param, RULES),
    order("new", "[OPENING]", "begin a game", Wants::Nothing, GAME),
    order("show", "", "the position, and whose turn it is", Wants::Nothing, GAME).question(),
    order("move", "MOVE", "make a move: its label, its number, or how its label begins", Wants::Move, GAME),
    order("undo", "[N]", "take moves back", Wants::Nothing, GAME),
    order(
        "play",
        "[max|min|both|none|off]",
        "lines are moves, and the program answers; who is a person",
        Wants::Nothing,
        GAME,
    ),
    order("go", "[OPTIONS]", "let the program move, with the options of :value", Wants::Nothing, GAME),
    order("pv", "[OPTIONS]", "the value with the line of best play, position by position", Wants::Nothing, GAME)
        .question(),
    order("lines", "K [OPTIONS]", "the K best moves with their lines", Wants::Nothing, GAME).question(),
    order("position", "TERM", "go to a position; without one, write the position as a term", Wants::Goal, GAME),
    order("history", "", "the moves made so far", Wants::Nothing, GAME),
    order("set", "[NAME [VALUE]]", "an option for all that follows, or the list of them", Wants::Setting, THIS),
    order("unset", "NAME", "forget an option", Wants::Setting, THIS),
    order("apropos", "WORD", "what has to do with a word", Wants::Nothing, THIS),
    order("help", "[ORDER|NAME/ARITY]", "this list, or more about one thing", Wants::Order, THIS),
    order("quit", "", "leave; so does Ctrl-D", Wants::Nothing, THIS),
];

/// Commands that make no sense at a prompt.
const ELSEWHERE: &[&str] = &["completions", "man", "repl", "help"];

/// All orders: those of the table, then the commands.
fn all() -> Vec<Order> {
    let mut found = ORDERS.to_vec();
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        if ELSEWHERE.contains(&name) || found.iter().any(|order| order.name == name) {
            continue;
        }
        let takes_goal = command.get_positionals().any(|arg| arg.get_id() == "texts");
        let takes_move = command.get_positionals().any(|arg| arg.get_id() == "what");
        let (usage, wants) = match (takes_goal, is_about_a_game(command)) {
            _ if takes_move => ("MOVE | CODE", Wants::Move),
            (true, _) => ("GOAL", Wants::Goal),
            (_, true) => ("[OPTIONS]", Wants::Options),
            _ => ("", Wants::Options),
        };
        let about = command.get_about().map(|about| about.to_string()).unwrap_or_default();
        let order = order(name.to_string().leak(), usage, about.leak(), wants, COMMANDS);
        found.push(Order { is_asked_again: QUESTIONS.contains(&name), ..order });
    }
    found
}

/// Made once, for as long as the program runs.
fn table() -> &'static [Order] {
    static TABLE: std::sync::OnceLock<Vec<Order>> = std::sync::OnceLock::new();
    TABLE.get_or_init(all)
}

/// All names, with what they do.
pub(super) fn names() -> Vec<(String, String)> {
    table().iter().map(|order| (order.name.to_string(), order.about.to_string())).collect()
}

/// The orders of a heading.
pub(super) fn groups() -> Vec<(&'static str, Vec<Order>)> {
    let of = |group: &'static str| (group, table().iter().filter(|order| order.group == group).copied().collect());
    vec![of(GAME), of(RULES), of(COMMANDS), of(THIS)]
}

/// The order with this name, or the only one that begins so.
pub(super) fn find(name: &str) -> Result<Order, Failure> {
    let table = table();
    let name = if matches!(name, "halt" | "exit") { "quit" } else { name };
    if let Some(order) = table.iter().find(|order| order.name == name) {
        return Ok(*order);
    }
    let begun: Vec<&Order> = table.iter().filter(|order| order.name.starts_with(name) && !name.is_empty()).collect();
    if let [only] = begun.as_slice() {
        return Ok(**only);
    }
    let help = match (begun.as_slice(), nearest(name, table.iter().map(|order| order.name))) {
        ([_, ..], _) => format!("say which: {}", begun.iter().map(|order| order.name).collect::<Vec<_>>().join(" ")),
        (_, Some(near)) => format!("did you mean :{near}?"),
        (_, None) => ":help lists them".to_string(),
    };
    let problem = Problem::placeless("A0620", format!("there is no order :{name}")).help(help);
    Err(Failure::Problem(Box::new(problem), Arc::default()))
}
