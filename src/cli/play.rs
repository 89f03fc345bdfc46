//! `value`, `perft` and `moves`: what can be said of a position.

use crate::cli::args::{GameArgs, PerftArgs, PositionArgs, StartArgs, ValueArgs};
use crate::cli::output::{Out, grouped, number};
use crate::cli::progress::Progress;
use crate::cli::{Ended, INTERRUPTED, YES};
use crate::game::{Score, Side};
use crate::lang::Options;
use crate::report::Problem;
use crate::rules::Expected;
use crate::search::limits::Limits;
use crate::search::outcome::Verdict;
use crate::session::database::Database;
use crate::session::{Budgets, Failure, Session, Start, Valued};
use crate::source::{Origin, Source, Sources};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Reads a file of rules; `-` is standard input.
pub(super) fn source(path: &str) -> Result<Source, Failure> {
    let read = match path {
        "-" => Source::read_from("<stdin>", std::io::stdin().lock(), Origin::Typed),
        path => Source::read(path),
    };
    read.map_err(|message| {
        let mut problem = Problem::placeless("A0620", message);
        let stem = std::path::Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        if crate::rules::examples().iter().any(|(name, _)| *name == stem) {
            problem = problem.help(format!("{stem} comes with alphorn: alphorn example {stem} > {stem}.pl"));
        }
        Failure::Problem(Box::new(problem), Arc::new(Sources::default()))
    })
}

pub(super) fn options(game: &GameArgs) -> Options {
    Options { settings: game.params.clone() }
}

pub(super) fn budgets(game: &GameArgs) -> Budgets {
    Budgets::new(game.steps, game.memory)
}

pub(super) fn sources(paths: &[String]) -> Result<Vec<Source>, Failure> {
    paths.iter().map(|path| source(path)).collect()
}

pub(super) fn start(args: &StartArgs) -> Start {
    Start { position: args.position.clone(), at: args.at.clone(), opening: args.opening, moves: args.moves.clone() }
}

/// Loads a game; its warnings are told.
pub(super) fn open(file: &str, form: &GameArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<Session, Failure> {
    let session = Session::open(
        &[source(file)?],
        &sources(&form.overlays)?,
        &options(form),
        Expected::Game,
        budgets(form),
        stop.clone(),
    )?;
    out.report(&session.rules.report);
    Ok(session)
}

pub(super) fn value(args: &ValueArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = open(&args.at.file, &args.at.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.at.start))?;
    let progress = Progress::new();
    let hear = |nodes| progress.at(nodes);
    let limits = Limits { depth: args.depth, stop: Some(stop), progress: Some(&hear), ..Limits::default() };
    let known = match &args.table {
        Some(path) => session.looked_up(&game, &state, &Database::open(&session, path)?, &limits)?,
        None => None,
    };
    let found = match known {
        Some(known) => Ok(known),
        None => session.value(&game, &state, args.algorithm, &limits),
    };
    progress.done();
    let found = found?;
    if out.json {
        out.object(value_json(&found, progress.seconds()));
    } else {
        out.print(&value_text(&found, progress.seconds()));
    }
    Ok(if found.outcome.stopped { INTERRUPTED } else { YES })
}

/// `max`, `min` or `draw`, where that is certain.
fn outcome_name(found: &Valued) -> Option<&'static str> {
    Some(match found.outcome.verdict()? {
        Verdict::Wins(Side::Max) => "max",
        Verdict::Wins(Side::Min) => "min",
        Verdict::Draw => "draw",
    })
}

fn value_json(found: &Valued, seconds: f64) -> serde_json::Value {
    let outcome = &found.outcome;
    json!({
        "value": outcome.value.map(|value| number(value.to_number())),
        "outcome": outcome_name(found),
        "plies": outcome.plies(),
        "exact": outcome.exact,
        "best": outcome.best,
        "pv": outcome.line,
        "depth": outcome.depth.unwrap_or(outcome.reached),
        "nodes": outcome.nodes,
        "evals": outcome.evals,
        "seconds": seconds,
        "stopped": outcome.stopped,
    })
}

