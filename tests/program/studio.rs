//! Tests the server of the page, `alphorn serve`: files, requests over WebSockets, and what it refuses.
//!
//! The tests start the program and act as a browser, as a page of another site, and as a client that wants to
//! harm it.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game whose rules never end after the first move.
const LOOPING: &str = "\
initial(at(max, 0)).
max_to_move(at(max, _)).
move(at(max, 0), go, at(min, 1)).
move(at(min, N), on, at(max, N)) :- for_ever(N).
for_ever(-1).
for_ever(N) :- N >= 0, M is N + 1, for_ever(M).
";

/// A running `alphorn serve`.
struct Server {
    child: Child,
    url: String,
    port: u16,
    token: String,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .arg("serve")
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut url).expect("a line");
        let (address, token) = url.trim().split_once("/?token=").expect("an address with a token");
        let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Server { child, url: url.trim().to_string(), port, token: token.to_string() }
    }

    /// Sends the text of an HTTP request and returns the whole answer.
    fn http(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut answer = Vec::new();
        // The server may close the connection before it has read everything.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Gets a path with these further headers.
    fn get(&self, path: &str, headers: &str) -> String {
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        self.http(&format!("GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n"))
    }

    /// Opens a WebSocket with this token and origin.
    fn connect(&self, token: &str, origin: Option<&str>) -> Result<Page, tungstenite::Error> {
        let host = format!("127.0.0.1:{}", self.port);
        let mut request = Request::builder()
            .uri(format!("ws://{host}/ws?token={token}"))
            .header("Host", &host)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key());
        if let Some(origin) = origin {
            request = request.header("Origin", origin);
        }
        let request = request.body(()).expect("a request");
        let stream = TcpStream::connect(&host).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let shaken = tungstenite::client::client_with_config(request, stream, Some(config));
        let (socket, _) = shaken.map_err(|error| match error {
            tungstenite::HandshakeError::Failure(error) => error,
            tungstenite::HandshakeError::Interrupted(_) => panic!("the stream blocks"),
        })?;
        Ok(Page { socket })
    }

    /// Opens a WebSocket as the page does.
    fn page(&self) -> Page {
        let origin = format!("http://127.0.0.1:{}", self.port);
        self.connect(&self.token, Some(&origin)).expect("the page may connect")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A WebSocket of the page.
struct Page {
    socket: WebSocket<TcpStream>,
}

impl Page {
    fn send(&mut self, request: &Value) {
        self.socket.send(Message::text(request.to_string())).expect("the server reads");
    }

    /// The next line.
    fn line(&mut self) -> Value {
        loop {
            match self.socket.read().expect("the server answers") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Sends a request and returns its answer, without the events before it.
    fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        loop {
            let line = self.line();
            if line.get("event").is_none() {
                assert_eq!(line["id"], request["id"], "{line}");
                return line;
            }
        }
    }

    fn load(&mut self, text: &str) -> Value {
        self.ask(&json!({"id": 0, "request": "load", "texts": [{"name": "game.pl", "text": text}], "board": true}))
    }
}

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("alphorn-studio-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a text")
}

#[test]
fn the_page_is_there_within_a_second() {
    let since = Instant::now();
    let server = Server::start(&[concat!(env!("CARGO_MANIFEST_DIR"), "/games/othello.pl")]);
    let answer = server.get(&format!("/?token={}", server.token), "");
    // The limit holds for a fast build only.
    assert!(cfg!(debug_assertions) || since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(body.contains("<html"), "{body}");
    let head = head.to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self';",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(head.contains(header), "{header}: {head}");
    }
    assert!(!head.contains("access-control"), "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    assert!(cookie.contains("httponly") && cookie.contains("samesite=strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a pair");
    assert!(server.get("/index.html", &format!("Cookie: {cookie}\r\n")).starts_with("HTTP/1.1 200"));
}

#[test]
fn strangers_get_nothing() {
    let server = Server::start(&[]);
    let own = format!("/?token={}", server.token);
    for path in ["/", "/index.html", "/?token=", "/?token=0", "/ws", "/ws?token=0"] {
        assert!(server.get(path, "").starts_with("HTTP/1.1 403"), "{path}");
    }
    for headers in ["Origin: http://evil.example\r\n", "Origin: null\r\n"] {
        assert!(server.get(&own, headers).starts_with("HTTP/1.1 403"), "{headers}");
    }
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "169.254.1.1"] {
        let port = server.port;
        let answer = server.http(&format!("GET {own} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403") || answer.starts_with("HTTP/1.1 400"), "{host}: {answer}");
        assert!(!answer.contains("<html"), "{host}: {answer}");
    }
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/src/main.rs", "/index.html/../../x"] {
        let answer = server.get(&format!("{path}?token={}", server.token), "");
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
    let post = format!(
        "POST {own} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
        server.port
    );
    assert!(server.http(&post).starts_with("HTTP/1.1 405"));
    for (token, origin) in [("0", None), ("", None), (server.token.as_str(), Some("http://evil.example"))] {
        match server.connect(token, origin).map(drop) {
            Err(tungstenite::Error::Http(answer)) => assert_eq!(answer.status(), 403),
            other => panic!("{token} {origin:?}: {other:?}"),
        }
    }
}

#[test]
fn a_game_is_played_and_drawn() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let loaded = page.load(&text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/games/othello.pl"))));
    assert_eq!(loaded["game"]["board"]["squares"].as_array().map(Vec::len), Some(64));
    assert_eq!(loaded["game"]["board"]["source"], "show");
    let moves = page.ask(&json!({"id": 1, "request": "moves", "board": true}));
    assert_eq!(moves["moves"][0]["squares"], json!(["d3"]));
    let played = page.ask(&json!({"id": 2, "request": "move", "move": "d3", "board": true, "legal": true}));
    assert_eq!(played["played"], json!(["d3"]));
    let value = page.ask(&json!({"id": 3, "request": "value", "depth": 2, "threads": 1}));
    assert_eq!(value["reply"], "value");
    let tree = page.ask(&json!({"id": 4, "request": "tree", "depth": 2, "lazy": true}));
    let children = tree["nodes"][0]["children"].as_u64().expect("a number");
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(children as usize + 1));
    let below = page.ask(&json!({"id": 5, "request": "tree-nodes", "node": 1}));
    assert_eq!(below["children"], tree["nodes"][1]["children"]);
    assert_eq!(below["nodes"][0]["parent"], 1);
}

