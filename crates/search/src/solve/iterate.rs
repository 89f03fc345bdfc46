//! Value iteration: the values of all positions of a game with chance, cycles or not.
//!
//! In: a task, where to begin, how accurate. Out: for each position an interval that holds its
//! value. Lloyd Shapley, "Stochastic games", 1953; from below and from above at once, so that the
//! error is known (Serge Haddad and Benjamin Monmege, "Interval iteration", 2018); one strongly
//! connected part of the game after the other (Robert Tarjan, 1972), those that lead nowhere else
//! first. Play without end is worth 0: a position that leads back to itself is freed of that edge,
//! and sets of positions in which a side can keep play for ever are narrowed as a whole (`trap`).

use super::index::Index;
use super::parts::{NONE, parts};
use super::trap::Trap;
use super::{SolveError, SolveTask, Solved};
use crate::game::{Game, Heuristic, Side, ToMove, widened_by_endless_play};
use crate::search::chance::worth;

/// The memory is looked at after so many positions.
const WEIGH: usize = 4096;

/// Positions are made compact so many at a time.
const COMPACT: usize = 256;

/// Bytes that later passes take for a position: two values, and its place while parts are looked for.
const LATER: u64 = 16 + 40;

/// The stop flag is looked at after so many positions.
const LOOK: usize = 4096;

/// From this round on, or once nothing moves any more, it is asked whether play can be kept for ever.
const SOON: u64 = 16;

/// From this round on it is asked whether it is worth going on.
const PATIENCE: u64 = 1024;

/// Edges that may be looked at for one part; what needs more has an interval that stays open.
const MOST: f64 = 1e11;

/// What stands in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PositionKind {
    Over(f64),
    /// A side moves; and whether it may make a move that leads back to the position itself.
    Moves(Side, bool),
    Chance,
}

/// An interval of values.
pub type Interval = (f64, f64);

/// The values of all positions that can be reached.
pub struct Intervals<S> {
    index: Index<S>,
    kinds: Vec<PositionKind>,
    /// Where the successors of a position begin in `edges`; one more at the end.
    first: Vec<usize>,
    edges: Vec<u32>,
    /// How likely each successor is, once another comes; of a player's moves nothing is said here.
    chances: Vec<f64>,
    values: Vec<Interval>,
    /// Whether it was stopped: then intervals are wider than they need be.
    pub stopped: bool,
}

/// Solves every position that can be reached from `root`, until no interval is wider than
/// `accuracy`, none gets narrower, or they narrow too slowly. Stopped while it still meets
/// positions, it errs; later, its intervals are what is known by then.
pub fn iterate<G: Game, H: Heuristic<G>>(
    task: &SolveTask<'_, G, H>,
    root: &G::State,
    accuracy: f64,
) -> Solved<Intervals<G::State>, G> {
    let mut found = Intervals {
        index: Index::new(),
        kinds: Vec::new(),
        first: vec![0],
        edges: Vec::new(),
        chances: Vec::new(),
        values: Vec::new(),
        stopped: false,
    };
    found.explore(task, root)?;
    found.settle(task, accuracy);
    Ok(found)
}

