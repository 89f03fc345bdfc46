//! Tests that the two solvers agree: the reference solver and the machine.
//!
//! The input is random programs, the rows of `tests/data/conformance.tsv`, the games of `games/`, and the
//! programs of `tests/programs/`. Everything that can be observed of a run is compared. A failing program is
//! reduced before it is shown. Variables of the environment:
//!
//! - `ALPHORN_PROGRAMS` is the number of random programs, `ALPHORN_SEED` the seed of the first program;
//! - `ALPHORN_IGNORE=steps,place_span` ignores kinds of differences (see `compare::Kind`);
//! - `ALPHORN_BY_AGE=1` lets programs compare variables by their age;
//! - `ALPHORN_FAILURES` is the number of failing programs after which the test stops.

use alphorn::builtins;
use alphorn::lang::program::Program;
use alphorn::lang::world::World;
use alphorn::lang::{self, ProgramOptions, is_broken, read};
use alphorn::machine::engine::Engine;
use alphorn::machine::fault::{Cause, Fault};
use alphorn::machine::reference::Reference;
use alphorn::machine::store::{Budget, Store};
use alphorn::machine::{BuiltinCode, Query, Solver};
use alphorn::report::{Problem, Severity};
use alphorn::rules;
use alphorn::rules::position::term;
use alphorn::source::{Source, SourceId};
use alphorn::symbol::Atom;
use alphorn::term::Term;
use alphorn::term::pack::Packed;
use compare::{Difference, End, Kind, Kinds, Seen, differences, is_beyond, watch};
use program::{Asked, Sample, reduced};
use reborn::{Reborn, WithoutTables};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

mod compare;
mod formed;
mod games;
pub(crate) mod generate;
mod goals;
mod lambdas;
mod numbers;
mod program;
mod reborn;
mod rows;
mod tables;
mod terms;
mod watched;

/// Differences that are allowed: one solver may know earlier than the other that an answer was the last,
/// because the solvers index different arguments.
const IGNORED: &[Kind] = &[Kind::Alternatives];

/// The default number of random programs, and the default seed.
const PROGRAMS: u64 = 3_000;
const SEED: u64 = 1;

/// The number of programs that are loaded at once.
const TOGETHER: u64 = 16;

/// The greatest number of answers that are compared.
const ANSWERS: usize = 30;

/// A program with the code of its builtins.
struct Loaded {
    program: Arc<Program>,
    runs: Arc<[BuiltinCode]>,
}

type Pair = (Box<dyn Solver>, Box<dyn Solver>);

/// Two solvers that must agree. The machine compiles a predicate to native code after `hot` calls.
fn pair(loaded: &Loaded, hot: Option<u32>) -> Pair {
    let left = Reference::new(loaded.program.clone(), loaded.runs.clone(), Arc::default());
    let right = Engine::new(loaded.program.clone(), loaded.runs.clone(), Arc::default(), hot);
    (Box::new(left), Box::new(right))
}

/// The reference solver, and the machine without native code.
fn interpreted(loaded: &Loaded) -> Pair {
    pair(loaded, None)
}

/// The reference solver, and the machine with native code wherever possible.
fn native(loaded: &Loaded) -> Pair {
    (Box::new(WithoutTables::new(loaded)), Box::new(Reborn::new(loaded)))
}

/// Creates the two solvers. Tests of the comparison itself create other solvers.
type Makes<'a> = &'a (dyn Fn(&Loaded) -> Pair + Sync);

/// The data for loading texts, made once for all programs.
struct Ground {
    world: World,
    runs: Arc<[BuiltinCode]>,
}

impl Ground {
    fn new() -> Ground {
        Ground { world: rules::world(), runs: builtins::runs().into() }
    }

    /// Loads a program. Returns its errors with their places if the text is broken.
    fn load(&self, source: Source) -> Result<Loaded, Vec<(String, usize)>> {
        let checked = lang::load(&[source], &[], &ProgramOptions::default(), &self.world);
        if is_broken(&checked.report) {
            let wrong = checked.report.problems.iter().filter(|problem| problem.level == Severity::Error);
            let place = |problem: &Problem| problem.labels.first().map_or(0, |label| label.0.start as usize);
            return Err(wrong.map(|wrong| (format!("{} {}", wrong.code, wrong.message), place(wrong))).collect());
        }
        Ok(Loaded { program: Arc::new(checked.program), runs: self.runs.clone() })
    }
}

