//! Goals and searches told step by step, as far as somebody wants to follow.
//!
//! In: a goal or a position, and what of it is to be told. Out: ports of goals, or positions that
//! a search enters and leaves, one by one as they happen, to a limit at which it stops. Must not
//! know how they are shown. Called by front ends.

use super::predicates::{PredicateOrigin, indicator, whose};
use super::query::{Answer, Answers, QueryOptions};
use super::{Done, LONGEST_LINE, Session};
use alphorn_lang::lang::program::{Callee, Program};
use alphorn_prolog::machine::reference::Reference;
use alphorn_prolog::machine::watch::{Port, PortEvent, Watcher};
use alphorn_prolog::term::write::{Names, WriteOptions, brief};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, Score};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchResult;
use alphorn_search::search::visits::{self, Visit};
use alphorn_text::symbol::Atom;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How many steps are told of, if nothing else is said.
pub const STEPS_TOLD: u64 = 200;

/// A goal is shown in so many bytes.
const LONGEST_GOAL: usize = 300;

/// What of a goal is told.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// Only these predicates, where any are given: `name/arity`, or a name for every arity.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
    /// What goes on inside of the library's predicates as well.
    pub library: bool,
    /// Not what is called from deeper than this.
    pub depth: Option<u32>,
    /// Stop after so many.
    pub limit: u64,
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        TraceOptions { only: Vec::new(), skip: Vec::new(), library: false, depth: None, limit: STEPS_TOLD }
    }
}

/// A goal at a port.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPort {
    /// Which port.
    pub port: Port,
    /// How many goals it stands in, itself counted.
    pub depth: u32,
    /// `name/arity`.
    pub predicate: String,
    /// The goal, as it is bound by now, shortened to a line.
    pub goal: String,
}

/// What happens while a goal is followed.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceStep {
    /// A goal passes a port.
    Port(ShownPort),
    /// The goal that was asked has an answer.
    Answer(Answer),
}

/// Hears of every step, and must not ask the session anything.
pub type Hear = Box<dyn FnMut(TraceStep)>;

/// What came of a goal that was followed.
#[derive(Debug)]
pub struct TracedGoal {
    /// Its answers so far.
    pub answers: Answers,
    /// Ports told.
    pub told: u64,
    /// Whether it was stopped because that is as many as were wanted.
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
    /// Whether a goal is the library's own business: it calls it, and it is not the user's.
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

/// A goal as a line of text. What it takes on the heap to write it is given back.
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

/// What of a search is told.
#[derive(Clone, Copy, Debug)]
pub struct SearchTraceOptions {
    /// Not what lies more plies below the root than this.
    pub plies: Option<u32>,
    /// Stop after so many.
    pub limit: u64,
}

/// A position that a search enters or leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownVisit {
    /// Plies from the root.
    pub ply: u32,
    /// The move that leads there; none at the root.
    pub label: Option<String>,
    /// The position, as a term.
    pub position: String,
    /// Alpha and beta, for Max, as they were handed down.
    pub window: (Score, Score),
    /// None where it is entered; where it is left, what it is worth to Max.
    pub left: Option<LeftWith>,
}

/// What a position is left with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftWith {
    /// Its value, or a bound of it where that lies outside of the window.
    pub score: Score,
    /// Moves that were not tried.
    pub cut: usize,
}

/// What came of a search that was followed.
#[derive(Debug)]
pub struct TracedSearch {
    /// What was found, by how far it came.
    pub outcome: SearchResult<String>,
    /// Visits told: entries and exits.
    pub told: u64,
    /// Whether it was stopped because that is as many as were wanted.
    pub full: bool,
}

impl Session {
    /// Follows a goal through its ports.
    ///
    /// Errs where `follow` names what is not there. Stops the goal after `follow.limit` ports.
    pub fn trace_goal(
        &self,
        goal: &str,
        asking: QueryOptions,
        now: Option<Position>,
        follow: &TraceOptions,
        hear: Hear,
    ) -> Done<TracedGoal> {
        let named = |names: &[String]| -> Done<Vec<Callee>> {
            Ok(names.iter().map(|name| self.named(name)).collect::<Done<Vec<_>>>()?.concat())
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
        let reference = Reference::new(self.rules.program.clone(), self.rules.runs.clone(), self.stop.clone());
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

    /// Follows a search position by position; by alpha-beta, where [`visits::tells`] is false.
    ///
    /// Errs as the search does. Stops it after `follow.limit` visits.
    pub fn trace_search(
        &self,
        game: &RuleGame,
        state: &Position,
        (algorithm, depth): (Algorithm, Option<u32>),
        follow: SearchTraceOptions,
        hear: &mut dyn FnMut(ShownVisit),
    ) -> Done<TracedSearch> {
        if game.has_chance() {
            return Err(self.by_chance("a search of a game with chance cannot be traced"));
        }
        // Labels are asked of a game of their own, so that the search's own goes undisturbed.
        let names = self.game()?;
        let enough = AtomicBool::new(false);
        let (told, full) = (Cell::new(0), Cell::new(false));
        let teller = RefCell::new(Teller { session: self, names: &names, line: Vec::new(), hear });
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
        let found = visits::run(algorithm, (game, &RuleEval), state, &limits, &heard);
        let outcome = found.map_err(|error| self.search_error(game, state, error))?;
        Ok(TracedSearch {
            outcome: outcome.named(|moves| self.labels(game, state, moves)),
            told: told.get(),
            full: full.get(),
        })
    }
}

/// A position on the line that a search is at.
struct On {
    state: Position,
    label: Option<String>,
    window: (Score, Score),
    /// The moves from it, once a label was asked for.
    moves: Option<Vec<RuleMove>>,
}

struct Teller<'a> {
    session: &'a Session,
    names: &'a RuleGame,
    line: Vec<On>,
    hear: &'a mut dyn FnMut(ShownVisit),
}

impl Teller<'_> {
    fn tell(&mut self, visit: Visit<'_, Position>, tells: bool) {
        let (state, ply, left) = match visit {
            Visit::In { state, ply, window } => {
                self.line.truncate(ply as usize);
                let label = if tells { self.label(state) } else { None };
                self.line.push(On { state: state.clone(), label, window, moves: None });
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

    /// The move to a position from the one that the line ends with: an entered position comes
    /// behind the last one entered and not left.
    fn label(&mut self, state: &Position) -> Option<String> {
        let above = self.line.last_mut()?;
        let moves = above.moves.get_or_insert_with(|| {
            let mut moves = Vec::new();
            // What goes wrong here goes wrong in the search as well, which tells it.
            let _ = self.names.moves(&above.state, &mut moves);
            moves
        });
        let mv = moves.iter().find(|mv| mv.next == *state)?;
        self.session.label(self.names, &above.state, mv).ok()
    }
}
