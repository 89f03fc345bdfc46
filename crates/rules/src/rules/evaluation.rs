//! Heuristics that call rules: evaluation, quiescence, the null move, weights of moves.
//!
//! They call `static_eval/2`, `quiet/1`, `noisy/2`, `forced/1` and `null_ok/1` for positions. They call
//! `prefer/3`, `extend/3`, `reduce/3` and the advice table for moves. Their answers are estimates.

use crate::rules::ask::{RuleQuery, RuleResult};
use crate::rules::game::RuleGame;
use crate::rules::position::{Position, RuleMove};
use alphorn_search::game::Heuristic;

/// The least depth, in plies, at which a forcing tree saves more than it costs.
const WORTH_A_TREE: u32 = 4;

/// The heuristic of `static_eval/2`. It gives all moves the same weight.
pub struct RuleEval;

impl Heuristic<RuleGame> for RuleEval {
    fn evaluate(&self, game: &RuleGame, state: &Position) -> RuleResult<f64> {
        let value = game.static_eval(state)?;
        match (game.range, game.rules.contract.static_eval) {
            (Some((low, high)), Some(pred)) if !(low..=high).contains(&value) => {
                let question = RuleQuery { doing: "evaluating", pred, args: &[], position: Some(state) };
                Err(game.outside(question, "static_eval/2 gives", value, (low, high)))
            }
            _ => Ok(value),
        }
    }

    fn has_unquiet_positions(&self, game: &RuleGame) -> bool {
        game.rules.contract.quiet.is_some()
    }

    fn is_quiet(&self, game: &RuleGame, state: &Position) -> RuleResult<bool> {
        game.holds("calling quiet/1", game.rules.contract.quiet, state)
    }

    fn separates_noisy_moves(&self, game: &RuleGame) -> bool {
        game.rules.contract.noisy.is_some()
    }

    fn is_noisy(&self, game: &RuleGame, state: &Position, mv: &RuleMove) -> RuleResult<bool> {
        let Some(pred) = game.rules.contract.noisy else { return Ok(true) };
        let args = [Some(&state.0), Some(mv.label())];
        game.asker.holds(RuleQuery { doing: "calling noisy/2", pred, args: &args, position: Some(state) })
    }

    fn finds_noisy_moves(&self, game: &RuleGame) -> bool {
        game.rules.contract.noisy_move.is_some()
    }

    fn noisy_moves(&self, game: &RuleGame, state: &Position, moves: &mut Vec<RuleMove>) -> RuleResult<bool> {
        let Some(pred) = game.rules.contract.noisy_move else { return Ok(false) };
        game.labelled_moves("calling noisy_move/3", pred, state, moves)?;
        Ok(true)
    }

    fn is_forced(&self, game: &RuleGame, state: &Position) -> RuleResult<bool> {
        game.holds("calling forced/1", game.rules.contract.forced, state)
    }

    fn null_move(&self, game: &RuleGame, state: &Position) -> RuleResult<Option<Position>> {
        let Some(pred) = game.rules.contract.pass else { return Ok(None) };
        if !game.holds("calling null_ok/1", game.rules.contract.null_ok, state)? {
            return Ok(None);
        }
        let args = [Some(&state.0), None];
        let found = game.asker.term(RuleQuery { doing: "calling pass/2", pred, args: &args, position: Some(state) })?;
        Ok(found.map(Position))
    }
}

/// [`RuleEval`] together with the advice of the game on moves.
pub struct AdvisedEval {
    /// Whether the heuristic uses the advice.
    pub heeds: bool,
}

impl Heuristic<RuleGame> for AdvisedEval {
    fn evaluate(&self, game: &RuleGame, state: &Position) -> RuleResult<f64> {
        RuleEval.evaluate(game, state)
    }

    fn has_unquiet_positions(&self, game: &RuleGame) -> bool {
        RuleEval.has_unquiet_positions(game)
    }

    fn separates_noisy_moves(&self, game: &RuleGame) -> bool {
        RuleEval.separates_noisy_moves(game)
    }

    fn is_quiet(&self, game: &RuleGame, state: &Position) -> RuleResult<bool> {
        RuleEval.is_quiet(game, state)
    }

    fn is_noisy(&self, game: &RuleGame, state: &Position, mv: &RuleMove) -> RuleResult<bool> {
        RuleEval.is_noisy(game, state, mv)
    }

    fn finds_noisy_moves(&self, game: &RuleGame) -> bool {
        RuleEval.finds_noisy_moves(game)
    }

    fn noisy_moves(&self, game: &RuleGame, state: &Position, moves: &mut Vec<RuleMove>) -> RuleResult<bool> {
        RuleEval.noisy_moves(game, state, moves)
    }

    fn is_forced(&self, game: &RuleGame, state: &Position) -> RuleResult<bool> {
        RuleEval.is_forced(game, state)
    }

    fn weighs_moves(&self, game: &RuleGame) -> bool {
        self.heeds && (game.rules.contract.prefer.is_some() || game.rules.advice.is_some())
    }

    fn weigh(
        &self,
        game: &RuleGame,
        state: &Position,
        moves: &[RuleMove],
        depth: u32,
        weights: &mut Vec<f64>,
    ) -> RuleResult<()> {
        let first = weights.len();
        match game.rules.contract.prefer {
            Some(pred) => {
                for mv in moves {
                    weights.push(game.weight(pred, state, mv)?);
                }
            }
            None => weights.resize(first + moves.len(), 0.0),
        }
        // The first move of a forcing tree comes before all other moves.
        if depth >= WORTH_A_TREE
            && let Some(best) = game.advised_move(state)?
            && let Some(at) = moves.iter().position(|mv| *mv == best)
        {
            weights[first + at] = f64::MAX;
        }
        Ok(())
    }

    fn has_extensions(&self, game: &RuleGame) -> bool {
        self.heeds && (game.rules.contract.extend.is_some() || game.rules.contract.reduce.is_some())
    }

    fn extension(&self, game: &RuleGame, state: &Position, mv: &RuleMove) -> RuleResult<i32> {
        Ok(game.plies(game.rules.contract.extend, state, mv)? - game.plies(game.rules.contract.reduce, state, mv)?)
    }

    fn null_move(&self, game: &RuleGame, state: &Position) -> RuleResult<Option<Position>> {
        RuleEval.null_move(game, state)
    }
}