fn value_text(found: &Valued, seconds: f64) -> String {
    let outcome = &found.outcome;
    let Some(value) = outcome.value else {
        return format!("no value yet: stopped after {} nodes, {seconds:.2} s\n", grouped(outcome.nodes));
    };
    let who = match (outcome_name(found), value) {
        (Some("max"), _) => " (MAX wins)",
        (Some("min"), _) => " (MIN wins)",
        (Some(_), _) => " (draw)",
        (None, Score::Win { .. }) if !outcome.stopped => " (a win for MAX)",
        (None, Score::Loss { .. }) if !outcome.stopped => " (a win for MIN)",
        (None, _) => "",
    };
    let how = match (outcome.stopped, outcome.exact) {
        (true, _) => "best so far: the search was stopped",
        (false, true) => "exact",
        (false, false) => "an estimate",
    };
    let distance = outcome
        .plies()
        .map(|plies| format!(", {plies} pl{}", if plies == 1 { "y" } else { "ies" }))
        .unwrap_or_default();
    let shown = number(value.to_number());
    let mut text = format!("value  {shown}{who}, {how}{distance}\n");
    match &outcome.best {
        Some(best) => {
            text.push_str(&format!("best   {best}\n"));
            let separator = if outcome.line.iter().any(|label| label.len() > 12) { "\n       " } else { " " };
            text.push_str(&format!("line   {}\n", outcome.line.join(separator)));
        }
        None => text.push_str("best   none: the game is over, or --depth is 0\n"),
    }
    text.push_str(&format!(
        "depth  {}{}\nnodes  {}, evaluations {}, {seconds:.2} s\n",
        outcome.depth.unwrap_or(outcome.reached),
        if outcome.depth.is_none() { " (to the end of the game)" } else { "" },
        grouped(outcome.nodes),
        grouped(outcome.evals)
    ));
    text
}

pub(super) fn perft(args: &PerftArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = open(&args.at.file, &args.at.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.at.start))?;
    let found = session.perft(&game, &state, args.depth)?;
    let paths = |depth: u32| found.paths.get(depth as usize - 1).copied().unwrap_or(0);
    let last = if found.stopped { found.paths.len() as u32 } else { args.depth };
    if out.json {
        let rows: Vec<_> = (1..=last).map(|depth| json!({ "depth": depth, "paths": paths(depth) })).collect();
        out.object(json!({ "perft": rows, "stopped": found.stopped }));
    } else {
        for depth in 1..=last {
            out.line(&format!("{depth:>3}  {}", paths(depth)));
        }
        if found.stopped {
            out.tell("stopped: the counts are not complete\n");
        }
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

pub(super) fn moves(args: &PositionArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = open(&args.file, &args.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.start))?;
    let moves = session.moves(&game, &state)?;
    let picture = session.picture(&game, &state)?;
    let position = session.position_text(&game, &state)?;
    if out.json {
        let rows: Vec<_> = moves.iter().map(|mv| json!({ "label": mv.label, "next": mv.next })).collect();
        out.object(json!({ "position": position, "picture": picture, "moves": rows }));
        return Ok(YES);
    }
    let mut text = String::new();
    for line in picture.into_iter().flatten() {
        text.push_str(&format!("{line}\n"));
    }
    text.push_str(&format!("{position}\n"));
    let labelled = session.rules.contract.labelled.is_some();
    let width = moves.iter().map(|mv| mv.label.chars().count()).max().unwrap_or(0).min(24);
    for (number, mv) in moves.iter().enumerate() {
        match labelled {
            true => text.push_str(&format!("{:<width$}  {}\n", mv.label, mv.next)),
            false => text.push_str(&format!("{:>3}  {}\n", number + 1, mv.next)),
        }
    }
    if moves.is_empty() {
        text.push_str("no moves: the game is over\n");
    }
    out.print(&text);
    Ok(YES)
}
