//! The record of a match or a tournament: a file with a line of settings and a line for each game, as JSON.
//!
//! It writes finished games in their order, reads them again, and says which settings differ. It does not know
//! what the settings mean.

use super::contest_games::ContestGames;
use super::data::SCHEMA;
use super::partial::Standing;
use super::recorded_game::{RecordedGame, RecordedPlace};
use alphorn_session::session::SessionResult;
use alphorn_session::session::game_record::GameRecord;
use alphorn_session::session::journal::{CutLine, Journal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The first line of a record: everything that the games depend on.
pub(super) trait RecordSettings: Serialize + DeserializeOwned + Clone {
    /// The name of this kind of record, and of the command that writes it.
    const KIND: &'static str;

    /// What the number of `--games` means, if it is not the number of all games.
    const GAMES_OPTION: &'static str = "";

    /// The settings that differ from those of a command, each as a sentence with both values.
    fn differences(&self, wanted: &Self) -> Vec<String>;

    /// Whether games can have these settings. A file can hold any.
    fn is_sound(&self) -> bool {
        true
    }

    /// What the line of a game repeats of the settings. The number of the game counts from 1.
    fn place(&self, number: u32) -> RecordedPlace;

    /// The games and the points of the sides, if there are more than A and B.
    fn standings(&self, _: &ContestGames) -> Option<Vec<Standing>> {
        None
    }
}

/// The settings that differ, each with both values: `seed: 1 in the file, 2 in this command`. `named` gives other
/// words for a key.
pub(super) fn differences<H: RecordSettings>(
    here: &H,
    wanted: &H,
    named: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let fields = |header: &H| serde_json::to_value(header).unwrap_or_default();
    let (here, there) = (fields(here), fields(wanted));
    let words = |name: &String| match (name.as_str(), named(name)) {
        (_, Some(words)) => words,
        ("rules", None) => format!("the rules of the {}, a parameter or an overlay have changed", H::KIND),
        ("openings_text", None) => "the file of openings has changed".to_string(),
        ("adjudicate_values", None) => "the file of --adjudicate has changed".to_string(),
        ("version", None) => format!("{name}: {} in the file, {} in this command", here[name], there[name]),
        _ => format!("--{}: {} in the file, {} in this command", name.replace('_', "-"), here[name], there[name]),
    };
    let keys = there.as_object().into_iter().flat_map(|fields| fields.keys());
    keys.filter(|name| here[name.as_str()] != there[name.as_str()]).map(words).collect()
}

/// A record, open for the games to come.
pub(super) struct RecordWriter<H> {
    journal: Journal,
    header: H,
    /// Whether nothing is in the file, not even the settings.
    empty: bool,
}

/// What to type for a file that is no record of this kind.
fn other_file<H: RecordSettings>() -> String {
    format!("name a file that alphorn {} --games FILE wrote, or a new file", H::KIND)
}

/// What a file is that is no record of this kind. `found` is the kind in its first line.
fn no_record<H: RecordSettings>(found: Option<&str>) -> String {
    match found {
        Some(kind @ ("match" | "tournament")) => format!("it is the record of a {kind}, not of a {}", H::KIND),
        _ => format!("it is no record of a {}", H::KIND),
    }
}

impl<H: RecordSettings> RecordWriter<H> {
    /// Opens the record with these settings, or creates it. Gives the games that it holds to `each`.
    ///
    /// # Errors
    ///
    /// The file is no record, or has other settings, or cannot be written.
    pub(super) fn open(
        path: &Path,
        header: H,
        rules: &[PathBuf],
        each: &mut dyn FnMut(GameRecord),
    ) -> SessionResult<RecordWriter<H>> {
        let mut journal = Journal::open(path, rules)?;
        let check = |there: &H| match there.differences(&header).as_slice() {
            [] => Ok(()),
            all => {
                let help = format!("{}\n{}", other_file::<H>(), all.join("\n"));
                Err(("the record has other settings".to_string(), help))
            }
        };
        let (found, cut) = read(&mut journal, &mut |there| check(there), &mut |_, game| each(game))?;
        if found.is_none() && !line(&header).as_bytes().starts_with(&cut) {
            return Err(journal.unusable(&no_record::<H>(None), &other_file::<H>()));
        }
        Ok(RecordWriter { journal, header, empty: found.is_none() })
    }

    /// Prepares the file for games: removes a line that was not written completely, and writes the settings.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn begin(&mut self) -> SessionResult<()> {
        self.journal.cut()?;
        match std::mem::take(&mut self.empty) {
            true => self.journal.add(&line(&self.header)),
            false => Ok(()),
        }
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn add(&mut self, game: &GameRecord) -> SessionResult<()> {
        self.journal.add(&line(&RecordedGame::of(game, self.header.place(game.number))))
    }
}

/// Reads a record. Gives its games to `each` and returns its settings.
///
/// # Errors
///
/// The file is no record, or cannot be read.
pub(super) fn report<H: RecordSettings>(path: &Path, each: &mut dyn FnMut(&H, GameRecord)) -> SessionResult<H> {
    let mut journal = Journal::open_to_read(path)?;
    let (header, _) = read(&mut journal, &mut |_| Ok(()), each)?;
    header.ok_or_else(|| journal.unusable(&no_record::<H>(None), &other_file::<H>()))
}

/// Why a header is refused: the reason, and what to type.
type HeaderRefusal = (String, String);

/// Reads the lines of a record: its settings, and the beginning of an incomplete last line.
fn read<H: RecordSettings>(
    journal: &mut Journal,
    check: &mut dyn FnMut(&H) -> Result<(), HeaderRefusal>,
    each: &mut dyn FnMut(&H, GameRecord),
) -> SessionResult<(Option<H>, CutLine)> {
    let mut wrong: Option<HeaderRefusal> = None;
    let mut found: Option<H> = None;
    let mut games = 0;
    let cut = journal.lines(&mut |number, line| {
        if wrong.is_some() {
            return Ok(());
        }
        let refused = match &found {
            None => header(line).and_then(|header| {
                check(&header)?;
                found = Some(header);
                Ok(())
            }),
            Some(header) => match game(line, header, games) {
                Ok(game) => {
                    games += 1;
                    each(header, game);
                    Ok(())
                }
                Err(why) => Err((format!("line {number} is not the next game: {why}"), other_file::<H>())),
            },
        };
        wrong = refused.err();
        Ok(())
    })?;
    match wrong {
        Some((what, help)) => Err(journal.unusable(&what, &help)),
        None => Ok((found, cut)),
    }
}

/// The settings in the first line.
fn header<H: RecordSettings>(line: &str) -> Result<H, HeaderRefusal> {
    let kind = parsed::<Value>(line).ok().and_then(|fields| fields["record"].as_str().map(str::to_string));
    let header = parsed::<H>(line).ok().filter(|header| kind.as_deref() == Some(H::KIND) && header.is_sound());
    header.ok_or_else(|| {
        let other = kind.filter(|kind| kind != H::KIND);
        (no_record::<H>(other.as_deref()), other_file::<H>())
    })
}

/// The game in a line after this number of games.
fn game<H: RecordSettings>(line: &str, header: &H, games: u32) -> Result<GameRecord, String> {
    let game = parsed::<RecordedGame>(line)?;
    if game.game != games + 1 {
        return Err(format!("game {} comes after game {games}", game.game));
    }
    let place = header.place(game.game);
    game.game(&place).map_err(|key| format!("`{key}` is wrong"))
}

/// A line of JSON without its end, with its schema.
pub(super) fn line(object: &impl Serialize) -> String {
    let mut fields = Map::new();
    fields.insert("schema".into(), SCHEMA.into());
    if let Ok(Value::Object(found)) = serde_json::to_value(object) {
        fields.extend(found);
    }
    Value::Object(fields).to_string()
}

/// The object of a line.
pub(super) fn parsed<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    let mut object: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    match object.as_object_mut().and_then(|fields| fields.remove("schema")) {
        Some(version) if version == SCHEMA => serde_json::from_value(object).map_err(|error| error.to_string()),
        _ => Err(format!("`schema` is not {SCHEMA}")),
    }
}
