//! Finds a nearby position in which a move is legal that is not legal here.
//!
//! It takes a position, and a label or the text of a move. It returns a position in which a move has that
//! label or text. Comparing the two positions shows why the move is illegal here. It does not use a
//! search: it visits positions in breadth, and along one line.

use super::Session;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, ToMove};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A position, and a move that is legal there.
pub(super) type Elsewhere = (Position, RuleMove);

/// The maximum number of visited positions.
const POSITIONS: usize = 200;

/// The maximum number of generated moves.
const MOVES: usize = 10_000;

impl Session {
    /// A position with a matching move, and the move. It visits positions from the opening and from this
    /// position. A position with the same player to move is preferred.
    pub(super) fn nearby_move(
        &self,
        game: &RuleGame,
        state: &Position,
        wanted: impl Fn(&Position, &RuleMove) -> bool,
    ) -> Option<Elsewhere> {
        let mover = game.to_move(state).ok()?;
        let mut waiting: VecDeque<Position> = self.opening(game, 1).into_iter().chain([state.clone()]).collect();
        let mut seen: FxHashSet<Position> = waiting.iter().cloned().collect();
        let (mut positions, mut count, mut other) = (0, 0, None);
        while positions < POSITIONS && count < MOVES {
            // Every second position is the next one of a long line with varying moves.
            let next = if positions % 2 == 0 { waiting.pop_front() } else { waiting.pop_back() };
            let Some(at) = next else { break };
            positions += 1;
            let turn = game.to_move(&at).ok()?;
            let (mut moves, mut weights) = (Vec::new(), Vec::new());
            match turn {
                ToMove::Over => continue,
                ToMove::Chance => game.chance_outcomes(&at, &mut moves, &mut weights).ok()?,
                _ => moves = game.legal_moves(&at).ok()?,
            }
            count += moves.len();
            if turn != ToMove::Chance
                && (turn == mover || other.is_none())
                && let Some(mv) = moves.iter().find(|mv| wanted(&at, mv))
            {
                let found = (at.clone(), mv.clone());
                if turn == mover {
                    return Some(found);
                }
                other = Some(found);
            }
            let choice = (positions.wrapping_mul(0x9E37_79B1) >> 16) % moves.len().max(1);
            moves.rotate_left(choice);
            waiting.extend(moves.into_iter().map(|mv| mv.next).filter(|next| seen.insert(next.clone())));
        }
        other
    }
}
