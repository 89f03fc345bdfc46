//! Tests the expectations of a game file, `:- expect(...)`.
//!
//! Returns whether a claim holds, does not hold, or is undecided within the limits. It does not measure
//! time: the caller sets the stop flag when the time of a claim is over.

use super::claim_words::{claimed, described, has_thresholds, more_time, thresholds, while_testing, with_edit};
use super::{Failure, SearchOptions, Session, SessionResult};
use alphorn_lang::lang::ast::NodeId;
use alphorn_prolog::machine;
use alphorn_prolog::machine::{Query, Solver};
use alphorn_prolog::term::pack::Packed;
use alphorn_rules::rules::evaluation::{AdvisedEval, RuleEval};
use alphorn_rules::rules::expect::{Claim, ClaimedValue, StatedClaim};
use alphorn_rules::rules::fault::{RuleFault, machine};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_rules::rules::unlike::with_difference;
use alphorn_search::game::{Game, Score};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{Iteration, SearchError, SearchResult};
use alphorn_search::search::threshold::reaches;
use alphorn_search::search::{Algorithm, IterationObserver};
use alphorn_search::solve::retrograde::Enumeration;
use alphorn_search::solve::{SolveError, SolveTask};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::Span;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The status of a tested expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectationStatus {
    /// The claim holds.
    Holds,
    /// The rules contradict the claim.
    Fails,
    /// The search stopped, or play is endless, before an answer was found.
    Undecided,
    /// The rules failed during the test.
    Faulted,
}

/// A tested expectation.
#[derive(Debug)]
pub struct TestedExpectation {
    /// The claim as written.
    pub claim: String,
    /// The position of the claim in the texts.
    pub span: Span,
    /// The status of the claim.
    pub verdict: ExpectationStatus,
    /// The problem; `None` if the claim holds.
    pub problem: Option<Box<Problem>>,
}

/// The knowledge about a claim.
enum ClaimStatus {
    /// The claim holds.
    True,
    /// The claim does not hold: what was found instead, and what a right claim says, if known.
    False(String, Option<Found>),
    /// The claim is undecided: what is known so far.
    Open(String),
}

impl ClaimStatus {
    fn of(holds: bool, found: impl FnOnce() -> String) -> ClaimStatus {
        if holds { ClaimStatus::True } else { ClaimStatus::False(found(), None) }
    }

    /// The status of a claim that does not hold. `right` is the text of what the rules say.
    fn instead(found: String, right: String) -> ClaimStatus {
        ClaimStatus::False(found, Some(Found::Text(right)))
    }

    /// Compares a known value with the claimed value.
    fn worth(value: Score, worth: &ClaimedValue) -> ClaimStatus {
        match is_worth(value, worth) {
            true => ClaimStatus::True,
            false => ClaimStatus::False(format!("the value is {}", described(value)), Some(Found::Value(value))),
        }
    }
}

/// What a right claim says.
enum Found {
    /// A value.
    Value(Score),
    /// The text of a number of lines, or of a label.
    Text(String),
}

/// The enumeration of all positions that can be reached from one.
enum FullEnumeration {
    /// The enumeration has not begun.
    Unseen,
    /// The enumeration is under way.
    Seen(Box<Enumeration<Position>>),
    /// The enumeration was given up, for example for lack of memory.
    TooMuch,
}

