//! The options of an engine: those of the search, and the parameters of the game.
//!
//! It writes the option lines of UGI and UCI, and sets an option of the search by its name. Names of options
//! are read without regard to case. Parameters of the game are changed by the caller, who loads the rules.

use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Domain, Param};
use alphorn_search::search::Algorithm;
use alphorn_search::search::sample::flat::GAMES;
use alphorn_session::session::SearchOptions;
use alphorn_session::session::words::MoveNotation;

/// The greatest size of the table, in megabytes, and the greatest number of threads.
const MOST_HASH: u64 = 1 << 20;
const MOST_THREADS: u64 = 1024;

/// The greatest time that the way of a move takes, in milliseconds.
const MOST_OVERHEAD: u64 = 60_000;

/// The options of the search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EngineOptions {
    /// The size of the transposition table, in megabytes.
    hash: u64,
    threads: u64,
    algorithm: Algorithm,
    /// Whether `auto` may skip unlikely moves.
    heuristic: bool,
    /// The time that a move needs to reach the other program, in milliseconds.
    pub(super) overhead: u64,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { hash: 16, threads: 1, algorithm: Algorithm::Auto, heuristic: false, overhead: 10 }
    }
}

const NAMES: [&str; 5] = ["Hash", "Threads", "Algorithm", "Heuristic", "Move Overhead"];

impl EngineOptions {
    /// The lines that declare all options, with their present values as defaults.
    pub(super) fn lines(&self, params: &[Param]) -> Vec<String> {
        let names: String = Algorithm::every().map(|algorithm| format!(" var {}", algorithm.name())).collect();
        let mut lines = vec![
            format!("option name Hash type spin default {} min 1 max {MOST_HASH}", self.hash),
            format!("option name Threads type spin default {} min 1 max {MOST_THREADS}", self.threads),
            format!("option name Algorithm type combo default {}{names}", self.algorithm),
            format!("option name Heuristic type check default {}", self.heuristic),
            format!("option name Move Overhead type spin default {} min 0 max {MOST_OVERHEAD}", self.overhead),
        ];
        lines.extend(params.iter().map(|param| {
            let (name, value) = (param.name.text(), &param.value);
            match &param.domain {
                Domain::Range(low, high) => {
                    format!("option name {name} type spin default {value} min {low} max {high}")
                }
                Domain::OneOf(values) => {
                    let values: String = values.iter().map(|value| format!(" var {value}")).collect();
                    format!("option name {name} type combo default {value}{values}")
                }
            }
        }));
        lines
    }

    /// Sets an option of the search. Returns false if there is no such option.
    ///
    /// # Errors
    ///
    /// A sentence that says which values the option has.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let Some(name) = NAMES.iter().find(|known| known.eq_ignore_ascii_case(name)) else { return Ok(false) };
        let within = |low: u64, high: u64| {
            let number = value.parse().ok().filter(|number| (low..=high).contains(number));
            number.ok_or_else(|| format!("{name} is a whole number from {low} to {high}, not {value}"))
        };
        match *name {
            "Hash" => self.hash = within(1, MOST_HASH)?,
            "Threads" => self.threads = within(1, MOST_THREADS)?,
            "Move Overhead" => self.overhead = within(0, MOST_OVERHEAD)?,
            "Heuristic" => {
                let set = value.to_lowercase().parse();
                self.heuristic = set.map_err(|_| format!("{name} is true or false, not {value}"))?;
            }
            _ => self.algorithm = value.parse().map_err(|error| format!("{error}"))?,
        }
        Ok(true)
    }

    /// The options for a search. `bounded` says whether nodes or time are limited.
    pub(super) fn search(&self, bounded: bool, counts_nodes: bool) -> SearchOptions<'_> {
        SearchOptions {
            hash: Some(self.hash << 20),
            // A node limit does not count the nodes of helper threads.
            threads: if counts_nodes { 1 } else { self.threads as usize },
            heuristic: self.heuristic && self.algorithm == Algorithm::Auto,
            games: if bounded { u64::MAX } else { GAMES },
            notation: MoveNotation::Word,
            ..self.algorithm.into()
        }
    }
}

/// The sentence for an option that does not exist.
pub(super) fn unknown_option(name: &str, params: &[Param]) -> String {
    let params: Vec<String> = params.iter().map(|param| param.name.text().to_string()).collect();
    let known = NAMES.iter().copied().chain(params.iter().map(String::as_str));
    match nearest(name, known.clone()) {
        Some(near) => format!("there is no option {name}; did you mean {near}?"),
        None => format!("there is no option {name}; the options are {}", known.collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_name_and_wrong_values_change_nothing() {
        let mut options = EngineOptions::default();
        for (name, value) in [("hash", "4"), ("MOVE OVERHEAD", "0"), ("Heuristic", "True"), ("algorithm", "mtdf")] {
            assert_eq!(options.set(name, value), Ok(true), "{name}");
        }
        assert_eq!((options.hash, options.overhead, options.heuristic), (4, 0, true));
        assert_eq!(options.algorithm, Algorithm::Mtdf);
        let before = options.clone();
        for (name, value) in [("Hash", "0"), ("Threads", "-1"), ("Threads", ""), ("Algorithm", "x"), ("Heuristic", "1")]
        {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options.set("nothing", "1"), Ok(false));
        assert_eq!(options, before);
    }
}
