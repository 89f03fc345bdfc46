//! Two trees of the literature, with their published values.
//!
//! They are artificial trees for any search.

use super::uniform::{Leaves, TreePlace, TreeShape, Uniform};

/// The first 81 digits of pi.
pub const DIGITS: &str = "314159265358979323846264338327950288419716939937510582097494459230781640628620899";

/// The ternary tree of height 4 whose leaves are the digits of pi: value 2, 81 leaves for F, 36 for
/// F1, 31 for F2. Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975, figures 1 to 3.
pub fn pi() -> Uniform {
    let leaves = DIGITS.bytes().map(|digit| i64::from(digit - b'0')).collect();
    listed(3, 4, leaves)
}

/// The binary tree of eight leaves, with value 4 and best play a-b-d. Ivan Bratko, "Prolog Programming
/// for Artificial Intelligence", figure 15.2 in some editions.
pub fn bratko() -> Uniform {
    listed(2, 3, vec![1, 4, 5, 6, 2, 1, 1, 1])
}

/// The letter of a place in Bratko's tree: a is the root, then left to right, level by level.
pub fn letter(place: TreePlace) -> char {
    let number = (1_u64 << place.ply) - 1 + place.number;
    char::from_digit(10 + number as u32, 36).unwrap_or('?')
}

fn listed(branching: u32, height: u32, leaves: Vec<i64>) -> Uniform {
    let shape = TreeShape::new(branching, height).expect("the trees of the books are small");
    Uniform { shape, leaves: Leaves::Listed(leaves) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_has_its_number() {
        assert_eq!(DIGITS.len() as u64, pi().shape.leaves());
        assert_eq!((letter(TreePlace::ROOT), letter(TreePlace { ply: 3, number: 7 })), ('a', 'o'));
    }
}
