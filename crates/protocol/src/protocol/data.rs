//! Data that many replies contain: numbers, sides, diagnostics.

use alphorn_search::game::Side;
use alphorn_session::session::Failure;
use alphorn_session::session::workspace::GameStatus;
use alphorn_text::code::Code;
use alphorn_text::report::{self, Problem, Report};
use alphorn_text::source::{Sources, Span};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
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

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Turn {
    /// MAX.
    Max,
    /// MIN.
    Min,
    /// A move of chance.
    Chance,
}

impl From<Side> for Turn {
    fn from(side: Side) -> Turn {
        if side == Side::Max { Turn::Max } else { Turn::Min }
    }
}

/// Who has won, or wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Winner {
    /// MAX.
    Max,
    /// MIN.
    Min,
    /// Nobody.
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
    fn from(standing: &GameStatus) -> State {
        let (turn, outcome) = match standing {
            GameStatus::Moves(side) => (Some((*side).into()), None),
            GameStatus::Chance => (Some(Turn::Chance), None),
            GameStatus::Over(winner) => (None, Some((*winner).into())),
            GameStatus::Repeated => (None, Some(Winner::Draw)),
        };
        State { turn, outcome, repetition: *standing == GameStatus::Repeated }
    }
}

/// How serious a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Severity {
    /// The text does not load, or the command could not be done.
    Error,
    /// The text loads, but may not mean what was meant.
    Warning,
    /// Nothing need be wrong.
    Note,
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Diagnostic {
    /// code of the diagnostic; `alphorn explain CODE` explains it
    #[schemars(regex(pattern = r"^A0[0-9]{3}$"))]
    pub code: String,
    /// a text with errors does not load; a note does not count as a warning
    pub level: Severity,
    /// what is wrong
    pub message: String,
    /// what to do about it; null if there is nothing to say
    pub help: Option<String>,
    /// the place, then its causes; empty if it is in no text
    pub places: Vec<Place>,
    /// changes of the text that fix it, to be made together; empty if none is known
    pub edits: Vec<Edit>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Place {
    /// name of the text, as given when it was loaded; `goal` for a typed goal, `<stdin>` for standard input
    pub file: String,
    /// line of the first character, from 1
    #[schemars(range(min = 1))]
    pub line: usize,
    /// column of the first character, in characters from 1
    #[schemars(range(min = 1))]
    pub column: usize,
    /// first byte, from 0
    pub start: u32,
    /// byte after the last, from 0
    pub end: u32,
    /// what is to be seen there; empty if the message says it all
    pub label: String,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Edit {
    /// name of the text
    pub file: String,
    /// first byte that is replaced, from 0
    pub start: u32,
    /// byte after the last that is replaced, from 0
    pub end: u32,
    /// what replaces these bytes
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

/// Why something could not be done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Refusal {
    /// why not; of a text that does not load the first error
    pub error: Diagnostic,
    /// everything that is wrong with a text that does not load; otherwise absent
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
