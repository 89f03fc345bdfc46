//! The loop of the server: it receives messages, keeps the texts and answers.

use crate::lsp::check::CheckJob;
use crate::lsp::colours::{TOKEN_MODIFIERS, TOKEN_TYPES};
use crate::lsp::command::{COMMANDS, Running};
use crate::lsp::folder::Folder;
use crate::lsp::outcome::Role;
use crate::lsp::play::Outgoing;
use crate::lsp::state::{Client, EditorState, OpenFile, Settings};
use crate::lsp::uri::path_of;
use crate::lsp::watchdog;
use crate::lsp::worker::{FileThread, Stage, WorkerResult};
use alphorn_ide::ide::text::Encoding;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, never, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{Diagnostic, Uri};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// Why a server ended before its client asked it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServeError {
    /// The client closed the connection, or sent something that is no message of the protocol.
    Closed,
    /// The client ended the server without the request `shutdown` before.
    NoShutdown,
    /// The system gives no thread.
    NoThread,
}

/// A command that runs: its file, and the flags that stop it.
struct Job {
    uri: Uri,
    stop: Arc<AtomicBool>,
    outdated: Arc<AtomicBool>,
}

/// The server.
pub(super) struct Server {
    pub(super) state: EditorState,
    sender: Sender<Message>,
    /// The thread that checks files.
    pub(super) checker: FileThread,
    /// The thread that reads long files.
    pub(super) reader: FileThread,
    pub(super) outgoing: Outgoing,
    commands: HashMap<RequestId, Job>,
    /// The diagnostics of each open file, by the URI of the file that has them.
    pub(super) published: BTreeMap<String, BTreeMap<String, Vec<Diagnostic>>>,
    pub(super) shutdown: bool,
}

/// Serves a client until it ends the server. Texts of libraries are written to `library_folder` when the
/// client asks where they are defined. `stop` ends the server.
///
/// # Errors
///
/// The connection ended in another way.
pub fn serve(connection: Connection, library_folder: Option<PathBuf>, stop: &AtomicBool) -> Result<(), ServeError> {
    let (sender, messages) = queues(connection).map_err(|_| ServeError::NoThread)?;
    let (id, params) = initialize_request(&sender, &messages, stop)?;
    let state = initial_state(&params, library_folder);
    let (results, finished) = unbounded();
    let reader = FileThread::start(Stage::Read, results.clone()).map_err(|_| ServeError::NoThread)?;
    let checker = FileThread::start(Stage::Check, results).map_err(|_| ServeError::NoThread)?;
    checker.configure(&state.settings);
    sender.send(Response::new_ok(id, capabilities(&state)).into()).map_err(|_| ServeError::Closed)?;
    let gone = watched(&params);
    let mut server = Server {
        state,
        sender,
        checker,
        reader,
        outgoing: Outgoing::default(),
        commands: HashMap::new(),
        published: BTreeMap::new(),
        shutdown: false,
    };
    let ended = server.run((&messages, &finished, &gone), stop);
    server.end();
    ended
}

/// The time between two looks at the flag that ends the server.
const TICK: Duration = Duration::from_millis(300);

/// Queues between a connection and the loop, so that neither a slow client nor a busy loop stops the other.
fn queues(connection: Connection) -> std::io::Result<(Sender<Message>, Receiver<Message>)> {
    let Connection { sender: out, receiver: incoming } = connection;
    let (to_client, outbox) = unbounded();
    let (inbox, from_client) = unbounded();
    let write = move || while outbox.recv().is_ok_and(|message: Message| out.send(message).is_ok()) {};
    thread::Builder::new().name("outbox".to_string()).spawn(write)?;
    let read = move || while incoming.recv().is_ok_and(|message| inbox.send(message).is_ok()) {};
    thread::Builder::new().name("inbox".to_string()).spawn(read)?;
    Ok((to_client, from_client))
}

/// Waits for the request `initialize`. Other requests before it are refused.
fn initialize_request(
    sender: &Sender<Message>,
    messages: &Receiver<Message>,
    stop: &AtomicBool,
) -> Result<(RequestId, Value), ServeError> {
    loop {
        match messages.recv_timeout(TICK) {
            Ok(Message::Request(request)) if request.method == "initialize" => {
                return Ok((request.id, request.params));
            }
            Ok(Message::Request(request)) => {
                let code = ErrorCode::ServerNotInitialized as i32;
                let response = Response::new_err(request.id, code, "the first request must be initialize".to_string());
                sender.send(response.into()).map_err(|_| ServeError::Closed)?;
            }
            Ok(Message::Notification(note)) if note.method == "exit" => return Err(ServeError::NoShutdown),
            Ok(Message::Notification(_) | Message::Response(_)) => {}
            Err(RecvTimeoutError::Timeout) if !stop.load(Relaxed) => {}
            Err(_) => return Err(ServeError::Closed),
        }
    }
}

/// A channel that closes when the process of the client is gone.
fn watched(params: &Value) -> Receiver<()> {
    let Some(process) = params["processId"].as_u64().and_then(|id| u32::try_from(id).ok()) else { return never() };
    watchdog::watch(process)
}

