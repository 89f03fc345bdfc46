//! Options of a match: the number of games and their record, the sequential test, the openings.
//!
//! A text or a JSON value becomes an option, or an error sentence that says what to write.

use super::host::refusal;
use super::words::Whole;
use alphorn_lab::arena::clock::TimeControl;
use alphorn_lab::arena::sprt::Sprt;
use alphorn_session::session::SessionResult;
use alphorn_session::session::openings::Balance;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The greatest number of games of a match or a tournament.
pub(super) const MOST_GAMES: u64 = 1_000_000;

/// An even number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Even(pub(super) u32);

impl Even {
    fn of(number: Option<u64>) -> Result<Even, String> {
        match number.filter(|number| (2..=MOST_GAMES).contains(number)) {
            Some(number) if number % 2 == 0 => Ok(Even(number as u32)),
            Some(number) => Err(format!(
                "each opening is played twice, once with swapped sides: write {} or {}",
                number - 1,
                number + 1
            )),
            None => Err("write an even number from 2 to 1000000".to_string()),
        }
    }
}

/// The number of games, or the file for their record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GamesOption {
    /// The number of games.
    Count(Even),
    /// The file for the record.
    File(PathBuf),
}

impl FromStr for GamesOption {
    type Err = String;

    fn from_str(text: &str) -> Result<GamesOption, String> {
        match text.parse::<i128>() {
            Ok(number) => Even::of(u64::try_from(number).ok()).map(GamesOption::Count),
            Err(_) if text.contains(['.', '/']) => Ok(GamesOption::File(PathBuf::from(text))),
            Err(_) => Err("write an even number of games, or a file for their record, such as games.jsonl".to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for GamesOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        text.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for GamesOption {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "GamesOption".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 2, "maximum": MOST_GAMES, "multipleOf": 2 },
            { "type": "string" },
        ] })
    }
}

/// The record of the games, if there is one.
pub(super) fn record(games: &[GamesOption]) -> Option<&Path> {
    games.iter().find_map(|option| match option {
        GamesOption::File(path) => Some(path.as_path()),
        GamesOption::Count(_) => None,
    })
}

/// The number of games, if it is given.
pub(super) fn count(games: &[GamesOption]) -> Option<u32> {
    games.iter().find_map(|option| match option {
        GamesOption::Count(count) => Some(count.0),
        GamesOption::File(_) => None,
    })
}

/// Checks that there is at most one number and one file.
///
/// # Errors
///
/// There are more.
pub(super) fn check_games(games: &[GamesOption]) -> SessionResult<()> {
    if games.len() > 2 || games.len() == 2 && (record(games).is_none() || count(games).is_none()) {
        let what = if count(games).is_some() { "number" } else { "file" };
        return Err(refusal(
            format!("--games is given twice with a {what}"),
            "give one number and one file: --games 200 --games games.jsonl",
        ));
    }
    Ok(())
}

/// One option or several, as JSON.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(GamesOption),
    /// Several.
    More(Vec<GamesOption>),
}

/// The JSON of the options `games`: a number, a file, or an array of both.
pub mod games {
    use super::GamesOption;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(all: &[GamesOption], serializer: S) -> Result<S::Ok, S::Error> {
        match all {
            [one] => one.serialize(serializer),
            all => all.serialize(serializer),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<GamesOption>, D::Error> {
        // An untagged type would hide the message for a wrong number.
        let value = serde_json::Value::deserialize(deserializer)?;
        let all = if value.is_array() { value } else { serde_json::Value::Array(vec![value]) };
        serde_json::from_value(all).map_err(serde::de::Error::custom)
    }
}

/// Splits `name=value,name=value`. `names` are the known names.
fn pairs(text: &str, names: &[&str], example: &str) -> Result<Vec<(String, f64)>, String> {
    let mut found: Vec<(String, f64)> = Vec::new();
    for part in text.split(',') {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("write {example}"))?;
        let (name, value) = (name.trim(), value.trim());
        if !names.contains(&name) {
            return Err(format!("there is no `{name}` here, only {}: write {example}", names.join(", ")));
        }
        if found.iter().any(|(other, _)| other == name) {
            return Err(format!("{name} is given twice"));
        }
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        found.push((
            name.to_string(),
            number.ok_or_else(|| format!("{name}={value} is not a number: write {example}"))?,
        ));
    }
    Ok(found)
}

fn value_of(pairs: &[(String, f64)], name: &str) -> Option<f64> {
    pairs.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
}

/// The probability of an error of a test, if none is given.
const ERROR: f64 = 0.05;

/// A sequential test, written as `elo0=0,elo1=10,alpha=0.05,beta=0.05`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtOption(pub Sprt);

impl FromStr for SprtOption {
    type Err = String;

