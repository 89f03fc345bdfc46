//! Measures how much advice reduces a search, in total and for each rule.

use super::contest::rounded;
use super::data::Number;
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen, warn_odd};
use super::search::algorithms;
use super::words::{Seconds, Spelled, Whole};
use alphorn_search::advice::AdviceLevel;
use alphorn_search::game::Score;
use alphorn_search::search::Algorithm;
use alphorn_session::session::worth::{self, AdviceWorth, RuleWorth, WorthOptions};
use alphorn_session::session::{SearchOptions, SessionResult};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to measure.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where; the positions that sample/2 names, or random ones, if no position is given
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// How deep to search, in plies
    #[arg(long, value_name = "N", default_value = "6")]
    pub depth: Whole<1, 10_000>,
    /// How to search
    #[arg(long, value_name = "NAME", default_value_t = Spelled(Algorithm::AlphaBeta),
        help = algorithms("How to search", |algorithm| !algorithm.samples()))]
    pub algorithm: Spelled<Algorithm>,
    /// Megabytes of the transposition table of `auto` and `mtdf`
    #[arg(long, value_name = "MB", default_value = "64")]
    pub hash: Whole<1, { 1 << 20 }>,
    /// Random positions to draw, where the game names none
    #[arg(long, value_name = "N", default_value = "20")]
    pub games: Whole<1, 10_000>,
    /// Which of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop after so many seconds, with what is known by then
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
}

command_line_defaults!(Request);

/// What advice is worth.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// name of the search, as asked for
    pub algorithm: Spelled<Algorithm>,
    /// depth of the search, in plies
    #[schemars(range(min = 1))]
    pub depth: u32,
    /// the positions that were searched
    pub positions: Vec<Sampled>,
    /// how many positions were to be searched
    pub wanted: usize,
    /// sum of the nodes without advice
    pub nodes_without: u64,
    /// sum of the nodes with advice
    pub nodes_with: u64,
    /// median of the savings; null without a position
    #[schemars(range(min = 0))]
    pub median_saving: Option<Number>,
    /// geometric mean of the savings; null without a position
    #[schemars(range(min = 0))]
    pub mean_saving: Option<Number>,
    /// advice changed no value
    pub same_values: bool,
    /// every rule, and what is lost without it
    pub rules: Vec<Rule>,
    /// names of positions whose value pruning changes
    pub changed_by_pruning: Vec<String>,
    /// stopped before all positions were searched
    pub stopped: bool,
}

/// A position, searched with advice and without.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sampled {
    /// name of the position, or the moves that lead there
    pub name: String,
    /// worth of the position for MAX, without advice; a declared win is 1000000 less its plies, a declared loss the negative of that
    pub value: Number,
    /// the same with advice
    pub advised: Number,
    /// the two are the same
    pub same: bool,
    /// the search without advice
    pub without: Cost,
    /// the search with --advice order
    pub with: Cost,
    /// nodes without advice by nodes with it
    #[schemars(range(min = 0))]
    pub saving: Number,
    /// the search with moves left out; null if the game leaves none out
    pub pruned: Option<Pruned>,
}

/// A search in which advice leaves moves out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Pruned {
    /// value with moves left out
    pub value: Number,
    /// the search with --advice prune
    pub cost: Cost,
}

/// What a search took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "AdviceCost")]
pub struct Cost {
    /// positions visited, those of forcing trees included
    pub nodes: u64,
    /// how many of them forcing trees looked at
    pub trees: u64,
    /// calls of static_eval/2
    pub evals: u64,
    /// time taken, in seconds
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

impl From<worth::SearchCost> for Cost {
    fn from(worth::SearchCost { nodes, trees, evals, seconds }: worth::SearchCost) -> Cost {
        Cost { nodes, trees, evals, seconds }
    }
}

/// What one rule is worth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Rule {
    /// the rule
    pub rule: String,
    /// its line in the text, from 1
    #[schemars(range(min = 1))]
    pub line: u32,
    /// geometric mean of how many times as many nodes are visited without it; null without a position
    #[schemars(range(min = 0))]
    pub saving: Option<Number>,
    /// median of the same; null without a position
    #[schemars(range(min = 0))]
    pub median: Option<Number>,
    /// what a rule that prunes changes
    pub changed: Vec<Changed>,
}

