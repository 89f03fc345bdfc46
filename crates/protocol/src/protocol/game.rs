//! Requests for the current game: load rules, make moves, take back moves.

use super::board::{Board, BoardReader};
use super::data::{Number, Problems, State, Turn, Winner};
use super::form;
use super::host::{Host, Listen, refusal, warn_odd};
use super::moves::{legal, points};
use super::term::{JsonTerm, TypedTerm, term};
use super::value;
use super::words::{self, Bytes, Seconds};
use alphorn_lang::lang::program::{Domain, Param};
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::workspace::{GameStatus, Workspace};
use alphorn_session::session::{GameStart, SessionResult};
use alphorn_text::report::plural;
use alphorn_text::source::{Origin, Source};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::sync::atomic::Ordering::Relaxed;

/// A request to load rules. A game starts at its first opening.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Load {
    /// The files to load, the main file first.
    pub files: Vec<String>,
    /// The texts to load after the files; these texts are not in files.
    pub texts: Vec<Text>,
    /// The overlays: files that replace predicates of the game.
    #[serde(rename = "with")]
    pub overlays: Vec<String>,
    /// The parameters to change: an object with names and values.
    #[serde(with = "words::params")]
    #[schemars(with = "words::params::Schemas")]
    pub params: Vec<(String, String)>,
    /// Clauses that replace predicates, as an overlay does.
    pub clauses: Vec<String>,
    /// The limit of steps for one call of a game predicate or for a goal; 0 means no limit.
    pub steps: Option<u64>,
    /// The limit of memory for one evaluation: a number of bytes, or text such as `512M`.
    pub memory: Option<Bytes>,
    /// Whether to keep the position and the moves made, if the game that is loaded now is loaded again.
    pub keep: bool,
    /// Whether the reply also gives the position as a JSON term.
    pub terms: bool,
    /// Whether the reply also lists the legal moves.
    pub legal: bool,
    /// Whether the reply also gives the board.
    pub board: bool,
}

/// A text of rules that is not in a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The name of the text in diagnostics.
    pub name: String,
    /// The rules, as Prolog text.
    pub text: String,
}

/// The result of loading rules.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Loaded {
    /// The files that were read, including included files.
    pub files: Vec<String>,
    /// The warnings about the rules.
    pub warnings: Problems,
    /// The first position of the game; null if the rules do not define a game.
    pub game: Option<Shown>,
    /// The parameters of the program.
    pub params: Vec<LoadedParameter>,
}

/// A parameter of the loaded program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LoadedParameter {
    /// The name.
    pub name: String,
    /// The current value, as text.
    pub value: String,
    /// The least value; null if the parameter takes one of `values`.
    pub low: Option<i64>,
    /// The greatest value; null if the parameter takes one of `values`.
    pub high: Option<i64>,
    /// The values that the parameter takes, as texts; null if it takes integers from `low` to `high`.
    pub values: Option<Vec<String>>,
    /// The description.
    pub about: String,
}

impl From<&Param> for LoadedParameter {
    fn from(param: &Param) -> LoadedParameter {
        let (low, high, values) = match &param.domain {
            Domain::Range(low, high) => (Some(*low), Some(*high), None),
            Domain::OneOf(values) => (None, None, Some(values.clone())),
        };
        let (name, value) = (param.name.text().to_string(), param.value.clone());
        LoadedParameter { name, value, low, high, values, about: param.doc.clone() }
    }
}

/// The current position of the game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Shown {
    /// The position, in the notation of the game, or as a term if the game has no notation.
    pub position: String,
    /// The position as a JSON term. Missing unless the request sets `terms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<JsonTerm>")]
    pub term: Option<Value>,
    /// The lines of the picture of the position; null if the game has no picture.
    pub picture: Option<Vec<String>>,
    /// The board. Missing unless the request sets `board`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// The player to move, or `chance`; null if the game is over.
    pub turn: Option<Turn>,
    /// The winner, or `draw`; null if the game is not over.
    pub outcome: Option<Winner>,
    /// Whether the game is drawn because the position occurred before.
    pub repetition: bool,
    /// The score of MAX; null unless the game ends here with a score.
    pub points: Option<Number>,
    /// The moves made so far: a label, or a number for a chance move.
    pub played: Vec<String>,
    /// The label of the move that was made. Missing unless the request made a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// The legal moves. Missing unless the request sets `legal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<super::moves::Move>>,
}

/// A request to show the current position, and the parts to show.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Show {
    /// Whether the reply also gives the position as a JSON term.
    pub terms: bool,
    /// Whether the reply also lists the legal moves.
    pub legal: bool,
    /// Whether the reply also gives the board, and the squares to click for each legal move.
    pub board: bool,
}

/// A request to make a move.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MoveRequest")]
pub struct Move {
    /// The move: its label, its number in the list of moves, or the beginning of only one label.
    #[serde(rename = "move", deserialize_with = "label")]
    #[schemars(with = "Label")]
    pub label: String,
    /// The parts to show of the position after the move.
    #[serde(flatten)]
    pub show: Show,
}

/// A label, or the number of a move.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Label {
    Text(String),
    Number(i64),
}

fn label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let wrong = |_| D::Error::custom("write the label of a move as a string, or the number of a move");
    Ok(match Label::deserialize(deserializer).map_err(wrong)? {
        Label::Text(text) => text,
        Label::Number(number) => number.to_string(),
    })
}

/// A request to take back moves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Undo {
    /// The number of moves to take back, by default 1.
    pub count: usize,
    /// The parts to show of the position before these moves.
    #[serde(flatten)]
    pub show: Show,
}

