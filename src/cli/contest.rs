//! `match`: plays two settings against each other, and prints the score with its error.

use crate::cli::output::{Out, line_of};
use crate::cli::table::table;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::contest::{self, Played, Reply};
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::partial::SoFar;
use alphorn_text::report::{grouped, plural};
use clap::Args;
use std::io::IsTerminal;

/// `alphorn match`
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to play
    pub request: contest::Request,
    /// Print one JSON object on a line of stderr for every game, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

pub(super) fn contest(args: &MatchArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let watch = EventPrinter::new(out, args.json_lines);
    let watched = !out.json && !args.json_lines && std::io::stderr().is_terminal();
    let found = contest::answer(&args.request, host, &|event| match event {
        Event::Game(game) if args.json_lines => out.tell(&line_of(&game)),
        Event::Game(game) => {
            if let (Some(so_far), true) = (game.so_far, watched) {
                out.tell(&progress(&so_far));
            }
        }
        event => watch.print_event(event),
    })?;
    match args.json_lines {
        true => out.object(&found),
        false => out.reply(&found, || text(&found, args)),
    }
    if found.stopped && !out.json && !args.json_lines {
        out.tell("stopped: unfinished pairs of games do not count\n");
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn progress(so_far: &SoFar) -> String {
    let SoFar { pairs, points, wins, draws, losses, score } = so_far;
    let score = 100.0 * score.0;
    format!("pair {pairs}: {points} of 2 for A; so far won {wins}, drawn {draws}, lost {losses}, {score:.1} %\n")
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

fn text(found: &Reply, args: &MatchArgs) -> String {
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
    let pairs = found.games / 2;
    let percent = 100.0 * score;
    let interval = found.low.zip(found.high).map(|(low, high)| (100.0 * low.0, 100.0 * high.0));
    let sure = match (found.standard_error, interval) {
        (_, Some((low, high))) if found.alike => format!(
            "{percent:.1} % for A in each of {pairs} pairs of games, 95 % interval {low:.1} % to {high:.1} %, by the rule of three"
        ),
        (Some(error), Some((low, high))) => format!(
            "{percent:.1} % for A, standard error {:.1} %, 95 % interval {low:.1} % to {high:.1} %, {pairs} pairs of games",
            100.0 * error.0,
        ),
        _ => format!("{percent:.1} % for A, one pair of games: the error is unknown"),
    };
    let mut text = format!(
        "{}\nscore     {sure}\nopenings  {}, {}\ngames     {:.1} plies on average",
        table(&heads, rows),
        plural(found.openings as u64, "different one", "different ones"),
        plural(args.request.opening_plies.get(), "random ply", "random plies"),
        found.plies.map_or(0.0, |plies| plies.0),
    );
    if found.unfinished > 0 {
        text.push_str(&format!(", {} unfinished: counted as draws", found.unfinished));
    }
    text.push('\n');
    text.push_str(&same_text(found));
    for (name, side) in [("A", &found.a), ("B", &found.b)].into_iter().filter(|(_, side)| side.unadvised > 0) {
        let (without, all) = (grouped(side.unadvised), plural(side.moves, "move", "moves"));
        let note = format!("in {without} of {all} the table of {name} was for the other side, so {name} searched");
        text.push_str(&format!("note      {note}\n"));
    }
    text
}
