//! Defines the arguments of `repl` and `play`.

use alphorn_protocol::protocol::form::{self, Form};
use alphorn_protocol::protocol::match_options::ClockOption;
use alphorn_protocol::protocol::words::Seconds;
use alphorn_search::game::Side;
use alphorn_search::search::{Algorithm, UnknownAlgorithm};
use clap::{Args, ValueEnum};

/// `alphorn repl`
#[derive(Args, Clone, Debug)]
pub struct ReplArgs {
    /// Rules files
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Print every input line before its output, if the input is a pipe
    #[arg(long)]
    pub echo: bool,
    #[command(flatten)]
    /// Which form
    pub game: Form,
}

/// Who is a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Who {
    /// MAX; the program is MIN
    Max,
    /// MIN; the program is MAX
    Min,
    /// Both sides
    Both,
    /// Nobody: the program plays against itself
    None,
}

/// `alphorn play`
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The rules of the game
    pub file: String,
    /// The side of the person
    #[arg(long = "as", value_name = "WHO", default_value = "max")]
    pub person: Who,
    /// Strength of the program, from 1 to 9: 10 positions for a move at level 1, four times as many at each next level
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9), conflicts_with_all = ["depth", "time", "nodes"])]
    pub level: Option<u32>,
    /// Seconds of the program for a move (default: 1)
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
    /// Seconds of the program for all its moves, and seconds that each move adds: 60+0.6
    #[arg(long, value_name = "SECONDS[+SECONDS]", conflicts_with_all = ["time", "level"])]
    pub clock: Option<ClockOption>,
    /// Search depth of the program, in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Greatest number of positions that the program searches for a move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Search algorithm of the program
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::Auto, value_parser = algorithm)]
    pub algorithm: Algorithm,
    /// Seed of the random numbers: for dice, and for the choice between equal moves
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    /// From where
    pub start: form::Start,
    #[command(flatten)]
    /// Which form
    pub game: Form,
}

impl PlayArgs {
    /// The sides that a person plays.
    pub(super) fn seats(&self) -> Seats {
        Seats::of(self.person)
    }

    /// The limits and the algorithm of the program, as settings.
    pub(super) fn settings(&self) -> Vec<(&'static str, String)> {
        let nodes = self.nodes.or(self.level.map(|level| 10 * 4u64.pow(level - 1)));
        let limited = nodes.is_some() || self.depth.is_some() || self.clock.is_some();
        let time = self.time.or((!limited).then_some(Seconds(1.0)));
        [
            ("time", time.map(|time| time.to_string())),
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("algorithm", Some(self.algorithm.to_string())),
            ("seed", self.seed.map(|seed| seed.to_string())),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
    }
}

/// The sides that people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seats {
    pub(super) max: bool,
    pub(super) min: bool,
}

impl Seats {
    pub(super) fn of(person: Who) -> Seats {
        Seats { max: matches!(person, Who::Max | Who::Both), min: matches!(person, Who::Min | Who::Both) }
    }

    pub(super) fn has(self, side: Side) -> bool {
        if side == Side::Max { self.max } else { self.min }
    }
}

fn algorithm(text: &str) -> Result<Algorithm, String> {
    text.parse().map_err(|error: UnknownAlgorithm| error.to_string())
}
