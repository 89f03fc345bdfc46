//! `explain`: explains the value of a move, or the code of a diagnostic.

use crate::cli::output::Out;
use crate::cli::query::names_file;
use crate::cli::reason::rows;
use crate::cli::value::average;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES, status};
use alphorn_protocol::protocol::data::{Turn, Winner};
use alphorn_protocol::protocol::explain::{self, Code, Leaf, Line, Move, Reply, Request};
use alphorn_protocol::protocol::host::{Host, refusal};
use alphorn_protocol::protocol::proof::{Proof, Used};
use alphorn_protocol::protocol::value::End;
use alphorn_text::report::plural;
use clap::Args;
use std::sync::atomic::Ordering::Relaxed;

/// `alphorn explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code, such as A0201, or a file of rules and a move (default: list all codes)
    #[arg(value_name = "CODE | FILE MOVE", num_args = 0..=2)]
    pub what: Vec<String>,
    #[command(flatten)]
    /// What to explain
    pub request: explain::Request,
}

pub(super) fn explain(args: &ExplainArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let (mv, code) = match args.what.as_slice() {
        [_, mv] => (Some(mv.clone()), None),
        [text] if names_file(text) => {
            let help = format!("type alphorn explain {text} MOVE; alphorn moves {text} lists the moves");
            return Err(refusal(format!("{text} is a file, and the move is missing"), help));
        }
        codes => (None, codes.first().cloned()),
    };
    let request = Request { mv, code, ..args.request.clone() };
    let watch = EventPrinter::new(out, false);
    let found = explain::answer(&request, host, &|event| watch.print_event(event));
    drop(watch);
    let found = found?;
    let search = &request.search;
    let limited = search.depth.is_some() || search.nodes.is_some() || search.time.is_some();
    draw(&found, limited, out);
    let stopped = matches!(&found, Reply::Move(found) if found.stopped);
    Ok(if host.stop.load(Relaxed) && stopped { INTERRUPTED } else { YES })
}

/// Explains the code of a diagnostic.
pub(super) fn code(name: &str, out: &Out) -> CommandResult {
    draw(&Reply::Code(explain::code(name)?), false, out);
    Ok(YES)
}

fn draw(found: &Reply, limited: bool, out: &Out) {
    match (found, out.json) {
        (Reply::Move(found), _) => out.reply(found, || move_text(found, out.unicode, limited)),
        (found, true) => out.object(found),
        (Reply::Code(code), false) => out.print(&code_text(code)),
        (Reply::Codes(all), false) => {
            all.codes.iter().for_each(|row| out.line(&format!("{}  {}", row.code, row.title)))
        }
    }
}

fn code_text(found: &Code) -> String {
    let block = |title: &str, text: &str| match text.trim() {
        "" => String::new(),
        text => format!("\n{title}\n\n    {}\n", text.replace('\n', "\n    ")),
    };
    let (wrong, right) = (block("Wrong:", &found.wrong), block("Right:", &found.right));
    format!("{}: {}\n\n{}\n{wrong}{right}", found.code, found.title, found.text.trim())
}

fn worth(value: f64, win: (Option<Winner>, Option<u32>)) -> String {
    match win {
        (Some(Winner::Max), Some(plies)) => format!("a win for MAX in {}", plural(plies.into(), "ply", "plies")),
        (Some(Winner::Min), Some(plies)) => format!("a win for MIN in {}", plural(plies.into(), "ply", "plies")),
        _ => average(value),
    }
}

fn move_text(found: &Move, unicode: bool, limited: bool) -> String {
    let Move { best, pv, .. } = found;
    let label = found.mv.as_deref().unwrap_or_default();
    let first = best.mv.as_deref().unwrap_or_default();
    let name = if found.turn == Turn::Max { "MAX" } else { "MIN" };
    let value = worth(found.value.0, (found.outcome, found.plies));
    let sure = if found.exact { ", exact" } else { "" };
    let mut text = format!("move   {label}, by {name}\nvalue  {value}{sure}\n");
    let depth = plural(found.depth.into(), "ply", "plies");
    let moves = plural(found.moves as u64, "move", "moves");
    text.push_str(&match found.better_moves {
        0 if label == first => format!("rank   the best of {moves}, by a search of {depth}\n"),
        0 => format!("rank   as good as the best of {moves}, {first}, by a search of {depth}\n"),
        better => format!(
            "rank   {} of {moves}, by a search of {depth}; the best is {first}: {}{}\n",
            better + 1,
            worth(best.value.0, (best.outcome, best.plies)),
            lost(found, best)
        ),
    });
    if found.stopped {
        let more = if limited { "" } else { "; set another limit with --depth, --nodes or --time" };
        text.push_str(&format!("note   the search was stopped after depth {}{more}\n", found.depth));
    }
    text.push_str(&format!("line   {}\n", pv.join(" ")));
    if let (1.., Some(reply)) = (found.better_moves, &found.refutation) {
        text.push_str(&format!("reply  {reply} refutes the move\n"));
        text.push_str(&format!("better {}\n", best.pv.join(" ")));
    }
    text + &leaf_text(&found.leaf, unicode)
}

/// The loss of a move against the best move; empty if either is a win or a loss.
fn lost(found: &Move, best: &Line) -> String {
    if found.outcome.is_some() || best.outcome.is_some() {
        return String::new();
    }
    let (value, best) = (found.value.0, best.value.0);
    let than = if best > value { "more" } else { "less" };
    format!(", {} {than}", average((best - value).abs()))
}

/// Lists the clauses that an evaluation uses, and how often it uses them.
fn used_text(used: &[Used]) -> String {
    let name = |used: &Used| match used.of {
        1 => used.predicate.clone(),
        _ => format!("{}, clause {}", used.predicate, used.number),
    };
    let count = |used: &Used| plural(used.times, "time", "times");
    let width = used.iter().map(|used| count(used).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (number, used) in used.iter().enumerate() {
        let lead = if number == 0 { "by     " } else { "       " };
        text.push_str(&format!(
            "{lead}{:<width$}  {}  {}\n",
            count(used),
            name(used),
            rows::place(used.place.as_ref())
        ));
    }
    text
}

fn leaf_text(leaf: &Leaf, unicode: bool) -> String {
    let mut text = match &leaf.picture {
        Some(lines) => format!("then   {}\n", lines.join("\n       ")),
        None => format!("then   {}\n", leaf.position),
    };
    let stands = status::scored((leaf.turn, leaf.outcome, leaf.repetition), leaf.points);
    text.push_str(&match (leaf.points, leaf.turn, leaf.end) {
        (Some(_), _, _) | (_, None, _) => format!("       {stands}\n"),
        (_, _, Some(End::Chance)) => "       chance moves: the value is an average\n".to_string(),
        _ => String::new(),
    });
    if let (Some(proof), Some(used)) = (&leaf.proof, &leaf.used) {
        let number = leaf.evaluation.as_deref().unwrap_or("nothing");
        text.push_str(&format!("       static_eval/2 gives {number} in this position:\n"));
        text.push_str(&rows::drawn(&rows::proofs(proof), unicode));
        if proof.iter().any(Proof::is_folded) {
            text.push_str(&used_text(used));
        }
    }
    text
}
