//! Census: every position to a depth by ply, and the smallest part of them that proves a value.
//!
//! In: a game, a position, a depth, a value. Out: positions, finished games and moves by ply, and
//! how few positions, and how few leaves, suffice to show that the value is right: a strategy of
//! Max that gets at least the value, together with one of Min that allows no more. In a uniform tree
//! without ties these are the critical positions of Knuth and Moore, 1975; in general no search
//! without a table visits fewer. Must not know how the value was found.

use super::trace::{Arrival, Step, TraceStack};
use alphorn_search::game::{Game, Heuristic, Score, Side};
use std::sync::atomic::AtomicBool;

/// What there is at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyCensus {
    /// Positions, counted once for each way to them.
    pub positions: u64,
    /// Those of them in which the game is over.
    pub over: u64,
    /// Moves from those of them that lie before the horizon.
    pub moves: u64,
}

/// Positions, or leaves alone, of a smallest proof; `None` where there is none.
type Size = Option<u64>;

/// How much it takes to prove something about a position: that Max gets at least the value, that
/// Min allows no more, and both.
#[derive(Clone, Copy)]
struct Proofs {
    max: Size,
    min: Size,
    both: Size,
}

impl Proofs {
    /// Of a leaf.
    fn of_leaf(score: Score, value: Score) -> Proofs {
        let when = |holds: bool| holds.then_some(1);
        Proofs { max: when(score >= value), min: when(score <= value), both: when(score == value) }
    }

    fn of(&self, side: Side) -> Size {
        match side {
            Side::Max => self.max,
            Side::Min => self.min,
        }
    }
}

/// What the children seen so far say about the proofs of their parent.
#[derive(Clone, Copy)]
struct Sum {
    /// The smallest proof for the mover: one child suffices.
    one: Size,
    /// The proof against the mover: all children are needed.
    all: Size,
    /// By how much the cheapest child that has the value itself costs more than a proof against
    /// the mover there.
    more: Size,
}

impl Sum {
    const NONE: Sum = Sum { one: None, all: Some(0), more: None };

    fn add(&mut self, child: Proofs, mover: Side) {
        let least = |left: Size, right: Size| left.into_iter().chain(right).min();
        let against = child.of(mover.other());
        self.one = least(self.one, child.of(mover));
        self.all = self.all.zip(against).map(|(sum, more)| sum + more);
        // Who shows both shows the one as well, so the difference is not negative.
        let more = child.both.zip(against).map(|(both, against)| both.saturating_sub(against));
        self.more = least(self.more, more);
    }

    /// The proofs of the parent, which counts for `own`.
    fn proofs(self, mover: Side, own: u64) -> Proofs {
        let one = self.one.map(|size| size + own);
        let all = self.all.map(|size| size + own);
        let both = all.zip(self.more).map(|(all, more)| all + more);
        match mover {
            Side::Max => Proofs { max: one, min: all, both },
            Side::Min => Proofs { max: all, min: one, both },
        }
    }
}

/// What a census counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) plies: Vec<PlyCensus>,
    /// The fewest positions that prove the value; `None` where it is not the value.
    pub(super) nodes: Size,
    /// The fewest leaves.
    pub(super) leaves: Size,
}

/// Visits every position to `depth` plies. Costs what minimax costs.
pub(super) fn take<G: Game, H: Heuristic<G>>(
    (game, heuristic): (&G, &H),
    state: &G::State,
    depth: u32,
    value: Score,
    stop: &AtomicBool,
) -> Step<Census, G> {
    let mut line: TraceStack<'_, G, H, [Sum; 2]> = TraceStack::new(game, heuristic, depth, stop);
    let mut plies: Vec<PlyCensus> = Vec::new();
    let mut child = state.clone();
    loop {
        let ply = line.ply() as usize;
        if plies.len() == ply {
            plies.push(PlyCensus::default());
        }
        let here = &mut plies[ply];
        here.positions += 1;
        let mut done = match line.arrive(&child)? {
            Arrival::Leaf { score, over } => {
                here.over += u64::from(over);
                Some([Proofs::of_leaf(score, value); 2])
            }
            Arrival::Inner(mover) => {
                line.open(child, mover, [Sum::NONE; 2])?;
                here.moves += line.open.last().map_or(0, |open| open.moves.len() as u64);
                None
            }
        };
        child = loop {
            if let Some(proofs) = done {
                let Some(open) = line.open.last_mut() else {
                    let [nodes, leaves] = proofs.map(|proofs| proofs.both);
                    return Ok(Census { plies, nodes, leaves });
                };
                open.note.iter_mut().zip(proofs).for_each(|(sum, child)| sum.add(child, open.mover));
            }
            if let Some(child) = line.next_child()? {
                break child;
            }
            let open = line.open.pop().expect("a line that leads nowhere further has a position");
            let [nodes, leaves] = open.note;
            done = Some([nodes.proofs(open.mover, 1), leaves.proofs(open.mover, 0)]);
        };
    }
}
