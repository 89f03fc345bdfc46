//! `profile`: runs what is to be profiled, and prints what was counted.
//!
//! In: arguments. Out: tables or JSON; where something goes wrong, after what was counted until
//! then. Must not know how tables look.

use super::args::ProfileArgs;
use super::{program, report, source};
use crate::cli::output::{Out, problem_json};
use crate::cli::play::{load, start};
use crate::cli::progress::Progress;
use crate::cli::{Ended, FAILED, INTERRUPTED, YES};
use alphorn_protocol::protocol::clock::Clock;
use alphorn_search::search::limits::Limits;
use alphorn_session::session::profile::Profiled;
use alphorn_session::session::query::{Answers, Asking};
use alphorn_session::session::{Failure, Session, Valued};
use alphorn_text::report::plural;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(in crate::cli) fn profile(args: &ProfileArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    match &args.goal {
        Some(goal) => goal_profile(goal, args, out, stop),
        None => search_profile(args, out, stop),
    }
}

fn search_profile(args: &ProfileArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let search = args.searching();
    let clock = Clock::new(stop, search.time.map(|time| time.0));
    let session = load(&args.at.file, &args.at.game, out, clock.flag())?;
    let progress = Progress::new(out);
    let hear = |nodes| progress.at(nodes);
    let limits = Limits {
        depth: search.depth,
        nodes: search.nodes,
        timed: search.time.is_some(),
        stop: Some(clock.flag()),
        progress: Some(&hear),
        ..Limits::default()
    };
    let backup = search.risk.backup();
    clock.begin();
    let profiled = session.profile_search(&start(&args.at.start), &search.how(1, &backup, None), &limits);
    progress.done();
    let Profiled { profile, found } = profiled?;
    let outside = profile.outside;
    let (words, result) = match &found {
        Ok(Valued { outcome }) => (
            match outcome.value {
                Some(value) => format!(
                    "search   value {value}, {}, {}, {outside:.2} s\n",
                    plural(outcome.nodes, "node", "nodes"),
                    plural(outcome.evals, "evaluation", "evaluations"),
                ),
                None => format!("search   no value yet, {}, {outside:.2} s\n", plural(outcome.nodes, "node", "nodes")),
            },
            json!({
                "value": outcome.value.map(|value| crate::cli::output::number(value.to_number())),
                "best": outcome.best,
                "depth": outcome.depth,
                "finished": !outcome.partial,
                "nodes": outcome.nodes,
                "evals": outcome.evals,
                "stopped": outcome.stopped,
            }),
        ),
        Err(_) => (format!("search   {outside:.2} s\n"), Value::Null),
    };
    let mut object = report::json(&profile, &session, args.by);
    object["search"] = result;
    if out.json {
        return ended(&session, object, found.err(), stop, out);
    }
    out.keep(object);
    out.print(&report::text(&profile, &words, args));
    if args.source {
        out.print(&source::text(&profile, &session, args.by));
    }
    match found {
        Ok(found) if found.outcome.stopped => {
            out.tell("stopped: the profile is of what was searched until then\n");
            Ok(if stop.load(Relaxed) { INTERRUPTED } else { YES })
        }
        Ok(_) => Ok(YES),
        Err(failure) => Err(failure),
    }
}

fn goal_profile(goal: &str, args: &ProfileArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let (session, now) = program(&args.at, out, stop)?;
    let asking = Asking { limit: args.answers.unwrap_or(usize::MAX), canonical: false, keep: false };
    let Profiled { profile, found } = session.profile_goal(goal, asking, now);
    let found = found?;
    let Answers { count, complete, error, warnings, .. } = &found;
    let mut object = report::json(&profile, &session, args.by);
    object["goal"] = json!({ "answers": count, "complete": complete });
    if out.json {
        let failure =
            error.as_ref().map(|error| Failure::Problem(Box::new(error.problem.clone()), warnings.sources.clone()));
        return ended(&session, object, failure, stop, out);
    }
    out.keep(object);
    out.report(warnings);
    let more = if *complete { "" } else { ", perhaps more" };
    let words = format!("goal     {}{more}\n", plural(*count as u64, "answer", "answers"));
    out.print(&report::text(&profile, &words, args));
    if args.source {
        out.print(&source::text(&profile, &session, args.by));
    }
    match error {
        Some(error) => {
            out.problem(&error.problem, &warnings.sources);
            Ok(if error.stopped { INTERRUPTED } else { FAILED })
        }
        None => Ok(YES),
    }
}

/// Prints the object, with what went wrong.
fn ended(session: &Session, mut object: Value, failure: Option<Failure>, stop: &AtomicBool, out: &Out) -> Ended {
    let problem = match &failure {
        Some(Failure::Problem(problem, sources)) => problem_json(problem, sources),
        Some(Failure::Text(report)) => json!(crate::cli::output::problems_json(report)),
        None => Value::Null,
    };
    debug_assert!(!session.rules.is_broken(), "what does not load is told before");
    object["error"] = problem;
    out.object(object);
    Ok(match failure {
        _ if stop.load(Relaxed) => INTERRUPTED,
        Some(_) => FAILED,
        None => YES,
    })
}
