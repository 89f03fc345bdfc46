//! Defines the commands, their arguments and their help.

pub mod search;

use crate::cli::advice::args::{AdviseArgs, ProveArgs, WorthArgs};
use crate::cli::chance::args::{CompareArgs, StatsArgs};
use crate::cli::lab::args::LabArgs;
use crate::cli::profile::args::{ListingArgs, ProfileArgs, TraceArgs};
use crate::cli::reason::args::{WhyArgs, WhyNotArgs};
use crate::cli::repl::args::{PlayArgs, ReplArgs};
use crate::cli::tree::args::TreeArgs;
use alphorn_protocol::protocol::{analysis, bench, check, example, explain, moves, query, solve, test};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use search::{MatchArgs, ValueArgs};

/// Two-player games written as Prolog rules: minimax values, move counts,
/// answers to goals, and good diagnostics.
#[derive(Parser, Debug)]
#[command(name = "alphorn", version, propagate_version = true, max_term_width = 100, after_help = EXIT)]
pub struct Cli {
    /// Print one JSON object on one line of stdout, also for errors
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// What to do
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    /// What to load, where nothing else is said
    pub repl: ReplArgs,
}

impl Cli {
    /// Reads the command line. A negative number counts as the value of its option, not as an
    /// unknown option, so that the error message can name what is wrong with it.
    ///
    /// # Errors
    ///
    /// Fails if the arguments are invalid or request help.
    pub fn read() -> Result<Cli, clap::Error> {
        Cli::from_arg_matches(&Cli::parser().try_get_matches()?)
    }

    /// Returns the parser of the command line.
    pub fn parser() -> clap::Command {
        fn lenient(command: clap::Command) -> clap::Command {
            let takes = |arg: &clap::Arg| !arg.is_positional() && arg.get_action().takes_values();
            let command = command.mut_args(|arg| if takes(&arg) { arg.allow_negative_numbers(true) } else { arg });
            command.mut_subcommands(lenient)
        }
        lenient(Cli::command())
    }
}

const EXIT: &str = "Exit status: 0 success; 1 the answer is no (a goal without answers, a failed expectation, a file with errors in `check`); 2 the command failed; 130 interrupted.";

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Open a prompt for goals, moves and values; the same as alphorn FILE...
    Repl(ReplArgs),
    /// Play a game against the program or another person, or watch one
    Play(PlayArgs),
    /// Compute the minimax value of a position, the best move and the principal variation
    Value(ValueArgs),
    /// Prove the value of a position, or of all positions of a game
    Solve(SolveArgs),
    /// Check a proof of solve by the rules alone
    Verify(VerifyArgs),
    /// Count the lines of each length
    Perft(PerftArgs),
    /// List the legal moves and the successors, in the order of the rules
    Moves(MovesArgs),
    /// Draw the tree of a search: windows, values, cutoffs and their reasons
    Tree(Box<TreeArgs>),
    /// Play a match between two settings of the program
    Match(Box<MatchArgs>),
    /// Show the advice for a position, and why it is chosen
    Advise(AdviseArgs),
    /// Check that an advice table always reaches its aim
    Prove(ProveArgs),
    /// Measure the nodes that advice saves, as a whole and rule by rule
    AdviceWorth(WorthArgs),
    /// Play random games: their length, the number of moves, who wins
    Stats(StatsArgs),
    /// Find the best move for each attitude to risk, in a game with chance
    CompareBackups(CompareArgs),
    /// Compare the cost of searches with the minimal tree
    Analyze(AnalyzeArgs),
    /// Repeat classic experiments on game-tree search
    Lab(LabArgs),
    /// Print the answers of a goal
    Query(QueryArgs),
    /// Explain why a goal is true: the proof of its first answer
    Why(WhyArgs),
    /// Explain why a goal fails: the goal that fails in each clause, down to the smallest part
    #[command(name = "whynot")]
    WhyNot(WhyNotArgs),
    /// Measure the steps and the time of every predicate and clause in a search or a goal
    Profile(Box<ProfileArgs>),
    /// Trace a goal port by port, or a search position by position
    Trace(TraceArgs),
    /// Print predicates as written, and their compiled code
    Listing(ListingArgs),
    /// Report all errors and warnings in files of rules
    Check(CheckArgs),
    /// Test the expectations in game files
    Test(TestArgs),
    /// Measure the speed of searches, with a signature of the visited positions
    Bench(BenchArgs),
    /// List the games that come with Alphorn, or print one
    Example(example::Request),
    /// Explain the value of a move, or the code of a diagnostic
    Explain(Box<ExplainArgs>),
    /// Print a completion script for a shell
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in roff
    Man,
}

/// What a command works on. The prompt adds this argument where it was not typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandSubject {
    /// A position to search; the rules are the first argument.
    Search,
    /// Rules, which are the first argument.
    Game,
    /// A goal, after the rules.
    Goal,
    /// A move after the rules, or a diagnostic code without rules.
    Move,
    /// Files of rules; without arguments, all loaded files.
    Files,
    /// Nothing that is loaded.
    Nothing,
}

impl Command {
    /// What the named command works on; `None` if the prompt has no such command.
    pub fn about(name: &str) -> Option<CommandSubject> {
        Some(match name {
            "value" | "tree" | "analyze" | "profile" | "compare-backups" => CommandSubject::Search,
            "solve" | "verify" | "perft" | "moves" | "match" | "advise" | "prove" | "advice-worth" | "stats"
            | "listing" => CommandSubject::Game,
            "query" | "why" | "whynot" | "trace" => CommandSubject::Goal,
            "explain" => CommandSubject::Move,
            "check" | "test" => CommandSubject::Files,
            "lab" | "bench" | "example" => CommandSubject::Nothing,
            _ => return None,
        })
    }
}

/// `alphorn solve`
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to solve
    pub request: solve::Request,
}

/// `alphorn verify`
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to check
    pub request: solve::VerifyRequest,
}

/// `alphorn bench`
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The rules of a game to measure (default: the games that come with Alphorn); - for standard input
    pub file: Option<String>,
    #[command(flatten)]
    /// What to measure
    pub request: bench::Request,
}

/// `alphorn perft`
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to count
    pub request: moves::PerftRequest,
}

/// `alphorn moves`
#[derive(Args, Debug)]
pub struct MovesArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// Which to list
    pub request: moves::Request,
}

/// `alphorn analyze`
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to analyse
    pub request: analysis::Request,
}

/// `alphorn query`
#[derive(Args, Debug)]
pub struct QueryArgs {
    /// Rules files, then the goal; after -- the goal may begin with -
    #[arg(required = true, value_name = "[FILE...] GOAL", num_args = 1..)]
    pub texts: Vec<String>,
    #[command(flatten)]
    /// How to answer
    pub request: query::Request,
}

/// `alphorn check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rules files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Treat warnings as errors
    #[arg(long)]
    pub deny_warnings: bool,
    #[command(flatten)]
    /// What to check
    pub request: check::Request,
}

/// `alphorn test`
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Rules files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    #[command(flatten)]
    /// What to test
    pub request: test::Request,
}

/// `alphorn explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code, such as A0201, or a file of rules and a move (default: list all codes)
    #[arg(value_name = "CODE | FILE MOVE", num_args = 0..=2)]
    pub what: Vec<String>,
    #[command(flatten)]
    /// What to explain
    pub request: explain::Request,
}
