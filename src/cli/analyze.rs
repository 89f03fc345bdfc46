//! `analyze`: compares the cost of searches with the smallest possible cost.

use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::table::{percent, table};
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::analysis::{self, Reply, Searched};
use alphorn_protocol::protocol::data::Number;
use alphorn_protocol::protocol::host::Host;
use alphorn_text::report::{grouped, plural};

pub(super) fn analyze(request: &analysis::Request, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| analysis::answer(request, host, listen))?;
    out.reply(&found, || analysis_text(&found));
    if found.stopped && !out.json {
        out.tell("stopped: unfinished positions are not counted\n");
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn analysis_text(found: &Reply) -> String {
    let factor = |factor: Option<Number>| factor.map_or("-".to_string(), |factor| format!("{:.2}", factor.0));
    let plies = found.plies.iter().map(|here| {
        let share = here.over as f64 / here.positions.max(1) as f64;
        vec![here.ply.to_string(), grouped(here.positions), percent(Some(share)), factor(here.branching)]
    });
    let search = |counts: &Searched| {
        vec![
            counts.name.clone(),
            grouped(counts.nodes),
            grouped(counts.leaves),
            factor(counts.overhead),
            grouped(counts.cutoffs),
            percent(counts.first_share.map(|share| share.0)),
        ]
    };
    let minimal = vec![
        "minimal tree".to_string(),
        grouped(found.minimal.nodes),
        grouped(found.minimal.leaves),
        "1.00".to_string(),
        "-".to_string(),
        "-".to_string(),
    ];
    let rows = found.searches.iter().map(search).chain([minimal]).collect();
    format!(
        "{}, depth {}\n\n{}\n{}",
        plural(found.positions as u64, "position", "positions"),
        found.depth,
        table(&["ply", "positions", "over", "branching"], plies.collect()),
        table(&["search", "nodes", "leaves", "overhead", "cut-offs", "by first move"], rows)
    )
}
