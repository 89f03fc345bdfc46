//! `check` and `test`: what is wrong with a file, and whether its claims hold.

use crate::cli::args::{CheckArgs, TestArgs};
use crate::cli::clock::Clock;
use crate::cli::output::{Out, counted, problem_json, problems_json};
use crate::cli::play::{budgets, options};
use crate::cli::progress::Progress;
use crate::cli::table::rounded;
use crate::cli::{Ended, FAILED, NO, YES};
use alphorn_rules::rules::cost::{self, Compiled, Cost};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::{self, Expected, coverage, playouts};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_session::session::claims::Verdict;
use alphorn_session::session::predicates::Whose;
use alphorn_session::session::profile::Profiled;
use alphorn_session::session::recipe::{source, sources};
use alphorn_session::session::{Failure, Session, Start};
use alphorn_text::printable::{self, line};
use alphorn_text::report::{Problem, Report, grouped, plural};
use alphorn_text::source::{Source, Sources};
use serde_json::{Value, json};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(super) fn check(args: &CheckArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let overlays = sources(&args.game.overlays)?;
    let mut status = YES;
    let mut rows: Vec<Value> = Vec::new();
    for path in &args.files {
        let clock = Clock::new(stop, args.time);
        let stop = clock.flag();
        let mut stopped = false;
        let mut told = None;
        let mut notes: Arc<[String]> = Arc::default();
        let report = match source(path) {
            Ok(text) => {
                let texts = [text];
                let rules = rules::load(&texts, &overlays, &options(&args.game), Expected::Game);
                clock.begin();
                if (args.code || args.cost) && !rules.is_broken() {
                    let mut compiled = cost::compiled(&rules);
                    if args.cost && !compiled.costs.is_empty() {
                        weigh(&mut compiled, &texts, &overlays, args, stop);
                    }
                    told = Some(compiled);
                }
                notes = rules.notes.clone();
                let report = played(rules, args, out, stop)?;
                stopped = stop.load(Relaxed);
                report
            }
            Err(Failure::Problem(problem, sources)) => {
                status = FAILED;
                Report::new(sources, vec![*problem])
            }
            Err(failure) => return Err(failure),
        };
        out.report(&report);
        let bad = report.errors() > 0 || (args.deny_warnings && report.warnings() > 0);
        if bad && status == YES {
            status = NO;
        }
        rows.push(row(path, &report, stopped, told.as_ref(), args));
        if out.json {
            continue;
        }
        notes.iter().for_each(|note| out.line(&format!("{}: note: {}", line(path), line(note))));
        out.line(&format!("{}: {}", line(path), counted(&report)));
        if let Some(compiled) = &told {
            listed(path, compiled, args, &report.sources, out);
        }
    }
    match out.json {
        true => out.object(json!({ "files": rows })),
        false => out.keep(json!({ "files": rows })),
    }
    Ok(status)
}

/// Positions of the search that tells on what play spends its time.
const WEIGHED: u64 = 2000;

/// Puts first what play spends its time on, by a short search. Where that goes wrong, which is told
/// elsewhere, the order stays that of the text.
fn weigh(compiled: &mut Compiled, texts: &[Source], overlays: &[Source], args: &CheckArgs, stop: &Arc<AtomicBool>) {
    let (options, budgets) = (options(&args.game), budgets(&args.game));
    let Ok(session) = Session::open(texts, overlays, &options, Expected::Game, budgets, stop.clone()) else { return };
    let limits = Limits { nodes: Some(WEIGHED), stop: Some(stop), ..Limits::default() };
    let Ok(Profiled { profile, .. }) = session.profile_search(&Start::default(), &Algorithm::Auto.into(), &limits)
    else {
        return;
    };
    if profile.steps == 0 {
        return;
    }
    compiled.weigh(|rule| {
        // The library works for the clauses that call it.
        let served = profile.clauses.iter().filter(|row| row.name == rule && row.whose == Whose::Own);
        let own = profile.predicates.iter().filter(|row| row.name == rule && row.whose != Whose::Own);
        let steps = served.map(|row| row.served.0).sum::<u64>() + own.map(|row| row.figures.steps).sum::<u64>();
        steps as f64 / profile.steps as f64
    });
}

