//! `compare-backups`: the best move and its value under each way to average.

use super::args::CompareArgs;
use crate::cli::output::{Out, number};
use crate::cli::play::{load, start};
use crate::cli::table::table;
use crate::cli::value::average;
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::backup::{Backup, Risk, Rule};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::outcome::Outcome;
use alphorn_session::session::How;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is compared if nothing is said: the mean, careful, daring, and careful only when ahead.
fn usual() -> Vec<Rule> {
    let risks = [Risk::Linear(1.0 / 3.0), Risk::Exp(0.5), Risk::Exp(2.0), Risk::Exp(-2.0), Risk::Dynamic(0.0, 2.0)];
    let entropic = [2.0, -2.0].map(Rule::Entropic);
    [Rule::Expect].into_iter().chain(risks.map(Rule::Risk)).chain(entropic).collect()
}

pub(in crate::cli) fn compare(args: &CompareArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.at.start))?;
    let rules =
        if args.backup.is_empty() { usual() } else { args.backup.iter().map(|backup| backup.rule.clone()).collect() };
    let backups: Vec<Backup> = rules.into_iter().map(|rule| Backup { rule, view: args.risk_view.0 }).collect();
    let limits = Limits { stop: Some(stop), ..Limits::to_depth(args.depth) };
    let how = How { hash: Some(64 << 20), ..Algorithm::Auto.into() };
    let found = session.compared(&game, &state, (&how, &limits), &backups)?;
    let stopped = found.iter().any(|found| found.stopped);
    let rows: Vec<Value> = backups.iter().zip(&found).map(|(backup, found)| row_json(backup, found)).collect();
    let object =
        json!({ "depth": args.depth, "view": args.risk_view.to_string(), "backups": rows, "stopped": stopped });
    out.answer(object, || {
        let rows = backups.iter().zip(&found).map(|(backup, found)| row(backup, found)).collect();
        table(&["backup", "best", "value", "monotone", "nodes"], rows)
    });
    if stopped && !out.json {
        out.tell("stopped: the values are of different depths\n");
    }
    Ok(if stopped { INTERRUPTED } else { YES })
}

/// A rule in few words.
fn shown(backup: &Backup) -> String {
    match &backup.rule {
        Rule::Risk(Risk::Linear(c)) => format!("risk=linear:{}", average((*c * 1e4).round() / 1e4)),
        rule => rule.to_string(),
    }
}

fn row(backup: &Backup, found: &Outcome<String>) -> Vec<String> {
    let value = found.value.map_or("-".to_string(), |value| average((value.to_number() * 1e6).round() / 1e6));
    let best = found.best.clone().unwrap_or("-".to_string());
    let monotone = if backup.is_monotone() { "yes" } else { "no" };
    vec![shown(backup), best, value, monotone.to_string(), alphorn_text::report::grouped(found.nodes)]
}

fn row_json(backup: &Backup, found: &Outcome<String>) -> Value {
    json!({
        "backup": shown(backup),
        "best": found.best,
        "value": found.value.map(|value| number(value.to_number())),
        "exact": found.exact,
        "depth": found.depth,
        "finished": !found.partial,
        "stopped": found.stopped,
        "monotone": backup.is_monotone(),
        "nodes": found.nodes,
    })
}