/// The protocol can read and write files, and start programs; the page may not.
#[test]
fn requests_that_name_files_are_refused() {
    let folder = folder("files");
    let secret = folder.join("secret.pl");
    fs::write(&secret, "secret(1).\n").expect("a file");
    fs::write(folder.join("game.pl"), text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/games/nim.pl"))))
        .expect("a file");
    let server = Server::start(&[folder.join("game.pl").to_str().expect("text")]);
    let mut page = server.page();
    let game = text(&folder.join("game.pl"));
    assert_eq!(page.load(&game)["reply"], "load");
    let path = secret.to_str().expect("text");
    let touched = folder.join("touched");
    let touch = format!("engine:touch {}", touched.display());
    for request in [
        json!({"request": "load", "files": [path]}),
        json!({"request": "load", "texts": [{"name": "x.pl", "text": "a."}], "with": [path]}),
        json!({"request": "check", "files": [path]}),
        json!({"request": "value", "with": [path], "depth": 1}),
        json!({"request": "value", "backup": format!("risk=table:{path}")}),
        json!({"request": "value", "table": path}),
        json!({"request": "solve", "save": path}),
        json!({"request": "solve", "proof": path}),
        json!({"request": "verify", "proof": path}),
        json!({"request": "match", "games": path}),
        json!({"request": "match", "a": touch, "games": 2}),
        json!({"request": "tournament", "side": [touch, "--depth 1"], "games": 2}),
        json!({"request": "tournament", "sides": path}),
        json!({"request": "match", "openings": path, "games": 2}),
        json!({"request": "dataset", "output": touched}),
        json!({"request": "tune", "record": path}),
        json!({"request": "value", "depth": 1, "steps": 0}),
        json!({"request": "value", "depth": 1, "memory": "100G"}),
        json!({"request": "value", "depth": 1, "hash": 60_000}),
    ] {
        let mut request = request;
        request["id"] = json!("x");
        let answer = page.ask(&request);
        assert_eq!(answer["error"]["code"], "A0650", "{request}: {answer}");
        assert!(!answer.to_string().contains("secret(1)"), "{answer}");
    }
    assert!(!touched.exists());
    assert_eq!(text(&secret), "secret(1).\n");
    // Texts load no files, but for the text of the opened file, which may load files of its folder.
    let including = ":- include('secret.pl').\n";
    let loaded = |page: &mut Page, name: &str| {
        page.ask(&json!({"id": 1, "request": "load", "texts": [{"name": name, "text": including}]}))["reply"].clone()
    };
    assert_eq!(loaded(&mut page, "game.pl"), "load");
    assert_eq!(loaded(&mut page, "other.pl"), Value::Null);
    assert_eq!(loaded(&mut page, folder.join("x.pl").to_str().expect("text")), Value::Null);
}

#[test]
fn the_file_of_solved_positions_is_the_only_one_that_is_looked_up() {
    let folder = folder("solved");
    let game = text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/games/hexapawn.pl")));
    let (path, solved, other) = (folder.join("game.pl"), folder.join("solved"), folder.join("other"));
    fs::write(&path, &game).expect("a file");
    let done =
        Command::new(env!("CARGO_BIN_EXE_alphorn")).arg("solve").args([&path]).arg("--save").arg(&solved).output();
    assert!(done.expect("the binary starts").status.success());
    fs::copy(&solved, &other).expect("a file");
    let server = Server::start(&[path.to_str().expect("text"), "--table", solved.to_str().expect("text")]);
    let mut page = server.page();
    let opened = page.ask(&json!({"id": 1, "request": "file"}));
    assert_eq!(opened["table"], json!(solved));
    page.load(&game);
    let value = page.ask(&json!({"id": 2, "request": "value", "table": opened["table"], "lines": 100}));
    assert_eq!((&value["from_table"], &value["exact"]), (&json!(true), &json!(true)), "{value}");
    let moves = page.ask(&json!({"id": 3, "request": "moves"}));
    // Each move has the value that a search of its position finds.
    let lines = value["lines"].as_array().expect("lines");
    assert_eq!(Some(lines.len()), moves["moves"].as_array().map(Vec::len));
    for line in lines {
        let label = line["best"].as_str().expect("a label");
        let found = page.ask(&json!({"id": 4, "request": "value", "moves": label, "lines": 2}));
        let plies = |value: &Value| value.as_f64().map(|value| 1_000_000.0 - value.abs());
        assert_eq!(plies(&line["value"]), plies(&found["value"]).map(|plies| plies + 1.0), "{label}: {line} {found}");
    }
    for closed in [&other, &path] {
        let refused = page.ask(&json!({"id": 5, "request": "value", "table": closed}));
        assert_eq!(refused["error"]["code"], "A0650", "{refused}");
    }
}

#[test]
fn a_huge_board_with_many_moves_is_answered() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let huge = "\
initial(p(max, 0)).
max_to_move(p(max, _)).
move(p(P, N), go(K), p(O, M)) :- other(P, O), N < 5, between(1, 390, K), M is N + 1.
other(max, min).
other(min, max).
static_eval(_, 0).
acyclic.
show(p(_, N), Lines) :- findall(L, (between(1, 64, _), row(N, L)), Lines).
row(N, L) :- findall(C, (between(1, 64, J), K is (J * 7 + N) mod 3, nth0(K, [x, o, '.'], C)), Cs),
    atomic_list_concat(Cs, ' ', L).
";
    let loaded = page.load(huge);
    assert_eq!(loaded["game"]["board"]["squares"].as_array().map(Vec::len), Some(64 * 64));
    // An answer that takes a minute fails the test.
    let moves = page.ask(&json!({"id": 1, "request": "moves", "board": true}));
    assert_eq!(moves["moves"].as_array().map(Vec::len), Some(390));
}

