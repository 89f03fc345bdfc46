//! A WebSocket: a client of the protocol with a game of its own.
//!
//! Each message is a line of the protocol, or a request about the opened file. A thread carries out the
//! requests. When the socket closes, the running request stops and the thread frees its memory.

use super::Server;
use super::failed;
use super::file::FileState;
use super::message::{OpenedReply, StudioEvent, StudioReply, StudioRequest};
use alphorn_protocol::protocol::connection::{Connection, connect, error_line, output_line};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::policy::Policy;
use alphorn_session::session::SessionResult;
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::workspace::Workspace;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};
use tokio::task::block_in_place;
use tokio::time::{Instant, interval, timeout};

/// The largest message, in bytes.
const LARGEST_MESSAGE: usize = 8 << 20;

/// The time between two questions whether the client is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A client that gives no sign of life for this time is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// The time in which a client must take a message.
const SENDING: Duration = Duration::from_secs(30);

/// The worker waits while more bytes than this have not been sent.
const MOST_UNSENT: usize = 4 << 20;

/// The time between two looks at the number of unsent bytes.
const LOOK: Duration = Duration::from_millis(2);

/// The stack of a worker, in bytes: that of the main thread of a program.
const STACK: usize = 8 << 20;

/// The game that the page shows if there is no file.
const EXAMPLE: &str = "othello";

/// The number of the last socket.
static SOCKETS: AtomicU64 = AtomicU64::new(0);

/// The output of a worker: lines for the client.
struct Outbox {
    send: UnboundedSender<String>,
    unsent: Arc<AtomicUsize>,
    line: Vec<u8>,
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.line)).map_err(|_| ErrorKind::InvalidData)?;
        let text = text.trim_end_matches('\n').to_string();
        // The task of the socket must never wait here: it is the one that sends.
        let is_worker = tokio::runtime::Handle::try_current().is_err();
        while is_worker && self.unsent.load(SeqCst) > MOST_UNSENT && !self.send.is_closed() {
            thread::sleep(LOOK);
        }
        self.unsent.fetch_add(text.len(), SeqCst);
        self.send.send(text).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}

/// Begins a WebSocket, unless there are too many.
pub(super) async fn upgrade(State(server): State<Arc<Server>>, socket: WebSocketUpgrade) -> Response {
    let Ok(permit) = server.sockets.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "503: too many windows are open\n").into_response();
    };
    let socket = socket.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    socket.on_upgrade(move |socket| async move {
        Client::new(server).run(socket, permit).await;
    })
}

/// The client at the other end of a socket.
struct Client {
    server: Arc<Server>,
    number: u64,
    stop: Arc<AtomicBool>,
    unsent: Arc<AtomicUsize>,
    /// The changes of the opened file, if the client has asked for the file.
    changes: Option<watch::Receiver<FileState>>,
}

impl Client {
    fn new(server: Arc<Server>) -> Client {
        let number = SOCKETS.fetch_add(1, SeqCst) + 1;
        Client { server, number, stop: Arc::default(), unsent: Arc::default(), changes: None }
    }

    /// Serves the client until it leaves.
    async fn run(mut self, mut socket: WebSocket, permit: OwnedSemaphorePermit) {
        let (send, mut lines) = unbounded_channel();
        let Some(connection) = self.start(send, permit).await else { return };
        let code = self.exchange(&mut socket, &connection, &mut lines).await;
        connection.close();
        let farewell = Message::Close(Some(CloseFrame { code, reason: "".into() }));
        // The client may be gone.
        let _ = timeout(Duration::from_secs(1), socket.send(farewell)).await;
    }

    /// Starts the worker. Its thread keeps the permit.
    async fn start(&self, send: UnboundedSender<String>, permit: OwnedSemaphorePermit) -> Option<Connection<Outbox>> {
        let (stop, restriction) = (self.stop.clone(), self.server.restriction.clone());
        let output = Outbox { send, unsent: self.unsent.clone(), line: Vec::new() };
        let (started, connection) = oneshot::channel();
        let work = move || {
            let _permit = permit;
            let Ok(workspace) = Workspace::open(LoadOptions::default(), rand::random(), &stop) else { return };
            let mut host = Host::of_workspace(workspace, &stop);
            host.policy = Policy::restricted(&restriction);
            let (connection, worker) = connect(output, &host);
            if started.send(connection).is_ok() {
                worker.run(&mut host);
            }
        };
        thread::Builder::new().name("client".into()).stack_size(STACK).spawn(work).ok()?;
        connection.await.ok()
    }

