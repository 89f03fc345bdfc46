//! What may be typed: commands, their arguments, their help.

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
    /// One JSON object on one line of stdout, errors too
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
    /// Reads the command line. A negative number is the value of its option, not an unknown one, so
    /// that what is wrong with it can be told.
    ///
    /// # Errors
    ///
    /// It is none of ours, or asks for help.
    pub fn read() -> Result<Cli, clap::Error> {
        Cli::from_arg_matches(&Cli::parser().try_get_matches()?)
    }

    /// What reads it.
    pub fn parser() -> clap::Command {
        fn lenient(command: clap::Command) -> clap::Command {
            let takes = |arg: &clap::Arg| !arg.is_positional() && arg.get_action().takes_values();
            let command = command.mut_args(|arg| if takes(&arg) { arg.allow_negative_numbers(true) } else { arg });
            command.mut_subcommands(lenient)
        }
        lenient(Cli::command())
    }
}

const EXIT: &str = "Exit status: 0 yes, or done; 1 the answer is no (a goal without answers, a failed expectation, a file with errors in `check`); 2 it could not be done; 130 interrupted.";

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
    /// A prompt: goals, moves, values, with rules that change meanwhile; the same as alphorn FILE...
    Repl(ReplArgs),
    /// A game against the program, between two people, or to watch
    Play(PlayArgs),
    /// The minimax value of a position, the best move and the line of best play
    Value(ValueArgs),
    /// The proved value of a position, or of every position of a game
    Solve(SolveArgs),
    /// Whether a proof that solve has written stands, by the rules alone
    Verify(VerifyArgs),
    /// The number of move paths for each depth
    Perft(PerftArgs),
    /// The legal moves and where they lead, in the order of the rules
    Moves(MovesArgs),
    /// The tree of a search: windows, values, what was cut off and why
    Tree(Box<TreeArgs>),
    /// Two ways to play a game, against each other
    Match(Box<MatchArgs>),
    /// What an advice table says of a position, and why
    Advise(AdviseArgs),
    /// Whether following an advice table always reaches its aim
    Prove(ProveArgs),
    /// What advice saves a search, as a whole and rule by rule
    AdviceWorth(WorthArgs),
    /// How long random games are, how many moves there are, who wins
    Stats(StatsArgs),
    /// The best move under each attitude to risk, in a game with chance
    CompareBackups(CompareArgs),
    /// What searching a game costs, and what it would cost at best
    Analyze(AnalyzeArgs),
    /// The classic results on game-tree search, counted again
    Lab(LabArgs),
    /// The answers to a goal
    Query(QueryArgs),
    /// Why a goal is true: the proof of its first answer
    Why(WhyArgs),
    /// Why a goal is not true: what each clause fails at, down to the smallest part
    #[command(name = "whynot")]
    WhyNot(WhyNotArgs),
    /// Where the time goes: what every predicate and clause does in a search or a goal
    Profile(Box<ProfileArgs>),
    /// A goal through its ports, or a search from position to position
    Trace(TraceArgs),
    /// Predicates as they are written, and what they are compiled to
    Listing(ListingArgs),
    /// Everything that is wrong with rules files
    Check(CheckArgs),
    /// The expectations that games state of themselves
    Test(TestArgs),
    /// How fast searches are, and a signature of what they search
    Bench(BenchArgs),
    /// The games that come with alphorn: lists them, or writes one out
    Example(example::Request),
    /// What a move is worth and why, or what a diagnostic's code means
    Explain(Box<ExplainArgs>),
    /// A completion script for a shell
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// The manual page, in roff
    Man,
}

/// What a command is about, which a prompt adds where it was not typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A position that is searched: the rules come first.
    Search,
    /// Rules: they come first.
    Game,
    /// A goal, behind the rules.
    Goal,
    /// A move, behind the rules; or something of our own, without them.
    Move,
    /// Files of rules, all that are loaded where none is named.
    Files,
    /// Nothing that is loaded.
    Nothing,
}

impl Command {
    /// What the command with a name is about; `None` for those that a prompt does not have.
    pub fn about(name: &str) -> Option<About> {
        Some(match name {
            "value" | "tree" | "analyze" | "profile" | "compare-backups" => About::Search,
            "solve" | "verify" | "perft" | "moves" | "match" | "advise" | "prove" | "advice-worth" | "stats"
            | "listing" => About::Game,
            "query" | "why" | "whynot" | "trace" => About::Goal,
            "explain" => About::Move,
            "check" | "test" => About::Files,
            "lab" | "bench" | "example" => About::Nothing,
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
    /// The rules of a game to measure, rather than the games that come with alphorn; - for standard input
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
    /// Let warnings count as errors
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
    /// A code, such as A0201, or rules and a move; all codes if not given
    #[arg(value_name = "CODE | FILE MOVE", num_args = 0..=2)]
    pub what: Vec<String>,
    #[command(flatten)]
    /// What to explain
    pub request: explain::Request,
}
