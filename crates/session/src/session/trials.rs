//! Tries small edits of the rules: after which one does every expectation hold?
//!
//! A mistake such as two exchanged arguments often shows far from its place. If exactly one small edit of the rules
//! makes all expectations hold, the edited clause is probably the cause. The edits are only tried: no file changes.
//! All trials together take a few seconds at most.

use super::{Budgets, Session};
use alphorn_prolog::machine::store::Budget;
use alphorn_rules::rules::expect::Claim;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::small_edits::{SmallEdit, small_edits};
use alphorn_rules::rules::{Rules, playouts};
use alphorn_text::report::{Problem, Report, Severity};
use alphorn_text::source::Span;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Limits on the steps of one question and of one goal.
const STEPS: u64 = 200_000;

/// Limits on the time of all trials, of one, and of one after the failing expectation holds.
const ALL: Duration = Duration::from_secs(4);
const ONE: Duration = Duration::from_millis(200);
const MORE: Duration = Duration::from_secs(1);

/// The greatest number of trials.
const MOST: usize = 1_000;

/// With fewer expectations, too many edits make all of them hold.
const FEWEST_CLAIMS: usize = 4;

/// If edits of more clauses help, none of them is a good explanation.
const MOST_CLAUSES: usize = 3;

/// The time between two looks of the watch.
const TICK: Duration = Duration::from_millis(20);

/// The seed of the random game in which the edited rules are tested.
const SEED: u64 = 1;

/// A place in the rules, with the text that explains it.
pub(super) type Cause = (Span, String);

/// Sets the flag of the current trial when its time is over.
struct Watch {
    current: Arc<Mutex<(Instant, Arc<AtomicBool>)>>,
    end: Instant,
    /// Dropping this sender ends the thread of the watch.
    _alive: Sender<()>,
}

impl Watch {
    fn start(stop: &Arc<AtomicBool>) -> Watch {
        let end = Instant::now() + ALL;
        let current = Arc::new(Mutex::new((Instant::now() + ONE, Arc::<AtomicBool>::default())));
        let (alive, gone) = channel();
        let (watched, stop) = (current.clone(), stop.clone());
        thread::spawn(move || {
            // Nothing is ever sent; the channel only reports that the watch was dropped.
            while gone.recv_timeout(TICK) != Err(RecvTimeoutError::Disconnected) {
                let current = watched.lock().unwrap_or_else(PoisonError::into_inner);
                if stop.load(Relaxed) || Instant::now() >= current.0.min(end) {
                    current.1.store(true, Relaxed);
                }
            }
        });
        Watch { current, end, _alive: alive }
    }

    /// The flag of a new trial; `None` if the time of all trials is over.
    fn next(&self) -> Option<Arc<AtomicBool>> {
        let flag = Arc::<AtomicBool>::default();
        self.set(ONE, &flag);
        (Instant::now() < self.end).then_some(flag)
    }

    /// Gives more time to the trial with a flag.
    fn set(&self, time: Duration, flag: &Arc<AtomicBool>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now() + time, flag.clone());
    }
}

impl Session {
    /// A session for trials of rules.
    fn of_trial(rules: Rules, budgets: Budgets, stop: Arc<AtomicBool>) -> Session {
        let least = |budget: Budget| Budget {
            steps: if budget.steps == 0 { STEPS } else { budget.steps.min(STEPS) },
            ..budget
        };
        let budgets = Budgets { game: least(budgets.game), goal: least(budgets.goal) };
        Session { rules, budgets, stop, here: None, before: Arc::default(), tried: Arc::default() }
    }

    /// The places of the small edits after which every expectation holds. `causes` are the places that seem to be the
    /// reason why the expectation at `span` fails. Only the first expectation that fails has such places.
    pub(super) fn fitting_edits(&self, span: Span, causes: &[Cause]) -> Vec<Cause> {
        let (first, found) = self.tried.get_or_init(|| {
            let near: Vec<Span> = causes.iter().map(|(span, _)| *span).collect();
            let found = fitting(&self.rules, (self.budgets, &self.stop), &near, &|edit, stop| {
                // An edit that breaks a rule may keep it from contradicting an expectation.
                let after = problems_after(&self.rules, edit, self.budgets, stop);
                after.is_some_and(|after| !has_new(&after, &self.rules.report.problems))
            });
            (span, found.causes().collect())
        });
        if *first == span { found.clone() } else { Vec::new() }
    }

    /// Whether expectations hold, given by their numbers.
    fn hold(&self, game: &RuleGame, mut claims: impl Iterator<Item = usize>) -> bool {
        claims.all(|at| self.rules.claims.get(at).is_some_and(|stated| self.holds(game, stated)))
    }
}

/// The numbers of the expectations, those first that take little time.
fn by_cost(rules: &Rules) -> Vec<usize> {
    let cost = |at: &usize| match &rules.claims[*at].claim {
        Claim::Holds(_) | Claim::Fails(_) => (0, 0),
        Claim::Perft(_, depth, _) => (1, *depth),
        Claim::Value(_, Some(depth), _) | Claim::Best(_, depth, _) => (2, *depth),
        Claim::Value(_, None, _) => (3, 0),
    };
    let mut all: Vec<usize> = (0..rules.claims.len()).collect();
    all.sort_by_key(cost);
    all
}

