//! Uniform: full trees of one branching factor and one height, as games.
//!
//! In: a shape and how the leaves come about. Out: a [`Game`] in which Max moves first, then the
//! sides by turns, and a heuristic that reads the leaves. A leaf is worked out from its path when it
//! is read, so a tree takes no memory. Must not know who searches it.

use super::seeded::{SplitMix64, below};
use alphorn_search::game::{Game, GameResult, Heuristic, ToMove};
use std::convert::Infallible;
use std::fmt;

/// Most leaves of a tree: up to here a 64-bit float tells them apart.
pub const MOST_LEAVES: u64 = 1 << 53;

/// Most plies of a tree: only one without branches could have more.
pub const MOST_PLIES: u32 = 64;

/// The branching factor and the height of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeShape {
    branching: u32,
    height: u32,
}

/// Why there is no such tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeShapeError {
    /// A position without moves has no height above it.
    NoBranch,
    /// More plies than [`MOST_PLIES`].
    TooHigh,
    /// More leaves than this.
    TooManyLeaves(u64),
}

impl fmt::Display for TreeShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeShapeError::NoBranch => f.write_str("a position needs at least one move"),
            TreeShapeError::TooHigh => write!(f, "the tree is higher than {MOST_PLIES} plies"),
            TreeShapeError::TooManyLeaves(most) => write!(f, "the tree has more than {most} leaves"),
        }
    }
}

impl std::error::Error for TreeShapeError {}

impl TreeShape {
    /// A tree of `branching` moves in every position and `height` plies. Errs where that is too much.
    pub fn new(branching: u32, height: u32) -> Result<TreeShape, TreeShapeError> {
        TreeShape::with_at_most(branching, height, MOST_LEAVES)
    }

    /// The same with at most `most` leaves, for who keeps something about each.
    pub fn with_at_most(branching: u32, height: u32, most: u64) -> Result<TreeShape, TreeShapeError> {
        if branching == 0 {
            return Err(TreeShapeError::NoBranch);
        }
        if height > MOST_PLIES {
            return Err(TreeShapeError::TooHigh);
        }
        match u64::from(branching).checked_pow(height).is_some_and(|leaves| leaves <= most) {
            true => Ok(TreeShape { branching, height }),
            false => Err(TreeShapeError::TooManyLeaves(most)),
        }
    }

    /// Moves in every position but the leaves.
    pub fn branching(self) -> u32 {
        self.branching
    }

    /// Plies from the root to a leaf.
    pub fn height(self) -> u32 {
        self.height
    }

    /// How many positions there are `ply` plies below the root.
    pub fn width(self, ply: u32) -> u64 {
        u64::from(self.branching).pow(ply.min(self.height))
    }

    /// How many leaves there are.
    pub fn leaves(self) -> u64 {
        self.width(self.height)
    }

    /// The same tree cut off `height` plies below the root, where it is as high as that.
    pub fn to_height(self, height: u32) -> TreeShape {
        TreeShape { height: height.min(self.height), ..self }
    }
}

/// How the leaves of a tree come about. All are what they are worth to Max.
#[derive(Clone, Debug)]
pub enum Leaves {
    /// These, from left to right; those that are missing are 0.
    Listed(Vec<i64>),
    /// Independent of each other and equally likely below `values`; without it 53 random bits, of
    /// which no two are equal but by a rare chance.
    Random {
        /// Which tree.
        seed: u64,
        /// How many values there are.
        values: Option<u64>,
    },
    /// Totally dependent: all leaves under one child of a position lie above, or all below, all
    /// those under another; which, is random. Knuth and Moore, 1975, section 7.
    Dependent {
        /// Which tree.
        seed: u64,
    },
    /// Perfectly ordered: the first move is the best one everywhere, the others lose something.
    Ordered {
        /// Which tree.
        seed: u64,
    },
}

/// A full tree, as a game. The sides move by turns, Max first.
#[derive(Clone, Debug)]
pub struct Uniform {
    /// Its size.
    pub shape: TreeShape,
    /// Its leaves.
    pub leaves: Leaves,
}

/// A place in a tree: how far down, and which from the left, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreePlace {
    /// Plies from the root.
    pub ply: u32,
    /// Which of its ply.
    pub number: u64,
}

impl TreePlace {
    /// Where a tree begins.
    pub const ROOT: TreePlace = TreePlace { ply: 0, number: 0 };

    /// The place after the move `mv`, counted from 1, in a tree of `branching`.
    pub fn child(self, branching: u32, mv: u32) -> TreePlace {
        TreePlace { ply: self.ply + 1, number: self.number * u64::from(branching) + u64::from(mv - 1) }
    }
}

/// The most that a move in a perfectly ordered tree loses.
const MOST_LOST: u64 = 1 << 20;

impl Uniform {
    /// What leaf `number`, from the left and from 0, is worth to Max.
    pub fn leaf(&self, number: u64) -> i64 {
        match &self.leaves {
            Leaves::Listed(values) => {
                usize::try_from(number).ok().and_then(|at| values.get(at)).copied().unwrap_or_default()
            }
            Leaves::Random { seed, values: None } => (SplitMix64::at(*seed, number) >> 11) as i64,
            Leaves::Random { seed, values: Some(values) } => below(SplitMix64::at(*seed, number), *values) as i64,
            Leaves::Dependent { seed } => self.dependent(*seed, number),
            Leaves::Ordered { seed } => self.ordered(*seed, number),
        }
    }