impl FullEnumeration {
    /// The value of a position, if at most `most` positions can be reached from it.
    fn enumerate_up_to(
        &mut self,
        task: &SolveTask<'_, RuleGame, RuleEval>,
        state: &Position,
        most: u64,
    ) -> Result<Option<Score>, SolveError<RuleFault>> {
        let mut enumeration = match std::mem::replace(self, FullEnumeration::TooMuch) {
            FullEnumeration::Unseen => Box::new(Enumeration::begin(task, std::slice::from_ref(state))?),
            FullEnumeration::Seen(enumeration) => enumeration,
            FullEnumeration::TooMuch => return Ok(None),
        };
        match enumeration.go_on(task, most) {
            Ok(true) => {
                let solution = enumeration.solution(task)?;
                Ok(solution.roots().next().and_then(|root| root.known).map(|known| known.score))
            }
            Ok(false) => {
                *self = FullEnumeration::Seen(enumeration);
                Ok(None)
            }
            Err(SolveError::Memory { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A callback for the number of positions visited so far.
pub type Hear<'a> = &'a dyn Fn(u64);

/// The absolute or relative difference at which an average still agrees with the claim.
const NEAR: f64 = 1e-9;

/// The positions of the first search for a value, before threshold searches and the enumeration. Every
/// later round multiplies them by `GROWTH`.
const FIRST: u64 = 1 << 12;
const GROWTH: u64 = 4;

impl Session {
    /// Tests one claim.
    pub fn test(&self, game: &RuleGame, stated: &StatedClaim) -> TestedExpectation {
        self.tested(game, stated, None)
    }

    /// The same session with another stop flag, so that each claim has its own time.
    pub fn with_stop_flag(&self, stop: Arc<AtomicBool>) -> Session {
        Session { stop, ..self.clone() }
    }

    /// The place of a claim in the order of tests: goals of helpers come first, which are quick and tell exactly what
    /// is wrong, and searches last.
    pub fn test_rank(&self, stated: &StatedClaim) -> u8 {
        match stated.claim {
            Claim::Holds(goal) | Claim::Fails(goal) => {
                let program = &self.rules.program;
                let own = stated.tree.functor(goal).and_then(|(name, arity)| program.own(name.text(), arity));
                let of_game = |pred| self.rules.contract.questions().iter().any(|(other, _)| *other == pred);
                u8::from(own.is_none_or(of_game))
            }
            Claim::Perft(..) => 2,
            Claim::Value(..) | Claim::Best(..) => 3,
        }
    }

    /// Tests one claim, and reports the number of visited positions. A claim stays undecided only if the
    /// stop flag is set, or if play may be endless and has no average.
    pub fn tested(&self, game: &RuleGame, stated: &StatedClaim, hear: Option<Hear<'_>>) -> TestedExpectation {
        let claim = self.rules.program.sources.text(stated.span).to_string();
        let found = match self.verdict(game, stated, hear) {
            Err(Failure::Problem(problem, _)) if problem.code == Code::EndlessPlay => {
                Ok(ClaimStatus::Open(problem.message))
            }
            // Interrupted rules may fail only because of the interrupt.
            Err(_) if self.stop.load(Relaxed) => Ok(ClaimStatus::Open("stopped before an answer was found".into())),
            found => found,
        };
        let (verdict, problem) = match found {
            Ok(ClaimStatus::True) => (ExpectationStatus::Holds, None),
            Ok(ClaimStatus::False(found, right)) => {
                let results = self.rules.contract.outcome.is_some() || game.no_moves_decides();
                let help = match (&stated.claim, right) {
                    (_, None) => "correct the rules, or the expectation".to_string(),
                    (_, Some(Found::Text(right))) => format!("correct the rules, or write = {right}"),
                    (
                        Claim::Value(_, _, ClaimedValue::WinMax | ClaimedValue::WinMin),
                        Some(Found::Value(Score::Value(number))),
                    ) if !results => {
                        format!(
                            "without outcome/2 a finished game is worth a number: correct the rules, \
                             or write = {number}"
                        )
                    }
                    (_, Some(Found::Value(value))) => {
                        format!("correct the rules, or write = {}", claimed(value, results))
                    }
                };
                let found = match stated.claim {
                    Claim::Holds(goal) => self.missing_answer(stated, goal),
                    Claim::Fails(goal) => self.unwanted_answer(stated, goal),
                    Claim::Perft(..) | Claim::Value(..) | Claim::Best(..) => found,
                };
                let problem = Problem::error(Code::ExpectationFails, stated.span, "this expectation does not hold")
                    .label(found)
                    .help(with_difference(game, &stated.claim, help));
                let mut causes = self.causes(game, stated);
                let near: Vec<Span> = causes.iter().map(|(span, _)| *span).collect();
                let edits = self.fitting_edits(stated.span, &near, false);
                causes.retain(|(span, _)| edits.iter().all(|(place, _)| place != span));
                // What random play does not use tells less than an edit.
                let idle = if edits.is_empty() { self.idle_causes(game, stated, &causes) } else { Vec::new() };
                let causes = causes.into_iter().chain(idle).chain(edits);
                let problem = causes.fold(problem, |told, (span, words)| told.also(span, words));
                (ExpectationStatus::Fails, Some(Box::new(problem)))
            }
            Ok(ClaimStatus::Open(known)) => {
                let problem = Problem::error(Code::ExpectationUndecided, stated.span, "this expectation is undecided")
                    .label(known)
                    .help(match (&stated.claim, game.facts().payoff_range.filter(|_| game.facts().has_chance)) {
                        (Claim::Value(_, _, ClaimedValue::WinMax), Some((_, high))) => {
                            format!("claim the payoff of a win: value(Pos) = {high}")
                        }
                        (Claim::Value(_, _, ClaimedValue::WinMin), Some((low, _))) => {
                            format!("claim the payoff of a loss: value(Pos) = {low}")
                        }
                        (Claim::Value(_, _, ClaimedValue::Draw), Some(_)) => {
                            "claim the average: value(Pos) = 0".to_string()
                        }
                        (claim, _) => more_time(claim, !game.facts().is_acyclic && !game.facts().repetition_is_draw),
                    });
                (ExpectationStatus::Undecided, Some(Box::new(problem)))
            }
            Err(Failure::Problem(problem, _)) => {
                let problem = while_testing(game, stated, *problem);
                let near: Vec<Span> = problem.labels.iter().map(|(span, _)| *span).collect();
                let edits = self.fitting_edits(stated.span, &near, problem.code == Code::InvalidEvaluation);
                let problem = edits.into_iter().fold(problem, with_edit);
                (ExpectationStatus::Faulted, Some(Box::new(problem)))
            }
            Err(Failure::Text(report)) => {
                (ExpectationStatus::Faulted, report.problems.into_iter().next().map(Box::new))
            }
        };
        TestedExpectation { claim, span: stated.span, verdict, problem }
    }

    /// Whether a claim holds, without an explanation. `None` if it is undecided.
    pub(super) fn holds(&self, game: &RuleGame, stated: &StatedClaim) -> SessionResult<Option<bool>> {
        Ok(match self.verdict(game, stated, None)? {
            ClaimStatus::True => Some(true),
            ClaimStatus::False(..) => Some(false),
            ClaimStatus::Open(_) => None,
        })
    }

    /// Whether a claim holds.
    fn verdict(&self, game: &RuleGame, stated: &StatedClaim, hear: Option<Hear<'_>>) -> SessionResult<ClaimStatus> {
        match &stated.claim {
            Claim::Perft(position, depth, paths) => {
                let state = self.claimed_position(game, position.as_ref())?;
                let perft = self.perft(game, &state, *depth)?;
                if perft.stopped {
                    return Ok(ClaimStatus::Open(format!("the count to depth {depth} was stopped")));
                }
                let found = match depth.checked_sub(1) {
                    Some(at) => perft.paths.get(at as usize).copied().unwrap_or(0),
                    None => 1,
                };
                Ok(match found == *paths {
                    true => ClaimStatus::True,
                    false => ClaimStatus::instead(format!("perft is {found}"), found.to_string()),
                })
            }
            Claim::Value(position, depth, worth) => {
                let state = self.claimed_position(game, position.as_ref())?;
                match (depth, worth) {
                    (_, ClaimedValue::Number(number)) if game.facts().has_chance => {
                        self.averages(game, &state, *depth, *number, hear)
                    }
                    _ if game.facts().has_chance => Ok(ClaimStatus::Open(
                        "in a game with chance a value is an average, which does not prove a result".into(),
                    )),
                    (None, _) => self.proved(game, &state, worth, hear),
                    _ => {
                        let outcome = self.searched(game, &state, &self.limits(*depth, hear), None)?.outcome;
                        Ok(match outcome.value.filter(|_| !outcome.stopped) {
                            Some(value) => ClaimStatus::worth(value, worth),
                            None => ClaimStatus::Open("the search to this depth was stopped".into()),
                        })
                    }
                }
            }
            Claim::Best(position, depth, label) => self.best(game, position, *depth, label, hear),
            Claim::Holds(goal) => Ok(ClaimStatus::of(self.proves(stated, *goal)?, || "it has no answer".to_string())),
            Claim::Fails(goal) => Ok(ClaimStatus::of(!self.proves(stated, *goal)?, || "it has an answer".to_string())),
        }
    }

    fn best(
        &self,
        game: &RuleGame,
        position: &Packed,
        depth: u32,
        label: &Packed,
        hear: Option<Hear<'_>>,
    ) -> SessionResult<ClaimStatus> {
        let state = self.claimed_position(game, Some(position))?;
        let limits = self.limits(Some(depth), hear);
        let found = alphorn_search::search::run(plain(game), game, &RuleEval, &state, &limits)
            .map_err(|error| self.search_error(game, &state, error))?;
        if found.stopped {
            return Ok(ClaimStatus::Open("the search to this depth was stopped".into()));
        }
        let best = found.best.map(|mv| mv.label().clone());
        let is_legal = game.legal_moves(&state).is_ok_and(|moves| moves.iter().any(|mv| mv.label() == label));
        Ok(match best {
            Some(best) if best == *label => ClaimStatus::True,
            Some(best) => {
                let found = match is_legal {
                    true => self.other_best(game, &state, (depth, &best, label)),
                    false => {
                        let best = self.term_text(&best);
                        format!("{} is not a legal move here; the best move is {best}", self.term_text(label))
                    }
                };
                ClaimStatus::instead(found, self.term_text(&best))
            }
            None => ClaimStatus::False("there is no legal move".to_string(), None),
        })
    }

    /// Tests a claimed value to the end of the game. Three methods take turns with growing limits: a
    /// search for the value like that of `value`; threshold searches that test only the claim; and the
    /// enumeration of all positions, which can value endless play.
    fn proved(
        &self,
        game: &RuleGame,
        state: &Position,
        worth: &ClaimedValue,
        hear: Option<Hear<'_>>,
    ) -> SessionResult<ClaimStatus> {
        let mut open = thresholds(worth);
        let mut everything = FullEnumeration::Unseen;
        let mut known = "no proof yet: not even a search of one ply was finished".to_string();
        let mut nodes = FIRST;
        loop {
            let limits = Limits { nodes: Some(nodes), ..self.limits(None, hear) };
            let (found, looked) = self.search_for_proof(game, state, &limits)?;
            let endless = found.is_none();
            if let Some(outcome) = found
                && let Some(value) = outcome.value.filter(|_| outcome.exact)
            {
                return Ok(ClaimStatus::worth(value, worth));
            }
            known = looked.unwrap_or(known);
            let mut left = Vec::new();
            for (threshold, expected, otherwise) in open {
                let reached = reaches(game, &AdvisedEval { heeds: true }, state, threshold, &limits);
                let reached = match reached {
                    Err(SearchError::Endless { .. } | SearchError::Repetition { .. }) => None,
                    reached => Some(reached.map_err(|error| self.search_error(game, state, error))?),
                };
                match reached.and_then(|reached| reached.answer) {
                    Some(answer) if answer != expected => return Ok(ClaimStatus::False(otherwise, None)),
                    Some(_) => {}
                    None => left.push((threshold, expected, otherwise)),
                }
            }
            open = left;
            if open.is_empty() && has_thresholds(worth) {
                return Ok(ClaimStatus::True);
            }
            let limits = self.limits(None, hear);
            let task = SolveTask::new(game, &RuleEval, &limits, self.budgets.game.memory);
            match everything.enumerate_up_to(&task, state, nodes) {
                Ok(Some(value)) => return Ok(ClaimStatus::worth(value, worth)),
                Ok(None) | Err(SolveError::Stopped) => {}
                Err(error) => return Err(self.solve_error(error, false)),
            }
            if self.stop.load(Relaxed) {
                return Ok(ClaimStatus::Open(known));
            }
            if endless && matches!(everything, FullEnumeration::TooMuch) {
                return Ok(ClaimStatus::Open("the game may be endless, and the positions do not fit in memory".into()));
            }
            nodes = nodes.saturating_mul(GROWTH);
        }
    }

    /// A search for a value, or `None` if a line is endless; and a message about its last depth.
    fn search_for_proof(
        &self,
        game: &RuleGame,
        state: &Position,
        limits: &Limits<'_>,
    ) -> SessionResult<(Option<SearchResult<String>>, Option<String>)> {
        let looked = RefCell::new(None);
        let report = |found: &Iteration<String>| {
            let value = found.lines.first().map(|line| described(line.value)).unwrap_or_default();
            let plies = plural(found.depth.into(), "ply", "plies");
            *looked.borrow_mut() = Some(format!("no proof yet: a search of {plies} gives {value}"));
        };
        let outcome = match self.searched(game, state, limits, Some(&report)) {
            Ok(found) => Some(found.outcome),
            Err(Failure::Problem(problem, _)) if problem.code == Code::EndlessPlay => None,
            Err(failure) => return Err(failure),
        };
        Ok((outcome, looked.into_inner()))
    }

    fn limits<'a>(&'a self, depth: Option<u32>, hear: Option<Hear<'a>>) -> Limits<'a> {
        let longest = Some(super::LONGEST_LINE);
        Limits { depth, stop: Some(&self.stop), longest, progress: hear, ..Limits::default() }
    }

    fn searched(
        &self,
        game: &RuleGame,
        state: &Position,
        limits: &Limits<'_>,
        report: Option<IterationObserver<'_, String>>,
    ) -> SessionResult<super::SearchReport> {
        self.value(game, state, &SearchOptions { report, ..Algorithm::Auto.into() }, limits)
    }

    /// Compares an average with the claimed number, by value iteration if there is no depth.
    fn averages(
        &self,
        game: &RuleGame,
        state: &Position,
        depth: Option<u32>,
        number: f64,
        hear: Option<Hear<'_>>,
    ) -> SessionResult<ClaimStatus> {
        // If a repetition is a draw, a value depends on the line, not only on the position.
        let searches = depth.is_some() || game.facts().draws_repetitions();
        let found = match searches {
            true => {
                let outcome = self.searched(game, state, &self.limits(depth, hear), None)?.outcome;
                outcome.value.filter(|_| !outcome.stopped).map(Score::to_number)
            }
            false => self.average(game, state, &self.limits(None, hear))?,
        };
        Ok(match found {
            Some(value) => {
                let near = (value - number).abs() <= NEAR * number.abs().max(1.0);
                ClaimStatus::of(near, || format!("the value is {value:.12}"))
            }
            None => {
                ClaimStatus::Open("the value is unknown: the search was stopped, or the game may be endless".into())
            }
        })
    }

    pub(super) fn claimed_position(&self, game: &RuleGame, position: Option<&Packed>) -> SessionResult<Position> {
        match position {
            Some(packed) => Ok(Position(packed.clone())),
            None => self.opening(game, 1),
        }
    }

    fn proves(&self, stated: &StatedClaim, goal: NodeId) -> SessionResult<bool> {
        let mut solver = machine::choose::solver(&self.rules.program, &self.rules.runs, &self.stop);
        self.proves_with(&mut *solver, stated, goal)
    }

    /// Whether a solver of the rules finds an answer to a goal.
    pub(super) fn proves_with(
        &self,
        solver: &mut dyn Solver,
        stated: &StatedClaim,
        goal: NodeId,
    ) -> SessionResult<bool> {
        solver.store().host = self.host(None);
        let asked = solver.ask(&Query::Goal(&stated.tree, goal), self.budgets.goal);
        match asked.and_then(|()| solver.next()) {
            Ok(found) => Ok(found),
            Err(fault) => self.problem(machine(&fault, &self.rules.program)),
        }
    }
}

/// The plain search that returns the first of the best moves.
pub(super) fn plain(game: &RuleGame) -> Algorithm {
    if game.facts().has_chance { Algorithm::Star1 } else { Algorithm::AlphaBeta }
}

fn is_worth(value: Score, worth: &ClaimedValue) -> bool {
    match worth {
        ClaimedValue::Number(number) => value.to_number() == *number,
        ClaimedValue::WinMax => matches!(value, Score::Win { .. }),
        ClaimedValue::WinMin => matches!(value, Score::Loss { .. }),
        ClaimedValue::Draw => value == Score::Value(0.0),
    }
}
