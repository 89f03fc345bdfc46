//! Profiles a search or a goal: calls, steps and time of every predicate and clause.

use super::clock::Clock;
use super::data::{Diagnostic, Number, Place, Problems, Refusal, rounded};
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen, refusal};
use super::listing::Whose;
use super::query::opened;
use super::search::Search;
use super::words::{Spelled, Whole};
use alphorn_rules::rules::Expected;
use alphorn_search::game::Score;
use alphorn_search::search::{Algorithm, SEED};
use alphorn_session::session::predicates;
use alphorn_session::session::profile::{self, Figures, Profiled};
use alphorn_session::session::query::QueryOptions;
use alphorn_session::session::{Failure, Session, SessionResult};
use alphorn_text::report::Report;
use alphorn_text::source::{Sources, Span};
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The measure by which a profile sorts its rows and computes shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum By {
    /// Steps, which are the same on every machine
    #[default]
    Steps,
    /// Elapsed time
    Time,
    /// Calls
    Calls,
}

/// A request for a profile.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Profile this goal, not a search
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true, conflicts_with_all = ["playouts", "depth"])]
    pub goal: Option<String>,
    /// Look for N answers of the goal (default: all)
    #[arg(long, value_name = "N", requires = "goal")]
    pub answers: Option<usize>,
    /// Profile N random games, not a search; --seed chooses the games
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    pub playouts: Option<Whole<1, 1_000_000_000>>,
    #[command(flatten)]
    #[serde(flatten)]
    /// The search options.
    pub search: Search,
    /// Measure: steps, time or calls
    #[arg(long, value_name = "MEASURE", default_value = "steps")]
    pub by: By,
}

command_line_defaults!(Request);

/// The profile of a search, of random games, or of a goal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The solver that ran the rules: `reference`. Its steps are those of the compiled machine.
    #[schemars(extend("const" = "reference"))]
    pub machine: &'static str,
    /// The number of steps of all rules.
    pub steps: u64,
    /// The time in the rules, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: Number,
    /// The time outside the rules, in seconds.
    #[schemars(range(min = 0))]
    pub outside: Number,
    /// The calls of the game predicates from outside the rules, one row for each predicate.
    pub questions: Vec<Question>,
    /// The predicates and builtins that were called.
    pub predicates: Vec<Row>,
    /// The clauses of these predicates, in the order of the texts.
    pub clauses: Vec<ClauseRow>,
    /// The work of a typed goal itself, without the predicates that it calls.
    pub itself: Work,
    /// The result of the search; null after an error. Missing for a goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Option<Found>>,
    /// The result of the goal. Missing for a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Answered>,
    /// The error that ended the run; null if there was no error.
    pub error: Option<Diagnostic>,
    /// The warnings about the goal.
    pub warnings: Problems,
    /// The counts, texts and errors, for the terminal.
    #[serde(skip)]
    pub drawn: Drawn,
}

/// The data of a profile that a terminal draws.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The counts.
    pub profile: profile::Profile,
    /// The source texts.
    pub sources: Arc<Sources>,
    /// The error that ended the run.
    pub failure: Option<Arc<Failure>>,
    /// Whether the user interrupted the run.
    pub stopped: bool,
}

/// The calls of one game predicate from outside the rules.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Question {
    /// The name and the arity of the predicate; null for a typed goal.
    pub name: Option<String>,
    /// The number of calls.
    pub asked: u64,
    /// The number of steps of these calls, with everything that they call.
    pub steps: u64,
    /// The time of these calls, in seconds, with everything that they call.
    #[schemars(range(min = 0))]
    pub seconds: Number,
}

/// The counts of a predicate.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ProfileRow")]
pub struct Row {
    /// The name and the arity, such as `move/3`.
    pub name: String,
    /// The origin: where the predicate comes from.
    #[serde(rename = "origin")]
    pub whose: Whose,
    /// The name of the text that contains the predicate; null for a builtin.
    pub file: Option<String>,
    /// The line of the first clause, from 1; null for a builtin.
    #[schemars(range(min = 1))]
    pub line: Option<usize>,
    /// The number of calls.
    pub calls: u64,
    /// The number of calls for another answer.
    pub redos: u64,
    /// The number of answers.
    pub exits: u64,
    /// The number of calls that ended without an answer, or without another answer.
    pub fails: u64,
    /// The number of calls that ended in an error.
    pub exceptions: u64,
    /// The number of steps, without those of the predicates that it calls.
    pub steps: u64,
    /// The time in seconds, without the time of the predicates that it calls.
    #[schemars(range(min = 0))]
    pub seconds: Number,
    /// The share of the whole profile, by the measure of the request, from 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub share: Number,
}