impl<S: Clone + Eq + std::hash::Hash> Intervals<S> {
    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.kinds.len() as u64
    }

    /// Between which numbers the value of a position lies for Max, a symmetric one for all of its
    /// images; `None` of one that was not met.
    pub fn of(&self, state: &S) -> Option<Interval> {
        Some(self.values[self.index.find(state)? as usize])
    }

    /// Every position, with what follows it.
    fn explore<G, H>(&mut self, task: &SolveTask<'_, G, H>, root: &S) -> Solved<(), G>
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        self.number::<G>(task.canonical(root.clone())?)?;
        let (mut moves, mut weights, mut next) = (Vec::new(), Vec::new(), Vec::new());
        let mut compacted = 0;
        while self.kinds.len() < self.index.states.len() {
            let here = self.kinds.len();
            task.count(here as u64 + 1)?;
            let state = self.index.states[here].clone();
            moves.clear();
            weights.clear();
            let fault = |fault| task.fault(fault);
            let kind = match task.game.to_move(&state).map_err(fault)? {
                ToMove::Over => {
                    let ending = task.game.result(&state).map_err(fault)?;
                    let judged = || task.heuristic.evaluate(task.game, &state);
                    PositionKind::Over(worth(task.game, ending, judged).map_err(fault)?)
                }
                ToMove::Chance => {
                    task.game.chance_outcomes(&state, &mut moves, &mut weights).map_err(fault)?;
                    PositionKind::Chance
                }
                ToMove::Max => PositionKind::Moves(Side::Max, false),
                ToMove::Min => PositionKind::Moves(Side::Min, false),
            };
            if let PositionKind::Moves(..) = kind {
                task.game.moves(&state, &mut moves).map_err(fault)?;
                weights.resize(moves.len(), 0);
            }
            next.clear();
            for (mv, weight) in moves.iter().zip(&weights) {
                let after = match task.game.held(mv) {
                    Some(held) => held.clone(),
                    None => task.game.apply(&state, mv).map_err(fault)?,
                };
                next.push((self.number::<G>(task.canonical(after)?)?, *weight));
            }
            self.lead_on(kind, &mut next);
            if self.index.states.len() - compacted >= COMPACT || here.is_multiple_of(WEIGH) {
                self.weigh(task, &mut compacted)?;
            }
        }
        self.weigh(task, &mut compacted)
    }

    fn number<G: Game>(&mut self, state: S) -> Solved<u32, G> {
        let positions = self.index.states.len() as u64;
        self.index.number(state).ok_or(SolveError::Memory { positions })
    }

    /// Makes new positions compact, and looks at the memory.
    fn weigh<G, H>(&mut self, task: &SolveTask<'_, G, H>, compacted: &mut usize) -> Solved<(), G>
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        let states = &mut self.index.states;
        states[*compacted..].chunks_mut(COMPACT).for_each(|some| task.game.compact(some));
        *compacted = states.len();
        let edges = (size_of::<u32>() + size_of::<f64>()) * self.edges.capacity();
        let mine =
            edges + size_of::<usize>() * self.first.capacity() + size_of::<PositionKind>() * self.kinds.capacity();
        let bytes = self.index.bytes() + mine as u64 + LATER * *compacted as u64;
        match bytes + task.game.live_bytes() > task.memory {
            true => Err(SolveError::Memory { positions: *compacted as u64 }),
            false => Ok(()),
        }
    }

    /// Adds a position with what follows it. An edge back to itself says nothing but that a side may
    /// stay there for ever, which is worth 0; chance never does, if it can lead anywhere else.
    fn lead_on(&mut self, kind: PositionKind, next: &mut Vec<(u32, u64)>) {
        let here = self.kinds.len() as u32;
        let count = next.len();
        next.retain(|(number, _)| *number != here);
        let stays = next.len() < count;
        let all = next.iter().map(|(_, weight)| weight).sum::<u64>().max(1) as f64;
        self.edges.extend(next.iter().map(|(number, _)| number));
        self.chances.extend(next.iter().map(|(_, weight)| *weight as f64 / all));
        self.first.push(self.edges.len());
        self.kinds.push(match kind {
            PositionKind::Over(_) => kind,
            _ if next.is_empty() => PositionKind::Over(0.0),
            PositionKind::Moves(side, _) => PositionKind::Moves(side, stays),
            PositionKind::Chance => kind,
        });
    }

    fn after(&self, number: u32) -> std::ops::Range<usize> {
        self.first[number as usize]..self.first[number as usize + 1]
    }

    /// Narrows the intervals of one part after the other.
    fn settle<G, H>(&mut self, task: &SolveTask<'_, G, H>, accuracy: f64)
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        // No play is worth more or less than what is at stake, or than the ends of games and 0.
        let worths = self.kinds.iter().filter_map(|kind| match kind {
            PositionKind::Over(worth) => Some(*worth),
            _ => None,
        });
        let stakes = widened_by_endless_play(task.game, task.game.payoff_range().unwrap_or((0.0, 0.0)));
        let (low, high) = worths.fold(stakes, |(low, high), worth: f64| (low.min(worth), high.max(worth)));
        self.values = self
            .kinds
            .iter()
            .map(|kind| match kind {
                PositionKind::Over(worth) => (*worth, *worth),
                _ => (low, high),
            })
            .collect();
        let all: Vec<u32> = (0..self.kinds.len() as u32).collect();
        let mut places = vec![NONE; all.len()];
        let (order, ends) = parts(&all, &mut places, |number| self.after(number).map(|edge| self.edges[edge]));
        let mut begun = 0;
        for (at, end) in ends.into_iter().enumerate() {
            let part = &order[begun..end];
            begun = end;
            match part {
                [number] => self.values[*number as usize] = self.backed_up(*number),
                _ => self.narrow(task, part, accuracy, &mut places),
            }
            if (part.len() > 1 || at.is_multiple_of(LOOK)) && task.stop_is_asked() {
                self.stopped = true;
                return;
            }
        }
    }

    /// Goes through the positions of a part again and again; those that it leads to are settled.
    fn narrow<G, H>(&mut self, task: &SolveTask<'_, G, H>, part: &[u32], accuracy: f64, places: &mut [u32])
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        let edges: usize = part.iter().map(|number| self.after(*number).len()).sum();
        let (mut round, mut width_before, mut traps) = (0u64, f64::INFINITY, true);
        loop {
            round += 1;
            let (mut widest, mut moved) = (0.0f64, false);
            for (at, &number) in part.iter().enumerate() {
                let old = self.values[number as usize];
                let new = self.backed_up(number);
                self.values[number as usize] = new;
                moved |= new != old;
                widest = widest.max(new.1 - new.0);
                if at.is_multiple_of(LOOK) && task.stop_is_asked() {
                    return;
                }
            }
            if widest <= accuracy {
                return;
            }
            if !moved || traps && round.is_power_of_two() && round >= SOON {
                traps = traps && self.narrow_traps(task, part, places, &mut moved);
                if !moved {
                    return;
                }
            }
            if round.is_power_of_two() && round >= PATIENCE {
                // As many rounds as there were have made it so much narrower, and so will the next.
                let shrunk = (width_before / widest).ln();
                let left = round as f64 / 2.0 * (widest / accuracy.max(f64::MIN_POSITIVE)).ln() / shrunk;
                // An interval that did not shrink at all leaves a number that is none, or no end.
                let is_near = left * edges as f64 <= MOST;
                if !is_near {
                    return;
                }
            }
            if round.is_power_of_two() {
                width_before = widest;
            }
        }
    }

    /// Narrows the intervals of positions in which a side can keep play for ever; whether there are
    /// any.
    fn narrow_traps<G, H>(
        &mut self,
        task: &SolveTask<'_, G, H>,
        part: &[u32],
        places: &mut [u32],
        moved: &mut bool,
    ) -> bool
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        for only_best in [false, true] {
            for keeper in [Side::Max, Side::Min] {
                let trap = Trap { kinds: &self.kinds, first: &self.first, edges: &self.edges, keeper, only_best };
                let sets = trap.end_components(part, places, &self.values, || task.stop_is_asked());
                // With all moves there are most of them, and for both sides the same.
                if sets.is_empty() && !only_best {
                    return false;
                }
                for set in sets {
                    *moved |= trap.narrow(&set, places, &mut self.values);
                }
            }
        }
        true
    }

    /// The interval of a position by those of its successors; never wider than it was.
    fn backed_up(&self, number: u32) -> Interval {
        let old = self.values[number as usize];
        let after = self.after(number);
        let values = self.edges[after.clone()].iter().map(|next| self.values[*next as usize]);
        let (low, high) = match self.kinds[number as usize] {
            PositionKind::Over(_) => return old,
            PositionKind::Moves(side, stays) => {
                // To stay for ever is worth 0.
                let values = values.chain(stays.then_some((0.0, 0.0)));
                let best = |best: Interval, value: Interval| match side {
                    Side::Max => (best.0.max(value.0), best.1.max(value.1)),
                    Side::Min => (best.0.min(value.0), best.1.min(value.1)),
                };
                values.reduce(best).expect("a position without a move is over")
            }
            PositionKind::Chance => {
                let all = values.zip(&self.chances[after.clone()]);
                let (low, high, size) = all.fold((0.0, 0.0, 0.0f64), |sum, (value, chance)| {
                    let size = value.0.abs().max(value.1.abs());
                    (sum.0 + chance * value.0, sum.1 + chance * value.1, sum.2.max(size))
                });
                // Rounded outward, so that the interval holds the value.
                let slack = f64::EPSILON * (after.len() + 2) as f64 * size;
                (low - slack, high + slack)
            }
        };
        (low.max(old.0), high.min(old.1))
    }
}
