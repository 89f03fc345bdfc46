//! `advice-worth`: measures the nodes that advice saves, as a whole and rule by rule.

use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::table::table;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::data::Number;
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::worth::{self, Changed, Reply};
use alphorn_text::report::{grouped, plural};

pub(in crate::cli) fn worth(request: &worth::Request, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| worth::answer(request, host, listen))?;
    out.reply(&found, || worth_text(&found));
    if found.stopped && !out.json {
        let (done, wanted) = (found.positions.len(), plural(found.wanted as u64, "position", "positions"));
        out.tell(&format!("stopped: {done} of {wanted} were searched\n"));
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn worth_text(found: &Reply) -> String {
    if found.positions.is_empty() {
        return "no search was finished\n".to_string();
    }
    let times = |saving: Number| format!("{:.2}", saving.0);
    let prunes = found.positions.iter().any(|sample| sample.pruned.is_some());
    let mut heads = vec!["position", "value", "nodes without", "nodes with", "times", "s without", "s with"];
    if prunes {
        heads.extend(["pruned", "nodes pruned"]);
    }
    let rows = found.positions.iter().map(|sample| {
        let mut row = vec![
            shortened(&sample.name),
            sample.value.to_string(),
            grouped(sample.without.nodes),
            grouped(sample.with.nodes),
            times(sample.saving),
            format!("{:.3}", sample.without.seconds),
            format!("{:.3}", sample.with.seconds),
        ];
        if let Some(pruned) = &sample.pruned {
            row.extend([pruned.value.to_string(), grouped(pruned.cost.nodes)]);
        }
        row
    });
    let mut text = format!("{} to depth {}\n\n{}", found.algorithm, found.depth, table(&heads, rows.collect()));
    if let (Some(median), Some(mean)) = (found.median_saving, found.mean_saving) {
        text.push_str(&format!("\nmedian saving  {} times, mean {} times\n", times(median), times(mean)));
    }
    for sample in found.positions.iter().filter(|sample| !sample.same) {
        text.push_str(&format!("values differ  {}: {} and {}\n", sample.name, sample.value, sample.advised));
    }
    let rows = found.rules.iter().map(|rule| {
        let saving = |saving: Option<Number>| saving.map_or("-".to_string(), times);
        vec![rule.rule.clone(), rule.line.to_string(), saving(rule.median), saving(rule.saving)]
    });
    let heads = ["without the rule", "line", "times, median", "times, mean"];
    text.push_str(&format!("\n{}", table(&heads, rows.collect())));
    for rule in &found.rules {
        for Changed { name, without, with } in &rule.changed {
            text.push_str(&format!("\n{} changes {name}: {without} to {with}", rule.rule));
        }
    }
    for sample in &found.positions {
        if let Some(pruned) = sample.pruned.as_ref().filter(|pruned| pruned.value != sample.value) {
            text.push_str(&format!("\npruning changes {}: {} to {}", sample.name, sample.value, pruned.value));
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Cuts a name, because names are as long as lines of play.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &name[..at]),
        None => name.to_string(),
    }
}
