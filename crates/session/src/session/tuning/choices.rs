//! The moves that a player chooses in many positions, to compare players.
//!
//! It takes the settings of a player and positions. It returns the label of each chosen move.

use crate::session::player::{MatchPlayer, think};
use crate::session::{Session, SessionResult};
use alphorn_lab::arena::GameLine;
use alphorn_lab::arena::alarm::Alarm;
use alphorn_lab::arena::history::WithHistory;
use alphorn_rules::rules::position::Position;
use alphorn_search::search::SearchSettings;
use std::sync::atomic::Ordering::Relaxed;

impl Session {
    /// The moves that a player with these settings chooses, as labels. The player uses the rules of this
    /// session. A set stop flag ends the list early.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub fn choices(&self, player: &MatchPlayer, positions: &[Position]) -> SessionResult<Vec<String>> {
        let game = self.game()?;
        let alarm = Alarm::default();
        let mut found = Vec::new();
        for state in positions {
            if self.stop.load(Relaxed) {
                break;
            }
            let table = player.algorithm.keeps_table().then(|| self.table(player.hash)).transpose()?;
            let settings = SearchSettings { table: table.as_ref(), ..player.settings() };
            let line = GameLine::from(state.clone());
            let past = WithHistory::new(&game, &line);
            let chosen = think(player, &past, state, &player.limits(&alarm), &settings, &|error| {
                self.search_error(&game, state, error)
            })?;
            found.push(match chosen.choice() {
                Some(best) => self.move_name(&game, state, best)?,
                None => String::new(),
            });
        }
        Ok(found)
    }
}
