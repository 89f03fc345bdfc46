//! `value`: prints the best move, its value, and how certain that value is.

use crate::cli::output::{Out, line_of};
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::data::{Number, Winner};
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::partial::Iteration;
use alphorn_protocol::protocol::search::Leaf;
use alphorn_protocol::protocol::value::{self, Account, Deeper, End, Reply, Sample};
use alphorn_text::report::{grouped, plural};
use clap::Args;
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering::Relaxed;

/// `alphorn value`
#[derive(Args, Debug)]
pub struct ValueArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to find out
    pub request: value::Request,
    /// Print one JSON object on a line of stderr for every depth, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

pub(super) fn value(args: &ValueArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let watch = EventPrinter::new(out, args.json_lines);
    let unsaid = RefCell::new(String::from(HEADING));
    let last = Cell::new(0.0);
    let found = value::answer(&args.request, host, &|event| match event {
        Event::Iteration(found) if args.json_lines => out.tell(&line_of(&found)),
        Event::Iteration(_) if out.json => {}
        // A game that repeats positions is searched to hundreds of depths in a second.
        Event::Iteration(found) if found.depth > ALL_ROWS && found.seconds < last.get() + QUICK => {}
        Event::Iteration(found) => {
            last.set(found.seconds);
            let mut unsaid = unsaid.borrow_mut();
            unsaid.push_str(&iteration_text(&found));
            if found.seconds >= QUICK {
                watch.progress.above(|| out.tell(&std::mem::take(&mut *unsaid)));
            }
        }
        event => watch.print_event(event),
    });
    drop(watch);
    let found = found?;
    match args.json_lines {
        true => out.object(&found),
        false => out.reply(&found, || value_text(&found)),
    }
    Ok(if host.stop.load(Relaxed) && found.stopped { INTERRUPTED } else { YES })
}

/// Seconds before a search prints its progress; quicker searches print only the result.
const QUICK: f64 = 0.3;

/// Depth up to which every iteration is printed; deeper ones only if they take [`QUICK`] seconds.
const ALL_ROWS: u32 = 30;

/// Seconds below which the speed of a search is not printed.
const MEASURABLE: f64 = 0.1;

const HEADING: &str = "depth         value        nodes   seconds  line\n";

/// A row of the table of iterations.
fn iteration_text(found: &Iteration) -> String {
    let mut text = String::new();
    for (number, line) in found.lines.iter().enumerate() {
        let value = average((line.value.0 * 1e6).round() / 1e6);
        let value = format!("{}{}", value, if line.exact { "!" } else { "" });
        let mut moves = line.pv.join(" ");
        if let Some((at, _)) = moves.char_indices().nth(60) {
            moves.truncate(at);
            moves.push_str("...");
        }
        text.push_str(&match number {
            0 => {
                let (nodes, seconds) = (grouped(found.nodes), found.seconds);
                format!("{:>5}  {value:>12} {nodes:>12} {seconds:>9.2}  {moves}\n", found.depth)
            }
            _ => format!("{:>5}  {value:>12} {:>12} {:>9}  {moves}\n", "", "", ""),
        });
    }
    text
}

/// Says how certain a value is.
fn sureness(found: &Reply) -> &'static str {
    match (found.stopped, found.exact) {
        (_, false) if evaluates(found) => "the mean of evaluations",
        (_, false) if found.sample.is_some() => "the mean of random games",
        (true, _) => "the best so far: the search was stopped",
        (false, true) if found.average => "an exact average",
        (false, true) => "exact",
        (false, false) if found.average => "an estimate of an average",
        (false, false) => "an estimate",
    }
}

/// Whether evaluations judged the leaves of a tree.
fn evaluates(found: &Reply) -> bool {
    found.sample.as_ref().is_some_and(|sample| sample.leaf == Some(Leaf::Eval))
}

/// Formats a value with as many digits as are significant.
fn shown(found: &Reply, value: Number, exact: bool) -> String {
    match (&found.sample, found.average) {
        (Some(_), true) if !exact => average((value.0 * 1e4).round() / 1e4),
        (_, true) => average(value.0),
        (_, false) => value.to_string(),
    }
}

fn value_text(found: &Reply) -> String {
    let Some(value) = found.value else {
        let (nodes, seconds) = (plural(found.nodes, "node", "nodes"), found.seconds);
        let first = found.best.as_ref().map(|best| format!("best   {best}: the first legal move, not searched\n"));
        return format!("no value yet: stopped after {nodes}, {seconds:.2} s\n{}", first.unwrap_or_default());
    };
    let who = match (found.outcome, found.wins) {
        (Some(Winner::Max), _) => " (MAX wins)",
        (Some(Winner::Min), _) => " (MIN wins)",
        (Some(Winner::Draw), _) => " (draw)",
        (None, Some(Winner::Max)) if !found.stopped => " (a win for MAX)",
        (None, Some(Winner::Min)) if !found.stopped => " (a win for MIN)",
        (None, _) => "",
    };
    let distance = distance(found);
    let mut text = format!("value  {}{who}, {}{distance}\n", shown(found, value, found.exact), sureness(found));
    match &found.best {
        Some(best) => {
            text.push_str(&format!("best   {best}\n"));
            let separator = if found.pv.iter().any(|label| label.len() > 12) { "\n       " } else { " " };
            text.push_str(&format!("line   {}\n", found.pv.join(separator)));
        }
        None if found.end == Some(End::Chance) => text.push_str("best   none: chance moves\n"),
        None if found.exact => text.push_str("best   none: the game is over\n"),
        None => text.push_str("best   none: to depth 0 no move is tried\n"),
    }
    for line in found.lines.iter().flatten().skip(1) {
        let value = shown(found, line.value, line.exact);
        text.push_str(&format!("also   {}  {value}\n", line.pv.join(" ")));
    }
    match &found.sample {
        Some(sample) => text.push_str(&sample_text(sample, found.seconds)),
        None => text.push_str(&depth_text(found)),
    }
    text.push_str(&nodes_text(found));
    match &found.stats {
        Some(Some(account)) => text + &stats_text(account),
        Some(None) => text + NO_ACCOUNT,
        None => text,
    }
}

