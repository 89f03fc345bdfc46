//! Accepts connections and answers HTTP requests: the files of the page, and the beginning of a WebSocket.
//!
//! A connection beyond the limit is closed at once, and one that sends nothing is closed after a few seconds.

use super::{Server, assets, socket};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HOST, SET_COOKIE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The most connections at a time, without WebSockets.
const MOST_CONNECTIONS: usize = 64;

/// The time for the head of a request.
const HEAD: Duration = Duration::from_secs(5);

/// The longest time of a connection that does not become a WebSocket.
const LONGEST: Duration = Duration::from_secs(120);

/// The pause after a failure of the system, such as too many open files.
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections for ever.
pub(super) async fn listen(listener: &TcpListener, server: &Arc<Server>) {
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let router = Router::new()
        .route("/ws", get(socket::upgrade))
        .fallback(page)
        .layer(from_fn_with_state(server.clone(), guarded))
        .with_state(server.clone());
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let Ok(permit) = connections.clone().try_acquire_owned() else { continue };
        // Only the delay of small messages depends on it.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _permit = permit;
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD);
            let served = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
            // A broken connection concerns only its client.
            let _ = tokio::time::timeout(LONGEST, served).await;
        });
    }
}

/// Answers only requests that pass the guard.
async fn guarded(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let guard = &server.guard;
    let host = request.headers().get(HOST).cloned();
    let is_socket = request.uri().path() == "/ws";
    let mut response = match *request.method() {
        Method::GET | Method::HEAD => match guard.check(request.uri(), request.headers(), !is_socket) {
            Ok(()) => next.run(request).await,
            Err(refused) => (StatusCode::FORBIDDEN, refused.text()).into_response(),
        },
        _ => (StatusCode::METHOD_NOT_ALLOWED, "405: this server only gives files\n").into_response(),
    };
    response.headers_mut().extend(guard.headers(host.as_ref()));
    response
}

/// Gives a file of the page.
async fn page(State(server): State<Arc<Server>>, request: Request) -> Response {
    let folder = server.options.assets.as_deref();
    let Some((contents, content_type)) = assets::asset(request.uri().path(), folder) else {
        return (StatusCode::NOT_FOUND, "404: there is no such file\n").into_response();
    };
    let mut response = contents.into_owned().into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    if server.guard.is_token_of(request.uri()) {
        response.headers_mut().insert(SET_COOKIE, server.guard.cookie());
    }
    response
}
