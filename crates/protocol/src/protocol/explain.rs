//! Explains the value of a move, and the codes of diagnostics.

use super::data::{Number, State, Turn, Winner};
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen, refusal};
use super::proof::{Proof, Used, proofs};
use super::search::Search;
use super::value::End;
use super::words::Seconds;
use crate::codes::CODES;
use alphorn_lang::lang::near::nearest;
use alphorn_search::game::{GameResult, Score};
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result;
use alphorn_session::session::explain;
use alphorn_session::session::{Failure, SessionResult};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The time limit in seconds of a search without a limit. A full search of all moves may never end.
const DEFAULT_SECONDS: f64 = 10.0;

/// A request to explain a move or a code. Without both the reply lists all codes.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The move to explain: its label, its number, or the beginning of its label.
    #[arg(skip)]
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The code to explain, such as `A0201`.
    #[arg(skip)]
    pub code: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    /// The search options. Without a limit the search takes 10 seconds.
    pub search: Search,
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
}

command_line_defaults!(Request);

/// The explanation of a move or of a code, or the list of all codes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// The list of all codes.
    Codes(Codes),
    /// The explanation of a code.
    Code(Code),
    /// The explanation of a move.
    Move(Box<Move>),
}

/// The list of all codes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Codes {
    /// The codes with their titles, in order.
    pub codes: Vec<Title>,
}

/// A code with its title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Title {
    /// The code, such as `A0201`.
    #[schemars(regex(pattern = r"^A0[0-9]{3}$"))]
    pub code: String,
    /// The title, a few words.
    pub title: String,
}

/// The explanation of a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Code {
    /// The code, such as `A0201`.
    #[schemars(regex(pattern = r"^A0[0-9]{3}$"))]
    pub code: String,
    /// The title, a few words.
    pub title: String,
    /// The meaning of the code, and what to do.
    pub text: String,
    /// An example of a text with the problem; may be empty.
    pub wrong: String,
    /// The example without the problem; may be empty.
    pub right: String,
}

/// The explanation of a move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ExplainedMove")]
pub struct Move {
    /// The label of the move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The value of the move for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N - 1000000.
    pub value: Number,
    /// The winner with best play after the move; null if the value is not a win or a loss.
    pub outcome: Option<Winner>,
    /// The number of plies to the end of the game, from the position before the move; null if `outcome` is
    /// null.
    pub plies: Option<u32>,
    /// Whether the value is exact: no estimate can change it.
    pub exact: bool,
    /// The principal variation: the labels of its moves, this move first.
    pub pv: Vec<String>,
    /// The player who makes the move.
    pub turn: Turn,
    /// The number of moves that are better than this move.
    pub better_moves: usize,
    /// The number of legal moves, including this move.
    #[schemars(range(min = 1))]
    pub moves: usize,
    /// The best move with its value and its line; it may be this move.
    pub best: Line,
    /// The label of the best reply to the move; null if there is no reply.
    pub refutation: Option<String>,
    /// The position at the end of the line of the move.
    pub leaf: Leaf,
    /// The depth of the search of all moves, in plies.
    pub depth: u32,
    /// The time of the search, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// Whether a limit or an interrupt stopped the search before its end.
    pub stopped: bool,
}

/// A move with its value and its line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "MoveLine")]
pub struct Line {
    /// The label of the move; null if there is no move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The value of the move for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N - 1000000.
    pub value: Number,
    /// The winner with best play after the move; null if the value is not a win or a loss.
    pub outcome: Option<Winner>,
    /// The number of plies to the end of the game, from the position before the move; null if `outcome` is
    /// null.
    pub plies: Option<u32>,
    /// Whether the value is exact: no estimate can change it.
    pub exact: bool,
    /// The principal variation: the labels of its moves, this move first.
    pub pv: Vec<String>,
}

impl From<result::ScoredLine<String>> for Line {
    fn from(line: result::ScoredLine<String>) -> Line {
        let (outcome, plies) = match line.value {
            Score::Win { plies } => (Some(Winner::Max), Some(plies)),
            Score::Loss { plies } => (Some(Winner::Min), Some(plies)),
            Score::Value(_) => (None, None),
        };
        Line {
            mv: line.moves.first().cloned(),
            value: Number(line.value.to_number()),
            outcome,
            plies,
            exact: line.exact,
            pv: line.moves,
        }
    }
}

