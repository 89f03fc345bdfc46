//! Answers goals.

use super::data::{Diagnostic, Edit, Place, Problems, Severity};
use super::form::{Form, Start};
use super::host::{Host, Listen};
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::query::{Answer, AnswerError, Answers, QueryOptions};
use alphorn_session::session::{Session, SessionResult};
use alphorn_text::source::Sources;
use clap::Args;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A request for the answers to a goal.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The goal, as Prolog text.
    #[arg(skip)]
    pub goal: String,
    /// Look for at most N answers
    #[arg(long, value_name = "N")]
    #[serde(default)]
    pub limit: Option<usize>,
    /// Write operators as functors
    #[arg(long)]
    #[serde(default)]
    pub canonical: bool,
    #[command(flatten)]
    #[serde(flatten)]
    /// The position that `position_now/1` gives.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
}

/// The answers to a goal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The answers: one object for each answer, with the variables and their values as Prolog text.
    pub answers: Vec<Values>,
    /// Whether there are no more answers.
    pub complete: bool,
    /// The text that the goal wrote.
    pub output: String,
    /// The error that ended the goal. Missing if there was no error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<GoalError>,
    /// The warnings about the goal.
    pub warnings: Problems,
}

/// The bindings of the variables of a goal, in the order of their occurrence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Answer);

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl JsonSchema for Values {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Values".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <BTreeMap<String, String>>::json_schema(generator)
    }
}

/// The error that ended a goal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GoalError {
    /// The code of the diagnostic, such as `A0504`. `alphorn explain CODE` explains the code.
    #[schemars(regex(pattern = r"^A0[0-9]{3}$"))]
    pub code: String,
    /// The severity: always an error.
    pub level: Severity,
    /// The ISO error term, or the term that `throw/1` threw.
    pub term: String,
    /// The message: what is wrong.
    pub message: String,
    /// What to do; null if there is no suggestion.
    pub help: Option<String>,
    /// The place of the goal that raised the error, then the places of its causes.
    pub places: Vec<Place>,
    /// The changes of the text that fix the mistake, to be made together; empty if no fix is known.
    pub edits: Vec<Edit>,
    /// The error for the terminal, and whether the user interrupted the goal.
    #[serde(skip)]
    pub found: AnswerError,
}

impl GoalError {
    /// Converts the error of a goal.
    pub fn of(found: AnswerError, sources: &Sources) -> GoalError {
        let Diagnostic { code, level, message, help, places, edits } = Diagnostic::of(&found.problem, sources);
        GoalError { code, level, term: found.term.clone(), message, help, places, edits, found }
    }
}

/// A function that receives each answer, the text that the goal wrote before it, and whether more
/// answers may follow. It returns whether to continue.
pub type OnAnswer<'a> = &'a mut dyn FnMut(&Answer, &str, bool) -> bool;

/// Answers a goal and returns the answers.
///
/// # Errors
///
/// The rules or the position contain an error. An error of the goal is part of the reply.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    shown(request, host, listen, None).map(reply)
}

/// Answers a goal in the types of the session. With `see`, each answer is passed on and none is kept.
///
/// # Errors
///
/// As for [`answer`].
pub fn shown(
    request: &Request,
    host: &Host<'_>,
    listen: Listen<'_>,
    see: Option<OnAnswer<'_>>,
) -> SessionResult<Answers> {
    let (session, now) = opened((&request.form, &request.start), host, listen)?;
    let keep = see.is_none();
    let asking = QueryOptions { limit: request.limit.unwrap_or(usize::MAX), canonical: request.canonical, keep };
    let mut all = |_: &Answer, _: &str, _: bool| true;
    let mut answers = session.query(&request.goal, asking, now, see.unwrap_or(&mut all))?;
    answers.tell_once();
    Ok(answers)
}

/// Converts answers to a reply.
pub fn reply(answers: Answers) -> Reply {
    let Answers { answers, complete, output, error, warnings, .. } = answers;
    let error = error.map(|error| GoalError::of(error, &warnings.sources));
    Reply { answers: answers.into_iter().map(Values).collect(), complete, output, error, warnings: Problems(warnings) }
}

/// The program for a goal, and the position that the goal may query: that of the current game.
///
/// # Errors
///
/// The rules or the position contain an error.
pub fn opened(
    (form, start): (&Form, &Start),
    host: &Host<'_>,
    listen: Listen<'_>,
) -> SessionResult<(Session, Option<Position>)> {
    let expected = if host.at().is_some() { Expected::Either } else { Expected::Program };
    let session = host.session(form, expected, &host.stop, listen)?;
    let place = start.place();
    if !place.is_given() {
        let here = session.here().cloned();
        return Ok((session, here));
    }
    let now = session.position(&session.game()?, &place)?;
    Ok((session, Some(now)))
}
