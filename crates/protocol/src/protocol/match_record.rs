//! The first line of the record of a match.

use super::match_options::SprtOption;
use super::record::{RecordSettings, differences};
use super::record_header::{RecordedConditions, RecordedRules};
use super::recorded_game::{RecordedGame, RecordedPlace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The first line of a record: everything that the games depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(deny_unknown_fields)]
pub struct RecordHeader {
    /// The kind of the record, the rules and the first position.
    #[serde(flatten)]
    pub rules: RecordedRules,
    /// The settings of player A.
    pub a: String,
    /// The settings of player B.
    pub b: String,
    /// A hash of the rules of A, if they are not those of the match.
    pub a_rules: Option<String>,
    /// A hash of the rules of B, if they are not those of the match.
    pub b_rules: Option<String>,
    /// The conditions of the games.
    #[serde(flatten)]
    pub conditions: RecordedConditions,
    /// The sequential test.
    pub sprt: Option<SprtOption>,
    /// Whether the lines of games have times.
    pub times: bool,
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
        RecordedPlace { pair: number.div_ceil(2), seed: self.conditions.seed, sides: None, times: self.times }
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
