//! The choice of a chance outcome by weights and a random number. This module must not depend on the
//! source of random numbers.

/// The index of the outcome that a ticket selects; tickets go from 0 to the sum of the weights,
/// exclusive.
pub fn drawn_by(weights: &[u64], ticket: u64) -> usize {
    let mut left = ticket;
    for (number, weight) in weights.iter().enumerate() {
        match left.checked_sub(*weight) {
            Some(rest) => left = rest,
            None => return number,
        }
    }
    panic!("a ticket is below the sum of the weights");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ticket_counts_once() {
        let drawn: Vec<usize> = (0..6).map(|ticket| drawn_by(&[2, 1, 3], ticket)).collect();
        assert_eq!(drawn, [0, 0, 1, 2, 2, 2]);
    }
}
