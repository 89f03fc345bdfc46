//! Critical positions: those that every search of a perfectly ordered uniform tree visits.
//!
//! It takes a shape. It returns the number of positions of each type at each level, by visiting them and
//! by closed formulas. It needs no values, because the types follow from the places alone. Donald Knuth
//! and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, section 5.

use super::uniform::TreeShape;
use super::{Stopped, go_on};
use std::sync::atomic::AtomicBool;

/// The maximum number of critical leaves to count one by one, which takes seconds.
pub const MOST_COUNTED: u64 = 1 << 28;

/// The type of a critical position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CriticalType {
    /// The position is on the line of first moves.
    One,
    /// The position must be refuted, and its first move does so.
    Two,
    /// The position is a refutation, and all its moves must be refuted.
    Three,
}

impl CriticalType {
    /// The type of child `number`, from 0; `None` if the child is not critical.
    fn child(self, number: u32) -> Option<CriticalType> {
        match (self, number) {
            (CriticalType::One, 0) => Some(CriticalType::One),
            (CriticalType::Two, 0) => Some(CriticalType::Three),
            (CriticalType::Two, _) => None,
            (CriticalType::One | CriticalType::Three, _) => Some(CriticalType::Two),
        }
    }
}

/// The numbers of positions of types 1, 2 and 3 at one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(pub [u64; 3]);

impl Types {
    /// The number of all positions.
    pub fn sum(self) -> u64 {
        self.0.iter().sum()
    }
}

/// The critical positions of each level from the root, counted one by one.
///
/// Visits each: about the square root of the number of leaves, times twice the branching factor.
pub fn counted(shape: TreeShape, stop: &AtomicBool) -> Result<Vec<Types>, Stopped> {
    let mut levels = vec![Types::default(); shape.height() as usize + 1];
    levels[0].0[0] = 1;
    // The current line of critical positions, each with its next child.
    let mut way = vec![(CriticalType::One, 0)];
    while let Some((kind, next)) = way.last_mut() {
        let child = kind.child(*next).filter(|_| *next < shape.branching());
        *next += 1;
        let ply = way.len();
        match child.filter(|_| ply <= shape.height() as usize) {
            Some(kind) => {
                go_on(stop)?;
                levels[ply].0[kind as usize] += 1;
                way.push((kind, 0));
            }
            None => {
                way.pop();
            }
        }
    }
    Ok(levels)
}

/// The critical positions of `level` in a tree of `branching`, by the formulas: one of type 1,
/// b^ceil(d/2) - 1 of type 2, b^floor(d/2) - 1 of type 3.
pub fn by_formula(shape: TreeShape, level: u32) -> Types {
    let power = |exponent: u32| shape.width(exponent);
    Types([1, power(level.div_ceil(2)) - 1, power(level / 2) - 1])
}

/// The fewest leaves that a search visits: b^ceil(d/2) + b^floor(d/2) - 1.
pub fn fewest_leaves(shape: TreeShape) -> u64 {
    by_formula(shape, shape.height()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_agrees_with_the_formulas() {
        for (branching, height) in [(1, 6), (2, 9), (3, 6), (5, 5), (7, 4)] {
            let shape = TreeShape::new(branching, height).expect("it is small");
            let counted = counted(shape, &AtomicBool::new(false)).expect("nobody stops it");
            let formulas: Vec<Types> = (0..=height).map(|level| by_formula(shape, level)).collect();
            assert_eq!(counted, formulas);
        }
    }

    #[test]
    fn the_stop_flag_stops() {
        let shape = TreeShape::new(2, 50).expect("it is allowed");
        assert_eq!(counted(shape, &AtomicBool::new(true)), Err(Stopped));
    }
}
