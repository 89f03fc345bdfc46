//! The commands behind code lenses: they run on a thread of their own and show their answer in the editor.
//!
//! Every command takes the URI of an open file. Its result is JSON; `message` is the answer in words.

use crate::lsp::check::CheckJob;
use crate::lsp::hint::verdict;
use crate::lsp::play::{Outgoing, play, words};
use crate::lsp::state::Settings;
use alphorn_protocol::protocol::host::{Event, Host};
use alphorn_protocol::protocol::partial::Verdict;
use alphorn_protocol::protocol::test::{self, tested};
use alphorn_protocol::protocol::words::Seconds;
use alphorn_protocol::protocol::{self, Request};
use alphorn_rules::rules::Expected;
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::{Budgets, Session, SessionResult};
use alphorn_text::report::{grouped, plural};
use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use serde_json::{Value, json};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The commands: name and purpose.
pub const COMMANDS: &[(&str, &str)] = &[
    ("alphorn.server.value", "value"),
    ("alphorn.server.perft", "perft"),
    ("alphorn.server.test", "test"),
    ("alphorn.server.play", "play"),
    ("alphorn.server.request", "request"),
];

/// The time between two reports of progress.
const PERIOD: Duration = Duration::from_millis(250);

/// A command that runs.
pub struct Running {
    /// The id of its request.
    pub id: RequestId,
    /// The file that it runs on.
    pub job: CheckJob,
    /// The command, and its arguments after the URI.
    pub command: String,
    /// The arguments after the URI.
    pub args: Vec<Value>,
    /// The token of the client for progress.
    pub token: Option<Value>,
    /// The settings.
    pub settings: Settings,
    /// Set to stop the command.
    pub stop: Arc<AtomicBool>,
    /// Set if the text changed, so that the answer would be about an older text.
    pub outdated: Arc<AtomicBool>,
    /// The messages to the client.
    pub sender: Sender<Message>,
    /// The requests to the client.
    pub outgoing: Outgoing,
}

/// An answer: the words, and the data.
struct Answer {
    message: String,
    data: Value,
    good: bool,
}