/// The counts of a clause.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ClauseRow {
    /// The name and the arity of the predicate, such as `move/3`.
    pub name: String,
    /// The origin: where the predicate comes from.
    #[serde(rename = "origin")]
    pub whose: Whose,
    /// The name of the text that contains the clause; null if Alphorn does not keep the text.
    pub file: Option<String>,
    /// The line of the clause, from 1; null if Alphorn does not keep the text.
    #[schemars(range(min = 1))]
    pub line: Option<usize>,
    /// The number of times that the clause was tried.
    pub calls: u64,
    /// The number of calls for another answer.
    pub redos: u64,
    /// The number of answers.
    pub exits: u64,
    /// The number of tries that ended without an answer, or without another answer.
    pub fails: u64,
    /// The number of tries that ended in an error.
    pub exceptions: u64,
    /// The number of steps of the clause itself, including the builtins in its body.
    pub steps: u64,
    /// The time of the clause itself, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: Number,
    /// The share of the whole profile, by the measure of the request, from 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub share: Number,
    /// The number of the clause in its predicate, from 1.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The number of steps of the clause and of the library predicates that it calls; 0 for a library clause.
    pub served_steps: u64,
    /// The time in seconds of the clause and of the library predicates that it calls; 0 for a library clause.
    #[schemars(range(min = 0))]
    pub served_seconds: Number,
}

/// A number of steps and a time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Work {
    /// The number of steps.
    pub steps: u64,
    /// The time, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: Number,
}

/// The result of a profiled search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Found {
    /// The value of the position for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N -
    /// 1000000. Null if the search was stopped before it finished the first move.
    pub value: Option<Number>,
    /// The label of the best move; null if there is none.
    pub best: Option<String>,
    /// The depth limit of the search, in plies; null for a search to the end of the game.
    pub depth: Option<u32>,
    /// Whether the search finished that depth.
    pub finished: bool,
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of calls of `static_eval/2`.
    pub evals: u64,
    /// Whether a limit or an interrupt stopped the search before its end.
    pub stopped: bool,
    /// The value, for the terminal.
    #[serde(skip)]
    pub score: Option<Score>,
}

/// The result of a profiled goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ProfileAnswer")]
pub struct Answered {
    /// The number of answers found.
    pub answers: usize,
    /// Whether there are no more answers.
    pub complete: bool,
}

/// The number by which a row is sorted.
pub fn weight(figures: &Figures, by: By) -> f64 {
    match by {
        By::Steps => figures.steps as f64,
        By::Time => figures.seconds,
        By::Calls => figures.calls as f64,
    }
}

/// The sum of the numbers of all predicates.
pub fn whole(profile: &profile::Profile, by: By) -> f64 {
    match by {
        By::Steps => profile.steps as f64,
        By::Time => profile.seconds,
        By::Calls => profile.predicates.iter().map(|row| weight(&row.figures, by)).sum(),
    }
}

/// Profiles a search or a goal.
///
/// # Errors
///
/// The rules or the request contain an error. An error during the run is part of the reply.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    match &request.goal {
        Some(_) if request.playouts.is_some() || request.search.depth.is_some() => {
            Err(refusal("a request profiles either a goal or a search", "send \"goal\" alone"))
        }
        Some(goal) => of_goal(goal, request, host, listen),
        None => of_search(request, host, listen),
    }
}

impl Request {
    /// The search options. Playouts count as a search too.
    fn searching(&self) -> Search {
        let mut search = self.search.clone();
        if let Some(games) = self.playouts {
            search.algorithm = Spelled(Algorithm::Playouts);
            search.sample.games = Whole::try_from(games.get()).ok();
            search.seed = search.seed.or(Some(SEED));
        }
        search
    }
}

