//! Tries small edits of the rules: after which one does every expectation hold?
//!
//! A mistake such as two exchanged arguments often shows far from its place. If a small edit of the rules makes all
//! expectations hold, the edited clause is probably the cause. The edits are only tried: no file changes. The most
//! suspicious clauses come first, because all trials together take a few seconds at most.

use super::{Budgets, Failure, Session, SessionResult};
use alphorn_lang::lang::program::{Goal, PredId};
use alphorn_prolog::machine::Solver;
use alphorn_prolog::machine::choose::solver;
use alphorn_prolog::machine::reference::Reference;
use alphorn_prolog::machine::store::Budget;
use alphorn_rules::rules::expect::Claim;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::small_edit::{EditKind, SmallEdit};
use alphorn_rules::rules::small_edits::small_edits;
use alphorn_rules::rules::suspicion::Spectrum;
use alphorn_rules::rules::{Rules, playouts};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Severity};
use alphorn_text::source::Span;
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Limits on the steps of one question and of one goal.
const STEPS: u64 = 200_000;

/// Limits on the time of all trials, of one, and of one after the failing expectation holds.
pub(super) const ALL: Duration = Duration::from_secs(5);
const ONE: Duration = Duration::from_millis(200);
const MORE: Duration = Duration::from_secs(1);

/// The time to test one expectation without an edit, and to count the clauses that an expectation runs if it holds, or
/// if it fails. Those that fail get more: a clause that they do not run cannot have the mistake.
const STATUS: Duration = Duration::from_millis(300);
const COVER: Duration = Duration::from_millis(30);
const COVER_OF_FAILING: Duration = Duration::from_millis(100);

/// The greatest number of threads that try edits, and the bytes of their stacks: nested rules need more than a thread
/// has by default.
const THREADS: usize = 8;
const STACK: usize = 16 << 20;

/// With fewer expectations, too many edits make all of them hold.
const FEWEST_CLAIMS: usize = 4;

/// The greatest number of edits that are shown, and of those in one clause.
const MOST_SHOWN: usize = 4;
const MOST_OF_CLAUSE: usize = 2;

/// An edit that is less likely than the best one by this factor is not shown.
const LIKELY: f64 = 0.6;

/// The factor of an edit of a clause that is to blame for a fault. It is larger than the ratio of any two likelihoods.
const BLAMED: f64 = 1e6;

/// The time between two looks of the watch.
const TICK: Duration = Duration::from_millis(20);

/// The seed of the random game in which the edited rules are tested.
const SEED: u64 = 1;

/// A place in the rules, with the text that explains it.
pub(super) type Cause = (Span, String);

/// What trials say of the first expectation that fails.
pub(super) struct FirstFailure {
    span: Span,
    /// The edits after which every expectation holds.
    edits: Vec<Cause>,
    /// The clauses that succeed in an expectation that holds.
    proved: Vec<Span>,
}

/// Sets the flag of the current trial when its time is over.
pub(super) struct Watch {
    current: Arc<Mutex<(Instant, Arc<AtomicBool>)>>,
    end: Instant,
    /// Dropping this sender ends the thread of the watch.
    _alive: Sender<()>,
}

impl Watch {
    /// `None` if no thread can be started: without a watch, a trial may take any time.
    pub(super) fn start(stop: &Arc<AtomicBool>, end: Instant) -> Option<Watch> {
        let current = Arc::new(Mutex::new((Instant::now() + ONE, Arc::<AtomicBool>::default())));
        let (alive, gone) = channel();
        let (watched, stop) = (current.clone(), stop.clone());
        let watching = move || {
            // Nothing is ever sent; the channel only reports that the watch was dropped.
            while gone.recv_timeout(TICK) != Err(RecvTimeoutError::Disconnected) {
                let current = watched.lock().unwrap_or_else(PoisonError::into_inner);
                if stop.load(Relaxed) || Instant::now() >= current.0.min(end) {
                    current.1.store(true, Relaxed);
                }
            }
        };
        thread::Builder::new().spawn(watching).ok()?;
        Some(Watch { current, end, _alive: alive })
    }