/// What is to be said of a file, as JSON.
fn row(path: &str, report: &Report, stopped: bool, told: Option<&Compiled>, args: &CheckArgs) -> Value {
    let (errors, warnings) = (report.errors(), report.warnings());
    let problems = problems_json(report);
    let mut row =
        json!({ "file": path, "errors": errors, "warnings": warnings, "stopped": stopped, "problems": problems });
    if args.code {
        row["code"] = json!(told.filter(|compiled| !compiled.by_reference).map(|compiled| &compiled.code));
    }
    if args.cost {
        row["cost"] = json!(told.map(|compiled| costs_json(compiled, &report.sources)));
    }
    row
}

/// Prints what a file compiles to, and what that costs, as far as it was asked.
fn listed(path: &str, compiled: &Compiled, args: &CheckArgs, sources: &Arc<Sources>, out: &Out) {
    if args.code {
        out.print(&compiled.code);
    }
    if args.cost || compiled.by_reference {
        out.show(&Report::new(sources.clone(), compiled.problems()));
    }
    let words = match (compiled.places(), compiled.followers()) {
        _ if compiled.by_reference => "nothing is compiled".to_string(),
        _ if !args.cost => return,
        (0, 0) if compiled.costs.is_empty() => "everything is specialised".to_string(),
        (0, 0) => "everything of its own is specialised".to_string(),
        (0, _) => "everything of its own is specialised, but not for unbound arguments".to_string(),
        (1, _) => "1 place is not specialised".to_string(),
        (places, _) => format!("{places} places are not specialised"),
    };
    out.line(&format!("{}: {words}", line(path)));
}

/// What could not be specialised, as JSON.
fn costs_json(compiled: &Compiled, sources: &Sources) -> Vec<Value> {
    let row = |cost: &Cost| {
        let place = cost.span.map(|span| (sources.get(span.source).name.to_string(), sources.line_column(span)));
        json!({
            "rule": cost.rule,
            "modes": cost.modes,
            "file": place.as_ref().map(|(name, _)| name),
            "line": place.as_ref().map(|(_, (line, _))| line),
            "column": place.as_ref().map(|(_, (_, column))| column),
            "reason": cost.reason,
            "help": cost.help,
            "share": cost.share.map(rounded),
        })
    };
    compiled.costs.iter().map(row).collect()
}

