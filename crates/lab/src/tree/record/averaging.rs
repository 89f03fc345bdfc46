//! Records positions in which chance moves: the mean over all outcomes, or a bound that suffices.
//!
//! Returns a value or a bound by Star1 (Bruce Ballard, "The *-minimax search procedure for trees
//! containing chance nodes", 1983). It gives the values of `search/chance`, without a table and without
//! deepening. It does not know how players choose.

use super::{Bounds, NodePlace, Recorder, Step};
use crate::tree::{CutReason, NodeResult, ScoreBound, TreeWindow};
use alphorn_search::game::{Game, Heuristic, Score};
use alphorn_search::search::chance::backup::Backup;
use std::cmp::Reverse;

/// The rounding error of a mean: some units in the last place of each value, so that rounding never
/// decides. `search/chance/star.rs` uses the same numbers.
const ROUNDING: f64 = 1e-15;
const LEAST: f64 = 1000.0;

/// The bounds of the chance outcomes: each value is between `low` and `high`.
struct Spread {
    weights: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    total: f64,
    margin: f64,
}

impl Spread {
    fn new(weights: &[u64], (low, high): (f64, f64)) -> Spread {
        let margin = ROUNDING * (weights.len() as f64 + LEAST) * low.abs().max(high.abs());
        let weights: Vec<f64> = weights.iter().map(|weight| *weight as f64).collect();
        let (count, total) = (weights.len(), weights.iter().sum());
        Spread { weights, low: vec![low; count], high: vec![high; count], total, margin }
    }

    /// The least and the greatest weighted sum of all outcomes except one.
    fn others(&self, but: Option<usize>) -> (f64, f64) {
        let sum = |values: &[f64]| {
            let each = self.weights.iter().zip(values).enumerate();
            each.filter(|(number, _)| Some(*number) != but).map(|(_, (weight, value))| weight * value).sum()
        };
        (sum(&self.low), sum(&self.high))
    }

    /// The window of one outcome for this window of the mean.
    fn window(&self, number: usize, (alpha, beta): (f64, f64)) -> (f64, f64) {
        let (least, most) = self.others(Some(number));
        let weight = self.weights[number];
        let wider = 2.0 * self.margin * self.total / weight;
        ((alpha * self.total - most) / weight - wider, (beta * self.total - least) / weight + wider)
    }

    /// A bound of the mean that causes a cutoff, with the reason.
    fn cut(&self, (alpha, beta): (f64, f64)) -> Option<(NodeResult, CutReason)> {
        let (least, most) = self.others(None);
        let (least, most) = (least / self.total - self.margin, most / self.total + self.margin);
        let found = |value, bound| NodeResult { score: Score::number(value), bound };
        let why =
            |alpha, beta| CutReason::Window { alpha: Score::number(alpha), beta: Score::number(beta), deep: false };
        if least >= beta {
            Some((found(least, ScoreBound::AtLeast), why(least, beta)))
        } else if most <= alpha {
            Some((found(most, ScoreBound::AtMost), why(alpha, most)))
        } else {
            None
        }
    }
}

impl<G: Game, H: Heuristic<G>> Recorder<'_, G, H> {
    pub(super) fn chance(&mut self, state: &G::State, at: NodePlace) -> Step<NodeResult, G> {
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        self.asked(self.game.chance_outcomes(state, &mut moves, &mut weights))?;
        assert!(!moves.is_empty() && moves.len() == weights.len(), "Game::outcomes finds something for each weight");
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let range = self.range.filter(|_| self.style.bounds != Bounds::None);
        if range.is_some() {
            // Likely outcomes narrow the bounds most.
            order.sort_by_key(|number| Reverse(weights[*number]));
        }
        let mut spread = range.map(|range| Spread::new(&weights, range));
        let of_mean = (at.window.alpha.to_number(), at.window.beta.to_number());
        let open = self.open_window();
        let mut values = vec![0.0; moves.len()];
        for (place, number) in order.iter().copied().enumerate() {
            let step = (number as u32 + 1, &moves[number]);
            let (low, high) =
                spread.as_ref().map_or((f64::NEG_INFINITY, f64::INFINITY), |all| all.window(number, of_mean));
            let window = TreeWindow { alpha: Score::number(low), beta: Score::number(high) };
            let below = NodePlace { ply: at.ply + 1, window };
            let mut value = self.child(state, step, Some(weights[number]), below)?.to_number();
            self.growth.judge(step.0, false);
            if let Some(spread) = &mut spread {
                // A value outside its window is only a bound.
                if value > low {
                    spread.low[number] = spread.low[number].max(value);
                }
                if value < high {
                    spread.high[number] = spread.high[number].min(value);
                }
                let mut cut = spread.cut(of_mean);
                if cut.is_none() && !(value > low && value < high) {
                    let again = NodePlace { window: open, ..below };
                    value = self.child(state, step, Some(weights[number]), again)?.to_number();
                    self.growth.judge(step.0, false);
                    (spread.low[number], spread.high[number]) = (value, value);
                    cut = spread.cut(of_mean);
                }
                if let Some((found, why)) = cut.filter(|_| place + 1 < order.len()) {
                    self.growth.top().cut = Some(why);
                    let left: Vec<_> =
                        order[place + 1..].iter().map(|number| (*number as u32 + 1, moves[*number].clone())).collect();
                    self.pass_over(state, at.ply, &left)?;
                    return Ok(found);
                }
            }
            values[number] = value;
        }
        let score = Score::number(Backup::MEAN.of(&values, &weights, self.range, alphorn_search::game::Side::Max));
        Ok(NodeResult { score, bound: ScoreBound::Exact })
    }
}