    /// The places on the way from the root to leaf `number`, the root first, the leaf last.
    fn way(&self, number: u64) -> impl Iterator<Item = TreePlace> {
        let TreeShape { branching, height } = self.shape;
        (0..=height).map(move |ply| TreePlace { ply, number: number / u64::from(branching).pow(height - ply) })
    }

    /// Which of its parent's children a place is, from 0.
    fn turning(&self, place: TreePlace) -> u64 {
        place.number % u64::from(self.shape.branching)
    }

    /// The ranks of the children on the way, as digits.
    fn dependent(&self, seed: u64, number: u64) -> i64 {
        let branching = u64::from(self.shape.branching);
        let mut worth = 0;
        for place in self.way(number).skip(1) {
            let parent = TreePlace { ply: place.ply - 1, number: place.number / branching };
            let mut sequence = SplitMix64::new(key(seed, parent));
            // Fisher and Yates, from the end; the one child that matters is followed.
            let mut ranks: Vec<u64> = (0..branching).collect();
            for last in (1..branching).rev() {
                ranks.swap(last as usize, sequence.draw_below(last + 1) as usize);
            }
            worth = worth * branching + ranks[self.turning(place) as usize];
        }
        worth as i64
    }

    /// What is left of 0 after the losses on the way.
    fn ordered(&self, seed: u64, number: u64) -> i64 {
        let mut worth = 0;
        for place in self.way(number).skip(1).filter(|place| self.turning(*place) > 0) {
            let lost = 1 + below(key(seed, place), MOST_LOST) as i64;
            // Max made the moves to odd plies.
            worth += if place.ply % 2 == 1 { -lost } else { lost };
        }
        worth
    }
}

/// A random number for each place of each tree.
fn key(seed: u64, place: TreePlace) -> u64 {
    SplitMix64::at(SplitMix64::at(seed, u64::from(place.ply)), place.number)
}

impl Game for Uniform {
    type State = TreePlace;
    /// Which child, from 1.
    type Move = u32;
    type Fault = Infallible;

    fn to_move(&self, place: &TreePlace) -> Result<ToMove, Infallible> {
        Ok(match place.ply {
            ply if ply >= self.shape.height => ToMove::Over,
            ply if ply.is_multiple_of(2) => ToMove::Max,
            _ => ToMove::Min,
        })
    }

    fn moves(&self, _place: &TreePlace, moves: &mut Vec<u32>) -> Result<(), Infallible> {
        moves.extend(1..=self.shape.branching);
        Ok(())
    }

    fn apply(&self, place: &TreePlace, mv: &u32) -> Result<TreePlace, Infallible> {
        Ok(place.child(self.shape.branching, *mv))
    }

    fn result(&self, _place: &TreePlace) -> Result<Option<GameResult>, Infallible> {
        Ok(None)
    }

    fn acyclic(&self) -> bool {
        true
    }
}

/// Reads the leaves of a tree; asked at the leaves only, so evaluations count leaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LeafReader;

impl Heuristic<Uniform> for LeafReader {
    fn evaluate(&self, game: &Uniform, place: &TreePlace) -> Result<f64, Infallible> {
        Ok(game.leaf(place.number) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(branching: u32, height: u32, leaves: Leaves) -> Uniform {
        Uniform { shape: TreeShape::new(branching, height).expect("it is small"), leaves }
    }

    #[test]
    fn absurd_sizes_are_refused() {
        assert_eq!(TreeShape::new(0, 3), Err(TreeShapeError::NoBranch));
        assert_eq!(TreeShape::new(2, 54), Err(TreeShapeError::TooManyLeaves(MOST_LEAVES)));
        assert_eq!(TreeShape::new(u32::MAX, 64), Err(TreeShapeError::TooManyLeaves(MOST_LEAVES)));
        assert_eq!(TreeShape::new(1, 65), Err(TreeShapeError::TooHigh));
        assert_eq!(TreeShape::new(2, 53).map(TreeShape::leaves), Ok(MOST_LEAVES));
    }

    #[test]
    fn dependent_leaves_are_a_permutation_in_blocks() {
        let tree = tree(3, 3, Leaves::Dependent { seed: 7 });
        let mut leaves: Vec<i64> = (0..27).map(|number| tree.leaf(number)).collect();
        for block in leaves.chunks(9) {
            assert!(block.iter().all(|leaf| leaf / 9 == block[0] / 9));
        }
        leaves.sort_unstable();
        assert_eq!(leaves, (0..27).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_leaf_of_an_ordered_tree_has_its_value() {
        let tree = tree(3, 2, Leaves::Ordered { seed: 1 });
        let leaf = |number| tree.leaf(number);
        assert_eq!(leaf(0), 0);
        assert!(leaf(1) > 0 && leaf(2) > 0, "Min loses by the second move");
        assert!(leaf(3) < 0 && leaf(6) < 0, "Max loses by the second move");
    }
}
