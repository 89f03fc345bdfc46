//! `advice-worth`: what advice saves a search, as a whole and rule by rule.

use super::args::WorthArgs;
use crate::cli::output::{Out, number};
use crate::cli::play::{load, start};
use crate::cli::progress::Progress;
use crate::cli::table::{rounded, table};
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_protocol::protocol::clock::Clock;
use alphorn_search::advice::Level;
use alphorn_search::game::Score;
use alphorn_session::session::How;
use alphorn_session::session::worth::{Cost, Measure, RuleWorth, Sampled, Worth};
use alphorn_text::report::{grouped, plural};
use serde_json::{Value, json};

pub(in crate::cli) fn worth(args: &WorthArgs, out: &mut Out, clock: &Clock) -> Ended {
    let stop = clock.flag();
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    clock.begin();
    let progress = Progress::new(out);
    let measure = Measure {
        how: How { hash: Some(args.hash << 20), advice: Level::Order, ..args.algorithm.into() },
        depth: args.depth,
        games: args.games,
        seed: args.seed,
        progress: &|done| progress.at(done),
    };
    let worth = session.worth(&start(&args.at.start), &measure);
    progress.done();
    let worth = worth?;
    out.answer(worth_json(&worth, args), || worth_text(&worth, args));
    let stopped = worth.sampled.len() < worth.wanted;
    if stopped && !out.json {
        let (done, wanted) = (worth.sampled.len(), plural(worth.wanted as u64, "position", "positions"));
        out.tell(&format!("stopped: {done} of {wanted} were searched\n"));
    }
    Ok(if stopped { INTERRUPTED } else { YES })
}

/// How many times as much a first search takes as a second.
fn ratio(first: u64, second: u64) -> f64 {
    first as f64 / second.max(1) as f64
}

/// The middle one; of two in the middle their mean.
fn median(mut all: Vec<f64>) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    let upper = *all.get(all.len() / 2)?;
    Some(if all.len() % 2 == 1 { upper } else { f64::midpoint(all[all.len() / 2 - 1], upper) })
}

/// The mean of ratios: as often half as twice is none.
fn geometric(all: &[f64]) -> Option<f64> {
    (!all.is_empty()).then(|| (all.iter().map(|one| one.ln()).sum::<f64>() / all.len() as f64).exp())
}

fn savings(sampled: &[Sampled]) -> Vec<f64> {
    sampled.iter().map(|sample| ratio(sample.without.nodes, sample.with.nodes)).collect()
}

/// For each position, how many times as many nodes the search takes without this rule.
fn rule_savings(rule: &RuleWorth, sampled: &[Sampled]) -> Vec<f64> {
    let with = sampled.iter().map(|sample| match rule.prunes {
        true => sample.pruned.map_or(sample.with.nodes, |(_, cost)| cost.nodes),
        false => sample.with.nodes,
    });
    rule.nodes.iter().zip(with).map(|(nodes, with)| ratio(*nodes, with)).collect()
}

