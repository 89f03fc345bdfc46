//! Profiles a search or a goal: counts the calls, steps and time of its rules.
//!
//! Returns a [`Profile`], plain numbers by question, predicate and clause, and the result of the profiled
//! run. It uses the watched reference solver, whose counts and steps are those of the compiled machine.
//! Front ends call it and format the result.

use super::predicates::{PredicateOrigin, indicator};
use super::query::{Answers, QueryOptions};
use super::{GameStart, SearchOptions, SearchReport, Session, SessionResult};
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_prolog::machine::tally::{CallCounts, PortCounts, Tally};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::search::limits::Limits;
use alphorn_text::source::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// Counts by port, and own work: without the work of called predicates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The number of calls.
    pub calls: u64,
    /// The number of requests for another answer.
    pub redos: u64,
    /// The number of answers.
    pub exits: u64,
    /// The number of failures: no answer, or no further one.
    pub fails: u64,
    /// The number of errors that left it.
    pub exceptions: u64,
    /// The own steps.
    pub steps: u64,
    /// The own time in seconds.
    pub seconds: f64,
}

impl From<CallCounts> for Figures {
    fn from(CallCounts { ports, work }: CallCounts) -> Figures {
        let PortCounts { calls, redos, exits, fails, exceptions } = ports;
        Figures { calls, redos, exits, fails, exceptions, steps: work.steps, seconds: work.time.as_secs_f64() }
    }
}

/// The counts of one kind of question to the rules, or of a typed goal.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionProfile {
    /// The predicate of the question; `None` for a typed goal.
    pub name: Option<String>,
    /// The number of questions.
    pub asked: u64,
    /// The total steps.
    pub steps: u64,
    /// The total time in seconds.
    pub seconds: f64,
}

/// The counts of a predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct PredicateProfile {
    /// `name/arity`.
    pub name: String,
    /// The origin of the predicate.
    pub whose: PredicateOrigin,
    /// The span of its first head.
    pub span: Option<Span>,
    /// The counts and the own work.
    pub figures: Figures,
}

/// The counts of a clause.
#[derive(Clone, Debug, PartialEq)]
pub struct ClauseProfile {
    /// The `name/arity` of the predicate.
    pub name: String,
    /// The origin of the predicate.
    pub whose: PredicateOrigin,
    /// The number of the clause in its predicate, from 1.
    pub number: usize,
    /// The span of the clause.
    pub span: Span,
    /// The counts and the own work, with the work of builtins that it calls.
    pub figures: Figures,
    /// The steps and the seconds of the clause and of the library predicates that serve it. Only for
    /// clauses of the user.
    pub served: (u64, f64),
}

/// A profile: where the time of a search or a goal went. Unused questions and predicates are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The total steps of the rules.
    pub steps: u64,
    /// The total time in the rules, in seconds.
    pub seconds: f64,
    /// The time outside of the rules in seconds: the search, and packing positions.
    pub outside: f64,
    /// The questions, in the order of their predicates.
    pub questions: Vec<QuestionProfile>,
    /// The predicates and builtins that were called.
    pub predicates: Vec<PredicateProfile>,
    /// The clauses of the called predicates, in the order of the texts, with clauses never tried.
    pub clauses: Vec<ClauseProfile>,
    /// The work of a typed goal itself, without the predicates that it calls.
    pub itself: Figures,
}

/// A profile with the result of the profiled run. After an error the profile covers the run up to the
/// error.
pub struct Profiled<T> {
    /// The profile.
    pub profile: Profile,
    /// The result of the run.
    pub found: SessionResult<T>,
}

impl Session {
    /// Profiles a search from `start` on one thread. Playouts count as a search.
    pub fn profile_search(
        &self,
        start: &GameStart,
        how: &SearchOptions<'_>,
        limits: &Limits<'_>,
    ) -> SessionResult<Profiled<SearchReport>> {
        let tally = Rc::new(RefCell::new(Tally::new(&self.rules.program)));
        let solver = self.rules.reference(&self.stop).watched(tally.clone());
        let game = RuleGame::interpreted(self.rules.clone(), solver, self.budgets.game, self.stop.clone())
            .map_err(|fault| self.fault(&fault, &[]))?;
        let state = self.position(&game, start)?;
        tally.borrow_mut().clear();
        let found = self.value(&game, &state, &SearchOptions { threads: 1, ..*how }, limits);
        let profile = self.profile_of(&tally.borrow());
        Ok(Profiled { profile, found })
    }

    /// Profiles a goal; `now` is the current position.
    pub fn profile_goal(&self, goal: &str, asking: QueryOptions, now: Option<Position>) -> Profiled<Answers> {
        let tally = Rc::new(RefCell::new(Tally::new(&self.rules.program)));
        let reference = self.rules.reference(&self.stop);
        let solver = Box::new(reference.watched(tally.clone()));
        tally.borrow_mut().clear();
        let found = self.query_with(solver, goal, asking, now, &mut |_, _, _| true);
        let profile = self.profile_of(&tally.borrow());
        Profiled { profile, found }
    }

    fn profile_of(&self, tally: &Tally) -> Profile {
        let program = &self.rules.program;
        let mut clauses = Vec::new();
        let mut predicates = Vec::new();
        let mut first = 0;
        for (number, predicate) in program.predicates.iter().enumerate() {
            let callee = Callee::User(PredId(number as u32));
            let range = first..first + predicate.clauses.len();
            first = range.end;
            let own = tally.clauses[range.clone()].iter().zip(&tally.served[range]);
            let counted = tally.predicates[number];
            if counted == CallCounts::default() {
                continue;
            }
            let (name, whose) = (indicator(program, callee), self.whose(callee));
            clauses.extend(predicate.clauses.iter().zip(own).enumerate().map(|(at, (clause, (counted, served)))| {
                ClauseProfile {
                    name: name.clone(),
                    whose,
                    number: at + 1,
                    span: clause.span,
                    figures: (*counted).into(),
                    served: (served.steps, served.time.as_secs_f64()),
                }
            }));
            predicates.push(PredicateProfile { name, whose, span: predicate.defined, figures: counted.into() });
        }
        let mut builtins: Vec<_> = tally.builtins.iter().collect();
        builtins.sort_by_key(|(id, _)| id.0);
        predicates.extend(builtins.into_iter().map(|(id, counted)| PredicateProfile {
            name: indicator(program, Callee::Native(*id)),
            whose: PredicateOrigin::Builtin,
            span: None,
            figures: (*counted).into(),
        }));
        let mut questions: Vec<_> = tally.questions.iter().collect();
        questions.sort_by_key(|(pred, _)| pred.map(|pred| pred.0));
        let questions = questions.into_iter().map(|(pred, asked)| QuestionProfile {
            name: pred.map(|pred| indicator(program, Callee::User(pred))),
            asked: asked.count,
            steps: asked.work.steps,
            seconds: asked.work.time.as_secs_f64(),
        });
        let all = tally.all();
        Profile {
            steps: all.steps,
            seconds: all.time.as_secs_f64(),
            outside: tally.outside.as_secs_f64(),
            questions: questions.collect(),
            predicates,
            clauses,
            itself: CallCounts { work: tally.goal, ..CallCounts::default() }.into(),
        }
    }
}
