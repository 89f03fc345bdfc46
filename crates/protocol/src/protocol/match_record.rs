//! The lines of the record of a match: the settings, and the games.
//!
//! A line depends only on the settings and the number of the game. So a record is the same, byte for byte,
//! whether or not the match was interrupted.

use super::data::{Number, Winner};
use super::form::Start;
use super::host::{Event, Host, Listen, refusal};
use super::match_options::SprtOption;
use super::partial::{Ended, SoFar, Which};
use super::record::{RecordFile, RecordSettings, RecordedPlace, differences};
use super::sums::Sums;
use alphorn_lab::arena::GameEnd;
use alphorn_search::game::Side as Player;
use alphorn_session::session::contest::{GameRecord, PlayerCost};
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

/// The line of a game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedGame {
    /// The number of the game, from 1.
    #[schemars(range(min = 1))]
    pub game: u32,
    /// The number of the pair among the pairs of A and B, from 1. The seed and the number of the pair are the seed
    /// of its random opening and of its chance moves.
    #[schemars(range(min = 1))]
    pub pair: u32,
    /// The seed of the match or the tournament.
    pub seed: u64,
    /// The names of A and B. Missing in a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<[String; 2]>,
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
    /// The line of a game.
    pub(super) fn of(game: &GameRecord, place: RecordedPlace) -> RecordedGame {
        let (winner, end) = ended(game);
        let searches = || game.searches.iter().map(Option::as_ref);
        let value = |value: alphorn_search::game::Score| Number(value.to_number());
        let milliseconds = |seconds: f64| (seconds * 1e3).round() / 1e3;
        let times = || searches().map(|search| search.map(|search| milliseconds(search.seconds))).collect();
        RecordedGame {
            game: game.number,
            pair: place.pair,
            seed: place.seed,
            sides: place.sides,
            max: if game.max == 0 { Which::A } else { Which::B },
            position: game.start.clone(),
            opening: game.opening.clone(),
            moves: game.moves.clone(),
            values: searches().map(|search| search.and_then(|search| search.value).map(value)).collect(),
            nodes: searches().map(|search| search.map(|search| search.nodes)).collect(),
            times: place.times.then(times),
            outcome: winner.into(),
            end,
            forfeit: game.forfeit.clone(),
            points: Number(game.points()),
            key: format!("{:032x}", game.key),
            a: game.thoughts[0].into(),
            b: game.thoughts[1].into(),
        }
    }

    /// The game, without its searches.
    ///
    /// # Errors
    ///
    /// The key that is wrong.
    pub(super) fn game(self, place: &RecordedPlace) -> Result<GameRecord, &'static str> {
        if self.sides != place.sides {
            return Err("sides");
        }
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
    ) -> SessionResult<RecordFile<RecordHeader>> {
        host.may_write(session, path, None)?;
        let mut record = RecordFile::open(path, header, &session.files(), &mut |game| {
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
