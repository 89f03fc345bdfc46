//! Traps: sets of positions in which one side can keep play for ever against every reply.
//!
//! The input is a component of positions with their intervals; the output is narrower intervals.
//! Backups alone do not see that endless play is worth 0: on a cycle, every position may keep the
//! promise of the next one.
//!
//! Let the keeper have a move that stays in the set, in every position of the set where it moves.
//! Then play never ends, worth 0, or leaves the set by a move of the other side or by chance. So the
//! positions of the set are worth no more to the other side than 0 or the best exit of that side or
//! chance. This holds for any such set. The sets here are the maximal end components, with all moves
//! of the keeper or only those that look best to it. They are enough for the ends of the intervals
//! to meet (Edon Kelmendi and others, "Value iteration for simple stochastic games", 2018, for
//! values of 0 or more).

use super::interval::{Interval, PositionKind};
use super::parts::{NONE, parts};
use crate::game::Side;

/// The game graph, with the side that keeps play for ever.
pub(super) struct Trap<'a> {
    pub(super) kinds: &'a [PositionKind],
    pub(super) first: &'a [usize],
    pub(super) edges: &'a [u32],
    /// The side that keeps play for ever.
    pub(super) keeper: Side,
    /// Whether the keeper uses only its best moves, by the end of the intervals that is certain for
    /// the other side.
    pub(super) only_best: bool,
}

impl Trap<'_> {
    fn after(&self, number: u32) -> &[u32] {
        &self.edges[self.first[number as usize]..self.first[number as usize + 1]]
    }

    /// A value for the other side: greater is better.
    fn for_other(&self, value: f64) -> f64 {
        if self.keeper == Side::Min { value } else { -value }
    }

    /// The end of an interval that is certain for the other side.
    fn certain(&self, (low, high): Interval) -> f64 {
        if self.keeper == Side::Min { low } else { -high }
    }

    /// The moves that count in a position.
    fn allowed<'v>(&'v self, number: u32, values: &'v [Interval]) -> impl Iterator<Item = u32> + 'v {
        let after = self.after(number);
        let certain = move |next: u32| self.certain(values[next as usize]);
        let best = match self.kinds[number as usize] {
            PositionKind::Moves(side, stays) if self.only_best && side == self.keeper => {
                // To stay in the position for ever is worth 0.
                let stay = stays.then_some(0.0);
                Some(after.iter().map(|next| certain(*next)).chain(stay).fold(f64::INFINITY, f64::min))
            }
            _ => None,
        };
        after.iter().copied().filter(move |next| best.is_none_or(|best| certain(*next) <= best))
    }

    /// The maximal end components of more than one position: chance stays in each, and both sides can.
    /// `places` has only `NONE`. Empty if the search is stopped.
    pub(super) fn end_components(
        &self,
        part: &[u32],
        places: &mut [u32],
        values: &[Interval],
        stop_is_asked: impl Fn() -> bool,
    ) -> Vec<Vec<u32>> {
        let (mut found, mut open) = (Vec::new(), vec![part.to_vec()]);
        while let Some(set) = open.pop() {
            if stop_is_asked() {
                return Vec::new();
            }
            let (order, ends) = parts(&set, places, |number| self.allowed(number, values));
            let mut begun = 0;
            for end in ends {
                let component = &order[begun..end];
                begun = end;
                if component.len() == 1 {
                    continue;
                }
                component.iter().for_each(|number| places[*number as usize] = 0);
                let stays = |number: &u32| match self.kinds[*number as usize] {
                    PositionKind::Chance => self.after(*number).iter().all(|next| places[*next as usize] == 0),
                    _ => true,
                };
                let kept: Vec<u32> = component.iter().copied().filter(stays).collect();
                component.iter().for_each(|number| places[*number as usize] = NONE);
                match kept.len() == component.len() {
                    true => found.push(kept),
                    false if kept.len() > 1 => open.push(kept),
                    false => {}
                }
            }
        }
        found
    }

    /// Limits the set for the other side to 0 or its best exit; returns whether a value changed.
    pub(super) fn narrow(&self, set: &[u32], places: &mut [u32], values: &mut [Interval]) -> bool {
        set.iter().for_each(|number| places[*number as usize] = 0);
        let mut best = 0.0f64;
        for number in set {
            if matches!(self.kinds[*number as usize], PositionKind::Moves(side, _) if side != self.keeper) {
                let out = self.after(*number).iter().filter(|next| places[**next as usize] != 0);
                let ways = out.map(|next| {
                    let (low, high) = values[*next as usize];
                    self.for_other(if self.keeper == Side::Min { high } else { low })
                });
                best = ways.fold(best, f64::max);
            }
        }
        let mut moved = false;
        for number in set {
            places[*number as usize] = NONE;
            let value = &mut values[*number as usize];
            let old = *value;
            match self.keeper {
                Side::Min => value.1 = value.1.min(best),
                Side::Max => value.0 = value.0.max(-best),
            }
            moved |= *value != old;
        }
        moved
    }
}
