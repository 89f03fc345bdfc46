//! Checks files or texts of rules and reports all problems.

use super::clock::Clock;
use super::data::Problems;
use super::form::{Form, command_line_defaults};
use super::game::Text;
use super::host::{Event, Host, Listen, Progress, Unit};
use super::partial::{CheckedFile, SlowPlace};
use super::words::Seconds;
use alphorn_lang::lang::{ProgramOptions, is_broken};
use alphorn_rules::rules::cost::{self, CompiledGame};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::{self, Expected, Rules, coverage, playouts};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_session::session::options::{source, sources};
use alphorn_session::session::predicates::PredicateOrigin;
use alphorn_session::session::profile::Profiled;
use alphorn_session::session::{Budgets, Failure, GameStart, Session, SessionResult, lead};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{Origin, Source, Sources, Span};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A request to check rules. Without files and texts Alphorn checks the loaded rules.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The files to check.
    #[arg(skip)]
    pub files: Vec<String>,
    /// The texts to check, which are not in files.
    #[arg(skip)]
    pub texts: Vec<Text>,
    /// Play N random games to check the rules; 0 plays none (default: the first 20 plies of one game)
    #[arg(long, value_name = "N")]
    pub playouts: Option<u32>,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play at most this many seconds for each file
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
    /// Print the compiled code of the game predicates
    #[arg(long)]
    pub code: bool,
    /// Print the goals that could not be specialised, and so are slow
    #[arg(long)]
    pub cost: bool,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
}

command_line_defaults!(Request);

/// The result of checking files or texts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The results, one for each file or text in the order of the request.
    pub files: Vec<CheckedFile>,
}

/// The load options of a form.
pub(super) fn options(form: &Form) -> ProgramOptions {
    ProgramOptions { settings: form.params.clone(), ..ProgramOptions::default() }
}

/// The budgets of a form.
pub(super) fn budgets(form: &Form) -> Budgets {
    Budgets::new(form.steps, form.memory.map(|bytes| bytes.0))
}

/// A name with the text that was read, or with the error.
pub(super) type Read = (String, SessionResult<Source>);

/// The texts of a request.
pub(super) fn texts(files: &[String], texts: &[Text], host: &Host<'_>) -> Vec<Read> {
    let typed = |Text { name, text }: &Text| {
        let origin = host.policy.origin(name, || Origin::File(name.as_str().into()));
        (name.clone(), Ok(Source { name: name.as_str().into(), text: text.as_str().into(), origin }))
    };
    let read = |file: &String| (file.clone(), source(file));
    let mut all: Vec<Read> = files.iter().map(read).chain(texts.iter().map(typed)).collect();
    if all.is_empty() {
        let loaded = host.load_options();
        all.extend(loaded.files.iter().map(read));
        all.extend(loaded.texts.iter().map(|text| (text.name.to_string(), Ok(text.clone()))));
    }
    all
}

/// Checks files or texts. With several, an event reports each one that is done.
///
/// # Errors
///
/// An overlay cannot be read.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let overlays = sources(&request.form.overlays)?;
    let options = ProgramOptions { kept: Some(host.kept.clone()), ..options(&request.form) };
    let mut files = Vec::new();
    let texts = texts(&request.files, &request.texts, host);
    let several = texts.len() > 1;
    for (name, read) in texts {
        let file = match read {
            Ok(text) => {
                let mut file = checked(name, &text, &overlays, &options, request, (&host.stop, listen));
                // After an interrupt, what is known is printed at once.
                if !host.stop.load(Relaxed) && lead::may_explain(&file.problems.0) {
                    let rules = rules::load(std::slice::from_ref(&text), &overlays, &options, Expected::Game);
                    lead::explain(&mut file.problems.0, &rules, budgets(&request.form), &host.stop);
                }
                file
            }
            Err(Failure::Problem(problem, sources)) => {
                let report = Report::new(sources, vec![*problem]);
                CheckedFile { read: false, ..file(name, (report, None), None, request, &[]) }
            }
            Err(failure) => return Err(failure),
        };
        if several {
            listen(Event::Checked { file: Box::new(file.clone()) });
        }
        files.push(file);
    }
    Ok(Reply { files })
}

