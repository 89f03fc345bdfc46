//! What may be typed after the commands that look into the running of rules: `profile`, `trace`
//! and `listing`.
//!
//! In: the command line. Out: its arguments, checked one by one. Must not know what they do.

use crate::cli::args::PositionArgs;
use alphorn_protocol::protocol::form::Form;
use alphorn_protocol::protocol::search::{Search, algorithms};
use alphorn_protocol::protocol::words::{Spelled, Whole};
use alphorn_search::search::visits::tells;
use alphorn_search::search::{Algorithm, SEED};
use alphorn_session::session::trace::STEPS_TOLD;
use clap::{ArgGroup, Args, ValueEnum};

/// What goals, ports and clauses are weighed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// Steps, which are the same on every machine
    #[default]
    Steps,
    /// Time by the clock
    Time,
    /// Calls
    Calls,
}

/// `alphorn profile`
#[derive(Args, Debug)]
pub struct ProfileArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    /// Profile this goal rather than a search
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true, conflicts_with_all = ["playouts", "depth"])]
    pub goal: Option<String>,
    /// Look for so many answers of the goal (all)
    #[arg(long, value_name = "N", requires = "goal")]
    pub answers: Option<usize>,
    /// Profile so many random games rather than a search; --seed says which
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), conflicts_with = "depth")]
    pub playouts: Option<u64>,
    #[command(flatten)]
    /// How to search
    pub search: Search,
    /// What to weigh by: steps, time or calls
    #[arg(long, value_name = "MEASURE", default_value = "steps")]
    pub by: By,
    /// So many rows of each table
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    pub top: usize,
    /// All rows
    #[arg(long)]
    pub all: bool,
    /// By clause as well
    #[arg(long)]
    pub clauses: bool,
    /// Beside the lines of the rules
    #[arg(long)]
    pub source: bool,
}

impl ProfileArgs {
    /// How to search: random games are a search as well.
    pub fn searching(&self) -> Search {
        let mut search = self.search.clone();
        if let Some(games) = self.playouts {
            search.algorithm = Spelled(Algorithm::Playouts);
            search.sample.games = Whole::try_from(games).ok();
            search.seed = search.seed.or(Some(SEED));
        }
        search
    }
}

/// `alphorn trace`
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("followed").args(["typed", "goal"]).conflicts_with("search"))]
#[command(group = ArgGroup::new("either").args(["typed", "goal", "search"]).required(true))]
pub struct TraceArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    /// Follow this goal through its ports; after -- it may begin with -
    #[arg(value_name = "GOAL")]
    typed: Option<String>,
    /// The same, before the file
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Follow a search, position by position
    #[arg(long)]
    pub search: bool,
    /// Of a goal: not what stands in more goals than this; of a search: look so many plies ahead
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Stop after so many lines
    #[arg(long, value_name = "N", default_value_t = STEPS_TOLD, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub limit: u64,
    /// Look for so many answers of the goal (all)
    #[arg(long, value_name = "N", requires = "followed")]
    pub answers: Option<usize>,
    /// Only this predicate: NAME/ARITY, or NAME; may be given several times
    #[arg(long, value_name = "PRED", requires = "followed")]
    pub only: Vec<String>,
    /// Not this predicate; may be given several times
    #[arg(long, value_name = "PRED", requires = "followed")]
    pub skip: Vec<String>,
    /// Also trace inside library predicates
    #[arg(long, requires = "followed")]
    pub library: bool,
    /// Of a search: only positions so many plies from the root, or nearer
    #[arg(long, value_name = "N", requires = "search")]
    pub plies: Option<u32>,
    /// How to search
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::AlphaBeta, value_parser = told,
        help = algorithms("How to search", tells))]
    pub algorithm: Algorithm,
    /// One JSON object a line for every step as it happens, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

impl TraceArgs {
    /// The goal to follow; a search if there is none.
    pub fn goal(&self) -> Option<&str> {
        self.typed.as_deref().or(self.goal.as_deref())
    }
}

fn told(text: &str) -> Result<Algorithm, String> {
    let algorithm: Algorithm = crate::cli::args::search::algorithm(text)?;
    match tells(algorithm) {
        true => Ok(algorithm),
        false => Err(algorithms(&format!("a search by {algorithm} cannot be followed; take one that can"), tells)),
    }
}

/// `alphorn listing`
#[derive(Args, Debug)]
pub struct ListingArgs {
    /// The rules; - for standard input
    pub file: String,
    /// The predicate, NAME/ARITY or NAME; all of the file's if not given
    #[arg(value_name = "PRED")]
    pub predicate: Option<String>,
    /// What it is compiled to as well
    #[arg(long)]
    pub compiled: bool,
    #[command(flatten)]
    /// Which form
    pub game: Form,
}