/// A position whose value a rule changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Changed {
    /// name of the position
    pub name: String,
    /// its value without the rule
    pub without: Number,
    /// its value with the rule
    pub with: Number,
}

/// Measures the effect of the advice.
///
/// # Errors
///
/// The rules or the request contain an error, or there is no advice.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let (session, clock) = host.timed(&request.form, request.time, listen)?;
    warn_odd(&request.start, &session, listen);
    clock.begin();
    let measure = WorthOptions {
        how: SearchOptions {
            hash: Some(request.hash.get() << 20),
            advice: AdviceLevel::Order,
            ..request.algorithm.0.into()
        },
        depth: request.depth.get() as u32,
        games: request.games.get() as u32,
        seed: request.seed,
        progress: &|done| listen(Event::positions(done)),
    };
    let found = session.worth(&request.start.place(), &measure)?;
    Ok(reply(&found, request))
}

fn number(score: Score) -> Number {
    Number(score.to_number())
}

/// The ratio of two counts. A zero divisor counts as one.
fn ratio(first: u64, second: u64) -> f64 {
    first as f64 / second.max(1) as f64
}

/// The median; for an even count the mean of the two middle numbers.
fn median(mut all: Vec<f64>) -> Option<Number> {
    all.sort_by(f64::total_cmp);
    let upper = *all.get(all.len() / 2)?;
    Some(rounded(if all.len() % 2 == 1 { upper } else { f64::midpoint(all[all.len() / 2 - 1], upper) }))
}

/// The geometric mean of ratios, in which a half and a double cancel.
fn geometric(all: &[f64]) -> Option<Number> {
    (!all.is_empty()).then(|| rounded((all.iter().map(|one| one.ln()).sum::<f64>() / all.len() as f64).exp()))
}

fn sampled(sample: &worth::SampledPosition) -> Sampled {
    Sampled {
        name: sample.name.clone(),
        value: number(sample.value),
        advised: number(sample.advised),
        same: sample.value == sample.advised,
        without: sample.without.into(),
        with: sample.with.into(),
        saving: rounded(ratio(sample.without.nodes, sample.with.nodes)),
        pruned: sample.pruned.map(|(score, cost)| Pruned { value: number(score), cost: cost.into() }),
    }
}

fn rule(rule: &RuleWorth, sampled: &[worth::SampledPosition]) -> Rule {
    let with = |sample: &worth::SampledPosition| match sample.pruned.filter(|_| rule.prunes) {
        Some((_, cost)) => cost.nodes,
        None => sample.with.nodes,
    };
    // For each position: the nodes without this rule, divided by the nodes with it.
    let savings: Vec<f64> = rule.nodes.iter().zip(sampled).map(|(nodes, sample)| ratio(*nodes, with(sample))).collect();
    let changed = |(name, without, with): &(String, Score, Score)| Changed {
        name: name.clone(),
        without: number(*without),
        with: number(*with),
    };
    Rule {
        rule: rule.rule.clone(),
        line: rule.line,
        saving: geometric(&savings),
        median: median(savings),
        changed: rule.changed.iter().map(changed).collect(),
    }
}

fn reply(found: &AdviceWorth, request: &Request) -> Reply {
    let all = &found.sampled;
    let savings: Vec<f64> = all.iter().map(|sample| ratio(sample.without.nodes, sample.with.nodes)).collect();
    let changed = all.iter().filter(|sample| sample.pruned.is_some_and(|(score, _)| score != sample.value));
    Reply {
        algorithm: request.algorithm,
        depth: request.depth.get() as u32,
        positions: all.iter().map(sampled).collect(),
        wanted: found.wanted,
        nodes_without: all.iter().map(|sample| sample.without.nodes).sum(),
        nodes_with: all.iter().map(|sample| sample.with.nodes).sum(),
        mean_saving: geometric(&savings),
        median_saving: median(savings),
        same_values: all.iter().all(|sample| sample.value == sample.advised),
        rules: found.rules.iter().map(|one| rule(one, all)).collect(),
        changed_by_pruning: changed.map(|sample| sample.name.clone()).collect(),
        stopped: all.len() < found.wanted,
    }
}
