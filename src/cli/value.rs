//! `value`: the best move, how good it is, and how sure that is.

use crate::cli::args::search::{SearchArgs, ValueArgs};
use crate::cli::clock::Clock;
use crate::cli::output::{Out, number};
use crate::cli::play::{begun, load};
use crate::cli::progress::Progress;
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_search::game::{Game, Score, Side};
use alphorn_search::search::chance::backup::Backup;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::outcome::{Deeper, Iteration, Line, LineEnd, Outcome, Sample, Spread, Stats, Verdict};
use alphorn_search::search::{Algorithm, Hearer};
use alphorn_session::session::database::Database;
use alphorn_session::session::{How, Valued};
use alphorn_text::report::{grouped, plural};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(super) fn value(args: &ValueArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let search = &args.search;
    let clock = Clock::new(stop, search.time);
    let session = load(&args.at.file, &args.at.game, out, clock.flag())?;
    let game = session.game()?;
    let state = session.position(&game, &begun(&session, &args.at.start, out))?;
    clock.begin();
    if !out.json && !args.json_lines {
        let idle = args.idle().into_iter().chain(session.unheeded(search.advice));
        idle.for_each(|idle| {
            out.tell(&format!(
                "note: {idle}
"
            ))
        });
        let cuts = matches!(search.algorithm, Algorithm::Expected | Algorithm::Playouts);
        if cuts && !game.acyclic() && !game.repetition_is_draw() {
            out.tell(CUTS);
        }
        search.risk.notes(game.has_chance()).iter().for_each(|note| {
            out.tell(&format!("note: {note}\n"));
        });
    }
    let backup = search.risk.backup();
    let progress = Progress::new(out);
    let depths = RefCell::new(Vec::new());
    let unsaid = RefCell::new(String::from(HEADING));
    let report = |found: &Iteration<String>| {
        let seconds = clock.seconds();
        if args.json_lines {
            out.tell(&format!("{}\n", iteration_json(found, seconds)));
        } else if !out.json {
            let mut unsaid = unsaid.borrow_mut();
            unsaid.push_str(&iteration_text(found, seconds));
            if seconds >= QUICK {
                progress.above(|| out.tell(&std::mem::take(&mut *unsaid)));
            }
        }
        depths.borrow_mut().push((found.depth, found.stats, seconds));
    };
    let hear = |nodes| progress.at(nodes);
    let limits = Limits {
        depth: search.depth,
        nodes: search.nodes,
        timed: search.time.is_some(),
        stop: Some(clock.flag()),
        progress: Some(&hear),
        ..Limits::default()
    };
    let known = match &args.table {
        Some(path) => session.looked_up(&game, &state, &Database::open(&session, path)?, &limits)?,
        None => None,
    };
    let found = match known {
        Some(known) => Ok(known),
        None => session.value(&game, &state, &how(search, args.lines, &backup, Some(&report)), &limits),
    };
    progress.done();
    let found = found?;
    let seconds = clock.seconds();
    let depths = depths.into_inner();
    // Only the engine keeps an account, and it counts one position at least.
    let stats = Some(&found.outcome.stats).filter(|stats| stats.nodes > 0);
    let mut object = value_json(&found, seconds);
    if let Some(sample) = &found.outcome.sample {
        object["sample"] = sample_json(sample, seconds);
    }
    if args.lines > 1 {
        object["lines"] = found.outcome.lines.iter().map(line_json).collect();
    }
    if args.stats {
        object["stats"] = stats.map_or(Value::Null, |stats| stats_json(stats, &depths));
    }
    out.json |= args.json_lines;
    out.answer(object, || {
        let account = || stats.map_or_else(|| NO_ACCOUNT.to_string(), |stats| stats_text(stats, &depths));
        value_text(&found, seconds) + &if args.stats { account() } else { String::new() }
    });
    Ok(if stop.load(Relaxed) && found.outcome.stopped { INTERRUPTED } else { YES })
}

/// How the arguments say to search.
pub(super) fn how<'a>(
    search: &SearchArgs,
    lines: u16,
    backup: &'a Backup,
    report: Option<Hearer<'a, String>>,
) -> How<'a> {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    How {
        algorithm: search.algorithm,
        lines: usize::from(lines),
        hash: Some(search.hash.unwrap_or(64) << 20),
        // Helpers' positions are not held against a limit, so with one nobody helps unasked.
        threads: search.threads.map_or_else(|| if search.nodes.is_some() { 1 } else { cores() }, usize::from),
        seed: search.seed,
        heuristic: search.heuristic,
        advice: search.advice,
        report,
        backup,
        games: search.games(),
        growth: search.growth(),
    }
}

