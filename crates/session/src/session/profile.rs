//! Where the time goes: a search or a goal, with everything counted that its rules did.
//!
//! In: what to do. Out: a [`Profile`], plain numbers by question, predicate and clause, and what
//! came of it. Runs on the reference solver, watched; its counts and steps are those of the
//! compiled machine. Must not know how a profile is shown. Called by front ends.

use super::predicates::{PredicateOrigin, indicator};
use super::query::{Answers, QueryOptions};
use super::{Done, GameStart, SearchOptions, Session, Valued};
use alphorn_lang::lang::program::{Callee, PredId};
use alphorn_prolog::machine::reference::Reference;
use alphorn_prolog::machine::tally::{CallCounts, PortCounts, Tally};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::search::limits::Limits;
use alphorn_text::source::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// Ports, and work without that of whoever is called.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// How often it was called.
    pub calls: u64,
    /// How often it was asked for another answer.
    pub redos: u64,
    /// How often it had an answer.
    pub exits: u64,
    /// How often it had none, or no more.
    pub fails: u64,
    /// How often an error left it.
    pub exceptions: u64,
    /// Its own steps.
    pub steps: u64,
    /// Its own time.
    pub seconds: f64,
}

impl From<CallCounts> for Figures {
    fn from(CallCounts { ports, work }: CallCounts) -> Figures {
        let PortCounts { calls, redos, exits, fails, exceptions } = ports;
        Figures { calls, redos, exits, fails, exceptions, steps: work.steps, seconds: work.time.as_secs_f64() }
    }
}

/// A question that was asked of the rules, or a typed goal.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionProfile {
    /// The predicate asked; none for a typed goal.
    pub name: Option<String>,
    /// How often.
    pub asked: u64,
    /// All the steps that it took.
    pub steps: u64,
    /// All the time.
    pub seconds: f64,
}

/// What a predicate did.
#[derive(Clone, Debug, PartialEq)]
pub struct PredicateProfile {
    /// `name/arity`.
    pub name: String,
    /// Whose it is.
    pub whose: PredicateOrigin,
    /// The head of its first clause.
    pub span: Option<Span>,
    /// Its ports and its own work.
    pub figures: Figures,
}

/// What a clause did.
#[derive(Clone, Debug, PartialEq)]
pub struct ClauseProfile {
    /// `name/arity` of its predicate.
    pub name: String,
    /// Whose it is.
    pub whose: PredicateOrigin,
    /// Its place among those of the predicate, from 1.
    pub number: usize,
    /// All of it.
    pub span: Span,
    /// Its ports and its own work, that of the builtins in it included.
    pub figures: Figures,
    /// All the steps and all the time of the clause and of the library in its service; of the
    /// user's clauses alone.
    pub served: (u64, f64),
}

/// See the module. Whatever did nothing is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// All the steps of the rules.
    pub steps: u64,
    /// All the time in the rules.
    pub seconds: f64,
    /// Time outside of them: the search itself, packing positions.
    pub outside: f64,
    /// Every question, in the order of the predicates.
    pub questions: Vec<QuestionProfile>,
    /// Every predicate, and every builtin that was called.
    pub predicates: Vec<PredicateProfile>,
    /// The clauses of the predicates that were called, in the order of the texts: those never tried too.
    pub clauses: Vec<ClauseProfile>,
    /// The work of a typed goal itself, outside of what it calls.
    pub itself: Figures,
}

/// A profile, and what came of that which was profiled: where it went wrong, the profile tells of
/// everything up to there.
pub struct Profiled<T> {
    /// Where the time went.
    pub profile: Profile,
    /// What came of it.
    pub found: Done<T>,
}

impl Session {
    /// Profiles a search from `start`, by one thread. Random playouts are a search as well.
    pub fn profile_search(
        &self,
        start: &GameStart,
        how: &SearchOptions<'_>,
        limits: &Limits<'_>,
    ) -> Done<Profiled<Valued>> {
        let tally = Rc::new(RefCell::new(Tally::new(&self.rules.program)));
        let game = RuleGame::watched(self.rules.clone(), self.budgets.game, self.stop.clone(), tally.clone())
            .map_err(|fault| self.fault(&fault, &[]))?;
        let state = self.position(&game, start)?;
        tally.borrow_mut().clear();
        let found = self.value(&game, &state, &SearchOptions { threads: 1, ..*how }, limits);
        let profile = self.profile_of(&tally.borrow());
        Ok(Profiled { profile, found })
    }

    /// Profiles a goal; `now` is the position of a game under way.
    pub fn profile_goal(&self, goal: &str, asking: QueryOptions, now: Option<Position>) -> Profiled<Answers> {
        let tally = Rc::new(RefCell::new(Tally::new(&self.rules.program)));
        let reference = Reference::new(self.rules.program.clone(), self.rules.runs.clone(), self.stop.clone());
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
