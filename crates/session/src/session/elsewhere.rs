//! Where a move is legal that is not legal here.
//!
//! In: a position, and a label or a text in the place of one. Out: a position nearby in which a move
//! has that label or is written so. What such a move is made of tells what keeps it from being made
//! here. Knows no search: positions are taken in the order of their distance, and along a line.

use super::Session;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, ToMove};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A position, and a move that is legal there.
pub(super) type Elsewhere = (Position, RuleMove);

/// So many positions are looked at.
const POSITIONS: usize = 200;

/// So many moves.
const MOVES: usize = 10_000;

impl Session {
    /// A position with a move that is asked for, and the move: from the opening and from this position
    /// on, first with the same player to move.
    pub(super) fn elsewhere(
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
            // Each second one is the next of a long line, in which one move or another is made.
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