/// `max`, `min` or `draw`, where that is certain.
fn outcome_name(found: &Valued) -> Option<&'static str> {
    Some(match found.outcome.verdict()? {
        Verdict::Wins(Side::Max) => "max",
        Verdict::Wins(Side::Min) => "min",
        Verdict::Draw => "draw",
    })
}

fn value_json(found: &Valued, seconds: f64) -> Value {
    let outcome = &found.outcome;
    json!({
        "value": outcome.value.map(|value| number(value.to_number())),
        "outcome": outcome_name(found),
        "plies": outcome.plies(),
        "exact": outcome.exact,
        "average": outcome.averaged,
        "best": outcome.best,
        "pv": outcome.line,
        "depth": outcome.depth.unwrap_or(outcome.reached),
        "finished": !outcome.partial,
        "deeper": outcome.deeper.as_ref().map(deeper_json),
        "nodes": outcome.nodes,
        "evals": outcome.evals,
        "seconds": seconds,
        "nodes_per_second": rate(outcome.nodes, seconds),
        "stopped": outcome.stopped,
    })
}

/// Positions a second; `None` where no time has passed.
fn rate(nodes: u64, seconds: f64) -> Option<u64> {
    (seconds > 0.0).then(|| (nodes as f64 / seconds) as u64)
}

/// The best move of a depth that was not finished.
fn deeper_json(deeper: &Deeper<String>) -> Value {
    json!({
        "depth": deeper.depth,
        "value": number(deeper.line.value.to_number()),
        "best": deeper.line.moves.first(),
        "pv": deeper.line.moves,
    })
}

fn line_json(line: &Line<String>) -> Value {
    json!({
        "value": number(line.value.to_number()),
        "exact": line.exact,
        "best": line.moves.first(),
        "pv": line.moves,
    })
}

fn iteration_json(found: &Iteration<String>, seconds: f64) -> Value {
    let mut object = json!({
        "schema": super::output::SCHEMA,
        "depth": found.depth,
        "reached": found.reached,
        "exact": found.exact,
        "nodes": found.stats.nodes,
        "evals": found.stats.evals,
        "seconds": seconds,
        "lines": found.lines.iter().map(line_json).collect::<Vec<_>>(),
    });
    if let Some(best) = found.lines.first() {
        object["value"] = number(best.value.to_number());
        object["best"] = best.moves.first().cloned().into();
    }
    object
}

/// What is said of random play where play may come back to a position.
const CUTS: &str =
    "note: lines that come back to a position are left out, of moves and of throws, unless the game is acyclic\n";

/// Seconds until a search tells how far it is: nobody has to be told of what is over at once.
const QUICK: f64 = 0.3;

/// A search that took less time tells nothing of its speed.
const MEASURABLE: f64 = 0.1;

const HEADING: &str = "depth         value        nodes   seconds  line\n";

/// A row of the table that grows while a search goes on.
fn iteration_text(found: &Iteration<String>, seconds: f64) -> String {
    let mut text = String::new();
    for (number, line) in found.lines.iter().enumerate() {
        let value = average((line.value.to_number() * 1e6).round() / 1e6);
        let value = format!("{}{}", value, if line.exact { "!" } else { "" });
        let mut moves = line.moves.join(" ");
        if let Some((at, _)) = moves.char_indices().nth(60) {
            moves.truncate(at);
            moves.push_str("...");
        }
        text.push_str(&match number {
            0 => {
                let nodes = grouped(found.stats.nodes);
                format!("{:>5}  {value:>12} {nodes:>12} {seconds:>9.2}  {moves}\n", found.depth)
            }
            _ => format!("{:>5}  {value:>12} {:>12} {:>9}  {moves}\n", "", "", ""),
        });
    }
    text
}

/// How sure a value is.
fn sureness(outcome: &Outcome<String>) -> &'static str {
    match (outcome.stopped, outcome.exact) {
        (_, false) if outcome.sample.is_some() => "a mean of random games",
        (true, _) => "best so far: the search was stopped",
        (false, true) if outcome.averaged => "an exact average",
        (false, true) => "exact",
        (false, false) if outcome.averaged => "an estimate of an average",
        (false, false) => "an estimate",
    }
}

