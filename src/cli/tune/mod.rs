//! `tune` and `dataset`: tune the parameters of an evaluation, and write positions for other tools.

mod dataset;
mod plot;

pub(super) use dataset::dataset;

use crate::cli::output::{Out, line_of};
use crate::cli::progress::lasting;
use crate::cli::table::{percent, table};
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES, contest};
use alphorn_protocol::protocol::data::Number;
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::match_reply::{self, Accepted};
use alphorn_protocol::protocol::partial::{SoFar, TuneStep};
use alphorn_protocol::protocol::tune;
use alphorn_protocol::protocol::tune::reply::{Fit, MoveOrder, Reply, TunedParam};
use alphorn_protocol::protocol::tune::request::Request;
use alphorn_session::session::writing::{FileFormat, check_different};
use alphorn_text::report::{grouped, plural};
use clap::Args;
use std::path::PathBuf;

/// `alphorn tune`
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to tune
    pub request: Request,
    /// Write an overlay with the new defaults to this file, for --with
    #[arg(long, value_name = "FILE.pl")]
    pub output: Option<PathBuf>,
    /// Plot the loss and the parameters over the steps to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object on a line of stderr for every step and game of the match, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

pub(super) fn tune(args: &TuneArgs, host: &mut Host<'_>, out: &Out) -> CommandResult {
    let files = [("--record", &args.request.play.record), ("--output", &args.output), ("--svg", &args.svg)];
    let files = files.into_iter().filter_map(|(option, path)| path.as_deref().map(|path| (option, path)));
    check_different(&files.collect::<Vec<_>>())?;
    if let Some(svg) = &args.svg {
        out.may_write(svg, Some(FileFormat::Picture))?;
    }
    host.writes = args.output.clone().map(|path| (path, FileFormat::Tuned));
    let watch = EventPrinter::new(out, args.json_lines);
    let found = tune::answer(&args.request, host, &|event| match event {
        Event::Tune(step) if args.json_lines => out.tell(&line_of(&step)),
        Event::Game(game) if args.json_lines => out.tell(&line_of(&game)),
        Event::Tune(step) => watch.progress.tell(|seconds| step_text(&step, seconds)),
        Event::Game(game) => {
            if let Some(so_far) = game.so_far {
                watch.progress.tell(|seconds| match_text(&so_far, &args.request, seconds));
            }
        }
        event => watch.print_event(event),
    })?;
    drop(watch);
    match args.json_lines {
        true => out.object(&found),
        false => out.reply(&found, || text(&found)),
    }
    if let (Some(path), Some(overlay)) = (&args.output, &found.overlay) {
        out.write(path, &with_command(overlay, out), FileFormat::Tuned)?;
    }
    if let Some(path) = args.svg.as_ref().filter(|_| !found.history.is_empty()) {
        out.write(path, &plot::svg(&args.file, &found), FileFormat::Picture)?;
    }
    if found.stopped && !out.json && !args.json_lines {
        out.tell("stopped before the end\n");
        if args.request.play.record.is_some() {
            out.tell("type the same command again, and it goes on\n");
        }
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

/// Adds the command line to the comments of an overlay, except at a prompt.
fn with_command(overlay: &str, out: &Out) -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
    match overlay.split_once('\n') {
        Some((first, rest)) if out.prompt.is_none() => {
            format!("{first}\n% alphorn {}\n{rest}", words.replace(['\n', '\r'], " "))
        }
        _ => overlay.to_string(),
    }
}

/// A step, for the progress line.
fn step_text(step: &TuneStep, seconds: f64) -> String {
    match (step.total, step.loss) {
        (Some(total), _) if step.step > 0 => {
            let left = (total - step.step) as f64 * seconds / step.step as f64;
            let so_far = format!("pair {} of {}", grouped(step.step), grouped(total));
            format!("{so_far}, {}, about {} more", lasting(seconds), lasting(left))
        }
        (_, Some(loss)) => format!("step {}: loss {loss}, {}", step.step, lasting(seconds)),
        _ => format!("step {}, {}", step.step, lasting(seconds)),
    }
}

/// The final match so far, for the progress line.
fn match_text(so_far: &SoFar, request: &Request, seconds: f64) -> String {
    let pairs = request.match_games.get() / 2;
    let ratio = so_far.llr.map_or(String::new(), |ratio| format!(", LLR {:.2}", ratio.0));
    format!(
        "match: pair {} of at most {}: {:.1} % for the result{ratio}, {}",
        grouped(so_far.pairs as u64),
        grouped(pairs),
        100.0 * so_far.score.0,
        lasting(seconds)
    )
}

/// The result as text.
fn text(found: &Reply) -> String {
    let row = |param: &TunedParam| {
        let number = |value: Option<i64>| value.map_or("-".to_string(), |value| value.to_string());
        vec![
            param.name.clone(),
            param.start.to_string(),
            number(param.value),
            format!("{} to {}", param.low, param.high),
        ]
    };
    let rows = found.params.iter().map(row).collect();
    let mut text = table(&["parameter", "start", "tuned", "range"], rows) + "\n";
    let mut line = |name: &str, told: String| text.push_str(&format!("{name:<9} {told}\n"));
    if found.games > 0 {
        let [wins, draws, losses] = found.results.map(grouped);
        line("games", format!("{}: MAX won {wins}, drew {draws}, lost {losses}", grouped(found.games)));
    }
    if let Some(fit) = &found.fit {
        fit_lines(fit, found, &mut line);
    }
    if let Some(order) = &found.order {
        order_lines(order, &mut line);
    }
    let unused = |name: fn(&TunedParam) -> Option<bool>| -> Vec<&str> {
        found.params.iter().filter(|param| name(param) == Some(false)).map(|param| param.name.as_str()).collect()
    };
    let change =
        |names: &[&str]| format!("{} {}", names.join(", "), if names.len() == 1 { "changes" } else { "change" });
    let (still, idle) = (unused(|param| param.changes_evaluation), unused(|param| param.changes_choice));
    if !still.is_empty() {
        line("note", format!("{} the evaluation of no sampled position", change(&still)));
    }
    let idle: Vec<&str> = idle.into_iter().filter(|name| !still.contains(name)).collect();
    if !idle.is_empty() {
        let positions = plural(found.compared as u64, "position", "positions");
        line("note", format!("{} no choice of a move in {positions}, with these limits of the search", change(&idle)));
    }
    match &found.r#match {
        Some(played) => match_lines(played, found, &mut line),
        None if found.overlay.is_some() && found.params.iter().all(|param| param.value == Some(param.start)) => {
            line("match", "none: the tuned values are those of the start".into());
        }
        None => {}
    }
    text
}