#[test]
fn the_opened_file_is_saved_and_watched() {
    let folder = folder("saves");
    let path = folder.join("game.pl");
    fs::write(&path, "a(1).\n").expect("a file");
    let server = Server::start(&[path.to_str().expect("text")]);
    let (mut page, mut other) = (server.page(), server.page());
    let opened = page.ask(&json!({"id": 1, "request": "file"}));
    assert_eq!((&opened["file"]["name"], &opened["file"]["text"]), (&json!("game.pl"), &json!("a(1).\n")));
    other.ask(&json!({"id": 1, "request": "file"}));
    let version = opened["file"]["version"].clone();
    let saved = page.ask(&json!({"id": 2, "request": "save", "text": "a(2).\n", "version": version}));
    assert_eq!((&saved["saved"], text(&path).as_str()), (&json!(true), "a(2).\n"));
    let told = other.line();
    assert_eq!((&told["event"], &told["text"]), (&json!("file-changed"), &json!("a(2).\n")));
    // Another program saves the file: both windows hear of it, and an old version is not written over it.
    fs::write(&path, "a(3).\n").expect("a file");
    let heard = loop {
        let told = page.line();
        if told["text"] == "a(3).\n" {
            break told;
        }
    };
    let old = page.ask(&json!({"id": 3, "request": "save", "text": "a(4).\n", "version": saved["version"]}));
    assert_eq!((&old["saved"], &old["text"], &old["version"]), (&json!(false), &json!("a(3).\n"), &heard["version"]));
    assert_eq!(text(&path), "a(3).\n");
    let new = page.ask(&json!({"id": 4, "request": "save", "text": "a(4).\n", "version": old["version"]}));
    assert_eq!((&new["saved"], text(&path).as_str()), (&json!(true), "a(4).\n"));
    fs::remove_file(&path).expect("the file was there");
    let gone = page.ask(&json!({"id": 5, "request": "save", "text": "a(5).\n", "version": new["version"]}));
    assert_eq!((&gone["saved"], &gone["text"]), (&json!(false), &Value::Null));
    let leftovers: Vec<_> = fs::read_dir(&folder).expect("a folder").collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
}