    /// The flag of a new trial; `None` if the time of all trials is over.
    pub(super) fn next(&self) -> Option<Arc<AtomicBool>> {
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
        Session { rules, budgets, stop, here: None, before: Arc::default(), tried: Arc::default(), is_trial: true }
    }

    /// The places of the small edits after which every expectation holds. `near` are the places that seem to be the
    /// reason why the expectation at `span` fails; if they are `blamed`, edits of their clauses come first. Only the first
    /// expectation that fails has such places.
    pub(super) fn fitting_edits(&self, span: Span, near: &[Span], blamed: bool) -> Vec<Cause> {
        let first = self.first_failure(span, near, blamed);
        if first.span == span { first.edits.clone() } else { Vec::new() }
    }

    /// The clauses that succeed in an expectation that holds, so far as trials know.
    pub(super) fn proved_clauses(&self) -> &[Span] {
        self.tried.get().map_or(&[], |first| &first.proved)
    }

    fn first_failure(&self, span: Span, near: &[Span], blamed: bool) -> &FirstFailure {
        self.tried.get_or_init(|| {
            let failing = self.rules.claims.iter().position(|stated| stated.span == span);
            // A goal that fails holds if it is negated or left out: that tells nothing.
            let wanted = |edit: &SmallEdit| !blamed || edit.kind != EditKind::Goal || !near.contains(&edit.place);
            let scope = Scope { near, blamed, failing, wanted: &wanted, always: false, time: ALL };
            let found = fitting(&self.rules, (self.budgets, &self.stop), &scope, &|edit, stop| {
                // An edit that breaks a rule may keep it from contradicting an expectation.
                let after = problems_after(&self.rules, Some(edit), self.budgets, stop);
                after.is_some_and(|after| !has_new(&after, &self.rules.report.problems))
            });
            FirstFailure { span, edits: found.causes().collect(), proved: found.proved }
        })
    }
}

/// Rules that are tried. Their solver and their game are made when an expectation needs them.
struct Trial<'a> {
    session: Session,
    /// The interpreter of the unedited rules, whose code the trial shares. `None` if the trial compiles its rules,
    /// because they run for a longer time.
    interpreter: Option<&'a Reference>,
    solver: Option<Box<dyn Solver>>,
    game: Option<RuleGame>,
}

impl<'a> Trial<'a> {
    fn of(rules: Rules, interpreter: Option<&'a Reference>, budgets: Budgets, stop: &Arc<AtomicBool>) -> Trial<'a> {
        Trial { session: Session::of_trial(rules, budgets, stop.clone()), interpreter, solver: None, game: None }
    }

    /// The same rules, compiled.
    fn compiled(self) -> Trial<'a> {
        Trial { interpreter: None, solver: None, game: None, ..self }
    }

    /// Whether an expectation holds, given by its number. `None` if the limits of a trial end before that is known.
    fn holds(&mut self, at: usize) -> Option<bool> {
        let (session, rules) = (&self.session, &self.session.rules);
        let stated = rules.claims.get(at)?;
        let interpreted = |base: &Reference| base.for_edited(rules.program.clone(), session.stop.clone());
        if let Claim::Holds(goal) | Claim::Fails(goal) = stated.claim {
            let solver = self.solver.get_or_insert_with(|| match self.interpreter {
                Some(base) => Box::new(interpreted(base)),
                None => solver(&rules.program, &rules.runs, &session.stop),
            });
            let proved = session.proves_with(&mut **solver, stated, goal);
            return known(proved.map(|proved| Some(proved == matches!(stated.claim, Claim::Holds(_)))));
        }
        if self.game.is_none() {
            let (rules, budget, stop) = (rules.clone(), session.budgets.game, session.stop.clone());
            let game = match self.interpreter {
                Some(base) => RuleGame::interpreted(rules, interpreted(base), budget, stop),
                None => RuleGame::new(rules, budget, stop),
            };
            self.game = game.ok();
        }
        self.game.as_ref().map_or(Some(false), |game| known(session.holds(game, stated)))
    }
}

