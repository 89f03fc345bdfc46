//! The first line of the record of a tournament, with all sides.
//!
//! The lines of games are those of the record of a match, with the names of the two sides.

use super::contest_games::ContestGames;
use super::partial::Standing;
use super::record::{RecordSettings, differences};
use super::record_header::{RecordedConditions, RecordedRules};
use super::recorded_game::{RecordedGame, RecordedPlace};
use alphorn_session::session::schedule::Schedule;
use alphorn_text::report::plural;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The greatest number of sides.
pub(super) const MOST_SIDES: usize = 100;

/// The first line of a record: everything that the games depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct TournamentHeader {
    /// The kind of the record, the rules and the first position.
    #[serde(flatten)]
    pub rules: RecordedRules,
    /// The sides.
    pub sides: Vec<RecordedSide>,
    /// Whether the first side plays against all others, and no other games are played.
    pub gauntlet: bool,
    /// The conditions of the games.
    #[serde(flatten)]
    pub conditions: RecordedConditions,
    /// Whether the lines of games have times.
    pub times: bool,
}

/// A side of a recorded tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct RecordedSide {
    /// The name.
    pub name: String,
    /// The options.
    pub settings: String,
    /// A hash of the rules of the side, if they are not those of the tournament.
    pub rules: Option<String>,
}

impl TournamentHeader {
    /// The order of the games.
    pub(super) fn schedule(&self) -> Schedule {
        match self.gauntlet {
            true => Schedule::gauntlet(self.sides.len()),
            false => Schedule::round_robin(self.sides.len()),
        }
    }

    /// What differs between the sides of a record and those of a command.
    fn other_sides(&self, wanted: &TournamentHeader) -> String {
        if self.sides.len() != wanted.sides.len() {
            let count = |sides: &[RecordedSide]| plural(sides.len() as u64, "side", "sides");
            return format!("{} in the file, {} in this command", count(&self.sides), count(&wanted.sides));
        }
        let both = self.sides.iter().zip(&wanted.sides).enumerate().find(|(_, (here, there))| here != there);
        let Some((at, (here, there))) = both else { return String::new() };
        if (&here.name, &here.settings) == (&there.name, &there.settings) {
            return format!("the rules of {}, a parameter or an overlay have changed", here.name);
        }
        let shown = |side: &RecordedSide| match side.name == side.settings {
            true => side.settings.clone(),
            false => format!("{}={}", side.name, side.settings),
        };
        format!("side {}: \"{}\" in the file, \"{}\" in this command", at + 1, shown(here), shown(there))
    }
}

impl RecordSettings for TournamentHeader {
    const KIND: &str = "tournament";
    const GAMES_OPTION: &str = ", which is the number of games of each pairing";

    fn differences(&self, wanted: &TournamentHeader) -> Vec<String> {
        differences(self, wanted, &|name| (name == "sides").then(|| self.other_sides(wanted)))
    }

    fn is_sound(&self) -> bool {
        let names: BTreeSet<&str> = self.sides.iter().map(|side| side.name.as_str()).collect();
        (2..=MOST_SIDES).contains(&self.sides.len()) && names.len() == self.sides.len()
    }

    fn place(&self, number: u32) -> RecordedPlace {
        let game = self.schedule().game(number - 1);
        let sides = game.sides.map(|side| self.sides[side].name.clone());
        RecordedPlace { pair: game.opening + 1, seed: self.conditions.seed, sides: Some(sides), times: self.times }
    }

    fn standings(&self, games: &ContestGames) -> Option<Vec<Standing>> {
        Some(games.standings(self.sides.iter().map(|side| side.name.as_str())))
    }
}

/// A line of the record of a tournament.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TournamentLine {
    /// The first line.
    Header(TournamentHeader),
    /// Every other line.
    Game(RecordedGame),
}
