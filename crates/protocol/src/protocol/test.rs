//! Tests the expectations in game files.

use super::check::{budgets, options, texts};
use super::clock::Clock;
use super::data::{Diagnostic, Problems};
use super::form::{Form, command_line_defaults};
use super::game::Text;
use super::host::{Event, Host, Listen, PositionTotal, Progress, Unit};
use super::partial::{BrokenFile, Expectation, LoadedFile, TestedFile, Verdict};
use super::words::Seconds;
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::game::RuleGame;
use alphorn_session::session::claims::TestedExpectation;
use alphorn_session::session::options::sources;
use alphorn_session::session::{Session, SessionResult, claims, lead};
use alphorn_text::code::Code;
use alphorn_text::printable::line;
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{Sources, Span};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A request to test expectations. Without files and texts Alphorn tests the loaded rules.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The files to test.
    #[arg(skip)]
    pub files: Vec<String>,
    /// The texts to test, which are not in files.
    #[arg(skip)]
    pub texts: Vec<Text>,
    /// Time for each expectation, in seconds; an expectation that takes longer is undecided
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time: Seconds,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
}

command_line_defaults!(Request);

/// The result of testing files or texts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The results, one for each file or text in the order of the request.
    pub files: Vec<TestedFile>,
}

/// An upper bound for the delay of a clock, in seconds.
const LATE: f64 = 0.5;

/// Tests files or texts. An event reports each expectation, and each file if there are several. Expectations that are
/// quick, and those that tell most exactly what is wrong, are tested first; the result has the order of the file.
///
/// # Errors
///
/// An overlay cannot be read, or a game cannot be compiled.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let (form, stop) = (&request.form, &host.stop);
    let overlays = sources(&form.overlays)?;
    let mut files = Vec::new();
    let texts = texts(&request.files, &request.texts, host);
    let (several, total) = (texts.len() > 1, PositionTotal::default());
    for (name, read) in texts {
        let opened = read.and_then(|text| {
            Session::open(&[text], &overlays, &options(form), Expected::Game, budgets(form), Arc::clone(stop))
        });
        let file = match opened {
            Ok(session) => TestedFile::Loaded(counted(name, &session, request, stop, (listen, &total))?),
            Err(failure) => {
                let problems = Problems(failure.report());
                TestedFile::Broken(BrokenFile { file: name, loaded: false, problems, failure: Arc::new(failure) })
            }
        };
        if several {
            listen(Event::Tested { file: Box::new(file.clone()) });
        }
        files.push(file);
    }
    Ok(Reply { files })
}

/// Tests the expectations of a session. `file` is its name in the result.
///
/// # Errors
///
/// The game cannot be compiled.
pub fn tested(
    file: String,
    session: &Session,
    request: &Request,
    stop: &Arc<AtomicBool>,
    listen: Listen<'_>,
) -> SessionResult<LoadedFile> {
    counted(file, session, request, stop, (listen, &PositionTotal::default()))
}

/// Tests the expectations of a session. The positions of progress events are added to a total.
fn counted(
    file: String,
    session: &Session,
    request: &Request,
    stop: &Arc<AtomicBool>,
    (listen, total): (Listen<'_>, &PositionTotal),
) -> SessionResult<LoadedFile> {
    let mut report = session.rules.report.clone();
    lead::explain(&mut report, &session.rules, budgets(&request.form), stop);
    super::host::warn(&report, listen);
    let sources = &session.rules.program.sources;
    let claims = &session.rules.claims;
    let (time, set) = (request.time.0, &request.form.params);
    let mut expectations: Vec<(usize, Expectation)> = Vec::new();
    let mut faults = Faults::default();
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by_key(|at| session.test_rank(&claims[*at]));
    let mut ready: Option<(Session, RuleGame, Arc<AtomicBool>)> = None;
    for at in order.into_iter().take_while(|_| !stop.load(Relaxed)) {
        let stated = &claims[at];
        // Compiled rules are reused until their stop flag is set or may be set soon.
        let (session, game, flag) = match ready.take() {
            Some(ready) => ready,
            None => {
                let flag = Arc::default();
                let session = session.with_stop_flag(Arc::clone(&flag));
                let game = session.game()?;
                (session, game, flag)
            }
        };
        let clock = Clock::setting(&flag, stop, time);
        let task = line(&format!("{file}: {}", brief(sources.text(stated.span)))).into_owned();
        clock.begin();
        let hear = |visited| {
            let (done, task) = (total.with(visited), Some(task.clone()));
            listen(Event::Progress(Progress { unit: Unit::Positions, done, total: None, task }));
        };
        let tested = session.tested(&game, stated, Some(&hear));
        if clock.seconds() + LATE < time {
            drop(clock);
            ready = Some((session, game, flag));
        }
        let again = faults.again(&tested);
        let mut expectation = expectation(tested, set, sources);
        if let Some(again) = again {
            expectation.drawn = Some(Report::new(sources.clone(), vec![again]));
        }
        listen(Event::Expectation { file: file.clone(), expectation: Box::new(expectation.clone()) });
        expectations.push((at, expectation));
    }
    expectations.sort_by_key(|(at, _)| *at);
    let expectations: Vec<Expectation> = expectations.into_iter().map(|(_, expectation)| expectation).collect();
    let count =
        |which: &[Verdict]| expectations.iter().filter(|expectation| which.contains(&expectation.verdict)).count();
    let untested = claims.len() - expectations.len();
    Ok(LoadedFile {
        file,
        loaded: true,
        passed: count(&[Verdict::Holds]),
        failed: count(&[Verdict::Fails, Verdict::Faulted]),
        undecided: count(&[Verdict::Undecided]) + untested,
        untested,
        expectations,
    })
}

/// The places in the rules where errors have stopped expectations.
#[derive(Default)]
struct Faults(HashSet<(Code, Span)>);

impl Faults {
    /// The short problem to show for an expectation that stops where another one has stopped.
    fn again(&mut self, tested: &TestedExpectation) -> Option<Problem> {
        let problem = tested.problem.as_ref().filter(|_| tested.verdict == claims::ExpectationStatus::Faulted)?;
        let (place, _) = problem.labels.iter().find(|(place, _)| !tested.span.contains(*place))?;
        let is_new = self.0.insert((problem.code, *place));
        let message = "an error at the same place as before stops this expectation";
        (!is_new).then(|| Problem::error(problem.code, tested.span, message))
    }
}

fn expectation(tested: TestedExpectation, set: &[(String, String)], sources: &Arc<Sources>) -> Expectation {
    let TestedExpectation { claim, span, verdict, mut problem } = tested;
    if let (Some(problem), claims::ExpectationStatus::Fails, false) = (&mut problem, verdict, set.is_empty()) {
        problem.help = Some(changed(set));
    }
    Expectation {
        claim,
        line: sources.line_column(span).0,
        holds: verdict == claims::ExpectationStatus::Holds,
        verdict: verdict.into(),
        problem: problem.as_ref().map(|problem| Diagnostic::of(problem, sources)),
        drawn: problem.map(|problem| Report::new(sources.clone(), vec![*problem])),
    }
}

/// The help for an expectation that fails with changed parameters.
fn changed(set: &[(String, String)]) -> String {
    let list: Vec<String> = set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let list = line(&list.join(" ")).into_owned();
    format!("-p sets {list}: the expectation may be for other values; test it without -p")
}

/// The start of a claim, on one line.
fn brief(claim: &str) -> String {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