/// Whether an expectation holds. It does not if the rules fail, unless only a limit was too low.
fn known(held: SessionResult<Option<bool>>) -> Option<bool> {
    held.unwrap_or_else(|failure| match failure {
        Failure::Problem(problem, _) if [Code::TooManySteps, Code::TooMuchMemory].contains(&problem.code) => None,
        _ => Some(false),
    })
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

/// The problems of the text and of the first plies of a random game, after an edit if there is one.
pub(super) fn problems_after(
    rules: &Rules,
    edit: Option<&SmallEdit>,
    budgets: Budgets,
    stop: &Arc<AtomicBool>,
) -> Option<Vec<Problem>> {
    problems_after_changes(rules, edit.map_or(&[], |edit| &edit.changes), budgets, stop)
}

/// The problems of the text and of the first plies of a random game, after changes of the text.
pub(super) fn problems_after_changes(
    rules: &Rules,
    changes: &[(Span, String)],
    budgets: Budgets,
    stop: &Arc<AtomicBool>,
) -> Option<Vec<Problem>> {
    let rules = match changes {
        [] => rules.clone(),
        changes => rules.changed(changes, true).filter(|rules| !rules.is_broken())?,
    };
    let mut problems = rules.report.problems.clone();
    let game = RuleGame::brief(rules, budgets.game, stop.clone()).ok()?;
    problems.extend(playouts::play_briefly(&game, SEED));
    Some(problems)
}

/// Whether problems contain one with the code and the message of another one.
pub(super) fn has(problems: &[Problem], wanted: &Problem) -> bool {
    problems.iter().any(|other| (other.code, &other.message) == (wanted.code, &wanted.message))
}

/// Whether there is a problem that was not there before.
pub(super) fn has_new(after: &[Problem], before: &[Problem]) -> bool {
    let known: HashSet<(&str, &str)> = before.iter().map(|other| (other.code.text(), &*other.message)).collect();
    let is_known = |problem: &Problem| known.contains(&(problem.code.text(), &*problem.message));
    after.iter().any(|problem| problem.level != Severity::Note && !is_known(problem))
}

/// The edits after which expectations hold.
#[derive(Default)]
pub(super) struct FittingEdits {
    pub(super) edits: Vec<SmallEdit>,
    /// Whether every expectation was tried. Those that take long are left out.
    is_every: bool,
    /// Whether an expectation fails without an edit.
    fails: bool,
    /// The clauses that succeed in an expectation that holds.
    proved: Vec<Span>,
}

impl FittingEdits {
    /// The places of the edits, with what holds after them.
    pub(super) fn causes(&self) -> impl Iterator<Item = Cause> + '_ {
        let hold = match (self.fails, self.is_every) {
            (false, true) => "this problem is gone, and every expectation holds",
            (false, false) => "this problem is gone, and the expectations that take little time hold",
            (true, true) => "every expectation holds",
            (true, false) => "the expectations that take little time hold",
        };
        self.edits.iter().map(move |edit| (edit.place, format!("{hold} if {}", edit.condition)))
    }
}

/// Which edits are tried, and when.
pub(super) struct Scope<'a> {
    /// Places that are likely to have the mistake.
    pub(super) near: &'a [Span],
    /// Whether an edit of a clause at these places is more likely than any other one.
    pub(super) blamed: bool,
    /// The number of an expectation that is known to fail.
    pub(super) failing: Option<usize>,
    /// Whether an edit is tried.
    pub(super) wanted: &'a dyn Fn(&SmallEdit) -> bool,
    /// Whether edits are tried although no expectation fails.
    pub(super) always: bool,
    /// The time of all trials.
    pub(super) time: Duration,
}

