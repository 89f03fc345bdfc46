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

/// What to explain: a move, a code, or, without either, all codes.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// Explain this move
    #[arg(skip)]
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Explain this code of a diagnostic, such as A0201
    #[arg(skip)]
    pub code: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    /// How to search: for 10 seconds, if no limit is given
    pub search: Search,
    #[command(flatten)]
    #[serde(flatten)]
    /// From where
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
}

command_line_defaults!(Request);

/// What is explained.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// All codes.
    Codes(Codes),
    /// A code.
    Code(Code),
    /// A move.
    Move(Box<Move>),
}

/// All codes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Codes {
    /// all codes, in order
    pub codes: Vec<Title>,
}

/// A code in a few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Title {
    /// code of the diagnostic
    #[schemars(regex(pattern = r"^A0[0-9]{3}$"))]
    pub code: String,
    /// what it is, in a few words
    pub title: String,
}

/// What a code means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Code {
    /// code of the diagnostic
    #[schemars(regex(pattern = r"^A0[0-9]{3}$"))]
    pub code: String,
    /// what it is, in a few words
    pub title: String,
    /// what it means, and what to do
    pub text: String,
    /// a text that has the problem; may be empty
    pub wrong: String,
    /// the same text corrected; may be empty
    pub right: String,
}

/// What a move is worth, and why.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "ExplainedMove")]
pub struct Move {
    /// label of the move
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// worth of the move for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that
    pub value: Number,
    /// who wins with best play after it; null for a value that is no declared win
    pub outcome: Option<Winner>,
    /// plies to that win; null if there is none
    pub plies: Option<u32>,
    /// no estimate could change the value
    pub exact: bool,
    /// the line of best play, from this move on: labels of moves
    pub pv: Vec<String>,
    /// who moves
    pub turn: Turn,
    /// moves that are better
    pub better_moves: usize,
    /// legal moves, this one included
    #[schemars(range(min = 1))]
    pub moves: usize,
    /// the best move, which may be this one
    pub best: Line,
    /// label of the reply to the move; null if there is none
    pub refutation: Option<String>,
    /// the end of the line of the move
    pub leaf: Leaf,
    /// the depth to which all moves were searched, in plies
    pub depth: u32,
    /// time taken, in seconds
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// the search was stopped before it was done
    pub stopped: bool,
}

/// A move with its line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "MoveLine")]
pub struct Line {
    /// label of the move; null if there is none
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// worth of the move for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that
    pub value: Number,
    /// who wins with best play after it; null for a value that is no declared win
    pub outcome: Option<Winner>,
    /// plies to that win; null if there is none
    pub plies: Option<u32>,
    /// no estimate could change the value
    pub exact: bool,
    /// the line of best play, from this move on: labels of moves
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

/// The end of a line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Leaf {
    /// the position, in the notation of the game or as a term
    pub position: String,
    /// lines of its picture; null if the game draws none
    pub picture: Option<Vec<String>>,
    /// who moves there; null if the game is over
    pub turn: Option<Turn>,
    /// who has won; null if the game goes on
    pub outcome: Option<Winner>,
    /// the game is drawn because the position occurred before
    pub repetition: bool,
    /// points of MAX, if the game ends there with points; otherwise null
    pub points: Option<Number>,
    /// why the line ends there; null if that is not known
    pub end: Option<End>,
    /// what static_eval/2 says of the position; null if it is not asked, or says nothing
    pub evaluation: Option<String>,
    /// the clauses of the rules that make the evaluation; null if it is not asked
    pub used: Option<Vec<Used>>,
    /// the proof of the evaluation; null if it is not asked
    pub proof: Option<Vec<Proof>>,
}

impl From<explain::LineLeaf> for Leaf {
    fn from(leaf: explain::LineLeaf) -> Leaf {
        let State { turn, outcome, repetition } = State::from(&leaf.standing);
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
    let limits = Limits {
        depth: search.depth,
        nodes: search.nodes,
        timed: time.is_some(),
        stop: Some(at.clock.flag()),
        progress: Some(&hear),
        ..Limits::default()
    };
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
