//! Explains why a goal is true, or why it is not, as plain data.
//!
//! First the machine decides whether the goal is true. Then a second proof keeps the clauses, or explains
//! the failure. This module does not depend on a terminal.

use super::query::{Answer, AnswerError, Typed, tell_once};
use super::typed_move::MoveGoal;
use super::{Session, SessionResult};
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

/// Options of a proof.
#[derive(Clone, Copy, Debug)]
pub struct ProofOptions {
    /// The number of the answer to prove, from 1.
    pub answer: usize,
    /// The extent of the proof.
    pub extent: Extent,
    /// Whether the proof shows the inside of library predicates.
    pub library: bool,
}

/// A move typed in the place of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeantMove {
    /// The move in the notation of the user.
    pub name: String,
    /// Whether the move is legal.
    pub legal: bool,
}

/// The reason why a goal is true.
#[derive(Debug)]
pub struct WhyTrue {
    /// The move, if the text names one.
    pub meant: Option<MeantMove>,
    /// The answer; `None` if the goal has fewer answers.
    pub answer: Option<Answer>,
    /// The number of answers found: as many as requested, or all.
    pub found: usize,
    /// The proof: one tree for each goal of a conjunction. `None` if no proof of this very answer was
    /// found, which can happen to goals that compare the age of variables.
    pub proof: Option<Vec<ProofTree>>,
    /// All clauses of the proof, even if the proof is shown in part.
    pub used: Vec<UsedClause>,
    /// The error of the goal, or a proof beyond the budget.
    pub error: Option<AnswerError>,
    /// Warnings about the typed goal, with all texts that spans point into.
    pub warnings: Report,
}

/// The reason why a goal is not true.
#[derive(Debug)]
pub struct WhyFalse {
    /// The move, if the text names one.
    pub meant: Option<MeantMove>,
    /// Whether the goal fails.
    pub fails: bool,
    /// The first answer, if the goal is true.
    pub answer: Option<Answer>,
    /// The failure tree, if the goal fails.
    pub failing: Option<FailedGoal>,
    /// The smallest failing part of that tree.
    pub smallest: Option<SmallestFailure>,
    /// The call that calls itself, if the goal spends its budget.
    pub endless: Option<EndlessCall>,
    /// The error of the goal, or an explanation beyond the budget.
    pub error: Option<AnswerError>,
    /// Warnings about the typed goal, with all texts that spans point into.
    pub warnings: Report,
}

/// Two places at most this many lines apart are drawn together.
const NEAR: usize = 6;

/// The number of steps in which a repeating call is searched.
const REPEATING: u64 = 20_000;

/// The smallest failing part as a diagnostic.
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
        // A diagnostic draws all lines between two places of a file.
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
    /// The proof of an answer of a goal; `now` is the current position. The goal may be a move in this
    /// position.
    pub fn why(&self, goal: &str, proving: ProofOptions, now: Option<Position>) -> SessionResult<WhyTrue> {
        let mut meant = None;
        let move_goal = match self.move_goal(goal, now.as_ref())? {
            Some(MoveGoal { name, legal, goal, sought, .. }) => match self.game_over_goal(now.as_ref()) {
                // Rules may give moves in a position where no player is to move.
                Some((_, nobody)) => Some(nobody),
                None => {
                    meant = Some(MeantMove { name, legal });
                    Some(sought.unwrap_or(goal))
                }
            },
            None => self.similar_move_failure(goal, now.as_ref()).map_or(Ok(None), Err)?,
        };
        let why = self.proof_of_goal(move_goal.as_deref().unwrap_or(goal), proving, now)?;
        Ok(WhyTrue { meant, ..why })
    }

    /// The proof of an answer of a goal that is no move.
    pub(super) fn proof_of_goal(
        &self,
        goal: &str,
        proving: ProofOptions,
        now: Option<Position>,
    ) -> SessionResult<WhyTrue> {
        let nothing = |error, warnings| WhyTrue {
            meant: None,
            answer: None,
            found: 0,
            proof: None,
            used: Vec::new(),
            error,
            warnings,
        };
        let (sentence, warnings) = match self.typed(goal)? {
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

    /// The reason why a goal fails; `now` is the current position. The goal may be a move in this
    /// position.
    pub fn why_not(&self, goal: &str, detail: Detail, now: Option<Position>) -> SessionResult<WhyFalse> {
        let Some(MoveGoal { name, legal, goal, sought, like }) = self.move_goal(goal, now.as_ref())? else {
            return self
                .similar_move_failure(goal, now.as_ref())
                .map_or_else(|| self.failure_of(goal, None, detail, now), Err);
        };
        if let Some((message, goal)) = self.game_over_goal(now.as_ref()) {
            let mut why = self.failure_of(&goal, None, detail, now)?;
            if let Some(smallest) = &mut why.smallest {
                (smallest.message, smallest.place, smallest.attempts) = (message.to_string(), None, 1);
            }
            return Ok(why);
        }
        let mut why = self.failure_of(&goal, like.as_deref(), detail, now.clone())?;
        if let Some(sought) = sought.filter(|_| why.answer.is_some()) {
            why = self.failure_of(&sought, None, detail, now)?;
            // The user did not type this goal, so hide its place and its variables.
            why.smallest.iter_mut().for_each(|smallest| smallest.place = None);
            why.answer.iter_mut().for_each(Vec::clear);
        }
        why.meant = Some(MeantMove { name, legal });
        Ok(why)
    }

    pub(super) fn failure_of(
        &self,
        goal: &str,
        like: Option<&str>,
        detail: Detail,
        now: Option<Position>,
    ) -> SessionResult<WhyFalse> {
        let nothing = |error, warnings| WhyFalse {
            meant: None,
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
                // A call in a typed goal or in a library is not worth pointing at.
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

    /// Runs a goal on the machine up to the answer `number`. Returns the number of answers found, and the
    /// answer as text and as `call(Values...)`.
    pub(super) fn decide(
        &self,
        sentence: &Sentence,
        number: usize,
        now: Option<Position>,
    ) -> Result<(usize, Option<(Answer, Packed)>), Fault> {
        let mut solver: Box<dyn Solver> = machine::choose::solver(&self.rules.program, &self.rules.runs, &self.stop);
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

    /// The error for a proof or an explanation that fails although the goal did not.
    fn beyond(&self, fault: &Fault, what: &str) -> AnswerError {
        let mut error = self.answer_error(fault, false);
        error.problem.message = error.problem.message.replacen("the goal", what, 1);
        error
    }
}