/// The first edits after which every expectation holds and a last test succeeds. Edits of clauses that only failing
/// expectations run are tried first, and those at the places `near`.
pub(super) fn fitting(
    rules: &Rules,
    (budgets, stop): (Budgets, &Arc<AtomicBool>),
    scope: &Scope<'_>,
    last: &(dyn Fn(&SmallEdit, &Arc<AtomicBool>) -> bool + Sync),
) -> FittingEdits {
    if rules.claims.len() < FEWEST_CLAIMS {
        return FittingEdits::default();
    }
    let end = Instant::now() + scope.time;
    let Some(watch) = Watch::start(stop, end) else { return FittingEdits::default() };
    // Each trial copies the rules, and needs no report: with many problems the copies would take all the time.
    let mut rules = rules.clone();
    rules.report.problems.clear();
    let rules = &rules;
    // Expectations that take long are left out.
    let status = |at: usize| {
        let flag = watch.next()?;
        watch.set(STATUS, &flag);
        let begun = Instant::now();
        let holds = Trial::of(rules.clone(), None, budgets, &flag).holds(at);
        let holds = if Some(at) == scope.failing { false } else { holds? };
        (!flag.load(Relaxed)).then(|| TriedClaim { at, holds, time: begun.elapsed() })
    };
    let mut known: Vec<TriedClaim> = by_cost(rules).into_iter().filter_map(status).collect();
    let is_every = known.len() == rules.claims.len();
    known.sort_by_key(|claim| (claim.holds, claim.time));
    let failing = known.iter().filter(|claim| !claim.holds).count();
    let fails = failing > 0;
    if known.is_empty() || !fails && !scope.always {
        return FittingEdits::default();
    }
    let spectrum = spectrum(rules, budgets, &watch, &known);
    let fits = |edit: &SmallEdit, base: &Reference, watch: &Watch| {
        let flag = watch.next().filter(|_| !stop.load(Relaxed))?;
        let rules = rules.with_clause(edit.at.0, edit.at.1, &edit.changes)?;
        let mut trial = Trial::of(rules, Some(base), budgets, &flag);
        let (failing, others) = known.split_first()?;
        trial.holds(failing.at)?.then(|| watch.set(MORE, &flag))?;
        let mut trial = trial.compiled();
        // If every expectation holds without an edit, only the last test can fail: so it comes first.
        if !fails && !last(edit, &flag) {
            return None;
        }
        let held = others.iter().all(|claim| trial.holds(claim.at) == Some(true)) && (!fails || last(edit, &flag));
        (held && !flag.load(Relaxed)).then_some(())
    };
    let edits = small_edits(&rules.program, scope.near, &spectrum).into_iter().filter(scope.wanted);
    let mut edits: Vec<SmallEdit> = edits.collect();
    if scope.blamed {
        let is_near = |edit: &SmallEdit| scope.near.iter().any(|place| edit.clause.contains(*place));
        edits.iter_mut().filter(|edit| is_near(edit)).for_each(|edit| edit.likelihood *= BLAMED);
        edits.sort_by(|one, other| other.likelihood.total_cmp(&one.likelihood));
    }
    let found = tried_in_parallel(rules, &edits, (end, stop), &fits);
    // Some edit fits each wrong expectation by chance, so one expectation alone proves little.
    let is_doubtful = scope.failing.is_some() && failing == 1;
    let shown = match is_doubtful {
        false => {
            let mut shown = edits_to_show(rules, &edits, found.iter());
            // Some edits elsewhere keep play from the position of the fault.
            let is_elsewhere = scope.blamed && shown.first().is_some_and(|best| best.likelihood < BLAMED / 1e3);
            shown.truncate(if is_elsewhere && shown.len() > 1 { 0 } else { shown.len() });
            shown
        }
        true if Instant::now() >= end => Vec::new(),
        true => only_likely(rules, &found.iter().map(|at| &edits[*at]).collect::<Vec<_>>()).into_iter().collect(),
    };
    let shown = shown.into_iter().cloned().collect();
    FittingEdits { edits: shown, is_every, fails, proved: spectrum.proved_clauses(&rules.program).collect() }
}

