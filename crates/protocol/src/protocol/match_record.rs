//! The record of a match: a file with a line of settings and a line for each game, as JSON.
//!
//! It writes finished games in their order, reads them again, and says which settings differ. A record is
//! the same, byte for byte, whether or not the match was interrupted, because a line depends only on the
//! settings and the number of the game.

use super::data::{Number, SCHEMA, Winner};
use super::form::Start;
use super::host::{Event, Host, Listen, refusal};
use super::match_options::SprtOption;
use super::partial::{Ended, SoFar, Which};
use super::sums::Sums;
use alphorn_lab::arena::GameEnd;
use alphorn_search::game::Side as Player;
use alphorn_session::session::contest::{GameRecord, PlayerCost};
use alphorn_session::session::journal::Journal;
use alphorn_session::session::{Session, SessionResult};
use alphorn_text::report::plural;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The name of this kind of record.
const KIND: &str = "match";

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
    /// The sequential test.
    pub sprt: Option<SprtOption>,
    /// Whether the lines of games have times.
    pub times: bool,
}

impl RecordHeader {
    /// A header with the version of this program and the first position.
    pub(super) fn of(start: &Start) -> RecordHeader {
        RecordHeader {
            record: KIND.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            position: start.position.as_ref().map(|term| term.0.clone()),
            at: start.place.at.clone(),
            opening: start.place.opening,
            moves: start.place.moves.clone(),
            ..RecordHeader::default()
        }
    }

    /// The settings that differ, each with both values: `seed: 1 in the file, 2 in this command`.
    fn differences(&self, wanted: &RecordHeader) -> Vec<String> {
        let fields = |header: &RecordHeader| serde_json::to_value(header).unwrap_or_default();
        let (here, there) = (fields(self), fields(wanted));
        let named = |name: &String| match name.as_str() {
            "rules" => "the rules of the match, a parameter or an overlay have changed".to_string(),
            "a_rules" => "the rules of A, a parameter or an overlay have changed".to_string(),
            "b_rules" => "the rules of B, a parameter or an overlay have changed".to_string(),
            "openings_text" => "the file of openings has changed".to_string(),
            name => format!("{}: {} in the file, {} in this command", option(name), here[name], there[name]),
        };
        let keys = there.as_object().into_iter().flat_map(|fields| fields.keys());
        keys.filter(|name| here[name.as_str()] != there[name.as_str()]).map(named).collect()
    }
}

/// The option of the command line for a key of the header.
fn option(key: &str) -> String {
    match key {
        "version" => key.to_string(),
        key => format!("--{}", key.replace('_', "-")),
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

/// The line of a game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedGame {
    /// The number of the game, from 1.
    #[schemars(range(min = 1))]
    pub game: u32,
    /// The number of the pair, from 1. The seed of the match and the number of the pair are the seed of its
    /// random opening and of its chance moves.
    #[schemars(range(min = 1))]
    pub pair: u32,
    /// The seed of the match.
    pub seed: u64,
    /// The player who was MAX.
    pub max: Which,
    /// The position in which the game began.
    pub position: String,
    /// The labels of the moves of the opening; a number for each chance move.
    pub opening: Vec<String>,
    /// The labels of the moves after the opening; a number for each chance move.
    pub moves: Vec<String>,
    /// The value for MAX that the player found before each of `moves`; null for a chance move, or without a
    /// search.
    pub values: Vec<Option<Number>>,
    /// The number of positions visited for each of `moves`; null for a chance move.
    pub nodes: Vec<Option<u64>>,
    /// The time for each of `moves` in seconds; null for a chance move. Missing unless the header has `times`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<Option<f64>>>,
    /// The winner, or `draw`.
    pub outcome: Winner,
    /// The way in which the game ended.
    pub end: Ended,
    /// Why the loser forfeited the game. Missing unless an external engine did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// The points of A: 1, 0.5 or 0.
    pub points: Number,
    /// A hash of the position after the opening.
    pub key: String,
    /// The searches of A.
    pub a: SearchCosts,
    /// The searches of B.
    pub b: SearchCosts,
}

/// The sums of the searches of a player in one game.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchCosts {
    /// The number of searched moves.
    pub moves: u64,
    /// The sum of the depths.
    pub depths: u64,
    /// The number of visited positions.
    pub nodes: u64,
    /// The number of moves that `--advice strict` had no advice for.
    pub unadvised: u64,
}

