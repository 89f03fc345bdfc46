//! Score: what a position is worth to Max: a forced win, a number, or a forced loss.
//!
//! In: a distance in plies, a number from a heuristic, or how a game ended.
//! Out: one total order in which every loss is below every number and every number below
//! every win, so that no estimate, however large, is taken for a win, and none is clamped.
//! Distances count from the root of the search that gives the score, never from the position
//! inside the tree; a table that outlives one search has to shift them.
//! Knows nothing of rules, moves or algorithms.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use super::{GameResult, Side};

/// What a position is worth, from Max's point of view.
///
/// Ordered by what Max wants: a loss, better the later it comes; any number; a win, better the
/// earlier it comes. `-0.0` equals `0.0`. Build numbers with [`Score::number`], which keeps NaN out.
#[derive(Clone, Copy, Debug)]
pub enum Score {
    /// Min wins by force, `plies` plies after the root.
    Loss {
        /// Plies from the root of the search to the end of the game.
        plies: u32,
    },
    /// A number: the exact worth of a finished game, or an estimate. Never NaN.
    Value(f64),
    /// Max wins by force, `plies` plies after the root.
    Win {
        /// Plies from the root of the search to the end of the game.
        plies: u32,
    },
}

/// The number shown for a win at once; each ply to the win takes one off.
const WIN_SHOWN: f64 = 1_000_000.0;

impl Score {
    /// A number from Max's point of view.
    ///
    /// Panics when `number` is NaN: no order holds it, and a heuristic that gives it is broken.
    pub fn number(number: f64) -> Score {
        assert!(!number.is_nan(), "a score is never NaN");
        Score::Value(number)
    }

    /// A game that `winner` wins `plies` plies after the root.
    pub fn won_by(winner: Side, plies: u32) -> Score {
        match winner {
            Side::Max => Score::Win { plies },
            Side::Min => Score::Loss { plies },
        }
    }

    /// What a game is worth that ends like this, `plies` plies after the root.
    #[inline]
    pub fn of_ending(ending: GameResult, plies: u32) -> Score {
        match ending {
            GameResult::Won(winner) => Score::won_by(winner, plies),
            GameResult::Draw => Score::Value(0.0),
            GameResult::Points(points) => Score::number(points),
        }
    }

    /// The score as `side` sees it: as it is for Max, negated for Min. Twice gives it back.
    pub fn seen_by(self, side: Side) -> Score {
        match side {
            Side::Max => self,
            Side::Min => -self,
        }
    }

    /// One number for display and charts: 1,000,000 less the plies for a win, the negative of that
    /// for a loss, a value as it is. Numbers beyond a million overlap with wins here, and only here.
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

    /// The same score from the other side's point of view; turns the order round.
    fn neg(self) -> Score {
        match self {
            Score::Loss { plies } => Score::Win { plies },
            Score::Value(number) => Score::Value(-number),
            Score::Win { plies } => Score::Loss { plies },
        }
    }
}

impl Score {
    /// The score as one integer: ordered as the scores are, and negated as they are.
    ///
    /// Searches compare and negate at every position. Numbers are ordered as their bits are, and
    /// wins and losses lie where those of NaN would. The integer next to a number's is that of the
    /// next number, so a null window is `(rank, rank + 1)`.
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

    /// The score of a rank. Only for integers that [`Score::rank`] gave, or their neighbours.
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

/// The rank of the latest win.
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
    /// `win in 5`, `loss in 4`, `0`, `3.5`: the distance in plies, integers without a point.
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

    /// Every kind of score, from Max's worst to Max's best.
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
