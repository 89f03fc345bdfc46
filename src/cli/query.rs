//! `query`: the answers to a goal.

use crate::cli::args::QueryArgs;
use crate::cli::args::{GameArgs, StartArgs};
use crate::cli::output::{Out, problem_json};
use crate::cli::play::{budgets, lent, options, start};
use crate::cli::{Ended, FAILED, INTERRUPTED, NO, YES};
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::query::{Answer, AnswerError, Asking};
use alphorn_session::session::recipe::sources;
use alphorn_session::session::{Failure, Session};
use alphorn_text::printable;
use alphorn_text::report::Problem;
use alphorn_text::source::Sources;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) fn query(args: &QueryArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let (goal, files) = args.texts.split_last().expect("clap asks for one at least");
    is_goal("query", goal, out)?;
    let (session, now) = opened(files, (&args.game, &args.start), out, stop)?;
    let asking = Asking { limit: args.limit.unwrap_or(usize::MAX), canonical: args.canonical, keep: out.json };
    let mut see = |answer: &Answer, output: &str, _: bool| {
        if !out.json {
            out.print(&format!("{}{}\n", ended(output), line(answer)));
        }
        true
    };
    let mut answers = session.query(goal, asking, now, &mut see)?;
    answers.tell_once();
    let error = answers.error.as_ref();
    if out.json {
        let mut fields = Map::new();
        let rows: Vec<Value> = answers.answers.iter().map(row).collect();
        fields.insert("answers".into(), rows.into());
        fields.insert("complete".into(), answers.complete.into());
        fields.insert("output".into(), answers.output.clone().into());
        if let Some(error) = error {
            fields.insert("error".into(), error_json(error, &answers.warnings.sources));
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

/// An error that ended a goal.
pub(super) fn error_json(error: &AnswerError, sources: &Sources) -> Value {
    let problem = problem_json(&error.problem, sources);
    json!({
        "code": error.problem.code,
        "term": error.term,
        "message": problem["message"],
        "help": problem["help"],
        "places": problem["places"],
    })
}

/// Errs where a file stands in the place of the goal, which was forgotten.
pub(super) fn is_goal(command: &str, text: &str, out: &Out) -> Result<(), Failure> {
    if out.sitting.is_some() || !names_file(text) {
        return Ok(());
    }
    let problem = Problem::placeless("A0620", format!("{text} names a file, and the goal is missing"))
        .help(format!("write the goal behind the files, such as alphorn {command} {text} 'initial(Pos)'"));
    Err(Failure::Problem(Box::new(problem), Arc::default()))
}

/// Whether a text is the name of a rules file, and no goal: no goal ends in `.pl`.
pub(super) fn names_file(text: &str) -> bool {
    text.ends_with(".pl") && !text.contains(|c: char| c.is_whitespace() || "(),'\"".contains(c))
}

/// The program of these files, and the position that a goal may ask for: that of a game under way.
pub(super) fn opened(
    files: &[String],
    (form, place): (&GameArgs, &StartArgs),
    out: &Out,
    stop: &Arc<AtomicBool>,
) -> Result<(Session, Option<Position>), Failure> {
    let session = match &out.sitting {
        Some(sitting) => lent(sitting, form, Expected::Either, stop)?,
        None => {
            let (texts, overlays) = (sources(files)?, sources(&form.overlays)?);
            let session =
                Session::open(&texts, &overlays, &options(form), Expected::Program, budgets(form), stop.clone())?;
            out.report(&session.rules.report);
            session
        }
    };
    let place = start(place);
    if !place.is_given() {
        let here = session.here().cloned();
        return Ok((session, here));
    }
    let now = session.position(&session.game()?, &place)?;
    Ok((session, Some(now)))
}

/// What a goal wrote, its last line ended, so that the answer has its own.
pub(super) fn ended(output: &str) -> String {
    let open = !output.is_empty() && !output.ends_with('\n');
    format!("{}{}", printable::lines(output), if open { "\n" } else { "" })
}

pub(super) fn line(answer: &Answer) -> String {
    if answer.is_empty() {
        return "true".to_string();
    }
    answer.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

pub(super) fn row(answer: &Answer) -> Value {
    Value::Object(answer.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect())
}
