//! What may be typed: commands, their arguments, their help.

pub mod search;

use crate::cli::advice::args::{AdviseArgs, ProveArgs, WorthArgs};
use crate::cli::chance::args::{CompareArgs, StatsArgs};
use crate::cli::lab::args::LabArgs;
use crate::cli::profile::args::{ListingArgs, ProfileArgs, TraceArgs};
use crate::cli::reason::args::{WhyArgs, WhyNotArgs};
use crate::cli::repl::args::{PlayArgs, ReplArgs};
use crate::cli::tree::args::TreeArgs;
use alphorn_search::solve::Method;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use search::{MatchArgs, SearchArgs, ValueArgs, one_of, seconds};
use std::path::PathBuf;

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
    Moves(PositionArgs),
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
    Example(ExampleArgs),
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

/// Which game, and which of its forms.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// Change a parameter of the game: NAME=VALUE
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = setting)]
    pub params: Vec<(String, String)>,
    /// Replace predicates by those of this file; may be given several times
    #[arg(long = "with", value_name = "OVERLAY")]
    pub overlays: Vec<String>,
    /// Steps for one question to the rules (10,000,000), or for a typed goal (100,000,000); 0: no limit
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Memory for one evaluation, such as 512M or 2G (1G)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

/// From where to play.
#[derive(Args, Debug)]
pub struct StartArgs {
    /// Begin at this position, a term
    #[arg(long, value_name = "TERM", conflicts_with_all = ["at", "opening"], allow_hyphen_values = true)]
    pub position: Option<String>,
    #[command(flatten)]
    /// From where else
    pub place: PlaceArgs,
}

/// A place that no term names.
#[derive(Args, Debug)]
pub struct PlaceArgs {
    /// Begin at this position, in the game's own notation (FEN for chess)
    #[arg(long, value_name = "TEXT", conflicts_with = "opening", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Begin at the N-th initial position
    #[arg(long, value_name = "N")]
    pub opening: Option<usize>,
    /// Make these moves first: labels, or numbers where moves have none
    #[arg(long, value_name = "L1 L2 ...", allow_hyphen_values = true)]
    pub moves: Option<String>,
}

/// A file and a position.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// From where
    pub start: StartArgs,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
}

/// `alphorn solve`
#[derive(Args, Debug)]
pub struct SolveArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    /// How to solve
    #[arg(long, value_name = "NAME", default_value_t = Method::Auto, value_parser = crate::cli::solve::method,
        help = format!("How to solve: {}", one_of(&Method::ALL.map(Method::name))))]
    pub method: Method,
    /// Stop after so many seconds, with what is known by then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Every position of position/1, rather than one
    #[arg(long, conflicts_with_all = ["position", "at", "opening", "moves"])]
    pub all: bool,
    /// Keep the value of every position in this file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Write a proof of the value to this file
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// How near to its value an average is to be told, at most: half the width of its interval [default: 1e-12]
    #[arg(long, value_name = "E", value_parser = crate::cli::solve::accuracy, allow_negative_numbers = true)]
    pub accuracy: Option<f64>,
}

/// `alphorn verify`
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    /// The proof
    pub proof: String,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
}

/// `alphorn bench`
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The rules of a game to measure, rather than the games that come with alphorn; - for standard input
    pub file: Option<String>,
    /// Search the game to this depth; the greatest with 200,000 positions at most if not given
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    #[command(flatten)]
    /// From where
    pub start: StartArgs,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
    /// Search each position so many times, and tell the fastest
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
}

/// `alphorn perft`
#[derive(Args, Debug)]
pub struct PerftArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    /// How deep to count, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub depth: u32,
    /// Stop after so many seconds, with what is known by then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
}

/// `alphorn analyze`
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    /// How deep to search, in plies
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub depth: u32,
    /// Search this position, a term; may be given several times
    #[arg(long, value_name = "TERM", conflicts_with_all = ["at", "opening"], allow_hyphen_values = true)]
    pub position: Vec<String>,
    #[command(flatten)]
    /// From where else
    pub place: PlaceArgs,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
}

/// `alphorn query`
#[derive(Args, Debug)]
pub struct QueryArgs {
    /// Rules files, then the goal; after -- the goal may begin with -
    #[arg(required = true, value_name = "[FILE...] GOAL", num_args = 1..)]
    pub texts: Vec<String>,
    /// Look for so many answers at most
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Write operators as functors
    #[arg(long)]
    pub canonical: bool,
    #[command(flatten)]
    /// The position that position_now/1 gives
    pub start: StartArgs,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
}

/// `alphorn check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rules files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Play so many games at random, looking for rules that break their promises; 0 plays none, and otherwise the first 20 plies of one are played
    #[arg(long, value_name = "N")]
    pub playouts: Option<u32>,
    /// The random games to play
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play for so many seconds at most, for each file
    #[arg(long, value_name = "SECONDS", value_parser = search::seconds)]
    pub time: Option<f64>,
    /// Let warnings count as errors
    #[arg(long)]
    pub deny_warnings: bool,
    /// Print what the questions to the game compile to
    #[arg(long)]
    pub code: bool,
    /// Print what in the rules could not be specialised, and so is slow
    #[arg(long)]
    pub cost: bool,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
}

/// `alphorn test`
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Rules files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Seconds for each expectation; one that takes longer counts as not decided
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = search::seconds)]
    pub time: f64,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
}

/// `alphorn example`
#[derive(Args, Debug)]
pub struct ExampleArgs {
    /// The game to write to standard output
    pub name: Option<String>,
}

/// `alphorn explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code, such as A0201, or rules and a move; all codes if not given
    #[arg(value_name = "CODE | FILE MOVE", num_args = 0..=2)]
    pub what: Vec<String>,
    #[command(flatten)]
    /// How to search: for 10 seconds, if no limit is given
    pub search: SearchArgs,
    #[command(flatten)]
    /// From where
    pub start: StartArgs,
    #[command(flatten)]
    /// Which form
    pub game: GameArgs,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("write NAME=VALUE, such as size=8".to_string()),
    }
}

fn bytes(text: &str) -> Result<u64, String> {
    let bare = text.trim().trim_end_matches("iB").trim_end_matches('B');
    let (digits, unit) = match bare.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&bare[..at], 10),
        Some((at, 'm' | 'M')) => (&bare[..at], 20),
        Some((at, 'g' | 'G')) => (&bare[..at], 30),
        _ => (bare, 0),
    };
    let number: u64 =
        digits.parse().map_err(|_| "write a number of bytes, such as 536870912, 512M or 2G".to_string())?;
    match number.checked_shl(unit).filter(|bytes| bytes >> unit == number) {
        Some(bytes) if bytes >= 1 << 20 => Ok(bytes),
        Some(_) => Err("the rules need at least 1M".to_string()),
        None => Err("that is more memory than can be counted".to_string()),
    }
}