impl From<PlayerCost> for SearchCosts {
    fn from(PlayerCost { moves, depths, nodes, unadvised }: PlayerCost) -> SearchCosts {
        SearchCosts { moves, depths, nodes, unadvised }
    }
}

impl From<SearchCosts> for PlayerCost {
    fn from(SearchCosts { moves, depths, nodes, unadvised }: SearchCosts) -> PlayerCost {
        PlayerCost { moves, depths, nodes, unadvised }
    }
}

/// The winner of a game and the way in which it ended.
pub(super) fn ended(game: &GameRecord) -> (Option<Player>, Ended) {
    let way = match game.end {
        GameEnd::Over(_) if game.forfeit.is_some() => Ended::Forfeit,
        GameEnd::Over(_) => Ended::Rules,
        GameEnd::Repeated => Ended::Repetition,
        GameEnd::Unfinished => Ended::Unfinished,
        GameEnd::Adjudicated(_) => Ended::Adjudicated,
    };
    (game.end.winner(), way)
}

impl RecordedGame {
    /// The line of a game of a match with this seed; `times` adds the time of each move.
    pub(super) fn of(game: &GameRecord, seed: u64, times: bool) -> RecordedGame {
        let (winner, end) = ended(game);
        let searches = || game.searches.iter().map(Option::as_ref);
        let value = |value: alphorn_search::game::Score| Number(value.to_number());
        let milliseconds = |seconds: f64| (seconds * 1e3).round() / 1e3;
        let each_time = || searches().map(|search| search.map(|search| milliseconds(search.seconds))).collect();
        RecordedGame {
            game: game.number,
            pair: game.number.div_ceil(2),
            seed,
            max: if game.max == 0 { Which::A } else { Which::B },
            position: game.start.clone(),
            opening: game.opening.clone(),
            moves: game.moves.clone(),
            values: searches().map(|search| search.and_then(|search| search.value).map(value)).collect(),
            nodes: searches().map(|search| search.map(|search| search.nodes)).collect(),
            times: times.then(each_time),
            outcome: winner.into(),
            end,
            forfeit: game.forfeit.clone(),
            points: Number(game.points()),
            key: format!("{:032x}", game.key),
            a: game.thoughts[0].into(),
            b: game.thoughts[1].into(),
        }
    }

    /// The game, without its searches. Errs with the key that is wrong.
    pub(super) fn game(self) -> Result<GameRecord, &'static str> {
        let winner = match self.outcome {
            Winner::Max => Some(Player::Max),
            Winner::Min => Some(Player::Min),
            Winner::Draw => None,
        };
        let end = match self.end {
            Ended::Rules | Ended::Forfeit => GameEnd::Over(winner),
            Ended::Adjudicated => GameEnd::Adjudicated(winner),
            Ended::Repetition => GameEnd::Repeated,
            Ended::Unfinished => GameEnd::Unfinished,
        };
        let game = GameRecord {
            number: self.game,
            max: usize::from(self.max == Which::B),
            start: self.position,
            opening: self.opening,
            moves: self.moves,
            key: u128::from_str_radix(&self.key, 16).map_err(|_| "key")?,
            end,
            searches: Vec::new(),
            forfeit: self.forfeit,
            thoughts: [self.a.into(), self.b.into()],
        };
        match game.points() == self.points.0 && game.end.winner() == winner {
            true => Ok(game),
            false => Err("points"),
        }
    }
}

