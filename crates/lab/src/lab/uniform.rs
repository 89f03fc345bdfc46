//! Uniform trees: full trees of one branching factor and one height, as games.
//!
//! It takes a shape and a kind of leaves. It returns a [`Game`] in which MAX moves first and the sides
//! alternate, and a heuristic that reads the leaves. A leaf is computed from its path when it is read, so
//! a tree needs no memory. It does not depend on a search.

use super::seeded::{SplitMix64, below};
use alphorn_search::game::{Game, GameFacts, GameResult, Heuristic, ToMove};
use std::convert::Infallible;
use std::fmt;

/// The maximum number of leaves of a tree: up to here a 64-bit float distinguishes them.
pub const MOST_LEAVES: u64 = 1 << 53;

/// The maximum height of a tree in plies. Only trees without branches could be higher.
pub const MOST_PLIES: u32 = 64;

/// The branching factor and the height of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeShape {
    branching: u32,
    height: u32,
}

/// The reason why a shape is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeShapeError {
    /// The branching factor is 0.
    NoBranch,
    /// The height is more than [`MOST_PLIES`].
    TooHigh,
    /// The number of leaves is more than this.
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
    /// A shape with `branching` moves in every inner position and `height` plies. Errs beyond the limits.
    pub fn new(branching: u32, height: u32) -> Result<TreeShape, TreeShapeError> {
        TreeShape::with_at_most(branching, height, MOST_LEAVES)
    }

    /// The same as `new`, with at most `most` leaves, for callers that store data about each leaf.
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

    /// The number of moves in every inner position.
    pub fn branching(self) -> u32 {
        self.branching
    }

    /// The plies from the root to a leaf.
    pub fn height(self) -> u32 {
        self.height
    }

    /// The number of positions `ply` plies below the root.
    pub fn width(self, ply: u32) -> u64 {
        u64::from(self.branching).pow(ply.min(self.height))
    }

    /// The number of leaves.
    pub fn leaves(self) -> u64 {
        self.width(self.height)
    }

    /// The same shape cut off `height` plies below the root, if it is higher.
    pub fn to_height(self, height: u32) -> TreeShape {
        TreeShape { height: height.min(self.height), ..self }
    }
}

/// The leaves of a tree. All values are for MAX.
#[derive(Clone, Debug)]
pub enum Leaves {
    /// Given values, from left to right; missing ones are 0.
    Listed(Vec<i64>),
    /// Independent values, equally likely below `values`. Without `values` they are 53 random bits, so
    /// equal leaves are very rare.
    Random {
        /// The seed of the tree.
        seed: u64,
        /// The number of different values.
        values: Option<u64>,
    },
    /// Totally dependent: all leaves below one child are greater, or all are less, than those below
    /// another child. The order of the children is random. Knuth and Moore, 1975, section 7.
    Dependent {
        /// The seed of the tree.
        seed: u64,
    },
    /// Perfectly ordered: the first move is always the best one, and the others lose something.
    Ordered {
        /// The seed of the tree.
        seed: u64,
    },
}

/// A full tree as a game. The sides alternate, and MAX moves first.
#[derive(Clone, Debug)]
pub struct Uniform {
    /// The shape.
    pub shape: TreeShape,
    /// The leaves.
    pub leaves: Leaves,
}

/// A place in a tree: the ply, and the number from the left, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreePlace {
    /// The plies from the root.
    pub ply: u32,
    /// The number within the ply.
    pub number: u64,
}

impl TreePlace {
    /// The root of a tree.
    pub const ROOT: TreePlace = TreePlace { ply: 0, number: 0 };

    /// The place after the move `mv`, from 1, in a tree with `branching` moves.
    pub fn child(self, branching: u32, mv: u32) -> TreePlace {
        TreePlace { ply: self.ply + 1, number: self.number * u64::from(branching) + u64::from(mv - 1) }
    }
}

/// The maximum loss of a move in a perfectly ordered tree.
const MOST_LOST: u64 = 1 << 20;

impl Uniform {
    /// The value for MAX of leaf `number`, from the left and from 0.
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

    /// The places from the root to leaf `number`, both included.
    fn way(&self, number: u64) -> impl Iterator<Item = TreePlace> {
        let TreeShape { branching, height } = self.shape;
        (0..=height).map(move |ply| TreePlace { ply, number: number / u64::from(branching).pow(height - ply) })
    }

    /// The index of a place among its siblings, from 0.
    fn turning(&self, place: TreePlace) -> u64 {
        place.number % u64::from(self.shape.branching)
    }

    /// The value of a dependent leaf: the ranks of the children on its path, as digits.
    fn dependent(&self, seed: u64, number: u64) -> i64 {
        let branching = u64::from(self.shape.branching);
        let mut worth = 0;
        for place in self.way(number).skip(1) {
            let parent = TreePlace { ply: place.ply - 1, number: place.number / branching };
            let mut sequence = SplitMix64::new(key(seed, parent));
            // Fisher and Yates, from the end. Only the child on the path is followed.
            let mut ranks: Vec<u64> = (0..branching).collect();
            for last in (1..branching).rev() {
                ranks.swap(last as usize, sequence.draw_below(last + 1) as usize);
            }
            worth = worth * branching + ranks[self.turning(place) as usize];
        }
        worth as i64
    }

    /// The value of an ordered leaf: 0 with the losses on its path.
    fn ordered(&self, seed: u64, number: u64) -> i64 {
        let mut worth = 0;
        for place in self.way(number).skip(1).filter(|place| self.turning(*place) > 0) {
            let lost = 1 + below(key(seed, place), MOST_LOST) as i64;
            // MAX makes the moves to odd plies.
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
    /// The number of the child, from 1.
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

    fn facts(&self) -> GameFacts {
        GameFacts { is_acyclic: true, ..GameFacts::default() }
    }

    fn result(&self, _place: &TreePlace) -> Result<Option<GameResult>, Infallible> {
        Ok(None)
    }
}

/// Reads the leaves of a tree. It is only called at leaves, so evaluations count leaves.
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
