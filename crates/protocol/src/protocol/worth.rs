//! Measures how much advice reduces a search, in total and for each rule.

use super::data::{Number, rounded};
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

/// A request to measure the effect of advice.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position. By default the positions of `sample/2`, or random positions if the game has no
    /// `sample/2`.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Depth of the searches, in plies
    #[arg(long, value_name = "N", default_value = "6")]
    pub depth: Whole<1, 10_000>,
    /// The search algorithm.
    #[arg(long, value_name = "NAME", default_value_t = Spelled(Algorithm::AlphaBeta),
        help = algorithms("How to search", |algorithm| !algorithm.samples()))]
    pub algorithm: Spelled<Algorithm>,
    /// Megabytes of the transposition table of `auto` and `mtdf`
    #[arg(long, value_name = "MB", default_value = "64")]
    pub hash: Whole<1, { 1 << 20 }>,
    /// Number of random positions, if the game names none
    #[arg(long, value_name = "N", default_value = "20")]
    pub games: Whole<1, 10_000>,
    /// Seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop after this many seconds, with the results so far
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
}

command_line_defaults!(Request);

/// The effect of advice on searches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The name of the search algorithm.
    pub algorithm: Spelled<Algorithm>,
    /// The depth of the searches, in plies.
    #[schemars(range(min = 1))]
    pub depth: u32,
    /// The results, one for each position that was searched.
    pub positions: Vec<Sampled>,
    /// The number of positions that were to be searched.
    pub wanted: usize,
    /// The sum of the nodes of the searches without advice.
    pub nodes_without: u64,
    /// The sum of the nodes of the searches with advice.
    pub nodes_with: u64,
    /// The median of `saving` over the positions; null without a position.
    #[schemars(range(min = 0))]
    pub median_saving: Option<Number>,
    /// The geometric mean of `saving` over the positions; null without a position.
    #[schemars(range(min = 0))]
    pub mean_saving: Option<Number>,
    /// Whether all values with advice are equal to the values without advice.
    pub same_values: bool,
    /// The results for each rule.
    pub rules: Vec<Rule>,
    /// The names of the positions whose value changes when advice prunes moves.
    pub changed_by_pruning: Vec<String>,
    /// Whether a time limit or an interrupt stopped the searches; unfinished positions do not count.
    pub stopped: bool,
}

/// A position that was searched with advice and without advice.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sampled {
    /// The name of the position, or the moves that lead to it.
    pub name: String,
    /// The value for MAX without advice. A win for MAX in N plies is 1000000 - N, a win for MIN is N -
    /// 1000000.
    pub value: Number,
    /// The value for MAX with advice that orders moves.
    pub advised: Number,
    /// Whether `value` and `advised` are equal.
    pub same: bool,
    /// The cost of the search without advice.
    pub without: Cost,
    /// The cost of the search with `--advice order`.
    pub with: Cost,
    /// The nodes without advice divided by the nodes with advice.
    #[schemars(range(min = 0))]
    pub saving: Number,
    /// The search in which advice prunes moves; null if the game has no rules that prune.
    pub pruned: Option<Pruned>,
}

/// A search in which advice prunes moves.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Pruned {
    /// The value for MAX.
    pub value: Number,
    /// The cost of the search with `--advice prune`.
    pub cost: Cost,
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "AdviceCost")]
pub struct Cost {
    /// The number of positions visited, including those of forcing trees.
    pub nodes: u64,
    /// The number of positions visited for forcing trees.
    pub trees: u64,
    /// The number of calls of `static_eval/2`.
    pub evals: u64,
    /// The time of the search, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

impl From<worth::SearchCost> for Cost {
    fn from(worth::SearchCost { nodes, trees, evals, seconds }: worth::SearchCost) -> Cost {
        Cost { nodes, trees, evals, seconds }
    }
}

/// The effect of one rule.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Rule {
    /// The rule: the predicate and the number of its clause, or the name of a rule of a table.
    pub rule: String,
    /// The line of the rule in its text, from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// The geometric mean of the factor by which the nodes grow without the rule; null without a position.
    #[schemars(range(min = 0))]
    pub saving: Option<Number>,
    /// The median of the factor by which the nodes grow without the rule; null without a position.
    #[schemars(range(min = 0))]
    pub median: Option<Number>,
    /// The positions whose value the rule changes; empty for a rule that does not prune.
    pub changed: Vec<Changed>,
}

/// A position whose value a rule changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Changed {
    /// The name of the position.
    pub name: String,
    /// The value for MAX without the rule.
    pub without: Number,
    /// The value for MAX with the rule.
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
