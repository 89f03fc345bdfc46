//! `analyze`: what searching a game costs, and what it would cost at best.

use crate::cli::args::AnalyzeArgs;
use crate::cli::output::Out;
use crate::cli::play;
use crate::cli::table::{percent, rounded, table};
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_lab::lab::analysis::{Analysis, Cost};
use alphorn_text::report::{grouped, plural};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) fn analyze(args: &AnalyzeArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = play::load(&args.file, &args.game, out, stop)?;
    let game = session.game()?;
    let start = |position| play::start_at(position, &args.place);
    let starts = match args.position.is_empty() {
        true => vec![start(None)],
        false => args.position.iter().map(|position| start(Some(position))).collect(),
    };
    let states: Vec<_> = starts.iter().map(|start| session.position(&game, start)).collect::<Result<_, _>>()?;
    let analysis = session.analyse(&game, &states, args.depth)?;
    out.answer(analysis_json(&analysis), || analysis_text(&analysis));
    if analysis.stopped && !out.json {
        out.tell("stopped: positions that were not done are not counted\n");
    }
    Ok(if analysis.stopped { INTERRUPTED } else { YES })
}

/// Moves for each position that goes on, by ply; none at the horizon, where none were asked for.
fn branching(analysis: &Analysis, ply: usize) -> Option<f64> {
    analysis.plies[ply].branching(ply < analysis.depth as usize)
}

fn analysis_json(analysis: &Analysis) -> Value {
    let plies = analysis.plies.iter().enumerate().map(|(ply, here)| {
        json!({
            "ply": ply,
            "positions": here.positions,
            "over": here.over,
            "moves": here.moves,
            "branching": branching(analysis, ply).map(rounded),
        })
    });
    let search = |Cost { procedure, counts }: &Cost| {
        json!({
            "name": procedure.name(),
            "nodes": counts.nodes,
            "leaves": counts.leaves,
            "hits": counts.hits,
            "overhead": analysis.overhead(counts).map(rounded),
            "cutoffs": counts.cutoffs,
            "first_share": counts.first_share().map(rounded),
        })
    };
    json!({
        "depth": analysis.depth,
        "positions": analysis.positions,
        "plies": plies.collect::<Vec<_>>(),
        "searches": analysis.costs.iter().map(search).collect::<Vec<_>>(),
        "minimal": { "nodes": analysis.minimal.nodes, "leaves": analysis.minimal.leaves },
        "stopped": analysis.stopped,
    })
}

fn analysis_text(analysis: &Analysis) -> String {
    let plies = analysis.plies.iter().enumerate().map(|(ply, here)| {
        let share = here.over as f64 / here.positions.max(1) as f64;
        vec![
            ply.to_string(),
            grouped(here.positions),
            percent(Some(share)),
            branching(analysis, ply).map_or("-".to_string(), |mean| format!("{mean:.2}")),
        ]
    });
    let search = |Cost { procedure, counts }: &Cost| {
        vec![
            procedure.name().to_string(),
            grouped(counts.nodes),
            grouped(counts.leaves),
            analysis.overhead(counts).map_or("-".to_string(), |overhead| format!("{overhead:.2}")),
            grouped(counts.cutoffs),
            percent(counts.first_share()),
        ]
    };
    let minimal = vec![
        "minimal tree".to_string(),
        grouped(analysis.minimal.nodes),
        grouped(analysis.minimal.leaves),
        "1.00".to_string(),
        "-".to_string(),
        "-".to_string(),
    ];
    let rows = analysis.costs.iter().map(search).chain([minimal]).collect();
    format!(
        "{}, depth {}\n\n{}\n{}",
        plural(analysis.positions as u64, "position", "positions"),
        analysis.depth,
        table(&["ply", "positions", "over", "branching"], plies.collect()),
        table(&["search", "nodes", "leaves", "overhead", "cut-offs", "by first move"], rows)
    )
}