/// The record of a match, open for the games to come.
pub(super) struct MatchRecord {
    journal: Journal,
    header: RecordHeader,
    /// The settings and games that are already in the file, if it was not empty.
    empty: bool,
}

/// What to type for a file that is no record.
const OTHER_FILE: &str = "name a file that alphorn match --games FILE wrote, or a new file";

impl MatchRecord {
    /// Opens the record of a match with these settings, or creates it. Gives the games that it holds to `each`.
    ///
    /// # Errors
    ///
    /// The file is no record, or has other settings, or cannot be written.
    pub(super) fn open(
        path: &Path,
        header: RecordHeader,
        rules: &[PathBuf],
        each: &mut dyn FnMut(GameRecord),
    ) -> SessionResult<MatchRecord> {
        let mut journal = Journal::open(path, rules)?;
        let mut found = None;
        let check = |there: &RecordHeader| {
            let differences = there.differences(&header);
            let told = |differences: &[String]| format!("{OTHER_FILE}\n{}", differences.join("\n"));
            match differences.as_slice() {
                [] => Ok(()),
                all => Err(("the record has other settings".to_string(), told(all))),
            }
        };
        let cut = read(
            &mut journal,
            &mut |there| {
                found = Some(there.clone());
                check(there)
            },
            each,
        )?;
        let line = line(&header);
        if found.is_none() && !line.as_bytes().starts_with(&cut) {
            return Err(journal.unusable("it is no record of a match", OTHER_FILE));
        }
        Ok(MatchRecord { journal, header, empty: found.is_none() })
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
        self.journal.add(&line(&RecordedGame::of(game, self.header.seed, self.header.times)))
    }
}

/// Reads a record. Gives its games to `each` and returns its settings.
///
/// # Errors
///
/// The file is no record, or cannot be read.
pub(super) fn report(path: &Path, each: &mut dyn FnMut(GameRecord)) -> SessionResult<RecordHeader> {
    let mut journal = Journal::open_to_read(path)?;
    let mut found = None;
    read(
        &mut journal,
        &mut |header| {
            found = Some(header.clone());
            Ok(())
        },
        each,
    )?;
    found.ok_or_else(|| journal.unusable("it is no record of a match", OTHER_FILE))
}

/// Why a header is refused: the reason, and what to type.
type HeaderRefusal = (String, String);

/// Reads the lines of a record.
fn read(
    journal: &mut Journal,
    check: &mut dyn FnMut(&RecordHeader) -> Result<(), HeaderRefusal>,
    each: &mut dyn FnMut(GameRecord),
) -> SessionResult<Vec<u8>> {
    let mut wrong: Option<HeaderRefusal> = None;
    let mut games = 0;
    let cut = journal.lines(&mut |number, line| {
        if wrong.is_some() {
            return Ok(());
        }
        let told = if number == 1 {
            match parsed::<RecordHeader>(line) {
                Ok(header) if header.record == KIND => check(&header),
                _ => Err(("it is no record of a match".to_string(), OTHER_FILE.to_string())),
            }
        } else {
            let found = parsed::<RecordedGame>(line);
            let game = found.and_then(|game| game.game().map_err(|key| format!("`{key}` is wrong")));
            match game {
                Ok(game) if game.number == games + 1 => {
                    games += 1;
                    each(game);
                    Ok(())
                }
                Ok(game) => Err(format!("game {} comes after game {games}", game.number)),
                Err(why) => Err(why),
            }
            .map_err(|why| (format!("line {number} is not the next game: {why}"), OTHER_FILE.to_string()))
        };
        wrong = told.err();
        Ok(())
    })?;
    match wrong {
        Some((what, help)) => Err(journal.unusable(&what, &help)),
        None => Ok(cut),
    }
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
    ) -> SessionResult<MatchRecord> {
        host.may_write(session, path, None)?;
        let mut record = MatchRecord::open(path, header, &session.files(), &mut |game| {
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
