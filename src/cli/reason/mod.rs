//! `why` and `whynot`: the proof of a goal, or why it has none.
//!
//! In: arguments. Out: trees and drawn places, or JSON; an exit status. Must not know how a goal
//! is proved. Called by `cli/mod.rs`.

pub mod args;
pub(super) mod data;
pub(super) mod rows;

use crate::cli::output::Out;
use crate::cli::query::{self, line, row};
use crate::cli::reason::args::{GoalArgs, WhyArgs, WhyNotArgs};
use crate::cli::{Ended, FAILED, INTERRUPTED, NO, YES};
use alphorn_prolog::reason::endless::Endless;
use alphorn_prolog::reason::explain::Detail;
use alphorn_prolog::reason::proof::Extent;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::query::AnswerError;
use alphorn_session::session::reason::Proving;
use alphorn_session::session::{Failure, Session};
use alphorn_text::report::{Problem, Report};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Goals on a screen have so many bytes at most, or else their long parts are folded; and in JSON
/// so many.
const SHOWN: usize = 76;
const WHOLE: usize = 4_000;
/// Goals of a proof that are shown.
const MOST: usize = 1_000;
/// Clauses whose heads do not match that are shown.
const HEADS: usize = 5;
/// Calls below one another that are followed to the smallest part.
const FOLLOWED: usize = 200;

/// `alphorn why`
pub(super) fn why(args: &WhyArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    query::is_goal("why", goal(&args.goal), out)?;
    let (session, now) = opened(&args.goal, out, stop)?;
    let text = if out.json { WHOLE } else { SHOWN };
    let extent = Extent { depth: args.depth as usize, goals: MOST, text };
    let proving = Proving { answer: args.answer as usize, extent, library: args.library };
    let why = session.why(goal(&args.goal), proving, now)?;
    let texts = why.warnings.sources.clone();
    let mut fields = Map::new();
    fields.insert("answer".into(), why.answer.as_ref().map_or(Value::Null, row));
    fields.insert("found".into(), why.found.into());
    let proof = why.proof.as_ref().map(|proof| proof.iter().map(|part| data::proof(part, &texts)).collect::<Vec<_>>());
    fields.insert("proof".into(), proof.into());
    insert_error(&mut fields, why.error.as_ref(), &why.warnings);
    if out.json {
        out.object(Value::Object(fields));
    } else {
        out.keep(Value::Object(fields));
        out.report(&why.warnings);
        match (&why.error, &why.answer) {
            (Some(error), _) => out.problem(&error.problem, &texts),
            (None, Some(answer)) => {
                if !answer.is_empty() {
                    out.line(&line(answer));
                }
                match &why.proof {
                    Some(proof) if proof.is_empty() => out.line("true"),
                    Some(proof) => out.print(&rows::drawn(&rows::proofs(proof, &texts), out.unicode)),
                    None => out.line("no proof of this very answer was found"),
                }
            }
            (None, None) if why.asked.as_ref().is_some_and(|asked| !asked.legal) => {
                let name = why.asked.as_ref().map_or("", |asked| asked.name.as_str());
                out.line(&format!("{name} is not a legal move; {} tells why", command("whynot", out)));
            }
            (None, None) if why.found == 0 => out.line(&format!("false; {} tells why", command("whynot", out))),
            (None, None) => out.line(&format!("there is no answer {}: {} in all", args.answer, why.found)),
        }
    }
    Ok(status(why.error.as_ref(), why.answer.is_some()))
}

/// `alphorn whynot`
pub(super) fn why_not(args: &WhyNotArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    query::is_goal("whynot", goal(&args.goal), out)?;
    let (session, now) = opened(&args.goal, out, stop)?;
    let detail = Detail { depth: FOLLOWED, text: if out.json { WHOLE } else { SHOWN }, clauses: HEADS };
    let why = session.why_not(goal(&args.goal), detail, now)?;
    let texts = why.warnings.sources.clone();
    let depth = args.depth as usize;
    let mut fields = Map::new();
    fields.insert("fails".into(), why.fails.into());
    fields.insert("answer".into(), why.answer.as_ref().map_or(Value::Null, row));
    let failing = why.failing.as_ref().map(|failing| data::failing(failing, &texts, depth));
    fields.insert("failing".into(), failing.unwrap_or_default());
    let smallest = why.smallest.as_ref().map(|smallest| data::smallest(smallest, &texts));
    fields.insert("smallest".into(), smallest.unwrap_or_default());
    insert_error(&mut fields, why.error.as_ref(), &why.warnings);
    if out.json {
        out.object(Value::Object(fields));
    } else {
        out.keep(Value::Object(fields));
        out.report(&why.warnings);
        if let Some(error) = &why.error {
            out.problem(&with_loop(&error.problem, why.endless.as_ref()), &texts);
        }
        if let Some(answer) = &why.answer {
            let with = if answer.is_empty() { String::new() } else { format!(" with {}", line(answer)) };
            let what = match &why.asked {
                Some(asked) if asked.legal => format!("{} is legal", asked.name),
                _ => format!("it is true{with}"),
            };
            out.line(&format!("{what}; {} shows the proof", command("why", out)));
        }
        if let (Some(failing), Some(smallest)) = (&why.failing, &why.smallest) {
            out.print(&rows::drawn(&[rows::failing(failing, &texts, depth)], out.unicode));
            out.print("\n");
            let problem = alphorn_session::session::reason::problem(smallest, &texts);
            out.show(&Report::new(texts, vec![problem]));
        }
    }
    Ok(status(why.error.as_ref(), why.failing.is_some()))
}

/// A command as it is typed here.
fn command(name: &str, out: &Out) -> String {
    if out.sitting.is_some() { format!(":{name}") } else { format!("alphorn {name}") }
}

/// The goal stands behind the files.
fn goal(args: &GoalArgs) -> &str {
    args.texts.last().map_or("", String::as_str)
}

fn opened(args: &GoalArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<(Session, Option<Position>), Failure> {
    let files = args.texts.split_last().map_or(&[][..], |(_, files)| files);
    query::opened(files, (&args.game, &args.start), out, stop)
}

fn insert_error(fields: &mut Map<String, Value>, error: Option<&AnswerError>, warnings: &Report) {
    if let Some(error) = error {
        let problem = crate::cli::output::problem_json(&error.problem, &warnings.sources);
        fields.insert("error".into(), json!({ "code": error.problem.code, "term": error.term, "message": error.problem.message, "help": problem["help"], "places": problem["places"] }));
    }
}

/// A spent budget, with the call that spends it.
fn with_loop(problem: &Problem, endless: Option<&Endless>) -> Problem {
    let Some(endless) = endless else { return problem.clone() };
    let words = match endless.same {
        true => format!("the same call comes again below itself: {}", endless.goal),
        false => format!("it calls itself again and again: {}", endless.goal),
    };
    let mut problem = Problem { labels: Vec::new(), ..problem.clone() };
    problem.labels.extend(endless.span.map(|span| (span, words.clone())));
    problem.help(words)
}

fn status(error: Option<&AnswerError>, done: bool) -> u8 {
    match error {
        Some(error) if error.stopped => INTERRUPTED,
        Some(_) => FAILED,
        None if done => YES,
        None => NO,
    }
}
