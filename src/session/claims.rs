//! Tests what a game claims of itself with `:- expect(...)`.

use super::{Done, Failure, Session};
use crate::game::{Game, Score};
use crate::machine;
use crate::machine::Ask;
use crate::report::Problem;
use crate::rules::expect::{Claim, Stated, Worth};
use crate::rules::fault::machine;
use crate::rules::game::RuleGame;
use crate::rules::position::Position;
use crate::search::Algorithm;
use crate::search::limits::Limits;
use crate::source::Span;
use crate::term::pack::Packed;

/// An expectation with what came of it.
#[derive(Debug)]
pub struct Tested {
    /// The claim as written.
    pub claim: String,
    /// Where it stands.
    pub span: Span,
    /// What is wrong; `None` where it holds.
    pub problem: Option<Box<Problem>>,
    /// Whether it could not be tested at all, because rules faulted.
    pub faulted: bool,
}

/// An average is as claimed if it differs by no more than this, or by as small a part of itself.
const NEAR: f64 = 1e-9;

/// What is told of a claim that there was no time for.
const STOPPED: &str = "the search was stopped";

impl Session {
    /// Tests one claim.
    pub fn test(&self, game: &RuleGame, stated: &Stated) -> Tested {
        let claim = self.rules.program.sources.text(stated.span).to_string();
        let (problem, faulted) = match self.verdict(game, stated) {
            Ok(None) => (None, false),
            Ok(Some(found)) => {
                let problem = Problem::error("A0616", stated.span, "this expectation does not hold")
                    .label(found)
                    .help("correct the rules, or the expectation");
                (Some(Box::new(problem)), false)
            }
            Err(Failure::Problem(problem, _)) => {
                let problem = match problem.labels.is_empty() {
                    true => Problem { labels: vec![(stated.span, "while testing this".into())], ..*problem },
                    false => problem.also(stated.span, "while testing this expectation"),
                };
                (Some(Box::new(problem)), true)
            }
            Err(Failure::Text(report)) => (report.problems.into_iter().next().map(Box::new), true),
        };
        Tested { claim, span: stated.span, problem, faulted }
    }

    /// What was found instead; `None` where the claim holds.
    fn verdict(&self, game: &RuleGame, stated: &Stated) -> Done<Option<String>> {
        match &stated.claim {
            Claim::Perft(position, depth, paths) => {
                let state = self.claimed_position(game, position.as_ref())?;
                let perft = self.perft(game, &state, *depth)?;
                if perft.stopped {
                    return Ok(Some(STOPPED.into()));
                }
                let found = match depth.checked_sub(1) {
                    Some(at) => perft.paths.get(at as usize).copied().unwrap_or(0),
                    None => 1,
                };
                Ok((found != *paths).then(|| format!("perft is {found}")))
            }
            Claim::Value(position, depth, worth) => {
                let state = self.claimed_position(game, position.as_ref())?;
                if let (true, Worth::Number(number)) = (game.has_chance(), worth) {
                    return self.averages(game, &state, *depth, *number);
                }
                let found = self.searched(game, &state, *depth)?;
                let Some(value) = found.outcome.value.filter(|_| !found.outcome.stopped) else {
                    return Ok(Some(STOPPED.into()));
                };
                Ok((!is_worth(value, worth)).then(|| format!("the value is {}", described(value))))
            }
            Claim::Best(position, depth, label) => {
                let state = self.claimed_position(game, Some(position))?;
                let moves = crate::search::run(
                    plain(game),
                    game,
                    &crate::rules::opinion::RuleEval,
                    &state,
                    &self.limits(Some(*depth)),
                )
                .map_err(|error| self.search_error(game, &state, error))?;
                if moves.stopped {
                    return Ok(Some(STOPPED.into()));
                }
                let best = moves.best.map(|mv| mv.label().clone());
                Ok((best.as_ref() != Some(label)).then(|| match best {
                    Some(best) => format!("the best move is {}", self.term_text(&best)),
                    None => "there is no move".to_string(),
                }))
            }
            Claim::Holds(goal) => Ok((!self.proves(stated, *goal)?).then(|| "it has no answer".to_string())),
            Claim::Fails(goal) => Ok(self.proves(stated, *goal)?.then(|| "it has an answer".to_string())),
        }
    }

    fn limits(&self, depth: Option<u32>) -> Limits<'_> {
        Limits { depth, stop: Some(&self.stop), ..Limits::default() }
    }

    fn searched(&self, game: &RuleGame, state: &Position, depth: Option<u32>) -> Done<super::Valued> {
        self.value(game, state, &plain(game).into(), &self.limits(depth))
    }

    /// What an average is instead of a number; by all positions where no depth is said.
    fn averages(&self, game: &RuleGame, state: &Position, depth: Option<u32>, number: f64) -> Done<Option<String>> {
        // Where a repetition is a draw, values depend on the line, and positions alone do not tell.
        let searches = depth.is_some() || game.repetition_is_draw() && !game.acyclic();
        let found = match searches {
            true => {
                let outcome = self.searched(game, state, depth)?.outcome;
                outcome.value.filter(|_| !outcome.stopped).map(Score::to_number)
            }
            false => self.average(game, state, &self.limits(None))?,
        };
        let Some(value) = found else {
            return Ok(Some("the value is not known: stopped, or play need not end".into()));
        };
        Ok(((value - number).abs() > NEAR * number.abs().max(1.0)).then(|| format!("the value is {value:.12}")))
    }

    fn claimed_position(&self, game: &RuleGame, position: Option<&Packed>) -> Done<Position> {
        match position {
            Some(packed) => Ok(Position(packed.clone())),
            None => self.opening(game, 1),
        }
    }

    fn proves(&self, stated: &Stated, goal: crate::lang::ast::NodeId) -> Done<bool> {
        let mut solver = machine::solver(&self.rules.program, &self.rules.runs, &self.stop);
        solver.store().host = self.host(None);
        let asked = solver.ask(&Ask::Goal(&stated.tree, goal), self.budgets.goal);
        match asked.and_then(|()| solver.next()) {
            Ok(found) => Ok(found),
            Err(fault) => self.problem(machine(&fault, &self.rules.program)),
        }
    }
}

/// The plain search that finds the first of the best moves, where there is no chance.
pub(super) fn plain(game: &RuleGame) -> Algorithm {
    if game.has_chance() { Algorithm::Star1 } else { Algorithm::AlphaBeta }
}

fn is_worth(value: Score, worth: &Worth) -> bool {
    match worth {
        Worth::Number(number) => value.to_number() == *number,
        Worth::WinMax => matches!(value, Score::Win { .. }),
        Worth::WinMin => matches!(value, Score::Loss { .. }),
        Worth::Draw => value == Score::Value(0.0),
    }
}

fn described(value: Score) -> String {
    match value {
        Score::Value(_) => value.to_string(),
        _ => format!("{} ({value})", value.to_number()),
    }
}
