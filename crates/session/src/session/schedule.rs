//! The schedule of a tournament: which sides play which game, and from which opening.
//!
//! A pairing is two sides, A and B. Every opening is played by all pairings in turn, twice by each, with
//! swapped sides. So all pairings have the same openings, and all sides have played about the same number of
//! games at any time. A match is a tournament with one pairing. The module does not know how a game is played.

/// The pairings of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    sides: usize,
    pairings: Vec<[usize; 2]>,
    /// The games of a pairing from each opening.
    games: u32,
}

/// The place of a game in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The place of the opening among all openings, from 0.
    pub opening: u32,
    /// The place of the pairing among all pairings, from 0.
    pub pairing: usize,
    /// A and B: their places among all sides, from 0.
    pub sides: [usize; 2],
    /// Who is MAX: 0 for A, 1 for B.
    pub max: usize,
}

impl Schedule {
    /// The schedule of a match: two sides.
    pub fn of_match() -> Schedule {
        Schedule::round_robin(2)
    }

    /// Two equal sides, which play each opening once.
    pub fn of_self_play() -> Schedule {
        Schedule { games: 1, ..Schedule::of_match() }
    }

    /// Every side plays against every other side. There must be at least two sides.
    pub fn round_robin(sides: usize) -> Schedule {
        let pairings = (0..sides).flat_map(|a| (a + 1..sides).map(move |b| [a, b])).collect();
        Schedule { sides, pairings, games: 2 }
    }

    /// The first side plays against all others. There must be at least two sides.
    pub fn gauntlet(sides: usize) -> Schedule {
        Schedule { sides, pairings: (1..sides).map(|b| [0, b]).collect(), games: 2 }
    }

    /// The number of sides.
    pub fn sides(&self) -> usize {
        self.sides
    }

    /// The pairings: the places of A and B among the sides.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games from each opening.
    pub fn games_of_opening(&self) -> u32 {
        self.games * self.pairings.len() as u32
    }

    /// The place of a game, whose number counts from 0.
    pub fn game(&self, number: u32) -> ScheduledGame {
        let all = self.games_of_opening();
        let pairing = (number % all / self.games) as usize;
        ScheduledGame { opening: number / all, pairing, sides: self.pairings[pairing], max: (number % 2) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_pairing_plays_every_opening_with_both_colours() {
        for (schedule, pairings) in [
            (Schedule::of_match(), 1),
            (Schedule::round_robin(4), 6),
            (Schedule::gauntlet(4), 3),
            (Schedule::gauntlet(2), 1),
        ] {
            assert_eq!(schedule.pairings().len(), pairings);
            let all = 5 * schedule.games_of_opening();
            let mut seen = BTreeMap::new();
            for number in 0..all {
                let place = schedule.game(number);
                let [a, b] = place.sides;
                assert!(a < b && b < schedule.sides() && place.sides == schedule.pairings()[place.pairing]);
                *seen.entry((place.opening, place.sides, place.max)).or_insert(0) += 1;
                // The two games of a pair are neighbours.
                assert_eq!(schedule.game(number - number % 2).sides, place.sides);
            }
            assert!(seen.values().all(|count| *count == 1) && seen.len() == all as usize, "{seen:?}");
            assert_eq!(seen.keys().map(|(opening, ..)| *opening).max(), Some(4));
        }
    }
}
