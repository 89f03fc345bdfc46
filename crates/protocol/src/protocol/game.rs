//! Requests for the current game: load rules, make moves, take moves back.

use super::data::{Problems, State, Turn, Winner};
use super::form;
use super::host::{Host, Listen, refusal, warn_odd};
use super::term::{TypedTerm, term};
use super::value;
use super::words::{self, Bytes, Seconds};
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::workspace::{GameStatus, Workspace};
use alphorn_session::session::{GameStart, SessionResult};
use alphorn_text::report::plural;
use alphorn_text::source::Source;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

/// What to load. A game starts at its first initial position.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Load {
    /// files of rules, the main one first
    pub files: Vec<String>,
    /// rules that are in no file, after those of the files
    pub texts: Vec<Text>,
    /// files that replace predicates of these
    #[serde(rename = "with")]
    pub overlays: Vec<String>,
    /// parameters of the game that are changed: names with values
    #[serde(with = "words::params")]
    #[schemars(with = "BTreeMap<String, Value>")]
    pub params: Vec<(String, String)>,
    /// clauses that replace predicates, as overlays do
    pub clauses: Vec<String>,
    /// steps for one question to the rules or for a goal; 0: no limit
    pub steps: Option<u64>,
    /// memory for one evaluation, in bytes or such as 512M
    pub memory: Option<Bytes>,
    /// keep the position and the moves made, where the same game is loaded again
    pub keep: bool,
    /// give the position as a JSON term too
    pub terms: bool,
}

/// Rules that are in no file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Text {
    /// the name of the text in messages
    pub name: String,
    /// the rules
    pub text: String,
}

/// What was loaded.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Loaded {
    /// the files that were read, included ones too
    pub files: Vec<String>,
    /// what is odd about the rules
    pub warnings: Problems,
    /// the game at its start; null if the rules are not those of a game
    pub game: Option<Shown>,
}

/// A position of the game under way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Shown {
    /// the position, in the notation of the game or as a term
    pub position: String,
    /// the position as a JSON term; only if asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<Value>,
    /// lines of its picture; null if the game draws none
    pub picture: Option<Vec<String>>,
    /// who moves; null if the game is over
    pub turn: Option<Turn>,
    /// who has won; null if the game goes on
    pub outcome: Option<Winner>,
    /// the game is drawn because the position occurred before
    pub repetition: bool,
    /// moves made so far: labels, or numbers of moves of chance
    pub played: Vec<String>,
    /// the move that was made; only after a move
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// the legal moves; only if asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<super::moves::Move>>,
}

/// What of a position to show.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Show {
    /// give the position as a JSON term too
    pub terms: bool,
    /// list the legal moves too
    pub legal: bool,
}

/// A move to be made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MoveRequest")]
pub struct Move {
    /// its label, its number in the list of moves, or the beginning of its label if that is enough
    #[serde(rename = "move", deserialize_with = "label")]
    #[schemars(with = "Label")]
    pub label: String,
    /// what of the position after it to show
    #[serde(flatten)]
    pub show: Show,
}

/// A label, or a number.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Label {
    Text(String),
    Number(i64),
}

fn label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Label::deserialize(deserializer)? {
        Label::Text(text) => text,
        Label::Number(number) => number.to_string(),
    })
}

/// How many moves to take back.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Undo {
    /// so many
    pub count: usize,
    /// what of the position before them to show
    #[serde(flatten)]
    pub show: Show,
}

impl Default for Undo {
    fn default() -> Undo {
        Undo { count: 1, show: Show::default() }
    }
}

/// Where a new game starts.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct New {
    /// the number of an initial position, from 1
    pub opening: Option<usize>,
    /// a position, a term
    pub position: Option<TypedTerm>,
    /// a position in the game's own notation
    pub at: Option<String>,
    /// moves to make first
    pub moves: Option<String>,
    /// what of the position to show
    #[serde(flatten)]
    pub show: Show,
}

/// How the program finds its move: without a limit it searches for a second. At a move of chance it draws one.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Go {
    /// how to search
    #[serde(flatten)]
    pub search: super::search::Search,
    /// what of the position after it to show
    #[serde(flatten)]
    pub show: Show,
}

/// The move that the program made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Gone {
    /// its label, or the number of the move of chance
    pub made: String,
    /// what the search found; null for a move of chance
    pub found: Option<value::Reply>,
    /// the position after it
    pub game: Shown,
}

