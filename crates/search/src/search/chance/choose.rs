//! Positions with a player to move: moves in order, until a cutoff.
//!
//! The search takes a position and its window. It gives the value or a bound, and a line. Order
//! never decides a value. This module must not depend on how chance is averaged.

use super::{ChancePlace, ChanceSearch, Entry, NodeAverage, ValueWindow, seen_by, serves};
use crate::game::{Game, Heuristic, Score, Side, ToMove};
use crate::search::engine::table::Bound;
use crate::search::result::Walked;

/// The least remaining depth at which to order moves by the evaluations of their positions.
const WORTH_A_LOOK: u32 = 2;

/// A move to search: its index in the game's order, the move, and the position after it.
type Tried<G> = (usize, <G as Game>::Move, <G as Game>::State);

impl<G: Game, H: Heuristic<G>> ChanceSearch<'_, G, H> {
    pub(super) fn visit(&mut self, state: &G::State, at: ChancePlace, window: ValueWindow) -> Walked<NodeAverage, G> {
        if let Some(reply) = self.arrive(state, at)? {
            return Ok(reply);
        }
        let table = self.table.filter(|_| at.depth < Entry::DEEPEST || at.depth == super::ENDLESS);
        let key = table.map(|_| self.key(state, at.owner));
        let mut known = Entry::NO_MOVE;
        if let (Some(table), Some(key)) = (table, key) {
            self.stats.probes += 1;
            if let Some(entry) = table.get(key) {
                self.stats.hits += 1;
                known = entry.best;
                if let Some(reply) = self.enough(&entry, at, window) {
                    self.stats.table_cuts += 1;
                    self.ends(None);
                    return Ok(reply);
                }
            }
        }
        let begun = self.stats.nodes;
        let (reply, best, bound) = match self.asked(self.game.to_move(state))? {
            ToMove::Over => return self.over(state),
            ToMove::Chance => {
                let (reply, bound) = self.on_line(state, at, |search| search.averaged(state, at, window))?;
                (reply, Entry::NO_MOVE, bound)
            }
            ToMove::Max => self.on_line(state, at, |search| search.choice(state, at, Side::Max, window, known))?,
            ToMove::Min => self.on_line(state, at, |search| search.choice(state, at, Side::Min, window, known))?,
        };
        if let (Some(table), Some(key)) = (table, key) {
            let bound = if self.trusts_table { bound } else { Bound::None };
            let work = (self.stats.nodes - begun + 1).ilog2() as u8;
            let rank = Score::number(reply.value).rank();
            table.put(key, Entry { rank, bound, depth: at.depth, work, resolved: reply.resolved, best });
        }
        Ok(reply)
    }

    /// The result of an entry, if it is sufficient here.
    pub(super) fn enough(&self, entry: &Entry, at: ChancePlace, window: ValueWindow) -> Option<NodeAverage> {
        if !self.trusts_table || !serves(entry, at.depth) {
            return None;
        }
        let Score::Value(value) = Score::of_rank(entry.rank) else { return None };
        let enough = match entry.bound {
            Bound::None => false,
            Bound::Lower => value >= window.high,
            Bound::Upper => value <= window.low,
            Bound::Exact => true,
        };
        enough.then_some(NodeAverage { value, resolved: entry.resolved })
    }

    /// The moves of a position in the order to search, with indices and successors.
    pub(super) fn in_order(
        &mut self,
        state: &G::State,
        mover: Side,
        at: ChancePlace,
        known: u16,
    ) -> Walked<Vec<Tried<G>>, G> {
        let moves = self.moves(state)?;
        let count = moves.len();
        let mut weights: Vec<f64> = Vec::new();
        if count > 1 && self.weighs {
            self.asked(self.heuristic.weigh(self.game, state, &moves, at.depth, &mut weights))?;
        }
        let mut tried = Vec::with_capacity(count);
        for (number, mv) in moves.into_iter().enumerate() {
            let next = self.apply(state, &mv)?;
            tried.push((number, mv, next));
        }
        if count == 1 || self.table.is_none() {
            return Ok(tried);
        }
        if weights.is_empty() && at.depth >= WORTH_A_LOOK {
            for (.., next) in &tried {
                // A fault here counts only if the search visits that position.
                let looks = self.heuristic.evaluate(self.game, next).map_or(f64::NEG_INFINITY, |v| seen_by(v, mover));
                self.stats.evals += 1;
                weights.push(looks);
            }
        }
        let rank = |number: usize| {
            let weight = weights.get(number).copied().unwrap_or(0.0);
            // Searches that share a table begin with different moves.
            let jitter = self.number != 0 && (number as u32 ^ self.number) & 1 == 1;
            (number == usize::from(known), weight, jitter)
        };
        tried.sort_by(|(left, ..), (right, ..)| {
            let (left, right) = (rank(*left), rank(*right));
            right.0.cmp(&left.0).then(right.1.total_cmp(&left.1)).then(right.2.cmp(&left.2))
        });
        Ok(tried)
    }

    /// Whether no value can be better for the mover than this one. A value at the worse end of the
    /// window does not qualify: it is only a bound.
    fn is_top(&self, value: f64, mover: Side, window: ValueWindow) -> bool {
        let inside = if mover == Side::Max { value > window.low } else { value < window.high };
        inside && self.is_best(value, mover)
    }

    fn choice(
        &mut self,
        state: &G::State,
        at: ChancePlace,
        mover: Side,
        window: ValueWindow,
        known: u16,
    ) -> Walked<(NodeAverage, u16, Bound), G> {
        let tried = self.in_order(state, mover, at, known)?;
        let mut own = window;
        let mut best: Option<(NodeAverage, usize)> = None;
        let mut all_resolved = true;
        let (mut line, mut end, mut cut) = (Vec::new(), None, false);
        for (number, mv, next) in tried {
            let reply = self.node(&next, at.below(Some(mover)), own).map_err(|halt| halt.after(&mv))?;
            all_resolved &= reply.resolved;
            if best.is_none_or(|(best, _)| seen_by(reply.value, mover) > seen_by(best.value, mover)) {
                best = Some((reply, number));
                std::mem::swap(&mut line, &mut self.left);
                line.push(mv);
                end = self.left_end;
            }
            match mover {
                Side::Max => own.low = own.low.max(reply.value),
                Side::Min => own.high = own.high.min(reply.value),
            }
            let outside = if mover == Side::Max { reply.value >= window.high } else { reply.value <= window.low };
            if outside || self.is_top(reply.value, mover, window) {
                self.stats.cuts += 1;
                cut = true;
                break;
            }
        }
        let (reply, number) = best.expect("there is a move");
        (self.left, self.left_end) = (line, end);
        let bound = match mover {
            _ if self.is_top(reply.value, mover, window) => Bound::Exact,
            _ if window.holds(reply.value) => Bound::Exact,
            _ if reply.value >= window.high => Bound::Lower,
            _ => Bound::Upper,
        };
        let resolved = if cut { reply.resolved } else { all_resolved };
        let best = u16::try_from(number).unwrap_or(Entry::NO_MOVE);
        Ok((NodeAverage { value: reply.value, resolved }, best, bound))
    }
}
