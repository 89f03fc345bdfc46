//! `match`: plays two settings against each other, and prints the score with its error.

use crate::cli::output::{Out, line_of};
use crate::cli::progress::lasting;
use crate::cli::table::table;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::contest::{self, ReportRequest};
use alphorn_protocol::protocol::data::Number;
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::match_options::SprtOption;
use alphorn_protocol::protocol::match_reply::{Accepted, MatchEndReason, Played, Reply, SequentialTest};
use alphorn_protocol::protocol::partial::SoFar;
use alphorn_text::report::{grouped, plural};
use clap::Args;
use std::cell::Cell;
use std::io::IsTerminal;
use std::path::PathBuf;

/// `alphorn match`
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The rules of the game; - for standard input
    #[arg(required_unless_present = "report")]
    pub file: Option<String>,
    #[command(flatten)]
    /// What to play
    pub request: contest::Request,
    /// Print the result of the match that is recorded in this file, and play nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["a", "b", "games", "sprt"])]
    pub report: Option<PathBuf>,
    /// Print one JSON object on a line of stderr for every game, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

pub(super) fn contest(args: &MatchArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    if let Some(file) = &args.report {
        let found = contest::report(&ReportRequest { file: file.clone() })?;
        out.reply(&found, || text(&found));
        return Ok(YES);
    }
    let watch = EventPrinter::new(out, args.json_lines);
    let watched = !out.json && !args.json_lines && std::io::stderr().is_terminal();
    // The pairs of a record were not played now.
    let before = Cell::new(None);
    let found = contest::answer(&args.request, host, &|event| match event {
        Event::Game(game) if args.json_lines => out.tell(&line_of(&game)),
        Event::Game(game) => {
            if let (Some(so_far), true) = (game.so_far, watched) {
                let first = before.get().unwrap_or(so_far.pairs - 1);
                before.set(Some(first));
                watch.progress.tell(|seconds| progress(&so_far, first, seconds, &args.request));
            }
        }
        event => watch.print_event(event),
    })?;
    match args.json_lines {
        true => out.object(&found),
        false => out.reply(&found, || text(&found)),
    }
    if found.stopped && !out.json && !args.json_lines {
        out.tell("stopped: unfinished pairs of games do not count\n");
        if args.request.record().is_some() {
            out.tell("type the same command again, and the match goes on\n");
        }
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

/// The score so far, and the time that the rest will take at the speed so far. `before` is the number of
/// pairs that were not played now.
fn progress(so_far: &SoFar, before: usize, seconds: f64, request: &contest::Request) -> String {
    let SoFar { pairs, score, .. } = so_far;
    let all = u64::from(request.count() / 2);
    let mut text = format!("pair {} of {}: {:.1} % for A", grouped(*pairs as u64), grouped(all), 100.0 * score.0);
    text.push_str(&format!(", Elo {}", elo_text(so_far.elo, score.0)));
    if let (Some(low), Some(high)) = (so_far.elo_low, so_far.elo_high) {
        text.push_str(&format!(" ({:+.0} to {:+.0})", low.0, high.0));
    }
    let mut left = all as f64 - *pairs as f64;
    if let (Some(SprtOption(sprt)), Some(ratio)) = (request.sprt, so_far.llr) {
        let [lower, upper] = sprt.bounds();
        text.push_str(&format!(", LLR {:.2} ({lower:.2} to {upper:.2})", ratio.0));
        let bound = if ratio.0 < 0.0 { lower } else { upper };
        let more = *pairs as f64 * (bound - ratio.0) / ratio.0;
        left = if more.is_finite() { left.min(more.max(0.0)) } else { left };
    }
    text.push_str(&format!(", {}", lasting(seconds)));
    let now = *pairs as f64 - before as f64;
    if left >= 1.0 && now > 0.0 {
        text.push_str(&format!(", about {} more", lasting(left * seconds / now)));
    }
    text
}

/// An Elo difference with its sign, without decimals. A score of 0 or 1 has no finite difference.
fn elo_text(elo: Option<Number>, score: f64) -> String {
    match elo {
        Some(elo) => format!("{:+.0}", elo.0),
        None if score > 0.5 => "infinite".to_string(),
        None => "-infinite".to_string(),
    }
}

/// Notes that A and B played the same moves in some or all pairs.
fn same_text(found: &Reply) -> String {
    match (found.same_moves, found.games / 2) {
        (0, _) => String::new(),
        (same, pairs) if same == pairs => {
            "note      A and B played the same moves in every pair: the match does not compare them\n".into()
        }
        (same, pairs) => {
            format!("note      A and B played the same moves in {} of {} pairs\n", grouped(same), grouped(pairs))
        }
    }
}

/// The result as text.
fn text(found: &Reply) -> String {
    let Some(score) = found.score.map(|score| score.0) else { return "no pair of games was finished\n".to_string() };
    let row = |name: &str, (won, lost): (u64, u64), score: f64, side: &Played| {
        vec![
            format!("{name} {}", side.settings).trim_end().to_string(),
            won.to_string(),
            found.draws.to_string(),
            lost.to_string(),
            format!("{:.1} %", 100.0 * score),
            side.depth.map_or("-".to_string(), |depth| format!("{:.2}", depth.0)),
            side.nodes.map_or("-".to_string(), |nodes| grouped(nodes.0.round() as u64)),
        ]
    };
    let heads = ["side", "won", "drawn", "lost", "score", "depth", "nodes"];
    let (won, lost) = (found.wins, found.losses);
    let rows = vec![row("A", (won, lost), score, &found.a), row("B", (lost, won), 1.0 - score, &found.b)];
    let openings = plural(found.openings as u64, "different one", "different ones");
    let drawn = found.opening_plies.map(|plies| format!(", {}", plural(plies, "random ply", "random plies")));
    let mut text = format!(
        "{}\nscore     {}\nelo       {}\npairs     {}\n{}openings  {openings}{}\ngames     {:.1} plies on average",
        table(&heads, rows),
        score_line(found, 100.0 * score),
        elo_line(found, score),
        pairs_line(found),
        found.sprt.map(|test| format!("sprt      {}\n", test_line(&test, found, "--games"))).unwrap_or_default(),
        drawn.unwrap_or_default(),
        found.plies.map_or(0.0, |plies| plies.0),
    );
    if found.unfinished > 0 {
        text.push_str(&format!(", {} unfinished: counted as draws", found.unfinished));
    }
    if found.adjudicated > 0 {
        text.push_str(&format!(", {} ended by known values", found.adjudicated));
    }
    text.push('\n');
    if found.ended == MatchEndReason::Openings {
        text.push_str("note      the match ended early, because there are no more different openings\n");
    }
    text.push_str(&same_text(found));
    for (name, side) in [("A", &found.a), ("B", &found.b)].into_iter().filter(|(_, side)| side.unadvised > 0) {
        let (without, all) = (grouped(side.unadvised), plural(side.moves, "move", "moves"));
        let note = format!("in {without} of {all} the table of {name} was for the other side, so {name} searched");
        text.push_str(&format!("note      {note}\n"));
    }
    for (name, side) in [("A", &found.a), ("B", &found.b)] {
        forfeit_note(side.forfeits, name).iter().for_each(|note| text.push_str(&format!("note      {note}\n")));
    }
    text
}

/// The score of A in percent, with its error.
fn score_line(found: &Reply, percent: f64) -> String {
    let pairs = found.games / 2;
    let interval = found.low.zip(found.high).map(|(low, high)| (100.0 * low.0, 100.0 * high.0));
    match (found.standard_error, interval) {
        (_, Some((low, high))) if found.alike => format!(
            "{percent:.1} % for A in each of {pairs} pairs of games, 95 % interval {low:.1} % to {high:.1} %, by the rule of three"
        ),
        (Some(error), Some((low, high))) => format!(
            "{percent:.1} % for A, standard error {:.1} %, 95 % interval {low:.1} % to {high:.1} %, {pairs} pairs of games",
            100.0 * error.0,
        ),
        _ => format!("{percent:.1} % for A, one pair of games: the error is unknown"),
    }
}

/// Notes how many games a side forfeited, if there are some.
pub(super) fn forfeit_note(forfeits: u64, side: &str) -> Option<String> {
    let games = || plural(forfeits, "game", "games");
    (forfeits > 0).then(|| format!("{} forfeited by {side}: no legal move, or out of time", games()))
}

/// The Elo difference with its interval, the likelihood of superiority and the share of draws.
pub(super) fn elo_line(found: &Reply, score: f64) -> String {
    let interval = match (found.low.is_some(), found.elo_low, found.elo_high) {
        (false, ..) => String::new(),
        (true, Some(low), Some(high)) => format!(", 95 % interval {:+.1} to {:+.1}", low.0, high.0),
        (true, Some(low), None) => format!(", 95 % interval {:+.1} or more", low.0),
        (true, None, Some(high)) => format!(", 95 % interval {:+.1} or less", high.0),
        (true, None, None) => ", 95 % interval unbounded".to_string(),
    };
    let elo = found.elo.map_or_else(|| elo_text(None, score), |elo| format!("{:+.1}", elo.0));
    let percent = |share: Option<Number>| share.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share.0));
    format!("{elo} for A{interval}, LOS {}, {} drawn", percent(found.los), percent(found.draw_ratio))
}

