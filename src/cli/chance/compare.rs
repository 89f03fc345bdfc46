//! `compare-backups`: prints the best move and its value under each backup rule.

use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::table::table;
use crate::cli::value::average;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::backups::{self, Compared};
use alphorn_protocol::protocol::host::Host;
use alphorn_text::report::grouped;

pub(in crate::cli) fn compare(request: &backups::Request, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| backups::answer(request, host, listen))?;
    out.reply(&found, || {
        table(&["backup", "best", "value", "monotone", "nodes"], found.backups.iter().map(row).collect())
    });
    if found.stopped && !out.json {
        out.tell("stopped: the values have different depths\n");
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn row(found: &Compared) -> Vec<String> {
    let value = found.value.map_or("-".to_string(), |value| average((value.0 * 1e6).round() / 1e6));
    let best = found.best.clone().unwrap_or("-".to_string());
    let monotone = if found.monotone { "yes" } else { "no" };
    vec![found.backup.clone(), best, value, monotone.to_string(), grouped(found.nodes)]
}
