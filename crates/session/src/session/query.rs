//! Runs goals that the user types, and returns their answers as text.

use super::claims::plain;
use super::{Failure, Session, SessionResult};
use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::check::undefined;
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::program::USER;
use alphorn_lang::lang::read;
use alphorn_prolog::machine;
use alphorn_prolog::machine::Query;
use alphorn_prolog::machine::fault::{Cause, Fault, FaultPlace};
use alphorn_prolog::machine::store::{HostCallback, Store};
use alphorn_prolog::term::Term;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, pack, unpack};
use alphorn_prolog::term::write::{Names, Variables, WriteOptions, write_at};
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::fault::machine;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::search;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::SearchError;
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{Source, Sources};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// One answer: the named variables in the order of the goal, with their values.
pub type Answer = Vec<(String, String)>;

/// The error that ended a goal.
#[derive(Clone, Debug)]
pub struct AnswerError {
    /// The error as a diagnostic.
    pub problem: Problem,
    /// The ISO error term, or the thrown ball.
    pub term: String,
    /// Whether the stop flag ended the goal.
    pub stopped: bool,
}

/// Options for running a goal.
#[derive(Clone, Copy, Debug)]
pub struct QueryOptions {
    /// The maximum number of answers.
    pub limit: usize,
    /// Whether operators are written as functors.
    pub canonical: bool,
    /// Whether the answers are collected, and not only passed on one by one.
    pub keep: bool,
}

/// The result of a goal.
#[derive(Debug)]
pub struct Answers {
    /// The answers, if they are collected.
    pub answers: Vec<Answer>,
    /// The number of answers found.
    pub count: usize,
    /// Whether these are all answers.
    pub complete: bool,
    /// The output of the goal.
    pub output: String,
    /// The error that ended the goal.
    pub error: Option<AnswerError>,
    /// Warnings about the goal as typed.
    pub warnings: Report,
}

impl Answers {
    /// Merges a warning into the error if both are about the same mistake.
    pub fn tell_once(&mut self) {
        tell_once(&mut self.warnings, self.error.as_mut());
    }
}

/// Merges a warning into the error if both report the same mistake, such as a missing predicate or a
/// number in the place of a goal. The error takes over the label and the help of the warning.
pub(super) fn tell_once(warnings: &mut Report, error: Option<&mut AnswerError>) {
    let Some(error) = error.filter(|error| error.problem.code == Code::ErrorInGoal) else { return };
    let goal = error.problem.labels.first().map(|(span, _)| *span);
    let uncallable = error.term.starts_with("type_error(callable,");
    let about = |warning: &Problem| {
        let place = warning.labels.first().map(|(span, _)| *span);
        let inside = goal
            .zip(place)
            .is_some_and(|(goal, place)| place.source == goal.source && (goal.start..goal.end).contains(&place.start));
        match warning.code {
            Code::UndefinedPredicate | Code::OtherArity | Code::RefusedPredicate => inside,
            Code::InvalidGoal => uncallable && (inside || goal.is_none()),
            _ => false,
        }
    };
    let Some(at) = warnings.problems.iter().position(about) else { return };
    let warning = warnings.problems.remove(at);
    error.problem.labels = warning.labels;
    error.problem.help = warning.help.or(error.problem.help.take());
    if matches!(warning.code, Code::RefusedPredicate | Code::InvalidGoal) {
        error.problem.message = warning.message;
    }
}

/// A typed goal, with the texts that its spans point into.
pub(super) enum Typed {
    /// A goal with warnings.
    Goal(Sentence, Report),
    /// A text that is no goal.
    Wrong(AnswerError, Report),
}

/// The maximum bytes of a written value. A value is also limited to a sixteenth of the remaining memory,
/// because the text takes memory as well.
const LONGEST: usize = 16 << 20;
/// A value is first written with this limit in bytes, because most values are short.
const SHORT: usize = 64 << 10;
/// The copies of a kept answer: as a text, as a part of JSON, and as JSON text.
const COPIES: usize = 5;
/// The bytes of each value in an answer beside its text.
const ENTRY: usize = 160;

impl Session {
    /// Runs a goal; `now` is the current position. `see` receives each answer, the output before it, and
    /// whether there may be more answers. It returns whether to continue.
    pub fn query(
        &self,
        goal: &str,
        asking: QueryOptions,
        now: Option<Position>,
        see: &mut dyn FnMut(&Answer, &str, bool) -> bool,
    ) -> SessionResult<Answers> {
        let solver = machine::choose::solver(&self.rules.program, &self.rules.runs, &self.stop);
        self.query_with(solver, goal, asking, now, see)
    }

