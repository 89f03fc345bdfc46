//! Explains why a goal is true, or why it fails.

use super::data::{Place, Problems};
use super::form::{Form, Start};
use super::host::{Host, Listen};
use super::proof::{Failing, Proof, proofs};
use super::query::{GoalError, Values, opened};
use super::words::{Many, Whole};
use alphorn_prolog::reason::endless::EndlessCall;
use alphorn_prolog::reason::explain::Detail;
use alphorn_prolog::reason::failing;
use alphorn_prolog::reason::proof::Extent;
use alphorn_session::session::SessionResult;
use alphorn_session::session::query::AnswerError;
use alphorn_session::session::reason::{self, ProofOptions};
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::Sources;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The limit of goals in a printed proof.
const MOST: usize = 1_000;
/// The limit of printed clauses whose heads do not match.
const HEADS: usize = 5;
/// The limit of nested calls followed to the smallest failing part.
const FOLLOWED: usize = 200;

/// The limit of a printed goal, in bytes.
pub type Longest = Whole<20, 4_000>;

/// A goal, or a move in its place.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Goal {
    /// The goal, or the label of a move
    #[arg(skip)]
    pub goal: String,
    #[command(flatten)]
    #[serde(flatten)]
    /// The position that position_now/1 gives
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// Shorten a goal whose text has more bytes
    #[arg(skip = Longest::usual::<4_000>())]
    #[serde(default = "Longest::usual::<4_000>")]
    pub longest: Longest,
}

/// An answer to be explained.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// Of what
    pub goal: Goal,
    /// Explain the N-th answer
    #[arg(long, value_name = "N", default_value = "1")]
    #[serde(default = "Many::usual::<1>")]
    pub answer: Many,
    /// Show so many levels of the proof
    #[arg(long, value_name = "N", default_value = "12")]
    #[serde(default = "Many::usual::<12>")]
    pub depth: Many,
    /// Show the insides of library predicates too
    #[arg(long)]
    #[serde(default)]
    pub library: bool,
}

/// A failure to be explained.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NotRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// Of what
    pub goal: Goal,
    /// Show so many levels of the failing calls
    #[arg(long, value_name = "N", default_value = "8")]
    #[serde(default = "Many::usual::<8>")]
    pub depth: Many,
}

/// Why a goal is true.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// the move that was meant; null if the goal is not a move
    #[serde(rename = "move")]
    pub meant: Option<Meant>,
    /// the variables of the answer that is explained, as text that can be read back; null if there is no such answer
    pub answer: Option<Values>,
    /// answers looked at
    pub found: usize,
    /// a proof for each goal of the conjunction; null if there is no such answer, or no proof of it was found
    pub proof: Option<Vec<Proof>>,
    /// the error that the goal ended in; absent if there is none
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<GoalError>,
    /// what is odd about the goal
    pub warnings: Problems,
}

/// A move in the place of a goal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Meant {
    /// its label
    pub label: String,
    /// the move is legal
    pub legal: bool,
}

impl From<reason::AskedMove> for Meant {
    fn from(asked: reason::AskedMove) -> Meant {
        Meant { label: asked.name, legal: asked.legal }
    }
}

/// Why a goal is not true.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NotReply {
    /// the move that was meant; null if the goal is not a move
    #[serde(rename = "move")]
    pub meant: Option<Meant>,
    /// the goal fails
    pub fails: bool,
    /// if the goal is true, the variables of its first answer, as text that can be read back; otherwise null
    pub answer: Option<Values>,
    /// why the goal fails; null if it does not
    pub failing: Option<Failing>,
    /// the smallest part that fails, however deep; null if nothing fails
    pub smallest: Option<Smallest>,
    /// the error that the goal ended in; absent if there is none
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<GoalError>,
    /// what is odd about the goal
    pub warnings: Problems,
}

/// The smallest part that fails.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Smallest {
    /// the smallest part that fails, and why
    pub message: String,
    /// what is to be seen at its place; null if it has none
    pub label: Option<String>,
    /// where it is written; null if nowhere
    pub place: Option<Place>,
    /// if the place is a head: the goal that called it; otherwise null
    pub called: Option<Place>,
    /// number of the clause whose goal or head it is, from 1; null if there is none
    #[schemars(range(min = 1))]
    pub clause: Option<usize>,
    /// attempts that fail, of which this is the nearest to success
    pub attempts: u64,
    /// what to do about it; null if there is nothing to say
    pub help: Option<String>,
    /// The same as it is drawn with its text.
    #[serde(skip)]
    pub drawn: Report,
}

impl Smallest {
    fn of(smallest: &failing::SmallestFailure, texts: &Arc<Sources>) -> Smallest {
        let at = smallest.place.as_ref();
        Smallest {
            message: smallest.message.clone(),
            label: at.map(|(_, words)| words.clone()),
            place: at.and_then(|(span, _)| Place::of(*span, "", texts)),
            called: smallest.called.and_then(|span| Place::of(span, "", texts)),
            clause: smallest.clause,
            attempts: smallest.attempts,
            help: smallest.help.clone(),
            drawn: Report::new(texts.clone(), vec![reason::problem(smallest, texts)]),
        }
    }
}

/// Proves a goal.
///
/// # Errors
///
/// The rules or the position contain an error. An error of the goal is part of the reply.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let Request { goal, answer, depth, library } = request;
    let (session, now) = opened((&goal.form, &goal.start), host, listen)?;
    let extent = Extent { depth: depth.get() as usize, goals: MOST, text: goal.longest.get() as usize };
    let proving = ProofOptions { answer: answer.get() as usize, extent, library: *library };
    let why = session.why(&goal.goal, proving, now)?;
    let texts = &why.warnings.sources;
    Ok(Reply {
        meant: why.asked.map(Meant::from),
        answer: why.answer.map(Values),
        found: why.found,
        proof: why.proof.as_ref().map(|proof| proofs(proof, texts)),
        error: why.error.map(|error| GoalError::of(error, texts)),
        warnings: Problems(why.warnings),
    })
}

/// Explains why a goal fails.
///
/// # Errors
///
/// As for [`answer`].
pub fn not(request: &NotRequest, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<NotReply> {
    let goal = &request.goal;
    let (session, now) = opened((&goal.form, &goal.start), host, listen)?;
    let detail = Detail { depth: FOLLOWED, text: goal.longest.get() as usize, clauses: HEADS };
    let why = session.why_not(&goal.goal, detail, now)?;
    let texts = &why.warnings.sources;
    let error = why.error.map(|error| with_loop(error, why.endless.as_ref()));
    Ok(NotReply {
        meant: why.asked.map(Meant::from),
        fails: why.fails,
        answer: why.answer.map(Values),
        failing: why.failing.as_ref().map(|failing| Failing::of(failing, texts, request.depth.get() as usize)),
        smallest: why.smallest.as_ref().map(|smallest| Smallest::of(smallest, texts)),
        error: error.map(|error| GoalError::of(error, texts)),
        warnings: Problems(why.warnings),
    })
}

/// The error of a spent budget, with a label at the call that spends it.
fn with_loop(error: AnswerError, endless: Option<&EndlessCall>) -> AnswerError {
    let Some(endless) = endless else { return error };
    let words = match endless.same {
        true => format!("the same call comes again below itself: {}", endless.goal),
        false => format!("it calls itself again and again: {}", endless.goal),
    };
    let labels = endless.span.map(|span| (span, words.clone())).into_iter().collect();
    AnswerError { problem: Problem { labels, ..error.problem }.help(words), ..error }
}
