//! The order of the moves of one position by the weights of the heuristic, or by evaluations.
//!
//! It takes the scores by the table, killer moves and history, and raises some of them.

use super::children::{PickedMove, with_next};
use super::{ENDLESS, Engine};
use crate::game::{Game, Heuristic, Score, Side};
use crate::search::result::Walked;

/// Weight of one place in the order of evaluations, on the scale of history scores.
const LOOKS: i32 = 32;

/// Weight of one place in the order of the heuristic's weights, on that scale.
const WEIGHTS: i32 = 256;

impl<G: Game, H: Heuristic<G>> Engine<'_, G, H> {
    /// Raises moves by their heuristic weights, among the picks from index `from` on. Returns
    /// whether the weights differ.
    pub(super) fn prefer_by_weight(
        &mut self,
        state: &G::State,
        depth: u32,
        (first, first_pick): (usize, usize),
        from: usize,
    ) -> Walked<bool, G> {
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let weighed = self.heuristic.weigh(self.game, state, &self.moves[first..], depth, &mut weights);
        self.asked(weighed)?;
        let mut looks = std::mem::take(&mut self.looks);
        looks.clear();
        let picks = self.picks[first_pick..].iter().enumerate().skip(from);
        looks.extend(picks.map(|(at, pick)| (Some(Score::number(weights[pick.index as usize]).rank()), at)));
        let tells = looks.iter().any(|look| look.0 != looks[0].0);
        self.weights = weights;
        self.raise(looks, first_pick, WEIGHTS);
        Ok(tells)
    }

    /// Whether noisy moves of great weight come before killer moves.
    pub(super) fn puts_noisy_first(&self, depth: u32) -> bool {
        self.style.heuristic
            && self.weighs
            && depth > 1
            && depth != ENDLESS
            && self.heuristic.has_unquiet_positions(self.game)
    }

    /// Puts the killer moves before the quiet moves, but after those noisy moves that come before all quiet moves.
    pub(super) fn put_killers_after_noisy(
        &mut self,
        state: &G::State,
        ply: u32,
        (first, first_pick): (usize, usize),
        from: usize,
    ) -> Walked<(), G> {
        let killers = self.memory.killers(ply);
        let begin = first_pick + from;
        let is_killer = |pick: &PickedMove| pick.key != 0 && killers.contains(&pick.key);
        if !self.picks[begin..].iter().any(is_killer) {
            return Ok(());
        }
        let mut bar = i32::MAX;
        loop {
            // The best of the moves below the bar.
            let below = self.picks[begin..].iter().filter(|pick| pick.score < bar).max_by_key(|pick| pick.score);
            let Some(pick) = below else { return Ok(()) };
            bar = pick.score;
            let noisy = self.heuristic.is_noisy(self.game, state, &self.moves[first + pick.index as usize]);
            if !self.asked(noisy)? {
                break;
            }
        }
        for pick in &mut self.picks[begin..] {
            if is_killer(pick) && pick.score < bar {
                pick.score = bar.saturating_add(1 + i32::from(pick.key == killers[0]));
            }
        }
        Ok(())
    }

    /// Raises moves by the evaluations of their positions, until it is known which moves are good. A
    /// full-depth search has no shallower iteration to learn from.
    pub(super) fn prefer_by_looks(&mut self, state: &G::State, mover: Side, first: usize) {
        let first_pick = self.picks.len() - (self.moves.len() - first);
        let mut looks = std::mem::take(&mut self.looks);
        looks.clear();
        for (at, pick) in self.picks[first_pick..].iter().enumerate() {
            let mv = &self.moves[first + pick.index as usize];
            // A fault here counts only if the search visits that position.
            let number = with_next(self.game, state, mv, |next| self.heuristic.evaluate(self.game, next).ok());
            self.stats.evals += u64::from(number.is_some());
            looks.push((number.map(|number| Score::number(number).seen_by(mover).rank()), at));
        }
        self.raise(looks, first_pick, LOOKS);
    }

    /// Adds `by` to the score of a pick for each distinct lower place in the order.
    fn raise(&mut self, mut order: Vec<(Option<i64>, usize)>, first_pick: usize, by: i32) {
        order.sort_unstable();
        let mut rank = 0;
        for (place, (looked, at)) in order.iter().enumerate() {
            rank += i32::from(place > 0 && order[place - 1].0 < *looked);
            let score = &mut self.picks[first_pick + at].score;
            *score = score.saturating_add(rank * by);
        }
        self.looks = order;
    }
}
