//! Positions where chance moves: what can follow, until bounds say that the rest cannot matter.
//!
//! In: a position and its window. Out: its value or a bound. Star1 and Star2 (Bruce Ballard, "The
//! *-minimax search procedure for trees containing chance nodes", 1983): what has not been looked
//! at is worth something between the bounds of the game, so the mean has bounds too, and each
//! position that follows a window. Must not know how players choose.
//!
//! Windows are computed in floating point. They are drawn a little wider than they would be, so
//! that rounding never decides: a value inside the window of the root is the same to the last bit
//! as that of a search that passes over nothing.

use super::{At, Averaging, Entry, Reply, Way, Window, serves};
use crate::game::{Game, Heuristic, Score, Side};
use crate::search::engine::table::Bound;
use crate::search::outcome::LineEnd;
use crate::search::repetition::Repetition;
use crate::search::walk::Walked;

/// What rounding may do to the sum of so many values, of the greatest of them: some units in its
/// last place for each.
const ROUNDING: f64 = 1e-15;

/// A few values are counted as so many.
const LEAST: f64 = 1000.0;

/// What is known of the positions that can follow: each is worth something from `low` to `high`.
struct Spread {
    weights: Vec<u64>,
    low: Vec<f64>,
    high: Vec<f64>,
    total: f64,
    /// The size of the greatest value there can be, if known.
    size: f64,
    /// Whether no horizon had a part in any of the bounds.
    resolved: bool,
}

impl Spread {
    fn new(weights: Vec<u64>, range: Option<(f64, f64)>) -> Spread {
        let (low, high) = range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let total = weights.iter().sum::<u64>() as f64;
        let size = range.map_or(0.0, |(low, high)| low.abs().max(high.abs()));
        Spread { low: vec![low; weights.len()], high: vec![high; weights.len()], weights, total, size, resolved: true }
    }

    /// How far rounding may move the mean, with a bound of the window beside it.
    fn margin(&self, bound: f64) -> f64 {
        // Risk is counted on the scale of the whole range.
        let size = |value: &f64| if value.is_finite() { value.abs() } else { 0.0 };
        let all = self.low.iter().chain(&self.high).map(size).fold(size(&bound).max(self.size), f64::max);
        ROUNDING * (self.weights.len() as f64 + LEAST) * all
    }

    /// The window of one position if the mean has this one; without bounds, an open one.
    fn window(&self, number: usize, of_mean: Window) -> Window {
        let others = |values: &[f64]| -> f64 {
            let all = self.weights.iter().zip(values).enumerate();
            all.filter(|(other, _)| *other != number).map(|(_, (weight, value))| *weight as f64 * value).sum()
        };
        let weight = self.weights[number] as f64;
        let wider = |bound: f64| 2.0 * self.margin(bound) * self.total / weight;
        let low = (of_mean.low * self.total - others(&self.high)) / weight - wider(of_mean.low);
        let high = (of_mean.high * self.total - others(&self.low)) / weight + wider(of_mean.high);
        // An infinite bound of one of the others may leave no number.
        Window {
            low: if low.is_nan() { f64::NEG_INFINITY } else { low },
            high: if high.is_nan() { f64::INFINITY } else { high },
        }
    }

    /// Takes in what a search in a window has found.
    fn learn(&mut self, number: usize, reply: Reply, window: Window) {
        if reply.value > window.low {
            self.low[number] = self.low[number].max(reply.value);
        }
        if reply.value < window.high {
            self.high[number] = self.high[number].min(reply.value);
        }
        self.resolved &= reply.resolved;
    }
}

