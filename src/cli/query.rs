//! `query`: the answers to a goal.

use crate::cli::args::QueryArgs;
use crate::cli::output::Out;
use crate::cli::play::{budgets, options, sources, start};
use crate::cli::{Ended, FAILED, INTERRUPTED, NO, YES};
use crate::rules::Expected;
use crate::session::query::{Answer, Asking};
use crate::session::{Session, Start};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) fn query(args: &QueryArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let (goal, files) = args.texts.split_last().expect("clap asks for one at least");
    let session = Session::open(
        &sources(files)?,
        &sources(&args.game.overlays)?,
        &options(&args.game),
        Expected::Program,
        budgets(&args.game),
        stop.clone(),
    )?;
    out.report(&session.rules.report);
    let place = start(&args.start);
    let asked = place.position.is_some() || place.at.is_some() || place.opening.is_some() || place.moves.is_some();
    let now = if asked || session.rules.contract.is_game() { now(&session, &place, asked)? } else { None };
    let asking = Asking { limit: args.limit.unwrap_or(usize::MAX), canonical: args.canonical, keep: out.json };
    let mut see = |answer: &Answer, output: &str| {
        if !out.json {
            out.print(&format!("{}{}\n", ended(output), line(answer)));
        }
    };
    let answers = session.query(goal, asking, now, &mut see)?;
    let error = answers.error.as_ref();
    if out.json {
        let mut fields = Map::new();
        let rows: Vec<Value> = answers.answers.iter().map(row).collect();
        fields.insert("answers".into(), rows.into());
        fields.insert("complete".into(), answers.complete.into());
        fields.insert("output".into(), answers.output.clone().into());
        if let Some(error) = error {
            let problem = crate::cli::output::problem_json(&error.problem, &answers.warnings.sources);
            fields.insert("error".into(), json!({ "code": error.problem.code, "term": error.term, "message": error.problem.message, "help": problem["help"], "places": problem["places"] }));
        }
        out.object(Value::Object(fields));
    } else {
        out.print(&ended(&answers.output));
        out.report(&answers.warnings);
        match error {
            Some(error) => out.problem(&error.problem, &answers.warnings.sources),
            None if answers.count == 0 && answers.complete => out.line("false"),
            None => {}
        }
    }
    Ok(match error {
        Some(error) if error.stopped => INTERRUPTED,
        Some(_) => FAILED,
        None if answers.count == 0 && answers.complete => NO,
        None => YES,
    })
}

/// The position that the goal may ask for: that of a game under way.
pub(super) fn now(
    session: &Session,
    place: &Start,
    asked: bool,
) -> Result<Option<crate::rules::position::Position>, crate::session::Failure> {
    if !asked {
        return Ok(None);
    }
    let game = session.game()?;
    session.position(&game, place).map(Some)
}

/// What a goal wrote, its last line ended, so that the answer has its own.
fn ended(output: &str) -> String {
    let open = !output.is_empty() && !output.ends_with('\n');
    format!("{output}{}", if open { "\n" } else { "" })
}

fn line(answer: &Answer) -> String {
    if answer.is_empty() {
        return "true".to_string();
    }
    answer.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

fn row(answer: &Answer) -> Value {
    Value::Object(answer.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect())
}
