//! What may be typed of searches: the options of `value` and `match`.

use super::{GameArgs, PositionArgs};
use alphorn_search::advice::Level;
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::backup::{Backup, Risk, Rule, View};
use alphorn_search::search::sample::flat::GAMES;
use alphorn_search::search::sample::mcts::Growth;
use alphorn_text::interrupt;
use alphorn_text::source::{read_text, why};
use clap::{Args, Parser, ValueEnum};
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
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::Auto, value_parser = algorithm,
        help = algorithms("How to search", |_| true))]
    pub algorithm: Algorithm,
    /// Threads of `auto` (all cores); with one, the same limits give the same bytes every time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Megabytes of the transposition table of `auto` and `mtdf` (64; in a match 16)
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub hash: Option<u64>,
    /// Try the moves in another order: of equally good ones another may be found; or the random games to play (1)
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How much of the game's advice to heed: off, order, prune, focus=PLIES, strict, plan or plan=MARGIN
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Order)]
    pub advice: Level,
    /// Let `auto` pass over what is unlikely to matter: deeper, but the value is an estimate
    #[arg(long)]
    pub heuristic: bool,
    #[command(flatten)]
    /// Where chance moves
    pub risk: RiskArgs,
    #[command(flatten)]
    /// Random games
    pub sample: SampleArgs,
}

/// How random games are played.
#[derive(Args, Clone, Debug)]
pub struct SampleArgs {
    /// How many random games `playouts` and `mcts` play (10,000; as many as they can with --time or --nodes)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// How much `mcts` explores beside what is best so far: the factor of its confidence bound (0.7)
    #[arg(long, value_name = "C", value_parser = share_or_more)]
    pub explore: Option<f64>,
    /// How much the minimax value of the evaluations below counts to `mcts` beside the mean, from 0 to 1 (0)
    #[arg(long, value_name = "A", value_parser = share)]
    pub implicit: Option<f64>,
    /// What judges a new leaf of `mcts`: playout or eval
    #[arg(long, value_name = "JUDGE", value_enum)]
    pub leaf: Option<Leaf>,
}

/// What judges a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Leaf {
    /// A random game
    Playout,
    /// The evaluation, static_eval/2
    Eval,
}

impl SearchArgs {
    /// How many random games; as many as there is time for, where that is limited.
    pub fn games(&self) -> u64 {
        let bounded = self.time.is_some() || self.nodes.is_some();
        self.sample.games.unwrap_or(if bounded { u64::MAX } else { GAMES })
    }

    /// How a tree grows.
    pub fn growth(&self) -> Growth {
        let usual = Growth::default();
        Growth {
            explore: self.sample.explore.unwrap_or(usual.explore),
            minimax: self.sample.implicit.unwrap_or(usual.minimax),
            evaluates: self.sample.leaf == Some(Leaf::Eval),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a number from 0 to 1, such as 0.3".to_string())
}

fn share_or_more(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=1e6).contains(number));
    number.ok_or_else(|| "write a number of 0 or more, such as 0.7".to_string())
}

/// What a position is worth where chance moves.
#[derive(Args, Clone, Debug)]
pub struct RiskArgs {
    /// Where chance moves: expect, risk=linear:C, risk=exp:K, risk=dynamic:K0:K1, risk=table:FILE or entropic=K
    #[arg(long, value_name = "RULE", default_value = "expect", value_parser = rule)]
    pub backup: Rule,
    /// Whose attitude to risk that is: of the owner (who moved last), of max or of min
    #[arg(long, value_name = "WHO", default_value = "owner")]
    pub risk_view: View,
}

impl RiskArgs {
    /// The two as one.
    pub fn backup(&self) -> Backup {
        Backup { rule: self.backup.clone(), view: self.risk_view }
    }

    /// What a user should know of them.
    pub fn notes(&self, has_chance: bool) -> Vec<&'static str> {
        let backup = self.backup();
        let mean = backup.is_mean();
        let idle = !mean && !has_chance;
        let all = [
            (idle, "--backup means nothing here: the game has no chance"),
            (
                !idle && !backup.is_monotone(),
                "with this risk function a better chance may count less, so nothing is passed over where chance moves",
            ),
            (mean && self.risk_view != View::Owner, "--risk-view means nothing without --backup"),
        ];
        all.into_iter().filter_map(|(holds, note)| holds.then_some(note)).collect()
    }
}

/// Bytes of a table of utilities at most.
const LARGEST_TABLE: u64 = 1 << 20;

pub(in crate::cli) fn rule(text: &str) -> Result<Rule, String> {
    let Some(path) = text.strip_prefix("risk=table:") else { return text.parse() };
    let read = interrupt::opened(path, || read_text(path, LARGEST_TABLE, "bytes that a table may have"))
        .map_err(|error| format!("{path} cannot be read: {}", why(&error, "there is no such file")))?;
    Risk::table(&read).map(Rule::Risk).map_err(|wrong| format!("{path}: {wrong}"))
}

impl ValueArgs {
    /// The options that were typed and that the algorithm does not heed, each in a few words.
    pub fn idle(&self) -> Vec<String> {
        let (told, other) = (self.search.idle(), self.search.algorithm != Algorithm::Auto);
        let lines = (self.lines > 1 && other && !self.search.algorithm.knows_chance())
            .then(|| self.search.idle_option("--lines", "auto"));
        told.into_iter().chain(lines).collect()
    }
}

impl SearchArgs {
    fn idle(&self) -> Vec<String> {
        let other = self.algorithm != Algorithm::Auto;
        let (samples, grows) = (self.algorithm.samples(), self.algorithm == Algorithm::Mcts);
        let alone = other && self.algorithm != Algorithm::Playouts;
        let typed = [
            ("--threads", self.threads.is_some_and(|threads| threads > 1) && alone, "auto and playouts"),
            ("--depth", self.depth.is_some() && samples, "searches to a depth"),
            ("--games", self.sample.games.is_some() && !samples, "playouts and mcts"),
            ("--explore", self.sample.explore.is_some() && !grows, "mcts"),
            ("--implicit", self.sample.implicit.is_some() && !grows, "mcts"),
            ("--leaf", self.sample.leaf.is_some() && !grows, "mcts"),
            ("--backup", !self.risk.backup().is_mean() && samples, "searches to a depth"),
            ("--hash", self.hash.is_some() && !self.algorithm.keeps_table(), "auto, mtdf, star1 and star2"),
            ("--seed", self.seed.is_some() && other && !samples, "auto, playouts and mcts"),
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

pub(in crate::cli) fn seconds(text: &str) -> Result<f64, String> {
    let wrong = || "write seconds, such as 10 or 0.5".to_string();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    // A year is longer than anybody waits.
    (0.0..=3.2e7).contains(&seconds).then_some(seconds).ok_or_else(wrong)
}

/// The help of an option that names an algorithm: what it is for, and those that it can be.
pub(in crate::cli) fn algorithms(about: &str, can: impl Fn(Algorithm) -> bool) -> String {
    let names: Vec<&str> = Algorithm::every().filter(|algorithm| can(*algorithm)).map(Algorithm::name).collect();
    format!("{about}: {}", one_of(&names))
}

/// `a, b or c`.
pub(in crate::cli) fn one_of(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

pub(in crate::cli) fn algorithm(text: &str) -> Result<Algorithm, String> {
    text.parse().map_err(|error: alphorn_search::search::UnknownAlgorithm| error.to_string())
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