fn initial_state(params: &Value, library_folder: Option<PathBuf>) -> EditorState {
    let client = &params["capabilities"];
    let encodings = client["general"]["positionEncodings"].as_array();
    let offers = |name: &str| encodings.is_some_and(|all| all.iter().any(|one| one == name));
    let encoding = if offers("utf-8") { Encoding::Utf8 } else { Encoding::Utf16 };
    let parsed = |value: &Value| value.as_str().and_then(|text| text.parse::<Uri>().ok()).and_then(|uri| path_of(&uri));
    let listed = params["workspaceFolders"].as_array().into_iter().flatten();
    let mut folders: Vec<PathBuf> = listed.filter_map(|folder| parsed(&folder["uri"])).collect();
    if folders.is_empty() {
        folders.extend(parsed(&params["rootUri"]));
    }
    let flag = |value: &Value| value.as_bool() == Some(true);
    let mut state = EditorState {
        encoding,
        files: BTreeMap::new(),
        folders,
        settings: Settings::default(),
        client: Client {
            snippets: flag(&client["textDocument"]["completion"]["completionItem"]["snippetSupport"]),
            refresh_hints: flag(&client["workspace"]["inlayHint"]["refreshSupport"]),
            watch_files: flag(&client["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"]),
        },
        folder: Folder::default(),
        library_folder,
    };
    state.configure(&params["initializationOptions"]);
    state
}

fn capabilities(state: &EditorState) -> Value {
    let commands: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    let encoding = if state.encoding == Encoding::Utf8 { "utf-8" } else { "utf-16" };
    json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["(", ",", "-"], "resolveProvider": false },
            "signatureHelpProvider": { "triggerCharacters": ["(", ","], "retriggerCharacters": [")"] },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix", "refactor", "source.fixAll.alphorn"] },
            "codeLensProvider": { "resolveProvider": false },
            "documentFormattingProvider": true,
            "renameProvider": { "prepareProvider": true },
            "foldingRangeProvider": true,
            "semanticTokensProvider": {
                "legend": { "tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS },
                "range": true,
                "full": { "delta": true },
            },
            "inlayHintProvider": { "resolveProvider": false },
            "executeCommandProvider": { "commands": commands, "workDoneProgress": true },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        },
        "serverInfo": { "name": "alphorn", "version": env!("CARGO_PKG_VERSION") },
    })
}

