//! Serves the page: files over HTTP, requests and replies over WebSockets.
//!
//! [`serve`] binds an address and answers until it is told to stop. Every HTTP request passes `guard` first.
//! A WebSocket is a client of the protocol with a game of its own (`socket`). The opened file is shared by all
//! of them (`file`). Terminals are unknown here.

mod assets;
mod file;
mod guard;
mod listen;
pub mod message;
mod socket;

use alphorn_protocol::protocol::policy::Restriction;
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use file::OpenedFile;
use guard::Guard;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, watch};

/// The most WebSockets at a time.
const MOST_SOCKETS: usize = 32;

/// The most long requests at a time, in all WebSockets.
const MOST_RUNNING: usize = 4;

/// The time between two looks at the stop flag.
const LOOK: Duration = Duration::from_millis(20);

/// The time for which the sockets may end their work when the server stops.
const FAREWELL: Duration = Duration::from_secs(2);

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The file of rules that the page opens, and may save.
    pub file: Option<String>,
    /// The overlays that the page loads with it.
    pub overlays: Vec<String>,
    /// The file of solved positions that the page looks up.
    pub table: Option<String>,
    /// The parameters that the page sets first.
    pub params: Vec<(String, String)>,
    /// The address to listen on, by default this computer only.
    pub host: IpAddr,
    /// The port; 0 for a free one.
    pub port: u16,
    /// A folder with the files of the page, in place of those in the program.
    pub assets: Option<PathBuf>,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            file: None,
            overlays: Vec::new(),
            table: None,
            params: Vec::new(),
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            assets: None,
        }
    }
}

/// What all connections share.
struct Server {
    guard: Guard,
    options: ServeOptions,
    file: Option<OpenedFile>,
    restriction: Arc<Restriction>,
    /// A permit for each WebSocket, until its worker has ended.
    sockets: Arc<Semaphore>,
    /// Becomes true when the server stops.
    closing: watch::Receiver<bool>,
}

/// Serves the page until `stop` is set. Calls `ready` with the address of the page, which contains the token.
///
/// # Errors
///
/// The file cannot be read, or the address cannot be used.
pub fn serve(options: ServeOptions, stop: &AtomicBool, ready: impl FnOnce(&str)) -> SessionResult<()> {
    let file = options.file.as_deref().map(OpenedFile::open).transpose()?;
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| failed(format!("cannot start the server: {error}"), "try again"))?;
    runtime.block_on(async {
        let address = SocketAddr::new(options.host, options.port);
        let bound = TcpListener::bind(address).await;
        let bound = bound.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = bound.map_err(|error| unbound(address, &error))?;
        let guard = Guard::new(address);
        let url = guard.url();
        let (close, closing) = watch::channel(false);
        let restriction = Arc::new(Restriction {
            opened: file.as_ref().map(|file| (file.name.clone(), file.path.clone())),
            overlays: options.overlays.clone(),
            table: options.table.clone(),
            most_running: MOST_RUNNING,
            ..Restriction::default()
        });
        let sockets = Arc::new(Semaphore::new(MOST_SOCKETS));
        let server = Arc::new(Server { guard, options, file, restriction, sockets: sockets.clone(), closing });
        let _watcher = server.file.as_ref().and_then(OpenedFile::watch);
        ready(&url);
        tokio::select! {
            () = listen::listen(&listener, &server) => {}
            () = stopped(stop) => {}
        }
        drop(listener);
        // Nobody listens if there is no connection.
        let _ = close.send(true);
        let all = sockets.acquire_many(MOST_SOCKETS as u32);
        let _ = tokio::time::timeout(FAREWELL, all).await;
        Ok(())
    })
}

/// Waits until the flag is set.
async fn stopped(stop: &AtomicBool) {
    while !stop.load(Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

fn unbound(address: SocketAddr, error: &std::io::Error) -> Failure {
    use std::io::ErrorKind;
    let (port, host) = (address.port(), address.ip());
    match error.kind() {
        ErrorKind::AddrInUse => {
            failed(format!("port {port} is in use"), "give another port, or leave out --port for a free one")
        }
        ErrorKind::PermissionDenied => {
            failed(format!("port {port} needs the rights of an administrator"), "give a port from 1024")
        }
        ErrorKind::AddrNotAvailable => {
            failed(format!("{host} is no address of this computer"), "give one of its addresses, or leave out --host")
        }
        _ => failed(format!("cannot listen on {address}: {error}"), "give another --host or --port"),
    }
}

/// The failure of a server that cannot start.
fn failed(message: String, help: &str) -> Failure {
    Failure::Problem(Box::new(Problem::placeless(Code::InvalidArgument, message).help(help)), Arc::default())
}
