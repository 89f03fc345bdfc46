//! Profiles a search or a goal: calls, steps and time of every predicate and clause.

use super::clock::Clock;
use super::contest::rounded;
use super::data::{Diagnostic, Number, Place, Problems, Refusal};
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen, refusal};
use super::listing::Whose;
use super::query::opened;
use super::search::Search;
use super::words::{Spelled, Whole};
use alphorn_rules::rules::Expected;
use alphorn_search::game::Score;
use alphorn_search::search::limits::Limits;
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

/// What goals, ports and clauses are weighed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum By {
    /// Steps, which are the same on every machine
    #[default]
    Steps,
    /// Time by the clock
    Time,
    /// Calls
    Calls,
}

/// What to profile.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
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
    /// How to search
    pub search: Search,
    /// Measure: steps, time or calls
    #[arg(long, value_name = "MEASURE", default_value = "steps")]
    pub by: By,
}

command_line_defaults!(Request);

/// Where the time went.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// what ran the rules: the reference solver, which takes the steps that the compiled machine takes
    #[schemars(extend("const" = "reference"))]
    pub machine: &'static str,
    /// all steps of the rules
    pub steps: u64,
    /// time in the rules, in seconds
    #[schemars(range(min = 0))]
    pub seconds: Number,
    /// time outside of the rules, in seconds
    #[schemars(range(min = 0))]
    pub outside: Number,
    /// the questions that were asked of the rules
    pub questions: Vec<Question>,
    /// the predicates and builtins that were called
    pub predicates: Vec<Row>,
    /// the clauses of the predicates that were called, in the order of the texts
    pub clauses: Vec<ClauseRow>,
    /// the work of a goal itself, outside of what it calls
    pub itself: Work,
    /// what the search found, null if it went wrong; of a search only
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Option<Found>>,
    /// what came of the goal; of a goal only
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Answered>,
    /// what went wrong; null if nothing did
    pub error: Option<Diagnostic>,
    /// what is odd about the goal
    pub warnings: Problems,
    /// The same with the texts, as they are drawn.
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

/// A question that was asked of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Question {
    /// the predicate asked; null for a goal
    pub name: Option<String>,
    /// how often
    pub asked: u64,
    /// all steps that it took
    pub steps: u64,
    /// all the time that it took, in seconds
    #[schemars(range(min = 0))]
    pub seconds: Number,
}

/// What a predicate did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ProfileRow")]
pub struct Row {
    /// name and arity, such as `move/3`
    pub name: String,
    /// who has written it
    #[serde(rename = "origin")]
    pub whose: Whose,
    /// the text that it stands in; null of a builtin
    pub file: Option<String>,
    /// line of its first clause, from 1; null of a builtin
    #[schemars(range(min = 1))]
    pub line: Option<usize>,
    /// how often it was called
    pub calls: u64,
    /// how often it was asked for another answer
    pub redos: u64,
    /// how often it had an answer
    pub exits: u64,
    /// how often it had none, or no more
    pub fails: u64,
    /// how often an error left it
    pub exceptions: u64,
    /// its own steps
    pub steps: u64,
    /// its own time, in seconds
    #[schemars(range(min = 0))]
    pub seconds: Number,
    /// its part of the whole, by the measure asked for
    #[schemars(range(min = 0, max = 1))]
    pub share: Number,
}

/// What a clause did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ClauseRow {
    /// name and arity of its predicate, such as `move/3`
    pub name: String,
    /// who has written it
    #[serde(rename = "origin")]
    pub whose: Whose,
    /// the text that it stands in; null if that is not kept
    pub file: Option<String>,
    /// its line, from 1; null if its text is not kept
    #[schemars(range(min = 1))]
    pub line: Option<usize>,
    /// how often it was tried
    pub calls: u64,
    /// how often it was asked for another answer
    pub redos: u64,
    /// how often it had an answer
    pub exits: u64,
    /// how often it had none, or no more
    pub fails: u64,
    /// how often an error left it
    pub exceptions: u64,
    /// its own steps, those of builtins in it included
    pub steps: u64,
    /// its own time, in seconds
    #[schemars(range(min = 0))]
    pub seconds: Number,
    /// its part of the whole, by the measure asked for
    #[schemars(range(min = 0, max = 1))]
    pub share: Number,
    /// number of the clause in its predicate, from 1
    #[schemars(range(min = 1))]
    pub number: usize,
    /// steps of the clause and of the library in its service; 0 in the library
    pub served_steps: u64,
    /// time of the clause and of the library in its service, in seconds; 0 in the library
    #[schemars(range(min = 0))]
    pub served_seconds: Number,
}

/// Steps and time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Work {
    /// steps
    pub steps: u64,
    /// time, in seconds
    #[schemars(range(min = 0))]
    pub seconds: Number,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Found {
    /// worth of the position for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that; null if stopped before the first move was finished
    pub value: Option<Number>,
    /// label of the best move; null if there is none
    pub best: Option<String>,
    /// the depth that it was asked to search, in plies; null for the end of the game
    pub depth: Option<u32>,
    /// that depth was searched to its end
    pub finished: bool,
    /// positions visited
    pub nodes: u64,
    /// calls of static_eval/2
    pub evals: u64,
    /// stopped before it was done
    pub stopped: bool,
    /// The value as it is drawn.
    #[serde(skip)]
    pub score: Option<Score>,
}

/// What came of a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ProfileAnswer")]
pub struct Answered {
    /// answers found
    pub answers: usize,
    /// there are no more answers
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
