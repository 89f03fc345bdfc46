//! Traces a goal by its ports, or a search by its positions.

use super::data::{Diagnostic, Number, Problems};
use super::form::{Form, Start};
use super::host::{AtPosition, Host, Listen, refusal};
use super::kept_tree::score;
use super::query::{Values, opened};
use super::search::algorithms;
use super::words::{Spelled, Whole, Word};
use alphorn_search::game::Score;
use alphorn_search::search::Algorithm;
use alphorn_session::session::SessionResult;
use alphorn_session::session::query::{AnswerError, QueryOptions};
use alphorn_session::session::trace::{self, STEPS_TOLD, SearchTraceOptions, ShownPort, ShownVisit, TraceOptions};
use clap::{ArgGroup, Args};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// A search algorithm that can be traced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed(pub Algorithm);

impl FromStr for Followed {
    type Err = String;

    fn from_str(text: &str) -> Result<Followed, String> {
        let Spelled(algorithm) = text.parse::<Spelled<Algorithm>>()?;
        match algorithm.reports_visits() {
            true => Ok(Followed(algorithm)),
            false => Err(algorithms(
                &format!("a search by {algorithm} cannot be traced; choose another algorithm"),
                Algorithm::reports_visits,
            )),
        }
    }
}

impl fmt::Display for Followed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Word for Followed {
    const NAME: &'static str = "Followed";

    fn all() -> Vec<String> {
        Algorithm::every()
            .filter(|algorithm| algorithm.reports_visits())
            .map(|algorithm| algorithm.name().to_string())
            .collect()
    }
}

fn alphabeta() -> Spelled<Followed> {
    Spelled(Followed(Algorithm::AlphaBeta))
}

/// The number of lines of a trace.
pub type Lines = Whole<1, 1_000_000>;

/// A request to trace a goal or a search.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[command(group = ArgGroup::new("followed").args(["typed", "goal"]).conflicts_with("search"))]
#[command(group = ArgGroup::new("either").args(["typed", "goal", "search"]).required(true))]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Trace this goal; after --, the goal may begin with -
    #[arg(value_name = "GOAL")]
    #[serde(skip)]
    typed: Option<String>,
    /// Trace this goal; unlike GOAL, the option may stand before the file
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    #[serde(default)]
    #[schemars(description = "Trace this goal")]
    pub goal: Option<String>,
    /// Follow a search, position by position
    #[arg(long)]
    #[serde(default)]
    pub search: bool,
    /// For a goal: leave out calls nested deeper than N; for a search: search N plies deep
    #[arg(long, value_name = "N")]
    #[serde(default)]
    pub depth: Option<u32>,
    /// Stop after N lines
    #[arg(long, value_name = "N", default_value_t = Lines::usual::<STEPS_TOLD>())]
    #[serde(default = "Lines::usual::<STEPS_TOLD>")]
    pub limit: Lines,
    /// Look for N answers of the goal (default: all)
    #[arg(long, value_name = "N", requires = "followed")]
    #[serde(default)]
    pub answers: Option<usize>,
    /// Show only this predicate, NAME/ARITY or NAME; may be given several times
    #[arg(long, value_name = "PRED", requires = "followed")]
    #[serde(default)]
    pub only: Vec<String>,
    /// Leave out this predicate; may be given several times
    #[arg(long, value_name = "PRED", requires = "followed")]
    #[serde(default)]
    pub skip: Vec<String>,
    /// Trace inside library predicates too
    #[arg(long, requires = "followed")]
    #[serde(default)]
    pub library: bool,
    /// For a search: show only positions at most N plies from the root
    #[arg(long, value_name = "N", requires = "search")]
    #[serde(default)]
    pub plies: Option<u32>,
    /// The search algorithm.
    #[arg(long, value_name = "NAME", default_value_t = alphabeta(), help = algorithms("How to search", Algorithm::reports_visits))]
    #[serde(default = "alphabeta")]
    pub algorithm: Spelled<Followed>,
}

