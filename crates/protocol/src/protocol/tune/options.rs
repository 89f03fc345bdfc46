//! Options of tuning: parameters with ranges, and the method.
//!
//! A text or a JSON value becomes an option, or an error sentence that says what to write.

use alphorn_session::session::tuning::tunable::ParamRange;
use clap::ValueEnum;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// What a request says of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamOption {
    /// Tune the parameter within its range.
    Tune(String),
    /// Tune the parameter within this range.
    Within(String, (i64, i64)),
    /// Give the parameter this value first.
    Set(String, String),
}

impl FromStr for ParamOption {
    type Err = String;

    fn from_str(text: &str) -> Result<ParamOption, String> {
        let example = "write NAME to tune a parameter, NAME=LOW..HIGH to tune it in a range, or NAME=VALUE to set it";
        let (name, value) = match text.split_once('=') {
            None => (text.trim(), None),
            Some((name, value)) => (name.trim(), Some(value.trim())),
        };
        if name.is_empty() || value == Some("") {
            return Err(example.to_string());
        }
        let name = name.to_string();
        let Some(value) = value else { return Ok(ParamOption::Tune(name)) };
        let Some((low, high)) = value.split_once("..") else { return Ok(ParamOption::Set(name, value.to_string())) };
        match (low.trim().parse(), high.trim().parse()) {
            (Ok(low), Ok(high)) => Ok(ParamOption::Within(name, (low, high))),
            _ => Err(format!("{value} is no range of whole numbers: write {name}=0..50")),
        }
    }
}

impl fmt::Display for ParamOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamOption::Tune(name) => f.write_str(name),
            ParamOption::Within(name, (low, high)) => write!(f, "{name}={low}..{high}"),
            ParamOption::Set(name, value) => write!(f, "{name}={value}"),
        }
    }
}

impl Serialize for ParamOption {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ParamOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for ParamOption {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ParamOption".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// The values to set, in their order.
pub(super) fn settings(all: &[ParamOption]) -> Vec<(String, String)> {
    let set = |option: &ParamOption| match option {
        ParamOption::Set(name, value) => Some((name.clone(), value.clone())),
        _ => None,
    };
    all.iter().filter_map(set).collect()
}

/// The parameters to tune, each once. Errs if a parameter is given twice.
pub(super) fn ranges(all: &[ParamOption]) -> Result<Vec<ParamRange>, String> {
    let mut found: Vec<ParamRange> = Vec::new();
    for option in all {
        let range = match option {
            ParamOption::Tune(name) => (name.clone(), None),
            ParamOption::Within(name, range) => (name.clone(), Some(*range)),
            ParamOption::Set(..) => continue,
        };
        if found.iter().any(|(name, _)| *name == range.0) {
            return Err(range.0);
        }
        found.push(range);
    }
    Ok(found)
}

/// The way to find parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum TuneMethod {
    /// Predict the results of self-play (Texel's tuning)
    #[default]
    Logistic,
    /// Change the parameters step by step, by games between two settings (SPSA)
    Spsa,
    /// Fit the evaluation to the order of moves in the solved positions of --table
    Solved,
}

impl TuneMethod {
    /// The word for the method.
    pub fn name(self) -> &'static str {
        match self {
            TuneMethod::Logistic => "logistic",
            TuneMethod::Spsa => "spsa",
            TuneMethod::Solved => "solved",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read() {
        for text in ["man", "man=0..50", "man=-5..-1", "size=6", "start=standard"] {
            assert_eq!(text.parse::<ParamOption>().map(|option| option.to_string()), Ok(text.to_string()));
        }
        for (text, words) in
            [("", "write NAME"), ("=3", "write NAME"), ("man=", "write NAME"), ("man=1..x", "man=0..50")]
        {
            assert!(text.parse::<ParamOption>().is_err_and(|told| told.contains(words)), "{text}");
        }
        let all: Vec<ParamOption> = ["a=1", "a", "b=0..3"].map(|text| text.parse().expect("it is right")).to_vec();
        assert_eq!(settings(&all), [("a".to_string(), "1".to_string())]);
        assert_eq!(ranges(&all), Ok(vec![("a".to_string(), None), ("b".to_string(), Some((0, 3)))]));
        assert_eq!(ranges(&[all[1].clone(), all[1].clone()]), Err("a".to_string()));
    }
}
