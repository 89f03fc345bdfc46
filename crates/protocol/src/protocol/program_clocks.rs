//! The clocks of `alphorn play --clock`: the time that the program has left for its moves.
//!
//! It takes the time that each move of the program took, and gives the time for the next search. A person has
//! no clock. If the time is over, the program goes on with the increment alone.

use super::match_options::ClockOption;
use alphorn_lab::arena::clock::{GameClock, MOVES_AHEAD};
use alphorn_search::game::Side;
use std::time::Duration;

/// The clocks of the sides that the program plays.
#[derive(Clone, Copy, Default)]
pub struct ProgramClocks {
    control: Option<ClockOption>,
    clocks: [Option<GameClock>; 2],
}

impl ProgramClocks {
    /// Clocks at the start of a game.
    pub fn new(control: Option<ClockOption>) -> ProgramClocks {
        ProgramClocks { control, clocks: [control.map(|control| GameClock::new(control.0)); 2] }
    }

    /// Begins a new game.
    pub fn restart(&mut self) {
        *self = ProgramClocks::new(self.control);
    }

    /// The time for the next move of a side, if it has a clock.
    pub fn share(&self, side: Side) -> Option<Duration> {
        self.clocks[side as usize].map(|clock| clock.share(MOVES_AHEAD))
    }

    /// Takes the time of a move from the clock of a side. Returns what to tell about the clock.
    pub fn spend(&mut self, side: Side, time: Duration) -> Option<String> {
        let clock = self.clocks[side as usize].as_mut()?;
        let in_time = clock.spend(time);
        let left = clock.left().as_secs_f64();
        Some(if in_time { format!("{left:.1} s left") } else { "out of time".to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_has_its_own_clock_until_the_next_game() {
        let mut clocks = ProgramClocks::new("3+1".parse().ok());
        let first = clocks.share(Side::Max);
        assert_eq!(clocks.spend(Side::Max, Duration::from_secs(2)).as_deref(), Some("2.0 s left"));
        assert_eq!(clocks.share(Side::Min), first);
        assert!(clocks.share(Side::Max) < first);
        assert_eq!(clocks.spend(Side::Max, Duration::from_secs(9)).as_deref(), Some("out of time"));
        clocks.restart();
        assert_eq!(clocks.share(Side::Max), first);
        assert_eq!(ProgramClocks::new(None).share(Side::Max), None);
    }
}
