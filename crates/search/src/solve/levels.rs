//! Levels: the values of a game that ends in numbers and in which positions can come again.
//!
//! In: a graph of positions and its edges turned round. Out: the value of every position, its
//! distance, and a rank for proofs. Each position and each edge is looked at once, however many
//! different numbers there are.
//!
//! **Claim.** Endless play is worth 0. Then the value of a position is the greatest number t > 0
//! such that MAX can force play to an end worth t or more, if there is one; else the least t < 0
//! such that MIN can force an end worth t or less; else 0.
//!
//! **Proof.** Let A(t), for t > 0, be the positions from which MAX can force an end worth t or more:
//! the least set with these ends, with every position where MAX moves and some move leads into it,
//! and with every one where MIN moves and all moves do. Outside of A(t) MIN has a move that stays
//! outside, and MAX has none that leaves; so play ends with less than t there or never ends, and 0
//! is less than t too. So MAX gets t or more exactly in A(t), for t > 0, and by the same argument
//! with the sides exchanged MIN holds the result to t or less, for t < 0, exactly in its own sets.
//! In all other positions MIN can keep MAX from more than 0, and MAX can keep MIN from less.
//!
//! **Computation.** A(t) grows as t falls. So ends are taken in the order of their worth from the
//! greatest down to 0, each with the positions that now belong to the set: a position is worth what
//! the ends are worth that are being taken when it comes in. A count for each position where MIN
//! moves says how many of its moves do not lead into the set yet; the count stays from one threshold
//! to the next. Then the same is done for MIN, from the least number up. A win is worth more than
//! any number and a loss less, so they come first.
//!
//! **Distance.** Among positions of one value, in breadth-first order, it is 0 at an end, one more
//! than the least behind a move of the side that forces the end, and one more than the greatest
//! behind those moves of the other side that keep the value. So it is the number of plies to the end
//! if both sides play for the value first, and then the side that is better off hurries and the
//! other delays. A position worth 0 has no distance: nobody need ever end the game there.
//!
//! **Rank.** Sets of one threshold and one distance are numbered in the order in which they are
//! taken. Behind the best move of the side that forces an end, and behind every move of the other,
//! lies a position with a smaller number: it has come in before. Proofs rest on that.

use super::graph::{Backward, PositionGraph};
use super::winner;
use crate::game::{Score, Side};
use std::cmp::Reverse;

/// The stop flag is looked at after so many positions.
const LOOK: usize = 4096;

/// The value of a position that is worth 0, or is not decided.
const NONE: u32 = u32::MAX;

/// See the module.
pub(super) struct Levels {
    /// What the ends are worth that positions are decided by.
    worths: Vec<Score>,
    /// Of each position, the number of its worth; `NONE` for 0.
    values: Vec<u32>,
    plies: Vec<u32>,
    ranks: Vec<u32>,
    /// Whether it was stopped before all was decided.
    pub(super) stopped: bool,
}

impl Levels {
    /// The value of a position; `None` where it was not decided.
    pub(super) fn score(&self, number: u32) -> Option<Score> {
        let worth = match self.values[number as usize] {
            NONE => return (!self.stopped).then_some(Score::Value(0.0)),
            worth => self.worths[worth as usize],
        };
        let plies = self.plies[number as usize];
        Some(winner(worth).map_or(worth, |side| Score::won_by(side, plies)))
    }

    /// The plies to the end; `None` where nobody forces one.
    pub(super) fn plies(&self, number: u32) -> Option<u32> {
        (self.values[number as usize] != NONE).then(|| self.plies[number as usize])
    }

    /// Its place in the order in which positions were taken, those of one set and distance together.
    pub(super) fn rank(&self, number: u32) -> u32 {
        self.ranks[number as usize]
    }
}

/// The values of all positions.
pub(super) fn levels<S: Clone + Eq + std::hash::Hash>(
    graph: &PositionGraph<S>,
    backward: &Backward,
    stop_is_asked: impl Fn() -> bool,
) -> Levels {
    let count = graph.len();
    let mut found = Levels {
        worths: Vec::new(),
        values: vec![NONE; count],
        plies: vec![0; count],
        ranks: vec![0; count],
        stopped: false,
    };
    let mut left = vec![0; count];
    for side in [Side::Max, Side::Min] {
        for (number, left) in left.iter_mut().enumerate() {
            *left = graph.after(number as u32).len() as u32;
        }
        found.force(side, (graph, backward), &mut left, &stop_is_asked);
        if found.stopped {
            break;
        }
    }
    found
}

impl Levels {
    /// Decides the positions from which `side` can force an end that is worth more to it than 0.
    /// `left`: of each position, how many successors have not been decided so.
    fn force<S: Clone + Eq + std::hash::Hash>(
        &mut self,
        side: Side,
        (graph, backward): (&PositionGraph<S>, &Backward),
        left: &mut [u32],
        stop_is_asked: &impl Fn() -> bool,
    ) {
        let worth = |end: &(u32, Score)| end.1.seen_by(side);
        let mut ends: Vec<(u32, Score)> =
            graph.over.iter().filter(|end| worth(end) > Score::Value(0.0)).copied().collect();
        ends.sort_by_key(|end| Reverse(worth(end)));
        let (mut rank, mut queue) = (0, Vec::new());
        for same in ends.chunk_by(|one, other| one.1 == other.1) {
            let value = self.worths.len() as u32;
            self.worths.push(same[0].1);
            queue.clear();
            queue.extend(same.iter().map(|(number, _)| *number));
            for number in &queue {
                (self.values[*number as usize], self.ranks[*number as usize]) = (value, rank);
            }
            let (mut at, mut plies) = (0, 0);
            while let Some(number) = queue.get(at).copied() {
                at += 1;
                if at.is_multiple_of(LOOK) && stop_is_asked() {
                    self.stopped = true;
                    return;
                }
                // Breadth-first: those of one distance lie together.
                if self.plies[number as usize] > plies {
                    plies += 1;
                    rank += 1;
                }
                for before in backward.before(number) {
                    let place = *before as usize;
                    if self.values[place] != NONE {
                        continue;
                    }
                    if graph.mover(*before) != Some(side) {
                        left[place] -= 1;
                        if left[place] > 0 {
                            continue;
                        }
                    }
                    (self.values[place], self.plies[place], self.ranks[place]) = (value, plies + 1, rank + 1);
                    queue.push(*before);
                }
            }
            rank += 1;
        }
    }
}
