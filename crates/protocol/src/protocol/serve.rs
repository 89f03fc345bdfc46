//! Serves the protocol: one request per line, one reply per line, both as JSON.
//!
//! For each line such as `{"id": 1, "request": "value", "depth": 4}` it writes lines with the same id:
//! any number of events (`"event"`), then a reply (`"reply"`) or an error (`"error"`). Requests run in
//! the order of arrival. `{"request": "cancel", "cancel": ID}` at once stops a running request or
//! removes a waiting one. Terminals are unknown here.

use super::data::{Refusal, SCHEMA};
use super::fields::in_fields;
use super::host::{Event, Host, refusal};
use super::{Cancelled, Reply, Request, answer};
use alphorn_lang::lang::near::nearest;
use alphorn_session::session::Failure;
use alphorn_text::printable;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::io::{BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two progress events.
const PROGRESS: Duration = Duration::from_millis(250);

/// The limit of a line, in bytes.
const LONGEST_LINE: u64 = 64 << 20;

/// The id of a request: any JSON value, repeated as it was written.
type Id = Box<RawValue>;

/// The ids in a line.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Ids {
    id: Option<Id>,
    cancel: Option<Id>,
}

/// A line of output.
#[derive(Serialize)]
struct Line<'a> {
    schema: u64,
    id: &'a RawValue,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// A request with its id, or the mistake in its line.
struct QueuedRequest {
    id: Id,
    request: Result<Box<Request>, Failure>,
}

/// The state that the reader and the worker share.
struct Shared<W> {
    state: Mutex<RequestQueue>,
    output: Mutex<W>,
    /// Stops the running request.
    stop: Arc<AtomicBool>,
    /// Set when the replies have no reader any more.
    gone: AtomicBool,
}

#[derive(Default)]
struct RequestQueue {
    /// The id of the running request.
    running: Option<Id>,
    /// The ids of the waiting requests.
    waiting: Vec<Id>,
    /// The ids of the cancelled requests that have not begun.
    cancelled: Vec<Id>,
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write> Shared<W> {
    /// Writes the error of a request.
    fn refuse(&self, id: &RawValue, failure: &Failure) {
        self.line(id, &in_fields(Refusal::from(failure), &REQUESTS));
    }

    /// Writes one object with the id of its request. Stops the running request if the output is closed.
    fn line(&self, id: &RawValue, fields: &impl Serialize) {
        let fields = match serde_json::to_value(fields) {
            Ok(Value::Object(fields)) => fields,
            Ok(other) => Map::from_iter([("value".to_string(), other)]),
            Err(error) => Map::from_iter([("error".to_string(), json!(error.to_string()))]),
        };
        let line = Line { schema: SCHEMA, id, fields };
        let text = printable::json(serde_json::to_string(&line).unwrap_or_default());
        let mut output = locked(&self.output);
        if writeln!(output, "{text}").and_then(|()| output.flush()).is_err() {
            self.gone.store(true, Relaxed);
            self.stop.store(true, Relaxed);
        }
    }

    /// Stops a running request or removes a waiting one; without a target the first of them. Returns
    /// whether there was one.
    fn cancel(&self, target: Option<&RawValue>) -> bool {
        let mut state = locked(&self.state);
        let is = |id: &Id| target.is_none_or(|target| id.get() == target.get());
        if state.running.as_ref().is_some_and(is) {
            self.stop.store(true, Relaxed);
            return true;
        }
        let Some(at) = state.waiting.iter().position(is) else { return false };
        let id = state.waiting.remove(at);
        state.cancelled.push(id);
        true
    }

    /// Begins a request. Returns false if the request was cancelled.
    fn begin(&self, id: &Id) -> bool {
        let mut state = locked(&self.state);
        if let Some(at) = state.cancelled.iter().position(|other| other.get() == id.get()) {
            state.cancelled.swap_remove(at);
            return false;
        }
        if let Some(at) = state.waiting.iter().position(|other| other.get() == id.get()) {
            state.waiting.remove(at);
        }
        state.running = Some(id.clone());
        self.stop.store(self.gone.load(Relaxed), Relaxed);
        true
    }
}

/// Serves requests until the input ends and all requests are done. The first line is `failure`, the
/// reason why nothing is loaded, if there is one.
pub fn serve<W: Write + Send + 'static>(
    input: impl BufRead + Send + 'static,
    output: W,
    mut host: Host<'_>,
    failure: Option<&Failure>,
) {
    let shared = Arc::new(Shared {
        state: Mutex::default(),
        output: Mutex::new(output),
        stop: host.stop.clone(),
        gone: AtomicBool::new(false),
    });
    if let Some(failure) = failure {
        shared.refuse(RawValue::NULL, failure);
    }
    let (send, asked) = channel();
    let reader = shared.clone();
    std::thread::spawn(move || read(input, &reader, &send));
    work(&asked, &shared, &mut host);
}