/// Checks one text, which need not be saved. `name` is its name in the result.
pub fn checked(
    name: String,
    text: &Source,
    overlays: &[Source],
    options: &ProgramOptions,
    request: &Request,
    (stop, listen): (&Arc<AtomicBool>, Listen<'_>),
) -> CheckedFile {
    let texts = std::slice::from_ref(text);
    if request.playouts.is_none() && request.time.is_none() && !request.code && !request.cost {
        let (budgets, seed) = (budgets(&request.form), request.seed);
        let play = move |rules: Rules, stop| glance(&rules, budgets, seed, stop);
        let found = rules::check_and_play(texts, overlays, options, stop, play);
        if found.played.is_some() || is_broken(&found.report) {
            let played = (with_problems(found.report, found.played.unwrap_or_default(), stop), None);
            let stopped = stop.load(Relaxed);
            return CheckedFile { stopped, ..file(name, played, None, request, &found.notes) };
        }
    }
    let clock = Clock::new(stop, request.time.map(|seconds| seconds.0));
    let rules = rules::load(texts, overlays, options, Expected::Game);
    clock.begin();
    let mut notes = rules.notes.to_vec();
    let compiled = ((request.code || request.cost) && !rules.is_broken()).then(|| {
        let mut compiled = cost::compiled(&rules);
        if request.cost && !compiled.costs.is_empty() {
            notes.extend(weigh(&mut compiled, (texts, overlays), options, budgets(&request.form), clock.flag()));
        }
        compiled
    });
    let played = played(rules, request, clock.flag(), listen);
    CheckedFile { stopped: clock.flag().load(Relaxed), ..file(name, played, compiled, request, &notes) }
}

fn file(
    file: String,
    (report, games): (Report, Option<u32>),
    compiled: Option<CompiledGame>,
    request: &Request,
    notes: &[String],
) -> CheckedFile {
    let code = compiled.as_ref().filter(|compiled| !compiled.by_reference).map(|compiled| compiled.code.clone());
    let cost =
        |compiled: &CompiledGame| compiled.costs.iter().map(|cost| SlowPlace::of(cost, &report.sources)).collect();
    CheckedFile {
        file,
        read: true,
        errors: report.errors(),
        warnings: report.warnings(),
        notes: notes.to_vec(),
        games,
        stopped: false,
        code: request.code.then_some(code),
        cost: request.cost.then(|| compiled.as_ref().map(cost)),
        compiled,
        problems: Problems(report),
    }
}

/// The nodes of the search that measures where play spends its time.
const WEIGHED: u64 = 2000;

/// The seconds of that search, if the rules are slow.
const WEIGHING_SECONDS: u32 = 3;

/// Sorts the notes of a compiled game by the time that a short search spends on each rule. If the
/// search fails, the textual order stays; the failure is reported elsewhere. Returns a remark if the time
/// ended the search.
fn weigh(
    compiled: &mut CompiledGame,
    (texts, overlays): (&[Source], &[Source]),
    options: &ProgramOptions,
    budgets: Budgets,
    stop: &Arc<AtomicBool>,
) -> Option<String> {
    let clock = Clock::new(stop, Some(WEIGHING_SECONDS.into()));
    let opened = Session::open(texts, overlays, options, Expected::Game, budgets, clock.flag().clone());
    let session = opened.ok()?;
    clock.begin();
    let limits = Limits { nodes: Some(WEIGHED), stop: Some(clock.flag()), timed: true, ..Limits::default() };
    let found = session.profile_search(&GameStart::default(), &Algorithm::Auto.into(), &limits);
    let Profiled { profile, .. } = found.ok().filter(|found| found.profile.steps > 0)?;
    compiled.weigh(|rule| {
        // The work of a library predicate counts for the clause that calls it.
        let served = profile.clauses.iter().filter(|row| row.name == rule && row.whose == PredicateOrigin::Own);
        let own = profile.predicates.iter().filter(|row| row.name == rule && row.whose != PredicateOrigin::Own);
        let steps = served.map(|row| row.served.0).sum::<u64>() + own.map(|row| row.figures.steps).sum::<u64>();
        let calls = profile.predicates.iter().filter(|row| row.name == rule).map(|row| row.figures.calls).sum();
        (steps as f64 / profile.steps as f64, calls)
    });
    let is_late = clock.flag().load(Relaxed) && !stop.load(Relaxed);
    is_late.then(|| {
        format!(
            "the play that puts slow places in order stopped after {WEIGHING_SECONDS} s, because the rules are slow"
        )
    })
}

/// The problems of the first plies of a random game.
fn glance(rules: &Rules, budgets: Budgets, seed: u64, stop: Arc<AtomicBool>) -> Vec<Problem> {
    match RuleGame::brief(rules.clone(), budgets.game, stop) {
        Ok(game) => playouts::play_briefly(&game, seed),
        Err(fault) => vec![fault.problem(&rules.program, &[])],
    }
}

/// The report of a file with that of random play, and the number of games if any were requested.
fn played(rules: Rules, request: &Request, stop: &Arc<AtomicBool>, listen: Listen<'_>) -> (Report, Option<u32>) {
    if request.playouts == Some(0) || rules.is_broken() {
        return (rules.report, None);
    }
    let budgets = budgets(&request.form);
    let Some(all) = request.playouts else {
        let problems = glance(&rules, budgets, request.seed, stop.clone());
        return (with_problems(rules.report, problems, stop), None);
    };
    let (mut problems, mut games) = (Vec::new(), 0);
    match RuleGame::new(rules.clone(), budgets.game, stop.clone()) {
        Ok(game) => {
            let done = Cell::new(0);
            let hear = |games: u32| {
                done.set(games);
                let (done, total) = (games.into(), Some(all.into()));
                listen(Event::Progress(Progress { unit: Unit::Games, done, total, task: None }));
            };
            let mut played = playouts::play(&game, all, request.seed, &hear);
            drop(game);
            problems.extend(coverage::notes(&rules, &played, budgets.game, stop));
            problems.append(&mut played.problems);
            games = done.get();
        }
        Err(fault) => problems.push(fault.problem(&rules.program, &[])),
    }
    (with_problems(rules.report, problems, stop), Some(games))
}

/// The problems of the text and of random play. If both report the form of a position, the smaller place says more.
fn merged(sources: &Sources, mut problems: Vec<Problem>, mut played: Vec<Problem>) -> Vec<Problem> {
    let place = |problem: &Problem| {
        let is_form = matches!(problem.code, Code::ClauseMatchesNoPosition | Code::GoalNeverSucceeds);
        problem.labels.first().map(|label| label.0).filter(|_| is_form)
    };
    let is_inside =
        |one: &Problem, other: &Problem| place(one).zip(place(other)).is_some_and(|(one, other)| other.contains(one));
    let line = |problem: &Problem| place(problem).map(|place| (place.source, sources.line_column(place).0));
    let is_of_claim = |one: &Problem, other: &Problem| {
        one.is_about_claim && other.is_about_claim && line(one).is_some() && line(one) == line(other)
    };
    played.retain(|other| !problems.iter().any(|problem| is_inside(problem, other) || is_of_claim(problem, other)));
    problems.retain(|problem| !played.iter().any(|other| is_inside(other, problem)));
    let is_cause = |problem: &Problem| {
        problem.explains_faults() && !problem.is_about_claim && problem.code != Code::SingletonVariable
    };
    let causes = problems.iter().chain(&played).filter(|problem| is_cause(problem));
    let causes: Vec<Span> = causes.filter_map(|problem| Some(problem.labels.first()?.0)).collect();
    // A predicate that fails may fail because of them. Other faults have advice of their own.
    let fails = |problem: &Problem| problem.code == Code::NoMovesNotTerminal || problem.message.contains(" fails");
    if !causes.is_empty() {
        played.iter_mut().filter(|problem| fails(problem)).for_each(|problem| lead::remove_advice(problem, &causes));
    }
    problems.append(&mut played);
    problems
}

/// A report with the problems of random play.
fn with_problems(report: Report, played: Vec<Problem>, stop: &AtomicBool) -> Report {
    let Report { sources, mut problems } = report;
    problems = merged(&sources, problems, played);
    if stop.load(Relaxed) {
        // An interrupt is not a mistake of the rules.
        problems.retain(|problem| problem.code != Code::Interrupted);
    }
    Report::new(sources, problems)
}
