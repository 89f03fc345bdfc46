//! Plays a match between two sides with different settings, and estimates the error of its score.

use super::data::{Number, rounded};
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen};
use super::partial::{Ended, Game, SoFar, Which};
use super::search::Search;
use super::sums::Sums;
use super::words::Whole;
use alphorn_lab::arena::GameEnd;
use alphorn_lab::arena::score::{MatchEstimate, estimate};
use alphorn_lang::lang::near::nearest;
use alphorn_rules::rules::Expected;
use alphorn_search::game::Side as Player;
use alphorn_session::session::contest::{GameRecord, MatchSetup, PlayerCost};
use alphorn_session::session::external::ExternalEngine;
use alphorn_session::session::player::MatchPlayer;
use alphorn_session::session::{Session, SessionResult};
use clap::{Args, Parser};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// The positions per move of a side without a limit.
const NODES: u64 = 1000;

/// The default size of a side's table, in megabytes.
const HASH: u64 = 16;

/// A request for a match.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position in which the openings begin.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game, for the rules that decide which moves are legal and who wins.
    pub form: Form,
    /// Options of player A, as for alphorn value: '--depth 4 --with mine.pl' (default limit: 1,000 positions a move); or engine:COMMAND, an external engine
    #[arg(long, value_name = "SETTINGS", default_value = "", allow_hyphen_values = true)]
    pub a: Side,
    /// Options of player B
    #[arg(long, value_name = "SETTINGS", default_value = "", allow_hyphen_values = true)]
    pub b: Side,
    /// Number of games, an even number: two from each opening, with swapped sides
    #[arg(long, value_name = "N", default_value = "100")]
    pub games: Even,
    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Random moves at the beginning of each game
    #[arg(long, value_name = "K", default_value = "4")]
    pub opening_plies: Whole<0, 1000>,
    /// Stop a game N plies after the opening: half a point for each side
    #[arg(long, value_name = "N", default_value = "1000")]
    pub max_plies: Whole<1, 10_000>,
    /// Games at a time, each with one thread (default: all cores)
    #[arg(long, value_name = "N")]
    pub threads: Option<Whole<1, 1024>>,
}

command_line_defaults!(Request);

/// One side of a match: its options, as text and as fields.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// The text of the options.
    pub text: String,
    /// The form of the game that the side searches.
    pub form: Form,
    /// The search options.
    pub search: Search,
    /// The program and the arguments of an external engine, which plays in place of a search.
    pub engine: Option<Vec<String>>,
}

/// The beginning of the command of an external engine.
const ENGINE: &str = "engine:";

/// The options of a side.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Options {
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    search: Search,
}

/// The options of a player as JSON fields.
#[derive(Deserialize, JsonSchema)]
#[serde(default)]
#[derive(Default)]
struct Fields {
    #[serde(flatten)]
    form: Form,
    #[serde(flatten)]
    search: Search,
}

/// The names of the fields of a side.
static FIELDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let schema = schemars::schema_for!(Fields);
    let fields = schema.get("properties").and_then(serde_json::Value::as_object);
    fields.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
});

impl Side {
    fn checked(self) -> Result<Side, String> {
        if let Some(command) = &self.engine {
            self.check_engine(command)?;
        }
        if let Some(idle) = self.search.idle().pop() {
            return Err(idle);
        }
        if self.search.threads.is_some_and(|threads| threads.get() > 1) {
            return Err(
                "each game uses one thread; to set the number of games at a time: alphorn match --threads N".into()
            );
        }
        Ok(self)
    }

    /// Checks that the options before the command of an engine are those that an engine heeds.
    fn check_engine(&self, command: &[String]) -> Result<(), String> {
        if command.iter().all(String::is_empty) {
            return Err("write the command after engine: such as engine:stockfish".to_string());
        }
        let Search { depth, time, nodes, .. } = self.search;
        let limits = Search { depth, time, nodes, ..Search::default() };
        let json = |search: &Search| serde_json::to_value(search).unwrap_or_default();
        match json(&self.search) == json(&limits)
            && self.form.overlays.is_empty()
            && self.form.steps.is_none()
            && self.form.memory.is_none()
        {
            true => Ok(()),
            false => Err("an engine heeds only --depth, --nodes, --time and -p NAME=VALUE before engine:".to_string()),
        }
    }