/// Loads rules in place of the loaded rules.
///
/// # Errors
///
/// A file cannot be read, or the texts have errors. Then nothing changes.
pub fn load(request: &Load, host: &mut Host<'_>) -> SessionResult<Loaded> {
    if request.files.is_empty() && request.texts.is_empty() {
        return Err(refusal(
            "the request names nothing to load",
            "give \"files\", or \"texts\" with \"name\" and \"text\"",
        ));
    }
    let recipe = LoadOptions {
        files: request.files.clone(),
        texts: request.texts.iter().map(|text| Source::typed(&text.name, &text.text)).collect(),
        overlays: request.overlays.clone(),
        params: request.params.clone(),
        typed: request.clauses.clone(),
        steps: request.steps,
        memory: request.memory.map(|bytes| bytes.0),
    };
    let sitting = host.workspace_mut()?;
    sitting.load(recipe, request.keep)?;
    let show = Show { terms: request.terms, legal: false };
    let files = sitting.files().iter().map(|path| path.display().to_string()).collect();
    let warnings = Problems(sitting.session().rules.report.clone());
    let game = sitting.here().is_some().then(|| shown(sitting, show, None)).transpose()?;
    Ok(Loaded { files, warnings, game })
}

/// Shows the current position.
///
/// # Errors
///
/// There is no game, or its rules raise an error.
pub fn shown(sitting: &Workspace, show: Show, made: Option<String>) -> SessionResult<Shown> {
    let (position, picture) = sitting.shown()?;
    let standing = sitting.standing()?;
    let State { turn, outcome, repetition } = State::from(&standing);
    let is_over = matches!(standing, GameStatus::Over(_) | GameStatus::Repeated);
    let moves = match show.legal {
        true if is_over => Some(Vec::new()),
        true => Some(sitting.moves()?.into_iter().map(Into::into).collect()),
        false => None,
    };
    let here = sitting.here().filter(|_| show.terms);
    let term = here.map(|here| term(&here.0, || sitting.session().term(here)));
    Ok(Shown { position, term, picture, turn, outcome, repetition, played: sitting.played(), made, moves })
}

/// Makes a move.
///
/// # Errors
///
/// The move does not exist or is ambiguous, or the game is over.
pub fn make(request: &Move, host: &mut Host<'_>) -> SessionResult<Shown> {
    let sitting = host.workspace_mut()?;
    let made = sitting.play(&request.label)?;
    shown(sitting, request.show, Some(made))
}

/// Takes moves back.
///
/// # Errors
///
/// Fewer moves were made.
pub fn undo(request: &Undo, host: &mut Host<'_>) -> SessionResult<Shown> {
    let sitting = host.workspace_mut()?;
    let made = sitting.played().len();
    if request.count > made {
        let help = "\"new\" starts a game at any position";
        let moves = |count: usize| plural(count as u64, "move", "moves");
        let message = format!("cannot take back {}: {} made", moves(request.count), moves(made));
        return Err(refusal(message, help));
    }
    sitting.undo(request.count)?;
    shown(sitting, request.show, None)
}

/// Starts a game.
///
/// # Errors
///
/// The position does not exist, or there is no game.
pub fn new(request: &New, host: &mut Host<'_>, listen: Listen<'_>) -> SessionResult<Shown> {
    let New { opening, position, at, moves, show } = request.clone();
    let given = [position.is_some(), at.is_some(), opening.is_some()];
    if given.into_iter().filter(|given| *given).count() > 1 {
        return Err(refusal(
            "the request names several first positions",
            "give one of \"position\", \"at\" and \"opening\"",
        ));
    }
    let sitting = host.workspace_mut()?;
    warn_odd(&form::Start { position: position.clone(), ..form::Start::default() }, sitting.session(), listen);
    let position = position.map(|term| term.0);
    sitting.begin(&GameStart { position, at, opening, moves })?;
    shown(sitting, show, None)
}

/// Makes a move for the program, or a chance move.
///
/// # Errors
///
/// The game is over, or its rules raise an error.
pub fn go(request: &Go, host: &mut Host<'_>, listen: Listen<'_>) -> SessionResult<Gone> {
    let standing = host.workspace_mut()?.standing()?;
    let (made, found) = match standing {
        GameStatus::Over(_) | GameStatus::Repeated => {
            return Err(refusal("the game is over", "take moves back with \"undo\", or start a game with \"new\""));
        }
        GameStatus::Chance => (host.workspace_mut()?.play_chance_outcome()?, None),
        GameStatus::Moves(_) => {
            let mut search = request.search.clone();
            if search.depth.is_none() && search.nodes.is_none() && search.sample.games.is_none() {
                search.time = search.time.or(Some(Seconds(1.0)));
            }
            let search = value::Request { search, ..value::Request::default() };
            let found = value::answer(&search, host, listen)?;
            // After an interrupt, the best move so far is played.
            host.stop.store(false, Relaxed);
            let sitting = host.workspace_mut()?;
            // The result of an unfinished deeper search is better.
            let best = found.deeper.as_ref().and_then(|deeper| deeper.best.clone()).or(found.best.clone());
            let first = || Ok(sitting.moves()?.into_iter().next().map(|mv| mv.label));
            // The search was interrupted before its first move.
            let best = best.map_or_else(first, |best| Ok(Some(best)))?;
            let best = best.ok_or_else(|| refusal("there is no move", "send \"show\""))?;
            (sitting.play(&best)?, Some(found))
        }
    };
    let game = shown(host.workspace_mut()?, request.show, None)?;
    Ok(Gone { made, found, game })
}
