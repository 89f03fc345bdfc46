//! The record of tuning: a file of lines from which an interrupted command goes on.
//!
//! The first line has the settings. The games follow in the order in which they were played, and the steps.
//! A line depends only on the settings and the lines before it. So a continued record is the same, byte for
//! byte, as one that was not interrupted. Games are read instead of played again; steps are computed again.

use crate::protocol::host::Host;
use crate::protocol::partial::TuneStep;
use crate::protocol::record::{line, parsed};
use crate::protocol::recorded_game::{RecordedGame, RecordedPlace};
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::journal::Journal;
use alphorn_session::session::{Session, SessionResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::path::Path;

/// The first line of a record: everything that the other lines depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct TuneHeader {
    /// The kind of the record: `tune` or `dataset`.
    pub record: String,
    /// The version of Alphorn.
    pub version: String,
    /// A hash of the rules with their parameters and overlays.
    pub rules: String,
    /// A hash of the file of positions, or the number of values in the file of solved positions.
    pub data: Option<String>,
    /// The options of the request that change the result: the text of a JSON object.
    pub options: String,
}

/// The parameters that were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct TunedLine {
    /// The parameters with their values.
    pub tuned: Vec<TunedValue>,
}

/// A parameter with the value that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct TunedValue {
    /// The name.
    pub name: String,
    /// The value.
    pub value: i64,
}

/// A line of a record of tuning.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TuneLine {
    /// The first line.
    Header(TuneHeader),
    /// A game of self-play, of SPSA or of the final match.
    Game(Box<RecordedGame>),
    /// A step.
    Step(TuneStep),
    /// The result, before the games of the final match.
    Tuned(TunedLine),
}

/// What to type for a file that is no record of this command.
const OTHER_FILE: &str = "name a file that the same command wrote with --record, or a new file";

/// A record that is continued, or nothing if the request names no file.
pub(super) struct TuneRecord {
    journal: Option<Journal>,
    /// The lines of the file that are not yet used.
    waiting: VecDeque<String>,
}

impl TuneRecord {
    /// Opens a record with these settings, or creates it.
    ///
    /// # Errors
    ///
    /// The file is no such record, or has other settings, or cannot be written.
    pub(super) fn open(
        path: Option<&Path>,
        header: &TuneHeader,
        (session, host): (&Session, &Host<'_>),
    ) -> SessionResult<TuneRecord> {
        let Some(path) = path else { return Ok(TuneRecord { journal: None, waiting: VecDeque::new() }) };
        host.may_write(session, path, None)?;
        let mut journal = Journal::open(path, &session.files())?;
        let mut waiting = VecDeque::new();
        let cut = journal.lines(&mut |_, line| {
            waiting.push_back(line.to_string());
            Ok(())
        })?;
        let first = line(header);
        match waiting.pop_front() {
            Some(there) if there == first => journal.cut()?,
            Some(there) => {
                let differences = parsed::<TuneHeader>(&there).map(|there| differences(&there, header));
                return Err(match differences {
                    Ok(all) => {
                        journal.unusable("the record has other settings", &format!("{OTHER_FILE}\n{}", all.join("\n")))
                    }
                    Err(_) => journal.unusable("it is no record of tuning", OTHER_FILE),
                });
            }
            None if first.as_bytes().starts_with(&cut) => {
                journal.cut()?;
                journal.add(&first)?;
            }
            None => return Err(journal.unusable("it is no record of tuning", OTHER_FILE)),
        }
        Ok(TuneRecord { journal: Some(journal), waiting })
    }

    /// The number of lines that the file holds and that are not yet used.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The next line, if it is the game with this number.
    pub(super) fn next_game(&mut self, number: u32, place: &RecordedPlace) -> Option<GameRecord> {
        let found = parsed::<RecordedGame>(self.waiting.front()?).ok()?;
        let game = found.game(place).ok().filter(|game| game.number == number)?;
        self.waiting.pop_front();
        Some(game)
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn add_game(&mut self, game: &GameRecord, place: RecordedPlace) -> SessionResult<()> {
        self.add(&RecordedGame::of(game, place))
    }

    /// Adds a line, or checks that the file has it already.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or has another line here.
    pub(super) fn add(&mut self, object: &impl Serialize) -> SessionResult<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let text = line(object);
        match self.waiting.pop_front() {
            None => journal.add(&text),
            Some(there) if there == text => Ok(()),
            Some(_) => Err(journal.unusable("a line is not the one that follows from the settings", OTHER_FILE)),
        }
    }
}

/// The settings that differ, each with both values.
fn differences(there: &TuneHeader, here: &TuneHeader) -> Vec<String> {
    let mut found = Vec::new();
    let mut tell = |name: &str, there: &Value, here: &Value| {
        if there != here {
            found.push(format!("{name}: {there} in the file, {here} in this command"));
        }
    };
    tell("record", &there.record.clone().into(), &here.record.clone().into());
    tell("version", &there.version.clone().into(), &here.version.clone().into());
    let [old, new] = [there, here].map(|header| serde_json::from_str::<Value>(&header.options).unwrap_or_default());
    let names = new.as_object().into_iter().chain(old.as_object()).flat_map(|options| options.keys());
    let mut told: Vec<&String> = Vec::new();
    for name in names {
        if !told.contains(&name) {
            told.push(name);
            let of = |options: &'_ Value| options.get(name).cloned().unwrap_or(Value::Null);
            tell(&format!("--{}", name.replace('_', "-")), &of(&old), &of(&new));
        }
    }
    if there.rules != here.rules {
        found.push("the rules, a parameter or an overlay have changed".to_string());
    }
    if there.data != here.data {
        found.push("the file of positions or of values has changed".to_string());
    }
    found
}

/// The header of a record, for a request.
pub(super) fn header(record: &str, session: &Session, data: Option<String>, options: String) -> TuneHeader {
    TuneHeader {
        record: record.to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        rules: session.identity(),
        data,
        options,
    }
}
