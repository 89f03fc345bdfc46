//! Requests of the protocol on worker threads: a request is a JSON text, and so are its events and its reply.
//!
//! The Python functions of `alphorn._requests` make the texts and read them.

use crate::errors::{raised, refused};
use crate::loaded::GameCore;
use crate::position::Position;
use crate::working::{Progress, Task, local};
use alphorn_protocol::protocol::host::{Event, Host, refusal};
use alphorn_protocol::protocol::line::request_of;
use alphorn_protocol::protocol::query::{self, Values};
use alphorn_protocol::protocol::{Reply, Request, answer};
use alphorn_session::session::query::Answer;
use alphorn_session::session::{Failure, SessionResult};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The least time between two progress events.
const PROGRESS: Duration = Duration::from_millis(250);

/// A running request: an iterator over its events, each a JSON text.
#[pyclass(module = "alphorn", frozen)]
pub struct Run {
    task: Task<String, String>,
    reply: OnceLock<String>,
}

#[pymethods]
impl Run {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        if self.reply.get().is_some() {
            return Ok(None);
        }
        match self.task.next(py)? {
            Progress::Event(event) => Ok(Some(event)),
            Progress::Done(reply) => {
                self.reply.get_or_init(|| reply);
                Ok(None)
            }
            Progress::Taken => Ok(None),
        }
    }

    /// The reply, a JSON text; None before the end.
    #[getter]
    fn reply(&self) -> Option<&str> {
        self.reply.get().map(String::as_str)
    }

    /// Stops the request and waits for its end.
    fn close(&self, py: Python<'_>) {
        if self.reply.get().is_none() {
            self.task.end(py);
        }
    }

    /// Stops the request. It ends with the reply so far.
    fn stop(&self) {
        self.task.stop();
    }
}

/// An answer to a goal.
#[derive(Serialize)]
struct AnswerEvent<'a> {
    event: &'static str,
    values: Values,
    output: &'a str,
}

/// The JSON text of an object.
fn json(object: &impl Serialize) -> String {
    serde_json::to_string(object).unwrap_or_default()
}

/// Begins a request about a game, at a position if one is given.
///
/// # Errors
///
/// The text is no request.
pub fn begin(py: Python<'_>, core: &Arc<GameCore>, request: &str, position: Option<&Position>) -> PyResult<Run> {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(request) else {
        return Err(refused(py, "a request is a JSON object", "give options that JSON has"));
    };
    if let Some(position) = position {
        if !core.is_same(&position.core) {
            return Err(refused(py, "the position belongs to another game", "give its term: position.term"));
        }
        fields.insert("position".to_string(), Value::String(core.session.term(&position.state)));
    }
    let request = request_of(fields).map_err(|failure| raised(py, &failure))?;
    let core = core.clone();
    let work = move |stop: &Arc<AtomicBool>, tell: &dyn Fn(String)| carry_out(&core, &request, stop, tell);
    Ok(Run { task: Task::begin(py, work)?, reply: OnceLock::new() })
}

fn carry_out(
    core: &Arc<GameCore>,
    request: &Request,
    stop: &Arc<AtomicBool>,
    tell: &dyn Fn(String),
) -> SessionResult<String> {
    let workspace = local(core)?.workspace(core)?;
    let mut host = Host::borrowing_workspace(&workspace, stop);
    let told = Cell::new(None::<Instant>);
    let listen = |event: Event| {
        if matches!(event, Event::Progress(_)) {
            let is_due = told.get().is_some_and(|at| at.elapsed() >= PROGRESS);
            if told.get().is_none() || is_due {
                told.set(Some(Instant::now()));
            }
            if !is_due {
                return;
            }
        }
        tell(json(&event));
    };
    if let Request::Query(asked) = request {
        let mut see = |answer: &Answer, output: &str, _: bool| {
            tell(json(&AnswerEvent { event: "answer", values: Values(answer.clone()), output }));
            !stop.load(Relaxed)
        };
        let mut answers = query::shown(asked, &host, &listen, Some(&mut see))?;
        if let Some(error) = answers.error.take() {
            return Err(Failure::Problem(Box::new(error.problem), answers.warnings.sources.clone()));
        }
        return Ok(json(&Reply::Query(query::reply(answers))));
    }
    if matches!(request, Request::Load(_) | Request::Move(_) | Request::Undo(_) | Request::New(_) | Request::Go(_)) {
        return Err(refusal(
            "this request changes the game under way, and a Game does not change",
            "use alphorn.load, game.initial() and position.play()",
        ));
    }
    answer(request, &mut host, &listen).map(|reply| json(&reply))
}
