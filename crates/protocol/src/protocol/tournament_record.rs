//! The record of a tournament, and the sums of its games.
//!
//! The first line has the settings and all sides; the lines of games are those of the record of a match, with
//! the names of the two sides.

use super::data::Number;
use super::form::Start;
use super::host::{Event, Host, Listen, refusal};
use super::partial::Standing;
use super::record::{RecordSettings, RecordWriter, differences};
use super::recorded_game::{RecordedGame, RecordedPlace};
use super::sums::Sums;
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::schedule::Schedule;
use alphorn_session::session::{Session, SessionResult};
use alphorn_text::report::plural;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The greatest number of sides.
pub(super) const MOST_SIDES: usize = 100;

/// The first line of a record: everything that the games depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct TournamentHeader {
    /// The kind of the record: `tournament`.
    pub record: String,
    /// The version of Alphorn.
    pub version: String,
    /// A hash of the rules of the tournament with their parameters and overlays.
    pub rules: String,
    /// The first position, if the request gives one.
    pub position: Option<String>,
    /// The first position in the notation of the game, if the request gives one.
    pub at: Option<String>,
    /// The number of the opening, if the request gives one.
    pub opening: Option<usize>,
    /// The moves before the openings, if the request gives some.
    pub moves: Option<String>,
    /// The sides.
    pub sides: Vec<RecordedSide>,
    /// Whether the first side plays against all others, and no other games are played.
    pub gauntlet: bool,
    /// The seed.
    pub seed: u64,
    /// The source of the openings: `random`, `initial` or a file.
    pub openings: String,
    /// A hash of the file of openings.
    pub openings_text: Option<String>,
    /// The number of random moves in an opening; null if the openings are not random.
    pub opening_plies: Option<u64>,
    /// The filter of the openings.
    pub balance: Option<String>,
    /// The plies after which a game is stopped.
    pub max_plies: u64,
    /// The file of values that ends games.
    pub adjudicate: Option<PathBuf>,
    /// The number of values in this file.
    pub adjudicate_values: Option<u64>,
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
    /// A header with the version of this program and the first position.
    pub(super) fn of(start: &Start) -> TournamentHeader {
        TournamentHeader {
            record: TournamentHeader::KIND.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            position: start.position.as_ref().map(|term| term.0.clone()),
            at: start.place.at.clone(),
            opening: start.place.opening,
            moves: start.place.moves.clone(),
            ..TournamentHeader::default()
        }
    }

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
        RecordedPlace { pair: game.opening + 1, seed: self.seed, sides: Some(sides), times: self.times }
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

/// The games of a tournament so far.
pub(super) struct TournamentGames {
    pub(super) schedule: Schedule,
    /// The sums of each pairing.
    pub(super) sums: Vec<Sums>,
    /// For each side, its games and its points after each of its pairs.
    pub(super) course: Vec<Vec<(u64, f64)>>,
    /// The openings whose games are all played.
    pub(super) keys: Vec<u128>,
    pub(super) count: u32,
}

impl TournamentGames {
    pub(super) fn new(schedule: Schedule) -> TournamentGames {
        TournamentGames {
            sums: schedule.pairings().iter().map(|_| Sums::default()).collect(),
            course: vec![Vec::new(); schedule.sides()],
            keys: Vec::new(),
            count: 0,
            schedule,
        }
    }

    /// Adds the next game. Returns whether the game completes a pair.
    pub(super) fn add(&mut self, record: &GameRecord) -> bool {
        let place = self.schedule.game(self.count);
        self.count += 1;
        if self.count.is_multiple_of(self.schedule.games_of_opening()) {
            self.keys.push(record.key);
        }
        let Some(so_far) = self.sums[place.pairing].add(record) else { return false };
        let Number(points) = so_far.points;
        for (side, points) in place.sides.into_iter().zip([points, 2.0 - points]) {
            let (games, before) = self.total(side);
            self.course[side].push((games + 2, before + points));
        }
        true
    }

    /// The games and the points of a side.
    fn total(&self, side: usize) -> (u64, f64) {
        self.course[side].last().copied().unwrap_or_default()
    }

    /// The games and the points of all sides.
    pub(super) fn standings(&self, header: &TournamentHeader) -> Vec<Standing> {
        let standing = |(side, recorded): (usize, &RecordedSide)| {
            let (games, points) = self.total(side);
            Standing { name: recorded.name.clone(), games, points: Number(points) }
        };
        header.sides.iter().enumerate().map(standing).collect()
    }

    /// Opens the record of a tournament, and adds the games that it holds.
    pub(super) fn resume(
        &mut self,
        path: &Path,
        header: TournamentHeader,
        session: &Session,
        host: &Host<'_>,
        (count, listen): (u32, Listen<'_>),
    ) -> SessionResult<RecordWriter<TournamentHeader>> {
        host.may_write(session, path, None)?;
        let mut record = RecordWriter::open(path, header, &session.files(), &mut |game| {
            self.add(&game);
        })?;
        if self.count > count {
            let all = self.schedule.games_of_opening();
            let message = format!("{} already holds {} games", path.display(), self.count);
            let help = format!(
                "write --games {} or more, which is the number of games of each pairing, or name another file",
                2 * self.count.div_ceil(all)
            );
            return Err(refusal(message, help));
        }
        record.begin()?;
        if self.count > 0 && self.count < count {
            let played = plural(self.count.into(), "game", "games");
            listen(Event::note(format!("{} holds {played}; the tournament goes on after them", path.display())));
        }
        Ok(record)
    }
}