    fn from_str(text: &str) -> Result<SprtOption, String> {
        let example = "elo0=0,elo1=10, and if you like alpha=0.05,beta=0.05";
        let pairs = pairs(text, &["elo0", "elo1", "alpha", "beta"], example)?;
        let needed = |name: &str| value_of(&pairs, name).ok_or_else(|| format!("{name} is missing: write {example}"));
        let error = |name: &str| value_of(&pairs, name).unwrap_or(ERROR);
        Sprt::new(needed("elo0")?, needed("elo1")?, error("alpha"), error("beta")).map(SprtOption)
    }
}

impl fmt::Display for SprtOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([elo0, elo1], [alpha, beta]) = (self.0.elos(), self.0.errors());
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

/// A filter of openings, written as `value=50,depth=4`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceOption(pub Balance);

/// The greatest depth of the filter.
const DEEPEST: f64 = 100.0;

impl FromStr for BalanceOption {
    type Err = String;

    fn from_str(text: &str) -> Result<BalanceOption, String> {
        let example = "value=50,depth=4";
        let pairs = pairs(text, &["value", "depth"], example)?;
        let needed = |name: &str| value_of(&pairs, name).ok_or_else(|| format!("{name} is missing: write {example}"));
        let (most, depth) = (needed("value")?, needed("depth")?);
        if most < 0.0 {
            return Err(format!("value={most} is less than 0: the filter compares the value without its sign"));
        }
        if depth.fract() != 0.0 || !(0.0..=DEEPEST).contains(&depth) {
            return Err(format!("depth={depth} is not a whole number of plies from 0 to {DEEPEST}"));
        }
        Ok(BalanceOption(Balance { most, depth: depth as u32 }))
    }
}

impl fmt::Display for BalanceOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value={},depth={}", self.0.most, self.0.depth)
    }
}

/// The clock of a side, written as `60+0.6`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockOption(pub TimeControl);

impl FromStr for ClockOption {
    type Err = String;

    fn from_str(text: &str) -> Result<ClockOption, String> {
        text.parse().map(ClockOption)
    }
}

impl fmt::Display for ClockOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads and writes an option in JSON as its text.
macro_rules! as_text {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
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
                json_schema!({ "type": "string" })
            }
        }
    )*};
}

/// The source of the openings: `random`, `initial`, or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OpeningsOption {
    /// Random moves.
    #[default]
    Random,
    /// The answers of `initial/1`.
    Initial,
    /// The lines of a file.
    File(String),
}

impl FromStr for OpeningsOption {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningsOption, String> {
        match text {
            "random" => Ok(OpeningsOption::Random),
            "initial" => Ok(OpeningsOption::Initial),
            text if text.contains(['.', '/']) => Ok(OpeningsOption::File(text.to_string())),
            _ => Err(
                "write random, initial, or a file with a position or a list of moves on each line, such as book.txt"
                    .to_string(),
            ),
        }
    }
}

impl fmt::Display for OpeningsOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpeningsOption::Random => "random",
            OpeningsOption::Initial => "initial",
            OpeningsOption::File(path) => path,
        })
    }
}

as_text!(SprtOption, BalanceOption, OpeningsOption, ClockOption);

/// The number of random moves of an opening.
pub type OpeningPlies = Whole<0, 1000>;

#[cfg(test)]
mod tests {
    use super::*;

    fn told<T: FromStr<Err = String>>(text: &str) -> String {
        text.parse::<T>().map(|_| ()).expect_err("it is wrong")
    }

    #[test]
    fn wrong_tests_are_told() {
        for (text, words) in [
            ("elo0=10,elo1=0", "write elo0=0,elo1=10"),
            ("elo0=5", "elo1 is missing"),
            ("elo=5,elo1=7", "there is no `elo` here"),
            ("elo0=0,elo1=x", "elo1=x is not a number"),
            ("elo0=0,elo1=inf", "elo1=inf is not a number"),
            ("elo0=0,elo1=5,elo1=6", "given twice"),
            ("elo0=0,elo1=5,alpha=0.6", "alpha=0.6"),
            ("yes", "write elo0=0,elo1=10"),
        ] {
            assert!(told::<SprtOption>(text).contains(words), "{text}: {}", told::<SprtOption>(text));
        }
        let option: SprtOption = "elo0=-2.5, elo1=3,beta=0.1".parse().expect("it is right");
        assert_eq!(option.to_string(), "elo0=-2.5,elo1=3,alpha=0.05,beta=0.1");
        assert_eq!(option.to_string().parse(), Ok(option));
    }

    #[test]
    fn other_wrong_options_are_told() {
        assert!(told::<BalanceOption>("value=-1,depth=2").contains("less than 0"));
        assert!(told::<BalanceOption>("value=1,depth=2.5").contains("whole number"));
        assert!(told::<OpeningsOption>("book").contains("book.txt"));
        assert!(told::<GamesOption>("7").contains("write 6 or 8"));
        assert!(told::<GamesOption>("-2").contains("an even number"));
        assert!(told::<GamesOption>("1OO").contains("games.jsonl"));
        assert_eq!("./8".parse(), Ok(GamesOption::File(PathBuf::from("./8"))));
    }
}
