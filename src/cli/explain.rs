//! `explain`: what is to be said of a move.
//!
//! In: a game, a position, a move. Out: its value beside the best, its line, and what makes the
//! number at the end of that. Codes are explained elsewhere.

use crate::cli::args::ExplainArgs;
use crate::cli::output::{Out, number};
use crate::cli::play::{load, start};
use crate::cli::progress::Progress;
use crate::cli::reason::{data, rows};
use crate::cli::value::average;
use crate::cli::{Ended, INTERRUPTED, YES, standing};
use alphorn_prolog::reason::proof::{Proof, Used};
use alphorn_protocol::protocol::clock::Clock;
use alphorn_search::game::{Ending, Score};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::outcome::{Line, LineEnd};
use alphorn_session::session::explain::{Explained, Leaf};
use alphorn_text::report::plural;
use alphorn_text::source::Sources;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Seconds that a search takes which has no limit: all moves to the end of the game may take for ever.
const UNASKED: f64 = 10.0;

pub(super) fn explain(args: &ExplainArgs, file: &str, mv: &str, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let search = &args.search;
    let limited = search.depth.is_some() || search.nodes.is_some() || search.time.is_some();
    let time = search.time.map(|time| time.0).or((!limited).then_some(UNASKED));
    let clock = Clock::new(stop, time);
    let session = load(file, &args.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.start))?;
    clock.begin();
    let backup = search.risk.backup();
    let progress = Progress::new(out);
    let hear = |nodes| progress.at(nodes);
    let limits = Limits {
        depth: search.depth,
        nodes: search.nodes,
        timed: time.is_some(),
        stop: Some(clock.flag()),
        progress: Some(&hear),
        ..Limits::default()
    };
    let found = session.explained(&game, &state, mv, &search.how(1, &backup, None), (&limits, clock.flag()));
    progress.done();
    let found = found?;
    let seconds = clock.seconds();
    let unicode = out.unicode;
    out.answer(explained_json(&found, seconds), || explained_text(&found, unicode, limited));
    Ok(if stop.load(Relaxed) && found.stopped { INTERRUPTED } else { YES })
}

fn line_json(line: &Line<String>) -> Value {
    json!({
        "move": line.moves.first(),
        "value": number(line.value.to_number()),
        "exact": line.exact,
        "pv": line.moves,
    })
}

fn explained_json(found: &Explained, seconds: f64) -> Value {
    let mut object = line_json(&found.line);
    let leaf = &found.leaf;
    let why = leaf.why.as_ref();
    let texts = why.map(|why| &why.warnings.sources);
    let proof = why
        .zip(texts)
        .map(|(why, texts)| why.proof.iter().flatten().map(|proof| data::proof(proof, texts)).collect::<Vec<_>>());
    object["turn"] = json!(found.side.key());
    object["better_moves"] = json!(found.better);
    object["moves"] = json!(found.moves);
    object["best"] = line_json(&found.best);
    object["refutation"] = json!(found.line.moves.get(1));
    let (turn, outcome) = standing::json(&leaf.standing);
    object["leaf"] = json!({
        "position": leaf.position,
        "picture": leaf.picture,
        "turn": turn,
        "outcome": outcome,
        "evaluation": evaluation(leaf),
        "used": why.zip(texts).map(|(why, texts)| why.used.iter().map(|used| data::used(used, texts)).collect::<Vec<_>>()),
        "proof": proof,
    });
    object["depth"] = json!(found.depth);
    object["seconds"] = number(seconds);
    object["stopped"] = json!(found.stopped);
    object
}

/// The number at the end of a line, as the evaluation gives it.
fn evaluation(leaf: &Leaf) -> Option<String> {
    let answer = leaf.why.as_ref()?.answer.as_ref()?;
    answer.first().map(|(_, value)| value.clone())
}

fn worth(value: Score) -> String {
    match value {
        Score::Win { plies } => format!("a win for MAX in {}", plural(plies.into(), "ply", "plies")),
        Score::Loss { plies } => format!("a win for MIN in {}", plural(plies.into(), "ply", "plies")),
        Score::Value(value) => average(value),
    }
}

