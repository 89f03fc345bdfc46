//! Selectivity of a heuristic search: extensions, reductions and null moves.
//!
//! It takes a position, its window and a move. It gives plies to add or remove, or a cutoff by a
//! null move. The engine uses it only if its options allow estimates.

use super::{ENDLESS, Engine, NodePlace, NodeScore, RankWindow, seen_by};
use crate::game::{Game, Heuristic, Side, WIN_LEAST};
use crate::search::result::Walked;

impl<G: Game, H: Heuristic<G>> Engine<'_, G, H> {
    /// Applies an extension or a reduction: returns the place to search, perhaps deeper, and the
    /// reduction in plies. No line becomes longer than twice the requested depth.
    pub(super) fn stretched(&self, below: NodePlace, plies: i32) -> (NodePlace, u32) {
        if plies == 0 || below.depth == ENDLESS {
            return (below, 0);
        }
        if plies < 0 {
            return (below, plies.unsigned_abs().min(below.depth));
        }
        let most = self.horizon.saturating_mul(2).saturating_sub(below.ply);
        let deeper = below.depth.saturating_add(plies.unsigned_abs()).min(ENDLESS - 1);
        let depth = deeper.min(most).max(below.depth);
        (NodePlace { depth, ..below }, 0)
    }

    /// The extension of the heuristic for a move, in plies; 0 outside heuristic searches.
    pub(super) fn extension(&self, state: &G::State, mv: &G::Move) -> Walked<i32, G> {
        if !self.stretches {
            return Ok(0);
        }
        let plies = self.heuristic.extension(self.game, state, mv);
        self.asked(plies)
    }

    /// The reduction of a late move in plies; 0 outside heuristic searches.
    pub(super) fn reduction(
        &self,
        state: &G::State,
        depth: u32,
        number: usize,
        window: RankWindow,
        mv: usize,
    ) -> Walked<u32, G> {
        if !self.style.heuristic || depth < 3 || depth == ENDLESS || number < 3 || window.is_wide() {
            return Ok(0);
        }
        if self.heuristic.has_unquiet_positions(self.game) {
            let noisy = self.heuristic.is_noisy(self.game, state, &self.moves[mv]);
            if self.asked(noisy)? {
                return Ok(0);
            }
        }
        Ok(if number < 8 || depth < 5 { 1 } else { 2 })
    }

    /// Null-move pruning: if the mover reaches beta after a pass, the position is cut off (Chrilly
    /// Donninger, "Null move and deep search", 1993). Only if the rules call a pass sound.
    pub(super) fn pass(
        &mut self,
        state: &G::State,
        mover: Side,
        depth: u32,
        ply: u32,
        window: RankWindow,
    ) -> Walked<Option<NodeScore>, G> {
        let own = window.seen_by(mover);
        if depth < 3 || depth == ENDLESS || window.is_wide() || own.high.abs() >= WIN_LEAST {
            return Ok(None);
        }
        let next = self.heuristic.null_move(self.game, state);
        let Some(next) = self.asked(next)? else { return Ok(None) };
        let cut = RankWindow { low: own.high - 1, high: own.high }.seen_by(mover);
        let at = NodePlace { depth: depth - 3, ply: ply + 1, turn: None, passed: true, key: None };
        let reply = self.node(&next, at, cut)?;
        let rank = seen_by(reply.rank, mover);
        // A win behind a null move does not count as a win.
        let passes = rank >= own.high;
        Ok(passes.then_some(NodeScore { rank: seen_by(rank.min(own.high), mover), resolved: false }))
    }
}
