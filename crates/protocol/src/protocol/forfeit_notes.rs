//! Notes on forfeited games: the first games of each side, and then the number of the others.
//!
//! A broken engine forfeits every game, for nearly the same reason. The reply has the number of all these games.

use super::host::{Event, Listen};
use alphorn_session::session::game_record::GameRecord;
use alphorn_text::report::plural;
use std::collections::BTreeMap;

/// The greatest number of games of one side that have a note.
const MOST_NOTES: u64 = 3;

/// The forfeited games so far.
#[derive(Default)]
pub(super) struct ForfeitNotes {
    /// The number of games that each side forfeited.
    forfeits: BTreeMap<String, u64>,
}

impl ForfeitNotes {
    /// Notes that the loser forfeited this game, unless earlier notes say so often enough. `names` are those of A
    /// and B.
    pub(super) fn add(&mut self, game: &GameRecord, names: [&str; 2], listen: Listen<'_>) {
        let Some(reason) = &game.forfeit else { return };
        let loser = names[game.loser()];
        let forfeits = self.forfeits.entry(loser.to_string()).or_default();
        *forfeits += 1;
        if *forfeits <= MOST_NOTES {
            listen(Event::note(format!("game {}: {loser} loses: {reason}", game.number)));
        }
    }

    /// Notes how many forfeited games had no note of their own.
    pub(super) fn rest(&self, listen: Listen<'_>) {
        for (side, forfeits) in &self.forfeits {
            let more = forfeits.saturating_sub(MOST_NOTES);
            if more > 0 {
                let games = plural(more, "more game", "more games");
                listen(Event::note(format!("{side} forfeited {games}")));
            }
        }
    }
}
