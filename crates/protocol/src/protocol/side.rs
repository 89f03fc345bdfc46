//! One side of a match or a tournament: its options, as text or as JSON fields, and the player that they make.

use super::form::Form;
use super::host::{Event, Host, Listen};
use super::match_options::ClockOption;
use super::search::Search;
use super::words::{Whole, plain_reason};
use alphorn_lang::lang::near::nearest;
use alphorn_rules::rules::Expected;
use alphorn_session::session::player::{ExternalEngine, MatchPlayer};
use alphorn_session::session::{Failure, Session, SessionResult};
use alphorn_text::report::Severity;
use clap::Parser;
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::error::Error as _;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// The positions per move of a side without a limit.
const NODES: u64 = 1000;

/// The default size of a side's table, in megabytes.
const HASH: u64 = 16;

/// One side of a match: its options, as text and as fields.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// The text of the options.
    pub text: String,
    /// The form of the game that the side searches.
    pub form: Form,
    /// The search options.
    pub search: Search,
    /// The time for all moves of a game.
    pub clock: Option<ClockOption>,
    /// The program and the arguments of an external engine, which plays in place of a search.
    pub engine: Option<Vec<String>>,
}

/// The beginning of the command of an external engine.
pub(super) const ENGINE: &str = "engine:";

/// The options of a side.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Options {
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    search: Search,
    #[arg(long, value_name = "SECONDS[+SECONDS]", conflicts_with = "time")]
    clock: Option<ClockOption>,
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
    /// The seconds for all moves of a game, and those that each move adds: `60+0.6`.
    clock: Option<ClockOption>,
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
        if self.search.time.is_some() && self.clock.is_some() {
            return Err("--time limits each move and --clock all moves of a game: leave out one of the two".into());
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
            false => {
                Err("an engine heeds only --depth, --nodes, --time, --clock and -p NAME=VALUE before engine:"
                    .to_string())
            }
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
        let bare = words.first().filter(|word| !word.starts_with('-')).map(|word| word.replacen('=', " ", 1));
        let Options { form, search, clock } = Options::try_parse_from(words).map_err(|error| {
            if let Some(bare) = bare {
                return format!("settings are options, as for alphorn value: did you mean '--{bare}'?");
            }
            let message = error.to_string();
            let told = message.split("\n\nUsage").next().unwrap_or("").trim();
            let told = told.trim_start_matches("error: ").to_string();
            if let Some((option, rest)) =
                told.strip_prefix("unexpected argument '").and_then(|rest| rest.split_once('\''))
            {
                let near = rest.split_once("exists: '").and_then(|(_, near)| near.split('\'').next());
                let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
                return format!("a side has no option {option}{near}");
            }
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
        Side { text: text.trim().to_string(), form, search, clock, engine }.checked()
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
        let Fields { form, search, clock } = serde_json::from_value(value).map_err(D::Error::custom)?;
        Side { text, form, search, clock, engine: None }.checked().map_err(D::Error::custom)
    }
}

impl JsonSchema for Side {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SideOptions".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut fields = Fields::json_schema(generator);
        fields.insert("additionalProperties".to_string(), false.into());
        schemars::json_schema!({ "anyOf": [{ "type": "string" }, fields] })
    }
}

/// The player of a side, with its own options and the common form of the game.
///
/// # Errors
///
/// The rules of the side contain an error.
pub(super) fn player(name: &str, side: &Side, common: &Form, host: &Host<'_>) -> SessionResult<MatchPlayer> {
    let search = &side.search;
    let limits = [search.depth.is_some(), search.time.is_some(), search.nodes.is_some(), search.sample.games.is_some()];
    let bounded = limits.contains(&true) || side.clock.is_some();
    let engine = side.external();
    let own = match &engine {
        Some(_) => None,
        None => own_rules(&side.form, common, host)?,
    };
    Ok(MatchPlayer {
        name: name.to_string(),
        engine,
        own,
        algorithm: search.algorithm.0,
        hash: search.hash.map_or(HASH, Whole::get) << 20,
        seed: search.seed,
        shuffle: None,
        heuristic: search.heuristic,
        advice: search.advice.0,
        depth: search.depth,
        nodes: search.nodes.or((!bounded).then_some(NODES)),
        time: search.time.map(|time| time.0),
        clock: side.clock.map(|clock| clock.0),
        backup: search.risk.backup(),
        games: match (side.clock, search.sample.games) {
            (Some(_), None) => u64::MAX,
            _ => search.games(),
        },
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

/// Checks the players before the first game: engines must start, and a note tells which advice has no effect.
///
/// # Errors
///
/// An engine does not start, or does not have an option.
pub(super) fn check_players(
    players: &[MatchPlayer],
    (session, host): (&Session, &Host<'_>),
    listen: Listen<'_>,
) -> SessionResult<()> {
    for player in players {
        if let Some(engine) = &player.engine {
            engine.check(&host.stop).map_err(|failure| of_side(failure, &player.name))?;
            continue;
        }
        let thinks = player.own.as_ref().unwrap_or(session);
        if let Some(idle) = thinks.unheeded(player.advice) {
            listen(Event::note(format!("{}: {idle}", player.name)));
        }
    }
    Ok(())
}

/// Adds the name of a side to a failure.
pub(super) fn of_side(failure: Failure, name: &str) -> Failure {
    match failure {
        Failure::Problem(mut problem, sources) => {
            problem.message = format!("{name}: {}", problem.message);
            Failure::Problem(problem, sources)
        }
        Failure::Text(mut report) => {
            let errors = report.problems.iter_mut().filter(|problem| problem.level == Severity::Error);
            errors.for_each(|problem| problem.message = format!("{name}: {}", problem.message));
            Failure::Text(report)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Side;

    #[test]
    fn settings_without_dashes_suggest_options() {
        for (typed, meant) in [("depth=1", "'--depth 1'"), ("depth", "'--depth'")] {
            let error = typed.parse::<Side>().expect_err("this is no option");
            assert!(error.contains(meant), "{typed}: {error}");
        }
        "--depth 4 -p width=4".parse::<Side>().expect("these are options");
    }
}
