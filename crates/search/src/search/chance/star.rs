//! Chance positions: the search visits outcomes until bounds show that the others cannot matter.
//!
//! It takes a position and its window and gives the value or a bound. Star1 and Star2 (Bruce
//! Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983): an unvisited
//! outcome has a value in the range of the game, so the mean has bounds too, and each outcome has a
//! window. This module must not depend on how players choose.
//!
//! Windows are computed in floating point and made a little wider, so that rounding never decides. A
//! value inside the root window equals that of a search without cutoffs to the last bit.

use super::{ChanceMethod, ChancePlace, ChanceSearch, Entry, NodeAverage, ValueWindow, serves};
use crate::game::{Game, Heuristic, Score, Side};
use crate::search::engine::table::Bound;
use crate::search::repetition::Repetition;
use crate::search::result::{LineEnd, Walked};

/// The rounding error of a sum per value, relative to the greatest value: some units in the last
/// place.
const ROUNDING: f64 = 1e-15;

/// Added to the number of values, so that the margin is wide enough for few values.
const LEAST: f64 = 1000.0;

/// The greatest number of bound checks under a risk function: each check reads all values.
const LOOKS: usize = 64;

/// The bounds of all chance outcomes: each has a value from `low` to `high`.
struct OutcomeBounds {
    weights: Vec<u64>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// The bounds of the sum of all values, each times its weight.
    sums: (f64, f64),
    total: f64,
    /// The greatest rounding error of the mean.
    margin: f64,
    /// Whether no horizon position had a part in any bound.
    resolved: bool,
}

impl OutcomeBounds {
    fn new(weights: Vec<u64>, (low, high): (f64, f64)) -> OutcomeBounds {
        let (count, total) = (weights.len(), weights.iter().sum::<u64>() as f64);
        let margin = ROUNDING * (count as f64 + LEAST) * low.abs().max(high.abs());
        let sums = (low * total, high * total);
        OutcomeBounds { low: vec![low; count], high: vec![high; count], weights, sums, total, margin, resolved: true }
    }

    /// The window of one outcome, given that of the mean.
    fn window(&self, number: usize, of_mean: ValueWindow) -> ValueWindow {
        let weight = self.weights[number] as f64;
        let others = (self.sums.0 - weight * self.low[number], self.sums.1 - weight * self.high[number]);
        let wider = 2.0 * self.margin * self.total / weight;
        let low = (of_mean.low * self.total - others.1) / weight - wider;
        let high = (of_mean.high * self.total - others.0) / weight + wider;
        ValueWindow { low, high }
    }

    /// Narrows the bounds of an outcome by the result of a search in a window.
    fn learn(&mut self, number: usize, reply: NodeAverage, window: ValueWindow) {
        let weight = self.weights[number] as f64;
        let NodeAverage { value, resolved } = reply;
        if value > window.low && value > self.low[number] {
            self.sums.0 += weight * (value - self.low[number]);
            self.low[number] = value;
        }
        if value < window.high && value < self.high[number] {
            self.sums.1 += weight * (value - self.high[number]);
            self.high[number] = value;
        }
        self.resolved &= resolved;
    }
}

