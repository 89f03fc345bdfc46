//! Why a goal is true, and why it is not, as plain data.
//!
//! The machine is asked first: it decides what is true. Then the goal is proved once more, in a
//! way that keeps its proof, or the failure is told. Knows no terminal.

use super::query::{Answer, AnswerError, Typed, tell_once};
use super::typed_move::MoveGoal;
use super::{Done, Session};
use alphorn_lang::lang::ast::Sentence;
use alphorn_prolog::machine;
use alphorn_prolog::machine::fault::{Cause, Fault};
use alphorn_prolog::machine::store::Budget;
use alphorn_prolog::machine::{Query, Solver};
use alphorn_prolog::reason::endless::EndlessCall;
use alphorn_prolog::reason::explain::Detail;
use alphorn_prolog::reason::failing::{FailedGoal, SmallestFailure};
use alphorn_prolog::reason::proof::{Extent, ProofTree, UsedClause};
use alphorn_prolog::reason::prover::Prover;
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::position::Position;
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{Origin, Sources};
use alphorn_text::symbol::atoms;

/// How a proof is told.
#[derive(Clone, Copy, Debug)]
pub struct ProofOptions {
    /// The answer whose proof is wanted, from 1.
    pub answer: usize,
    /// How much of it.
    pub extent: Extent,
    /// Whether the insides of library predicates are told as well.
    pub library: bool,
}

/// A move in the place of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedMove {
    /// How people write it.
    pub name: String,
    /// Whether it is legal.
    pub legal: bool,
}

/// Why a goal is true.
#[derive(Debug)]
pub struct WhyTrue {
    /// The move that was meant, where the text was one.
    pub asked: Option<AskedMove>,
    /// The answer; none where there are fewer than asked for.
    pub answer: Option<Answer>,
    /// How many answers were found: as many as asked for, or all there are.
    pub found: usize,
    /// Its proof: one for each goal of a conjunction. None where no proof of the very answer was
    /// found: goals that look at the age of variables need not have one.
    pub proof: Option<Vec<ProofTree>>,
    /// The clauses that it uses, all of them, however much of it is told.
    pub used: Vec<UsedClause>,
    /// Where the goal ended in an error, or its proof needs more than the budget.
    pub error: Option<AnswerError>,
    /// Warnings about the goal as typed, with all texts that spans point into.
    pub warnings: Report,
}

/// Why a goal is not true.
#[derive(Debug)]
pub struct WhyFalse {
    /// The move that was meant, where the text was one.
    pub asked: Option<AskedMove>,
    /// Whether it fails.
    pub fails: bool,
    /// Where it is true: its first answer.
    pub answer: Option<Answer>,
    /// Where it fails: why.
    pub failing: Option<FailedGoal>,
    /// The smallest part of that.
    pub smallest: Option<SmallestFailure>,
    /// Where it spends its budget: the call that calls itself.
    pub endless: Option<EndlessCall>,
    /// Where the goal ended in an error, or explaining it needs more than the budget.
    pub error: Option<AnswerError>,
    /// Warnings about the goal as typed, with all texts that spans point into.
    pub warnings: Report,
}

/// Places so many lines apart are drawn together.
const NEAR: usize = 6;

/// So many steps are enough to see what a goal repeats.
const REPEATING: u64 = 20_000;

/// The smallest part that fails, as a problem that can be drawn.
pub fn problem(smallest: &SmallestFailure, texts: &Sources) -> Problem {
    let message = match smallest.attempts {
        0 | 1 => smallest.message.clone(),
        attempts => format!("{}, in one of {attempts} attempts, none of which succeeds", smallest.message),
    };
    let mut problem = Problem::advice(smallest.place.as_ref().map(|(span, _)| *span), message);
    if let Some((_, words)) = &smallest.place {
        problem = problem.label(words.clone());
    }
    let mut help = smallest.help.clone();
    if let (Some(called), Some((head, _))) = (smallest.called, &smallest.place) {
        let (line, other) = (texts.line_column(called).0, texts.line_column(*head).0);
        // All lines between two places of a file are drawn.
        if called.source == head.source && line.abs_diff(other) <= NEAR {
            problem = problem.also(called, "called here");
        } else {
            let from = format!("it is called in {}:{line}", texts.get(called.source).name);
            help = Some(help.map_or(from.clone(), |help| format!("{help}\n{from}")));
        }
    }
    problem.maybe_help(help)
}

impl Session {
    /// The proof of a goal's answer; `now` is the position of a game under way. A move in the place
    /// of a goal is a move there.
    pub fn why(&self, goal: &str, proving: ProofOptions, now: Option<Position>) -> Done<WhyTrue> {
        let mut asked = None;
        let meant = match self.move_goal(goal, now.as_ref())? {
            Some(MoveGoal { name, legal, goal, sought, .. }) => match self.nobody_moves(now.as_ref()) {
                // The rules may be true of a move that nobody is to make.
                Some((_, nobody)) => Some(nobody),
                None => {
                    asked = Some(AskedMove { name, legal });
                    Some(sought.unwrap_or(goal))
                }
            },
            None => self.nearly_a_move(goal, now.as_ref()).map_or(Ok(None), Err)?,
        };
        let nothing =
            |error, warnings| WhyTrue { asked, answer: None, found: 0, proof: None, used: Vec::new(), error, warnings };
        let (sentence, warnings) = match self.typed(meant.as_deref().unwrap_or(goal))? {
            Typed::Goal(sentence, warnings) => (sentence, warnings),
            Typed::Wrong(error, warnings) => return Ok(nothing(Some(error), warnings)),
        };
        let mut why = nothing(None, warnings);
        let decided = self.decide(&sentence, proving.answer.max(1), now.clone());
        let values = match decided {
            Ok((found, answer)) => {
                let (answer, values) = answer.unzip();
                (why.found, why.answer) = (found, answer);
                values
            }
            Err(fault) => {
                why.error = Some(self.answer_error(&fault, false));
                tell_once(&mut why.warnings, why.error.as_mut());
                return Ok(why);
            }
        };
        if values.is_some() {
            let mut prover = self.prover(self.budgets.goal, proving.library, now);
            match prover.proof(&sentence, proving.answer.max(1), proving.extent) {
                Ok(proved) => {
                    why.used = prover.used();
                    why.proof = proved.filter(|(_, found)| values.as_ref() == Some(found)).map(|(proof, _)| proof);
                }
                Err(fault) => why.error = Some(self.beyond(&fault, "its proof")),
            }
        }
        Ok(why)
    }