/// Both together with how sure they are.
fn sure(line: &Line<String>) -> &'static str {
    if line.exact { ", exact" } else { "" }
}

fn explained_text(found: &Explained, unicode: bool, limited: bool) -> String {
    let Explained { line, best, side, .. } = found;
    let label = line.moves.first().map_or("", String::as_str);
    let first = best.moves.first().map_or("", String::as_str);
    let mut text = format!("move   {label}, by {}\nvalue  {}{}\n", side.name(), worth(line.value), sure(line));
    let depth = plural(found.depth.into(), "ply", "plies");
    let moves = plural(found.moves as u64, "move", "moves");
    text.push_str(&match found.better {
        0 if label == first => format!("rank   the best of {moves}, by a search of {depth}\n"),
        0 => format!("rank   as good as the best of {moves}, {first}, by a search of {depth}\n"),
        better => format!(
            "rank   {} of {moves}, by a search of {depth}; the best is {first}: {}{}\n",
            better + 1,
            worth(best.value),
            lost(line.value, best.value)
        ),
    });
    if found.stopped {
        let more = if limited { "" } else { "; --depth, --nodes or --time sets a limit of your own" };
        text.push_str(&format!("note   the search was stopped after depth {}{more}\n", found.depth));
    }
    text.push_str(&format!("line   {}\n", line.moves.join(" ")));
    if let (1.., Some(reply)) = (found.better, line.moves.get(1)) {
        text.push_str(&format!("reply  {reply} is what is wrong with it\n"));
        text.push_str(&format!("better {}\n", best.moves.join(" ")));
    }
    text + &leaf_text(&found.leaf, line, unicode)
}

/// What a move gives away, where that is a number.
fn lost(value: Score, best: Score) -> String {
    match (value, best) {
        (Score::Value(value), Score::Value(best)) => {
            let than = if best > value { "more" } else { "less" };
            format!(", {} {than}", average((best - value).abs()))
        }
        _ => String::new(),
    }
}

/// Whether some of a proof is not told.
fn is_folded(proof: &Proof) -> bool {
    proof.folded > 0 || proof.parts.iter().any(is_folded)
}

/// Which clauses make a number, and how often they are used for it.
fn used_text(used: &[Used], texts: &Sources) -> String {
    let name = |used: &Used| match used.of {
        1 => used.predicate.clone(),
        _ => format!("{}, clause {}", used.predicate, used.number),
    };
    let count = |used: &Used| plural(used.times, "time", "times");
    let width = used.iter().map(|used| count(used).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (number, used) in used.iter().enumerate() {
        let lead = if number == 0 { "by     " } else { "       " };
        text.push_str(&format!("{lead}{:<width$}  {}  {}\n", count(used), name(used), rows::place(used.span, texts)));
    }
    text
}

fn leaf_text(leaf: &Leaf, line: &Line<String>, unicode: bool) -> String {
    let mut text = match &leaf.picture {
        Some(lines) => format!("then   {}\n", lines.join("\n       ")),
        None => format!("then   {}\n", leaf.position),
    };
    let ended = match (leaf.ending, &leaf.standing, line.end) {
        (Some(Ending::Points(points)), stands, _) => {
            format!("       {}, {} for MAX\n", standing::text(stands), average(points))
        }
        (_, stands, _) if standing::is_over(stands) => format!("       {}\n", standing::text(stands)),
        (_, _, Some(LineEnd::Chance)) => "       chance moves: the value is an average\n".to_string(),
        _ => String::new(),
    };
    text.push_str(&ended);
    if let Some(why) = &leaf.why {
        let number = evaluation(leaf).unwrap_or_else(|| "nothing".to_string());
        text.push_str(&format!("       static_eval/2 gives {number} there:\n"));
        let (proof, texts) = (why.proof.as_deref().unwrap_or_default(), &why.warnings.sources);
        text.push_str(&rows::drawn(&rows::proofs(proof, texts), unicode));
        if proof.iter().any(is_folded) {
            text.push_str(&used_text(&why.used, texts));
        }
    }
    text
}