impl<G: Game, H: Heuristic<G>> ChanceSearch<'_, G, H> {
    /// The value of a chance position, with the kind of bound.
    pub(super) fn averaged(
        &mut self,
        state: &G::State,
        at: ChancePlace,
        window: ValueWindow,
    ) -> Walked<(NodeAverage, Bound), G> {
        let (moves, weights) = self.outcomes(state)?;
        let states: Vec<G::State> = moves.iter().map(|mv| self.apply(state, mv)).collect::<Walked<_, G>>()?;
        // Likely outcomes narrow the bounds most, so they come first.
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(weights[*number]));
        let below = at.below(None);
        let mut resolved = true;
        let mut values = vec![0.0; moves.len()];
        let Some(range) = self.bounds() else {
            for number in order {
                let reply = self.node(&states[number], below, ValueWindow::OPEN);
                let reply = reply.map_err(|halt| halt.after(&moves[number]))?;
                resolved &= reply.resolved;
                values[number] = reply.value;
            }
            return Ok(self.whole(&values, &weights, at.owner, resolved));
        };
        let mut spread = OutcomeBounds::new(weights, range);
        if below.depth > 1 && self.repetition == Repetition::Ignored {
            self.foresee(&states, below, window, &mut spread);
            if let Some(cut) = self.cut(&spread, window, at.owner) {
                return Ok(cut);
            }
            if self.way == ChanceMethod::Star2
                && let Some(cut) = self.probed((&moves, &states), &order, (at, below), window, &mut spread)?
            {
                return Ok(cut);
            }
        }
        let mean = self.backup.is_mean();
        let look = moves.len().div_ceil(LOOKS);
        for (place, &number) in order.iter().enumerate() {
            let own = if mean { spread.window(number, window) } else { ValueWindow::OPEN };
            let mut reply = self.node(&states[number], below, own).map_err(|halt| halt.after(&moves[number]))?;
            if !own.holds(reply.value) {
                spread.learn(number, reply, own);
                if let Some(cut) = self.cut(&spread, window, at.owner) {
                    return Ok(cut);
                }
                // If rounding leaves the question open, the exact value is needed.
                reply =
                    self.node(&states[number], below, ValueWindow::OPEN).map_err(|halt| halt.after(&moves[number]))?;
            }
            resolved &= reply.resolved;
            values[number] = reply.value;
            spread.learn(number, reply, ValueWindow::OPEN);
            let looks = place + 1 < order.len() && (mean || place.is_multiple_of(look));
            if looks && let Some(cut) = self.cut(&spread, window, at.owner) {
                return Ok(cut);
            }
        }
        Ok(self.whole(&values, &spread.weights, at.owner, resolved))
    }

    /// The value if the values of all outcomes are known.
    fn whole(&mut self, values: &[f64], weights: &[u64], owner: Side, resolved: bool) -> (NodeAverage, Bound) {
        self.ends(Some(LineEnd::Chance));
        let value = self.backup.of(values, weights, self.scale, owner);
        (NodeAverage { value, resolved }, Bound::Exact)
    }

    /// A bound that causes a cutoff, whatever the other outcomes are worth.
    fn cut(&mut self, spread: &OutcomeBounds, window: ValueWindow, owner: Side) -> Option<(NodeAverage, Bound)> {
        let of = |sum: f64, values: &[f64]| match self.backup.is_mean() {
            true => sum / spread.total,
            false => self.backup.of(values, &spread.weights, self.scale, owner),
        };
        // The result is moved outward too, so that it is a bound to the last bit.
        let mut cut = None;
        if window.high < f64::INFINITY {
            let low = of(spread.sums.0, &spread.low) - spread.margin;
            cut = (low >= window.high).then_some((low, Bound::Lower));
        }
        if cut.is_none() && window.low > f64::NEG_INFINITY {
            let high = of(spread.sums.1, &spread.high) + spread.margin;
            cut = (high <= window.low).then_some((high, Bound::Upper));
        }
        let (value, bound) = cut?;
        self.stats.cuts += 1;
        self.ends(None);
        Some((NodeAverage { value, resolved: spread.resolved }, bound))
    }

    /// Narrows the bounds by the table entries of the outcomes: enhanced transposition cutoffs (Aske
    /// Plaat and others, 1996), at a chance position.
    fn foresee(&self, states: &[G::State], below: ChancePlace, window: ValueWindow, spread: &mut OutcomeBounds) {
        let Some(table) = self.table.filter(|_| window.low.is_finite() || window.high.is_finite()) else { return };
        for (number, state) in states.iter().enumerate() {
            let known = table.get(self.key(state, below.owner)).filter(|entry| serves(entry, below.depth));
            let Some(entry) = known.filter(|entry| entry.bound != Bound::None) else { continue };
            let value = Score::of_rank(entry.rank).to_number();
            let reply = NodeAverage { value, resolved: entry.resolved };
            let ValueWindow { mut low, mut high } = ValueWindow::OPEN;
            match entry.bound {
                Bound::Lower => high = value,
                Bound::Upper => low = value,
                Bound::Exact | Bound::None => {}
            }
            spread.learn(number, reply, ValueWindow { low, high });
        }
    }

    /// Probes one move of every outcome, which bounds the outcome from one side. Returns a bound of
    /// the mean, if it causes a cutoff.
    fn probed(
        &mut self,
        (moves, states): (&[G::Move], &[G::State]),
        order: &[usize],
        (at, below): (ChancePlace, ChancePlace),
        window: ValueWindow,
        spread: &mut OutcomeBounds,
    ) -> Walked<Option<(NodeAverage, Bound)>, G> {
        for &number in order {
            let state = &states[number];
            let Some(mover) = self.asked(self.game.to_move(state))?.side() else { continue };
            // If Max moves, a probe gives a lower bound, which helps only against `window.high`.
            let helps = if mover == Side::Max { window.high } else { window.low };
            if helps.is_infinite() {
                continue;
            }
            let own = if self.backup.is_mean() { spread.window(number, window) } else { ValueWindow::OPEN };
            let known = self.table.and_then(|table| table.get(self.key(state, below.owner)));
            let known = known.map_or(Entry::NO_MOVE, |entry| entry.best);
            let (_, mv, next) = self.in_order(state, mover, below, known)?.swap_remove(0);
            let reply = self.node(&next, below.below(Some(mover)), own);
            let reply = reply.map_err(|halt| halt.after(&mv).after(&moves[number]))?;
            // A single move shows only the least value that the mover can get.
            let (low, high) = match mover {
                Side::Max => (own.low, f64::NEG_INFINITY),
                Side::Min => (f64::INFINITY, own.high),
            };
            spread.learn(number, reply, ValueWindow { low, high });
            if let Some(cut) = self.cut(spread, window, at.owner) {
                return Ok(Some(cut));
            }
        }
        Ok(None)
    }
}