impl Server {
    /// Receives messages until the end.
    fn run(
        &mut self,
        (messages, finished, gone): (&Receiver<Message>, &Receiver<WorkerResult>, &Receiver<()>),
        stop: &AtomicBool,
    ) -> Result<(), ServeError> {
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            if waiting.is_empty() {
                select! {
                    recv(messages) -> message => waiting.push_back(message.map_err(|_| ServeError::Closed)?),
                    recv(finished) -> result => {
                        if let Ok(result) = result {
                            self.finished(result);
                        }
                        continue;
                    }
                    recv(gone) -> _ => return Err(ServeError::Closed),
                    default(TICK) => match stop.load(Relaxed) {
                        true => return Err(ServeError::Closed),
                        false => continue,
                    },
                }
            }
            // Requests that were cancelled while they waited are not answered with a result.
            waiting.extend(messages.try_iter());
            self.cancel_waiting(&mut waiting);
            while let Ok(result) = finished.try_recv() {
                self.finished(result);
            }
            match waiting.pop_front() {
                Some(Message::Request(request)) => self.request(request),
                Some(Message::Notification(note)) if note.method == "exit" => {
                    return if self.shutdown { Ok(()) } else { Err(ServeError::NoShutdown) };
                }
                Some(Message::Notification(note)) => self.notification(note),
                Some(Message::Response(response)) => {
                    self.outgoing.answered(&response.id, response.response_result.unwrap_or_default());
                }
                None => {}
            }
        }
    }

    fn cancel_waiting(&mut self, waiting: &mut VecDeque<Message>) {
        let cancelled: BTreeSet<String> = waiting
            .iter()
            .filter_map(|message| match message {
                Message::Notification(note) if note.method == "$/cancelRequest" => {
                    cancelled_id(&note.params).map(|id| id.to_string())
                }
                _ => None,
            })
            .collect();
        if cancelled.is_empty() {
            return;
        }
        let mut dropped = Vec::new();
        waiting.retain(|message| match message {
            Message::Request(request) if cancelled.contains(&request.id.to_string()) => {
                dropped.push(request.id.clone());
                false
            }
            _ => true,
        });
        for id in dropped {
            self.refuse(id, ErrorCode::RequestCanceled, "the request was cancelled");
        }
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        // Without a receiver, the loop ends at its next message.
        let _ = self.sender.send(message.into());
    }

    pub(super) fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.send(Response::new_err(id, code as i32, message.to_string()));
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        self.send(Notification::new(method.to_string(), params));
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        if self.shutdown {
            return self.refuse(id, ErrorCode::InvalidRequest, "the server is shutting down");
        }
        match request.method.as_str() {
            "shutdown" => {
                self.shutdown = true;
                self.end();
                self.send(Response::new_ok(id, Value::Null));
            }
            "workspace/executeCommand" => self.command(id, request.params),
            _ => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&request.method, request.params)));
                match answer {
                    Ok(Ok(value)) => self.send(Response::new_ok(id, value)),
                    Ok(Err((code, message))) => self.refuse(id, code, &message),
                    Err(_) => {
                        self.refuse(id, ErrorCode::InternalError, "the request failed through a mistake of Alphorn")
                    }
                }
            }
        }
    }

    fn command(&mut self, id: RequestId, params: Value) {
        let command = params["command"].as_str().unwrap_or_default().to_string();
        let mut args: Vec<Value> = params["arguments"].as_array().cloned().unwrap_or_default();
        if !COMMANDS.iter().any(|(name, _)| *name == command) {
            return self.refuse(id, ErrorCode::InvalidParams, &format!("there is no command {command}"));
        }
        let uri = args.first().and_then(Value::as_str).and_then(|text| text.parse::<Uri>().ok());
        let Some((uri, job)) = uri.and_then(|uri| Some((uri.clone(), self.job(&uri)?))) else {
            return self.refuse(id, ErrorCode::InvalidParams, "the first argument must be the URI of an open file");
        };
        args.remove(0);
        self.commands.retain(|_, job| Arc::strong_count(&job.stop) > 1);
        let (stop, outdated) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        self.commands.insert(id.clone(), Job { uri, stop: stop.clone(), outdated: outdated.clone() });
        let running = Running {
            id: id.clone(),
            job,
            command,
            args,
            token: params.get("workDoneToken").filter(|token| !token.is_null()).cloned(),
            settings: self.state.settings.clone(),
            stop,
            outdated,
            sender: self.sender.clone(),
            outgoing: self.outgoing.clone(),
        };
        let started = thread::Builder::new().name("command".to_string()).stack_size(16 << 20).spawn(|| running.run());
        if started.is_err() {
            self.refuse(id, ErrorCode::InternalError, "the system gives no thread");
        }
    }

    /// Stops the commands of a file, or all.
    pub(super) fn stop_commands(&mut self, uri: Option<&Uri>) {
        for job in self.commands.values().filter(|job| uri.is_none_or(|uri| job.uri == *uri)) {
            job.outdated.store(uri.is_some(), Relaxed);
            job.stop.store(true, Relaxed);
        }
    }

    /// Stops a command that the client cancels.
    pub(super) fn cancel(&mut self, params: &Value) {
        if let Some(job) = cancelled_id(params).and_then(|id| self.commands.get(&id)) {
            job.stop.store(true, Relaxed);
        }
    }

    /// What a check or a command of an open file needs.
    pub(super) fn job(&mut self, uri: &Uri) -> Option<CheckJob> {
        let role = self.state.role(uri)?;
        let root = match &role {
            Role::Overlay(path) | Role::Part(path) => self.state.text_of(path),
            Role::Game | Role::Module => None,
        };
        let file = self.state.files.get(uri.as_str())?;
        let (version, source) = (file.version, file.source());
        let (kept, options) = (file.kept.clone(), self.state.options());
        Some(CheckJob { uri: uri.clone(), version, role, file: source, root, options, kept })
    }

    /// Checks a file soon, and the other open files, which may load it.
    pub(super) fn check(&mut self, uri: &Uri) {
        let others: Vec<Uri> = self.state.files.values().map(|file| file.uri.clone()).collect();
        let name = self.state.files.get(uri.as_str()).map(OpenFile::name);
        for other in others {
            let uses = other == *uri || name.as_ref().is_some_and(|name| self.uses(&other, name));
            if let Some(job) = uses.then(|| self.job(&other)).flatten() {
                if other != *uri {
                    self.state.files.get_mut(other.as_str()).into_iter().for_each(OpenFile::forget);
                }
                if job.is_long() {
                    self.reader.submit(job.clone());
                }
                self.checker.submit(job);
            }
        }
    }

    /// Whether the last check of an open file read a file of this name.
    fn uses(&self, uri: &Uri, name: &str) -> bool {
        let checked = self.state.files.get(uri.as_str()).and_then(|file| file.checked.as_ref());
        checked.is_some_and(|checked| checked.report.sources.files().iter().any(|path| path.to_string_lossy() == name))
    }

    /// Gives the settings to the thread that computes hints.
    pub(super) fn configured(&self) {
        self.checker.configure(&self.state.settings);
    }

    /// Asks the client to report changes of files on disk.
    pub(super) fn watch_files(&self) {
        if self.state.client.watch_files {
            let watchers = json!([{ "globPattern": "**/*.pl" }]);
            let registration = json!({
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            });
            let params = json!({ "registrations": [registration] });
            let id = self.outgoing.id();
            self.send(Request { id, method: "client/registerCapability".to_string(), params });
        }
    }

    fn end(&mut self) {
        self.stop_commands(None);
        self.reader.end();
        self.checker.end();
    }
}

fn cancelled_id(params: &Value) -> Option<RequestId> {
    serde_json::from_value(params["id"].clone()).ok()
}
