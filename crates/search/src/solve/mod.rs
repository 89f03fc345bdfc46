//! Solvers: prove the value of one position or of all positions, by other methods than search.
//!
//! A [`SolveTask`] has a game, a heuristic for games that end in numbers, limits and bytes of memory. A
//! solver gives the values under best play, distances, best lines, and proofs for the independent check
//! in `verify`. Every position is stored once, folded by the symmetries of the game. Endless play is a
//! draw. Solvers must not depend on terms, clauses or the rule language.

pub mod interval;
pub mod iterate;
pub mod pns;
pub mod retrograde;
pub mod strategy;

mod graph;
mod index;
mod levels;
mod parts;
mod table;
mod trap;

use crate::game::{Game, Heuristic, Score, Side, ToMove};
use crate::search::limits::{Limits, PROGRESS_INTERVAL};
use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::Ordering;

/// A method of solving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Retrograde analysis, alpha-beta search and proof-number search, by turns until one proves the
    /// value; value iteration in a game with chance.
    Auto,
    /// Retrograde analysis: the values and distances of all positions, from the ends of the game
    /// back.
    Retrograde,
    /// Proof-number search: the winner without distances, in bounded memory.
    Pns,
    /// Full-depth alpha-beta search by null windows, with a table in bounded memory.
    AlphaBeta,
    /// Value iteration: all positions of a game with chance, to a given accuracy.
    Iteration,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 5] = [Method::Auto, Method::Retrograde, Method::Pns, Method::AlphaBeta, Method::Iteration];

    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Retrograde => "retrograde",
            Method::Pns => "pns",
            Method::AlphaBeta => "alphabeta",
            Method::Iteration => "iteration",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Method, String> {
        let names = Method::ALL.map(Method::name).join(", ");
        let found = Method::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| format!("there is no method `{name}`; the methods are {names}"))
    }
}

/// A solving task with its limits.
pub struct SolveTask<'a, G: Game, H: Heuristic<G>> {
    /// The rules.
    pub game: &'a G,
    /// The values of finished games without a declared result.
    pub heuristic: &'a H,
    /// The stop flag, the progress hook and the node limit; the depth is ignored.
    pub limits: &'a Limits<'a>,
    /// The bytes that positions and tables may take together.
    pub memory: u64,
    /// The number of positions met so far.
    met: Cell<u64>,
}

/// The reason why solving failed.
#[derive(Clone, Debug, PartialEq)]
pub enum SolveError<F> {
    /// The rules or the heuristic faulted.
    Fault(F),
    /// The stop flag was set.
    Stopped,
    /// The memory limit was reached.
    Memory {
        /// The number of positions met until then.
        positions: u64,
    },
    /// The node limit was reached.
    Positions,
    /// The game ends in numbers, which proof-number search cannot compare.
    Numbers,
    /// A game that ends in numbers calls itself acyclic but has a cycle.
    Cycle,
    /// A position has a chance move.
    Chance,
}

/// The result of solving, or the reason for failure.
pub type Solved<T, G> = Result<T, SolveError<<G as Game>::Fault>>;

impl<'a, G: Game, H: Heuristic<G>> SolveTask<'a, G, H> {
    /// A task with no positions counted.
    pub fn new(game: &'a G, heuristic: &'a H, limits: &'a Limits<'a>, memory: u64) -> SolveTask<'a, G, H> {
        SolveTask { game, heuristic, limits, memory, met: Cell::new(0) }
    }

    /// The number of positions met so far, also after a stop.
    pub fn met(&self) -> u64 {
        self.met.get()
    }

    /// Converts a fault of the game; after the stop flag was set it counts as the stop.
    fn fault(&self, fault: G::Fault) -> SolveError<G::Fault> {
        if self.stop_is_asked() { SolveError::Stopped } else { SolveError::Fault(fault) }
    }

    fn stop_is_asked(&self) -> bool {
        self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Checks the stop flag and the node limit, and reports progress at intervals.
    fn count(&self, positions: u64) -> Solved<(), G> {
        self.met.set(positions);
        if let Some(progress) = self.limits.progress
            && positions.is_multiple_of(PROGRESS_INTERVAL)
        {
            progress(positions);
        }
        if self.stop_is_asked() {
            return Err(SolveError::Stopped);
        }
        if self.limits.nodes.is_some_and(|most| positions > most) { Err(SolveError::Positions) } else { Ok(()) }
    }

    /// The player to move, or the score of a finished game.
    fn status(&self, state: &G::State) -> Solved<Status, G> {
        Ok(match self.game.to_move(state).map_err(|fault| self.fault(fault))? {
            ToMove::Max => Status::Moves(Side::Max),
            ToMove::Min => Status::Moves(Side::Min),
            ToMove::Chance => return Err(SolveError::Chance),
            ToMove::Over => Status::Over(self.worth(state)?),
        })
    }

    fn worth(&self, state: &G::State) -> Solved<Score, G> {
        Ok(match self.game.result(state).map_err(|fault| self.fault(fault))? {
            Some(ending) => Score::of_result(ending, 0),
            None => Score::number(self.heuristic.evaluate(self.game, state).map_err(|fault| self.fault(fault))?),
        })
    }

    /// Replaces `moves` and `next` by the moves of a position and the positions after them.
    fn successors(&self, state: &G::State, moves: &mut Vec<G::Move>, next: &mut Vec<G::State>) -> Solved<(), G> {
        moves.clear();
        next.clear();
        self.game.moves(state, moves).map_err(|fault| self.fault(fault))?;
        for mv in moves.iter() {
            next.push(match self.game.held(mv) {
                Some(held) => held.clone(),
                None => self.game.apply(state, mv).map_err(|fault| self.fault(fault))?,
            });
        }
        Ok(())
    }

    /// The representative of all symmetric positions.
    fn canonical(&self, state: G::State) -> Solved<G::State, G> {
        match self.game.facts().has_symmetry {
            true => self.game.canonical(&state).map_err(|fault| self.fault(fault)),
            false => Ok(state),
        }
    }
}

/// The state of a position: a side moves, or the game is over with a score.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Moves(Side),
    Over(Score),
}

/// The value of a solved position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolvedValue {
    /// Its value.
    pub score: Score,
    /// Plies to the end of a win, or of a number that a side can force. `None` if no side can, or if
    /// plies were not counted.
    pub plies: Option<u32>,
}

impl SolvedValue {
    /// The value seen from one ply earlier.
    pub fn one_ply_before(self) -> SolvedValue {
        SolvedValue { score: one_ply_before(self.score), plies: self.plies.map(|plies| plies.saturating_add(1)) }
    }
}

/// The score seen from one ply earlier.
pub fn one_ply_before(score: Score) -> Score {
    match score {
        Score::Loss { plies } => Score::Loss { plies: plies.saturating_add(1) },
        Score::Win { plies } => Score::Win { plies: plies.saturating_add(1) },
        number => number,
    }
}

/// The winner of a score, if any.
pub fn winner(score: Score) -> Option<Side> {
    match score {
        Score::Loss { .. } => Some(Side::Min),
        Score::Win { .. } => Some(Side::Max),
        Score::Value(_) => None,
    }
}

/// The plies of a win or a loss.
pub fn distance(score: Score) -> Option<u32> {
    match score {
        Score::Loss { plies } | Score::Win { plies } => Some(plies),
        Score::Value(_) => None,
    }
}