fn of_search(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let search = request.searching();
    let clock = Clock::new(&host.stop, search.time.map(|time| time.0));
    let session = host.session(&request.form, Expected::Game, clock.flag(), listen)?;
    let hear = |nodes| listen(Event::positions(nodes));
    let limits = search.limits(clock.flag(), &hear);
    let backup = search.risk.backup();
    clock.begin();
    let profiled = session.profile_search(&request.start.place(), &search.how(1, &backup, None), &limits)?;
    let Profiled { profile, found } = profiled;
    let (found, failure) = match found {
        Ok(found) => (Some(found.outcome), None),
        Err(failure) => (None, Some(failure)),
    };
    let found = found.map(|outcome| Found {
        value: outcome.value.map(|value| Number(value.to_number())),
        best: outcome.best,
        depth: outcome.depth,
        finished: !outcome.partial,
        nodes: outcome.nodes,
        evals: outcome.evals,
        stopped: outcome.stopped,
        score: outcome.value,
    });
    Ok(Reply { search: Some(found), ..reply(request.by, profile, &session, failure) })
}

fn of_goal(goal: &str, request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let (session, now) = opened((&request.form, &request.start), host, listen)?;
    let asking = QueryOptions { limit: request.answers.unwrap_or(usize::MAX), canonical: false, keep: false };
    let Profiled { profile, found } = session.profile_goal(goal, asking, now);
    let found = found?;
    let stopped = found.error.as_ref().is_some_and(|error| error.stopped);
    let sources = &found.warnings.sources;
    let failure = found.error.map(|error| Failure::Problem(Box::new(error.problem), sources.clone()));
    let mut reply = reply(request.by, profile, &session, failure);
    reply.drawn.stopped = stopped;
    let goal = Some(Answered { answers: found.count, complete: found.complete });
    Ok(Reply { goal, warnings: Problems(found.warnings), ..reply })
}

/// The row of a clause, given what it has in common with the row of a predicate.
fn clause_row(row: Row, found: &profile::ClauseProfile) -> ClauseRow {
    let Row { name, whose, file, line, calls, redos, exits, fails, exceptions, steps, seconds, share } = row;
    ClauseRow {
        name,
        whose,
        file,
        line,
        calls,
        redos,
        exits,
        fails,
        exceptions,
        steps,
        seconds,
        share,
        number: found.number,
        served_steps: found.served.0,
        served_seconds: rounded(found.served.1),
    }
}

fn reply(by: By, profile: profile::Profile, session: &Session, failure: Option<Failure>) -> Reply {
    let sources = session.rules.program.sources.clone();
    let all = whole(&profile, by);
    let row = |name: &str, whose: predicates::PredicateOrigin, span: Option<Span>, figures: Figures| {
        let place = span.and_then(|span| Place::of(span, "", &sources));
        let Figures { calls, redos, exits, fails, exceptions, steps, seconds } = figures;
        Row {
            name: name.to_string(),
            whose: whose.into(),
            line: place.as_ref().map(|place| place.line),
            file: place.map(|place| place.file),
            calls,
            redos,
            exits,
            fails,
            exceptions,
            steps,
            seconds: rounded(seconds),
            share: rounded(if all > 0.0 { weight(&figures, by) / all } else { 0.0 }),
        }
    };
    let predicates = profile.predicates.iter().map(|found| row(&found.name, found.whose, found.span, found.figures));
    let clauses = profile
        .clauses
        .iter()
        .map(|found| clause_row(row(&found.name, found.whose, Some(found.span), found.figures), found));
    let questions = profile.questions.iter().filter(|row| row.asked > 0).map(|row| Question {
        name: row.name.clone(),
        asked: row.asked,
        steps: row.steps,
        seconds: rounded(row.seconds),
    });
    Reply {
        machine: "reference",
        steps: profile.steps,
        seconds: rounded(profile.seconds),
        outside: rounded(profile.outside),
        questions: questions.collect(),
        predicates: predicates.collect(),
        clauses: clauses.collect(),
        itself: Work { steps: profile.itself.steps, seconds: rounded(profile.itself.seconds) },
        search: None,
        goal: None,
        error: failure.as_ref().map(|failure| Refusal::from(failure).error),
        warnings: Problems(Report::new(sources.clone(), Vec::new())),
        drawn: Drawn { profile, sources, failure: failure.map(Arc::new), stopped: false },
    }
}
