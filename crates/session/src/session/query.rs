//! Goals that a person asks, with their answers as text.

use super::claims::plain;
use super::{Done, Failure, Session};
use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::check::undefined;
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::program::USER;
use alphorn_lang::lang::read;
use alphorn_prolog::machine;
use alphorn_prolog::machine::Query;
use alphorn_prolog::machine::fault::{Cause, Fault, FaultPlace};
use alphorn_prolog::machine::store::{Host, Store};
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
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{Source, Sources};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// One answer: the values of the variables, in the order they stand.
pub type Answer = Vec<(String, String)>;

/// How an error is told to a program.
#[derive(Clone, Debug)]
pub struct AnswerError {
    /// As a problem to be drawn.
    pub problem: Problem,
    /// The ISO error term, or the ball.
    pub term: String,
    /// Whether somebody asked to stop.
    pub stopped: bool,
}

/// How to ask.
#[derive(Clone, Copy, Debug)]
pub struct QueryOptions {
    /// How many answers to look for at most.
    pub limit: usize,
    /// Write operators as functors.
    pub canonical: bool,
    /// Keep the answers, rather than only show them one by one.
    pub keep: bool,
}

/// What came of a goal.
#[derive(Debug)]
pub struct Answers {
    /// The answers found, where they are kept.
    pub answers: Vec<Answer>,
    /// How many were found.
    pub count: usize,
    /// Whether these are all.
    pub complete: bool,
    /// What the goal wrote.
    pub output: String,
    /// Where it ended in an error.
    pub error: Option<AnswerError>,
    /// Warnings about the goal as typed.
    pub warnings: Report,
}

impl Answers {
    /// Reports a mistake once if both a warning and the error are about it: the error takes over the warning.
    pub fn tell_once(&mut self) {
        tell_once(&mut self.warnings, self.error.as_mut());
    }
}

/// Tells one mistake but once: where a goal has ended for what a warning tells already, such as a
/// predicate that is missing or a number in the place of a goal, the error takes over what the warning
/// knows.
pub(super) fn tell_once(warnings: &mut Report, error: Option<&mut AnswerError>) {
    let Some(error) = error.filter(|error| error.problem.code == "A0603") else { return };
    let goal = error.problem.labels.first().map(|(span, _)| *span);
    let uncallable = error.term.starts_with("type_error(callable,");
    let about = |warning: &Problem| {
        let place = warning.labels.first().map(|(span, _)| *span);
        let inside = goal
            .zip(place)
            .is_some_and(|(goal, place)| place.source == goal.source && (goal.start..goal.end).contains(&place.start));
        match warning.code {
            "A0201" | "A0202" | "A0203" => inside,
            "A0205" => uncallable && (inside || goal.is_none()),
            _ => false,
        }
    };
    let Some(at) = warnings.problems.iter().position(about) else { return };
    let warning = warnings.problems.remove(at);
    error.problem.labels = warning.labels;
    error.problem.help = warning.help.or(error.problem.help.take());
    if matches!(warning.code, "A0203" | "A0205") {
        error.problem.message = warning.message;
    }
}

/// A goal as typed, with the texts that its spans point into.
pub(super) enum Typed {
    /// One that can be asked, with warnings.
    Goal(Sentence, Report),
    /// A text that is none.
    Wrong(AnswerError, Report),
}

/// The value of a variable may be written in so many bytes, and in a sixteenth of what is left of
/// memory: what waits to be written takes room as well.
const LONGEST: usize = 16 << 20;
/// Most are short: a value is looked at closely only if it takes more bytes than this.
const SHORT: usize = 64 << 10;
/// An answer that is kept is a text, part of JSON, and JSON as text: so many times its length.
const COPIES: usize = 5;
/// What each value in it takes beside its text.
const ENTRY: usize = 160;

impl Session {
    /// Asks a goal; `now` is the position of a game under way. `see` is shown each answer with what
    /// the goal wrote on the way to it, and whether there may be more; it says whether to go on.
    pub fn query(
        &self,
        goal: &str,
        asking: QueryOptions,
        now: Option<Position>,
        see: &mut dyn FnMut(&Answer, &str, bool) -> bool,
    ) -> Done<Answers> {
        let solver = machine::solver(&self.rules.program, &self.rules.runs, &self.stop);
        self.query_with(solver, goal, asking, now, see)
    }

    /// The same by a given solver.
    pub(super) fn query_with(
        &self,
        mut solver: Box<dyn machine::Solver>,
        goal: &str,
        asking: QueryOptions,
        now: Option<Position>,
        see: &mut dyn FnMut(&Answer, &str, bool) -> bool,
    ) -> Done<Answers> {
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

    /// Reads a goal that a person types.
    pub(super) fn typed(&self, goal: &str) -> Done<Typed> {
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
                Box::new(Problem::placeless("A0109", "there is no goal").help("write a goal, such as initial(P)")),
                sources,
            )),
            // For a program, a text that is no goal is an ISO syntax error.
            Err(problem) => {
                let term = "syntax_error(cannot_read)".to_string();
                let error = AnswerError { term, problem: *problem, stopped: false };
                Ok(Typed::Wrong(error, Report::new(sources, Vec::new())))
            }
        }
    }

    /// What the checks say of a typed goal; none of it refuses the goal.
    fn typed_problems(&self, sentence: &Sentence, sources: &Sources) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut resolver = Resolver::new(&self.rules.program, USER, &sentence.tree);
        resolver.typed = true;
        resolver.sources = sources;
        resolver.goal(sentence.root);
        undefined::report(&resolver, &FxHashSet::default(), true, &undefined::Names::default(), &mut problems);
        problems.into_iter().map(Problem::lenient).collect()
    }

    /// The values of an answer; variables left open are `_1`, `_2`, ...,
    /// numbered over the whole answer.
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
            Cause::Steps(_) => "resource_error(steps)".to_string(),
            Cause::Memory(_) => "resource_error(memory)".to_string(),
            Cause::Cyclic => "type_error(acyclic_term,_)".to_string(),
            Cause::Stopped => "interrupted".to_string(),
        };
        AnswerError { problem: machine(fault, &self.rules.program), term, stopped: fault.cause == Cause::Stopped }
    }

    /// Answers `value/3`, `best/3` and `position_now/1` where there is a game.
    pub(super) fn host(&self, now: Option<Position>) -> Option<Host> {
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
                // Nothing else was said: the game is at its beginning.
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

/// What a game predicate did wrong, as a fault of the goal that asked.
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

/// A number as a term: an integer where it is one.
fn number(value: f64) -> Packed {
    let mut heap = Heap::default();
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    let term = if whole { heap.integer(value as i64) } else { heap.float(value) };
    pack(&heap, term, 16).expect("a number takes a few words")
}
