//! Solve: proves the value of a position, or of every position, by other means than looking ahead.
//!
//! In: a game, a heuristic for games that end in numbers, where to begin, limits, bytes of memory.
//! Out: values that hold with perfect play, how far the end is, best play, and proofs that a
//! program which trusts none of this can check (`verify`). Every position that is kept is kept
//! once, folded by the game's symmetries; infinite play is a draw.
//! Has never heard of terms, clauses or the language that rules are written in.

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

/// A way to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Retrograde analysis, an alpha-beta search and proof-number search take turns until one of them
    /// has proved the value; value iteration where there is chance.
    Auto,
    /// From the ends of the game back: every position, with distances.
    Retrograde,
    /// Proof-number search: who wins, without distances, in bounded memory.
    Pns,
    /// Alpha-beta search to the end of the game, by null windows, with a table in bounded memory.
    AlphaBeta,
    /// Value iteration: every position of a game with chance, to a stated accuracy.
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

/// What is solved, and within which bounds.
pub struct SolveTask<'a, G: Game, H: Heuristic<G>> {
    /// The rules.
    pub game: &'a G,
    /// The worth of finished games without endings.
    pub heuristic: &'a H,
    /// The stop flag, the hook for progress and the most positions; of no depth is taken notice.
    pub limits: &'a Limits<'a>,
    /// Bytes that positions and tables may take together.
    pub memory: u64,
    /// How many positions were met so far.
    met: Cell<u64>,
}

/// Why something could not be solved.
#[derive(Clone, Debug, PartialEq)]
pub enum SolveError<F> {
    /// The rules or the heuristic faulted.
    Fault(F),
    /// The stop flag was set.
    Stopped,
    /// More than the memory would be needed.
    Memory {
        /// How many positions had been met until then.
        positions: u64,
    },
    /// More positions would be needed than the limits allow.
    Positions,
    /// The game ends in numbers, which proof-number search cannot compare.
    Numbers,
    /// A game that ends in numbers, and calls itself acyclic, comes back to a position.
    Cycle,
    /// Chance moves in a position.
    Chance,
}

/// What solving gives.
pub type Solved<T, G> = Result<T, SolveError<<G as Game>::Fault>>;

impl<'a, G: Game, H: Heuristic<G>> SolveTask<'a, G, H> {
    /// A task that nobody has begun.
    pub fn new(game: &'a G, heuristic: &'a H, limits: &'a Limits<'a>, memory: u64) -> SolveTask<'a, G, H> {
        SolveTask { game, heuristic, limits, memory, met: Cell::new(0) }
    }

    /// How many positions were met so far, for whoever was stopped.
    pub fn met(&self) -> u64 {
        self.met.get()
    }

    /// A fault of the game; after the stop flag was set it may be the stop's doing.
    fn fault(&self, fault: G::Fault) -> SolveError<G::Fault> {
        if self.stop_is_asked() { SolveError::Stopped } else { SolveError::Fault(fault) }
    }

    fn stop_is_asked(&self) -> bool {
        self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Looks at the stop flag, and tells every so often how many positions there were.
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

    /// Whose turn it is, or what a finished game is worth.
    fn standing(&self, state: &G::State) -> Solved<Standing, G> {
        Ok(match self.game.to_move(state).map_err(|fault| self.fault(fault))? {
            ToMove::Max => Standing::Moves(Side::Max),
            ToMove::Min => Standing::Moves(Side::Min),
            ToMove::Chance => return Err(SolveError::Chance),
            ToMove::Over => Standing::Over(self.worth(state)?),
        })
    }

    fn worth(&self, state: &G::State) -> Solved<Score, G> {
        Ok(match self.game.result(state).map_err(|fault| self.fault(fault))? {
            Some(ending) => Score::of_ending(ending, 0),
            None => Score::number(self.heuristic.evaluate(self.game, state).map_err(|fault| self.fault(fault))?),
        })
    }

    /// Adds the moves of a position and the positions after them, as they come.
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

    /// The position that stands for one and its images.
    fn canonical(&self, state: G::State) -> Solved<G::State, G> {
        match self.game.has_symmetry() {
            true => self.game.canonical(&state).map_err(|fault| self.fault(fault)),
            false => Ok(state),
        }
    }
}

/// What a position is: open, or over and worth so much.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standing {
    Moves(Side),
    Over(Score),
}

/// What is known of a solved position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolvedValue {
    /// Its value.
    pub score: Score,
    /// Plies to the end: of a win, and of a number that a side can force; `None` where nobody can,
    /// and where it was not counted.
    pub plies: Option<u32>,
}

impl SolvedValue {
    /// The same as it is seen from one ply before.
    pub fn one_ply_before(self) -> SolvedValue {
        SolvedValue { score: one_ply_before(self.score), plies: self.plies.map(|plies| plies.saturating_add(1)) }
    }
}

/// A score as it is seen from one ply before.
pub fn one_ply_before(score: Score) -> Score {
    match score {
        Score::Loss { plies } => Score::Loss { plies: plies.saturating_add(1) },
        Score::Win { plies } => Score::Win { plies: plies.saturating_add(1) },
        number => number,
    }
}

/// The winner of a score, where somebody wins.
pub fn winner(score: Score) -> Option<Side> {
    match score {
        Score::Loss { .. } => Some(Side::Min),
        Score::Win { .. } => Some(Side::Max),
        Score::Value(_) => None,
    }
}

/// Plies to the end, where somebody wins.
pub fn distance(score: Score) -> Option<u32> {
    match score {
        Score::Loss { plies } | Score::Win { plies } => Some(plies),
        Score::Value(_) => None,
    }
}