#[test]
fn a_search_is_stopped_by_a_request_or_by_closing_the_page() {
    let server = Server::start(&[]);
    let chess = text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/games/chess.pl")));
    let mut pages: Vec<Page> = (0..4).map(|_| server.page()).collect();
    for page in &mut pages {
        page.load(&chess);
        page.send(&json!({"id": 1, "request": "value", "threads": 1}));
        // The search runs as soon as it reports a depth.
        while page.line()["event"] != "iteration" {}
    }
    let mut late = server.page();
    late.load(&chess);
    let busy = late.ask(&json!({"id": 1, "request": "value", "depth": 1}));
    assert_eq!(busy["error"]["code"], "A0650", "{busy}");
    // The editor is not blocked by the searches.
    assert_eq!(late.ask(&json!({"id": 2, "request": "show"}))["reply"], "show");
    pages[0].send(&json!({"id": 2, "request": "cancel", "cancel": 1}));
    let stopped = loop {
        let line = pages[0].line();
        if line["reply"] == "value" {
            break line;
        }
    };
    assert_eq!(stopped["stopped"], true);
    // Closed windows make room for other searches.
    drop(pages);
    let since = Instant::now();
    let mut all: Vec<Page> = (0..4).map(|_| server.page()).collect();
    for page in &mut all {
        page.load(&chess);
        let value = page.ask(&json!({"id": 1, "request": "value", "depth": 1, "threads": 1}));
        assert_eq!(value["reply"], "value", "{value}");
    }
    assert!(since.elapsed() < PATIENCE);
}