impl Running {
    /// Runs the command and answers its request.
    pub fn run(self) {
        self.progress(json!({ "kind": "begin", "title": format!("Alphorn: {}", self.purpose()), "cancellable": true }));
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.answer()));
        self.progress(json!({ "kind": "end" }));
        let id = self.id.clone();
        let refuse = |code: ErrorCode, message: &str| Response::new_err(id.clone(), code as i32, message.to_string());
        let response = match found {
            Err(_) => refuse(ErrorCode::InternalError, "the command failed through a mistake of Alphorn"),
            Ok(_) if self.outdated.load(Relaxed) => refuse(ErrorCode::ContentModified, "the text changed"),
            Ok(_) if self.stop.load(Relaxed) => refuse(ErrorCode::RequestCanceled, "the command was stopped"),
            Ok(Ok(answer)) => {
                self.show(&answer);
                Response::new_ok(id, json!({ "message": answer.message, "data": answer.data, "ok": answer.good }))
            }
            Ok(Err(failure)) => {
                let message = words(&failure);
                self.show(&Answer { message: message.clone(), data: Value::Null, good: false });
                Response::new_ok(id, json!({ "message": message, "data": Value::Null, "ok": false }))
            }
        };
        // Without a receiver, the server has ended.
        let _ = self.sender.send(response.into());
    }

    fn purpose(&self) -> &'static str {
        COMMANDS.iter().find(|(name, _)| *name == self.command).map_or("command", |(_, purpose)| purpose)
    }

    /// Shows an answer, unless the command gives its answer to a program.
    fn show(&self, answer: &Answer) {
        if self.purpose() == "request" || answer.message.is_empty() {
            return;
        }
        let kind = if answer.good { 3 } else { 2 };
        let params = json!({ "type": kind, "message": answer.message });
        let _ = self.sender.send(Notification::new("window/showMessage".to_string(), params).into());
    }

    fn progress(&self, value: Value) {
        if let Some(token) = &self.token {
            let params = json!({ "token": token, "value": value });
            let _ = self.sender.send(Notification::new("$/progress".to_string(), params).into());
        }
    }

    fn answer(&self) -> SessionResult<Answer> {
        let last = Cell::new(Instant::now());
        let listen = |event: Event| {
            let message = match &event {
                Event::Progress(progress) => format!("{} positions", grouped(progress.done)),
                Event::Iteration(iteration) => format!("depth {}", iteration.depth),
                Event::Perft(paths) => format!("depth {}: {}", paths.depth, grouped(paths.paths)),
                _ => return,
            };
            if last.get().elapsed() >= PERIOD {
                last.set(Instant::now());
                self.progress(json!({ "kind": "report", "message": message }));
            }
        };
        match self.purpose() {
            "value" => self.value(&listen),
            "perft" => self.perft(&listen),
            "test" => self.test(&listen),
            "play" => {
                let message = play(&self.load_options(), &self.outgoing, &self.sender, &self.stop)?;
                Ok(Answer { message, data: Value::Null, good: true })
            }
            _ => self.request(&listen),
        }
    }

    /// The options that load the texts of the file.
    fn load_options(&self) -> LoadOptions {
        let (main, overlays) = self.job.texts();
        LoadOptions {
            texts: vec![main],
            typed: overlays.iter().map(|overlay| overlay.text.to_string()).collect(),
            unsaved: self.job.options.unsaved.clone(),
            ..LoadOptions::default()
        }
    }

    /// Carries out a request of the protocol, given as JSON.
    fn reply(&self, request: Value, listen: &dyn Fn(Event)) -> SessionResult<Value> {
        let request: Request = serde_json::from_value(request).map_err(|error| {
            protocol::host::refusal(format!("this is not a request: {error}"), "see the page about the protocol")
        })?;
        let mut host = Host::of(self.load_options(), &self.stop);
        let reply = protocol::answer(&request, &mut host, listen)?;
        Ok(serde_json::to_value(reply).unwrap_or_default())
    }

    /// The fields of the second argument, if there is one.
    fn fields(&self) -> serde_json::Map<String, Value> {
        self.args.first().and_then(Value::as_object).cloned().unwrap_or_default()
    }

    fn value(&self, listen: &dyn Fn(Event)) -> SessionResult<Answer> {
        let mut request = json!({ "request": "value", "time": self.settings.value_seconds });
        request.as_object_mut().into_iter().for_each(|object| object.extend(self.fields()));
        let data = self.reply(request, listen)?;
        let text = |name: &str| data[name].as_str().unwrap_or_default().to_string();
        let how = match (data["exact"].as_bool(), data["stopped"].as_bool()) {
            (Some(true), _) => "exact",
            (_, Some(true)) => "the best so far",
            _ => "an estimate",
        };
        let who = match data["outcome"].as_str() {
            Some("max") => " (MAX wins)",
            Some("min") => " (MIN wins)",
            Some("draw") => " (draw)",
            _ => "",
        };
        let mut message = match data["value"].is_null() {
            true => "no value yet: the search was stopped".to_string(),
            false => format!("value {}{who}, {how}", data["value"]),
        };
        if data["best"].is_string() {
            let line: Vec<&str> = data["pv"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            message.push_str(&format!("\nbest {}\nline {}", text("best"), line.join(" ")));
        }
        message.push_str(&format!("\ndepth {}", data["depth"]));
        Ok(Answer { message, data, good: true })
    }

    fn perft(&self, listen: &dyn Fn(Event)) -> SessionResult<Answer> {
        let depth = self.settings.perft_depth;
        let mut request = json!({ "request": "perft", "depth": depth, "time": self.settings.value_seconds });
        request.as_object_mut().into_iter().for_each(|object| object.extend(self.fields()));
        let data = self.reply(request, listen)?;
        let rows = data["perft"].as_array().cloned().unwrap_or_default();
        let row = |row: &Value| format!("perft({}) = {}", row["depth"], grouped(row["paths"].as_u64().unwrap_or(0)));
        let mut lines: Vec<String> = rows.iter().map(row).collect();
        if data["stopped"].as_bool() == Some(true) {
            lines.push("stopped".to_string());
        }
        Ok(Answer { message: lines.join("\n"), data, good: true })
    }

    /// Tests all expectations of the file, or the one with the number of the second argument.
    fn test(&self, listen: &dyn Fn(Event)) -> SessionResult<Answer> {
        let (main, overlays) = self.job.texts();
        let (budgets, stop) = (Budgets::new(None, None), self.stop.clone());
        let texts = std::slice::from_ref(&main);
        let mut session = Session::open(texts, &overlays, &self.job.options, Expected::Game, budgets, stop)?;
        let sources = session.rules.program.sources.clone();
        let here = |span: alphorn_text::source::Span| sources.get(span.source).name == self.job.file.name;
        let mut claims: Vec<_> = session.rules.claims.iter().filter(|claim| here(claim.span)).cloned().collect();
        if let Some(number) = self.args.first().and_then(Value::as_u64) {
            claims = claims.get(number as usize).cloned().into_iter().collect();
        }
        session.rules.claims = claims.into();
        let request = test::Request { time: Seconds(self.settings.value_seconds), ..test::Request::default() };
        let found = tested(main.name.to_string(), &session, &request, &self.stop, listen)?;
        let one =
            |expectation: &protocol::partial::Expectation| format!("{}: {}", expectation.claim, verdict(expectation).0);
        let good = found.expectations.iter().all(|expectation| expectation.verdict == Verdict::Holds);
        let message = match found.expectations.as_slice() {
            [] => "there is no such expectation".to_string(),
            [expectation] => one(expectation),
            all => {
                let bad = all.iter().filter(|expectation| expectation.verdict != Verdict::Holds).map(one);
                let held = plural(found.passed as u64, "expectation holds", "expectations hold");
                std::iter::once(held).chain(bad).collect::<Vec<_>>().join("\n")
            }
        };
        Ok(Answer { message, data: serde_json::to_value(&found).unwrap_or_default(), good })
    }

    fn request(&self, listen: &dyn Fn(Event)) -> SessionResult<Answer> {
        let data = self.reply(Value::Object(self.fields()), listen)?;
        Ok(Answer { message: String::new(), data, good: true })
    }
}
