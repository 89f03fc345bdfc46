//! Plays a match between two sides with different settings, and estimates the error of its score.

use super::data::Number;
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen, refusal};
use super::match_options::{self, BalanceOption, GamesOption, OneOrMore, OpeningPlies, OpeningsOption, SprtOption};
use super::match_record::{self, MatchGames, RecordHeader, ended};
use super::match_reply::{Asked, MatchEnding, Reply, reply};
use super::partial::{Game, SoFar, Which};
use super::search::Search;
use super::sums::Sums;
use super::words::{Whole, plain_reason};
use alphorn_lang::lang::near::nearest;
use alphorn_rules::rules::Expected;
use alphorn_search::game::Game as _;
use alphorn_session::session::contest::{GameRecord, MatchSetup};
use alphorn_session::session::database::{Database, hash_of_texts};
use alphorn_session::session::openings::{MatchOpenings, OpeningSource};
use alphorn_session::session::options::source;
use alphorn_session::session::player::{ExternalEngine, MatchPlayer};
use alphorn_session::session::{Session, SessionResult};
use clap::{Args, Parser};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::error::Error as _;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::LazyLock;

/// The positions per move of a side without a limit.
const NODES: u64 = 1000;

/// The number of games, if none is given.
const GAMES: u32 = 100;

/// The greatest number of games of a test, if none is given.
const SPRT_GAMES: u32 = 100_000;

/// The number of random moves of an opening, if none is given.
const PLIES: u32 = 4;

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
    /// Even number of games, two from each opening (100; with --sprt 100,000), or a file to record them in, such as
    /// games.jsonl, and to continue the match from; may be given twice
    #[arg(long, value_name = "N|FILE")]
    #[serde(with = "match_options::games")]
    #[schemars(with = "OneOrMore")]
    pub games: Vec<GamesOption>,
    /// Stop when this test is decided: elo0=0,elo1=10[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub sprt: Option<SprtOption>,
    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Openings, each for one pair of games: random, initial (the answers of initial/1), or a file with a position
    /// or a list of moves on each line
    #[arg(long, value_name = "SOURCE", default_value_t)]
    pub openings: OpeningsOption,
    /// Random moves at the beginning of each game (4)
    #[arg(long, value_name = "K")]
    pub opening_plies: Option<OpeningPlies>,
    /// Use only openings with |value| <= X in a search of D plies: value=X,depth=D
    #[arg(long, value_name = "FILTER")]
    pub balance: Option<BalanceOption>,
    /// Stop a game N plies after the opening: half a point for each side
    #[arg(long, value_name = "N", default_value = "1000")]
    pub max_plies: Whole<1, 10_000>,
    /// End a game in a position whose value is in this file of solve --save
    #[arg(long, value_name = "FILE")]
    pub adjudicate: Option<PathBuf>,
    /// Games at a time, each with one thread (default: all cores)
    #[arg(long, value_name = "N", visible_alias = "threads")]
    pub jobs: Option<Whole<1, 1024>>,
    /// Add the time of each move to the record of the games
    #[arg(long)]
    pub times: bool,
}

impl Request {
    /// The record of the games, if there is one.
    pub fn record(&self) -> Option<&Path> {
        self.games.iter().find_map(|option| match option {
            GamesOption::File(path) => Some(path.as_path()),
            GamesOption::Count(_) => None,
        })
    }

    /// The number of games.
    pub fn count(&self) -> u32 {
        let usual = if self.sprt.is_some() { SPRT_GAMES } else { GAMES };
        let given = self.games.iter().find_map(|option| match option {
            GamesOption::Count(count) => Some(count.0),
            GamesOption::File(_) => None,
        });
        given.unwrap_or(usual)
    }
}

/// A request for the statistics of a recorded match.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReportRequest {
    /// The record that `match` wrote.
    pub file: PathBuf,
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
                "each game uses one thread; to set the number of games at a time: alphorn match --jobs N".into()
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
            let told = told.trim_start_matches("error: ").to_string();
            let reason = error.source().map(|source| source.to_string()).unwrap_or_default();
            match plain_reason(&reason) {
                Some(plain) => told.replace(&reason, &plain),
                None => told,
            }
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

