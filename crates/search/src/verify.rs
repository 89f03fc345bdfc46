//! Verification: checks a proof of a value without a search.
//!
//! A proof is a strategy for one side: positions, moves of the side and ranks. The check shows that
//! the side reaches its aim against every reply, or gives the line of the text that fails. This
//! module imports no solver and trusts none: it recomputes moves, players and results by the rules.
//! It depends on no file and no text.

use crate::game::{Game, Heuristic, Score, Side, ToMove};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// The claim of a strategy for its side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrategyClaim {
    /// The side wins.
    Wins,
    /// The result is at least as good for the side as this number (for Max); a win is better still.
    Gets(f64),
}

/// One position of a strategy.
#[derive(Clone, Debug)]
pub struct ProofStep<S> {
    /// The line in the text of the proof.
    pub line: u64,
    /// A number that decreases to all positions that can follow, if the proof shows an end.
    pub rank: Option<u32>,
    /// The position.
    pub state: S,
    /// The position after the side's move, if the side is to move.
    pub next: Option<S>,
}

/// The reason why a proof is not valid.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifyError<F> {
    /// The rules faulted.
    Fault {
        /// The line of the text.
        line: u64,
        /// The fault.
        fault: F,
    },
    /// The stop flag was set.
    Stopped,
    /// A line of the proof is wrong.
    Refused {
        /// The line of the text.
        line: u64,
        /// What is wrong in the line.
        why: &'static str,
    },
}

/// Checks that `steps` prove the claim for `side` from `root`; `line` is the line of the claim.
///
/// If the claim is more than endless play gives, a draw, the proof must show that play ends: ranks
/// then decrease from each position to all that follow. Otherwise play must stay among the positions
/// or end in a result that meets the claim.
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
    let mut ranks: FxHashMap<&G::State, Option<u32>> = FxHashMap::default();
    for step in steps {
        if ranks.insert(&step.state, step.rank).is_some() {
            return refused(step.line, "an earlier line has the same position");
        }
        if ends && step.rank.is_none() {
            return refused(step.line, "the line has no rank, so it does not show that the game ends");
        }
    }
    let mut proof = ProofCheck { game, heuristic, stop, side, claim, ends, ranks, line };
    if !proof.is_well(root, None)? {
        return refused(line, "the proof has no line for the position that it is about");
    }
    steps.iter().try_for_each(|step| proof.step(step))
}

fn refused<F>(line: u64, why: &'static str) -> Result<(), VerifyError<F>> {
    Err(VerifyError::Refused { line, why })
}

/// A proof whose lines are being checked.
struct ProofCheck<'a, G: Game, H> {
    game: &'a G,
    heuristic: &'a H,
    stop: &'a AtomicBool,
    side: Side,
    claim: StrategyClaim,
    /// Whether the proof must show that play ends.
    ends: bool,
    /// The rank of each position of the proof.
    ranks: FxHashMap<&'a G::State, Option<u32>>,
    /// The current line of the text.
    line: u64,
}

impl<G: Game, H: Heuristic<G>> ProofCheck<'_, G, H> {
    fn fault(&self, fault: G::Fault) -> VerifyError<G::Fault> {
        match self.stop.load(Ordering::Relaxed) {
            true => VerifyError::Stopped,
            false => VerifyError::Fault { line: self.line, fault },
        }
    }

    /// Whether a position is in the proof, with a rank less than `below`, or is an end that meets the
    /// claim.
    fn is_well(&self, state: &G::State, below: Option<u32>) -> Result<bool, VerifyError<G::Fault>> {
        let (game, fault) = (self.game, |fault| self.fault(fault));
        if let Some(rank) = self.ranks.get(state) {
            return Ok(!self.ends || below.is_none() || *rank < below);
        }
        if game.to_move(state).map_err(fault)? != ToMove::Over {
            return Ok(false);
        }
        let worth = match game.result(state).map_err(fault)? {
            Some(ending) => Score::of_result(ending, 0),
            None => Score::number(self.heuristic.evaluate(game, state).map_err(fault)?),
        };
        // The move to this end took one ply, so the rank must be at least 1.
        if self.ends && below == Some(0) {
            return Ok(false);
        }
        Ok(match self.claim {
            StrategyClaim::Wins => worth == Score::won_by(self.side, 0),
            StrategyClaim::Gets(number) => worth.seen_by(self.side) >= Score::number(number).seen_by(self.side),
        })
    }

    /// Checks one line: its move is legal, and all positions that can follow are well.
    fn step(&mut self, step: &ProofStep<G::State>) -> Result<(), VerifyError<G::Fault>> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(VerifyError::Stopped);
        }
        self.line = step.line;
        let (game, fault) = (self.game, |fault| self.fault(fault));
        let own = match game.to_move(&step.state).map_err(fault)? {
            ToMove::Max => self.side == Side::Max,
            ToMove::Min => self.side == Side::Min,
            ToMove::Chance => return refused(step.line, "chance moves in this position"),
            ToMove::Over => return refused(step.line, "the game is over in this position"),
        };
        let mut moves = Vec::new();
        game.moves(&step.state, &mut moves).map_err(fault)?;
        let mut found = false;
        for mv in &moves {
            let after = match game.held(mv) {
                Some(held) => held.clone(),
                None => game.apply(&step.state, mv).map_err(fault)?,
            };
            if own {
                found |= step.next.as_ref() == Some(&after);
            } else if !self.is_well(&after, step.rank)? {
                return refused(step.line, "the proof has no answer to a move of the other side");
            }
        }
        match &step.next {
            Some(_) if !own => refused(step.line, "the other side is to move, but the line gives a move"),
            Some(_) if !found => refused(step.line, "no legal move leads to the given next position"),
            None if own => refused(step.line, "the line gives no move"),
            Some(next) if !self.is_well(next, step.rank)? => {
                refused(step.line, "the move leads to a position for which the proof has no line")
            }
            _ => Ok(()),
        }
    }
}