fn worth_json(worth: &Worth, args: &WorthArgs) -> Value {
    let value = |score: Score| number(score.to_number());
    let cost =
        |cost: Cost| json!({ "nodes": cost.nodes, "trees": cost.trees, "evals": cost.evals, "seconds": cost.seconds });
    let sampled = |sample: &Sampled| {
        json!({
            "name": sample.name,
            "value": value(sample.value),
            "same": sample.value == sample.advised,
            "without": cost(sample.without),
            "with": cost(sample.with),
            "saving": rounded(ratio(sample.without.nodes, sample.with.nodes)),
            "pruned": sample.pruned.map(|(score, took)| json!({ "value": value(score), "cost": cost(took) })),
        })
    };
    let rule = |rule: &RuleWorth| {
        let changed = rule
            .changed
            .iter()
            .map(|(name, without, with)| json!({ "name": name, "without": value(*without), "with": value(*with) }));
        let savings = rule_savings(rule, &worth.sampled);
        json!({
            "rule": rule.rule,
            "line": rule.line,
            "saving": geometric(&savings).map(rounded),
            "median": median(savings).map(rounded),
            "changed": changed.collect::<Vec<_>>(),
        })
    };
    let changed = worth.sampled.iter().filter(|sample| sample.pruned.is_some_and(|(score, _)| score != sample.value));
    let savings = savings(&worth.sampled);
    json!({
        "algorithm": args.algorithm.name(),
        "depth": args.depth,
        "positions": worth.sampled.iter().map(sampled).collect::<Vec<_>>(),
        "nodes_without": worth.sampled.iter().map(|sample| sample.without.nodes).sum::<u64>(),
        "nodes_with": worth.sampled.iter().map(|sample| sample.with.nodes).sum::<u64>(),
        "median_saving": median(savings.clone()).map(rounded),
        "mean_saving": geometric(&savings).map(rounded),
        "same_values": worth.sampled.iter().all(|sample| sample.value == sample.advised),
        "rules": worth.rules.iter().map(rule).collect::<Vec<_>>(),
        "changed_by_pruning": changed.map(|sample| sample.name.clone()).collect::<Vec<_>>(),
        "stopped": worth.sampled.len() < worth.wanted,
    })
}

fn worth_text(worth: &Worth, args: &WorthArgs) -> String {
    if worth.sampled.is_empty() {
        return "no position was searched to the end\n".to_string();
    }
    let times = |saving: f64| format!("{saving:.2}");
    let prunes = worth.sampled.iter().any(|sample| sample.pruned.is_some());
    let mut heads = vec!["position", "value", "nodes without", "nodes with", "times", "s without", "s with"];
    if prunes {
        heads.extend(["pruned", "nodes pruned"]);
    }
    let value = |score: Score| number(score.to_number()).to_string();
    let rows = worth.sampled.iter().map(|sample| {
        let mut row = vec![
            shortened(&sample.name),
            value(sample.value),
            grouped(sample.without.nodes),
            grouped(sample.with.nodes),
            times(ratio(sample.without.nodes, sample.with.nodes)),
            format!("{:.3}", sample.without.seconds),
            format!("{:.3}", sample.with.seconds),
        ];
        if let Some((score, cost)) = sample.pruned {
            row.extend([value(score), grouped(cost.nodes)]);
        }
        row
    });
    let mut text = format!("{} to depth {}\n\n{}", args.algorithm.name(), args.depth, table(&heads, rows.collect()));
    let savings = savings(&worth.sampled);
    if let (Some(median), Some(mean)) = (median(savings.clone()), geometric(&savings)) {
        text.push_str(&format!("\nmedian saving  {} times, mean {} times\n", times(median), times(mean)));
    }
    let other: Vec<&Sampled> = worth.sampled.iter().filter(|sample| sample.value != sample.advised).collect();
    for sample in other {
        text.push_str(&format!(
            "values differ  {}: {} and {}\n",
            sample.name,
            value(sample.value),
            value(sample.advised)
        ));
    }
    let rows = worth.rules.iter().map(|rule| {
        let savings = rule_savings(rule, &worth.sampled);
        let told = |saving: Option<f64>| saving.map_or("-".to_string(), times);
        vec![rule.rule.clone(), rule.line.to_string(), told(median(savings.clone())), told(geometric(&savings))]
    });
    let heads = ["without the rule", "line", "times, median", "times, mean"];
    text.push_str(&format!("\n{}", table(&heads, rows.collect())));
    for rule in &worth.rules {
        for (name, without, with) in &rule.changed {
            text.push_str(&format!("\n{} changes {name}: {} to {}", rule.rule, value(*without), value(*with)));
        }
    }
    for sample in &worth.sampled {
        if let Some((score, _)) = sample.pruned.filter(|(score, _)| *score != sample.value) {
            text.push_str(&format!("\npruning changes {}: {} to {}", sample.name, value(sample.value), value(score)));
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Names are as long as lines of play.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &name[..at]),
        None => name.to_string(),
    }
}
