//! `solve` and `verify`: prove values, and check proofs.

use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::value::average;
use crate::cli::{CommandResult, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::data::Winner;
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::solve::{self, Reply, Request, VerifyReply, VerifyRequest};
use alphorn_session::session::Failure;
use alphorn_text::report::{grouped, plural};

/// Suggestions for a search that proved nothing.
const TRY: &str = "try     more time, such as --time 600; a later position, with --moves or --position;\n        \
                   or an estimate: alphorn value FILE --time 10\n";

pub(super) fn solve(request: &Request, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| solve::answer(request, host, listen))?;
    out.reply(&found, || solve_text(&found));
    // The value is printed although the proof could not be written.
    if let Some(problem) = found.unwritten.0.problems.first() {
        return Err(Failure::Problem(Box::new(problem.clone()), found.unwritten.0.sources.clone()));
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn plies_text(plies: u32) -> String {
    plural(plies.into(), "ply", "plies")
}

fn solve_text(found: &Reply) -> String {
    let mut text = String::new();
    if let Some([low, high]) = found.interval {
        text.push_str(&average_text(found, (low.0, high.0)));
    } else if let (Some(value), Some(outcome)) = (found.value, found.outcome) {
        let who = match outcome {
            Winner::Max => "MAX wins",
            Winner::Min => "MIN wins",
            Winner::Draw => "draw",
        };
        let distance = found.plies.map(|plies| format!(", {}", plies_text(plies))).unwrap_or_default();
        text.push_str(&format!("value   {value} ({who}){distance}\n"));
        if let Some(best) = &found.best {
            let separator = if found.pv.iter().any(|label| label.len() > 12) { "\n        " } else { " " };
            text.push_str(&format!("best    {best}\nline    {}\n", found.pv.join(separator)));
        }
    } else if found.all.is_none() || found.stopped {
        text.push_str("stopped: no value yet\n");
        if found.all.is_none() {
            text.push_str(TRY);
        }
    }
    let sides = found.all.iter().flat_map(|all| [("MAX", &all.max_to_move), ("MIN", &all.min_to_move)]);
    for (side, census) in sides {
        text.push_str(&format!(
            "{side} to move: {}, {} won by MAX, {} by MIN, {} drawn{}\n",
            plural(census.positions, "position", "positions"),
            grouped(census.max),
            grouped(census.min),
            grouped(census.draw),
            census.longest.map(|plies| format!("; at most {}", plies_text(plies))).unwrap_or_default()
        ));
    }
    if let Some(plies) = found.longest {
        let moves = plies.div_ceil(2);
        text.push_str(&format!("longest win of a side to move: {} ({moves} of its moves)\n", plies_text(plies)));
    }
    if found.endless_play.is_some() && !found.repetition_declared {
        text.push_str("endless play counts as a draw\n");
    }
    if let Some(saved) = found.saved {
        text.push_str(&format!("saved   {}\n", plural(saved, "value", "values")));
    }
    if let Some(proved) = found.proved {
        text.push_str(&format!("proof   {} of positions\n", plural(proved, "line", "lines")));
    }
    let positions = plural(found.positions, "position", "positions");
    text.push_str(&format!("method  {}: {positions}, {:.2} s\n", found.method, found.seconds));
    text
}

fn average_text(found: &Reply, (low, high): (f64, f64)) -> String {
    let best = found.best.as_ref().map(|best| format!("best    {best}\n")).unwrap_or_default();
    let between =
        || format!("between {} and {}", average((low * 1e6).floor() / 1e6), average((high * 1e6).ceil() / 1e6));
    match found.value {
        Some(value) => {
            let error = (high - low) / 2.0;
            format!("value   {}, an average, within {error:.1e}\n{best}", average(value.0))
        }
        None if found.stopped => format!("value   {}, the bounds so far: stopped\n", between()),
        None => format!("value   {}, stopped: the interval shrinks too slowly\n{best}", between()),
    }
}

pub(super) fn verify(request: &VerifyRequest, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| solve::verify(request, host, listen))?;
    out.report(&found.problems.0);
    out.reply(&found, || verify_text(&found));
    Ok(match (found.stopped, found.verified) {
        (true, _) => INTERRUPTED,
        (_, true) => YES,
        (_, false) => NO,
    })
}

fn verify_text(found: &VerifyReply) -> String {
    let Some(position) = &found.position else {
        return if found.stopped { String::new() } else { "not proved\n".into() };
    };
    let wins = || found.plies.map(|plies| format!(" in at most {}", plies_text(plies))).unwrap_or_default();
    let what = match (found.number, found.outcome) {
        (Some(number), _) => format!("value {number}"),
        (None, Some(Winner::Max)) => format!("MAX wins{}", wins()),
        (None, Some(Winner::Min)) => format!("MIN wins{}", wins()),
        (None, _) => "value 0".to_string(),
    };
    let positions = grouped(found.positions.unwrap_or_default());
    format!("proved  {what}\nfrom    {position}\nlines   {positions} checked\n")
}
