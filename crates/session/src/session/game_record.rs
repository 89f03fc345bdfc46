//! The record of one game of a match: the moves, the end, and what the players searched.

use alphorn_lab::arena::GameEnd;
use alphorn_search::game::{Score, Side};

/// The cost of a player's searches in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerCost {
    /// The number of searched moves.
    pub moves: u64,
    /// The sum of the finished depths.
    pub depths: u64,
    /// The number of visited positions.
    pub nodes: u64,
    /// Moves for which `--advice strict` had no table for this side, so a search found them.
    pub unadvised: u64,
}

impl PlayerCost {
    /// Adds the cost of other games. A record can hold any numbers, so a sum may be limited.
    pub fn add(&mut self, other: PlayerCost) {
        self.moves = self.moves.saturating_add(other.moves);
        self.depths = self.depths.saturating_add(other.depths);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.unadvised = self.unadvised.saturating_add(other.unadvised);
    }
}

/// The search for one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveSearch {
    /// The value for MAX; `None` if the move is not the result of a search.
    pub value: Option<Score>,
    /// The number of visited positions.
    pub nodes: u64,
    /// The time in seconds.
    pub seconds: f64,
}

/// The record of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The number of the game, from 1.
    pub number: u32,
    /// The player that was MAX: 0 for A.
    pub max: usize,
    /// The first position.
    pub start: String,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves of the players.
    pub moves: Vec<String>,
    /// The key of the position after the opening; equal positions have equal keys.
    pub key: u128,
    /// How the game ended.
    pub end: GameEnd,
    /// The search of each of `moves`; `None` for a chance move.
    pub searches: Vec<Option<MoveSearch>>,
    /// Why the loser forfeited the game: an external engine gave no legal move, or the time was over.
    pub forfeit: Option<String>,
    /// The search costs of A and B.
    pub costs: [PlayerCost; 2],
}

impl GameRecord {
    /// The number of moves, with those of the opening.
    pub fn plies(&self) -> u64 {
        (self.opening.len() + self.moves.len()) as u64
    }

    /// The player who lost, or B in a drawn game: 0 for A, 1 for B.
    pub fn loser(&self) -> usize {
        usize::from(self.points() > 0.0)
    }

    /// The points of A: 1 for a win, one half for a draw.
    pub fn points(&self) -> f64 {
        match self.end.winner() {
            None => 0.5,
            Some(side) => f64::from(u8::from((side == Side::Max) == (self.max == 0))),
        }
    }
}