/// Plays a match.
///
/// # Errors
///
/// The rules or the settings of a side contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    if request.games.len() > 2 || request.games.len() == 2 && request.record().is_none() {
        return Err(refusal(
            "--games is given twice with a number",
            "give one number and one file: --games 200 --games games.jsonl",
        ));
    }
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
    let (source, openings_text) = openings(request)?;
    let plies = match source {
        OpeningSource::Random { plies } => Some(plies),
        _ => None,
    };
    let own = |at: usize| players[at].own.as_ref().map(Session::identity);
    let header = RecordHeader {
        rules: session.identity(),
        a: request.a.text.clone(),
        b: request.b.text.clone(),
        a_rules: own(0),
        b_rules: own(1),
        seed: request.seed,
        openings: request.openings.to_string(),
        openings_text,
        opening_plies: plies.map(u64::from),
        balance: request.balance.map(|balance| balance.to_string()),
        max_plies: request.max_plies.get(),
        adjudicate: request.adjudicate.clone(),
        sprt: request.sprt,
        times: request.times || players.iter().any(|player| player.time.is_some()),
        ..RecordHeader::of(&request.start)
    };
    let known = request.adjudicate.as_ref().map(|path| known(&session, path)).transpose()?;
    let asked = Asked { settings: [&request.a.text, &request.b.text], opening_plies: header.opening_plies };
    let mut games = MatchGames { sums: Sums::new(request.sprt), keys: Vec::new(), count: 0 };
    let mut record = match request.record() {
        Some(path) => Some(games.resume(path, header.clone(), &session, host, (request.count(), listen))?),
        None => None,
    };
    let setup = MatchSetup {
        players,
        openings: MatchOpenings {
            start: &request.start.place(),
            source,
            balance: request.balance.map(|balance| balance.0),
            seed: request.seed,
            played: std::mem::take(&mut games.keys),
            avoided: Vec::new(),
            games: 2,
        },
        played: games.count,
        games: request.count(),
        longest: request.max_plies.get() as u32,
        known,
        threads: Whole::or_cores(request.jobs),
        shuffle: None,
    };
    if games.sums.decided() {
        return Ok(reply(&games.sums, &asked, MatchEnding::Sprt));
    }
    let mut unwritten = None;
    let end = session.contest(&setup, &mut |game| {
        if let Some(Err(failure)) = record.as_mut().map(|record| record.add(&game)) {
            unwritten = Some(failure);
            return ControlFlow::Break(());
        }
        let so_far = games.add(&game);
        if let Some(reason) = &game.forfeit {
            listen(Event::note(format!("game {}: {} loses: {reason}", game.number, game.loser())));
        }
        listen(Event::Game(self::game(&game, so_far)));
        if games.sums.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    match unwritten {
        Some(failure) => Err(failure),
        None => Ok(reply(&games.sums, &asked, end.into())),
    }
}

/// Computes the statistics of a recorded match.
///
/// # Errors
///
/// The file is no record, or cannot be read.
pub fn report(request: &ReportRequest) -> SessionResult<Reply> {
    let mut sums = Sums::default();
    let header = match_record::report(&request.file, &mut |game| {
        sums.add(&game);
    })?;
    sums.sprt = header.sprt;
    let asked = Asked { settings: [&header.a, &header.b], opening_plies: header.opening_plies };
    let ended = if sums.decided() { MatchEnding::Sprt } else { MatchEnding::Record };
    Ok(reply(&sums, &asked, ended))
}

/// The source of the openings, and a hash of its file.
fn openings(request: &Request) -> SessionResult<(OpeningSource, Option<String>)> {
    let plies = request.opening_plies.map(|plies| plies.get() as u32);
    if request.openings != OpeningsOption::Random && plies.is_some() {
        let message = format!("--opening-plies has no effect with --openings {}", request.openings);
        return Err(refusal(message, "random moves are only for --openings random: leave out one of the two options"));
    }
    Ok(match &request.openings {
        OpeningsOption::Random => (OpeningSource::Random { plies: plies.unwrap_or(PLIES) }, None),
        OpeningsOption::Initial => (OpeningSource::Initial, None),
        OpeningsOption::File(name) => {
            let source = source(name)?;
            let hash = format!("{:032x}", hash_of_texts([&*source.text]));
            (OpeningSource::Listed { name: name.clone(), text: source.text.to_string() }, Some(hash))
        }
    })
}

/// The values that end games.
fn known(session: &Session, path: &Path) -> SessionResult<Database> {
    if session.game()?.facts().has_chance {
        return Err(refusal(
            "--adjudicate cannot end a game with chance moves: its values are averages",
            "leave out --adjudicate",
        ));
    }
    Database::open(session, path)
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

/// The event for a game.
pub(super) fn game(record: &GameRecord, so_far: Option<SoFar>) -> Game {
    let (winner, end) = ended(record);
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
