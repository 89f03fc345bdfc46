//! Plays a game in the editor: every message shows the position, and its buttons are moves.

use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::{self, Request};
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::workspace::Workspace;
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::report::{Problem, Report};
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use lsp_server::{Message, RequestId};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The requests that the server sends to the client.
#[derive(Clone, Default)]
pub struct Outgoing {
    last: Arc<AtomicI32>,
    waiting: Arc<Mutex<HashMap<RequestId, Sender<Value>>>>,
}

impl Outgoing {
    /// The id of a new request.
    pub fn id(&self) -> RequestId {
        (self.last.fetch_add(1, Relaxed) + 1).into()
    }

    /// Passes an answer of the client on to the thread that waits for it.
    pub fn answered(&self, id: &RequestId, result: Value) {
        let found = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(waiting) = found {
            // The thread may have stopped waiting.
            let _ = waiting.send(result);
        }
    }

    /// Sends a request and waits for its answer; `None` if the client is gone or `stop` is set.
    fn ask(&self, sender: &Sender<Message>, method: &str, params: Value, stop: &AtomicBool) -> Option<Value> {
        let (answer, answers) = bounded(1);
        let id = self.id();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), answer);
        let request = lsp_server::Request { id: id.clone(), method: method.to_string(), params };
        sender.send(request.into()).ok()?;
        while !stop.load(Relaxed) {
            match answers.recv_timeout(Duration::from_millis(100)) {
                Ok(value) => return Some(value),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        None
    }
}

/// The moves on one message; further moves are on the next one.
const BUTTONS: usize = 12;

const GO: &str = "Alphorn moves";
const UNDO: &str = "Undo";
const MORE: &str = "More moves";
const STOP: &str = "Stop";

/// Plays until the game is over or the user stops. Returns the last message.
pub fn play(
    options: &LoadOptions,
    outgoing: &Outgoing,
    sender: &Sender<Message>,
    stop: &AtomicBool,
) -> SessionResult<String> {
    // A search clears the flag that stops it, so the game has a flag of its own.
    let searching = Arc::new(AtomicBool::new(false));
    let workspace = Workspace::open(options.clone(), 1, &searching)?;
    let mut host = Host::of_workspace(workspace, &searching);
    let mut last = String::new();
    let mut first = 0;
    loop {
        let shown = asked(&mut host, json!({ "request": "show", "legal": true }))?;
        let moves: Vec<String> = shown["moves"].as_array().into_iter().flatten().map(label).collect();
        let message = [last.as_str(), &picture(&shown)].join("\n").trim().to_string();
        if shown["turn"].is_null() {
            return Ok(message);
        }
        let chance = shown["turn"] == "chance";
        let page = moves.iter().skip(first).take(BUTTONS).filter(|_| !chance);
        let mut buttons: Vec<&str> = page.map(String::as_str).collect();
        if moves.len() > BUTTONS && !chance {
            buttons.push(MORE);
        }
        buttons.push(GO);
        if shown["played"].as_array().is_some_and(|played| !played.is_empty()) {
            buttons.push(UNDO);
        }
        buttons.push(STOP);
        let actions: Vec<Value> = buttons.iter().map(|title| json!({ "title": title })).collect();
        let params = json!({ "type": 3, "message": message, "actions": actions });
        let answer = outgoing.ask(sender, "window/showMessageRequest", params, stop);
        let Some(title) = answer.as_ref().and_then(|answer| answer["title"].as_str()) else {
            return Ok("the game was stopped".to_string());
        };
        let next = match title {
            STOP => return Ok("the game was stopped".to_string()),
            MORE => {
                first = if first + BUTTONS < moves.len() { first + BUTTONS } else { 0 };
                continue;
            }
            GO => asked(&mut host, json!({ "request": "go" })),
            UNDO => asked(&mut host, json!({ "request": "undo" })),
            label => asked(&mut host, json!({ "request": "move", "move": label })).and_then(|made| {
                let over = made["turn"].is_null();
                if over { Ok(made) } else { asked(&mut host, json!({ "request": "go" })) }
            }),
        };
        first = 0;
        last = match next {
            Ok(reply) if reply["made"].is_string() && title != UNDO => {
                let who = if chance { "chance" } else { "the last move" };
                format!("{who}: {}", reply["made"].as_str().unwrap_or_default())
            }
            Ok(_) => String::new(),
            Err(failure) => words(&failure),
        };
    }
}

fn asked(host: &mut Host<'_>, request: Value) -> SessionResult<Value> {
    let request: Request = serde_json::from_value(request).expect("the requests above are valid");
    let reply = protocol::answer(&request, host, &|_| {})?;
    Ok(serde_json::to_value(reply).unwrap_or_default())
}

fn label(mv: &Value) -> String {
    mv["label"].as_str().unwrap_or_default().to_string()
}

/// The position in words.
fn picture(shown: &Value) -> String {
    let lines: Vec<&str> = shown["picture"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let board = match lines.is_empty() {
        true => shown["position"].as_str().unwrap_or_default().to_string(),
        false => lines.join("\n"),
    };
    let state = match (shown["turn"].as_str(), shown["outcome"].as_str()) {
        (Some("max"), _) => "MAX to move",
        (Some("min"), _) => "MIN to move",
        (Some(_), _) => "a chance move",
        (None, Some("max")) => "MAX has won",
        (None, Some("min")) => "MIN has won",
        (None, Some(_)) => "the game is drawn",
        (None, None) => "the game is over",
    };
    format!("{board}\n{state}")
}

/// A failure in words: the messages of its problems, with their help.
pub fn words(failure: &Failure) -> String {
    let Report { problems, .. } = failure.report();
    let line = |problem: &Problem| match &problem.help {
        Some(help) => format!("{}\nhelp: {help}", problem.message),
        None => problem.message.clone(),
    };
    problems.iter().take(3).map(line).collect::<Vec<_>>().join("\n")
}