/// Reads requests, carries out cancel requests at once and sends the others to the worker.
fn read<W: Write>(mut input: impl BufRead, shared: &Shared<W>, send: &Sender<QueuedRequest>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                let failure = refusal("a line is longer than 64 MiB", "send shorter lines");
                shared.refuse(RawValue::NULL, &failure);
                match skipped(&mut input) {
                    true => continue,
                    false => return,
                }
            }
            Ok(_) => {}
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        // The ids of an array would be its elements.
        let is_object = line.trim_ascii_start().starts_with(b"{");
        let Ids { id, cancel } = is_object.then(|| serde_json::from_slice(&line).ok()).flatten().unwrap_or_default();
        let id = id.unwrap_or_else(|| RawValue::NULL.to_owned());
        let ids = [Some(&id), cancel.as_ref()].into_iter().flatten();
        match parsed(&line, ids) {
            Ok(request) => {
                if let Request::Cancel(_) = &*request {
                    let cancelled = shared.cancel(cancel.as_deref());
                    shared.line(&id, &Reply::Cancel(Cancelled { cancelled }));
                    continue;
                }
                locked(&shared.state).waiting.push(id.clone());
                if send.send(QueuedRequest { id, request: Ok(request) }).is_err() {
                    return;
                }
            }
            Err(failure) => {
                if send.send(QueuedRequest { id, request: Err(failure) }).is_err() {
                    return;
                }
            }
        }
    }
}

/// Skips the rest of a line. Returns whether the line ends with a line break.
pub(super) fn skipped(input: &mut impl BufRead) -> bool {
    loop {
        let Ok(found) = input.fill_buf() else { return false };
        let (length, ends) = match found.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (found.len(), false),
        };
        input.consume(length);
        if ends || length == 0 {
            return ends;
        }
    }
}

fn work<W: Write>(asked: &Receiver<QueuedRequest>, shared: &Shared<W>, host: &mut Host<'_>) {
    while let Ok(QueuedRequest { id, request }) = asked.recv() {
        if shared.gone.load(Relaxed) {
            return;
        }
        let request = match request {
            Ok(request) => request,
            Err(failure) => {
                shared.refuse(&id, &failure);
                continue;
            }
        };
        if !shared.begin(&id) {
            shared.refuse(&id, &refusal("the request was cancelled before it began", "send it again"));
            continue;
        }
        let told = Cell::new(None::<Instant>);
        let listen = |event: Event| {
            let is_due = || told.get().is_none_or(|at| at.elapsed() >= PROGRESS);
            match event {
                Event::Progress(_) if told.get().is_none() => told.set(Some(Instant::now())),
                Event::Progress(_) if !is_due() => {}
                event => {
                    if matches!(event, Event::Progress(_)) {
                        told.set(Some(Instant::now()));
                    }
                    shared.line(&id, &event);
                }
            }
        };
        let done = catch_unwind(AssertUnwindSafe(|| answer(&request, host, &listen)));
        {
            let mut state = locked(&shared.state);
            state.running = None;
            // The flag was set for the request that has just ended.
            shared.stop.store(false, Relaxed);
        }
        match done {
            Ok(Ok(reply)) => shared.line(&id, &reply),
            Ok(Err(failure)) => shared.refuse(&id, &failure),
            Err(_) => {
                let failure = refusal("internal error", "the rules stay loaded; please report the request");
                shared.refuse(&id, &failure);
            }
        }
    }
}

