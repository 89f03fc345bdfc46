//! What the requests of a client may name and use: which files, how many steps, how much memory, how many
//! searches at a time.
//!
//! By default everything is allowed, as at the prompt. A server for web pages restricts its clients. The check
//! takes the fields of a request before they are parsed, because the parser already reads some files. A field
//! with text is refused unless this file allows it, so a new field is closed until somebody decides.

use super::words::Bytes;
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Origin;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Fields whose text never names a file.
const PLAIN: &[&str] = &[
    "accuracy",
    "advice",
    "aim",
    "algorithm",
    "at",
    "balance",
    "board",
    "by",
    "cancel",
    "clauses",
    "code",
    "explore",
    "goal",
    "id",
    "implicit",
    "leaf",
    "leaves",
    "method",
    "move",
    "moves",
    "name",
    "only",
    "params",
    "position",
    "predicate",
    "opening_plies",
    "request",
    "risk_view",
    "skip",
    "sprt",
    "text",
    "texts",
];

/// Fields that hold the settings of players.
const SIDES: &[&str] = &["a", "b", "side"];

/// What the settings of a player must not contain, if they are one text: files, programs and budgets.
const CLOSED_SETTINGS: &[&str] = &["engine:", "table:", "--with", "--memory", "--steps", "--hash", "--threads"];

/// The names of requests that end soon. All others are searches or games and count as long.
const SHORT: &[&str] = &[
    "cancel",
    "check",
    "complete",
    "example",
    "format",
    "hover",
    "listing",
    "load",
    "move",
    "moves",
    "new",
    "show",
    "template",
    "tree-nodes",
    "undo",
];

/// The most steps that a request may allow for one question to the rules.
const MOST_STEPS: u64 = 1_000_000_000;

/// The most bytes that a request may allow for one evaluation.
const MOST_MEMORY: u64 = 1 << 30;

/// The most megabytes that a request may allow for the table of a search.
const MOST_HASH: u64 = 512;

/// The time for which a long request waits until another one ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two looks at the number of running requests.
const LOOK: Duration = Duration::from_millis(5);

/// The most bytes of requests of one client that wait.
const MOST_WAITING: usize = 64 << 20;

/// What the requests of a client may name and use.
#[derive(Clone, Debug, Default)]
pub struct Policy(Option<Arc<Restriction>>);

/// The restriction of the clients of a server, which share it.
#[derive(Debug, Default)]
pub struct Restriction {
    /// The name of the opened file in requests, and its path. Texts of this name may load files beside it.
    pub opened: Option<(String, PathBuf)>,
    /// The overlays that requests may name.
    pub overlays: Vec<String>,
    /// The file of solved positions that requests may name.
    pub table: Option<String>,
    /// The most long requests at a time.
    pub most_running: usize,
    /// The number of long requests that run.
    pub running: AtomicUsize,
}

/// Counts a request as running until it is dropped.
#[derive(Debug)]
pub struct Permit(Option<Arc<Restriction>>);

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(restriction) = &self.0 {
            restriction.running.fetch_sub(1, SeqCst);
        }
    }
}

impl Policy {
    /// A policy that closes all files but those of the restriction.
    pub fn restricted(by: &Arc<Restriction>) -> Policy {
        Policy(Some(by.clone()))
    }

    /// The most bytes of requests that may wait; `None` for no limit.
    pub(super) fn most_waiting(&self) -> Option<usize> {
        self.0.as_ref().map(|_| MOST_WAITING)
    }

    /// The origin of a text of rules that a client has sent under this name. Without a restriction `usual` is
    /// the origin. With one, only the text of the opened file may load other files of its folder.
    pub(super) fn origin(&self, name: &str, usual: impl FnOnce() -> Origin) -> Origin {
        let Some(restriction) = &self.0 else { return usual() };
        match restriction.opened.as_ref().filter(|(opened, _)| opened == name) {
            Some((_, path)) => Origin::File(path.clone()),
            None => Origin::Typed,
        }
    }