    /// Why a goal fails; `now` is the position of a game under way. A move in the place of a goal is a
    /// move there.
    pub fn why_not(&self, goal: &str, detail: Detail, now: Option<Position>) -> Done<WhyFalse> {
        let Some(MoveGoal { name, legal, goal, sought, like }) = self.move_goal(goal, now.as_ref())? else {
            return self
                .nearly_a_move(goal, now.as_ref())
                .map_or_else(|| self.failure_of(goal, None, detail, now), Err);
        };
        if let Some((message, goal)) = self.nobody_moves(now.as_ref()) {
            let mut why = self.failure_of(&goal, None, detail, now)?;
            if let Some(smallest) = &mut why.smallest {
                (smallest.message, smallest.place, smallest.attempts) = (message.to_string(), None, 1);
            }
            return Ok(why);
        }
        let mut why = self.failure_of(&goal, like.as_deref(), detail, now.clone())?;
        if let Some(sought) = sought.filter(|_| why.answer.is_some()) {
            why = self.failure_of(&sought, None, detail, now)?;
            // Nobody has typed that goal, so nothing in it is pointed at, and no variable of it shown.
            why.smallest.iter_mut().for_each(|smallest| smallest.place = None);
            why.answer.iter_mut().for_each(Vec::clear);
        }
        why.asked = Some(AskedMove { name, legal });
        Ok(why)
    }

    fn failure_of(&self, goal: &str, like: Option<&str>, detail: Detail, now: Option<Position>) -> Done<WhyFalse> {
        let nothing = |error, warnings| WhyFalse {
            asked: None,
            fails: false,
            answer: None,
            failing: None,
            smallest: None,
            endless: None,
            error,
            warnings,
        };
        let (sentence, warnings) = match self.typed(goal)? {
            Typed::Goal(sentence, warnings) => (sentence, warnings),
            Typed::Wrong(error, warnings) => return Ok(nothing(Some(error), warnings)),
        };
        let mut why = nothing(None, warnings);
        match self.decide(&sentence, 1, now.clone()) {
            Ok((_, Some((answer, _)))) => return Ok(WhyFalse { answer: Some(answer), ..why }),
            Ok((_, None)) => why.fails = true,
            Err(fault) => {
                if matches!(fault.cause, Cause::Steps(_) | Cause::Memory(_)) {
                    let budget = Budget { steps: REPEATING, ..self.budgets.goal };
                    let found = self.prover(budget, false, now).endless(&sentence, detail.text.min(60));
                    why.endless = found.ok().flatten();
                }
                why.error = Some(self.answer_error(&fault, false));
                tell_once(&mut why.warnings, why.error.as_mut());
                return Ok(why);
            }
        }
        let like = match like.map(|like| self.typed(like)).transpose()? {
            Some(Typed::Goal(like, _)) => Some(like),
            _ => None,
        };
        match self.prover(self.budgets.goal, false, now).failing(&sentence, detail, like.as_ref()) {
            Ok(failing) => {
                let mut smallest = failing.smallest();
                // Where a typed goal or a library calls a predicate is nothing to point at.
                let texts = &why.warnings.sources;
                smallest.called =
                    smallest.called.filter(|span| matches!(texts.get(span.source).origin, Origin::File(_)));
                why.smallest = Some(smallest);
                why.failing = Some(failing);
            }
            Err(fault) => why.error = Some(self.beyond(&fault, "its explanation")),
        }
        Ok(why)
    }

    /// Asks the machine for an answer with this number: how many were found, and the answer, as
    /// text and as `call(Values...)`.
    pub(super) fn decide(
        &self,
        sentence: &Sentence,
        number: usize,
        now: Option<Position>,
    ) -> Result<(usize, Option<(Answer, Packed)>), Fault> {
        let mut solver: Box<dyn Solver> = machine::solver(&self.rules.program, &self.rules.runs, &self.stop);
        solver.store().host = self.host(now);
        solver.ask(&Query::Goal(&sentence.tree, sentence.root), self.budgets.goal)?;
        for found in 0..number {
            if !solver.next()? {
                return Ok((found, None));
            }
        }
        let values = solver.answer().to_vec();
        let store = solver.store();
        let answer = self.written(store, sentence, &values, false)?;
        let whole = store.heap.structure(atoms::CALL, &values);
        let packed = store.packed(whole)?;
        Ok((number, Some((answer, packed))))
    }

    fn prover(&self, budget: Budget, library: bool, now: Option<Position>) -> Prover {
        Prover::new(&self.rules.program, &self.rules.runs, &self.stop, budget, library, self.host(now))
    }

    /// What went wrong where the goal itself did not.
    fn beyond(&self, fault: &Fault, what: &str) -> AnswerError {
        let mut error = self.answer_error(fault, false);
        error.problem.message = error.problem.message.replacen("the goal", what, 1);
        error
    }
}
