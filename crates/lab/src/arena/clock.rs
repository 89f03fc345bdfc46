//! A clock of a game: each side has a time for all its moves, and gets an increment after each move.
//!
//! A [`GameClock`] gives the time for the next search. The caller measures how long the move took, and says
//! so. The module reads no clock itself.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The moves for which the rest of a clock is divided, if nothing is known of the game.
pub const MOVES_AHEAD: u64 = 30;

/// The least and the greatest number of moves for which the rest of a clock is divided.
const LEAST_MOVES: u64 = 8;
const MOST_MOVES: u64 = 40;

/// The time that is kept for what comes after a search.
const KEPT: Duration = Duration::from_millis(20);

/// The time for all moves of a side, and the increment for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time at the start of the game.
    pub base: Duration,
    /// The time that is added after each move.
    pub increment: Duration,
}

/// The greatest number of seconds of a clock.
const MOST_SECONDS: f64 = 1e6;

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| !number.is_nan());
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (Some(base), Some(increment)) = (number(base), number(increment)) else {
            return Err("write the seconds of the game and of each move, such as 60+0.6 or 60".to_string());
        };
        let seconds = |number: f64| (0.0..=MOST_SECONDS).contains(&number).then(|| Duration::from_secs_f64(number));
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() => Ok(TimeControl { base, increment }),
            (None, _) | (Some(_), Some(_)) => {
                Err(format!("the seconds of the game must be more than 0, and at most {MOST_SECONDS}"))
            }
            (Some(_), None) => Err(format!("the seconds of each move must be from 0 to {MOST_SECONDS}")),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base.as_secs_f64())?;
        match self.increment.is_zero() {
            true => Ok(()),
            false => write!(f, "+{}", self.increment.as_secs_f64()),
        }
    }
}

/// The part of a clock for one move.
///
/// The rest is divided among the moves to come; four fifths of the increment are added. With several moves to
/// come, a half of the rest is kept for an interruption by the system.
pub fn share(left: Duration, increment: Duration, moves: u64) -> Duration {
    let moves = u32::try_from(moves.max(1)).unwrap_or(u32::MAX);
    let most = if moves == 1 { left } else { left / 2 };
    (left / moves + increment / 5 * 4).min(most)
}

/// The moves that a side has still to make, from the plies that the game may last.
pub fn moves_ahead(plies: u64) -> u64 {
    plies.div_ceil(2).clamp(LEAST_MOVES, MOST_MOVES)
}

/// The clock of one side in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    left: Duration,
}

impl GameClock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, left: control.base }
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// The increment for each move.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// The time for the next search, if so many moves are to come.
    pub fn share(&self, moves: u64) -> Duration {
        let left = self.left.saturating_sub(KEPT.min(self.left / 2));
        share(left, self.control.increment, moves)
    }

    /// Takes the time of a move from the clock and adds the increment. False if the move took longer than the
    /// time that was left: the side has lost on time.
    #[must_use]
    pub fn spend(&mut self, time: Duration) -> bool {
        let in_time = time <= self.left;
        self.left = self.left.saturating_sub(time) + self.control.increment;
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().expect("it is a clock")
    }

    #[test]
    fn a_clock_is_read_and_written() {
        for text in ["60+0.6", "60", "0.5+0.01"] {
            assert_eq!(control(text).to_string(), text);
        }
        assert_eq!(control("5+0").to_string(), "5");
        for text in ["", "+1", "0+1", "-1", "1+-1", "1+", "1+1+1", "NaN", "inf", "1e9"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_out_of_range_is_refused_with_the_range() {
        let refused = |text: &str| text.parse::<TimeControl>().expect_err("it is no clock");
        for text in ["99999999999999999999+1", "0+1", "-1", "inf"] {
            assert!(refused(text).contains("the seconds of the game must be more than 0"), "{text}");
        }
        assert!(refused("99999999999999999999+1").ends_with("at most 1000000"));
        assert!(refused("1+-1").contains("the seconds of each move must be from 0"));
        assert!(refused("1+x").contains("such as 60+0.6"));
    }

    #[test]
    fn a_side_that_uses_its_shares_never_oversteps() {
        for text in ["1", "10+0.1", "0.05+0.01"] {
            let mut clock = GameClock::new(control(text));
            for made in 0..500_u64 {
                let share = clock.share(moves_ahead(100_u64.saturating_sub(2 * made)));
                assert!(share < clock.left(), "{text}: {share:?} of {:?}", clock.left());
                assert!(clock.spend(share));
            }
        }
    }

    #[test]
    fn a_move_that_takes_more_than_is_left_loses() {
        let mut clock = GameClock::new(control("1+0.5"));
        assert!(clock.spend(Duration::from_secs(1)));
        assert_eq!(clock.left(), Duration::from_millis(500));
        assert!(!clock.spend(Duration::from_millis(501)));
    }
}