    /// The external engine of the side.
    fn external(&self) -> Option<ExternalEngine> {
        let command = self.engine.clone()?;
        Some(ExternalEngine { command, options: self.form.params.clone() })
    }
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Side, String> {
        let mut words = shlex::split(text).ok_or("a quote is not closed, or the text ends with a backslash")?;
        let command = words.iter().position(|word| word.starts_with(ENGINE)).map(|at| words.split_off(at));
        let Options { form, search } = Options::try_parse_from(words).map_err(|error| {
            let message = error.to_string();
            let told = message.split("\n\nUsage").next().unwrap_or("").trim();
            told.trim_start_matches("error: ").to_string()
        })?;
        let engine = command.map(|mut command| {
            command[0].drain(..ENGINE.len());
            command
        });
        Side { text: text.trim().to_string(), form, search, engine }.checked()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        if let serde_json::Value::String(text) = &value {
            return text.parse().map_err(D::Error::custom);
        }
        let text = value.to_string();
        let unknown = |key: &&String| !FIELDS.contains(key);
        if let Some(key) = value.as_object().and_then(|fields| fields.keys().find(unknown)) {
            let near = nearest(key, FIELDS.iter().map(String::as_str));
            let help = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
            return Err(D::Error::custom(format!("a side has no field \"{key}\"{help}")));
        }
        let Fields { form, search } = serde_json::from_value(value).map_err(D::Error::custom)?;
        Side { text, form, search, engine: None }.checked().map_err(D::Error::custom)
    }
}

impl JsonSchema for Side {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SideOptions".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let fields = Fields::json_schema(generator);
        schemars::json_schema!({ "anyOf": [{ "type": "string" }, fields] })
    }
}

/// An even number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Even(u32);

impl Even {
    fn of(number: Option<u64>) -> Result<Even, String> {
        match number.filter(|number| (2..=1_000_000).contains(number)) {
            Some(number) if number % 2 == 0 => Ok(Even(number as u32)),
            Some(number) => Err(format!(
                "each opening is played twice, once with swapped sides: write {} or {}",
                number - 1,
                number + 1
            )),
            None => Err("write an even number from 2 to 1000000".to_string()),
        }
    }
}

impl FromStr for Even {
    type Err = String;

    fn from_str(text: &str) -> Result<Even, String> {
        Even::of(text.parse().ok())
    }
}

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Even::of(Some(u64::deserialize(deserializer)?)).map_err(D::Error::custom)
    }
}

impl JsonSchema for Even {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Even".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 2, "maximum": 1_000_000, "multipleOf": 2 })
    }
}

/// The result of a match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The number of finished games, without a game whose pair is not finished.
    pub games: u64,
    /// The number of games won by A.
    pub wins: u64,
    /// The number of drawn games, including games stopped because of their length.
    pub draws: u64,
    /// The number of games lost by A.
    pub losses: u64,
    /// The share of the points that A won, from 0 to 1; a draw is half a point. Null if no pair is finished.
    #[schemars(range(min = 0, max = 1))]
    pub score: Option<Number>,
    /// The standard error of the score; null if fewer than two pairs are finished.
    #[schemars(range(min = 0))]
    pub standard_error: Option<Number>,
    /// The lower end of the 95 % interval of the score; null if fewer than two pairs are finished.
    #[schemars(range(min = 0, max = 1))]
    pub low: Option<Number>,
    /// The upper end of the 95 % interval of the score; null if fewer than two pairs are finished.
    #[schemars(range(min = 0, max = 1))]
    pub high: Option<Number>,
    /// Whether all pairs had equal results; the rule of three then gives the interval.
    pub alike: bool,
    /// The number of different positions in which the players began to move.
    pub openings: usize,
    /// The number of pairs in which the second game, with the sides swapped, had the moves of the first game.
    pub same_moves: u64,
    /// The mean length of a game with its opening, in plies; null if no pair is finished.
    #[schemars(range(min = 0))]
    pub plies: Option<Number>,
    /// The number of games stopped because of their length.
    pub unfinished: u64,
    /// Player A.
    pub a: Played,
    /// Player B.
    pub b: Played,
    /// Whether an interrupt stopped the match; all counts are those of finished pairs.
    pub stopped: bool,
}

/// The settings and the searches of one player.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Played {
    /// The options of the player, as in the request.
    pub settings: String,
    /// The number of moves that the player searched.
    pub moves: u64,
    /// The mean depth of the searches, in plies; null without a move. An unfinished search counts the depth
    /// it reached.
    #[schemars(range(min = 0))]
    pub depth: Option<Number>,
    /// The mean number of positions visited for a move; null without a move.
    #[schemars(range(min = 0))]
    pub nodes: Option<Number>,
    /// The number of moves that the player searched because `--advice strict` found no advice table.
    pub unadvised: u64,
}