/// Runs a goal on both solvers. Returns `None` if the goal cannot be read or its predicate does not exist.
fn both(loaded: &Loaded, pair: &mut Pair, asked: &Asked, budget: Budget, limit: usize) -> Option<(Seen, Seen)> {
    match asked {
        Asked::Goal(_) => {
            let text = asked.to_string();
            let id = SourceId(loaded.program.sources.len() as u16);
            let sentence = read::goal(id, &text, &loaded.program.ops).ok()??;
            let ask = Query::Goal(&sentence.tree, sentence.root);
            Some((watch(&mut *pair.0, &ask, budget, limit), watch(&mut *pair.1, &ask, budget, limit)))
        }
        Asked::Call(name, args) => {
            let pred = loaded.program.own(name, args.len())?;
            let packed: Option<Vec<Option<Packed>>> = args
                .iter()
                .map(|arg| arg.as_ref().map_or(Some(None), |text| term(text, &loaded.program.ops).ok().map(Some)))
                .collect();
            let packed = packed?;
            let given: Vec<Option<&Packed>> = packed.iter().map(Option::as_ref).collect();
            let ask = Query::Call(pred, &given);
            Some((watch(&mut *pair.0, &ask, budget, limit), watch(&mut *pair.1, &ask, budget, limit)))
        }
    }
}

/// The differences that count for a sample. With garbage collection the numbers of steps differ.
fn kinds_for(sample: &Sample, kinds: &Kinds) -> Kinds {
    if sample.memory < 32 << 20 { kinds.without(Kind::Steps) } else { kinds.clone() }
}

/// The counts over many programs.
#[derive(Default)]
struct Tally {
    programs: AtomicU64,
    refused: AtomicU64,
    asked: AtomicU64,
    unread: AtomicU64,
    answered: AtomicU64,
    none: AtomicU64,
    errors: AtomicU64,
    spent: AtomicU64,
    beyond: AtomicU64,
    steps: AtomicU64,
    codes: Mutex<std::collections::BTreeMap<String, u64>>,
}

fn one_more(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Tally {
    fn see(&self, left: &Seen, right: &Seen) {
        one_more(&self.asked);
        self.steps.fetch_add(left.steps, Ordering::Relaxed);
        match &left.end {
            _ if is_beyond(left, right) => one_more(&self.beyond),
            End::Fault(_) if left.end.is_steps() => one_more(&self.spent),
            End::Fault(_) => one_more(&self.errors),
            _ if left.answers.is_empty() => one_more(&self.none),
            _ => one_more(&self.answered),
        }
    }

    fn refuse(&self, what: &str, sample: &Sample) {
        one_more(&self.refused);
        *self.codes.lock().expect("nobody panics with it").entry(what[..5].to_string()).or_default() += 1;
        if std::env::var("ALPHORN_REFUSED").is_ok() {
            println!("{what}\n{}", sample.text());
        }
    }

    fn report(&self, seconds: f64) -> String {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (programs, asked) = (get(&self.programs), get(&self.asked));
        let share = |part: &AtomicU64, whole: u64| 100.0 * get(part) as f64 / whole.max(1) as f64;
        let codes = self.codes.lock().expect("nobody panics with it");
        let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{code}: {count}")).collect();
        format!(
            "{programs} programs, {:.1}% refused ({}); {asked} goals, {} unread: {:.1}% end in an answer, {:.1}% in \
             none, {:.1}% in an error, {:.1}% out of steps, {:.1}% out of memory and not compared; {:.0} steps a goal, \
             {:.0} a program, {:.0} programs a second",
            share(&self.refused, programs),
            codes.join(", "),
            get(&self.unread),
            share(&self.answered, asked),
            share(&self.none, asked),
            share(&self.errors, asked),
            share(&self.spent, asked),
            share(&self.beyond, asked),
            get(&self.steps) as f64 / asked.max(1) as f64,
            get(&self.steps) as f64 / programs.max(1) as f64,
            programs as f64 / seconds
        )
    }
}

/// A failing goal of a sample, with the differences.
struct Failure {
    sample: Sample,
    differences: Vec<Difference>,
}

/// Runs samples on both solvers.
struct Bench<'a> {
    ground: Ground,
    makes: Makes<'a>,
    kinds: &'a Kinds,
}