/// The report of a file, that of random play included.
fn played(rules: rules::Rules, args: &CheckArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<Report, Failure> {
    if args.playouts == Some(0) || rules.is_broken() {
        return Ok(rules.report);
    }
    let Report { sources, mut problems } = rules.report.clone();
    let done = Cell::new(0);
    let ready = if args.playouts.is_none() { RuleGame::uncompiled } else { RuleGame::new };
    match (ready(rules.clone(), budgets(&args.game).game, stop.clone()), args.playouts) {
        (Ok(game), None) => problems.extend(playouts::glance(&game, args.seed)),
        (Ok(game), Some(all)) => {
            let progress = Progress::new(out);
            let hear = |games: u32| {
                done.set(games);
                progress.games(games.into(), all.into());
            };
            let mut played = playouts::play(&game, all, args.seed, &hear);
            drop(game);
            problems.extend(coverage::notes(&rules, &played, budgets(&args.game).game, stop));
            problems.append(&mut played.problems);
            progress.done();
        }
        (Err(fault), _) => problems.push(fault.problem(&rules.program, &[])),
    }
    if stop.load(Relaxed) {
        // That is no mistake of the rules.
        problems.retain(|problem| problem.code != "A0614");
        let told = args
            .playouts
            .map(|all| format!("{} of {} played", grouped(done.get().into()), plural(all.into(), "game", "games")));
        let told = told.unwrap_or_else(|| "the first plies of a game were not all played".to_string());
        if !out.json {
            out.tell(&format!("stopped: {told}\n"));
        }
    }
    Ok(Report::new(sources, problems))
}

pub(super) fn test(args: &TestArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let overlays = sources(&args.game.overlays)?;
    let mut status = YES;
    let mut rows: Vec<Value> = Vec::new();
    for path in &args.files {
        let opened = source(path).and_then(|text| {
            Session::open(&[text], &overlays, &options(&args.game), Expected::Game, budgets(&args.game), stop.clone())
        });
        let (row, found) = match opened {
            Ok(session) => test_one((path, &options(&args.game).settings), &session, args.time, out, stop)?,
            Err(failure) => {
                if !out.json {
                    out.failure(&failure);
                    out.line(&format!("{}: does not load", line(path)));
                }
                let problems = match &failure {
                    Failure::Text(report) => problems_json(report),
                    Failure::Problem(problem, sources) => vec![problem_json(problem, sources)],
                };
                (json!({ "file": path, "loaded": false, "problems": problems }), FAILED)
            }
        };
        rows.push(row);
        status = status.max(found);
    }
    match out.json {
        true => out.object(json!({ "files": rows })),
        false => out.keep(json!({ "files": rows })),
    }
    Ok(status)
}

/// Seconds by which a clock may strike late, and more.
const LATE: f64 = 0.5;

/// How many expectations of a file hold, do not hold, and are not known to do either.
#[derive(Default)]
struct Counts {
    passed: u32,
    failed: u32,
    undecided: u32,
    /// Not looked at, for somebody asked to stop.
    unseen: usize,
}

impl Counts {
    fn words(&self) -> String {
        let parts = [
            (self.passed as usize, "passed"),
            (self.failed as usize, "failed"),
            (self.undecided as usize, "not decided"),
            (self.unseen, "not tested: interrupted"),
        ];
        if parts.iter().all(|(count, _)| *count == 0) {
            return "no expectations".to_string();
        }
        let told = parts.iter().enumerate().filter(|(at, (count, _))| *at == 0 || *count > 0);
        told.map(|(_, (count, word))| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
    }
}

fn test_one(
    (path, set): (&str, &[(String, String)]),
    session: &Session,
    time: f64,
    out: &Out,
    stop: &Arc<AtomicBool>,
) -> Result<(Value, u8), Failure> {
    out.report(&session.rules.report);
    let sources = &session.rules.program.sources;
    let mut rows: Vec<Value> = Vec::new();
    let (mut counts, mut status) = (Counts::default(), YES);
    let claims = &session.rules.claims;
    let mut ready: Option<(Session, RuleGame, Arc<AtomicBool>)> = None;
    for (number, stated) in claims.iter().enumerate() {
        if stop.load(Relaxed) {
            counts.unseen = claims.len() - number;
            break;
        }
        // Compiled rules are kept, but not beyond a flag that is set, or about to be.
        let (session, game, flag) = match ready.take() {
            Some(ready) => ready,
            None => {
                let flag = Arc::default();
                let session = session.under(Arc::clone(&flag));
                let game = session.game()?;
                (session, game, flag)
            }
        };
        let clock = Clock::setting(&flag, stop, time);
        let progress = Progress::about(out, &line(&format!("{path}: {}", brief(sources.text(stated.span)))));
        clock.begin();
        let tested = session.tested(&game, stated, Some(&|nodes| progress.at(nodes)));
        progress.done();
        if clock.seconds() + LATE < time {
            drop(clock);
            ready = Some((session, game, flag));
        }
        let (verdict, bad) = match tested.verdict {
            Verdict::Holds => ("holds", YES),
            Verdict::Fails => ("fails", NO),
            Verdict::Undecided => ("undecided", FAILED),
            Verdict::Faulted => ("faulted", FAILED),
        };
        status = status.max(bad);
        match tested.verdict {
            Verdict::Holds => counts.passed += 1,
            Verdict::Fails | Verdict::Faulted => counts.failed += 1,
            Verdict::Undecided => counts.undecided += 1,
        }
        let mut tested = tested;
        if let (Some(problem), Verdict::Fails, false) = (&mut tested.problem, tested.verdict, set.is_empty()) {
            problem.help = Some(changed(set));
        }
        if let Some(problem) = &tested.problem {
            out.problem(problem, sources);
        }
        let (line, _) = sources.line_column(tested.span);
        let told: Option<Value> = tested.problem.as_deref().map(|problem: &Problem| problem_json(problem, sources));
        let holds = tested.verdict == Verdict::Holds;
        rows.push(json!({ "claim": tested.claim, "line": line, "holds": holds, "verdict": verdict, "problem": told }));
    }
    if !out.json {
        out.line(&format!("{}: {}", printable::line(path), counts.words()));
    }
    let Counts { passed, failed, undecided, unseen } = counts;
    let row = json!({
        "file": path, "loaded": true, "passed": passed, "failed": failed,
        "undecided": undecided as usize + unseen, "expectations": rows,
    });
    Ok((row, status))
}

/// What to do about an expectation that does not hold with parameters that were set.
fn changed(set: &[(String, String)]) -> String {
    let list: Vec<String> = set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let list = line(&list.join(" ")).into_owned();
    format!("-p sets {list}: the expectation may be written for other values; test it without -p")
}

/// The beginning of a claim, as one line.
fn brief(claim: &str) -> String {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