#[test]
fn rules_that_loop_harm_nobody() {
    let server = Server::start(&[]);
    let (mut page, mut other) = (server.page(), server.page());
    assert_eq!(page.load(LOOPING)["reply"], "load");
    page.send(&json!({"id": 1, "request": "value"}));
    page.send(&json!({"id": 2, "request": "cancel", "cancel": 1}));
    other.load("a(1).\n");
    let answers = other.ask(&json!({"id": 1, "request": "query", "goal": "a(X)"}));
    assert_eq!(answers["reply"], "query");
    let mut ended = Vec::new();
    while ended.len() < 2 {
        ended.push(page.line());
        ended.retain(|line| line.get("event").is_none());
    }
    assert!(ended.iter().any(|line| line["reply"] == "cancel"), "{ended:?}");
    let endless = page.ask(&json!({"id": 3, "request": "query", "goal": "for_ever(1)", "steps": 100_000}));
    assert_eq!(endless["reply"], "query");
    assert_eq!(endless["error"]["code"], "A0601", "{endless}");
}

#[test]
fn large_messages_and_many_connections_end_only_themselves() {
    let server = Server::start(&[]);
    let mut page = server.page();
    page.load("a(1).\n");
    let mut large = server.page();
    // The server closes the connection while the message is being sent.
    let _ = large.socket.send(Message::text("x".repeat(100 << 20)));
    let end = (0..10).map(|_| large.socket.read()).find(|read| !matches!(read, Ok(Message::Ping(_))));
    assert!(matches!(end, Some(Err(_) | Ok(Message::Close(_)))), "the message is not answered: {end:?}");
    let idle: Vec<TcpStream> = (0..1000).filter_map(|_| TcpStream::connect(("127.0.0.1", server.port)).ok()).collect();
    assert_eq!(page.ask(&json!({"id": 1, "request": "query", "goal": "a(X)"}))["reply"], "query");
    drop(idle);
    let since = Instant::now();
    while !server.get(&format!("/?token={}", server.token), "").starts_with("HTTP/1.1 200") {
        assert!(since.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    }
    let many: Vec<_> = (0..40).map(|_| server.connect(&server.token, None)).collect();
    let refused =
        many.iter().filter(|one| matches!(one, Err(tungstenite::Error::Http(answer)) if answer.status() == 503));
    assert!(refused.count() >= 8);
    drop(many);
    for line in
        ["", "{", "[]", "null", "{\"request\": 5}", "{\"request\": \"save\"}", "\u{0}", "{\"request\": \"nothing\"}"]
    {
        page.socket.send(Message::text(line)).expect("the server reads");
    }
    page.send(&json!({"id": 7, "request": "cancel"}));
    let answer = (0..10).map(|_| page.line()).find(|line| line["id"] == 7).expect("an answer");
    assert_eq!(answer["reply"], "cancel");
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let failed = |args: &[&str]| {
        let run =
            Command::new(env!("CARGO_BIN_EXE_alphorn")).arg("serve").args(args).output().expect("the binary runs");
        assert_eq!(run.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&run.stderr).into_owned()
    };
    let server = Server::start(&[]);
    assert!(failed(&["--port", &server.port.to_string()]).contains("is in use"));
    assert!(failed(&["/nowhere/game.pl"]).contains("there is no such file"));
    assert!(failed(&["--with", "/nowhere/fast.pl"]).contains("there is no such file"));
    assert!(failed(&["--host", "203.0.113.7"]).contains("no address of this computer"));
    assert!(failed(&["-"]).contains("cannot save standard input"));
    assert!(server.url.starts_with("http://127.0.0.1:"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_server_and_its_searches() {
    let mut server = Server::start(&[]);
    let mut page = server.page();
    page.load(&text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/games/chess.pl"))));
    page.send(&json!({"id": 1, "request": "value", "threads": 1}));
    while page.line()["event"] != "iteration" {}
    let kill = Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let since = Instant::now();
    let status = loop {
        if let Some(status) = server.child.try_wait().expect("the child is known") {
            break status;
        }
        assert!(since.elapsed() < PATIENCE, "the server does not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0));
}