/// The trace of a goal or of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// The trace of a goal.
    Goal(Box<Goal>),
    /// The trace of a search.
    Search(Search),
}

/// The trace of a goal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "TracedGoal")]
pub struct Goal {
    /// The number of steps shown.
    pub shown: u64,
    /// Whether the limit of steps ended the trace.
    pub full: bool,
    /// The number of answers found.
    pub answers: usize,
    /// Whether there are no more answers.
    pub complete: bool,
    /// The error that ended the goal; null if there was no error.
    pub error: Option<Diagnostic>,
    /// The warnings about the goal.
    pub warnings: Problems,
    /// The steps, in their order. Missing if each step is printed on a line of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// The error, for the terminal.
    #[serde(skip)]
    pub found: Option<AnswerError>,
}

/// The trace of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "TracedSearch")]
pub struct Search {
    /// The number of steps shown.
    pub shown: u64,
    /// Whether the limit of steps ended the trace.
    pub full: bool,
    /// The value of the position for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N -
    /// 1000000. Null if the search was stopped.
    pub value: Option<Number>,
    /// The label of the best move; null if there is none, or if the search was stopped.
    pub best: Option<String>,
    /// The number of positions visited.
    pub nodes: u64,
    /// Whether the limit of steps or an interrupt stopped the search before its end.
    pub stopped: bool,
    /// The steps, in their order. Missing if each step is printed on a line of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// The value, for the terminal.
    #[serde(skip)]
    pub score: Option<Score>,
}

/// A step of a trace.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "TraceStep")]
pub enum Step {
    /// A goal passes a port.
    Port(Port),
    /// The traced goal has an answer.
    Answer(Answer),
    /// A search enters or leaves a position.
    Visit(Visit),
}

/// A goal at a port.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Port {
    /// The port: the goal is called (`call`), has an answer (`exit`), is called for another answer (`redo`),
    /// has no more answers (`fail`), or an error leaves it (`exception`).
    #[schemars(extend("enum" = ["call", "exit", "redo", "fail", "exception"]))]
    pub port: &'static str,
    /// The depth of the call: 1 for the traced goal, 2 for the goals that it calls, and so on.
    #[schemars(range(min = 1))]
    pub depth: u32,
    /// The name and the arity of the predicate, such as `move/3`.
    pub predicate: String,
    /// The goal with its bindings; a very long goal is shortened.
    pub goal: String,
}

/// An answer of the traced goal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Answer {
    /// The variables of the answer with their values, as Prolog text.
    pub answer: Values,
}

/// A visit of a position by a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Visit {
    /// Whether the search enters the position (`in`) or leaves it (`out`).
    #[schemars(extend("enum" = ["in", "out"]))]
    pub visit: &'static str,
    /// The number of plies from the root.
    pub ply: u32,
    /// The label or the number of the move to this position; null at the root.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The position, in the notation of the game, or as a term if the game has no notation.
    pub position: String,
    /// Alpha, the lower bound of the window, for MAX; null for an infinite bound. A win for MAX in N plies is
    /// 1000000 - N, a win for MIN is N - 1000000.
    pub alpha: Option<Number>,
    /// Beta, the upper bound of the window, for MAX; null for an infinite bound.
    pub beta: Option<Number>,
    /// The value found, for MAX; outside the window it is only a bound. Null if the search enters the
    /// position.
    pub score: Option<Number>,
    /// The number of moves that the search skipped; null if the search enters the position.
    pub cut: Option<usize>,
    /// The visit, for the terminal.
    #[serde(skip)]
    pub drawn: ShownVisit,
}

impl From<ShownVisit> for Visit {
    fn from(told: ShownVisit) -> Visit {
        Visit {
            visit: if told.left.is_some() { "out" } else { "in" },
            ply: told.ply,
            mv: told.label.clone(),
            position: told.position.clone(),
            alpha: score(told.window.0),
            beta: score(told.window.1),
            score: told.left.and_then(|left| score(left.score)),
            cut: told.left.map(|left| left.cut),
            drawn: told,
        }
    }
}

