//! Traces a goal by its ports, or a search by its positions.

use super::data::{Diagnostic, Number, Problems};
use super::form::{Form, Start};
use super::host::{AtPosition, Host, Listen, refusal};
use super::query::{Values, opened};
use super::search::algorithms;
use super::tree::score;
use super::words::{Spelled, Whole, Word};
use alphorn_search::game::Score;
use alphorn_search::search::Algorithm;
use alphorn_search::search::visits::can_report;
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
        match can_report(algorithm) {
            true => Ok(Followed(algorithm)),
            false => Err(algorithms(
                &format!("a search by {algorithm} cannot be traced; choose another algorithm"),
                can_report,
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
            .filter(|algorithm| can_report(*algorithm))
            .map(|algorithm| algorithm.name().to_string())
            .collect()
    }
}

fn alphabeta() -> Spelled<Followed> {
    Spelled(Followed(Algorithm::AlphaBeta))
}

/// The number of lines of a trace.
pub type Lines = Whole<1, 1_000_000>;

/// What to follow: a goal or a search.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[command(group = ArgGroup::new("followed").args(["typed", "goal"]).conflicts_with("search"))]
#[command(group = ArgGroup::new("either").args(["typed", "goal", "search"]).required(true))]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// Follow this goal through its ports; after -- it may begin with -
    #[arg(value_name = "GOAL")]
    #[serde(skip)]
    typed: Option<String>,
    /// The same, before the file
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
    /// How to search
    #[arg(long, value_name = "NAME", default_value_t = alphabeta(), help = algorithms("How to search", can_report))]
    #[serde(default = "alphabeta")]
    pub algorithm: Spelled<Followed>,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// Of a goal.
    Goal(Box<Goal>),
    /// Of a search.
    Search(Search),
}

/// What came of a goal that was followed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "TracedGoal")]
pub struct Goal {
    /// steps shown
    pub shown: u64,
    /// stopped after as many steps as were asked for
    pub full: bool,
    /// answers found
    pub answers: usize,
    /// there are no more answers
    pub complete: bool,
    /// what ended the goal; null if nothing did
    pub error: Option<Diagnostic>,
    /// what is odd about the goal
    pub warnings: Problems,
    /// the steps, in their order; absent if each is a line of its own
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// The error as it is drawn.
    #[serde(skip)]
    pub found: Option<AnswerError>,
}

/// What came of a search that was followed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "TracedSearch")]
pub struct Search {
    /// steps shown
    pub shown: u64,
    /// stopped after as many steps as were asked for
    pub full: bool,
    /// worth of the position for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that; null if the search was stopped
    pub value: Option<Number>,
    /// label of the best move; null if there is none, or the search was stopped
    pub best: Option<String>,
    /// positions visited
    pub nodes: u64,
    /// stopped before it was done
    pub stopped: bool,
    /// the steps, in their order; absent if each is a line of its own
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// The value as it is drawn.
    #[serde(skip)]
    pub score: Option<Score>,
}

/// What happens while a goal or a search is followed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "TraceStep")]
pub enum Step {
    /// A goal passes a port.
    Port(Port),
    /// The goal has an answer.
    Answer(Answer),
    /// A search enters or leaves a position.
    Visit(Visit),
}

/// A goal at one of its ports.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Port {
    /// the port: called, has an answer, is asked for another one, has no more, is left by an error
    #[schemars(extend("enum" = ["call", "exit", "redo", "fail", "exception"]))]
    pub port: &'static str,
    /// how many goals it stands in, itself included
    #[schemars(range(min = 1))]
    pub depth: u32,
    /// its predicate, such as `move/3`
    pub predicate: String,
    /// the goal with its bindings, shortened if it is very long
    pub goal: String,
}

/// An answer of the goal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Answer {
    /// the variables of the answer, as text that can be read back
    pub answer: Values,
}

/// A position that a search visits.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Visit {
    /// the search enters the position, or leaves it
    #[schemars(extend("enum" = ["in", "out"]))]
    pub visit: &'static str,
    /// plies from the root
    pub ply: u32,
    /// label of the move to it, or its number; null at the root
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// the position, in the notation of the game or as a term
    pub position: String,
    /// what MAX is sure of elsewhere; a declared win is 1000000 less its plies, a declared loss the negative of that; null if of nothing
    pub alpha: Option<Number>,
    /// what MIN is sure of elsewhere; null if of nothing
    pub beta: Option<Number>,
    /// what was found, for MAX: a bound if it is not between alpha and beta; null on entering
    pub score: Option<Number>,
    /// moves that were not looked at; null on entering
    pub cut: Option<usize>,
    /// The same as it is drawn.
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