/// The numbers of the edits that fit, so far as they may be shown. Those that were found stay if the time is over.
fn tried_in_parallel(
    rules: &Rules,
    edits: &[SmallEdit],
    (end, stop): (Instant, &Arc<AtomicBool>),
    fits: &(dyn Fn(&SmallEdit, &Reference, &Watch) -> Option<()> + Sync),
) -> BTreeSet<usize> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
    let try_edits = || {
        let Some(watch) = Watch::start(stop, end) else { return };
        let base = rules.reference(stop);
        while Instant::now() < end && !stop.load(Relaxed) {
            let at = next.fetch_add(1, Relaxed);
            let Some(edit) = edits.get(at) else { break };
            // Only earlier edits count, so that the threads find what one thread finds.
            let shown = edits_to_show(rules, edits, found.lock().unwrap_or_else(PoisonError::into_inner).range(..at));
            if shown.len() == MOST_SHOWN {
                break;
            }
            if !is_beside(rules, edit, &shown) && fits(edit, &base, &watch).is_some() {
                found.lock().unwrap_or_else(PoisonError::into_inner).insert(at);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without this thread, the others try all edits.
            let _helper = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, try_edits);
        }
        try_edits();
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The edits that are shown of those that were found, which are given by their numbers in order.
fn edits_to_show<'a, 'b>(
    rules: &Rules,
    edits: &'a [SmallEdit],
    found: impl Iterator<Item = &'b usize>,
) -> Vec<&'a SmallEdit> {
    let mut shown: Vec<&SmallEdit> = Vec::new();
    for edit in found.map(|at| &edits[*at]) {
        let is_likely = shown.first().is_none_or(|best| edit.likelihood >= LIKELY * best.likelihood);
        if shown.len() < MOST_SHOWN && is_likely && !is_beside(rules, edit, &shown) {
            shown.push(edit);
        }
    }
    shown
}

/// The only one of the edits that fit an expectation which does not fit by chance; or the likeliest one, if no other
/// one changes the form of a clause.
fn only_likely<'a>(rules: &Rules, found: &[&'a SmallEdit]) -> Option<&'a SmallEdit> {
    let only = |wanted: &dyn Fn(&SmallEdit) -> bool| {
        let mut likely = found.iter().copied().filter(|edit| wanted(edit));
        likely.next().filter(|_| likely.next().is_none())
    };
    let by_chance = [EditKind::Goal, EditKind::Unlike, EditKind::OffByOne];
    let is_fact = |(pred, at): (PredId, usize)| matches!(rules.program.predicate(pred).clauses[at].body, Goal::True);
    // Some limit satisfies each wrong expectation.
    let is_limit = |edit: &&SmallEdit| edit.kind == EditKind::Number && is_fact(edit.at);
    only(&|edit| !by_chance.contains(&edit.kind)).filter(|edit| !is_limit(edit)).or_else(|| {
        let forms = [EditKind::Exchange, EditKind::Rest, EditKind::Brackets, EditKind::Name];
        let form = only(&|edit| forms.contains(&edit.kind) && !is_fact(edit.at))?;
        found.iter().all(|edit| edit.likelihood <= form.likelihood).then_some(form)
    })
}

/// Whether enough edits of the clause are shown, or one like it in the same line, or one of the same place.
fn is_beside(rules: &Rules, edit: &SmallEdit, shown: &[&SmallEdit]) -> bool {
    let others: Vec<&&SmallEdit> = shown.iter().filter(|other| other.clause == edit.clause).collect();
    let overlaps = |other: Span| other.contains(edit.place) || edit.place.contains(other);
    let is_alike = |other: &SmallEdit| other.kind == edit.kind && same_line(rules, other.place, edit.place);
    others.len() == MOST_OF_CLAUSE || others.iter().any(|other| overlaps(other.place) || is_alike(other))
}

/// Whether two places of a clause begin on one line.
fn same_line(rules: &Rules, one: Span, other: Span) -> bool {
    let between = Span { start: one.start.min(other.start), end: one.start.max(other.start), ..one };
    !rules.program.sources.text(between).contains('\n')
}

/// An expectation that was tried: its number, whether it holds, and the time of the test.
struct TriedClaim {
    at: usize,
    holds: bool,
    time: Duration,
}

/// Which clauses the failing expectations run, and which the others.
fn spectrum(rules: &Rules, budgets: Budgets, watch: &Watch, claims: &[TriedClaim]) -> Spectrum {
    let mut spectrum = Spectrum::new(&rules.program);
    for claim in claims {
        let Some(flag) = watch.next() else { break };
        watch.set(if claim.holds { COVER } else { COVER_OF_FAILING }, &flag);
        let session = Session::of_trial(rules.clone(), budgets, flag.clone());
        let coverage = session.coverage_of(&rules.claims[claim.at]);
        spectrum.add(&rules.program, &coverage.borrow(), claim.holds, !flag.load(Relaxed));
    }
    spectrum
}