/// The number of plies to the end of the game. The line of random games is proved, but no search looked for the
/// shortest win.
fn distance(found: &Reply) -> String {
    let Some(plies) = found.plies.map(|plies| plural(plies.into(), "ply", "plies")) else { return String::new() };
    match (&found.sample, found.outcome) {
        (Some(_), Some(Winner::Max | Winner::Min)) => format!("; the line has {plies}, and need not be the shortest"),
        _ => format!(", {plies}"),
    }
}

/// The depth of the value, and the best move of the unfinished next depth.
fn depth_text(found: &Reply) -> String {
    let tail = match (found.finished, found.to_end) {
        (false, _) => ", not finished: the best of the moves searched so far",
        (true, true) => " (to the end of the game)",
        (true, false) => "",
    };
    let mut text = format!("depth  {}{tail}\n", found.depth);
    if let Some(Deeper { depth, value, best, .. }) = &found.deeper {
        let (best, value) = (best.as_deref().unwrap_or("-"), shown(found, *value, false));
        text.push_str(&format!("deeper {best}, value {value}: the best so far at depth {depth}, not finished\n"));
    }
    text
}

/// The nodes, speed, evaluations and time of a search.
fn nodes_text(found: &Reply) -> String {
    let speed = found.nodes_per_second.filter(|_| found.seconds >= MEASURABLE);
    let speed = speed.map(|rate| format!(" ({} a second)", grouped(rate))).unwrap_or_default();
    let (nodes, evals) = (grouped(found.nodes), grouped(found.evals));
    format!("nodes  {nodes}{speed}, evaluations {evals}, {:.2} s\n", found.seconds)
}

/// Formats an average with up to twelve decimals, without trailing zeros.
pub(in crate::cli) fn average(value: f64) -> String {
    let digits = format!("{value:.12}");
    let short = digits.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

/// The line for a tree that had no more memory.
const FULL: &str = "tree   full: it did not grow any more; allow more with --memory BYTES, such as --memory 4G\n";

fn sample_text(sample: &Sample, seconds: f64) -> String {
    let games = sample.games as f64;
    let (rate, each) = (grouped((games / seconds) as u64), 1e3 * seconds / games.max(1.0));
    let speed = format!("\n       {rate} a second, {each:.3} ms each\n");
    let (Some(error), Some(low), Some(high), Some(plies)) =
        (sample.standard_error, sample.low, sample.high, sample.mean_plies)
    else {
        let what = if sample.leaf == Some(Leaf::Eval) { "leaves" } else { "games " };
        let full = if sample.full { FULL } else { "" };
        return format!("{what} {}{speed}{full}", grouped(sample.games));
    };
    let [wins, losses, unfinished] = [sample.wins, sample.losses, sample.unfinished].map(Option::unwrap_or_default);
    let share = |count: u64| 100.0 * count as f64 / games;
    let draws = sample.games - wins - losses - unfinished;
    let (wins, losses, draws) = (share(wins), share(losses), share(draws));
    let games = grouped(sample.games);
    let mut text = format!("error  {:.4}, 95 % interval {:.4} to {:.4}\ngames  {games}", error.0, low.0, high.0);
    text.push_str(&format!(
        ": MAX wins {wins:.1} %, MIN {losses:.1} %, drawn {draws:.1} %; {:.1} plies on average{speed}",
        plies.0
    ));
    if unfinished > 0 {
        let many = plural(unfinished, "game was", "games were");
        text.push_str(&format!("       {many} stopped because of their length, and evaluated\n"));
    }
    text
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_string() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

const NO_ACCOUNT: &str = "stats  none: only pvs, mtdf and auto keep statistics\n";

fn stats_text(all: &Account) -> String {
    let mut text = String::from("\ndepth        nodes  branching     cuts  by first    table  seconds\n");
    for row in &all.depths {
        let branching = row.branching.map_or("-".to_string(), |factor| format!("{factor:.2}"));
        text.push_str(&format!(
            "{:>5} {:>12} {branching:>10} {:>8} {:>9} {:>8} {:>8.2}\n",
            row.depth,
            grouped(row.counts.nodes),
            grouped(row.counts.cuts),
            share(row.counts.first_cuts, row.counts.cuts),
            share(row.counts.table_hits, row.counts.table_probes),
            row.seconds,
        ));
    }
    let all = &all.counts;
    text.push_str(&format!(
        "all: {} ({} beyond the horizon), {}, {}, {} of them by the first move;\n\
         {} looked up, {} found, {} cut off by the table; {} searched again\n",
        plural(all.nodes, "node", "nodes"),
        grouped(all.quiet_nodes),
        plural(all.evals, "evaluation", "evaluations"),
        plural(all.cuts, "cutoff", "cutoffs"),
        share(all.first_cuts, all.cuts),
        plural(all.table_probes, "position", "positions"),
        share(all.table_hits, all.table_probes),
        grouped(all.table_cuts),
        plural(all.searched_again, "move", "moves"),
    ));
    text
}