impl Bench<'_> {
    /// Loads samples as one program, because loading the library takes longest. The entry of a rejected
    /// sample is `None`.
    fn load(&self, samples: &[Sample], tally: &Tally) -> Option<(Loaded, Vec<bool>)> {
        let mut kept = vec![true; samples.len()];
        loop {
            let mut text = String::new();
            let mut ends = Vec::new();
            for (sample, _) in samples.iter().zip(&kept).filter(|(_, kept)| **kept) {
                text.push_str(&sample.text());
                ends.push(text.len());
            }
            let numbers: Vec<usize> = (0..samples.len()).filter(|at| kept[*at]).collect();
            if numbers.is_empty() {
                return None;
            }
            let wrong = match self.ground.load(Source::typed("random.pl", &text)) {
                Ok(loaded) => return Some((loaded, kept)),
                Err(wrong) => wrong,
            };
            for (what, place) in wrong {
                let at = ends.iter().position(|end| place < *end).unwrap_or(ends.len() - 1);
                if std::mem::replace(&mut kept[numbers[at]], false) {
                    tally.refuse(&what, &samples[numbers[at]]);
                }
            }
        }
    }

    /// Runs every goal of the samples on both solvers. Returns the goals that differ, each alone in its
    /// sample, with the numbers of their samples.
    fn check(&self, samples: &[Sample], tally: &Tally) -> Vec<(usize, Failure)> {
        tally.programs.fetch_add(samples.len() as u64, Ordering::Relaxed);
        let mut failures = Vec::new();
        let Some((loaded, kept)) = self.load(samples, tally) else { return failures };
        let mut pair = (self.makes)(&loaded);
        for (number, sample) in samples.iter().enumerate().filter(|(number, _)| kept[*number]) {
            let kinds = kinds_for(sample, self.kinds);
            let budget = Budget { steps: sample.steps, memory: sample.memory };
            for asked in &sample.asked {
                let Some((left, right)) = both(&loaded, &mut pair, asked, budget, ANSWERS) else {
                    one_more(&tally.unread);
                    continue;
                };
                tally.see(&left, &right);
                let differences = differences(&left, &right, &kinds);
                if !differences.is_empty() {
                    let sample = Sample { asked: vec![asked.clone()], ..sample.clone() };
                    failures.push((number, Failure { sample, differences }));
                    break;
                }
            }
        }
        failures
    }

    /// Reduces a failure to the parts that show the same kind of difference. Returns the failure unchanged,
    /// and `false`, if it needs the goals before it.
    fn cut_down(&self, failure: Failure) -> (Failure, bool) {
        let kind = failure.differences[0].kind;
        let again = |sample: &Sample| {
            let found = self.check(std::slice::from_ref(sample), &Tally::default()).pop()?.1;
            (found.differences[0].kind == kind).then_some(found)
        };
        if again(&failure.sample).is_none() {
            return (failure, false);
        }
        let sample = reduced(failure.sample, 3_000, &mut |sample| again(sample).is_some());
        (again(&sample).expect("the reduced sample fails too"), true)
    }
}

impl Failure {
    fn shown(&self, again: &str) -> String {
        let differences: Vec<String> = self
            .differences
            .iter()
            .map(|found| format!("  {:?}\n    left  {}\n    right {}", found.kind, found.left, found.right))
            .collect();
        let asked: Vec<String> = self.sample.asked.iter().map(Asked::to_string).collect();
        format!(
            "{again}; steps {}, memory {}\n{}{}\n{}",
            self.sample.steps,
            self.sample.memory,
            self.sample.text(),
            asked.join("\n"),
            differences.join("\n")
        )
    }
}

fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number, and is {text}")))
}