/// Plays a match.
///
/// # Errors
///
/// The rules or the settings of a side contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let session = host.session(&request.form, Expected::Game, &host.stop, listen)?;
    let players = [player(&request.a, request, host)?, player(&request.b, request, host)?];
    for (name, player) in ["A", "B"].into_iter().zip(&players) {
        if let Some(engine) = &player.engine {
            engine.check()?;
            continue;
        }
        let thinks = player.own.as_ref().unwrap_or(&session);
        if let Some(idle) = thinks.unheeded(player.advice) {
            listen(Event::note(format!("{name}: {idle}")));
        }
    }
    let opening_plies = request.opening_plies.get() as u32;
    let contest = MatchSetup {
        players,
        start: &request.start.place(),
        games: request.games.0,
        seed: request.seed,
        opening_plies,
        longest: opening_plies + request.max_plies.get() as u32,
        threads: Whole::or_cores(request.threads),
    };
    let sums = RefCell::new(Sums::default());
    let whole = session.contest(&contest, &mut |record| {
        let so_far = sums.borrow_mut().add(&record);
        if let Some(reason) = &record.forfeit {
            listen(Event::note(format!("game {}: {} loses: {reason}", record.number, record.loser())));
        }
        listen(Event::Game(game(&record, so_far)));
    })?;
    Ok(reply(&sums.into_inner(), request, !whole))
}

/// A side with its own options and those of the match.
fn player(side: &Side, request: &Request, host: &Host<'_>) -> SessionResult<MatchPlayer> {
    let search = &side.search;
    let limits = [search.depth.is_some(), search.time.is_some(), search.nodes.is_some(), search.sample.games.is_some()];
    let bounded = limits.contains(&true);
    let engine = side.external();
    let own = match &engine {
        Some(_) => None,
        None => own_rules(&side.form, &request.form, host)?,
    };
    Ok(MatchPlayer {
        engine,
        own,
        algorithm: search.algorithm.0,
        hash: search.hash.map_or(HASH, Whole::get) << 20,
        seed: search.seed,
        heuristic: search.heuristic,
        advice: search.advice.0,
        depth: search.depth,
        nodes: search.nodes.or((!bounded).then_some(NODES)),
        time: search.time.map(|time| time.0),
        backup: search.risk.backup(),
        games: search.games(),
        growth: search.growth(),
    })
}

/// The rules that a side searches, if they differ from those of the match.
fn own_rules(own: &Form, common: &Form, host: &Host<'_>) -> SessionResult<Option<Session>> {
    if own.change().is_empty() {
        return Ok(None);
    }
    // The later of two values of a parameter takes precedence.
    let form = Form {
        params: [&common.params[..], &own.params].concat(),
        overlays: [&common.overlays[..], &own.overlays].concat(),
        steps: own.steps.or(common.steps),
        memory: own.memory.or(common.memory),
    };
    host.session(&form, Expected::Game, &host.stop, &|_| {}).map(Some)
}

fn game(record: &GameRecord, so_far: Option<SoFar>) -> Game {
    let (winner, end) = match record.end {
        GameEnd::Over(winner) if record.forfeit.is_some() => (winner, Ended::Forfeit),
        GameEnd::Over(winner) => (winner, Ended::Rules),
        GameEnd::Repeated => (None, Ended::Repetition),
        GameEnd::Unfinished => (None, Ended::Unfinished),
    };
    let winner: Option<Player> = winner;
    Game {
        game: record.number,
        max: if record.max == 0 { Which::A } else { Which::B },
        position: record.start.clone(),
        opening: record.opening.clone(),
        moves: record.moves.clone(),
        outcome: winner.into(),
        end,
        forfeit: record.forfeit.clone(),
        points: Number(record.points()),
        so_far,
    }
}

/// The reply of a match with these games.
fn reply(sums: &Sums, request: &Request, stopped: bool) -> Reply {
    let found = estimate(&sums.shares);
    let interval = found.and_then(|found| found.interval);
    let number = |value: Option<f64>| value.map(rounded);
    let side = |side: &Side, thought: &PlayerCost| Played {
        settings: side.text.clone(),
        moves: thought.moves,
        depth: mean(thought.depths, thought.moves),
        nodes: mean(thought.nodes, thought.moves),
        unadvised: thought.unadvised,
    };
    let games = 2 * sums.shares.len() as u64;
    let [wins, draws, losses] = sums.results;
    Reply {
        games,
        wins,
        draws,
        losses,
        score: number(found.map(|found| found.mean)),
        standard_error: number(found.and_then(|found| found.error)),
        low: number(interval.map(|(low, _)| low)),
        high: number(interval.map(|(_, high)| high)),
        alike: matches!(found, Some(MatchEstimate { alike: true, .. })),
        openings: sums.openings.len(),
        same_moves: sums.same,
        plies: mean(sums.plies, games),
        unfinished: sums.unfinished,
        a: side(&request.a, &sums.thoughts[0]),
        b: side(&request.b, &sums.thoughts[1]),
        stopped,
    }
}

fn mean(sum: u64, count: u64) -> Option<Number> {
    (count > 0).then(|| rounded(sum as f64 / count as f64))
}
