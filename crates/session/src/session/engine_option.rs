//! The options that an external engine offers, and whether a value fits one of them.
//!
//! It takes the `option` lines of UGI or UCI. An engine may ignore an option that it does not have, so that a
//! misspelt name would change nothing; this module says so in a sentence. It does not talk to the engine.

use alphorn_lang::lang::near::nearest;
use alphorn_text::printable;

/// The greatest number of options that are kept of one engine, and that one sentence names.
const MOST: usize = 1000;
const MOST_NAMED: usize = 30;

/// The most bytes of a text of an engine in a message.
const LONGEST_SHOWN: usize = 100;

/// A text of an engine for a message.
pub(super) fn shown(text: &str) -> String {
    printable::line(&printable::cut(text, LONGEST_SHOWN)).into_owned()
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq)]
struct EngineOption {
    name: String,
    values: OptionValues,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq)]
enum OptionValues {
    /// A whole number in a range.
    Spin(i64, i64),
    /// One of these words.
    Combo(Vec<String>),
    /// `true` or `false`.
    Check,
    /// Any text, or a kind of option that is not known.
    Any,
}

/// The options that an engine offers.
#[derive(Debug, Default)]
pub(super) struct OfferedOptions(Vec<EngineOption>);

impl OfferedOptions {
    /// Reads a line of the engine. Other lines than those of options are skipped.
    pub(super) fn hear(&mut self, line: &str) {
        if self.0.len() < MOST {
            self.0.extend(option(line));
        }
    }

    /// Checks that the engine has an option and that the option takes a value.
    ///
    /// # Errors
    ///
    /// A sentence that says which options or values there are.
    pub(super) fn check(&self, name: &str, value: &str) -> Result<(), String> {
        let Some(option) = self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
            return Err(self.unknown(name));
        };
        let name = shown(&option.name);
        match &option.values {
            OptionValues::Spin(low, high) if !value.parse().is_ok_and(|number| (*low..=*high).contains(&number)) => {
                Err(format!("the option {name} is a whole number from {low} to {high}, not {}", shown(value)))
            }
            OptionValues::Check if !["true", "false"].contains(&value.to_lowercase().as_str()) => {
                Err(format!("the option {name} is true or false, not {}", shown(value)))
            }
            OptionValues::Combo(words) if !words.iter().any(|word| word.eq_ignore_ascii_case(value)) => {
                Err(format!("the option {name} is {}, not {}", listed(words), shown(value)))
            }
            _ => Ok(()),
        }
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<String> = self.0.iter().map(|option| option.name.clone()).collect();
        let none = format!("the engine has no option {}", shown(name));
        match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("{none}; did you mean {}?", shown(near)),
            None if names.is_empty() => format!("{none}; it offers no options"),
            None => format!("{none}; its options are {}", listed(&names)),
        }
    }
}

/// Names in a sentence.
fn listed(names: &[String]) -> String {
    let mut all: Vec<String> = names.iter().take(MOST_NAMED).map(|name| shown(name)).collect();
    if names.len() > MOST_NAMED {
        all.push(format!("... ({} in all)", names.len()));
    }
    all.join(", ")
}

/// The option of a line `option name NAME type TYPE default VALUE min LOW max HIGH var WORD ...`. A name has
/// several words, and so may a value.
fn option(line: &str) -> Option<EngineOption> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let mut words = rest.split_whitespace();
    let values = match words.next()? {
        "spin" => {
            let rest: Vec<&str> = words.collect();
            let number = |key: &str| rest.windows(2).find(|two| two[0] == key)?[1].parse().ok();
            OptionValues::Spin(number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX))
        }
        "combo" => {
            let rest = format!(" {}", words.collect::<Vec<&str>>().join(" "));
            // The default may stand before or after the words.
            let word = |text: &str| text.split(" default ").next().unwrap_or_default().to_string();
            OptionValues::Combo(rest.split(" var ").skip(1).map(word).collect())
        }
        "check" => OptionValues::Check,
        _ => OptionValues::Any,
    };
    Some(EngineOption { name: name.trim().to_string(), values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> OfferedOptions {
        let mut found = OfferedOptions::default();
        for line in [
            "id name Stockfish",
            "option name Skill Level type spin default 20 min -20 max 20",
            "option name Ponder type check default false",
            "option name UCI_Variant type combo default chess var chess var tic tac toe var xiangqi",
            "option name Debug Log File type string default <empty>",
            "option name Style type combo var solid var very risky default solid",
            "option name Odd type wheel",
            "option name",
            "option name Broken type",
        ] {
            found.hear(line);
        }
        found
    }

    #[test]
    fn options_are_read() {
        let found = offered();
        let names: Vec<&str> = found.0.iter().map(|option| option.name.as_str()).collect();
        assert_eq!(names, ["Skill Level", "Ponder", "UCI_Variant", "Debug Log File", "Style", "Odd"]);
        for (name, value) in [
            ("skill level", "-20"),
            ("Ponder", "True"),
            ("UCI_Variant", "tic tac toe"),
            ("Debug Log File", "/tmp/x y"),
            ("Style", "very risky"),
            ("Odd", "7"),
        ] {
            assert_eq!(found.check(name, value), Ok(()), "{name}");
        }
    }

    #[test]
    fn wrong_options_and_values_are_told() {
        let found = offered();
        for (name, value, words) in [
            ("Skill Lvl", "3", "the engine has no option Skill Lvl; did you mean Skill Level?"),
            ("Contempt", "3", "its options are Skill Level, Ponder, UCI_Variant, Debug Log File, Style, Odd"),
            ("Skill Level", "21", "the option Skill Level is a whole number from -20 to 20, not 21"),
            ("Skill Level", "low", "not low"),
            ("Ponder", "yes", "the option Ponder is true or false, not yes"),
            ("UCI_Variant", "go", "the option UCI_Variant is chess, tic tac toe, xiangqi, not go"),
        ] {
            assert!(found.check(name, value).is_err_and(|told| told.contains(words)), "{name}");
        }
        let none = OfferedOptions::default().check("Hash", "1");
        assert_eq!(none, Err("the engine has no option Hash; it offers no options".to_string()));
        let mut many = OfferedOptions::default();
        (0..5000).for_each(|at| many.hear(&format!("option name o{at}{} type string", "x".repeat(500))));
        assert!(many.check("Hash", "1").is_err_and(|told| told.len() < 10_000 && told.ends_with("... (1000 in all)")));
    }
}