/// The failure for a line that the JSON parser does not take.
fn unread(error: &serde_json::Error) -> Failure {
    let said = error.to_string();
    let column = error.column();
    // The parser has limits of its own, which JSON has not.
    if said.starts_with("number out of range") {
        let message = format!("a number before column {column} is too large for a 64-bit float");
        return refusal(message, "in a term, write an integer as {\"integer\": \"DIGITS\"}");
    }
    if said.starts_with("recursion limit exceeded") {
        let message = format!("arrays and objects are nested too deeply at column {column}");
        return refusal(message, "a line may have 127 levels; write a deep term as text, such as \"f(g(h(a)))\"");
    }
    let said = said.split(" at line ").next().unwrap_or_default();
    let said = match said.strip_prefix("EOF ") {
        Some(rest) => format!("the line ends {rest}"),
        None => format!("{} at column {column}", said.replace("expected ident", "expected true, false or null")),
    };
    refusal(format!("the line is not JSON: {said}"), EXAMPLE)
}

/// Parses a line with these ids, which may be any JSON.
fn parsed<'a>(line: &[u8], ids: impl Iterator<Item = &'a Id>) -> Result<Box<Request>, Failure> {
    let mut fields = match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return Err(refusal("a request is a JSON object", EXAMPLE)),
        Err(error) => return Err(unread(&error)),
    };
    fields.shift_remove("id");
    let mut in_ids: Vec<&str> = ids.flat_map(|id| large_integers(id.get())).collect();
    let is_rounded = |digits: &&str| match in_ids.iter().position(|in_id| in_id == digits) {
        Some(at) => {
            in_ids.swap_remove(at);
            false
        }
        None => true,
    };
    let line = std::str::from_utf8(line).unwrap_or_default();
    if let Some(digits) = large_integers(line).into_iter().find(is_rounded) {
        let shown: String = digits.chars().take(LONGEST_SHOWN).collect();
        let message = format!(
            "the integer {shown}{} has more than 64 bits",
            if digits.len() > LONGEST_SHOWN { "..." } else { "" }
        );
        return Err(refusal(message, "in a term, write it as {\"integer\": \"DIGITS\"}"));
    }
    request_of(fields)
}

/// The most digits of a number that a message repeats.
const LONGEST_SHOWN: usize = 40;

/// The integers outside of strings that a reader of JSON would round, because they have more than 64 bits.
fn large_integers(json: &str) -> Vec<&str> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let (bytes, mut at, mut found) = (json.as_bytes(), 0, Vec::new());
    while let Some(byte) = bytes.get(at) {
        let from = at;
        at += match byte {
            b'"' => {
                let mut end = 1;
                while let Some(byte) = bytes.get(from + end).filter(|byte| **byte != b'"') {
                    end += if *byte == b'\\' { 2 } else { 1 };
                }
                end + 1
            }
            byte if is_part(byte) => bytes[from..].iter().take_while(|byte| is_part(byte)).count(),
            _ => 1,
        };
        let number = json.get(from..at).unwrap_or_default();
        let is_integer = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_integer && number.len() > 18 && number.parse::<i64>().is_err() && number.parse::<u64>().is_err() {
            found.push(number);
        }
    }
    found
}

const EXAMPLE: &str = "such as {\"id\": 1, \"request\": \"load\", \"files\": [\"game.pl\"]}";

