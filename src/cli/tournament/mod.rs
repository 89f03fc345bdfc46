//! `tournament`: plays several settings against each other, and prints their ratings.

mod plot;
mod text;

use crate::cli::output::{Out, line_of};
use crate::cli::progress::lasting;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::partial::Standing;
use alphorn_protocol::protocol::tournament::{self, ReportRequest};
use alphorn_protocol::protocol::tournament_reply::Reply;
use alphorn_session::session::SessionResult;
use alphorn_session::session::writing::FileFormat;
use alphorn_text::printable;
use alphorn_text::report::grouped;
use clap::Args;
use std::cell::Cell;
use std::io::IsTerminal;
use std::path::PathBuf;

/// `alphorn tournament`
#[derive(Args, Debug)]
pub struct TournamentArgs {
    /// The rules of the game; - for standard input
    #[arg(required_unless_present = "report")]
    pub file: Option<String>,
    #[command(flatten)]
    /// What to play
    pub request: tournament::Request,
    /// Print the result of the tournament that is recorded in this file, and play nothing
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Plot ratings and scores to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object on a line of stderr for every game, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

pub(super) fn tournament(args: &TournamentArgs, host: &mut Host<'_>, out: &Out) -> CommandResult {
    let found = match &args.report {
        Some(file) => {
            let request = ReportRequest { file: file.clone(), anchor: args.request.anchor.clone() };
            tournament::report(&request)?
        }
        None => played(args, host, out)?,
    };
    match args.json_lines {
        true => out.object(&found),
        false => out.reply(&found, || text::text(&found)),
    }
    if found.stopped && !out.json && !args.json_lines {
        out.tell("stopped: unfinished pairs of games do not count\n");
        if args.request.record().is_some() {
            out.tell("type the same command again, and the tournament goes on\n");
        }
    }
    if let Some(path) = &args.svg {
        let name = args.report.as_ref().map(|file| file.display().to_string()).or(args.file.clone());
        out.write(path, &plot::svg(&name.unwrap_or_default(), &found), FileFormat::Picture)?;
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

/// Plays the tournament, with lines of JSON or a line of progress.
fn played(args: &TournamentArgs, host: &mut Host<'_>, out: &Out) -> SessionResult<Reply> {
    host.writes = args.svg.clone().map(|path| (path, FileFormat::Picture));
    let watch = EventPrinter::new(out, args.json_lines);
    let watched = !out.json && !args.json_lines && std::io::stderr().is_terminal();
    // The games of a record were not played now.
    let before = Cell::new(None);
    tournament::answer(&args.request, host, &|event| match event {
        Event::Game(game) if args.json_lines => out.tell(&line_of(&game)),
        Event::Game(game) => {
            let number = u64::from(game.game);
            let first = before.get().unwrap_or(number - 1);
            before.set(Some(first));
            if let (Some(standings), true) = (&game.standings, watched) {
                let all = args.request.all_games(standings.len());
                watch.progress.tell(|seconds| progress((first, number, all), standings, seconds));
            }
        }
        event => watch.print_event(event),
    })
}

/// The games so far, the side with the best score, and the time that the rest will take at the speed so far.
/// `before` is the number of games that were not played now.
fn progress((before, done, all): (u64, u64, u64), standings: &[Standing], seconds: f64) -> String {
    let share = |side: &Standing| side.points.0 / side.games.max(1) as f64;
    // The first of several best sides.
    let best = standings.iter().filter(|side| side.games > 0).rev().max_by(|a, b| share(a).total_cmp(&share(b)));
    let mut text = format!("game {} of {}", grouped(done), grouped(all));
    if let Some(best) = best {
        let name = printable::line(&best.name).into_owned();
        text.push_str(&format!(", {name} leads with {:.1} %", 100.0 * share(best)));
    }
    text.push_str(&format!(", {}", lasting(seconds)));
    let (now, left) = (done.saturating_sub(before), all.saturating_sub(done));
    if now > 0 && left > 0 {
        text.push_str(&format!(", about {} more", lasting(left as f64 * seconds / now as f64)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_protocol::protocol::data::Number;

    #[test]
    fn progress_has_the_leader_and_the_rest() {
        let side = |name: &str, games, points| Standing { name: name.to_string(), games, points: Number(points) };
        let standings = [side("a", 20, 9.0), side("b", 20, 12.5), side("c", 20, 12.5), side("d", 0, 0.0)];
        let told = progress((10, 30, 120), &standings, 40.0);
        assert_eq!(told, "game 30 of 120, b leads with 62.5 %, 40 s, about 3 min more");
        assert_eq!(progress((0, 120, 120), &standings[3..], 5.0), "game 120 of 120, 5 s");
    }
}