impl<G: Game, H: Heuristic<G>> Averaging<'_, G, H> {
    /// The value where chance moves, and what it is.
    pub(super) fn averaged(&mut self, state: &G::State, at: At, window: Window) -> Walked<(Reply, Bound), G> {
        let (moves, weights) = self.outcomes(state)?;
        let mut spread = Spread::new(weights, self.range);
        let mut states = Vec::with_capacity(moves.len());
        for mv in &moves {
            states.push(self.apply(state, mv)?);
        }
        let below = at.below(None);
        // What is likely moves the bounds most.
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(spread.weights[*number]));
        if self.bounded && self.range.is_some() && below.depth > 1 && self.repetition == Repetition::Ignored {
            self.foresee(&states, below, window, &mut spread);
            if let Some(cut) = self.cut(&spread, window, at.owner) {
                return Ok(cut);
            }
            if self.way == Way::Star2
                && let Some(cut) = self.probed((&moves, &states), &order, (at, below), window, &mut spread)?
            {
                return Ok(cut);
            }
        }
        let mut resolved = true;
        let mut values = vec![0.0; moves.len()];
        for &number in &order {
            let own = if self.bounded && self.backup.is_mean() { spread.window(number, window) } else { Window::OPEN };
            let mut reply = self.node(&states[number], below, own).map_err(|halt| halt.after(&moves[number]))?;
            if !own.holds(reply.value) {
                spread.learn(number, reply, own);
                if let Some(cut) = self.cut(&spread, window, at.owner) {
                    return Ok(cut);
                }
                // Rounding has left it open: then the value itself is needed.
                reply = self.node(&states[number], below, Window::OPEN).map_err(|halt| halt.after(&moves[number]))?;
            }
            resolved &= reply.resolved;
            values[number] = reply.value;
            spread.learn(number, reply, Window::OPEN);
            if number != *order.last().expect("something can happen")
                && let Some(cut) = self.cut(&spread, window, at.owner)
            {
                return Ok(cut);
            }
        }
        self.ends(Some(LineEnd::Chance));
        let value = self.backup.of(&values, &spread.weights, self.range, at.owner);
        Ok((Reply { value, resolved }, Bound::Exact))
    }

    /// A bound that is enough, whatever the rest is worth.
    fn cut(&mut self, spread: &Spread, window: Window, owner: Side) -> Option<(Reply, Bound)> {
        if !self.bounded {
            return None;
        }
        let resolved = spread.resolved;
        let of = |values: &[f64]| self.backup.of(values, &spread.weights, self.range, owner);
        let known = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let reply = if window.high < f64::INFINITY
            && known(&spread.low)
            && of(&spread.low) >= window.high + spread.margin(window.high)
        {
            (Reply { value: of(&spread.low), resolved }, Bound::Lower)
        } else if window.low > f64::NEG_INFINITY
            && known(&spread.high)
            && of(&spread.high) <= window.low - spread.margin(window.low)
        {
            (Reply { value: of(&spread.high), resolved }, Bound::Upper)
        } else {
            return None;
        };
        self.stats.cuts += 1;
        self.ends(None);
        Some(reply)
    }

    /// What the table knows already of what can follow.
    fn foresee(&self, states: &[G::State], below: At, window: Window, spread: &mut Spread) {
        let Some(table) = self.table.filter(|_| window.low.is_finite() || window.high.is_finite()) else { return };
        for (number, state) in states.iter().enumerate() {
            let known = table.get(self.key(state, below.owner)).filter(|entry| serves(entry, below.depth));
            let Some(entry) = known.filter(|entry| entry.bound != Bound::None) else { continue };
            let value = Score::of_rank(entry.rank).to_number();
            let reply = Reply { value, resolved: entry.resolved };
            let Window { mut low, mut high } = Window::OPEN;
            match entry.bound {
                Bound::Lower => high = value,
                Bound::Upper => low = value,
                Bound::Exact | Bound::None => {}
            }
            spread.learn(number, reply, Window { low, high });
        }
    }

    /// One move of every position that can follow: what it leads to bounds that position from one
    /// side. A bound of all, if that is enough.
    fn probed(
        &mut self,
        (moves, states): (&[G::Move], &[G::State]),
        order: &[usize],
        (at, below): (At, At),
        window: Window,
        spread: &mut Spread,
    ) -> Walked<Option<(Reply, Bound)>, G> {
        for &number in order {
            let state = &states[number];
            let Some(mover) = self.asked(self.game.turn(state))?.side() else { continue };
            // Where Max moves a probe bounds from below, and that helps only against an upper bound.
            let helps = if mover == Side::Max { window.high } else { window.low };
            if helps.is_infinite() {
                continue;
            }
            let own = if self.backup.is_mean() { spread.window(number, window) } else { Window::OPEN };
            let known = self.table.and_then(|table| table.get(self.key(state, below.owner)));
            let known = known.map_or(Entry::NO_MOVE, |entry| entry.best);
            let (_, mv, next) = self.in_order(state, mover, below, known)?.swap_remove(0);
            let reply = self.node(&next, below.below(Some(mover)), own);
            let reply = reply.map_err(|halt| halt.after(&mv).after(&moves[number]))?;
            // Of one move among others it tells only how good for the mover it is at least.
            let (low, high) = match mover {
                Side::Max => (own.low, f64::NEG_INFINITY),
                Side::Min => (f64::INFINITY, own.high),
            };
            spread.learn(number, reply, Window { low, high });
            if let Some(cut) = self.cut(spread, window, at.owner) {
                return Ok(Some(cut));
            }
        }
        Ok(None)
    }
}