/// The share of the gain that rounding may cost without a note.
const COARSE: f64 = 0.2;

/// The losses of a fit.
fn fit_lines(fit: &Fit, found: &Reply, line: &mut dyn FnMut(&str, String)) {
    let cases = match found.order {
        Some(_) => plural(fit.positions as u64, "pair of moves", "pairs of moves"),
        None => plural(fit.positions as u64, "position", "positions"),
    };
    let how = if fit.linear { "linear" } else { "not linear" };
    line("eval", format!("{how} in the parameters; scale {}", fit.scale));
    line("loss", format!("{:.6} at the start, {:.6} tuned, on {cases}", fit.start.0, fit.end.0));
    match (fit.held_out_start, fit.held_out_end) {
        (Some(start), Some(end)) => {
            line(
                "held out",
                format!("{:.6} at the start, {:.6} tuned, on {}", start.0, end.0, grouped(fit.held_out as u64)),
            );
        }
        _ => line("held out", "nothing: there are fewer than 5 games or solved positions".into()),
    }
    let [start, end, least] = [fit.start, fit.end, fit.least].map(|loss| loss.0);
    if end - least > COARSE * (start - least) {
        let share = percent(Some((end - least) / (start - least)));
        let advice = "give the weights ten times their values, and larger ranges";
        line(
            "note",
            format!("rounding to whole numbers costs {share} of the gain, from a loss of {}; {advice}", fit.least),
        );
    }
}

fn order_lines(order: &MoveOrder, line: &mut dyn FnMut(&str, String)) {
    let share = |share: Number| percent(Some(share.0));
    line(
        "order",
        format!("{} of the pairs right at the start, {} tuned", share(order.pairs_start), share(order.pairs_end)),
    );
    line(
        "best",
        format!(
            "the best move is optimal in {} of {} at the start, {} tuned",
            share(order.best_start),
            plural(order.positions as u64, "position", "positions"),
            share(order.best_end)
        ),
    );
}

/// The final match: its verdict first, also if it is negative.
fn match_lines(played: &match_reply::Reply, found: &Reply, line: &mut dyn FnMut(&str, String)) {
    let games = plural(played.games, "game", "games");
    let openings = format!("openings with seed {}", found.match_seed);
    let Some(score) = played.score else {
        line("match", format!("not played: there are no other {openings}; take more --opening-plies"));
        return;
    };
    let verdict = match played.sprt.as_ref().and_then(|test| test.accepted) {
        Some(Accepted::H1) => "the tuned values are stronger than the start",
        Some(Accepted::H0) => "the tuned values are not stronger than the start",
        None => "not decided",
    };
    line("match", format!("{verdict}: {:.1} % of the points in {games}, {openings}", 100.0 * score.0));
    line("elo", contest::elo_line(played, score.0).replace(" for A", " for the tuned values"));
    if let Some(test) = &played.sprt {
        line("sprt", contest::test_line(test, played, "--match-games"));
    }
    if played.same_moves > 0 && played.same_moves == played.games / 2 {
        line("note", "both sides played the same moves in every pair: the tuned values change no choice".into());
    }
}
