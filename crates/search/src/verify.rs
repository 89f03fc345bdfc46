//! Verify: checks a proof of a value by the rules alone.
//!
//! In: a game, a position, and a strategy for one side: positions, the side's move in those where
//! it is its turn, and ranks. Out: that the side reaches its aim whatever the other does, or the
//! line at which the strategy fails. Imports nothing of what solves games and trusts none of it:
//! moves, turns and ends of games are asked of the rules again. Knows no file and no text.

use crate::game::{Game, Heuristic, Score, Side, ToMove};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a strategy is to give its side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrategyClaim {
    /// It wins.
    Wins,
    /// The result is no worse for it than this number, as Max sees it; a win is better than any.
    Gets(f64),
}

/// One line of a strategy.
#[derive(Clone, Debug)]
pub struct ProofStep<S> {
    /// Where it stands in the text.
    pub line: u64,
    /// Smaller in all positions that can follow, where play must be shown to end.
    pub rank: Option<u32>,
    /// The position.
    pub state: S,
    /// The position after the side's move, where it is its turn.
    pub next: Option<S>,
}

/// Why a proof does not stand.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifyError<F> {
    /// The rules faulted.
    Fault {
        /// At this line of the text.
        line: u64,
        /// What they said.
        fault: F,
    },
    /// The stop flag was set.
    Stopped,
    /// A line proves nothing.
    Refused {
        /// The line of the text.
        line: u64,
        /// What is wrong there.
        why: &'static str,
    },
}

/// Whether `steps` show that `side` gets from `root` what it claims; `line` is where that is said.
///
/// Play is shown to end where the claim is more than infinite play gives, a draw: then ranks must
/// get smaller from each position to all that follow. Otherwise it is enough that play which begins
/// among the positions stays there or ends well.
pub fn check<G: Game, H: Heuristic<G>>(
    (game, heuristic, stop): (&G, &H, &AtomicBool),
    root: &G::State,
    (side, claim, line): (Side, StrategyClaim, u64),
    steps: &[ProofStep<G::State>],
) -> Result<(), VerifyError<G::Fault>> {
    let ends = match claim {
        StrategyClaim::Wins => true,
        StrategyClaim::Gets(number) => Score::number(number).seen_by(side) > Score::Value(0.0),
    };
    let refused = |line, why| Err(VerifyError::Refused { line, why });
    let at = Cell::new(line);
    let fault = |fault| match stop.load(Ordering::Relaxed) {
        true => VerifyError::Stopped,
        false => VerifyError::Fault { line: at.get(), fault },
    };
    let mut ranks: FxHashMap<&G::State, Option<u32>> = FxHashMap::default();
    for step in steps {
        if ranks.insert(&step.state, step.rank).is_some() {
            return refused(step.line, "an earlier line has the same position");
        }
        if ends && step.rank.is_none() {
            return refused(step.line, "the line has no rank, so it does not show that the game ends");
        }
    }
    let is_well = |state: &G::State, below: Option<u32>| -> Result<bool, VerifyError<G::Fault>> {
        match ranks.get(state) {
            Some(rank) => Ok(!ends || below.is_none() || *rank < below),
            None if game.to_move(state).map_err(fault)? != ToMove::Over => Ok(false),
            None => {
                let worth = match game.result(state).map_err(fault)? {
                    Some(ending) => Score::of_ending(ending, 0),
                    None => Score::number(heuristic.evaluate(game, state).map_err(fault)?),
                };
                // To come here took a ply.
                if ends && below == Some(0) {
                    return Ok(false);
                }
                Ok(match claim {
                    StrategyClaim::Wins => worth == Score::won_by(side, 0),
                    StrategyClaim::Gets(number) => worth.seen_by(side) >= Score::number(number).seen_by(side),
                })
            }
        }
    };
    if !is_well(root, None)? {
        return refused(line, "the proof has no line for the position that it is about");
    }
    let mut moves = Vec::new();
    for step in steps {
        if stop.load(Ordering::Relaxed) {
            return Err(VerifyError::Stopped);
        }
        at.set(step.line);
        let mover = match game.to_move(&step.state).map_err(fault)? {
            ToMove::Max => Side::Max,
            ToMove::Min => Side::Min,
            ToMove::Chance => return refused(step.line, "chance moves in this position"),
            ToMove::Over => return refused(step.line, "the game is over in this position"),
        };
        moves.clear();
        game.moves(&step.state, &mut moves).map_err(fault)?;
        let mut found = false;
        for mv in &moves {
            let after = match game.held(mv) {
                Some(held) => held.clone(),
                None => game.apply(&step.state, mv).map_err(fault)?,
            };
            if mover == side {
                found |= step.next.as_ref() == Some(&after);
            } else if !is_well(&after, step.rank)? {
                return refused(step.line, "the proof has no answer to a move of the other side");
            }
        }
        match &step.next {
            Some(_) if mover != side => {
                return refused(step.line, "the other side is to move, but the line gives a move");
            }
            Some(_) if !found => {
                return refused(step.line, "no legal move leads to the given next position");
            }
            None if mover == side => return refused(step.line, "the line gives no move"),
            Some(next) if !is_well(next, step.rank)? => {
                return refused(step.line, "the move leads to a position for which the proof has no line");
            }
            _ => {}
        }
    }
    Ok(())
}