impl From<trace::TraceStep> for Step {
    fn from(step: trace::TraceStep) -> Step {
        match step {
            trace::TraceStep::Port(ShownPort { port, depth, predicate, goal }) => {
                Step::Port(Port { port: port.name(), depth, predicate, goal })
            }
            trace::TraceStep::Answer(answer) => Step::Answer(Answer { answer: Values(answer) }),
        }
    }
}

/// A function that receives every step as it happens.
pub type OnStep = Box<dyn FnMut(Step)>;

/// Traces a goal or a search and returns the steps.
///
/// # Errors
///
/// The rules or the request contain an error. An error of the goal is part of the reply.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let kept = Rc::new(RefCell::new(Vec::new()));
    let keeper = kept.clone();
    let mut reply = followed(request, host, listen, Box::new(move |step| keeper.borrow_mut().push(step)))?;
    match &mut reply {
        Reply::Goal(found) => found.steps = Some(kept.take()),
        Reply::Search(found) => found.steps = Some(kept.take()),
    }
    Ok(reply)
}

/// Traces a goal or a search. `hear` receives the steps, and the reply contains none.
///
/// # Errors
///
/// As for [`answer`].
pub fn followed(request: &Request, host: &Host<'_>, listen: Listen<'_>, hear: OnStep) -> SessionResult<Reply> {
    match request.goal() {
        Some(_) if request.search => {
            Err(refusal("a request traces either a goal or a search", "send \"goal\" or \"search\""))
        }
        Some(goal) => goal_followed(goal, request, host, listen, hear).map(|found| Reply::Goal(Box::new(found))),
        None if request.search => search_followed(request, host, listen, hear).map(Reply::Search),
        None => Err(refusal("the request names neither a goal nor a search", "send \"goal\", or \"search\": true")),
    }
}

impl Request {
    /// The goal to trace; `None` for a search.
    pub fn goal(&self) -> Option<&str> {
        self.typed.as_deref().or(self.goal.as_deref())
    }
}

fn goal_followed(
    goal: &str,
    request: &Request,
    host: &Host<'_>,
    listen: Listen<'_>,
    mut hear: OnStep,
) -> SessionResult<Goal> {
    let (session, now) = opened((&request.form, &request.start), host, listen)?;
    let follow = TraceOptions {
        only: request.only.clone(),
        skip: request.skip.clone(),
        library: request.library,
        depth: request.depth,
        limit: request.limit.get(),
    };
    let asking = QueryOptions { limit: request.answers.unwrap_or(usize::MAX), canonical: false, keep: false };
    let traced = session.trace_goal(goal, asking, now, &follow, Box::new(move |step| hear(step.into())))?;
    let answers = traced.answers;
    let sources = &answers.warnings.sources;
    Ok(Goal {
        shown: traced.told,
        full: traced.full,
        answers: answers.count,
        complete: answers.complete,
        error: answers.error.as_ref().map(|error| Diagnostic::of(&error.problem, sources)),
        warnings: Problems(answers.warnings),
        steps: None,
        found: answers.error,
    })
}

fn search_followed(request: &Request, host: &Host<'_>, listen: Listen<'_>, mut hear: OnStep) -> SessionResult<Search> {
    let AtPosition { session, game, state, .. } = host.game((&request.form, &request.start), None, listen)?;
    let follow = SearchTraceOptions { plies: request.plies, limit: request.limit.get() };
    let how = (request.algorithm.0.0, request.depth);
    let mut hear = |told: ShownVisit| hear(Step::Visit(told.into()));
    let traced = session.trace_search(&game, &state, how, follow, &mut hear)?;
    let outcome = traced.outcome;
    let score = outcome.value.filter(|_| !outcome.stopped);
    Ok(Search {
        shown: traced.told,
        full: traced.full,
        value: score.map(|value| Number(value.to_number())),
        best: outcome.best.filter(|_| !outcome.stopped),
        nodes: outcome.nodes,
        stopped: outcome.stopped,
        steps: None,
        score,
    })
}
