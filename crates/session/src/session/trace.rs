//! Traces goals and searches step by step.
//!
//! It takes a goal or a position, and filters. It passes on ports of goals, or positions that a search
//! enters and leaves, as they happen. It stops at a limit. Front ends call it and format the steps.

use super::predicates::{PredicateOrigin, indicator, whose};
use super::query::{Answer, Answers, QueryOptions};
use super::{LONGEST_LINE, Session, SessionResult};
use alphorn_lang::lang::program::{Callee, Program};
use alphorn_prolog::machine::watch::{GoalPort, PortEvent, Watcher};
use alphorn_prolog::term::write::{Names, WriteOptions, brief};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, Score};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchResult;
use alphorn_search::search::visits::Visit;
use alphorn_search::search::{Algorithm, run_observed};
use alphorn_text::symbol::Atom;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The default maximum number of traced steps.
pub const STEPS_TOLD: u64 = 200;

/// The maximum length in bytes of the text of a goal.
const LONGEST_GOAL: usize = 300;

/// Filters for the trace of a goal.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// If not empty: trace only these predicates, given as `name/arity`, or as a name for every arity.
    pub only: Vec<String>,
    /// Do not trace these predicates.
    pub skip: Vec<String>,
    /// Whether to trace inside library predicates.
    pub library: bool,
    /// The maximum depth of traced calls.
    pub depth: Option<u32>,
    /// The number of traced ports after which the goal is stopped.
    pub limit: u64,
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        TraceOptions { only: Vec::new(), skip: Vec::new(), library: false, depth: None, limit: STEPS_TOLD }
    }
}

/// A goal at a port, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPort {
    /// The port.
    pub port: GoalPort,
    /// The number of goals around this goal, itself included.
    pub depth: u32,
    /// `name/arity`.
    pub predicate: String,
    /// The goal with its current bindings, shortened to a line.
    pub goal: String,
}

/// A step of a traced goal.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceStep {
    /// A goal passes a port.
    Port(ShownPort),
    /// The traced goal has an answer.
    Answer(Answer),
}

/// A callback for every step. It must not call the session.
pub type Hear = Box<dyn FnMut(TraceStep)>;

/// The result of a traced goal.
#[derive(Debug)]
pub struct TracedGoal {
    /// The answers so far.
    pub answers: Answers,
    /// The number of traced ports.
    pub told: u64,
    /// Whether the limit of traced ports stopped the goal.
    pub full: bool,
}

struct Trace {
    program: Arc<Program>,
    only: Vec<Callee>,
    skip: Vec<Callee>,
    follow: TraceOptions,
    told: u64,
    full: bool,
    hear: Rc<RefCell<Hear>>,
}

impl Trace {
    /// Whether a call is internal to the library: a library predicate calls a predicate that is not the
    /// user's.
    fn is_inside_library(&self, caller: Option<Callee>, callee: Callee) -> bool {
        let of = |callee| whose(&self.program, callee);
        caller.is_some_and(|caller| of(caller) == PredicateOrigin::Library) && of(callee) != PredicateOrigin::Own
    }
}

impl Watcher for Trace {
    fn pass(&mut self, passed: PortEvent<'_>) -> bool {
        if self.full {
            return false;
        }
        let TraceOptions { depth, limit, library, .. } = &self.follow;
        let named = !self.only.is_empty();
        let shows = *library || named || !self.is_inside_library(passed.caller, passed.callee);
        let wanted = shows
            && (!named || self.only.contains(&passed.callee))
            && !self.skip.contains(&passed.callee)
            && depth.is_none_or(|depth| passed.depth <= depth);
        if !wanted {
            return true;
        }
        if self.told == *limit {
            self.full = true;
            return false;
        }
        self.told += 1;
        let predicate = indicator(&self.program, passed.callee);
        let goal = goal_text(passed.store, &predicate, passed.args);
        let PortEvent { port, depth, .. } = passed;
        (self.hear.borrow_mut())(TraceStep::Port(ShownPort { port, depth, predicate, goal }));
        true
    }
}

/// A goal as a line of text. The heap it takes is released.
fn goal_text(
    store: &mut alphorn_prolog::machine::store::Store,
    indicator: &str,
    args: &[alphorn_prolog::term::Term],
) -> String {
    let name = indicator.rsplit_once('/').map_or(indicator, |(name, _)| name);
    let heap = &mut store.heap;
    let top = heap.len();
    let goal = heap.structure(Atom::new(name), args);
    let style =
        WriteOptions { quoted: true, operators: Some(&store.ops), number_vars: false, stop: None, limit: LONGEST_GOAL };
    let mut text = String::new();
    brief(heap, (goal, 1200), style, &mut Names::default(), &mut text);
    heap.truncate(top);
    text
}

/// Filters for the trace of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchTraceOptions {
    /// The maximum number of plies below the root.
    pub plies: Option<u32>,
    /// The number of traced visits after which the search is stopped.
    pub limit: u64,
}

/// A position that a search enters or leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownVisit {
    /// Plies from the root.
    pub ply: u32,
    /// The move to this position; `None` at the root.
    pub label: Option<String>,
    /// The position, as a term.
    pub position: String,
    /// Alpha and beta for MAX, as the search passed them down.
    pub window: (Score, Score),
    /// The result of the visit; `None` when the position is entered.
    pub left: Option<LeftWith>,
}

/// The result of a visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftWith {
    /// The value, or a bound of the value if it lies outside of the window.
    pub score: Score,
    /// The number of moves that were not tried.
    pub cut: usize,
}

