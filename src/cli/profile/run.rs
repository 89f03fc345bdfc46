//! `profile`: prints the counts of a search or a goal. After an error, the counts up to it are
//! printed first. The module does not depend on the layout of tables.

use super::report::ProfileArgs;
use super::{report, source};
use crate::cli::output::Out;
use crate::cli::play::ask;
use crate::cli::{CommandResult, FAILED, INTERRUPTED, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::profile::{self, Reply};
use alphorn_text::report::plural;
use std::sync::atomic::Ordering::Relaxed;

pub(in crate::cli) fn profile(args: &ProfileArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let found = ask(out, |listen| profile::answer(&args.request, host, listen))?;
    if out.json {
        out.object(&found);
    } else {
        out.keep_reply(&found);
        out.report(&found.warnings.0);
        out.print(&report::text(&found.drawn.profile, &words(&found), args));
        if args.source {
            out.print(&source::text(&found.drawn, args.request.by));
        }
        found.drawn.failure.iter().for_each(|failure| out.failure(failure));
    }
    let stopped = found.search.iter().flatten().any(|found| found.stopped);
    if stopped && !out.json {
        out.tell("stopped: the profile is of the unfinished search\n");
    }
    Ok(match found.error {
        _ if found.drawn.stopped => INTERRUPTED,
        _ if host.stop.load(Relaxed) && (out.json || stopped) => INTERRUPTED,
        Some(_) => FAILED,
        None => YES,
    })
}

/// The result of the profiled search or goal, as a line.
fn words(found: &Reply) -> String {
    let outside = found.drawn.profile.outside;
    if let Some(goal) = &found.goal {
        let more = if goal.complete { "" } else { ", perhaps more" };
        return format!("goal     {}{more}\n", plural(goal.answers as u64, "answer", "answers"));
    }
    let Some(found) = found.search.iter().flatten().next() else { return format!("search   {outside:.2} s\n") };
    let nodes = plural(found.nodes, "node", "nodes");
    match found.score {
        Some(value) => {
            let evals = plural(found.evals, "evaluation", "evaluations");
            format!("search   value {value}, {nodes}, {evals}, {outside:.2} s\n")
        }
        None => format!("search   no value yet, {nodes}, {outside:.2} s\n"),
    }
}
