//! Option values that are words or numbers in a range, read from the command line and from JSON.
//!
//! A text or a JSON value becomes a value in its range, or an error sentence that says what to write.

use alphorn_search::advice::AdviceLevel;
use alphorn_search::search::Algorithm;
use alphorn_search::search::chance::backup::{BackupRule, RiskFunction, RiskView};
use alphorn_search::solve::Method;
use alphorn_text::interrupt;
use alphorn_text::source::{read_text, why};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A type whose values are written as words.
pub trait Word: FromStr<Err: fmt::Display> + fmt::Display {
    /// The name of the type in a schema.
    const NAME: &'static str;

    /// All words; empty if the type has no list of words.
    fn all() -> Vec<String> {
        Vec::new()
    }
}

impl Word for Algorithm {
    const NAME: &'static str = "Algorithm";

    fn all() -> Vec<String> {
        Algorithm::every().map(|algorithm| algorithm.name().to_string()).collect()
    }
}

impl Word for Method {
    const NAME: &'static str = "Method";

    fn all() -> Vec<String> {
        Method::ALL.map(|method| method.name().to_string()).to_vec()
    }
}

impl Word for AdviceLevel {
    const NAME: &'static str = "Level";
}

impl Word for RiskView {
    const NAME: &'static str = "View";

    fn all() -> Vec<String> {
        ["owner", "max", "min"].map(str::to_string).to_vec()
    }
}

/// A value that is written as a word of its type.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spelled<T>(pub T);

impl<T: Word> FromStr for Spelled<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Spelled).map_err(|error: T::Err| error.to_string())
    }
}

impl<T: fmt::Display> fmt::Display for Spelled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Word> Serialize for Spelled<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: Word> Deserialize<'de> for Spelled<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl<T: Word> JsonSchema for Spelled<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::NAME.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        match T::all() {
            words if words.is_empty() => json_schema!({ "type": "string" }),
            words => json_schema!({ "enum": words }),
        }
    }
}

/// The request for a whole number from `low` to `high`.
fn whole_needed(low: u64, high: u64) -> String {
    match high {
        u64::MAX => format!("write a whole number, {low} or more"),
        _ => format!("write a whole number from {low} to {high}"),
    }
}

/// The reason why an argument is wrong, if `reason` is one of the texts of Rust and clap about numbers.
pub fn plain_reason(reason: &str) -> Option<String> {
    let line = reason.lines().next().unwrap_or_default();
    if let Some((_, range)) = line.split_once(" is not in ").filter(|(number, _)| number.parse::<i128>().is_ok()) {
        let (low, high) = range.split_once("..")?;
        let high = high.trim_start_matches('=').parse().unwrap_or(u64::MAX);
        let high = if high >= u64::from(u32::MAX) { u64::MAX } else { high };
        return Some(whole_needed(low.parse().ok()?, high));
    }
    let said = [
        ("invalid digit", "write a whole number"),
        ("cannot parse integer", "write a whole number"),
        ("number too large", "write a smaller number"),
        ("number too small", "write a larger number"),
        ("invalid float", "write a number"),
        ("cannot parse float", "write a number"),
    ];
    said.iter().find(|(words, _)| line.starts_with(words)).map(|(_, plain)| plain.to_string())
}

/// A whole number of 1 or more.
pub type Many = Whole<1, { u32::MAX as u64 }>;

/// An integer from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const LOW: u64, const HIGH: u64>(u64);

impl<const LOW: u64, const HIGH: u64> Whole<LOW, HIGH> {
    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }

    /// The default value of an option.
    pub fn usual<const NUMBER: u64>() -> Self {
        const { assert!(LOW <= NUMBER && NUMBER <= HIGH) };
        Whole(NUMBER)
    }

    /// The number of threads; the number of cores if no number is given.
    pub fn or_cores(threads: Option<Self>) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        threads.map_or_else(cores, |threads| threads.get() as usize)
    }
}

impl<const LOW: u64, const HIGH: u64> TryFrom<u64> for Whole<LOW, HIGH> {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        match (LOW..=HIGH).contains(&number) {
            true => Ok(Whole(number)),
            false => Err(whole_needed(LOW, HIGH)),
        }
    }
}

impl<const LOW: u64, const HIGH: u64> FromStr for Whole<LOW, HIGH> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<u64>().map_err(|_| whole_needed(LOW, HIGH)).and_then(Whole::try_from)
    }
}

impl<const LOW: u64, const HIGH: u64> fmt::Display for Whole<LOW, HIGH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const LOW: u64, const HIGH: u64> Serialize for Whole<LOW, HIGH> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de, const LOW: u64, const HIGH: u64> Deserialize<'de> for Whole<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl<const LOW: u64, const HIGH: u64> JsonSchema for Whole<LOW, HIGH> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        match HIGH {
            u64::MAX => json_schema!({ "type": "integer", "minimum": LOW }),
            _ => json_schema!({ "type": "integer", "minimum": LOW, "maximum": HIGH }),
        }
    }
}