    /// Checks the fields of a request before they are parsed.
    ///
    /// # Errors
    ///
    /// A field names a file that is closed, or allows too much.
    pub(super) fn check(&self, fields: &Map<String, Value>) -> SessionResult<()> {
        let Some(restriction) = &self.0 else { return Ok(()) };
        fields.iter().try_for_each(|(name, value)| restriction.check(name, value))
    }

    /// Counts a request that is about to run. A long request waits a moment if too many run, or until `stop`.
    ///
    /// # Errors
    ///
    /// Too many long requests run.
    pub(super) fn admit(&self, request: &str, stop: &AtomicBool) -> SessionResult<Permit> {
        let Some(restriction) = self.0.as_ref().filter(|_| !SHORT.contains(&request)) else { return Ok(Permit(None)) };
        let most = restriction.most_running;
        let since = Instant::now();
        loop {
            let one_more = |running| (running < most).then_some(running + 1);
            if restriction.running.fetch_update(SeqCst, SeqCst, one_more).is_ok() {
                return Ok(Permit(Some(restriction.clone())));
            }
            if since.elapsed() >= PATIENCE || stop.load(SeqCst) {
                let message = format!("{most} long requests run already, which is the most that this server allows");
                return Err(closed(message, "stop a search or a match, in this window or in another one"));
            }
            std::thread::sleep(LOOK);
        }
    }
}

impl Restriction {
    fn check(&self, name: &str, value: &Value) -> SessionResult<()> {
        let file = || {
            closed(format!("\"{name}\" cannot name a file here"), "this server opens only the file it was started with")
        };
        let is_open = match name {
            "with" => texts(value).all(|text| self.overlays.iter().any(|overlay| overlay == text)),
            "table" => texts(value).all(|text| self.table.as_deref() == Some(text)),
            "openings" => texts(value).all(|text| matches!(text, "random" | "initial")),
            "backup" => texts(value).all(|text| !text.contains("table:")),
            "steps" => return allowed(name, value.as_u64().filter(|steps| *steps > 0), value, MOST_STEPS),
            "memory" => return allowed(name, bytes(value), value, MOST_MEMORY),
            "hash" => return allowed(name, value.as_u64(), value, MOST_HASH),
            "threads" | "jobs" => return allowed(name, value.as_u64(), value, cores()),
            name if SIDES.contains(&name) => return self.check_sides(value),
            name if PLAIN.contains(&name) => true,
            _ => texts(value).next().is_none(),
        };
        if is_open { Ok(()) } else { Err(file()) }
    }

    /// Checks the settings of players: a text, an object, or an array of both.
    fn check_sides(&self, value: &Value) -> SessionResult<()> {
        match value {
            Value::String(text) => match CLOSED_SETTINGS.iter().find(|closed| text.contains(**closed)) {
                Some(word) => Err(closed(
                    format!("the settings of a player cannot contain {word} here"),
                    "give the settings as an object, such as {\"depth\": 4}",
                )),
                None => Ok(()),
            },
            Value::Object(fields) => fields.iter().try_for_each(|(name, value)| match name.as_str() {
                "settings" => self.check_sides(value),
                name => self.check(name, value),
            }),
            Value::Array(sides) => sides.iter().try_for_each(|side| self.check_sides(side)),
            _ => Ok(()),
        }
    }
}

/// Checks that a number is there and not too large.
fn allowed(name: &str, number: Option<u64>, value: &Value, most: u64) -> SessionResult<()> {
    match number {
        Some(number) if number <= most => Ok(()),
        _ if value.is_null() => Ok(()),
        _ => Err(closed(format!("\"{name}\" allows too much here"), format!("give a number from 1 to {most}"))),
    }
}

fn bytes(value: &Value) -> Option<u64> {
    serde_json::from_value::<Bytes>(value.clone()).ok().map(|bytes| bytes.0)
}