/// A value with as many digits as it deserves.
fn shown(outcome: &Outcome<String>, value: Score, exact: bool) -> String {
    match (&outcome.sample, outcome.averaged) {
        (Some(_), true) if !exact => average((value.to_number() * 1e4).round() / 1e4),
        (_, true) => average(value.to_number()),
        (_, false) => number(value.to_number()).to_string(),
    }
}

fn value_text(found: &Valued, seconds: f64) -> String {
    let outcome = &found.outcome;
    let Some(value) = outcome.value else {
        return format!("no value yet: stopped after {}, {seconds:.2} s\n", plural(outcome.nodes, "node", "nodes"));
    };
    let who = match (outcome_name(found), value) {
        (Some("max"), _) => " (MAX wins)",
        (Some("min"), _) => " (MIN wins)",
        (Some(_), _) => " (draw)",
        (None, Score::Win { .. }) if !outcome.stopped => " (a win for MAX)",
        (None, Score::Loss { .. }) if !outcome.stopped => " (a win for MIN)",
        (None, _) => "",
    };
    let distance =
        outcome.plies().map(|plies| format!(", {}", plural(plies.into(), "ply", "plies"))).unwrap_or_default();
    let mut text = format!("value  {}{who}, {}{distance}\n", shown(outcome, value, outcome.exact), sureness(outcome));
    match &outcome.best {
        Some(best) => {
            text.push_str(&format!("best   {best}\n"));
            let separator = if outcome.line.iter().any(|label| label.len() > 12) { "\n       " } else { " " };
            text.push_str(&format!("line   {}\n", outcome.line.join(separator)));
        }
        None if outcome.end == Some(LineEnd::Chance) => text.push_str("best   none: chance moves\n"),
        None if outcome.exact => text.push_str("best   none: the game is over\n"),
        None => text.push_str("best   none: to depth 0 no move is looked at\n"),
    }
    for line in outcome.lines.iter().skip(1) {
        let value = shown(outcome, line.value, line.exact);
        text.push_str(&format!("also   {}  {value}\n", line.moves.join(" ")));
    }
    if let Some(sample) = &outcome.sample {
        text.push_str(&sample_text(sample, seconds));
        return text + &nodes_text(outcome, seconds);
    }
    text + &depth_text(outcome) + &nodes_text(outcome, seconds)
}

/// To which depth the value belongs, and what is known of the next one.
pub(in crate::cli) fn depth_text(outcome: &Outcome<String>) -> String {
    let tail = match (outcome.partial, outcome.depth) {
        (true, _) => ", not finished: the best of the moves looked at so far",
        (false, None) => " (to the end of the game)",
        (false, Some(_)) => "",
    };
    let mut text = format!("depth  {}{tail}\n", outcome.depth.unwrap_or(outcome.reached));
    if let Some(Deeper { depth, line }) = &outcome.deeper {
        let best = line.moves.first().map_or("-", String::as_str);
        let value = shown(outcome, line.value, false);
        text.push_str(&format!("deeper {best}, value {value}: the best so far at depth {depth}, not finished\n"));
    }
    text
}

/// What a search took, and how fast it was, where that can be told.
fn nodes_text(outcome: &Outcome<String>, seconds: f64) -> String {
    let speed = rate(outcome.nodes, seconds).filter(|_| seconds >= MEASURABLE);
    let speed = speed.map(|rate| format!(" ({} a second)", grouped(rate))).unwrap_or_default();
    let (nodes, evals) = (grouped(outcome.nodes), grouped(outcome.evals));
    format!("nodes  {nodes}{speed}, evaluations {evals}, {seconds:.2} s\n")
}