    /// Runs a goal with a given solver.
    pub(super) fn query_with(
        &self,
        mut solver: Box<dyn machine::Solver>,
        goal: &str,
        asking: QueryOptions,
        now: Option<Position>,
        see: &mut dyn FnMut(&Answer, &str, bool) -> bool,
    ) -> SessionResult<Answers> {
        let (sentence, warnings) = match self.typed(goal)? {
            Typed::Goal(sentence, warnings) => (sentence, warnings),
            Typed::Wrong(error, warnings) => {
                let error = Some(error);
                return Ok(Answers {
                    answers: Vec::new(),
                    count: 0,
                    complete: false,
                    output: String::new(),
                    error,
                    warnings,
                });
            }
        };
        solver.store().host = self.host(now);
        let mut answers =
            Answers { answers: Vec::new(), count: 0, complete: true, output: String::new(), error: None, warnings };
        let asked = solver.ask(&Query::Goal(&sentence.tree, sentence.root), self.budgets.goal);
        if let Err(fault) = asked.and_then(|()| self.gather(&mut *solver, &sentence, asking, &mut answers, see)) {
            answers.complete = false;
            answers.error = Some(self.answer_error(&fault, asking.canonical));
        }
        answers.output = std::mem::take(&mut solver.store().output);
        Ok(answers)
    }

    fn gather(
        &self,
        solver: &mut dyn machine::Solver,
        sentence: &Sentence,
        asking: QueryOptions,
        answers: &mut Answers,
        see: &mut dyn FnMut(&Answer, &str, bool) -> bool,
    ) -> Result<(), Fault> {
        let mut shown = 0;
        let mut kept = 0;
        while answers.count < asking.limit {
            if !solver.next()? {
                return Ok(());
            }
            let values = solver.answer().to_vec();
            let answer = self.written(solver.store(), sentence, &values, asking.canonical)?;
            let more = answers.count + 1 < asking.limit && solver.has_alternatives();
            let output = &solver.store().output;
            let goes_on = see(&answer, &output[shown..], more);
            shown = output.len();
            answers.count += 1;
            if asking.keep {
                kept += COPIES * answer.iter().map(|(name, text)| name.len() + text.len() + ENTRY).sum::<usize>() + 64;
                answers.answers.push(answer);
                if kept as u64 + solver.store().used() > self.budgets.goal.memory {
                    return Err(Cause::Memory(self.budgets.goal.memory).into());
                }
            } else {
                solver.store().output.clear();
                shown = 0;
            }
            if !goes_on {
                break;
            }
        }
        answers.complete = asking.limit > 0 && !solver.has_alternatives();
        Ok(())
    }

    /// Parses a goal that the user types.
    pub(super) fn typed(&self, goal: &str) -> SessionResult<Typed> {
        let mut sources = (*self.rules.program.sources).clone();
        let id = sources.add(Source::typed("goal", goal));
        let sources = Arc::new(sources);
        match read::goal(id, goal, &self.rules.program.ops) {
            Ok(Some(sentence)) => {
                let problems = self.typed_problems(&sentence, &sources);
                let warnings = Report::new(sources, problems);
                Ok(Typed::Goal(sentence, warnings))
            }
            Ok(None) => Err(Failure::Problem(
                Box::new(
                    Problem::placeless(Code::MissingTerm, "there is no goal").help("write a goal, such as initial(P)"),
                ),
                sources,
            )),
            // A text that is no goal is an ISO syntax error.
            Err(problem) => {
                let term = "syntax_error(cannot_read)".to_string();
                let error = AnswerError { term, problem: *problem, stopped: false };
                Ok(Typed::Wrong(error, Report::new(sources, Vec::new())))
            }
        }
    }

