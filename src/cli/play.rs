//! `perft` and `moves`: count lines of play and list the legal moves.

use crate::cli::output::{Out, columns};
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, YES, status, stopped};
use alphorn_protocol::protocol::host::{Event, Host, Listen};
use alphorn_protocol::protocol::moves::{self, Move};
use alphorn_protocol::protocol::partial::Paths;
use alphorn_session::session::SessionResult;
use alphorn_text::report::plural;

/// Answers a request, and draws its events on stderr meanwhile.
pub(super) fn ask<R>(out: &Out, answer: impl FnOnce(Listen<'_>) -> SessionResult<R>) -> SessionResult<R> {
    let watch = EventPrinter::new(out, false);
    answer(&|event| watch.print_event(event))
}

pub(super) fn perft(request: &moves::PerftRequest, host: &Host<'_>, out: &Out) -> CommandResult {
    let watch = EventPrinter::new(out, false);
    let line = |row: &Paths| format!("{:>3}  {}\n", row.depth, row.paths);
    let found = moves::perft(request, host, &|event| match event {
        // Each row is printed as soon as it is counted.
        Event::Perft(row) if !out.json => watch.progress.above(|| out.print(&line(&row))),
        event => watch.print_event(event),
    });
    drop(watch);
    let found = found?;
    let next = found.perft.len() + 1;
    match out.json {
        true => out.reply(&found, || found.perft.iter().map(line).collect()),
        false => out.keep_reply(&found),
    }
    if found.stopped && !out.json {
        let so_far = match found.unfinished {
            0 => String::new(),
            positions => format!(", after {}", plural(positions, "position", "positions")),
        };
        out.tell(&format!("stopped: depth {next} is not finished{so_far}\n"));
    }
    Ok(if found.stopped { stopped(request.time, out, &host.stop) } else { YES })
}

pub(super) fn moves(request: &moves::Request, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| moves::answer(request, host, listen))?;
    out.reply(&found, || {
        let is_over = found.turn.is_none();
        let over = match is_over {
            true => status::scored((found.turn, found.outcome, found.repetition), found.points) + "\n",
            false => String::new(),
        };
        moves_text(&found.position, found.picture.iter().flatten(), &found.moves, found.labelled) + &over
    });
    Ok(YES)
}

/// Columns of a line of text.
const LINE: usize = 80;

/// Formats the labels of moves in columns, numbered unless all labels are numbers.
fn in_columns(moves: &[Move]) -> String {
    let width = moves.iter().map(|mv| mv.label.chars().count()).max().unwrap_or(0);
    let numbered = !moves.iter().all(|mv| mv.label.parse::<i64>().is_ok());
    let digits = if numbered { moves.len().to_string().len() + 1 } else { 0 };
    let across = (columns(LINE).min(LINE) / (digits + width + 3)).max(1);
    let mut text = String::new();
    for (row, labels) in moves.chunks(across).enumerate() {
        let cell = |(at, mv): (usize, &Move)| match numbered {
            true => format!("{:>digits$}  {:<width$}", row * across + at + 1, mv.label),
            false => format!("{:<width$}", mv.label),
        };
        let line: String = labels.iter().enumerate().map(cell).collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    text
}

fn moves_text<'a>(position: &str, picture: impl Iterator<Item = &'a String>, moves: &[Move], labelled: bool) -> String {
    let mut text = String::new();
    for line in picture {
        text.push_str(&format!("{line}\n"));
    }
    let width = moves.iter().map(|mv| mv.label.chars().count()).max().unwrap_or(0).min(24);
    let long = moves.iter().any(|mv| width + 2 + mv.next.chars().count() > LINE);
    // A position that is drawn is not also printed as a long term.
    if !text.is_empty() && labelled && long && moves.iter().all(|mv| mv.weight.is_none()) {
        text.push_str(&in_columns(moves));
        return text;
    }
    text.push_str(&format!("{position}\n"));
    let all: u64 = moves.iter().filter_map(|mv| mv.weight).sum();
    for (number, mv) in moves.iter().enumerate() {
        if let Some(weight) = mv.weight {
            text.push_str(&format!("{:>3}  {weight} of {all}  {}\n", number + 1, mv.next));
            continue;
        }
        match labelled {
            true => text.push_str(&format!("{:<width$}  {}\n", mv.label, mv.next)),
            false => text.push_str(&format!("{:>3}  {}\n", number + 1, mv.next)),
        }
    }
    text
}
