//! The values of a game that ends in numbers and has cycles.
//!
//! The input is a graph of positions with its reversed edges. The output is the value of every
//! position, its distance, and a rank for proofs. The algorithm visits each position and each edge
//! once, however many different numbers there are.
//!
//! **Claim.** Endless play is worth 0. If MAX can force an end worth t or more for some t > 0, the
//! value of a position is the greatest such t. Else, if MIN can force an end worth t or less for
//! some t < 0, it is the least such t. Else it is 0.
//!
//! **Proof.** For t > 0, let A(t) be the positions from which MAX can force an end worth t or more.
//! A(t) is the least set with these ends, with every MAX position that has a move into the set, and
//! with every MIN position whose moves all lead into the set. Outside of A(t) MIN has a move that
//! stays outside, and MAX has none that leaves. So play ends with less than t there or never ends,
//! and 0 is less than t too. So MAX gets t or more exactly in A(t), for t > 0. By the same argument
//! with the sides exchanged, MIN holds the result to t or less, for t < 0, exactly in its own sets.
//! In all other positions MIN can keep MAX from more than 0, and MAX can keep MIN from less.
//!
//! **Computation.** A(t) grows as t falls. So the algorithm takes the ends by worth, from the
//! greatest down to 0, each with the positions that now join the set: their value is the worth of
//! these ends. A count for each MIN position says how many of its moves do not lead into the set
//! yet; the count stays from one threshold to the next. Then the same is done for MIN, from the
//! least number up. A win is worth more than any number and a loss less, so they come first.
//!
//! **Distance.** Positions of one value are taken breadth-first. The distance is 0 at an end. For
//! the side that forces the end, it is one more than the least behind a move. For the other side, it
//! is one more than the greatest behind the moves that keep the value. So it is the number of plies
//! to the end if both sides first play for the value, and then the winning side hurries and the
//! other delays. A position worth 0 has no distance: no side must ever end the game.
//!
//! **Rank.** Sets of one threshold and one distance are numbered in the order in which they are
//! taken. The best move of the forcing side, and every move of the other side, leads to a smaller
//! number, because that position joined earlier. Proofs rest on that.

use super::graph::{Backward, PositionGraph};
use super::winner;
use crate::game::{Score, Side};
use std::cmp::Reverse;

/// Positions between two checks of the stop flag.
const LOOK: usize = 4096;

/// The mark of a position that is worth 0 or is not decided.
const NONE: u32 = u32::MAX;

/// The values, distances and ranks of all positions.
pub(super) struct Levels {
    /// The distinct worths of the ends that decide positions.
    worths: Vec<Score>,
    /// For each position, an index into `worths`; `NONE` for 0.
    values: Vec<u32>,
    plies: Vec<u32>,
    ranks: Vec<u32>,
    /// Whether the computation was stopped early.
    pub(super) stopped: bool,
}

impl Levels {
    /// The value of a position; `None` if it was not decided.
    pub(super) fn score(&self, number: u32) -> Option<Score> {
        let worth = match self.values[number as usize] {
            NONE => return (!self.stopped).then_some(Score::Value(0.0)),
            worth => self.worths[worth as usize],
        };
        let plies = self.plies[number as usize];
        Some(winner(worth).map_or(worth, |side| Score::won_by(side, plies)))
    }

    /// The plies to the end; `None` if no side can force one.
    pub(super) fn plies(&self, number: u32) -> Option<u32> {
        (self.values[number as usize] != NONE).then(|| self.plies[number as usize])
    }

    /// The rank of a position: the number of its set, by threshold and distance.
    pub(super) fn rank(&self, number: u32) -> u32 {
        self.ranks[number as usize]
    }
}

/// Computes the values of all positions.
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
    /// Decides the positions from which `side` can force an end that is better for it than 0.
    /// `left` has, for each position, the number of successors not yet decided in this way.
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
                // Breadth-first order keeps positions of one distance together.
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
