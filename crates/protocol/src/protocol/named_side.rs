//! The sides of a tournament: a name and options each, in the request or on the lines of a file.

use super::host::refusal;
use super::side::{ENGINE, Side};
use super::tournament_record::MOST_SIDES;
use alphorn_session::session::SessionResult;
use alphorn_session::session::options::source;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The greatest length of a name that is given, in characters.
const LONGEST_NAME: usize = 40;

/// The name of a side without options and without a name.
const DEFAULT: &str = "default";

/// A side with its name.
#[derive(Clone, Debug)]
pub struct NamedSide {
    /// The given name; `None` if the options are the name.
    given: Option<String>,
    /// The options.
    pub side: Side,
}

/// A side as JSON fields.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct SideFields {
    /// The name; null or missing: the options are the name.
    #[serde(default)]
    name: Option<String>,
    /// The options.
    #[serde(default)]
    settings: Side,
}

impl NamedSide {
    /// The name: the given one, or else the options.
    pub fn name(&self) -> &str {
        match &self.given {
            Some(name) => name,
            None if self.side.text.is_empty() => DEFAULT,
            None => &self.side.text,
        }
    }
}

/// Checks a given name.
fn checked_name(name: &str) -> Result<String, String> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
    match !name.is_empty() && name.chars().all(fits) && name.chars().count() <= LONGEST_NAME && !name.starts_with('-') {
        true => Ok(name.to_string()),
        false => Err(format!(
            "\"{name}\" is no name of a side: write at most {LONGEST_NAME} letters, digits, dots, signs or underscores, \
             such as deep=--depth 4"
        )),
    }
}

impl FromStr for NamedSide {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedSide, String> {
        let text = text.trim();
        let named =
            text.split_once('=').filter(|(name, _)| !name.starts_with(['-', '"', '\'']) && !name.contains(ENGINE));
        let (given, settings) = match named {
            Some((name, settings)) => (Some(checked_name(name.trim_end())?), settings),
            None => (None, text),
        };
        Ok(NamedSide { given, side: settings.parse()? })
    }
}

impl fmt::Display for NamedSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.given {
            Some(name) => write!(f, "{name}={}", self.side),
            None => write!(f, "{}", self.side),
        }
    }
}

impl Serialize for NamedSide {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NamedSide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        if let serde_json::Value::String(text) = &value {
            return text.parse().map_err(D::Error::custom);
        }
        let SideFields { name, settings } = serde_json::from_value(value).map_err(D::Error::custom)?;
        let given = name.map(|name| checked_name(&name)).transpose().map_err(D::Error::custom)?;
        Ok(NamedSide { given, side: settings })
    }
}

impl JsonSchema for NamedSide {
    fn schema_name() -> Cow<'static, str> {
        "NamedSide".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fields = SideFields::json_schema(generator);
        json_schema!({ "anyOf": [{ "type": "string" }, fields] })
    }
}

/// The sides of a request, and after them those of a file: one on each line. Empty lines and lines that begin
/// with `#` or `%` do not count.
///
/// # Errors
///
/// The file cannot be read, a line is no side, two sides have one name, or there are too few or too many sides.
pub(super) fn all_sides(given: &[NamedSide], file: Option<&str>) -> SessionResult<Vec<NamedSide>> {
    let mut sides = given.to_vec();
    if let Some(name) = file {
        let text = source(name)?;
        for (number, line) in text.text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', '%']) {
                continue;
            }
            let told = |why: String| {
                // After an empty line, the parser of options gives a tip.
                let (what, tip) = why.split_once("\n\n").map_or((why.as_str(), ""), |(what, tip)| (what, tip.trim()));
                let help = format!("write one side on each line, as after --side: deep=--depth 4\n{tip}");
                refusal(format!("{name}:{}: {what}", number + 1), help.trim_end())
            };
            sides.push(line.parse().map_err(told)?);
        }
    }
    let example = "--side 'deep=--depth 4' --side 'fast=--depth 1'";
    match sides.len() {
        0 => return Err(refusal("a tournament needs sides", format!("give at least two sides: {example}"))),
        1 => {
            let message = format!("a tournament needs at least two sides, and there is only {}", sides[0].name());
            return Err(refusal(message, format!("give more sides: {example}")));
        }
        2..=MOST_SIDES => {}
        more => {
            let message = format!("there are {more} sides, and a tournament has at most {MOST_SIDES}");
            return Err(refusal(message, "play several tournaments"));
        }
    }
    for (at, side) in sides.iter().enumerate() {
        let name = side.name();
        if sides[..at].iter().any(|other| other.name() == name) {
            let help = match &side.given {
                Some(_) => format!("give each side a name of its own: --side '{name}2={}'", side.side),
                None => format!("give one of the two a name: --side 'again={}'", side.side),
            };
            return Err(refusal(format!("two sides have the name {name}"), help));
        }
    }
    Ok(sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, String) {
        let side: NamedSide = text.parse().expect("it is a side");
        assert_eq!(side.to_string().parse::<NamedSide>().map(|side| side.to_string()), Ok(side.to_string()));
        (side.name().to_string(), side.side.text)
    }

    #[test]
    fn a_name_stands_before_the_options() {
        for (text, name, settings) in [
            ("deep=--depth 4", "deep", "--depth 4"),
            (" deep = --depth=4 ", "deep", "--depth=4"),
            ("--depth=4", "--depth=4", "--depth=4"),
            ("-p w=3", "-p w=3", "-p w=3"),
            ("v1.2+x=-p w=3", "v1.2+x", "-p w=3"),
            ("plain=", "plain", ""),
            ("", "default", ""),
            ("engine:sh -c a=b", "engine:sh -c a=b", "engine:sh -c a=b"),
            ("--nodes 1 engine:x=y", "--nodes 1 engine:x=y", "--nodes 1 engine:x=y"),
            ("sf=engine:stockfish", "sf", "engine:stockfish"),
        ] {
            assert_eq!(read(text), (name.to_string(), settings.to_string()), "{text}");
        }
    }

    #[test]
    fn wrong_sides_are_told() {
        let told = |text: &str| text.parse::<NamedSide>().map(|_| ()).expect_err("it is wrong");
        assert!(told("my side=--depth 1").contains("\"my side\" is no name"), "{}", told("my side=--depth 1"));
        assert!(told("=--depth 1").contains("is no name of a side"));
        assert!(told(&format!("{}=", "x".repeat(41))).contains("at most 40"));
        assert!(told("a=--dept 1").contains("--dept"));
        let side = |text: &str| text.parse::<NamedSide>().expect("it is a side");
        let refused = |sides: &[&str]| {
            let sides: Vec<NamedSide> = sides.iter().map(|text| side(text)).collect();
            all_sides(&sides, None).map(|_| ()).expect_err("they are wrong").to_string()
        };
        assert!(refused(&[]).contains("needs sides"));
        assert!(refused(&["a="]).contains("only a"));
        assert!(refused(&["a=", "b=", "a=--depth 1"]).contains("two sides have the name a"));
        let many: Vec<String> = (0..101).map(|number| format!("s{number}=")).collect();
        assert!(refused(&many.iter().map(String::as_str).collect::<Vec<_>>()).contains("at most 100"));
    }
}
