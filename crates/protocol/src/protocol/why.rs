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

/// A goal to explain, or a move in the place of a goal.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Goal {
    /// The goal, as Prolog text, or the label of a move.
    #[arg(skip)]
    pub goal: String,
    #[command(flatten)]
    #[serde(flatten)]
    /// The position that `position_now/1` gives.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// The limit for the text of a goal, in bytes: a longer goal is shortened.
    #[arg(skip = Longest::usual::<4_000>())]
    #[serde(default = "Longest::usual::<4_000>")]
    pub longest: Longest,
}

/// A request to explain why a goal is true.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The goal.
    pub goal: Goal,
    /// Explain the N-th answer
    #[arg(long, value_name = "N", default_value = "1")]
    #[serde(default = "Many::usual::<1>")]
    pub answer: Many,
    /// Show N levels of the proof
    #[arg(long, value_name = "N", default_value = "12")]
    #[serde(default = "Many::usual::<12>")]
    pub depth: Many,
    /// Show the insides of library predicates too
    #[arg(long)]
    #[serde(default)]
    pub library: bool,
}

/// A request to explain why a goal fails.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NotRequest {
    #[command(flatten)]
    #[serde(flatten)]
    /// The goal.
    pub goal: Goal,
    /// Show N levels of the failing calls
    #[arg(long, value_name = "N", default_value = "8")]
    #[serde(default = "Many::usual::<8>")]
    pub depth: Many,
}

/// The explanation why a goal is true.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The move, if the request gives a move in the place of a goal; otherwise null.
    #[serde(rename = "move")]
    pub meant: Option<Meant>,
    /// The variables of the explained answer with their values, as Prolog text; null if there is no such
    /// answer.
    pub answer: Option<Values>,
    /// The number of answers that Alphorn looked at.
    pub found: usize,
    /// The proofs, one for each goal of the conjunction; null if there is no such answer, or no proof was
    /// found.
    pub proof: Option<Vec<Proof>>,
    /// The error that ended the goal. Missing if there was no error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<GoalError>,
    /// The warnings about the goal.
    pub warnings: Problems,
}

/// A move in the place of a goal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Meant {
    /// The label of the move.
    pub label: String,
    /// Whether the move is legal.
    pub legal: bool,
}

impl From<reason::MeantMove> for Meant {
    fn from(meant: reason::MeantMove) -> Meant {
        Meant { label: meant.name, legal: meant.legal }
    }
}

/// The explanation why a goal fails.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NotReply {
    /// The move, if the request gives a move in the place of a goal; otherwise null.
    #[serde(rename = "move")]
    pub meant: Option<Meant>,
    /// Whether the goal fails.
    pub fails: bool,
    /// The variables of the first answer with their values, as Prolog text; null if the goal fails.
    pub answer: Option<Values>,
    /// The reason why the goal fails; null if the goal does not fail.
    pub failing: Option<Failing>,
    /// The smallest part of the goal that fails, at any depth; null if the goal does not fail.
    pub smallest: Option<Smallest>,
    /// The error that ended the goal. Missing if there was no error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<GoalError>,
    /// The warnings about the goal.
    pub warnings: Problems,
}

/// The smallest part of a goal that fails.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Smallest {
    /// The part that fails, and the reason.
    pub message: String,
    /// The label of its place in the text; null if there is no place.
    pub label: Option<String>,
    /// The place of the part in the text; null if it is not in a text.
    pub place: Option<Place>,
    /// The place of the goal that called, if `place` is in a head; otherwise null.
    pub called: Option<Place>,
    /// The number of the clause that contains the place, from 1; null if there is none.
    #[schemars(range(min = 1))]
    pub clause: Option<usize>,
    /// The number of failed attempts; this part belongs to the attempt that got furthest.
    pub attempts: u64,
    /// What to do; null if there is no suggestion.
    pub help: Option<String>,
    /// The failure with its text, for the terminal.
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
        meant: why.meant.map(Meant::from),
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
        meant: why.meant.map(Meant::from),
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