    /// Passes on messages in both directions. Returns the reason of the end.
    async fn exchange(
        &mut self,
        socket: &mut WebSocket,
        connection: &Connection<Outbox>,
        lines: &mut UnboundedReceiver<String>,
    ) -> u16 {
        let mut closing = self.server.closing.clone();
        let mut beat = interval(HEARTBEAT);
        let mut heard = Instant::now();
        loop {
            let message = tokio::select! {
                message = socket.recv() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => match self.receive(&text, connection) {
                            Some(line) => Message::Text(line.into()),
                            None => continue,
                        },
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Binary(_))) => return close_code::UNSUPPORTED,
                        Some(Ok(Message::Close(_))) | None => return close_code::NORMAL,
                        // Most errors are closed connections.
                        Some(Err(_)) => return close_code::SIZE,
                    }
                }
                line = lines.recv() => match line {
                    Some(line) => {
                        self.unsent.fetch_sub(line.len(), SeqCst);
                        Message::Text(line.into())
                    }
                    None => return close_code::ERROR,
                },
                state = next_change(&mut self.changes) => match state.writer == self.number {
                    true => continue,
                    false => {
                        let text = state.text.map(|text| text.to_string());
                        let event = StudioEvent::FileChanged { version: state.version, text };
                        Message::Text(output_line(RawValue::NULL, &event).into())
                    }
                },
                _ = beat.tick() => match heard.elapsed() > SILENCE {
                    true => return close_code::POLICY,
                    false => Message::Ping(Vec::new().into()),
                },
                _ = closing.changed() => return close_code::AWAY,
            };
            if !matches!(timeout(SENDING, socket.send(message)).await, Ok(Ok(()))) {
                return close_code::POLICY;
            }
        }
    }

    /// Takes one message. Returns the answer if it is about the opened file.
    fn receive(&mut self, text: &str, connection: &Connection<Outbox>) -> Option<String> {
        /// What every request has.
        #[derive(Deserialize)]
        struct Head<'a> {
            #[serde(borrow)]
            id: Option<&'a RawValue>,
            #[serde(borrow)]
            request: Option<Cow<'a, str>>,
        }
        let is_own = |name: &str| matches!(name, "file" | "save");
        block_in_place(|| match serde_json::from_str::<Head<'_>>(text) {
            Ok(Head { id, request: Some(name) }) if is_own(&name) => {
                let id = id.unwrap_or(RawValue::NULL);
                Some(match self.answer(text) {
                    Ok(reply) => output_line(id, &reply),
                    Err(failure) => error_line(id, &failure),
                })
            }
            _ => {
                if !text.trim().is_empty() {
                    connection.receive(text.as_bytes());
                }
                None
            }
        })
    }

    /// Answers a request about the opened file.
    fn answer(&mut self, text: &str) -> SessionResult<StudioReply> {
        let request = serde_json::from_str::<StudioRequest>(text);
        let fields = "\"save\" has the fields \"text\" and \"version\"";
        let request = request.map_err(|error| failed(format!("the request is incomplete: {error}"), fields))?;
        let file = self.server.file.as_ref();
        match request {
            StudioRequest::File => {
                self.changes = file.map(|file| file.changes());
                let options = &self.server.options;
                Ok(StudioReply::File(OpenedReply {
                    alphorn: env!("CARGO_PKG_VERSION"),
                    file: file.map(|file| file.now()),
                    overlays: options.overlays.clone(),
                    table: options.table.clone(),
                    params: options.params.iter().cloned().collect(),
                    example: EXAMPLE,
                }))
            }
            StudioRequest::Save(save) => match file {
                Some(file) => file.save(&save, self.number).map(StudioReply::Save),
                None => Err(failed("no file is open".into(), "start the server with a file: alphorn serve game.pl")),
            },
        }
    }
}

/// The next change of the opened file; never if the client has not asked for the file.
async fn next_change(changes: &mut Option<watch::Receiver<FileState>>) -> FileState {
    if let Some(changes) = changes
        && changes.changed().await.is_ok()
    {
        return changes.borrow_and_update().clone();
    }
    std::future::pending().await
}
