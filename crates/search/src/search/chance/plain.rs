//! Expectiminimax: visits every position and uses no bounds. It is the oracle of Star1 and Star2.

use super::{ChancePlace, ChanceSearch, NodeAverage, seen_by};
use crate::game::{Game, Heuristic, Side, ToMove};
use crate::search::result::{LineEnd, Walked};

impl<G: Game, H: Heuristic<G>> ChanceSearch<'_, G, H> {
    pub(super) fn plain(&mut self, state: &G::State, at: ChancePlace) -> Walked<NodeAverage, G> {
        if let Some(reply) = self.arrive(state, at)? {
            return Ok(reply);
        }
        let mover = match self.asked(self.game.to_move(state))? {
            ToMove::Over => return self.over(state),
            ToMove::Chance => return self.on_line(state, at, |search| search.plain_chance(state, at)),
            ToMove::Max => Side::Max,
            ToMove::Min => Side::Min,
        };
        self.on_line(state, at, |search| search.plain_choice(state, at, mover))
    }

    pub(super) fn plain_chance(&mut self, state: &G::State, at: ChancePlace) -> Walked<NodeAverage, G> {
        let (moves, weights) = self.outcomes(state)?;
        let mut values = Vec::with_capacity(moves.len());
        let mut resolved = true;
        for mv in &moves {
            let next = self.apply(state, mv)?;
            let reply = self.node_plain(&next, at.below(None)).map_err(|halt| halt.after(mv))?;
            resolved &= reply.resolved;
            values.push(reply.value);
        }
        self.ends(Some(LineEnd::Chance));
        Ok(NodeAverage { value: self.backup.of(&values, &weights, self.scale, at.owner), resolved })
    }

    fn plain_choice(&mut self, state: &G::State, at: ChancePlace, mover: Side) -> Walked<NodeAverage, G> {
        let mut best: Option<NodeAverage> = None;
        let mut all_resolved = true;
        let (mut line, mut end) = (Vec::new(), None);
        for mv in self.moves(state)? {
            let next = self.apply(state, &mv)?;
            let reply = self.node_plain(&next, at.below(Some(mover))).map_err(|halt| halt.after(&mv))?;
            all_resolved &= reply.resolved;
            if best.is_none_or(|best| seen_by(reply.value, mover) > seen_by(best.value, mover)) {
                best = Some(reply);
                line.clone_from(&self.left);
                line.push(mv);
                end = self.left_end;
            }
        }
        let best = best.expect("there is a move");
        (self.left, self.left_end) = (line, end);
        // The best possible value is final, whatever the other moves are worth.
        let resolved = all_resolved || best.resolved && self.is_best(best.value, mover);
        Ok(NodeAverage { value: best.value, resolved })
    }

    fn node_plain(&mut self, state: &G::State, at: ChancePlace) -> Walked<NodeAverage, G> {
        if at.ply.is_multiple_of(super::LOOK) {
            return stacker::maybe_grow(256 << 10, 4 << 20, || self.plain(state, at));
        }
        self.plain(state, at)
    }
}