/// Makes a request of its fields. `"request"` is the name of the request.
///
/// # Errors
///
/// There is no such request or field, or a field has a wrong value. The help names the nearest name.
pub fn request_of(fields: Map<String, Value>) -> Result<Box<Request>, Failure> {
    let name = match fields.get("request") {
        Some(Value::String(name)) => name.clone(),
        Some(_) => return Err(refusal("\"request\" is a string", EXAMPLE)),
        None => return Err(refusal("\"request\" is missing", EXAMPLE)),
    };
    let known = &*REQUESTS;
    let Some((_, named)) = known.iter().find(|(other, _)| *other == name) else {
        let help = match nearest(&name, known.iter().map(|(name, _)| name.as_str())) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => {
                let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
                format!("there are {}", names.join(", "))
            }
        };
        return Err(refusal(format!("there is no request \"{name}\""), help));
    };
    if let Some(other) = fields.keys().find(|key| !named.contains(key)) {
        let help = match nearest(other, named.iter().map(String::as_str)) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("its fields are {}", named.join(", ")),
        };
        return Err(refusal(format!("\"{name}\" has no field \"{other}\""), help));
    }
    match read_request(&fields) {
        Ok(request) => Ok(Box::new(request)),
        Err(error) => {
            let wrong = faulty_field(&fields, &error)
                .filter(|_| !error.starts_with("missing field"))
                .map(|key| format!("\"{key}\": "))
                .unwrap_or_default();
            Err(refusal(format!("{wrong}{}", plain(&error)), FIELDS))
        }
    }
}

/// Rewrites an error of serde_json with the type names of JSON.
fn plain(error: &str) -> String {
    let words = [
        ("invalid type: ", ""),
        ("invalid value: ", ""),
        ("a sequence", "an array"),
        ("sequence", "an array"),
        ("a map", "an object"),
        ("map", "an object"),
        ("u16", "a whole number from 0 to 65535"),
        ("u32", "a whole number from 0 to 4294967295"),
        ("u64", "a whole number from 0"),
        ("usize", "a whole number from 0"),
        ("i64", "a whole number"),
        ("f64", "a number"),
        ("boolean", "the truth value"),
        ("a boolean", "true or false"),
        ("missing field ", "a field is missing: "),
    ];
    let Some((found, wanted)) = error.split_once(", expected ") else {
        return words.iter().fold(error.to_string(), |text, (word, plain)| match text.strip_prefix(word) {
            Some(rest) => format!("{plain}{rest}"),
            None => text,
        });
    };
    let found = found.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
    let named = |text: &str| {
        let whole = words.iter().find(|(word, _)| *word == text).map(|(_, plain)| (*plain).to_string());
        let object = || text.starts_with("struct ").then(|| "an object".to_string());
        whole.or_else(object).unwrap_or_else(|| text.to_string())
    };
    let head = found.split(' ').next().unwrap_or_default();
    let rest = found.strip_prefix(head).unwrap_or_default();
    format!("{}{rest} is not {}", named(head), named(wanted))
}

fn read_request(fields: &Map<String, Value>) -> Result<Request, String> {
    serde_json::from_value(Value::Object(fields.clone())).map_err(|error| error.to_string())
}

/// The field whose removal changes or removes the error.
fn faulty_field<'f>(fields: &'f Map<String, Value>, error: &str) -> Option<&'f String> {
    fields.keys().filter(|key| *key != "request").find(|key| {
        let mut others = fields.clone();
        others.shift_remove(*key);
        read_request(&others).err().is_none_or(|other| other != error)
    })
}

const FIELDS: &str = "docs/schema/protocol-request.json describes the fields of every request";

/// All request names with the names of their fields.
static REQUESTS: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(requests);

fn requests() -> Vec<(String, Vec<String>)> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Request>();
    let variants = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    let named = |variant: &Value| {
        let name = variant.pointer("/properties/request/const")?.as_str()?.to_string();
        let mut fields = Vec::new();
        gather(variant, &mut fields);
        Some((name, fields))
    };
    variants.iter().filter_map(named).collect()
}

/// Collects the field names of an object schema, including those of its parts.
fn gather(schema: &Value, found: &mut Vec<String>) {
    found.extend(schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned()));
    for parts in ["allOf", "anyOf", "oneOf"] {
        schema[parts].as_array().into_iter().flatten().for_each(|part| gather(part, found));
    }
}
