//! Chance: which of several things happens.
//!
//! In: how likely each is, as weights, and a number that was drawn. Out: the number of one of them.
//! Must not know where random numbers come from.

/// Of things with these weights the one that a ticket falls on; tickets are numbered from 0 to the
/// sum of the weights, that excluded.
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