    /// The warnings about a typed goal. They do not refuse the goal.
    fn typed_problems(&self, sentence: &Sentence, sources: &Sources) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut resolver = Resolver::new(&self.rules.program, USER, &sentence.tree);
        resolver.typed = true;
        resolver.sources = sources;
        resolver.goal(sentence.root);
        undefined::report(&resolver, &FxHashSet::default(), true, &undefined::VisibleNames::default(), &mut problems);
        problems.into_iter().map(Problem::as_warning).collect()
    }

    /// The values of an answer as text. Unbound variables are `_1`, `_2`, ..., numbered over the whole
    /// answer.
    pub(super) fn written(
        &self,
        store: &mut Store,
        sentence: &Sentence,
        values: &[Term],
        canonical: bool,
    ) -> Result<Answer, Fault> {
        let heap = &store.heap;
        let mut names = Names::default();
        let mut answer = Answer::new();
        let ops = &self.rules.program.ops;
        let most = LONGEST.min(store.words_left() / 2);
        let style = WriteOptions {
            quoted: true,
            operators: if canonical { None } else { Some(ops) },
            number_vars: false,
            stop: Some(&self.stop),
            limit: SHORT.min(most),
        };
        for (variable, value) in sentence.tree.variables.iter().zip(values) {
            if variable.name.starts_with('_') {
                continue;
            }
            let mut text = String::new();
            let mut whole = write_at(heap, *value, 699, style, Variables::Numbered(&mut names), &mut text);
            let beyond = (!whole).then(|| store.unpackable(*value));
            let cyclic = matches!(beyond, Some(Fault { cause: Cause::Cyclic, .. }));
            if !whole && !cyclic && style.limit < most {
                text.clear();
                let style = WriteOptions { limit: most, ..style };
                whole = write_at(heap, *value, 699, style, Variables::Numbered(&mut names), &mut text);
            }
            if let Some(mut fault) = beyond.filter(|_| !whole) {
                if self.stop.load(Ordering::Relaxed) {
                    return Err(Cause::Stopped.into());
                }
                let doing = if cyclic { "" } else { "writing " };
                let goal = format!("{doing}the value of {}", variable.name);
                fault.place = Some(Box::new(FaultPlace { goal, ..FaultPlace::default() }));
                return Err(fault);
            }
            answer.push((variable.name.to_string(), text));
        }
        Ok(answer)
    }

    pub(super) fn answer_error(&self, fault: &Fault, canonical: bool) -> AnswerError {
        let term = match &fault.cause {
            Cause::Thrown(ball) => {
                let mut heap = Heap::default();
                let ball = unpack(&mut heap, ball);
                let shown = match heap.view(ball) {
                    TermView::Compound(name, [formal, _]) if name == atoms::ERROR => Term::of_cell(*formal),
                    _ => ball,
                };
                let mut names = Names::default();
                let mut text = String::new();
                let style = WriteOptions {
                    quoted: true,
                    operators: if canonical { None } else { Some(&self.rules.program.ops) },
                    number_vars: false,
                    stop: None,
                    limit: 1 << 14,
                };
                write_at(&heap, shown, 1200, style, Variables::Numbered(&mut names), &mut text);
                text
            }
            Cause::Steps(_) | Cause::LongOperation(_) => "resource_error(steps)".to_string(),
            Cause::Memory(_) => "resource_error(memory)".to_string(),
            Cause::Cyclic => "type_error(acyclic_term,_)".to_string(),
            Cause::Stopped => "interrupted".to_string(),
        };
        AnswerError { problem: machine(fault, &self.rules.program), term, stopped: fault.cause == Cause::Stopped }
    }

    /// The host that answers `value/3`, `best/3` and `position_now/1` for a game.
    pub(super) fn host(&self, now: Option<Position>) -> Option<HostCallback> {
        if !self.rules.contract.is_game() {
            return None;
        }
        let rules = self.rules.clone();
        let (budget, stop) = (self.budgets.game, self.stop.clone());
        let mut game: Option<RuleGame> = None;
        Some(Box::new(move |name, position, depth| {
            if let (None, Some(now)) = (position, &now) {
                return Ok(Some(now.0.clone()));
            }
            if game.is_none() {
                game =
                    Some(RuleGame::new(rules.clone(), budget, stop.clone()).map_err(|fault| unwrapped(fault.wrong))?);
            }
            let game = game.as_ref().expect("it was just made");
            let Some(position) = position else {
                // Without a current position the first opening counts.
                let openings = game.openings().map_err(|fault| unwrapped(fault.wrong))?;
                return Ok(openings.first().map(|opening| opening.0.clone()));
            };
            let limits = Limits { stop: Some(&stop), ..Limits::to_depth(depth) };
            let algorithm = plain(game);
            let state = Position(position.clone());
            let outcome = search::run(algorithm, game, &RuleEval, &state, &limits).map_err(|error| match error {
                SearchError::Fault { fault, .. } => unwrapped(fault.wrong),
                SearchError::Repetition { .. } | SearchError::Endless { .. } | SearchError::Chance { .. } => {
                    existence("value", 3)
                }
            })?;
            if outcome.stopped {
                return Err(Cause::Stopped.into());
            }
            Ok(match name {
                "best" => outcome.best.map(|mv| mv.label().clone()),
                _ => outcome.value.map(|value| number(value.to_number())),
            })
        }))
    }
}

fn existence(name: &str, arity: usize) -> Fault {
    Fault::unknown_procedure(&mut Heap::default(), Atom::new(name), arity)
}

/// The fault of a game predicate as a fault of the goal.
fn unwrapped(wrong: alphorn_rules::rules::fault::FaultKind) -> Fault {
    match wrong {
        alphorn_rules::rules::fault::FaultKind::Machine(fault) => Fault { place: None, ..fault },
        alphorn_rules::rules::fault::FaultKind::Answer(_, message, _) => {
            let mut heap = Heap::default();
            let message = heap.atom(&message);
            Fault::of(&mut heap, "game_error", &[message])
        }
    }
}

/// A number as a term: an integer if it is whole.
fn number(value: f64) -> Packed {
    let mut heap = Heap::default();
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    let term = if whole { heap.integer(value as i64) } else { heap.float(value) };
    pack(&heap, term, 16).expect("a number takes a few words")
}
