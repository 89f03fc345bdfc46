//! Scores: a position is worth a forced win, a number or a forced loss to Max.
//!
//! Scores have one total order: every loss is below every number, and every number below every win.
//! So no estimate, however large, passes for a win, and none needs clamping. Distances count from
//! the root of the search that gives the score. A table that outlives one search has to shift them.
//! This module depends on no rules, moves or algorithms.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use super::{GameResult, Side};

/// The value of a position, from Max's point of view.
///
/// Greater is better for Max: a later loss, then any number, then an earlier win. `-0.0` equals
/// `0.0`. Create numbers with [`Score::number`], which rejects NaN.
#[derive(Clone, Copy, Debug)]
pub enum Score {
    /// Min wins by force, `plies` plies after the root.
    Loss {
        /// Plies from the root of the search to the end of the game.
        plies: u32,
    },
    /// A number: the exact score of a finished game, or an estimate. Never NaN.
    Value(f64),
    /// Max wins by force, `plies` plies after the root.
    Win {
        /// Plies from the root of the search to the end of the game.
        plies: u32,
    },
}

/// The number that `to_number` gives for a win in 0 plies; each ply subtracts one.
const WIN_SHOWN: f64 = 1_000_000.0;

impl Score {
    /// A number from Max's point of view.
    ///
    /// Panics if `number` is NaN, which has no place in the order and shows a broken heuristic.
    pub fn number(number: f64) -> Score {
        assert!(!number.is_nan(), "a score is never NaN");
        Score::Value(number)
    }

    /// The score of a game that `winner` wins `plies` plies after the root.
    pub fn won_by(winner: Side, plies: u32) -> Score {
        match winner {
            Side::Max => Score::Win { plies },
            Side::Min => Score::Loss { plies },
        }
    }

    /// The score of a game that ends with this result, `plies` plies after the root.
    #[inline]
    pub fn of_result(ending: GameResult, plies: u32) -> Score {
        match ending {
            GameResult::Won(winner) => Score::won_by(winner, plies),
            GameResult::Draw => Score::Value(0.0),
            GameResult::Points(points) => Score::number(points),
        }
    }

    /// The score from the point of view of `side`: unchanged for Max, negated for Min. Its own
    /// inverse.
    pub fn seen_by(self, side: Side) -> Score {
        match side {
            Side::Max => self,
            Side::Min => -self,
        }
    }

    /// One number for display and charts.
    /// A win is 1,000,000 minus its plies, a loss the negative of that, and a value the number
    /// itself. Only here do numbers beyond a million overlap with wins.
    pub fn to_number(self) -> f64 {
        match self {
            Score::Loss { plies } => f64::from(plies) - WIN_SHOWN,
            Score::Value(number) => number,
            Score::Win { plies } => WIN_SHOWN - f64::from(plies),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    /// The same score from the other side's point of view. Reverses the order.
    fn neg(self) -> Score {
        match self {
            Score::Loss { plies } => Score::Win { plies },
            Score::Value(number) => Score::Value(-number),
            Score::Win { plies } => Score::Loss { plies },
        }
    }
}

impl Score {
    /// The score as one integer, with the same order and the same negation.
    ///
    /// Searches compare and negate at every position. Numbers have the order of their bits; wins and
    /// losses use the bits of NaN. The next integer is the rank of the next number, so a null window
    /// is `(rank, rank + 1)`.
    #[inline]
    pub fn rank(self) -> i64 {
        match self {
            Score::Loss { plies } => -(i64::MAX - i64::from(plies)),
            Score::Value(number) => {
                let size = (number.to_bits() & !SIGN) as i64;
                if number.to_bits() & SIGN == 0 { size } else { -size }
            }
            Score::Win { plies } => i64::MAX - i64::from(plies),
        }
    }

    /// The score with this rank. Takes only results of [`Score::rank`] and their neighbours.
    pub fn of_rank(rank: i64) -> Score {
        let distance = || u32::try_from(i64::MAX - rank.abs()).unwrap_or(u32::MAX);
        match rank {
            WIN_LEAST.. => Score::Win { plies: distance() },
            rank if rank <= -WIN_LEAST => Score::Loss { plies: distance() },
            0.. => Score::Value(f64::from_bits(rank as u64)),
            _ => Score::Value(-f64::from_bits(rank.unsigned_abs())),
        }
    }
}

const SIGN: u64 = 1 << 63;

/// The rank of the latest win: the least rank of all wins.
pub const WIN_LEAST: i64 = i64::MAX - u32::MAX as i64;

impl Ord for Score {
    #[inline]
    fn cmp(&self, other: &Score) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Score {
    fn eq(&self, other: &Score) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Score {}

impl fmt::Display for Score {
    /// `win in 5`, `loss in 4`, `0`, `3.5`: wins with their plies, integers without a decimal point.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Loss { plies } => write!(f, "loss in {plies}"),
            Score::Value(number) => write!(f, "{}", number + 0.0),
            Score::Win { plies } => write!(f, "win in {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of every kind, in ascending order.
    fn ascending() -> Vec<Score> {
        let numbers = [f64::NEG_INFINITY, -2e9, -1.5, 0.0, 5e-324, 3.0, 2e9, f64::INFINITY];
        let mut scores = vec![0, 1, 7, u32::MAX].into_iter().map(|plies| Score::Loss { plies }).collect::<Vec<_>>();
        scores.extend(numbers.map(Score::number));
        scores.extend([u32::MAX, 7, 1, 0].map(|plies| Score::Win { plies }));
        scores
    }

    #[test]
    fn every_loss_is_below_every_number_below_every_win() {
        for pair in ascending().windows(2) {
            assert!(pair[0] < pair[1], "{} is not below {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn negation_turns_the_order_round_and_undoes_itself() {
        for pair in ascending().windows(2) {
            assert!(-pair[0] > -pair[1]);
            assert_eq!(-(-pair[0]), pair[0]);
            assert_eq!(pair[0].seen_by(Side::Min), -pair[0]);
        }
    }

    #[test]
    fn ranks_are_ordered_and_negated_as_scores_are() {
        for score in ascending() {
            assert_eq!((-score).rank(), -score.rank());
            assert_eq!(Score::of_rank(score.rank()), score);
        }
        assert_eq!(Score::of_rank(Score::number(1.0).rank() + 1), Score::number(1.0f64.next_up()));
        assert_eq!(Score::of_rank(Score::number(-1.0).rank() + 1), Score::number((-1.0f64).next_up()));
    }

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!(Score::number(-0.0), Score::number(0.0));
        assert_eq!((-Score::number(0.0)).to_string(), "0");
    }

    #[test]
    fn text_names_the_kind() {
        let shown = |score: Score| score.to_string();
        assert_eq!(shown(Score::won_by(Side::Max, 5)), "win in 5");
        assert_eq!(shown(Score::won_by(Side::Min, 4)), "loss in 4");
        assert_eq!(shown(Score::number(-3.0)), "-3");
        assert_eq!(shown(Score::number(3.5)), "3.5");
    }

    #[test]
    fn to_number_is_near_a_million_for_wins() {
        assert_eq!(Score::Win { plies: 3 }.to_number(), 999_997.0);
        assert_eq!(Score::Loss { plies: 3 }.to_number(), -999_997.0);
        assert_eq!(Score::number(2e9).to_number(), 2e9);
    }
}
