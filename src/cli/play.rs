//! `perft` and `moves`, and how every command comes by a game and a position.

use crate::cli::args::{GameArgs, PerftArgs, PlaceArgs, PositionArgs, StartArgs};
use crate::cli::clock::Clock;
use crate::cli::output::{Out, columns};
use crate::cli::progress::Progress;
use crate::cli::{Ended, INTERRUPTED, YES, standing};
use alphorn_lang::lang::Options;
use alphorn_rules::rules::Expected;
use alphorn_session::session::recipe::{Recipe, source, sources};
use alphorn_session::session::sitting::Sitting;
use alphorn_session::session::{Budgets, Failure, Session, ShownMove, Start};
use alphorn_text::report::plural;
use alphorn_text::source::Source;
use serde_json::json;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) fn options(game: &GameArgs) -> Options {
    Options { settings: game.params.clone() }
}

pub(super) fn budgets(game: &GameArgs) -> Budgets {
    Budgets::new(game.steps, game.memory)
}

pub(super) fn start(args: &StartArgs) -> Start {
    start_at(args.position.as_ref(), &args.place)
}

/// Where a command begins; told where the game has no position like that.
pub(super) fn begun(session: &Session, args: &StartArgs, out: &Out) -> Start {
    if let Some(problem) = args.position.as_ref().and_then(|text| session.rules.odd_position(text)) {
        out.problem(&problem, &session.rules.program.sources);
    }
    start(args)
}

/// From a position that is given as a term, or else from a place.
pub(super) fn start_at(position: Option<&String>, place: &PlaceArgs) -> Start {
    let PlaceArgs { at, opening, moves } = place;
    Start { position: position.cloned(), at: at.clone(), opening: *opening, moves: moves.clone() }
}

/// Loads a game; its warnings are told.
pub(super) fn load(file: &str, form: &GameArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<Session, Failure> {
    match &out.sitting {
        Some(sitting) => lent(sitting, form, Expected::Game, stop),
        None => load_text(source(file)?, form, out, stop),
    }
}

/// What a sitting lends to a command that may change its form.
pub(super) fn lent(
    sitting: &Sitting,
    form: &GameArgs,
    expected: Expected,
    stop: &Arc<AtomicBool>,
) -> Result<Session, Failure> {
    let (params, overlays) = (form.params.clone(), form.overlays.clone());
    let change = Recipe { params, overlays, steps: form.steps, memory: form.memory, ..Recipe::default() };
    sitting.lend(expected, &change, stop)
}

/// The same, of a text that has been read.
pub(super) fn load_text(text: Source, form: &GameArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<Session, Failure> {
    let session =
        Session::open(&[text], &sources(&form.overlays)?, &options(form), Expected::Game, budgets(form), stop.clone())?;
    out.report(&session.rules.report);
    Ok(session)
}

pub(super) fn perft(args: &PerftArgs, out: &mut Out, clock: &Clock) -> Ended {
    let session = load(&args.at.file, &args.at.game, out, clock.flag())?;
    let game = session.game()?;
    let state = session.position(&game, &begun(&session, &args.at.start, out))?;
    clock.begin();
    let (mut rows, mut text) = (Vec::new(), String::new());
    let (progress, last) = (Progress::new(out), Cell::new(0));
    let hear = |positions| {
        last.set(positions);
        progress.at(positions);
    };
    let printed = &*out;
    let stopped = session.perft_by_depth(&game, &state, args.depth, &hear, &mut |depth, paths| {
        let row = format!("{depth:>3}  {paths}\n");
        rows.push(json!({ "depth": depth, "paths": paths }));
        text.push_str(&row);
        last.set(0);
        if !printed.json {
            progress.above(|| printed.print(&row));
        }
    });
    progress.done();
    let stopped = stopped?;
    let next = rows.len() + 1;
    let object = json!({ "perft": rows, "stopped": stopped });
    match out.json {
        true => out.answer(object, || text),
        // The rows were printed as they came.
        false => out.keep(object),
    }
    if stopped && !out.json {
        let so_far = match last.get() {
            0 => String::new(),
            positions => format!(", after {}", plural(positions, "position", "positions")),
        };
        out.tell(&format!("stopped: depth {next} is not finished{so_far}\n"));
    }
    Ok(if stopped { INTERRUPTED } else { YES })
}

pub(super) fn moves(args: &PositionArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = load(&args.file, &args.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &begun(&session, &args.start, out))?;
    let stands = session.standing_at(&game, &state)?;
    let moves = if standing::is_over(&stands) { Vec::new() } else { session.moves(&game, &state)? };
    let picture = session.picture(&game, &state)?;
    let position = session.position_text(&game, &state)?;
    let row = |mv: &ShownMove| match mv.weight {
        None => json!({ "label": mv.label, "next": mv.next }),
        Some(weight) => json!({ "label": mv.label, "next": mv.next, "weight": weight }),
    };
    let rows: Vec<_> = moves.iter().map(row).collect();
    let labelled = session.rules.contract.labelled.is_some();
    let (turn, outcome) = standing::json(&stands);
    let object = json!({ "position": position, "picture": picture, "turn": turn, "outcome": outcome, "moves": rows });
    out.answer(object, || {
        let over = if standing::is_over(&stands) { standing::text(&stands) + "\n" } else { String::new() };
        moves_text(&position, picture.iter().flatten(), &moves, labelled) + &over
    });
    Ok(YES)
}

/// So many characters are a line of text.
const LINE: usize = 80;

/// The labels of moves side by side, with their numbers unless they are numbers themselves.
fn in_columns(moves: &[ShownMove]) -> String {
    let width = moves.iter().map(|mv| mv.label.chars().count()).max().unwrap_or(0);
    let numbered = !moves.iter().all(|mv| mv.label.parse::<i64>().is_ok());
    let digits = if numbered { moves.len().to_string().len() + 1 } else { 0 };
    let across = (columns(LINE).min(LINE) / (digits + width + 3)).max(1);
    let mut text = String::new();
    for (row, labels) in moves.chunks(across).enumerate() {
        let cell = |(at, mv): (usize, &ShownMove)| match numbered {
            true => format!("{:>digits$}  {:<width$}", row * across + at + 1, mv.label),
            false => format!("{:<width$}", mv.label),
        };
        let line: String = labels.iter().enumerate().map(cell).collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    text
}

fn moves_text<'a>(
    position: &str,
    picture: impl Iterator<Item = &'a String>,
    moves: &[ShownMove],
    labelled: bool,
) -> String {
    let mut text = String::new();
    for line in picture {
        text.push_str(&format!("{line}\n"));
    }
    let width = moves.iter().map(|mv| mv.label.chars().count()).max().unwrap_or(0).min(24);
    let long = moves.iter().any(|mv| width + 2 + mv.next.chars().count() > LINE);
    // Where a position is drawn, nobody wants to read it as a long term.
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
