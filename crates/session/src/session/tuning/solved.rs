//! Takes solved positions out of a file of values, with the values of their successors.
//!
//! It takes a file that `solve --save` wrote, a number of positions and a seed. It returns positions in which
//! a player has moves of different worth: some keep the value of the position, and some do not.

use crate::session::database::Database;
use crate::session::{Session, SessionResult};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_search::game::{Game, Score, Side};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::atomic::Ordering::Relaxed;

/// A solved position with its successors.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedParent {
    /// The side to move.
    pub side: Side,
    /// The successors that are not over, each with its value for MAX.
    pub successors: Vec<(Position, f64)>,
}

/// A value for MAX without its distance: a win is infinite.
fn worth(score: Score) -> f64 {
    match score {
        Score::Loss { .. } => f64::NEG_INFINITY,
        Score::Value(number) => number,
        Score::Win { .. } => f64::INFINITY,
    }
}

impl Session {
    /// Solved positions in which the successors that are not over have different values, drawn at random
    /// from all positions of the file. At most `count`.
    ///
    /// # Errors
    ///
    /// The file does not belong to this game, or the rules fail.
    pub fn solved_parents(
        &self,
        game: &RuleGame,
        file: &Database,
        (count, seed): (usize, u64),
    ) -> SessionResult<Vec<SolvedParent>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut found = Vec::new();
        // Reservoir sampling: Alan Waterman's algorithm R, in Donald Knuth, "Seminumerical Algorithms", 1981.
        let most = count.saturating_mul(4);
        let mut drawn: Vec<String> = Vec::new();
        let mut met = 0u64;
        file.each(self, &mut |text| {
            met += 1;
            if drawn.len() < most {
                drawn.push(text.to_string());
            } else {
                let at = random.random_range(0..met) as usize;
                if at < most {
                    drawn[at] = text.to_string();
                }
            }
            !self.stop.load(Relaxed)
        })?;
        // The positions of a file lie in the order of their texts.
        for last in (1..drawn.len()).rev() {
            drawn.swap(last, random.random_range(0..=last));
        }
        for text in drawn {
            if found.len() >= count || self.stop.load(Relaxed) {
                break;
            }
            let state = self.position_of_term(game, &text)?;
            found.extend(self.solved_parent(game, file, &state)?);
        }
        Ok(found)
    }

    /// A position with its successors; `None` if all have the same value.
    fn solved_parent(&self, game: &RuleGame, file: &Database, state: &Position) -> SessionResult<Option<SolvedParent>> {
        let fault = |fault| self.fault(&fault, &[]);
        let Some(side) = game.to_move(state).map_err(fault)?.side() else { return Ok(None) };
        let mut moves = Vec::new();
        game.moves(state, &mut moves).map_err(fault)?;
        let mut successors = Vec::new();
        for mv in moves {
            if game.is_over(&mv.next).map_err(fault)? {
                continue;
            }
            let canonical = game.canonical(&mv.next).map_err(fault)?;
            if let Some(known) = file.known(self, &canonical)? {
                successors.push((mv.next, worth(known.score)));
            }
        }
        let differ = successors.iter().any(|(_, value)| *value != successors[0].1);
        Ok(differ.then_some(SolvedParent { side, successors }))
    }
}