/// Whether the first problem of a report may show far from its mistake.
pub fn may_explain(report: &Report) -> bool {
    let suspicions = ["A0309", "A031", "A0509", "A060"];
    report.problems.first().is_some_and(|problem| {
        !problem.labels.is_empty() && suspicions.iter().any(|code| problem.code.text().starts_with(code))
    })
}

/// Adds the place of a small edit to the first problem of a report, if an expectation fails too, and if after this edit
/// the problem is gone and every expectation holds. Does nothing if the problem is in the edited clause.
pub fn explain(report: &mut Report, rules: &Rules, budgets: Budgets, stop: &Arc<AtomicBool>) {
    if !may_explain(report) || rules.is_broken() {
        return;
    }
    let first = &report.problems[0];
    let near: Vec<Span> = first.labels.iter().map(|(span, _)| *span).collect();
    let found = fitting(rules, (budgets, stop), &near, &|edit, stop| {
        let after = problems_after(rules, edit, budgets, stop);
        after.is_some_and(|after| !has(&after, first) && !has_new(&after, &report.problems))
    });
    let first = &mut report.problems[0];
    let place = first.labels[0].0;
    if !found.edits.iter().any(|edit| edit.clause.contains(place)) {
        first.labels.extend(found.causes());
    }
}

/// The problems that are left after an edit: those of the text and of the first plies of a random game.
fn problems_after(rules: &Rules, edit: &SmallEdit, budgets: Budgets, stop: &Arc<AtomicBool>) -> Option<Vec<Problem>> {
    let rules = rules.changed(&edit.changes, true)?;
    let mut problems = rules.report.problems.clone();
    let game = RuleGame::uncompiled(rules, budgets.game, stop.clone()).ok()?;
    problems.extend(playouts::play_briefly(&game, SEED));
    Some(problems)
}

/// Whether problems contain one with the code and the message of another one.
fn has(problems: &[Problem], wanted: &Problem) -> bool {
    problems.iter().any(|other| (other.code, &other.message) == (wanted.code, &wanted.message))
}

/// Whether there is a problem that was not there before.
fn has_new(after: &[Problem], before: &[Problem]) -> bool {
    after.iter().any(|problem| problem.level != Severity::Note && !has(before, problem))
}

/// The edits after which expectations hold.
#[derive(Default)]
struct FittingEdits {
    edits: Vec<SmallEdit>,
    /// Whether every expectation was tried. Those that take long are left out.
    is_every: bool,
}

impl FittingEdits {
    /// The places of the edits, with what holds after them.
    fn causes(&self) -> impl Iterator<Item = Cause> + '_ {
        let hold =
            if self.is_every { "every expectation holds" } else { "the expectations that take little time hold" };
        self.edits.iter().map(move |edit| (edit.place, format!("{hold} if {}", edit.condition)))
    }
}

/// The edits after which every expectation holds and a last test succeeds; none if they are in too many clauses. The
/// edits of clauses at the places `near` and of the predicates that these clauses call are tried first.
fn fitting(
    rules: &Rules,
    (budgets, stop): (Budgets, &Arc<AtomicBool>),
    near: &[Span],
    last: &dyn Fn(&SmallEdit, &Arc<AtomicBool>) -> bool,
) -> FittingEdits {
    if rules.claims.len() < FEWEST_CLAIMS {
        return FittingEdits::default();
    }
    let watch = Watch::start(stop);
    let start = |rules: Rules, flag: &Arc<AtomicBool>| {
        let session = Session::of_trial(rules.clone(), budgets, flag.clone());
        let game = RuleGame::uncompiled(rules, session.budgets.game, flag.clone()).ok()?;
        Some((session, game))
    };
    // Expectations that take long are left out.
    let status = |at: usize| {
        let flag = watch.next()?;
        watch.set(MORE, &flag);
        let (session, game) = start(rules.clone(), &flag)?;
        let holds = session.hold(&game, std::iter::once(at));
        (!flag.load(Relaxed)).then_some((at, holds))
    };
    let known: Vec<(usize, bool)> = by_cost(rules).into_iter().filter_map(status).collect();
    let mut claims: Vec<usize> = known.iter().map(|(at, _)| *at).collect();
    let Some(place) = known.iter().position(|(_, holds)| !holds) else { return FittingEdits::default() };
    claims[..=place].rotate_right(1);
    let fits = |edit: &SmallEdit, flag: &Arc<AtomicBool>| {
        let rules = rules.changed(&edit.changes, false).filter(|rules| !rules.is_broken())?;
        let (session, game) = start(rules, flag)?;
        let (failing, others) = claims.split_first()?;
        let holds = session.hold(&game, std::iter::once(*failing));
        holds.then(|| watch.set(MORE, flag))?;
        (session.hold(&game, others.iter().copied()) && last(edit, flag) && !flag.load(Relaxed)).then_some(())
    };
    let mut found: Vec<SmallEdit> = Vec::new();
    for edit in small_edits(&rules.program, near).into_iter().take(MOST) {
        // One kind of mistake is a better explanation than two.
        let is_other = found.first().is_some_and(|first| first.kind != edit.kind);
        if is_other || found.iter().any(|other| other.clause == edit.clause) {
            continue;
        }
        let Some(flag) = watch.next().filter(|_| !stop.load(Relaxed)) else { return FittingEdits::default() };
        if fits(&edit, &flag).is_some() {
            found.push(edit);
        }
        if found.len() > MOST_CLAUSES {
            return FittingEdits::default();
        }
    }
    FittingEdits { edits: found, is_every: known.len() == rules.claims.len() }
}
