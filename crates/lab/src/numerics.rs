//! Numerical functions that ratings and tuning share: the logistic and the normal distribution, and linear systems.

/// The logistic function, from 0 to 1.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logarithm of 1 + exp(x), without overflow.
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The probability that a number of the standard normal distribution is at most `z`.
pub fn normal_distribution(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// Solves a positive definite system for several right sides, by Gaussian elimination with pivots on the diagonal.
///
/// Each row is a row of the matrix, followed by the numbers of this row in all right sides. Returns the rows of the
/// solutions.
pub fn solve(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = rows.len();
    for pivot in 0..size {
        let (above, below) = rows.split_at_mut(pivot + 1);
        let row = &above[pivot];
        for values in below {
            let factor = values[pivot] / row[pivot];
            values.iter_mut().zip(row).skip(pivot).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    for at in (0..size).rev() {
        let (above, solved) = rows.split_at_mut(at + 1);
        let row = &mut above[at];
        for side in size..row.len() {
            let known: f64 = row[at + 1..size].iter().zip(&*solved).map(|(cell, below)| cell * below[side]).sum();
            row[side] = (row[side] - known) / row[at];
        }
    }
    rows.into_iter().map(|mut row| row.split_off(size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_solve_their_systems() {
        let matrix = [[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, 5.0]];
        let sides = [[1.0, 0.0], [2.0, -3.0], [0.25, 7.0]];
        let found = solve(matrix.iter().zip(&sides).map(|(row, side)| [row.as_slice(), side].concat()).collect());
        for (row, wanted) in matrix.iter().zip(sides) {
            for (side, wanted) in wanted.into_iter().enumerate() {
                let sum: f64 = row.iter().zip(&found).map(|(cell, solution)| cell * solution[side]).sum();
                assert!((sum - wanted).abs() < 1e-12, "{found:?}");
            }
        }
    }

    #[test]
    fn the_distributions_have_their_known_values() {
        assert_eq!((logistic(0.0), normal_distribution(0.0)), (0.5, 0.5));
        assert!((normal_distribution(1.959_964) - 0.975).abs() < 1e-7);
        assert!((softplus(0.0) - std::f64::consts::LN_2).abs() < 1e-15);
        assert_eq!((softplus(1e300), softplus(-1e300)), (1e300, 0.0));
    }
}