/// An average to twelve digits after the point, without zeros at its end.
pub(in crate::cli) fn average(value: f64) -> String {
    let digits = format!("{value:.12}");
    let short = digits.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

fn sample_text(sample: &Sample, seconds: f64) -> String {
    let games = sample.games as f64;
    let (rate, each) = (grouped((games / seconds) as u64), 1e3 * seconds / games.max(1.0));
    let speed = format!("\n       {rate} a second, {each:.3} ms each\n");
    let Some(spread) = &sample.spread else { return format!("games  {}{speed}", grouped(sample.games)) };
    let Spread { standard_error: error, low, high, mean_plies, .. } = spread;
    let share = |count: u64| 100.0 * count as f64 / games;
    let draws = sample.games - spread.wins - spread.losses - spread.unfinished;
    let (wins, losses, draws) = (share(spread.wins), share(spread.losses), share(draws));
    let mut text = format!("error  {error:.4}, 95 % interval {low:.4} to {high:.4}\ngames  {}", grouped(sample.games));
    text.push_str(&format!(
        ": MAX wins {wins:.1} %, MIN {losses:.1} %, drawn {draws:.1} %; {mean_plies:.1} plies on average{speed}"
    ));
    if spread.unfinished > 0 {
        let many = plural(spread.unfinished, "game was", "games were");
        text.push_str(&format!("       {many} given up for their length, and judged where they stood\n"));
    }
    text
}

fn sample_json(sample: &Sample, seconds: f64) -> Value {
    let spread = sample.spread.as_ref();
    json!({
        "games": sample.games,
        "standard_error": spread.map(|spread| number(spread.standard_error)),
        "low": spread.map(|spread| number(spread.low)),
        "high": spread.map(|spread| number(spread.high)),
        "wins": spread.map(|spread| spread.wins),
        "losses": spread.map(|spread| spread.losses),
        "unfinished": spread.map(|spread| spread.unfinished),
        "mean_plies": spread.map(|spread| number(spread.mean_plies)),
        "games_per_second": number(sample.games as f64 / seconds),
    })
}

/// How many times more positions each depth takes than the one before, where it is known.
fn branching(depths: &[(u32, Stats, f64)], at: usize) -> Option<f64> {
    let nodes = |at: usize| {
        let before = at.checked_sub(1).map_or(0, |before| depths[before].1.nodes);
        depths[at].1.nodes.saturating_sub(before) as f64
    };
    let before = nodes(at.checked_sub(1)?);
    let plies = depths[at].0 - depths[at - 1].0;
    (before > 0.0 && plies > 0).then(|| (nodes(at) / before).powf(1.0 / f64::from(plies)))
}

fn stats_json(stats: &Stats, depths: &[(u32, Stats, f64)]) -> Value {
    let counts = |stats: &Stats| {
        json!({
            "nodes": stats.nodes,
            "evals": stats.evals,
            "quiet_nodes": stats.quiet_nodes,
            "cuts": stats.cuts,
            "first_cuts": stats.first_cuts,
            "table_probes": stats.probes,
            "table_hits": stats.hits,
            "table_cuts": stats.table_cuts,
            "searched_again": stats.again,
        })
    };
    let rows = depths.iter().enumerate().map(|(at, (depth, stats, seconds))| {
        let mut row = counts(stats);
        row["depth"] = (*depth).into();
        row["seconds"] = (*seconds).into();
        row["branching"] = branching(depths, at).into();
        row
    });
    let mut object = counts(stats);
    object["depths"] = rows.collect();
    object
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_string() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

const NO_ACCOUNT: &str = "stats  none: only pvs, mtdf and auto keep an account of a search\n";

fn stats_text(stats: &Stats, depths: &[(u32, Stats, f64)]) -> String {
    let mut text = String::from("\ndepth        nodes  branching     cuts  by first    table  seconds\n");
    for (at, (depth, stats, seconds)) in depths.iter().enumerate() {
        let branching = branching(depths, at).map_or("-".to_string(), |factor| format!("{factor:.2}"));
        text.push_str(&format!(
            "{depth:>5} {:>12} {branching:>10} {:>8} {:>9} {:>8} {seconds:>8.2}\n",
            grouped(stats.nodes),
            grouped(stats.cuts),
            share(stats.first_cuts, stats.cuts),
            share(stats.hits, stats.probes),
        ));
    }
    text.push_str(&format!(
        "all: {} ({} behind the horizon), {}, {}, {} of them by the first move;\n\
         {} looked up, {} found, {} cut off by the table; {} searched again\n",
        plural(stats.nodes, "node", "nodes"),
        grouped(stats.quiet_nodes),
        plural(stats.evals, "evaluation", "evaluations"),
        plural(stats.cuts, "cut-off", "cut-offs"),
        share(stats.first_cuts, stats.cuts),
        plural(stats.probes, "position", "positions"),
        share(stats.hits, stats.probes),
        grouped(stats.table_cuts),
        plural(stats.again, "move", "moves"),
    ));
    text
}
