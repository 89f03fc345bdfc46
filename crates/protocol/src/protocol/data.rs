//! Data that many replies contain: numbers, sides, diagnostics.

use alphorn_search::game::Side;
use alphorn_session::session::Failure;
use alphorn_session::session::workspace::GameStatus;
use alphorn_text::code::Code;
use alphorn_text::report::{self, Problem, Report};
use alphorn_text::source::{Sources, Span};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The version of every JSON object that Alphorn prints.
pub const SCHEMA: u64 = 2;

/// A number. JSON shows it as an integer if it is one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.fract() == 0.0 && self.0.abs() < 9e15 {
            true => serializer.serialize_i64(self.0 as i64),
            false => serializer.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Number)
    }
}

impl JsonSchema for Number {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).unwrap_or_default())
    }
}

/// Rounds to six decimal places.
pub(super) fn rounded(value: f64) -> Number {
    Number((value * 1e6).round() / 1e6)
}

/// Counts by name in a fixed order. JSON shows them as an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByName<K>(pub Vec<(K, u64)>);

impl<K: Serialize> Serialize for ByName<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}

impl<K: JsonSchema> JsonSchema for ByName<K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("By{}", K::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (names, counts) = (generator.subschema_for::<K>(), generator.subschema_for::<u64>());
        json_schema!({ "type": "object", "propertyNames": names, "additionalProperties": counts })
    }
}

/// The player to move, or chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Turn {
    /// MAX moves.
    Max,
    /// MIN moves.
    Min,
    /// Chance moves.
    Chance,
}

impl From<Side> for Turn {
    fn from(side: Side) -> Turn {
        if side == Side::Max { Turn::Max } else { Turn::Min }
    }
}

/// The winner, after the game or with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Winner {
    /// MAX wins.
    Max,
    /// MIN wins.
    Min,
    /// The game is drawn.
    Draw,
}

impl From<Option<Side>> for Winner {
    fn from(side: Option<Side>) -> Winner {
        match side {
            Some(Side::Max) => Winner::Max,
            Some(Side::Min) => Winner::Min,
            None => Winner::Draw,
        }
    }
}

/// The state of a game: the player to move, or the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The player to move; `None` if the game is over.
    pub turn: Option<Turn>,
    /// The winner; `None` if the game is not over.
    pub outcome: Option<Winner>,
    /// Whether the game is drawn because the position occurred before.
    pub repetition: bool,
}

impl From<&GameStatus> for State {
    fn from(status: &GameStatus) -> State {
        let (turn, outcome) = match status {
            GameStatus::Moves(side) => (Some((*side).into()), None),
            GameStatus::Chance => (Some(Turn::Chance), None),
            GameStatus::Over(winner) => (None, Some((*winner).into())),
            GameStatus::Repeated => (None, Some(Winner::Draw)),
        };
        State { turn, outcome, repetition: *status == GameStatus::Repeated }
    }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Severity {
    /// The text does not load, or Alphorn could not run the command.
    Error,
    /// The text loads, but may contain a mistake.
    Warning,
    /// A remark: the text may be correct.
    Note,
}

/// A diagnostic: a message about a mistake.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Diagnostic {
    /// The code of the diagnostic, such as `A0201`. `alphorn explain CODE` explains the code.
    #[schemars(regex(pattern = r"^A0[0-9]{3}$"))]
    pub code: String,
    /// The severity. A text with errors does not load; a note does not count as a warning.
    pub level: Severity,
    /// The message: what is wrong.
    pub message: String,
    /// What to do; null if there is no suggestion.
    pub help: Option<String>,
    /// The place of the mistake, then the places of its causes; empty if the mistake is not in a text.
    pub places: Vec<Place>,
    /// The changes of the text that fix the mistake, to be made together; empty if no fix is known.
    pub edits: Vec<Edit>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Place {
    /// The name of the text, as loaded: a file name, `goal` for a typed goal, `<stdin>` for standard input.
    pub file: String,
    /// The line of the first character, from 1.
    #[schemars(range(min = 1))]
    pub line: usize,
    /// The column of the first character, in characters from 1.
    #[schemars(range(min = 1))]
    pub column: usize,
    /// The offset of the first byte, from 0.
    pub start: u32,
    /// The offset of the byte after the last byte, from 0.
    pub end: u32,
    /// The label of the place: what is wrong there. Empty if the message suffices.
    pub label: String,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Edit {
    /// The name of the text.
    pub file: String,
    /// The offset of the first byte to replace, from 0.
    pub start: u32,
    /// The offset of the byte after the last byte to replace, from 0.
    pub end: u32,
    /// The text that replaces these bytes.
    pub text: String,
}

impl Place {
    /// The place of a span, with a label. `None` if the text of the span is not in `sources`.
    pub fn of(span: Span, label: &str, sources: &Sources) -> Option<Place> {
        if usize::from(span.source.0) >= sources.len() {
            return None;
        }
        let (line, column) = sources.line_column(span);
        let file = sources.get(span.source).name.to_string();
        Some(Place { file, line, column, start: span.start, end: span.end, label: label.to_string() })
    }
}

impl Diagnostic {
    /// Converts a problem. Its texts are cut to a bounded length.
    pub fn of(problem: &Problem, sources: &Sources) -> Diagnostic {
        let problem = problem.bounded();
        let edit = |(span, text): &(Span, String)| {
            let Place { file, start, end, .. } = Place::of(*span, "", sources)?;
            Some(Edit { file, start, end, text: text.clone() })
        };
        Diagnostic {
            code: problem.code.to_string(),
            level: match problem.level {
                report::Severity::Error => Severity::Error,
                report::Severity::Warning => Severity::Warning,
                report::Severity::Note => Severity::Note,
            },
            places: problem.labels.iter().filter_map(|(span, label)| Place::of(*span, label, sources)).collect(),
            edits: problem.edits.iter().filter_map(edit).collect(),
            message: problem.message,
            help: problem.help,
        }
    }

    /// Converts all problems of a report.
    pub fn all(report: &Report) -> Vec<Diagnostic> {
        report.problems.iter().map(|problem| Diagnostic::of(problem, &report.sources)).collect()
    }
}

/// A report. A terminal draws it with its texts; JSON shows a list of diagnostics.
#[derive(Clone, Debug)]
pub struct Problems(pub Report);

impl Serialize for Problems {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Diagnostic::all(&self.0).serialize(serializer)
    }
}

impl JsonSchema for Problems {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Problems".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Vec<Diagnostic>>::json_schema(generator)
    }
}

/// The error of a request that Alphorn could not carry out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Refusal {
    /// The error. If a text does not load, its first error.
    pub error: Diagnostic,
    /// All diagnostics of a text that does not load; otherwise missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<Diagnostic>>,
}

impl From<&Failure> for Refusal {
    fn from(failure: &Failure) -> Refusal {
        match failure {
            Failure::Problem(problem, sources) => Refusal { error: Diagnostic::of(problem, sources), problems: None },
            Failure::Text(report) => {
                let problems = Diagnostic::all(report);
                let error = problems.iter().find(|problem| problem.level == Severity::Error).or(problems.first());
                let nothing = || {
                    Diagnostic::of(&Problem::placeless(Code::InvalidArgument, "the text has errors"), &report.sources)
                };
                Refusal { error: error.cloned().unwrap_or_else(nothing), problems: Some(problems) }
            }
        }
    }
}