impl Default for Undo {
    fn default() -> Undo {
        Undo { count: 1, show: Show::default() }
    }
}

/// A request to start a new game. By default the game starts at its first opening.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct New {
    /// The number of the opening, from 1; null or missing: another field chooses the position.
    pub opening: Option<usize>,
    /// The position as a term; null or missing: another field chooses the position.
    pub position: Option<TypedTerm>,
    /// The position in the notation of the game; null or missing: another field chooses the position.
    pub at: Option<String>,
    /// The moves to make first, separated by spaces: labels, or numbers; null or missing: none.
    pub moves: Option<String>,
    /// The parts to show of the position.
    #[serde(flatten)]
    pub show: Show,
}

/// A request to let Alphorn move. Without a limit the search takes one second; a chance move is drawn at
/// random.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Go {
    /// The search options.
    #[serde(flatten)]
    pub search: super::search::Search,
    /// The parts to show of the position after the move.
    #[serde(flatten)]
    pub show: Show,
}

/// The move that Alphorn made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Gone {
    /// The label of the move, or the number of the chance move.
    pub made: String,
    /// The result of the search; null for a chance move.
    pub found: Option<value::Reply>,
    /// The position after the move.
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
    let typed = |Text { name, text }: &Text| Source {
        name: name.as_str().into(),
        text: text.as_str().into(),
        origin: host.policy.origin(name, || Origin::Typed),
    };
    let options = LoadOptions {
        files: request.files.clone(),
        texts: request.texts.iter().map(typed).collect(),
        overlays: request.overlays.clone(),
        params: request.params.clone(),
        typed: request.clauses.clone(),
        steps: request.steps,
        memory: request.memory.map(|bytes| bytes.0),
        ..LoadOptions::default()
    };
    let workspace = host.workspace_mut()?;
    workspace.load(options, request.keep)?;
    let show = Show { terms: request.terms, legal: request.legal, board: request.board };
    let files = workspace.files().iter().map(|path| path.display().to_string()).collect();
    let warnings = Problems(workspace.session().rules.report.clone());
    let game = workspace.here().is_some().then(|| shown(workspace, show, None)).transpose()?;
    let params = workspace.session().rules.program.params.iter().map(Into::into).collect();
    Ok(Loaded { files, warnings, game, params })
}

/// Shows the current position.
///
/// # Errors
///
/// There is no game, or its rules raise an error.
pub fn shown(workspace: &Workspace, show: Show, made: Option<String>) -> SessionResult<Shown> {
    let (position, picture) = workspace.shown()?;
    let status = workspace.status()?;
    let State { turn, outcome, repetition } = State::from(&status);
    let is_over = matches!(status, GameStatus::Over(_) | GameStatus::Repeated);
    let session = workspace.session();
    let (game, state) = workspace.in_play()?;
    let points = points(session, game, (&status, state))?;
    let reader = BoardReader::new(session, game);
    let board = show.board.then(|| reader.board(state)).transpose()?;
    let moves = match show.legal {
        true if is_over => Some(Vec::new()),
        true => Some(legal(session, game, state, (&reader, board.as_ref()))?),
        false => None,
    };
    let here = workspace.here().filter(|_| show.terms);
    let term = here.map(|here| term(&here.0, || workspace.session().term(here)));
    Ok(Shown {
        position,
        term,
        picture,
        board,
        turn,
        outcome,
        repetition,
        points,
        played: workspace.played(),
        made,
        moves,
    })
}

/// Makes a move.
///
/// # Errors
///
/// The move does not exist or is ambiguous, or the game is over.
pub fn make(request: &Move, host: &mut Host<'_>) -> SessionResult<Shown> {
    let workspace = host.workspace_mut()?;
    let made = workspace.play(&request.label)?;
    shown(workspace, request.show, Some(made))
}

/// Takes moves back.
///
/// # Errors
///
/// Fewer moves were made.
pub fn undo(request: &Undo, host: &mut Host<'_>) -> SessionResult<Shown> {
    let workspace = host.workspace_mut()?;
    workspace.status()?;
    let made = workspace.played().len();
    if request.count > made {
        let help = "\"new\" starts a game at any position";
        let moves = |count: usize| plural(count as u64, "move", "moves");
        let message = format!("cannot take back {}: {} made", moves(request.count), moves(made));
        return Err(refusal(message, help));
    }
    workspace.undo(request.count)?;
    shown(workspace, request.show, None)
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
    let workspace = host.workspace_mut()?;
    warn_odd(&form::Start { position: position.clone(), ..form::Start::default() }, workspace.session(), listen);
    let position = position.map(|term| term.0);
    workspace.begin(&GameStart { position, at, opening, moves })?;
    shown(workspace, show, None)
}

/// Makes a move for the program, or a chance move.
///
/// # Errors
///
/// The game is over, or its rules raise an error.
pub fn go(request: &Go, host: &mut Host<'_>, listen: Listen<'_>) -> SessionResult<Gone> {
    let status = host.workspace_mut()?.status()?;
    let (made, found) = match status {
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
            let workspace = host.workspace_mut()?;
            let first = || Ok(workspace.moves()?.into_iter().next().map(|mv| mv.label));
            // The search was interrupted before its first move.
            let best = found.best.clone().map_or_else(first, |best| Ok(Some(best)))?;
            let best = best.ok_or_else(|| refusal("there is no move", "send \"show\""))?;
            (workspace.play(&best)?, Some(found))
        }
    };
    let game = shown(host.workspace_mut()?, request.show, Some(made.clone()))?;
    Ok(Gone { made, found, game })
}
