//! Short questions to the rules about one position.

use crate::loaded::GameCore;
use crate::working::Local;
use alphorn_rules::rules::evaluation::RuleEval;
use alphorn_rules::rules::position::{Position as State, RuleMove};
use alphorn_search::game::{Game as _, GameResult, Heuristic, Score, Side, ToMove, winner};
use alphorn_session::session::SessionResult;

/// A legal move with the weight of a chance outcome.
pub type Choice = (RuleMove, Option<u64>);

/// How a finished game ended, and its winner.
pub type End = (Option<GameResult>, Option<Side>);

/// The number of an evaluation, or of the result of a finished game.
pub fn evaluation(local: &Local, core: &GameCore, state: &State) -> SessionResult<f64> {
    let game = &local.game;
    let fault = |fault| core.session.fault(&fault, &[]);
    if game.to_move(state).map_err(fault)? == ToMove::Over {
        let facts = game.facts();
        let payoffs = facts.payoff_range.filter(|_| facts.has_chance);
        match (game.result(state).map_err(fault)?, payoffs) {
            (Some(GameResult::Won(side)), Some((low, high))) => return Ok(if side == Side::Max { high } else { low }),
            (Some(result), _) => return Ok(Score::of_result(result, 0).to_number()),
            (None, _) => {}
        }
    }
    RuleEval.evaluate(game, state).map_err(fault)
}

/// The legal moves of a position, in the order of the rules.
pub fn choices(local: &Local, core: &GameCore, state: &State) -> SessionResult<(ToMove, Vec<Choice>)> {
    let fault = |fault| core.session.fault(&fault, &[]);
    let turn = local.game.to_move(state).map_err(fault)?;
    let (mut moves, mut weights) = (Vec::new(), Vec::new());
    match turn {
        ToMove::Over => {}
        ToMove::Chance => local.game.chance_outcomes(state, &mut moves, &mut weights).map_err(fault)?,
        ToMove::Max | ToMove::Min => local.game.moves(state, &mut moves).map_err(fault)?,
    }
    let weights = weights.into_iter().map(Some).chain(std::iter::repeat(None));
    Ok((turn, moves.into_iter().zip(weights).collect()))
}

/// The result and the winner of a finished game; `None` if the game is not over.
pub fn end(local: &Local, core: &GameCore, state: &State) -> SessionResult<Option<End>> {
    let game = &local.game;
    let fault = |fault| core.session.fault(&fault, &[]);
    if game.to_move(state).map_err(fault)? != ToMove::Over {
        return Ok(None);
    }
    let result = game.result(state).map_err(fault)?;
    let won = winner(game, result, || RuleEval.evaluate(game, state)).map_err(fault)?;
    Ok(Some((result, won)))
}
