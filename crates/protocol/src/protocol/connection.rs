//! A connection: the requests of one client, in the order of arrival, and the worker that carries them out.
//!
//! The front end gives each line that arrives to [`Connection::receive`], and runs [`RequestWorker::run`] in a thread
//! of its own. Both write lines of output: events, replies and errors. `cancel` is carried out at once. The
//! file does not know where lines come from.

use super::data::{Refusal, SCHEMA};
use super::fields::in_fields;
use super::host::{Event, Host, refusal};
use super::line::{Id, REQUESTS, is_out_of_range, parsed};
use super::policy::Policy;
use super::{Cancelled, Reply, Request, answer};
use alphorn_session::session::Failure;
use alphorn_text::printable;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two progress events.
const PROGRESS: Duration = Duration::from_millis(250);

/// What a waiting request counts at least, in bytes.
const LEAST_REQUEST: usize = 1 << 10;

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

/// Whether every reader of JSON can read a line that repeats this id: half of a surrogate pair is no text.
fn is_readable(id: &RawValue) -> bool {
    serde_json::from_str::<Value>(id.get()).map_or_else(|error| is_out_of_range(&error), |_| true)
}

/// The name of a request, and the request.
type NamedRequest = (String, Box<Request>);

/// A request with its id, or the mistake in its line.
struct QueuedRequest {
    id: Id,
    request: Result<NamedRequest, Failure>,
    bytes: usize,
}

/// The state that the connection and the worker share.
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
    /// The bytes of the requests that have not begun.
    bytes: usize,
}

/// Locks a mutex, also after a panic in another thread.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One object of output as a line of JSON without a line break: its fields, after the id of the request that
/// it answers.
pub fn output_line(id: &RawValue, fields: &impl Serialize) -> String {
    let mut fields = match serde_json::to_value(fields) {
        Ok(Value::Object(fields)) => fields,
        Ok(other) => Map::from_iter([("value".to_string(), other)]),
        Err(error) => Map::from_iter([("error".to_string(), json!(error.to_string()))]),
    };
    in_fields(&mut fields, &REQUESTS);
    let line = Line { schema: SCHEMA, id, fields };
    printable::json(serde_json::to_string(&line).unwrap_or_default())
}

/// The error of a request as a line of JSON.
pub fn error_line(id: &RawValue, failure: &Failure) -> String {
    output_line(id, &Refusal::from(failure))
}

impl<W: Write> Shared<W> {
    /// Writes the error of a request.
    fn refuse(&self, id: &RawValue, failure: &Failure) {
        self.write(&error_line(id, failure));
    }

    /// Writes one object with the id of its request.
    fn line(&self, id: &RawValue, fields: &impl Serialize) {
        self.write(&output_line(id, fields));
    }

    /// Writes a line. Stops the running request if the output is closed.
    fn write(&self, text: &str) {
        let mut output = locked(&self.output);
        if writeln!(output, "{text}").and_then(|()| output.flush()).is_err() {
            self.close();
        }
    }

    fn close(&self) {
        self.gone.store(true, Relaxed);
        self.stop.store(true, Relaxed);
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

    /// Ends a request.
    fn end(&self) {
        let mut state = locked(&self.state);
        state.running = None;
        // The flag was set for the request that has just ended.
        self.stop.store(self.gone.load(Relaxed), Relaxed);
    }
}

/// The receiving side of a connection.
pub struct Connection<W> {
    shared: Arc<Shared<W>>,
    send: Sender<QueuedRequest>,
    policy: Policy,
}

/// The side of a connection that carries out requests.
pub struct RequestWorker<W> {
    shared: Arc<Shared<W>>,
    asked: Receiver<QueuedRequest>,
}

/// Makes the two sides of a connection to a host.
pub fn connect<W: Write>(output: W, host: &Host<'_>) -> (Connection<W>, RequestWorker<W>) {
    let shared = Arc::new(Shared {
        state: Mutex::default(),
        output: Mutex::new(output),
        stop: host.stop.clone(),
        gone: AtomicBool::new(false),
    });
    let (send, asked) = channel();
    (Connection { shared: shared.clone(), send, policy: host.policy.clone() }, RequestWorker { shared, asked })
}

impl<W: Write> Connection<W> {
    /// Writes an error that answers no request.
    pub fn refuse(&self, failure: &Failure) {
        self.shared.refuse(RawValue::NULL, failure);
    }

    /// Stops the running request. No request begins afterwards.
    pub fn close(&self) {
        self.shared.close();
    }

    /// Takes one line: carries out a cancel request at once, and leaves every other request to the worker.
    /// Returns false if the worker has ended.
    pub fn receive(&self, line: &[u8]) -> bool {
        let shared = &*self.shared;
        // The ids of an array would be its elements.
        let is_object = line.trim_ascii_start().starts_with(b"{");
        let Ids { id, cancel } = is_object.then(|| serde_json::from_slice(line).ok()).flatten().unwrap_or_default();
        let id = id.filter(|id| is_readable(id)).unwrap_or_else(|| RawValue::NULL.to_owned());
        let request = parsed(line, [Some(&id), cancel.as_ref()].into_iter().flatten(), &self.policy);
        if let Ok((_, request)) = &request
            && let Request::Cancel(_) = **request
        {
            let cancelled = shared.cancel(cancel.as_deref());
            shared.line(&id, &Reply::Cancel(Cancelled { cancelled }));
            return true;
        }
        let bytes = line.len().max(LEAST_REQUEST);
        {
            let mut state = locked(&shared.state);
            if self.policy.most_waiting().is_some_and(|most| state.bytes + bytes > most) {
                drop(state);
                let help = "wait for replies before you send more requests, or cancel some";
                shared.refuse(&id, &refusal("too many requests are waiting", help));
                return true;
            }
            state.bytes += bytes;
            if request.is_ok() {
                state.waiting.push(id.clone());
            }
        }
        self.send.send(QueuedRequest { id, request, bytes }).is_ok()
    }
}

impl<W: Write> RequestWorker<W> {
    /// Carries out requests until the connection is dropped and no request waits, or the connection is closed.
    pub fn run(&self, host: &mut Host<'_>) {
        while let Ok(queued) = self.asked.recv() {
            if self.shared.gone.load(Relaxed) {
                return;
            }
            {
                let mut state = locked(&self.shared.state);
                state.bytes = state.bytes.saturating_sub(queued.bytes);
            }
            self.carry_out(queued, host);
        }
    }

    fn carry_out(&self, QueuedRequest { id, request, .. }: QueuedRequest, host: &mut Host<'_>) {
        let shared = &*self.shared;
        let (name, request) = match request {
            Ok(named) => named,
            Err(failure) => return shared.refuse(&id, &failure),
        };
        if !shared.begin(&id) {
            return shared.refuse(&id, &refusal("the request was cancelled before it began", "send it again"));
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
        let run = || {
            let _permit = host.policy.admit(&name, &host.stop)?;
            answer(&request, host, &listen)
        };
        let done = catch_unwind(AssertUnwindSafe(run));
        shared.end();
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
