//! What may be typed of searches: the options of `value` and `match`.

use super::{GameArgs, PositionArgs};
use crate::advice::Level;
use crate::search::Algorithm;
use clap::{Args, Parser};
use std::path::PathBuf;

/// `alphorn value`
#[derive(Args, Debug)]
pub struct ValueArgs {
    #[command(flatten)]
    /// Of what
    pub at: PositionArgs,
    #[command(flatten)]
    /// How
    pub search: SearchArgs,
    /// Tell so many of the best moves, each with its line
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub lines: u16,
    /// Look the position up in this file of alphorn solve --save first
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Tell what was counted, for every depth
    #[arg(long)]
    pub stats: bool,
    /// One JSON object a line on stderr for every depth, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

/// How to search, and for how long.
#[derive(Args, Clone, Debug)]
pub struct SearchArgs {
    /// Look so many plies ahead, then evaluate; to the end of the game if not given
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Stop after so many seconds with the best found so far
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Stop after so many positions with the best found so far
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// How to search
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::Auto, value_parser = algorithm)]
    pub algorithm: Algorithm,
    /// Threads of `auto` (all cores); with one, the same limits give the same bytes every time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Megabytes of the transposition table of `auto` and `mtdf` (64; in a match 16)
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: Option<u64>,
    /// Try the moves in another order: of equally good ones another may be found
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How much of the game's advice to heed: off, order, prune, focus=PLIES, strict, plan or plan=MARGIN
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Order)]
    pub advice: Level,
    /// Let `auto` pass over what is unlikely to matter: deeper, but the value is an estimate
    #[arg(long)]
    pub heuristic: bool,
}

impl ValueArgs {
    /// The options that were typed and that the algorithm does not heed, each in a few words.
    pub fn idle(&self) -> Vec<String> {
        let (told, other) = (self.search.idle(), self.search.algorithm != Algorithm::Auto);
        let lines = (self.lines > 1 && other).then(|| self.search.idle_option("--lines", "auto"));
        told.into_iter().chain(lines).collect()
    }
}

impl SearchArgs {
    fn idle(&self) -> Vec<String> {
        let other = self.algorithm != Algorithm::Auto;
        let typed = [
            ("--threads", self.threads.is_some_and(|threads| threads > 1) && other, "auto"),
            ("--hash", self.hash.is_some() && !self.algorithm.keeps_table(), "auto and mtdf"),
            ("--seed", self.seed.is_some() && other, "auto"),
            ("--heuristic", self.heuristic && other, "auto"),
        ];
        typed.into_iter().filter(|(_, idle, _)| *idle).map(|(name, _, whose)| self.idle_option(name, whose)).collect()
    }

    fn idle_option(&self, option: &str, heeding: &str) -> String {
        format!("{option} means nothing to --algorithm {}: it is for {heeding} alone", self.algorithm)
    }
}

/// `alphorn match`
#[derive(Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    /// Of what, by the rules that judge
    pub at: PositionArgs,
    /// How A plays: options of alphorn value, such as '--depth 4 --with mine.pl'; 1,000 positions a move if no limit is said
    #[arg(long, value_name = "SETTINGS", default_value = "", value_parser = side, allow_hyphen_values = true)]
    pub a: SideSettings,
    /// How B plays
    #[arg(long, value_name = "SETTINGS", default_value = "", value_parser = side, allow_hyphen_values = true)]
    pub b: SideSettings,
    /// How many games, an even number: two from each opening, with sides swapped
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = even)]
    pub games: u32,
    /// The openings to draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Random moves before the players take over
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub opening_plies: u32,
    /// Give a game up after so many plies more: half a point for each
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub max_plies: u32,
    /// Games at a time, each searched by one thread (all cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// One JSON object a line on stderr for every game, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

/// One side of a match: what was typed, and what it says.
#[derive(Clone, Debug)]
pub struct SideSettings {
    /// As typed.
    pub text: String,
    /// Which form of the game it plays by.
    pub game: GameArgs,
    /// How it searches.
    pub search: SearchArgs,
}

/// The options of a side.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct SideArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    search: SearchArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    let wrong = || "write seconds, such as 10 or 0.5".to_string();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    // A year is longer than anybody waits.
    (0.0..=3.2e7).contains(&seconds).then_some(seconds).ok_or_else(wrong)
}

pub(in crate::cli) fn algorithm(text: &str) -> Result<Algorithm, String> {
    text.parse().map_err(|error: crate::search::UnknownAlgorithm| error.to_string())
}

/// The settings of a side, split as a shell does.
fn side(text: &str) -> Result<SideSettings, String> {
    let words = shlex::split(text).ok_or("a quote is not closed, or a backslash stands at the end")?;
    let SideArgs { game, search } = SideArgs::try_parse_from(words).map_err(|error| {
        let message = error.to_string();
        let told = message.split("\n\nUsage").next().unwrap_or("").trim();
        told.trim_start_matches("error: ").to_string()
    })?;
    if let Some(idle) = search.idle().pop() {
        return Err(idle);
    }
    if search.threads.is_some_and(|threads| threads > 1) {
        return Err(
            "each game has one thread; say how many games are played at a time: alphorn match --threads N".into()
        );
    }
    Ok(SideSettings { text: text.trim().to_string(), game, search })
}

fn even(text: &str) -> Result<u32, String> {
    let number: Option<u32> = text.parse().ok().filter(|number| (2..=1_000_000).contains(number));
    match number {
        Some(number) if number % 2 == 0 => Ok(number),
        Some(number) => {
            Err(format!("each opening is played twice, with sides swapped: write {} or {}", number - 1, number + 1))
        }
        None => Err("write an even number from 2 to 1000000".to_string()),
    }
}
