//! The record of a match, and the sums of its games: the settings in its first line, and how a match goes on.
//!
//! A record is the same, byte for byte, whether or not the match was interrupted.

use super::form::Start;
use super::host::{Event, Host, Listen, refusal};
use super::match_options::SprtOption;
use super::partial::SoFar;
use super::record::{RecordSettings, RecordWriter, differences};
use super::recorded_game::{RecordedGame, RecordedPlace};
use super::sums::Sums;
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::{Session, SessionResult};
use alphorn_text::report::plural;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The first line of a record: everything that the games depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct RecordHeader {
    /// The kind of the record: `match`.
    pub record: String,
    /// The version of Alphorn.
    pub version: String,
    /// A hash of the rules of the match with their parameters and overlays.
    pub rules: String,
    /// The first position, if the request gives one.
    pub position: Option<String>,
    /// The first position in the notation of the game, if the request gives one.
    pub at: Option<String>,
    /// The number of the opening, if the request gives one.
    pub opening: Option<usize>,
    /// The moves before the openings, if the request gives some.
    pub moves: Option<String>,
    /// The settings of player A.
    pub a: String,
    /// The settings of player B.
    pub b: String,
    /// A hash of the rules of A, if they are not those of the match.
    pub a_rules: Option<String>,
    /// A hash of the rules of B, if they are not those of the match.
    pub b_rules: Option<String>,
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
    /// The sequential test.
    pub sprt: Option<SprtOption>,
    /// Whether the lines of games have times.
    pub times: bool,
}

impl RecordHeader {
    /// A header with the version of this program and the first position.
    pub(super) fn of(start: &Start) -> RecordHeader {
        RecordHeader {
            record: RecordHeader::KIND.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            position: start.position.as_ref().map(|term| term.0.clone()),
            at: start.place.at.clone(),
            opening: start.place.opening,
            moves: start.place.moves.clone(),
            ..RecordHeader::default()
        }
    }
}

impl RecordSettings for RecordHeader {
    const KIND: &str = "match";

    fn differences(&self, wanted: &RecordHeader) -> Vec<String> {
        differences(self, wanted, &|name| match name {
            "a_rules" => Some("the rules of A, a parameter or an overlay have changed".to_string()),
            "b_rules" => Some("the rules of B, a parameter or an overlay have changed".to_string()),
            _ => None,
        })
    }

    fn place(&self, number: u32) -> RecordedPlace {
        RecordedPlace { pair: number.div_ceil(2), seed: self.seed, sides: None, times: self.times }
    }
}

/// A line of a record.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RecordLine {
    /// The first line.
    Header(RecordHeader),
    /// Every other line.
    Game(RecordedGame),
}

/// The games of a match so far.
pub(super) struct MatchGames {
    pub(super) sums: Sums,
    /// The openings of the complete pairs.
    pub(super) keys: Vec<u128>,
    pub(super) count: u32,
}

impl MatchGames {
    /// Adds a game.
    pub(super) fn add(&mut self, record: &GameRecord) -> Option<SoFar> {
        let so_far = self.sums.add(record);
        if so_far.is_some() {
            self.keys.push(record.key);
        }
        self.count += 1;
        so_far
    }

    /// Opens the record of a match, and adds the games that it holds.
    pub(super) fn resume(
        &mut self,
        path: &Path,
        header: RecordHeader,
        session: &Session,
        host: &Host<'_>,
        (count, listen): (u32, Listen<'_>),
    ) -> SessionResult<RecordWriter<RecordHeader>> {
        host.may_write(session, path, None)?;
        let mut record = RecordWriter::open(path, header, &session.files(), &mut |game| {
            self.add(&game);
        })?;
        if self.count > count {
            let message = format!("{} already holds {} games", path.display(), self.count);
            return Err(refusal(
                message,
                format!("write --games {} or more, or name another file", self.count.next_multiple_of(2)),
            ));
        }
        record.begin()?;
        if self.count > 0 && self.count < count && !self.sums.decided() {
            let played = plural(self.count.into(), "game", "games");
            listen(Event::note(format!("{} holds {played}; the match goes on after them", path.display())));
        }
        Ok(record)
    }
}