/// The result of a traced search.
#[derive(Debug)]
pub struct TracedSearch {
    /// The result of the search up to where it stopped.
    pub outcome: SearchResult<String>,
    /// The number of traced entries and exits.
    pub told: u64,
    /// Whether the limit of traced visits stopped the search.
    pub full: bool,
}

impl Session {
    /// Traces a goal through its ports.
    ///
    /// Errs if `follow` names an unknown predicate. Stops the goal after `follow.limit` ports.
    pub fn trace_goal(
        &self,
        goal: &str,
        asking: QueryOptions,
        now: Option<Position>,
        follow: &TraceOptions,
        hear: Hear,
    ) -> SessionResult<TracedGoal> {
        let named = |names: &[String]| -> SessionResult<Vec<Callee>> {
            Ok(names.iter().map(|name| self.named(name)).collect::<SessionResult<Vec<_>>>()?.concat())
        };
        let (only, skip) = (named(&follow.only)?, named(&follow.skip)?);
        let hear = Rc::new(RefCell::new(hear));
        let trace = Rc::new(RefCell::new(Trace {
            program: self.rules.program.clone(),
            only,
            skip,
            follow: follow.clone(),
            told: 0,
            full: false,
            hear: hear.clone(),
        }));
        let reference = self.rules.reference(&self.stop);
        let solver = Box::new(reference.watched(trace.clone()));
        let mut see = |answer: &Answer, _: &str, _: bool| {
            (hear.borrow_mut())(TraceStep::Answer(answer.clone()));
            true
        };
        let mut answers = self.query_with(solver, goal, asking, now, &mut see)?;
        let trace = trace.borrow();
        if trace.full {
            answers.error = None;
        }
        Ok(TracedGoal { answers, told: trace.told, full: trace.full })
    }

    /// Traces a search position by position. It uses alpha-beta if [`Algorithm::reports_visits`] is false.
    ///
    /// Errs as the search does. Stops the search after `follow.limit` visits.
    pub fn trace_search(
        &self,
        game: &RuleGame,
        state: &Position,
        (algorithm, depth): (Algorithm, Option<u32>),
        follow: SearchTraceOptions,
        hear: &mut dyn FnMut(ShownVisit),
    ) -> SessionResult<TracedSearch> {
        if game.facts().has_chance {
            return Err(self.chance_failure("a search of a game with chance cannot be traced"));
        }
        // Labels use their own game, so that the game of the search is not disturbed.
        let names = self.game()?;
        let enough = AtomicBool::new(false);
        let (told, full) = (Cell::new(0), Cell::new(false));
        let teller = RefCell::new(VisitReporter { session: self, names: &names, line: Vec::new(), hear });
        let heard = |visit: Visit<'_, Position>| {
            if self.stop.load(Relaxed) {
                enough.store(true, Relaxed);
            }
            let ply = match visit {
                Visit::In { ply, .. } | Visit::Out { ply, .. } => ply,
            };
            let wanted = follow.plies.is_none_or(|plies| ply <= plies);
            if wanted && told.get() == follow.limit {
                full.set(true);
                enough.store(true, Relaxed);
            }
            let tells = wanted && !full.get();
            told.set(told.get() + u64::from(tells));
            teller.borrow_mut().tell(visit, tells);
        };
        let limits = Limits { depth, longest: Some(LONGEST_LINE), stop: Some(&enough), ..Limits::default() };
        let found = run_observed(algorithm, (game, &RuleEval), state, &limits, &heard);
        let outcome = found.map_err(|error| self.search_error(game, state, error))?;
        Ok(TracedSearch {
            outcome: outcome.named(|moves| self.labels(game, state, moves)),
            told: told.get(),
            full: full.get(),
        })
    }
}

/// A position on the current line of the search.
struct LinePosition {
    state: Position,
    label: Option<String>,
    window: (Score, Score),
    /// The moves from this position, generated for the first label.
    moves: Option<Vec<RuleMove>>,
}

struct VisitReporter<'a> {
    session: &'a Session,
    names: &'a RuleGame,
    line: Vec<LinePosition>,
    hear: &'a mut dyn FnMut(ShownVisit),
}

impl VisitReporter<'_> {
    fn tell(&mut self, visit: Visit<'_, Position>, tells: bool) {
        let (state, ply, left) = match visit {
            Visit::In { state, ply, window } => {
                self.line.truncate(ply as usize);
                let label = if tells { self.label(state) } else { None };
                self.line.push(LinePosition { state: state.clone(), label, window, moves: None });
                (state, ply, None)
            }
            Visit::Out { state, ply, score, cut } => {
                self.line.truncate(ply as usize + 1);
                (state, ply, Some(LeftWith { score, cut }))
            }
        };
        if let (true, Some(on)) = (tells, self.line.last()) {
            let position = self.session.position_text(self.names, state).unwrap_or_default();
            (self.hear)(ShownVisit { ply, label: on.label.clone(), position, window: on.window, left });
        }
    }

    /// The label of the move from the last position of the line to `state`.
    fn label(&mut self, state: &Position) -> Option<String> {
        let above = self.line.last_mut()?;
        let moves = above.moves.get_or_insert_with(|| {
            let mut moves = Vec::new();
            // The search itself reports a fault of these rules.
            let _ = self.names.moves(&above.state, &mut moves);
            moves
        });
        let mv = moves.iter().find(|mv| mv.next == *state)?;
        self.session.label(self.names, &above.state, mv).ok()
    }
}
