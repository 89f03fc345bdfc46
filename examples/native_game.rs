//! Tic-tac-toe as a game written in Rust: a model for games that do not come from rules.
//!
//! In: nothing. Out, from `cargo run --example native_game`: its value, its best moves and what
//! either algorithm visited to find them. The tests include this file for its game.

use alphorn::game::{Game, GameFacts, GameResult, NoEvaluation, Side, ToMove};
use alphorn::search::limits::Limits;
use alphorn::search::perft::perft;
use alphorn::search::{Algorithm, run};
use std::convert::Infallible;

/// The eight lines of three, as sets of squares: bit `n` is square `n`, row by row from 0 to 8.
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Every square.
const FULL: u16 = 0b111_111_111;

/// Noughts and crosses on three by three squares; crosses are Max and begin.
pub struct TicTacToe;

/// Which squares each side has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    crosses: u16,
    noughts: u16,
}

impl Board {
    /// The side that has three in a row.
    fn winner(self) -> Option<Side> {
        let owns_a_line = |squares: u16| LINES.iter().any(|line| squares & line == *line);
        if owns_a_line(self.crosses) {
            Some(Side::Max)
        } else if owns_a_line(self.noughts) {
            Some(Side::Min)
        } else {
            None
        }
    }

    fn taken(self) -> u16 {
        self.crosses | self.noughts
    }
}

impl Game for TicTacToe {
    type State = Board;
    /// A square from 0 to 8.
    type Move = u8;
    /// Nothing can go wrong in rules that the compiler has read.
    type Fault = Infallible;

    fn to_move(&self, board: &Board) -> Result<ToMove, Infallible> {
        Ok(if board.winner().is_some() || board.taken() == FULL {
            ToMove::Over
        } else if board.taken().count_ones().is_multiple_of(2) {
            ToMove::Max
        } else {
            ToMove::Min
        })
    }

    fn moves(&self, board: &Board, moves: &mut Vec<u8>) -> Result<(), Infallible> {
        moves.extend((0..9).filter(|square| board.taken() & (1 << square) == 0));
        Ok(())
    }

    fn apply(&self, board: &Board, square: &u8) -> Result<Board, Infallible> {
        let mut after = *board;
        match self.to_move(board)? {
            ToMove::Max => after.crosses |= 1 << square,
            _ => after.noughts |= 1 << square,
        }
        Ok(after)
    }

    /// Every move fills a square, so no position repeats.
    fn facts(&self) -> GameFacts {
        GameFacts { is_acyclic: true, ..GameFacts::default() }
    }

    fn result(&self, board: &Board) -> Result<Option<GameResult>, Infallible> {
        Ok(Some(board.winner().map_or(GameResult::Draw, GameResult::Won)))
    }
}

fn main() {
    let start = Board::default();
    for algorithm in Algorithm::ALL {
        // `Ok` is all there is: `Infallible` and `acyclic` leave no error to happen, but the
        // compiler knows only of the first.
        let Ok(outcome) = run(algorithm, &TicTacToe, &NoEvaluation, &start, &Limits::default()) else {
            unreachable!("no line of tic-tac-toe repeats a position")
        };
        let value = outcome.value.map_or("unknown".to_string(), |value| value.to_string());
        let sure = if outcome.exact { "exact" } else { "estimate" };
        println!("{algorithm}: value {value} ({sure}), {} positions", outcome.nodes);
        println!("  best play {:?}", outcome.line);
    }
    let Ok(counted) = perft(&TicTacToe, &start, 9, None) else { unreachable!("a count reports no repetitions") };
    println!("lines by length {:?}", counted.paths);
}
