//! `trace`: prints the ports of a goal, or the positions of a search.
//!
//! Each step is a line of text, printed as it happens, or JSON. The module does not depend on the
//! contents of a step.

use crate::cli::output::Color;
use crate::cli::output::Out;
use crate::cli::query::line;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, FAILED, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::trace::{self, Goal, Port, Reply, Search, Step};
use alphorn_search::game::Score;
use alphorn_session::session::trace::ShownVisit;
use alphorn_text::report::plural;
use clap::Args;
use std::sync::atomic::Ordering::Relaxed;

/// `alphorn trace`
#[derive(Args, Debug)]
pub struct TraceArgs {
    /// The rules of the game; - for standard input
    pub file: String,
    #[command(flatten)]
    /// What to follow
    pub request: trace::Request,
    /// Print one JSON object for every step as it happens, and the result as JSON
    #[arg(long)]
    pub json_lines: bool,
}

pub(in crate::cli) fn trace(args: &TraceArgs, host: &Host<'_>, out: &mut Out) -> CommandResult {
    // A stream of JSON objects ends with the result as JSON.
    out.json |= args.json_lines;
    let watch = EventPrinter::new(out, args.json_lines);
    let listen = |event| watch.print_event(event);
    let steps = Out::new(out.json, Color::Never);
    let found = match out.json && !args.json_lines {
        true => trace::answer(&args.request, host, &listen)?,
        false => trace::followed(&args.request, host, &listen, Box::new(move |step| tell(&step, &steps)))?,
    };
    if out.json {
        out.object(&found);
    }
    Ok(match &found {
        Reply::Goal(found) => goal_traced(found, args, out),
        Reply::Search(found) => {
            search_traced(found, args, out);
            if host.stop.load(Relaxed) { INTERRUPTED } else { YES }
        }
    })
}

fn tell(step: &Step, out: &Out) {
    match step {
        step if out.json => out.object(step),
        Step::Port(port) => out.print(&port_text(port)),
        Step::Answer(answer) => out.print(&format!("      answer     {}\n", line(&answer.answer.0))),
        Step::Visit(visit) => out.print(&visit_text(&visit.drawn)),
    }
}

/// Suggests how to continue a trace that was cut off.
fn cut_off(args: &TraceArgs, filters: &str) -> String {
    format!("stopped after {}: --limit N shows more, {filters}\n", plural(args.request.limit.get(), "line", "lines"))
}

/// Prints the result of a traced goal, and returns the exit status.
fn goal_traced(found: &Goal, args: &TraceArgs, out: &Out) -> u8 {
    if !out.json {
        out.report(&found.warnings.0);
        match &found.found {
            Some(error) => out.problem(&error.problem, &found.warnings.0.sources),
            None if found.full => out.tell(&cut_off(args, "--only PRED, --skip PRED and --depth N leave out")),
            None if found.answers == 0 => out.line("false"),
            None => {}
        }
    }
    match &found.found {
        Some(error) if error.stopped => INTERRUPTED,
        Some(_) => FAILED,
        None if !found.full && found.answers == 0 && found.complete => NO,
        None => YES,
    }
}

fn search_traced(found: &Search, args: &TraceArgs, out: &Out) {
    if out.json {
    } else if let Some(value) = found.score {
        let best = found.best.as_ref().map(|best| format!(", best {best}")).unwrap_or_default();
        out.line(&format!("value {value}{best}, {}", plural(found.nodes, "node", "nodes")));
    } else if found.full {
        out.tell(&cut_off(args, "--plies N leaves out deeper positions"));
    } else {
        out.tell(&format!("stopped after {}\n", plural(found.nodes, "node", "nodes")));
    }
}

fn port_text(told: &Port) -> String {
    // The indent of deep goals is limited.
    let indent = " ".repeat(2 * (told.depth as usize - 1).min(20));
    format!("{:>4}  {:<9}  {indent}{}\n", told.depth, told.port, told.goal)
}

/// Formats a bound of the window. A win or loss in 0 plies is infinite.
fn bound(score: Score) -> String {
    match score {
        Score::Loss { plies: 0 } => "-inf".to_string(),
        Score::Win { plies: 0 } => "+inf".to_string(),
        score => score.to_string(),
    }
}

fn visit_text(told: &ShownVisit) -> String {
    let indent = " ".repeat(2 * (told.ply as usize).min(20));
    let what = told.label.as_ref().unwrap_or(&told.position);
    let (alpha, beta) = told.window;
    let tail = match told.left {
        None => format!("in   {indent}{what}  [{}, {}]", bound(alpha), bound(beta)),
        Some(left) => {
            let sign = match left.score {
                score if score <= alpha && alpha != beta && score < beta => "<= ",
                score if score >= beta => ">= ",
                _ => "",
            };
            let cut = match left.cut {
                0 => String::new(),
                moves => format!(", {} cut off", plural(moves as u64, "move", "moves")),
            };
            format!("out  {indent}{what}  {sign}{}{cut}", left.score)
        }
    };
    format!("{:>4}  {tail}\n", told.ply)
}