fn cores() -> u64 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64)
}

/// All texts in a value.
fn texts(value: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        Value::String(text) => Box::new(std::iter::once(text.as_str())),
        Value::Array(parts) => Box::new(parts.iter().flat_map(texts)),
        Value::Object(fields) => Box::new(fields.values().flat_map(texts)),
        _ => Box::new(std::iter::empty()),
    }
}

fn closed(message: String, help: impl Into<String>) -> Failure {
    Failure::Problem(Box::new(Problem::placeless(Code::NotAllowedHere, message).help(help)), Arc::default())
}

#[cfg(test)]
mod tests {
    use super::super::line::REQUESTS;
    use super::{PLAIN, Policy, Restriction, SIDES};
    use serde_json::{Value, json};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Fields that may name a file.
    const FILES: &[&str] = &[
        "adjudicate",
        "anchor",
        "backup",
        "data",
        "file",
        "files",
        "games",
        "openings",
        "output",
        "proof",
        "record",
        "save",
        "sides",
        "table",
        "with",
    ];

    fn policy() -> Policy {
        let opened = Some(("game.pl".to_string(), "/tmp/game.pl".into()));
        let overlays = vec!["fast.pl".to_string()];
        Policy::restricted(&Arc::new(Restriction { opened, overlays, most_running: 1, ..Restriction::default() }))
    }

    fn refused(fields: &Value) -> bool {
        policy().check(fields.as_object().expect("the test gives an object")).is_err()
    }

    /// A field with text is open only if somebody put it in a list.
    #[test]
    fn every_field_of_every_request_is_closed_or_known_to_be_plain() {
        for (request, fields) in REQUESTS.iter() {
            for field in fields {
                // Only some of its texts name a file.
                if field == "backup" {
                    continue;
                }
                let is_known = PLAIN.contains(&field.as_str()) || SIDES.contains(&field.as_str());
                let names = json!({"request": request, field.as_str(): "/etc/passwd"});
                let is_plain = is_known || field == "id" || field == "request";
                assert_eq!(!refused(&names), is_plain, "{request}: {field}");
                assert!(!(is_known && FILES.contains(&field.as_str())), "{request}: {field}");
            }
        }
    }

    #[test]
    fn files_programs_and_large_budgets_are_refused() {
        for fields in [
            json!({"with": ["other.pl"]}),
            json!({"files": ["game.pl"]}),
            json!({"games": [10, "record.jsonl"]}),
            json!({"backup": "risk=table:/etc/passwd"}),
            json!({"openings": "book.txt"}),
            json!({"a": "--depth 2 engine:rm -rf x"}),
            json!({"b": "--backup risk=table:x"}),
            json!({"side": ["--depth 1", "--with x.pl"]}),
            json!({"side": [{"name": "x", "settings": {"with": ["x.pl"]}}]}),
            json!({"a": {"with": ["x.pl"]}}),
            json!({"steps": 0}),
            json!({"memory": "2T"}),
            json!({"hash": 100_000}),
        ] {
            assert!(refused(&fields), "{fields}");
        }
        for fields in [
            json!({"with": ["fast.pl"], "steps": 1000, "memory": "512M"}),
            json!({"a": {"depth": 4, "params": {"man": 3}}, "b": "--depth 2", "games": 10, "openings": "random"}),
            json!({"texts": [{"name": "x.pl", "text": "a."}], "files": [], "table": null}),
        ] {
            assert!(!refused(&fields), "{fields}");
        }
    }

    #[test]
    fn long_requests_are_counted() {
        let (policy, stop) = (policy(), AtomicBool::new(true));
        let first = policy.admit("value", &stop).expect("none runs");
        assert!(policy.admit("match", &stop).is_err());
        assert!(policy.admit("show", &stop).is_ok());
        drop(first);
        assert!(policy.admit("match", &stop).is_ok());
    }
}
