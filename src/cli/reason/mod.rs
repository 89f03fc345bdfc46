//! `why` and `whynot`: print the proof of a goal, or why it fails.
//!
//! The results are trees and drawn places, or JSON. The module does not depend on how a goal is
//! proved.

pub(super) mod rows;

use crate::cli::files::GoalArgs;
use crate::cli::output::Out;
use crate::cli::query::{line, require_goal};
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, FAILED, INTERRUPTED, NO, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::query::GoalError;
use alphorn_protocol::protocol::why::{self, Goal, Longest, NotReply, NotRequest, Reply, Request};
use alphorn_session::session::SessionResult;

/// Runs `alphorn why`.
pub(super) fn why(args: &GoalArgs<Request>, host: &Host<'_>, out: &Out) -> CommandResult {
    let goal = asked("why", (&args.texts, &args.request.goal), host, out)?;
    let watch = EventPrinter::new(out, false);
    let found = why::answer(&Request { goal, ..args.request.clone() }, host, &|event| watch.print_event(event))?;
    if out.json {
        out.object(&found);
    } else {
        out.keep_reply(&found);
        draw(&found, args.request.answer.get(), out);
    }
    Ok(status(found.error.as_ref(), found.answer.is_some()))
}

fn draw(found: &Reply, number: u64, out: &Out) {
    out.report(&found.warnings.0);
    match (&found.error, &found.answer) {
        (Some(error), _) => out.problem(&error.found.problem, &found.warnings.0.sources),
        (None, Some(answer)) => {
            if !answer.0.is_empty() {
                out.line(&line(&answer.0));
            }
            match &found.proof {
                Some(proof) if proof.is_empty() => out.line("true"),
                Some(proof) => out.print(&rows::drawn(&rows::proofs(proof), out.unicode)),
                None => out.line("Alphorn found no proof of this answer"),
            }
        }
        (None, None) => match found.meant.as_ref().filter(|meant| !meant.legal) {
            Some(meant) => {
                out.line(&format!("{} is not a legal move; {} explains why", meant.label, command("whynot", out)));
            }
            None if found.found == 0 => out.line(&format!("false; {} explains why", command("whynot", out))),
            None => out.line(&format!("there is no answer {number}: {} in all", found.found)),
        },
    }
}

/// Runs `alphorn whynot`.
pub(super) fn why_not(args: &GoalArgs<NotRequest>, host: &Host<'_>, out: &Out) -> CommandResult {
    let goal = asked("whynot", (&args.texts, &args.request.goal), host, out)?;
    let watch = EventPrinter::new(out, false);
    let found = why::not(&NotRequest { goal, ..args.request.clone() }, host, &|event| watch.print_event(event))?;
    if out.json {
        out.object(&found);
    } else {
        out.keep_reply(&found);
        draw_not(&found, out);
    }
    Ok(status(found.error.as_ref(), found.failing.is_some()))
}

fn draw_not(found: &NotReply, out: &Out) {
    out.report(&found.warnings.0);
    if let Some(error) = &found.error {
        out.problem(&error.found.problem, &found.warnings.0.sources);
    }
    if let Some(answer) = &found.answer {
        let with = if answer.0.is_empty() { String::new() } else { format!(" with {}", line(&answer.0)) };
        let what = match &found.meant {
            Some(meant) if meant.legal => format!("{} is legal", meant.label),
            _ => format!("it is true{with}"),
        };
        out.line(&format!("{what}; {} shows the proof", command("why", out)));
    }
    if let (Some(failing), Some(smallest)) = (&found.failing, &found.smallest) {
        out.print(&rows::drawn(&[rows::failing(failing)], out.unicode));
        out.print("\n");
        out.show(&smallest.drawn);
    }
}

/// Greatest length of a goal in a text, in bytes; the long parts of longer goals are folded.
const SHOWN: u64 = 76;

/// The goal, which is the last argument.
fn asked(name: &str, (texts, goal): (&[String], &Goal), host: &Host<'_>, out: &Out) -> SessionResult<Goal> {
    let text = texts.last().map_or("", String::as_str);
    require_goal(name, text, host)?;
    let longest = if out.json { goal.longest } else { Longest::usual::<SHOWN>() };
    Ok(Goal { goal: text.to_string(), longest, ..goal.clone() })
}

/// The name of a command, as it is typed at the prompt or in a shell.
fn command(name: &str, out: &Out) -> String {
    if out.prompt.is_some() { format!(":{name}") } else { format!("alphorn {name}") }
}

fn status(error: Option<&GoalError>, done: bool) -> u8 {
    match error {
        Some(error) if error.found.stopped => INTERRUPTED,
        Some(_) => FAILED,
        None if done => YES,
        None => NO,
    }
}
