//! Value iteration: the values of all positions of a game with chance, with or without cycles.
//!
//! The result is an interval for the value of each position, by a given accuracy. Lloyd Shapley,
//! "Stochastic games", 1953; from below and from above at once, so that the error is known (Serge
//! Haddad and Benjamin Monmege, "Interval iteration", 2018). The strongly connected components
//! (Robert Tarjan, 1972) are solved one by one, each after those that it leads to. Endless play is
//! worth 0: edges of a position to itself are removed, and `trap` narrows sets in which a side can
//! keep play for ever.

use super::index::Index;
use super::interval::{Interval, PositionKind};
use super::parts::{NONE, parts};
use super::trap::Trap;
use super::{SolveError, SolveTask, Solved};
use crate::game::{Game, Heuristic, Side, ToMove, widened_by_endless_play};
use crate::search::chance::worth;

/// Positions between two memory checks.
const WEIGH: usize = 4096;

/// The number of positions that are made compact together.
const COMPACT: usize = 256;

/// Bytes of later computations per position: two values and a place in the component search.
const LATER: u64 = 16 + 40;

/// Positions between two checks of the stop flag.
const LOOK: usize = 4096;

/// The first round that looks for traps, unless the values stop changing earlier.
const SOON: u64 = 16;

/// The first round that estimates whether to continue.
const PATIENCE: u64 = 1024;

/// The limit of edge visits for one component; intervals that need more stay wide.
const MOST: f64 = 1e11;

/// The intervals of all reachable positions.
pub struct Intervals<S> {
    index: Index<S>,
    kinds: Vec<PositionKind>,
    /// The start of each position's successors in `edges`, and the end of the last.
    first: Vec<usize>,
    edges: Vec<u32>,
    /// The probability of each successor if the position is left; unused for moves of players.
    chances: Vec<f64>,
    values: Vec<Interval>,
    /// Whether the computation was stopped: intervals may then be too wide.
    pub stopped: bool,
}

/// Solves every position reachable from `root`, until no interval is wider than `accuracy`, none gets
/// narrower, or they narrow too slowly. A stop during the exploration is an error; later it leaves the
/// intervals so far.
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
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.kinds.len() as u64
    }

    /// The interval of a position in canonical form for Max, which all symmetric positions share; `None`
    /// if it was not met.
    pub fn of(&self, state: &S) -> Option<Interval> {
        Some(self.values[self.index.find(state)? as usize])
    }

    /// Explores every position and its successors.
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

    /// Makes new positions compact and checks the memory.
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

    /// Adds a position with its successors. An edge to itself only lets a side stay for ever, which
    /// is worth 0. Chance never stays if it has another successor.
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

    /// Narrows the intervals of one component after the other.
    fn settle<G, H>(&mut self, task: &SolveTask<'_, G, H>, accuracy: f64)
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        // All values lie between the ends of the payoff range, the worths of finished games, and 0.
        let worths = self.kinds.iter().filter_map(|kind| match kind {
            PositionKind::Over(worth) => Some(*worth),
            _ => None,
        });
        let stakes = widened_by_endless_play(task.game, task.game.facts().payoff_range.unwrap_or((0.0, 0.0)));
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

    /// Updates the positions of a component repeatedly; the components that it leads to are solved.
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
                // Assumes that the intervals keep narrowing at the rate of the rounds so far.
                let shrunk = (width_before / widest).ln();
                let left = round as f64 / 2.0 * (widest / accuracy.max(f64::MIN_POSITIVE)).ln() / shrunk;
                // Intervals that did not narrow give NaN or infinity here.
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

    /// Narrows the intervals of sets in which a side can keep play for ever; returns whether there
    /// are any.
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
                // With all moves allowed, the sets are the largest, and the same for both sides.
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

    /// The interval of a position by those of its successors; never wider than before.
    fn backed_up(&self, number: u32) -> Interval {
        let old = self.values[number as usize];
        let after = self.after(number);
        let values = self.edges[after.clone()].iter().map(|next| self.values[*next as usize]);
        let (low, high) = match self.kinds[number as usize] {
            PositionKind::Over(_) => return old,
            PositionKind::Moves(side, stays) => {
                // Staying for ever is worth 0.
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
                // Rounds outward, so that the interval contains the value.
                let slack = f64::EPSILON * (after.len() + 2) as f64 * size;
                (low - slack, high + slack)
            }
        };
        (low.max(old.0), high.min(old.1))
    }
}
