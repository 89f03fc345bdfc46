//! Value iteration: the values of all positions of a game with chance, cycles or not.
//!
//! In: a task, where to begin, how accurate. Out: for each position an interval that holds its
//! value. Lloyd Shapley, "Stochastic games", 1953; from below and from above at once, so that the
//! error is known (Serge Haddad and Benjamin Monmege, "Interval iteration", 2018); one strongly
//! connected part of the game after the other (Robert Tarjan, 1972), those that lead nowhere else
//! first. Where play need not end whatever the dice say, the two may never meet.

use super::index::Index;
use super::{SolveError, Solved, Task};
use crate::game::{Game, Heuristic, Side, Turn};
use crate::search::chance::worth;

/// The memory is looked at after so many positions.
const WEIGH: usize = 4096;

/// Positions are made compact so many at a time.
const COMPACT: usize = 256;

/// Bytes that later passes take for a position: two values, and its place while parts are looked for.
const LATER: u64 = 16 + 40;

/// Nothing yet.
const NONE: u32 = u32::MAX;

/// What stands in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Over(f64),
    Moves(Side),
    Chance,
}

/// An interval of values.
pub type Interval = (f64, f64);

/// The values of all positions that can be reached.
pub struct Intervals<S> {
    index: Index<S>,
    kinds: Vec<Kind>,
    /// Where the successors of a position begin in `edges`; one more at the end.
    first: Vec<usize>,
    edges: Vec<u32>,
    /// How likely each successor is; of a player's moves nothing is said here.
    chances: Vec<f64>,
    values: Vec<Interval>,
    /// Whether it was stopped: then intervals are wider than they need be.
    pub stopped: bool,
}

