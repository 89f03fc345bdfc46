//! The theory of the mean number of leaves that searches visit in random uniform trees.
//!
//! It takes a branching factor and a height, and iterates to the last digit. It only adds, multiplies,
//! divides and takes square roots, so the numbers are the same on every machine.

/// The probability that a search of a random tree of height 2 reads leaf `j` of child `i`, both from 1: 1
/// / C(i - 1 + (j - 1) / d, i - 1). Knuth and Moore, 1975, section 6.
fn reads(branching: u32, i: u32, j: u32) -> f64 {
    let part = f64::from(j - 1) / f64::from(branching);
    let binomial: f64 = (1..i).map(|k| (part + f64::from(k)) / f64::from(k)).product();
    1.0 / binomial
}

/// The exact mean number of leaves that alpha-beta reads in a random tree of height 2: 11/3 for a binary
/// one. Knuth and Moore, 1975.
pub fn mean_of_height_two(branching: u32) -> f64 {
    let cells = (1..=branching).flat_map(|i| (1..=branching).map(move |j| (i, j)));
    cells.map(|(i, j)| reads(branching, i, j)).sum()
}

/// The growth r* per ply that bounds alpha-beta without deep cutoffs in random trees: the greatest
/// eigenvalue of the matrix of the square roots of those probabilities. Knuth and Moore, 1975.
///
/// It uses power iteration; a step takes time in the square of `branching`.
pub fn growth_without_deep_cutoffs(branching: u32) -> f64 {
    let matrix: Vec<Vec<f64>> =
        (1..=branching).map(|i| (1..=branching).map(|j| reads(branching, i, j).sqrt()).collect()).collect();
    let mut vector = vec![1.0; branching as usize];
    let mut eigenvalue = 0.0;
    // All entries are positive, so the iteration converges; the second eigenvalue is much smaller.
    for _ in 0..MOST_STEPS {
        let next: Vec<f64> =
            matrix.iter().map(|row| row.iter().zip(&vector).map(|(left, right)| left * right).sum()).collect();
        let norm = next.iter().copied().fold(0.0, f64::max);
        vector = next.into_iter().map(|entry| entry / norm).collect();
        if norm == eigenvalue {
            break;
        }
        eigenvalue = norm;
    }
    eigenvalue
}

/// The number of steps after which an iteration changes its last digit at most.
const MOST_STEPS: u32 = 1000;

/// The growth per ply of alpha-beta, which no search improves in random trees: x / (1 - x), where x is
/// the positive root of `x^d + x = 1`. Judea Pearl, "The Solution for the Branching Factor of the Alpha-Beta Pruning Algorithm and its
/// Optimality", 1982.
pub fn growth_with_deep_cutoffs(branching: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..MOST_STEPS {
        let middle = (low + high) / 2.0;
        match power(middle, branching) + middle < 1.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    let root = (low + high) / 2.0;
    if branching == 1 { 1.0 } else { root / (1.0 - root) }
}

/// The growth per ply of the fewest leaves that a search must read.
pub fn growth_at_best(branching: u32) -> f64 {
    f64::from(branching).sqrt()
}

/// The exact mean number of leaves that alpha-beta reads in a totally dependent tree. Knuth and Moore,
/// 1975, section 7.
pub fn mean_of_dependent(branching: u32, height: u32) -> f64 {
    if branching == 1 {
        return 1.0;
    }
    let degree = f64::from(branching);
    let harmonic: f64 = (1..=branching).map(|k| 1.0 / f64::from(k)).sum();
    let rest = power(harmonic, height);
    let leaves = power(degree, height.div_ceil(2)) + harmonic * power(degree, height / 2) - harmonic * rest - rest;
    (degree - harmonic) / (degree - harmonic * harmonic) * leaves + rest
}

/// `base` to the power of `exponent`, by multiplication.
pub fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

/// The root of `number` (at least 1) of this degree: the growth of a count per ply.
pub fn root(number: f64, degree: u32) -> f64 {
    if degree == 0 {
        return 1.0;
    }
    let (mut low, mut high) = (1.0, number.max(1.0));
    for _ in 0..MOST_STEPS {
        let middle = (low + high) / 2.0;
        match power(middle, degree) < number {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64, digits: i32) {
        assert!((found - expected).abs() <= 0.500_001 * 10_f64.powi(-digits), "{found} is not {expected}");
    }

    #[test]
    fn growth_is_the_published_one() {
        let published = [
            (2, 1.9124, 1.6180),
            (3, 2.7217, 2.1479),
            (4, 3.4733, 2.6297),
            (5, 4.1862, 3.0796),
            (6, 4.8705, 3.5063),
            (7, 5.5325, 3.9151),
            (8, 6.1762, 4.3093),
            (9, 6.8047, 4.6915),
            (10, 7.4202, 5.0635),
            (16, 10.9133, 7.1411),
            (20, 13.1080, 8.4247),
            (32, 19.3005, 11.9873),
        ];
        for (branching, without, with) in published {
            near(growth_without_deep_cutoffs(branching), without, 4);
            near(growth_with_deep_cutoffs(branching), with, 4);
            near(growth_at_best(branching) * growth_at_best(branching), f64::from(branching), 12);
        }
    }

    #[test]
    fn a_tree_without_branches_does_not_grow() {
        let growth = [growth_without_deep_cutoffs(1), growth_with_deep_cutoffs(1), growth_at_best(1)];
        assert_eq!(growth, [1.0; 3]);
        assert_eq!((mean_of_height_two(1), mean_of_dependent(1, 9)), (1.0, 1.0));
    }

    #[test]
    fn a_random_binary_tree_of_height_two_takes_eleven_thirds() {
        near(mean_of_height_two(2), 11.0 / 3.0, 12);
    }

    #[test]
    fn dependent_trees_take_what_was_simulated() {
        let simulated = [(2, [2.0, 3.5, 6.25, 10.375, 17.56, 28.34]), (3, [3.0, 6.667, 15.72, 32.32, 69.76, 138.4])];
        for (branching, means) in simulated {
            for (height, mean) in (1..).zip(means) {
                assert!((mean_of_dependent(branching, height) / mean - 1.0).abs() < 5e-4, "{branching}, {height}");
            }
        }
    }

    #[test]
    fn a_root_is_undone_by_a_power() {
        near(root(1024.0, 10), 2.0, 12);
        assert_eq!(root(7.0, 0), 1.0);
    }
}
