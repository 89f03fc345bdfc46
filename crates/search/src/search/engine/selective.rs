//! Selectivity of a heuristic search: extensions, reductions and null moves.
//!
//! It takes a position, its window and a move. It gives plies to add or remove, or a cutoff by a
//! null move. The engine uses it only if its options allow estimates.

use super::{ENDLESS, Engine, NodePlace, NodeScore, RankWindow, seen_by};
use crate::game::{Game, Heuristic, Score, Side, WIN_LEAST};
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

    /// Late move pruning: near the horizon, whether to leave out a quiet move after many others.
    pub(super) fn skips(
        &self,
        state: &G::State,
        depth: u32,
        number: usize,
        window: RankWindow,
        (standing, best): (Option<f64>, i64),
        mv: usize,
    ) -> Walked<bool, G> {
        let many = 6 + 2 * (depth * depth) as usize;
        if standing.is_none() || depth > SHALLOW || number < many || window.is_wide() || best <= -WIN_LEAST {
            return Ok(false);
        }
        if !self.weighs || !self.heuristic.has_unquiet_positions(self.game) {
            return Ok(false);
        }
        let noisy = self.heuristic.is_noisy(self.game, state, &self.moves[mv]);
        Ok(!self.asked(noisy)?)
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
        let wide = window.is_wide();
        if !self.style.heuristic || depth < 3 || depth == ENDLESS || number < if wide { 8 } else { 3 } {
            return Ok(0);
        }
        if self.heuristic.has_unquiet_positions(self.game) {
            let noisy = self.heuristic.is_noisy(self.game, state, &self.moves[mv]);
            if self.asked(noisy)? {
                return Ok(0);
            }
        }
        Ok(if wide || number < 8 || depth < 4 { 1 } else { 2 + u32::from(number >= 16 && depth >= 6) })
    }

    /// Whether the player to move is forced, as in check. Such a position is searched one ply deeper, and its
    /// evaluation counts nowhere.
    pub(super) fn is_forced(&self, state: &G::State, depth: u32) -> Walked<bool, G> {
        if !self.style.heuristic || depth == ENDLESS || !self.heuristic.has_unquiet_positions(self.game) {
            return Ok(false);
        }
        self.asked(self.heuristic.is_forced(self.game, state))
    }

    /// Pruning by the evaluation, in a position whose player is not forced to move: a null move, reverse
    /// futility pruning and razoring.
    pub(super) fn cutoff_by_evaluation(
        &mut self,
        state: &G::State,
        mover: Side,
        at: NodePlace,
        window: RankWindow,
    ) -> Walked<(Option<f64>, Option<NodeScore>), G> {
        let NodePlace { depth, ply, .. } = at;
        let own = window.seen_by(mover);
        if depth == ENDLESS || window.is_wide() || own.high.abs() >= WIN_LEAST || own.low.abs() >= WIN_LEAST {
            return Ok((None, None));
        }
        // Where all positions are quiet, evaluations are too rough to prune by.
        if !self.heuristic.has_unquiet_positions(self.game) {
            let next = match depth > 2 && !at.passed {
                true => self.asked(self.heuristic.null_move(self.game, state))?,
                false => None,
            };
            let Some(next) = next else { return Ok((None, None)) };
            return Ok((None, self.pass(&next, mover, depth, ply, own.high)?));
        }
        self.stats.evals += 1;
        let number = self.asked(self.heuristic.evaluate(self.game, state))?;
        let number = if mover == Side::Max { number } else { -number };
        let rank = Score::number(number).rank();
        let cut = |rank: i64| Some(NodeScore { rank: seen_by(rank, mover), resolved: false });
        if rank >= own.high && !at.passed {
            let next = self.heuristic.null_move(self.game, state);
            if let Some(next) = self.asked(next)? {
                if let Some(margin) = self.gains.margin()
                    && depth <= SHALLOW
                    && Score::number(number - margin * f64::from(depth)).rank() >= own.high
                {
                    self.unknown_line();
                    return Ok((Some(number), cut(own.high)));
                }
                if depth > 1
                    && let Some(reply) = self.pass(&next, mover, depth, ply, own.high)?
                {
                    return Ok((Some(number), Some(reply)));
                }
            }
        }
        // Razoring: if no quiet move is likely to reach alpha, quiescence search decides.
        if depth <= SHALLOW
            && let Some(margin) = self.gains.margin()
            && Score::number(number + margin * f64::from(depth).mul_add(0.75, 0.25)).rank() <= own.low
        {
            let reply = self.at_rest(state, ply, window)?;
            if seen_by(reply.rank, mover) <= own.low {
                return Ok((Some(number), Some(reply)));
            }
        }
        Ok((Some(number), None))
    }

    /// Null-move pruning: if the mover reaches beta after a pass, the position is cut off (Chrilly
    /// Donninger, "Null move and deep search", 1993). Only if the rules call a pass sound.
    fn pass(&mut self, next: &G::State, mover: Side, depth: u32, ply: u32, beta: i64) -> Walked<Option<NodeScore>, G> {
        let cut = RankWindow { low: beta - 1, high: beta }.seen_by(mover);
        let depth = depth.saturating_sub(3 + depth / 6);
        let at = NodePlace { depth, ply: ply + 1, turn: None, passed: true, key: None };
        let reply = self.node(next, at, cut)?;
        let rank = seen_by(reply.rank, mover);
        // A win behind a null move does not count as a win.
        let passes = rank >= beta;
        Ok(passes.then_some(NodeScore { rank: seen_by(rank.min(beta), mover), resolved: false }))
    }

    /// Learns from the best move of a position one ply before the horizon how much a quiet move can gain.
    pub(super) fn learn_gain(&mut self, state: &G::State, standing: f64, best: i64, mv: usize) -> Walked<(), G> {
        if best.abs() < WIN_LEAST
            && let Score::Value(found) = Score::of_rank(best)
        {
            let noisy = self.heuristic.is_noisy(self.game, state, &self.moves[mv]);
            if !self.asked(noisy)? {
                self.gains.learn(found - standing);
            }
        }
        Ok(())
    }
}

/// The greatest depth of reverse futility pruning.
const SHALLOW: u32 = 3;

/// What a quiet move gains at most, except for one in [`MoveGains::RARE`], by the evaluation of the mover and the
/// value after the move. The unit of an evaluation is not known, so the search learns this number.
#[derive(Default)]
pub(super) struct MoveGains {
    margin: f64,
    count: u32,
}

impl MoveGains {
    /// One move in so many gains more.
    const RARE: f64 = 50.0;

    /// Moves before the margin counts.
    const ENOUGH: u32 = 128;

    fn learn(&mut self, gain: f64) {
        self.count = self.count.saturating_add(1);
        if self.count <= Self::ENOUGH {
            self.margin = self.margin.max(gain);
            return;
        }
        let step = self.margin / 1024.0;
        self.margin += if gain > self.margin { step * (Self::RARE - 1.0) } else { -step };
    }

    /// The margin, once it is known.
    fn margin(&self) -> Option<f64> {
        (self.count >= Self::ENOUGH && self.margin > 0.0).then_some(self.margin)
    }
}