/// The numbers of pairs by the points of A.
fn pairs_line(found: &Reply) -> String {
    let counts = found.pentanomial.map(grouped);
    format!("{} with 0, 1/2, 1, 3/2, 2 points for A", counts.join(", "))
}

/// The result of a sequential test. `option` is the option for more games.
pub(super) fn test_line(test: &SequentialTest, found: &Reply, option: &str) -> String {
    let (elo0, elo1) = (test.elo0, test.elo1);
    let pairs = plural(found.games / 2, "pair", "pairs");
    let [ratio, lower, upper] = [test.llr, test.lower, test.upper].map(|number| format!("{:.2}", number.0));
    match test.accepted {
        Some(Accepted::H1) => {
            format!("H1 accepted after {pairs}: {elo1} Elo or more, not {elo0} or less; LLR {ratio} reached {upper}")
        }
        Some(Accepted::H0) => {
            format!("H0 accepted after {pairs}: {elo0} Elo or less, not {elo1} or more; LLR {ratio} reached {lower}")
        }
        None => {
            format!(
                "not decided after {pairs}: LLR {ratio} is between {lower} and {upper}; play more games: {option} N"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_has_the_score_and_the_rest() {
        let number = |value| Some(Number(value));
        let mut so_far = SoFar {
            pairs: 60,
            points: Number(1.0),
            wins: 60,
            draws: 24,
            losses: 36,
            score: Number(0.6),
            elo: number(70.44),
            elo_low: number(10.2),
            elo_high: number(130.0),
            llr: None,
        };
        let request = contest::Request::default();
        let told = progress(&so_far, 10, 100.0, &request);
        assert_eq!(told, "pair 60 of 50: 60.0 % for A, Elo +70 (+10 to +130), 100 s");
        let mut request = contest::Request { sprt: "elo0=0,elo1=10".parse().ok(), ..contest::Request::default() };
        so_far.llr = number(1.5);
        let told = progress(&so_far, 10, 100.0, &request);
        // 60 pairs gave 1.5 of 2.94: 58 more pairs, at two seconds each.
        assert!(told.ends_with("LLR 1.50 (-2.94 to 2.94), 100 s, about 116 s more"), "{told}");
        request.sprt = None;
        so_far = SoFar { pairs: 10, score: Number(1.0), elo: None, elo_high: None, llr: None, ..so_far };
        request.games = vec!["40".parse().expect("it is even")];
        let told = progress(&so_far, 0, 5.0, &request);
        assert_eq!(told, "pair 10 of 20: 100.0 % for A, Elo infinite, 5 s, about 5 s more");
    }
}