/// Defines a type for numbers from 0 to a limit, with a help for the user.
macro_rules! real {
    ($(#[$about:meta])* $name:ident, $high:expr, $what:expr) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        pub struct $name(pub f64);

        impl TryFrom<f64> for $name {
            type Error = String;

            fn try_from(number: f64) -> Result<Self, String> {
                (0.0..=$high).contains(&number).then_some($name(number)).ok_or_else(|| $what.to_string())
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                text.parse().map_err(|_| $what.to_string()).and_then(|number: f64| number.try_into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                f64::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "number", "minimum": 0.0, "maximum": $high })
            }
        }
    };
}

real!(
    /// Seconds, up to about a year.
    Seconds,
    3.2e7,
    "write seconds, such as 10 or 0.5"
);
real!(
    /// A number from 0 to 1.
    Share,
    1.0,
    "write a number from 0 to 1, such as 0.3"
);
real!(
    /// A factor of 0 or more.
    Factor,
    1e6,
    "write a number of 0 or more, such as 0.7"
);
real!(
    /// Half the width of an interval.
    Accuracy,
    1e6,
    "write a number of 0 or more, such as 1e-9"
);

/// Bytes of memory: a number, or a text such as `512M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let bare = text.trim().trim_end_matches("iB").trim_end_matches('B');
        let (digits, unit) = match bare.char_indices().next_back() {
            Some((at, 'k' | 'K')) => (&bare[..at], 10),
            Some((at, 'm' | 'M')) => (&bare[..at], 20),
            Some((at, 'g' | 'G')) => (&bare[..at], 30),
            _ => (bare, 0),
        };
        let number: u64 =
            digits.parse().map_err(|_| "write a number of bytes, such as 536870912, 512M or 2G".to_string())?;
        match number.checked_shl(unit).filter(|bytes| bytes >> unit == number) {
            Some(bytes) if bytes >= 1 << 20 => Ok(Bytes(bytes)),
            Some(_) => Err("the rules need at least 1M".to_string()),
            None => Err("this number is too large".to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse().map_err(D::Error::custom),
            number => number.to_string().parse().map_err(D::Error::custom),
        }
    }
}

impl JsonSchema for Bytes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["integer", "string"], "minimum": 1 << 20 })
    }
}

/// The size limit of a utility table, in bytes.
const LARGEST_TABLE: u64 = 1 << 20;

/// The rule that combines the values of chance outcomes. The file of `risk=table:FILE` is already
/// read.
#[derive(Clone, Debug)]
pub struct Combined {
    text: String,
    /// The rule.
    pub rule: BackupRule,
}

impl Default for Combined {
    fn default() -> Combined {
        Combined { text: BackupRule::Expect.to_string(), rule: BackupRule::Expect }
    }
}

impl FromStr for Combined {
    type Err = String;

    fn from_str(text: &str) -> Result<Combined, String> {
        let rule = match text.strip_prefix("risk=table:") {
            None => text.parse()?,
            Some(path) => {
                let read = interrupt::opened(path, || read_text(path, LARGEST_TABLE, "bytes, the limit for a table"))
                    .map_err(|error| format!("cannot read {path}: {}", why(&error, "there is no such file")))?;
                RiskFunction::table(&read).map(BackupRule::Risk).map_err(|wrong| format!("{path}: {wrong}"))?
            }
        };
        Ok(Combined { text: text.to_string(), rule })
    }
}

impl fmt::Display for Combined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Combined {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Combined {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Combined {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Backup".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// Changed game parameters by name. In JSON an object with strings, numbers or booleans as values.
pub(super) mod params {
    use super::{Cow, Deserialize, Deserializer, Error, JsonSchema, Schema, SchemaGenerator, Serializer, Value};
    use schemars::json_schema;
    use serde::ser::SerializeMap;
    use std::collections::BTreeMap;

    /// The schema of the parameters.
    pub(in super::super) type Schemas = BTreeMap<String, ParamValue>;

    /// The schema of the value of a parameter.
    pub(in super::super) enum ParamValue {}

    impl JsonSchema for ParamValue {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "ParamValue".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": ["string", "number", "boolean"] })
        }
    }

    pub(in super::super) fn serialize<S: Serializer>(
        params: &[(String, String)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(params.len()))?;
        params.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, String)>, D::Error> {
        let fields = serde_json::Map::deserialize(deserializer)?;
        let text = |(name, value): (String, Value)| match value {
            Value::String(text) => Ok((name, text)),
            Value::Number(_) | Value::Bool(_) => Ok((name, value.to_string())),
            _ => Err(D::Error::custom(format!("the value of the parameter {name} must be a text or a number"))),
        };
        fields.into_iter().map(text).collect()
    }
}

/// Parses `NAME=VALUE` of the command line.
pub fn param(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("write NAME=VALUE, such as size=8".to_string()),
    }
}