/// The position at the end of a line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Leaf {
    /// The position, in the notation of the game, or as a term if the game has no notation.
    pub position: String,
    /// The lines of the picture of the position; null if the game has no picture.
    pub picture: Option<Vec<String>>,
    /// The player to move, or `chance`; null if the game is over.
    pub turn: Option<Turn>,
    /// The winner, or `draw`; null if the game is not over.
    pub outcome: Option<Winner>,
    /// Whether the game is drawn because the position occurred before.
    pub repetition: bool,
    /// The score of MAX; null unless the game ends here with a score.
    pub points: Option<Number>,
    /// The reason why the line ends here; null if the reason is not known.
    pub end: Option<End>,
    /// The evaluation: the number that `static_eval/2` gives, as text; null if the value does not rest on it.
    pub evaluation: Option<String>,
    /// The clauses that the evaluation uses; null if the value does not rest on an evaluation.
    pub used: Option<Vec<Used>>,
    /// The proof of the evaluation; null if the value does not rest on an evaluation.
    pub proof: Option<Vec<Proof>>,
}

impl From<explain::LineLeaf> for Leaf {
    fn from(leaf: explain::LineLeaf) -> Leaf {
        let State { turn, outcome, repetition } = State::from(&leaf.status);
        let why = leaf.why.as_ref();
        let first = why.and_then(|why| why.answer.as_ref()?.first());
        let texts = why.map(|why| &*why.warnings.sources);
        let used = why.zip(texts).map(|(why, texts)| why.used.iter().map(|used| Used::of(used, texts)).collect());
        let proof = why.zip(texts).map(|(why, texts)| proofs(why.proof.as_deref().unwrap_or_default(), texts));
        Leaf {
            turn,
            outcome,
            repetition,
            points: match leaf.ending {
                Some(GameResult::Points(points)) => Some(Number(points)),
                _ => None,
            },
            end: leaf.end.map(End::from),
            evaluation: first.map(|(_, value)| value.clone()),
            used,
            proof,
            position: leaf.position,
            picture: leaf.picture,
        }
    }
}

/// Explains a move or a code, or lists the codes.
///
/// # Errors
///
/// The code or the move does not exist, or the rules or the position contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    match (&request.mv, &request.code) {
        (Some(mv), None) => Ok(Reply::Move(Box::new(explained(mv, request, host, listen)?))),
        (None, Some(name)) => code(name).map(Reply::Code),
        (Some(_), Some(_)) => Err(refusal("a request explains either a move or a code", "send \"move\" or \"code\"")),
        (None, None) => {
            let title = |row: &crate::codes::CodePage| Title { code: row.code.into(), title: row.title.clone() };
            Ok(Reply::Codes(Codes { codes: CODES.iter().map(title).collect() }))
        }
    }
}

/// The failure for an unknown name. The help suggests a similar name or the command that lists them.
pub(super) fn no_such(kind: &str, name: &str, names: &[&str], list: &str) -> Failure {
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("{list} lists them"),
    };
    refusal(format!("there is no {kind} {name}"), help)
}

/// Explains a code.
///
/// # Errors
///
/// The code does not exist.
pub fn code(name: &str) -> SessionResult<Code> {
    let wanted = name.to_uppercase();
    let Some(row) = CODES.iter().find(|row| row.code == wanted) else {
        let names: Vec<&str> = CODES.iter().map(|row| row.code).collect();
        return Err(no_such("code", name, &names, "alphorn explain"));
    };
    let (title, text) = (row.title.clone(), row.text.clone());
    Ok(Code { code: row.code.into(), title, text, wrong: row.wrong.into(), right: row.right.into() })
}

fn explained(mv: &str, request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Move> {
    let search = &request.search;
    let limited = search.depth.is_some() || search.nodes.is_some() || search.time.is_some();
    let time = search.time.or((!limited).then_some(Seconds(DEFAULT_SECONDS)));
    let at = host.game((&request.form, &request.start), time, listen)?;
    let backup = search.risk.backup();
    let hear = |nodes| listen(Event::positions(nodes));
    let limits = Limits { timed: time.is_some(), ..search.limits(at.clock.flag(), &hear) };
    let how = search.how(1, &backup, None);
    // Rules are evaluated after the search too, when its time may be over.
    let found = at.session.explained(&at.game, &at.state, mv, &how, (&limits, at.clock.flag()))?;
    let Line { mv, value, outcome, plies, exact, pv } = found.line.into();
    Ok(Move {
        mv,
        value,
        outcome,
        plies,
        exact,
        refutation: pv.get(1).cloned(),
        pv,
        turn: found.side.into(),
        better_moves: found.better,
        moves: found.moves,
        best: found.best.into(),
        leaf: found.leaf.into(),
        depth: found.depth,
        seconds: at.clock.seconds(),
        stopped: found.stopped,
    })
}