/// Runs the programs of these seeds on two threads. Returns at most `most` failures, reduced.
fn run_all(makes: Makes<'_>, seed: u64, programs: u64, most: usize, kinds: &Kinds, tally: &Tally) -> Vec<String> {
    let by_age = number("ALPHORN_BY_AGE", 0) > 0;
    let next = AtomicU64::new(0);
    let failed = AtomicUsize::new(0);
    let shown = Mutex::new(Vec::new());
    let begun = Instant::now();
    let work = || {
        let bench = Bench { ground: Ground::new(), makes, kinds };
        loop {
            let at = next.fetch_add(TOGETHER, Ordering::Relaxed);
            if at >= programs || failed.load(Ordering::Relaxed) >= most {
                break;
            }
            if at > 0 && at.is_multiple_of(1250 * TOGETHER) {
                println!("{}", tally.report(begun.elapsed().as_secs_f64()));
            }
            let first = seed.wrapping_add(at);
            let count = TOGETHER.min(programs - at);
            let samples: Vec<Sample> =
                (0..count).map(|number| generate::sample(first.wrapping_add(number), by_age).renamed(number)).collect();
            for (number, failure) in bench.check(&samples, tally) {
                if failed.fetch_add(1, Ordering::Relaxed) < most {
                    let (failure, alone) = bench.cut_down(failure);
                    let (seed, count) = if alone { (first.wrapping_add(number as u64), 1) } else { (first, count) };
                    let text = failure.shown(&format!("ALPHORN_SEED={seed} ALPHORN_PROGRAMS={count} shows it again"));
                    shown.lock().expect("nobody panics with it").push(text);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    shown.into_inner().expect("all have ended")
}

#[test]
fn random_programs_have_the_same_runs() {
    compare_random_programs(&interpreted);
}

#[test]
fn random_programs_have_the_same_runs_in_native_code() {
    compare_random_programs(&native);
}

fn compare_random_programs(makes: Makes<'_>) {
    let (seed, programs) = (number("ALPHORN_SEED", SEED), number("ALPHORN_PROGRAMS", PROGRAMS));
    let most = number("ALPHORN_FAILURES", 3) as usize;
    let tally = Tally::default();
    let begun = Instant::now();
    let failed = run_all(makes, seed, programs, most, &Kinds::but(IGNORED), &tally);
    println!("{}", tally.report(begun.elapsed().as_secs_f64()));
    assert!(failed.is_empty(), "{} programs differ\n\n{}", failed.len(), failed.join("\n\n"));
    let refused = tally.refused.load(Ordering::Relaxed);
    assert!(programs < 100 || refused * 5 < programs, "{refused} of {programs} programs are refused");
}

/// Deliberate errors of a solver, with which the tests check that the comparison finds errors.
#[derive(Clone, Copy, PartialEq)]
enum Slip {
    LastAnswer,
    Backwards,
    OneStepMore,
    Output,
    Place,
    Cause,
    Silent,
}

/// A solver with deliberate errors.
struct Slipping {
    inner: Reference,
    slip: Slip,
    /// The number of answers of the goal so far.
    given: u64,
    /// The values of the last answer.
    values: Vec<Term>,
}

impl Solver for Slipping {
    fn ask(&mut self, ask: &Query<'_>, budget: Budget) -> Result<(), Fault> {
        self.given = 0;
        self.inner.ask(ask, budget)
    }

    fn next(&mut self) -> Result<bool, Fault> {
        let mut found = self.inner.next();
        if let Ok(true) = found {
            self.given += 1;
            self.values = self.inner.answer().to_vec();
            if self.slip == Slip::Backwards {
                self.values.reverse();
            }
            match self.slip {
                Slip::LastAnswer if self.given > 1 && !self.inner.has_alternatives() => return Ok(false),
                Slip::OneStepMore => self.inner.store().steps += 1,
                Slip::Output if !self.inner.store().output.is_empty() => self.inner.store().output.push('!'),
                _ => {}
            }
        }
        if let Err(fault) = &mut found {
            match self.slip {
                Slip::Place => fault.place.iter_mut().for_each(|place| place.callers.clear()),
                Slip::Cause if matches!(fault.cause, Cause::Thrown(_)) => {
                    fault.cause = Cause::Thrown(Packed::atom(Atom::new("slipped")))
                }
                Slip::Silent => return Ok(false),
                _ => {}
            }
        }
        found
    }

    fn has_alternatives(&self) -> bool {
        self.inner.has_alternatives()
    }

    fn answer(&self) -> &[Term] {
        &self.values
    }

    fn store(&mut self) -> &mut Store {
        self.inner.store()
    }
}

#[test]
fn every_slip_is_seen() {
    let expected = [
        (Slip::LastAnswer, "Answers"),
        (Slip::Backwards, "Answers"),
        (Slip::OneStepMore, "Steps"),
        (Slip::Output, "Output"),
        (Slip::Place, "PlaceCallers"),
        (Slip::Cause, "Cause"),
        (Slip::Silent, "Ending"),
    ];
    for (slip, kind) in expected {
        let makes = |loaded: &Loaded| -> (Box<dyn Solver>, Box<dyn Solver>) {
            let inner = || Reference::new(loaded.program.clone(), loaded.runs.clone(), Arc::default());
            (Box::new(inner()), Box::new(Slipping { inner: inner(), slip, given: 0, values: Vec::new() }))
        };
        let failed = run_all(&makes, 1, 200, 1, &Kinds::but(&[]), &Tally::default());
        assert!(!failed.is_empty(), "{kind} goes unseen");
        assert!(failed[0].contains(kind), "{kind} is not what was seen: {}", failed[0]);
    }
}
