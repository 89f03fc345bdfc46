//! Options of searches: algorithm, limits, sampling, threads.

use super::form::command_line_defaults;
use super::words::{Combined, Factor, Seconds, Share, Spelled, Whole, Word};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::search::chance::backup::{Backup, RiskView};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::LeafValue;
use alphorn_search::search::sample::flat::GAMES;
use alphorn_search::search::sample::mcts::TreeGrowth;
use alphorn_search::search::{Algorithm, IterationObserver};
use alphorn_session::session::SearchOptions;
use alphorn_session::session::words::MoveNotation;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// The options of a search: algorithm and limits.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Search {
    /// Search N plies deep, then evaluate (default: to the end of the game)
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Stop after this many seconds, with the best result so far
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
    /// Stop after N positions, with the best result so far
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// The search algorithm.
    #[arg(long, value_name = "NAME", default_value_t = Spelled(Algorithm::Auto), help = algorithms("Search algorithm", |_| true))]
    pub algorithm: Spelled<Algorithm>,
    /// Threads of `auto` (default: all cores); with one thread, the same limits give the same output
    #[arg(long, value_name = "N")]
    pub threads: Option<Whole<1, 1024>>,
    /// Size of the transposition table of `auto` and `mtdf`, in megabytes (default: 64; in a match 16)
    #[arg(long, value_name = "MB")]
    pub hash: Option<Whole<1, { 1 << 20 }>>,
    /// Seed of the random numbers: for the order of equal moves, and for random games (default: 1)
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How to use the advice of the game: off, order, prune, focus=PLIES, strict, plan or plan=MARGIN
    #[arg(long, value_name = "LEVEL", default_value_t)]
    pub advice: Spelled<AdviceLevel>,
    /// Let `auto` skip unlikely moves, to search deeper; the value is then an estimate
    #[arg(long)]
    pub heuristic: bool,
    #[command(flatten)]
    #[serde(flatten)]
    /// The options for chance moves.
    pub risk: RiskOptions,
    #[command(flatten)]
    #[serde(flatten)]
    /// The options for random games.
    pub sample: Sampling,
}

/// The options for random games.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Sampling {
    /// Number of random games of `playouts` and `mcts` (default: 10,000; no limit with --time or --nodes)
    #[arg(long, value_name = "N")]
    pub games: Option<Whole<1, { u64::MAX }>>,
    /// Exploration constant of `mcts`: the factor of its confidence bound (default: 0.3)
    #[arg(long, value_name = "C")]
    pub explore: Option<Factor>,
    /// Weight of the implicit minimax value of `mcts` against the mean, from 0 to 1 (default: 0.7 with evaluated leaves, else 0)
    #[arg(long, value_name = "A")]
    pub implicit: Option<Share>,
    /// How `mcts` evaluates a new leaf: playout or eval (default: eval if static_eval/2 is not constant and the game has no chance)
    #[arg(long, value_name = "NAME", value_enum)]
    pub leaf: Option<Leaf>,
}

/// The way to evaluate a new leaf of Monte Carlo tree search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Leaf {
    /// A random game
    Playout,
    /// The evaluation, static_eval/2
    Eval,
}

impl From<Leaf> for LeafValue {
    fn from(leaf: Leaf) -> LeafValue {
        match leaf {
            Leaf::Playout => LeafValue::Playout,
            Leaf::Eval => LeafValue::Evaluation,
        }
    }
}

impl From<LeafValue> for Leaf {
    fn from(leaf: LeafValue) -> Leaf {
        match leaf {
            LeafValue::Playout => Leaf::Playout,
            LeafValue::Evaluation => Leaf::Eval,
        }
    }
}

/// The options for chance moves.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RiskOptions {
    /// Backup of chance moves: expect, risk=linear:C, risk=exp:K, risk=dynamic:K0:K1, risk=table:FILE or entropic=K
    #[arg(long, value_name = "RULE", default_value_t)]
    pub backup: Combined,
    /// The player whose attitude to risk --backup describes: owner (the player who moved last), max or min
    #[arg(long, value_name = "WHO", default_value_t = Spelled(RiskView::Owner))]
    pub risk_view: Spelled<RiskView>,
}

command_line_defaults!(Search, RiskOptions);

impl RiskOptions {
    /// The backup rule and the risk view as one value.
    pub fn backup(&self) -> Backup {
        Backup { rule: self.backup.rule.clone(), view: self.risk_view.0 }
    }