/// Solves every position that can be reached from `root`, until no interval is wider than
/// `accuracy`, or none gets narrower. Stopped while it still meets positions, it errs; later, its
/// intervals are what is known by then.
pub fn iterate<G: Game, H: Heuristic<G>>(
    task: &Task<'_, G, H>,
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
    fn explore<G, H>(&mut self, task: &Task<'_, G, H>, root: &S) -> Solved<(), G>
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        self.number::<G>(task.canonical(root.clone())?)?;
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        let mut compacted = 0;
        while self.kinds.len() < self.index.states.len() {
            let here = self.kinds.len();
            task.count(here as u64 + 1)?;
            let state = self.index.states[here].clone();
            moves.clear();
            weights.clear();
            let fault = |fault| task.fault(fault);
            let kind = match task.game.turn(&state).map_err(fault)? {
                Turn::Over => {
                    let ending = task.game.ending(&state).map_err(fault)?;
                    let judged = || task.heuristic.evaluate(task.game, &state);
                    Kind::Over(worth(task.game, ending, judged).map_err(fault)?)
                }
                Turn::Chance => {
                    task.game.outcomes(&state, &mut moves, &mut weights).map_err(fault)?;
                    Kind::Chance
                }
                Turn::Max => Kind::Moves(Side::Max),
                Turn::Min => Kind::Moves(Side::Min),
            };
            if let Kind::Moves(_) = kind {
                task.game.moves(&state, &mut moves).map_err(fault)?;
                weights.resize(moves.len(), 0);
            }
            let all = weights.iter().sum::<u64>().max(1) as f64;
            for (mv, weight) in moves.iter().zip(&weights) {
                let next = match task.game.held(mv) {
                    Some(held) => held.clone(),
                    None => task.game.apply(&state, mv).map_err(fault)?,
                };
                let number = self.number::<G>(task.canonical(next)?)?;
                self.edges.push(number);
                self.chances.push(*weight as f64 / all);
            }
            self.kinds.push(kind);
            self.first.push(self.edges.len());
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
    fn weigh<G, H>(&mut self, task: &Task<'_, G, H>, compacted: &mut usize) -> Solved<(), G>
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        let states = &mut self.index.states;
        states[*compacted..].chunks_mut(COMPACT).for_each(|some| task.game.compact(some));
        *compacted = states.len();
        let edges = (size_of::<u32>() + size_of::<f64>()) * self.edges.capacity();
        let mine = edges + size_of::<usize>() * self.first.capacity() + size_of::<Kind>() * self.kinds.capacity();
        let bytes = self.index.bytes() + mine as u64 + LATER * *compacted as u64;
        match bytes + task.game.live_bytes() > task.memory {
            true => Err(SolveError::Memory { positions: *compacted as u64 }),
            false => Ok(()),
        }
    }

    fn after(&self, number: u32) -> std::ops::Range<usize> {
        self.first[number as usize]..self.first[number as usize + 1]
    }

    /// Narrows the intervals of one part after the other.
    fn settle<G, H>(&mut self, task: &Task<'_, G, H>, accuracy: f64)
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        // No play is worth more or less than what is at stake, or than the ends of games and 0.
        let worths = self.kinds.iter().filter_map(|kind| match kind {
            Kind::Over(worth) => Some(*worth),
            _ => None,
        });
        let (low, high) = worths.fold(task.game.stakes().unwrap_or((0.0, 0.0)), |(low, high), worth: f64| {
            (low.min(worth), high.max(worth))
        });
        self.values = self
            .kinds
            .iter()
            .map(|kind| match kind {
                Kind::Over(worth) => (*worth, *worth),
                _ => (low, high),
            })
            .collect();
        let (order, ends) = self.parts();
        let mut begun = 0;
        for end in ends {
            let part = &order[begun..end];
            begun = end;
            self.narrow(task, part, accuracy);
            if task.stop_is_asked() {
                self.stopped = true;
                return;
            }
        }
    }

    /// Goes through the positions of a part again and again; those that it leads to are settled.
    fn narrow<G, H>(&mut self, task: &Task<'_, G, H>, part: &[u32], accuracy: f64)
    where
        G: Game<State = S>,
        H: Heuristic<G>,
    {
        loop {
            let (mut widest, mut moved) = (0.0f64, false);
            for &number in part {
                let old = self.values[number as usize];
                let new = self.backed_up(number);
                self.values[number as usize] = new;
                moved |= new != old;
                widest = widest.max(new.1 - new.0);
            }
            if widest <= accuracy || !moved || task.stop_is_asked() {
                return;
            }
        }
    }

    /// The interval of a position by those of its successors; never wider than it was.
    fn backed_up(&self, number: u32) -> Interval {
        let old = self.values[number as usize];
        let after = self.after(number);
        let values = self.edges[after.clone()].iter().map(|next| self.values[*next as usize]);
        let (low, high) = match self.kinds[number as usize] {
            Kind::Over(_) => return old,
            Kind::Moves(Side::Max) => values
                .fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |best, value| (best.0.max(value.0), best.1.max(value.1))),
            Kind::Moves(Side::Min) => {
                values.fold((f64::INFINITY, f64::INFINITY), |best, value| (best.0.min(value.0), best.1.min(value.1)))
            }
            Kind::Chance => {
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

    /// The positions in the order of their strongly connected parts, those that lead to no other
    /// first; and where each part ends.
    fn parts(&self) -> (Vec<u32>, Vec<usize>) {
        let count = self.kinds.len();
        let (mut order, mut ends) = (Vec::with_capacity(count), Vec::new());
        // When a position was met, and the earliest that it leads back to.
        let mut met = vec![NONE; count];
        let mut back = vec![NONE; count];
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, usize)> = Vec::new();
        let mut time = 0;
        for root in 0..count as u32 {
            if met[root as usize] != NONE {
                continue;
            }
            path.push((root, self.first[root as usize]));
            while let Some((here, edge)) = path.last_mut() {
                let at = *here as usize;
                if met[at] == NONE {
                    (met[at], back[at]) = (time, time);
                    time += 1;
                    open.push(*here);
                }
                if *edge < self.first[at + 1] {
                    let next = self.edges[*edge];
                    *edge += 1;
                    match met[next as usize] {
                        NONE => path.push((next, self.first[next as usize])),
                        // What is in a part already has no time any more.
                        other => back[at] = back[at].min(if back[next as usize] == NONE { NONE } else { other }),
                    }
                    continue;
                }
                let (here, _) = path.pop().expect("it was just seen");
                if back[at] == met[at] {
                    while let Some(member) = open.pop() {
                        order.push(member);
                        back[member as usize] = NONE;
                        if member == here {
                            break;
                        }
                    }
                    ends.push(order.len());
                } else if let Some((above, _)) = path.last() {
                    back[*above as usize] = back[*above as usize].min(back[at]);
                }
            }
        }
        (order, ends)
    }
}
