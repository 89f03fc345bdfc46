//! A census of all positions to a depth, and the size of the smallest proof of a value.
//!
//! It takes a game, a position, a depth and a value. It counts positions, finished games and moves by
//! ply. It also returns the fewest positions, and the fewest leaves, that prove the value: a strategy of
//! MAX that gets at least the value, with a strategy of MIN that allows no more. In a uniform tree
//! without ties these are the critical positions of Knuth and Moore, 1975. In general, no search without
//! a table visits fewer. The census does not know how the value was found.

use super::trace::{Arrival, Step, TraceStack};
use alphorn_search::game::{Game, Heuristic, Score, Side};
use std::sync::atomic::AtomicBool;

/// The counts at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyCensus {
    /// The positions, counted once for each line to them.
    pub positions: u64,
    /// The positions in which the game is over.
    pub over: u64,
    /// The moves from positions before the horizon.
    pub moves: u64,
}

/// The number of positions, or of leaves, in a smallest proof; `None` if there is no proof.
type Size = Option<u64>;

/// The sizes of proofs in a position: that MAX gets at least the value, that MIN allows no more, and
/// both.
#[derive(Clone, Copy)]
struct Proofs {
    max: Size,
    min: Size,
    both: Size,
}

impl Proofs {
    /// The proofs of a leaf.
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

/// The proofs of a parent from the children seen so far.
#[derive(Clone, Copy)]
struct Sum {
    /// The smallest proof for the mover, who needs one child.
    one: Size,
    /// The proof against the mover, which needs all children.
    all: Size,
    /// The least additional size of a proof of both in one child, compared with a proof against the mover
    /// there.
    more: Size,
}

impl Sum {
    const NONE: Sum = Sum { one: None, all: Some(0), more: None };

    fn add(&mut self, child: Proofs, mover: Side) {
        let least = |left: Size, right: Size| left.into_iter().chain(right).min();
        let against = child.of(mover.other());
        self.one = least(self.one, child.of(mover));
        self.all = self.all.zip(against).map(|(sum, more)| sum + more);
        // A proof of both includes the other one, so the difference is not negative.
        let more = child.both.zip(against).map(|(both, against)| both.saturating_sub(against));
        self.more = least(self.more, more);
    }

    /// The proofs of the parent, which counts as `own`.
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

/// The result of a census.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) plies: Vec<PlyCensus>,
    /// The fewest positions that prove the value; `None` if the value is wrong.
    pub(super) nodes: Size,
    /// The fewest leaves that prove it.
    pub(super) leaves: Size,
}

/// Visits every position to `depth` plies, in the time of minimax.
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