    /// The notes about options that have no effect or need care.
    pub fn notes(&self, has_chance: bool) -> Vec<&'static str> {
        let backup = self.backup();
        let mean = backup.is_mean();
        let idle = !mean && !has_chance;
        let all = [
            (idle, "--backup has no effect here: the game has no chance"),
            (
                !idle && !backup.is_monotone(),
                "with this risk function a better outcome may lower the value, so no chance outcome is pruned",
            ),
            (mean && self.risk_view.0 != RiskView::Owner, "--risk-view has no effect without --backup"),
        ];
        all.into_iter().filter_map(|(holds, note)| holds.then_some(note)).collect()
    }
}

impl Search {
    /// The number of random games, by default unlimited if time or nodes are limited.
    pub fn games(&self) -> u64 {
        let bounded = self.time.is_some() || self.nodes.is_some();
        self.sample.games.map_or(if bounded { u64::MAX } else { GAMES }, Whole::get)
    }

    /// The limits of a search that `stop` can end, and that tells `hear` how many positions it has visited.
    pub fn limits<'a>(&self, stop: &'a AtomicBool, hear: &'a dyn Fn(u64)) -> Limits<'a> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            timed: self.time.is_some(),
            stop: Some(stop),
            progress: Some(hear),
            ..Limits::default()
        }
    }

    /// The options of Monte Carlo tree search.
    pub fn growth(&self) -> TreeGrowth {
        TreeGrowth {
            explore: self.sample.explore.map(|factor| factor.0),
            minimax: self.sample.implicit.map(|share| share.0),
            leaf: self.sample.leaf.map(LeafValue::from),
        }
    }

    /// The options in the type of the search.
    pub fn how<'a>(
        &self,
        lines: usize,
        backup: &'a Backup,
        report: Option<IterationObserver<'a, String>>,
    ) -> SearchOptions<'a> {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // A node limit does not count the nodes of helper threads, so its default is one thread.
        let usual = || if self.nodes.is_some() { 1 } else { cores() };
        SearchOptions {
            algorithm: self.algorithm.0,
            lines,
            hash: Some(self.hash.map_or(64, Whole::get) << 20),
            threads: self.threads.map_or_else(usual, |threads| threads.get() as usize),
            seed: self.seed,
            heuristic: self.heuristic,
            advice: self.advice.0,
            report,
            backup,
            games: self.games(),
            growth: self.growth(),
            notation: MoveNotation::Label,
        }
    }

    /// A sentence for each given option that has no effect with the algorithm.
    pub fn idle(&self) -> Vec<String> {
        let algorithm = self.algorithm.0;
        let other = algorithm != Algorithm::Auto;
        let (samples, grows) = (algorithm.samples(), algorithm == Algorithm::Mcts);
        let alone = other && algorithm != Algorithm::Playouts;
        let typed = [
            ("--threads", self.threads.is_some_and(|threads| threads.get() > 1) && alone, "auto and playouts"),
            ("--depth", self.depth.is_some() && samples, "searches to a depth"),
            ("--games", self.sample.games.is_some() && !samples, "playouts and mcts"),
            ("--explore", self.sample.explore.is_some() && !grows, "mcts"),
            ("--implicit", self.sample.implicit.is_some() && !grows, "mcts"),
            ("--leaf", self.sample.leaf.is_some() && !grows, "mcts"),
            ("--backup", !self.risk.backup().is_mean() && samples, "searches to a depth"),
            ("--hash", self.hash.is_some() && !algorithm.keeps_table(), "auto, mtdf, star1 and star2"),
            ("--seed", self.seed.is_some() && other && !samples, "auto, playouts and mcts"),
            ("--heuristic", self.heuristic && other, "auto"),
        ];
        typed.into_iter().filter(|(_, idle, _)| *idle).map(|(name, _, whose)| self.idle_option(name, whose)).collect()
    }

    /// The sentence for an option that has no effect with the algorithm.
    pub fn idle_option(&self, option: &str, heeding: &str) -> String {
        format!("{option} has no effect with --algorithm {}: {option} is only for {heeding}", self.algorithm)
    }
}

/// The help of an option that names an algorithm: its purpose and the possible names.
pub fn algorithms(about: &str, can: impl Fn(Algorithm) -> bool) -> String {
    let names: Vec<String> = Algorithm::all()
        .into_iter()
        .zip(Algorithm::every())
        .filter(|(_, algorithm)| can(*algorithm))
        .map(|(name, _)| name)
        .collect();
    format!("{about}: {}", one_of(&names))
}

/// Joins names as `a, b or c`.
pub fn one_of<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}
