//! Tests the protocol `alphorn repl --json`: a client that knows only lines of JSON plays a whole game.
//!
//! Every line of output must match its schema in `docs/schema/`, and the answers must have the order of the
//! requests.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games");

/// A running `alphorn repl --json`.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    validators: [(&'static str, jsonschema::Validator); 3],
}

impl Client {
    fn new(files: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .args(["--json", "repl"])
            .args(files)
            .current_dir(GAMES)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let schema = |name: &'static str| {
            let path = format!("{}/docs/schema/protocol-{name}.json", env!("CARGO_MANIFEST_DIR"));
            let text: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON");
            (name, jsonschema::draft202012::new(&text).expect("a schema"))
        };
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Client { child, input, output, validators: ["event", "reply", "error"].map(schema) }
    }

    fn send(&mut self, request: &Value) {
        writeln!(self.input.as_mut().expect("a pipe"), "{request}").expect("the program reads");
    }

    /// The next line, checked against its schema.
    fn line(&mut self) -> Value {
        let mut text = String::new();
        self.output.read_line(&mut text).expect("text");
        let line: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let kind = ["reply", "event"].into_iter().find(|kind| line.get(kind).is_some()).unwrap_or("error");
        let (_, validator) = self.validators.iter().find(|(name, _)| *name == kind).expect("one of three");
        if let Some(error) = validator.iter_errors(&line).next() {
            panic!("{kind}: {error}: {line}");
        }
        line
    }

    /// Sends a request. Returns the events before its answer, and the answer.
    fn ask(&mut self, request: &Value) -> (Vec<Value>, Value) {
        self.send(request);
        let mut events = Vec::new();
        loop {
            let line = self.line();
            assert_eq!(line["id"], request["id"], "{line}");
            match line.get("event") {
                Some(_) => events.push(line),
                None => return (events, line),
            }
        }
    }

    /// The next line that is not an event.
    fn answer(&mut self) -> Value {
        loop {
            let line = self.line();
            if line.get("event").is_none() {
                return line;
            }
        }
    }

    /// Reads lines until a search has finished a depth.
    fn until_iteration(&mut self) {
        loop {
            let line = self.line();
            assert!(line.get("event").is_some(), "{line}");
            if line["event"] == "iteration" {
                return;
            }
        }
    }

    fn reply(&mut self, request: &Value) -> Value {
        let (_, reply) = self.ask(request);
        assert!(reply.get("reply").is_some(), "{request}: {reply}");
        reply
    }

    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn a_whole_game_is_played_by_requests() {
    let mut client = Client::new(&[]);
    let loaded = client.reply(&json!({ "id": 1, "request": "load", "files": ["tictactoe.pl"], "terms": true }));
    assert_eq!(loaded["game"]["turn"], "max");
    let term = loaded["game"]["term"].clone();
    assert_eq!(term["functor"], "pos");
    let mut id = 2;
    let mut last = json!(null);
    // With best play the game is a draw.
    for turn in 0..9 {
        id += 2;
        let moves = client.reply(&json!({ "id": id, "request": "moves" }));
        let count = moves["moves"].as_array().map_or(0, Vec::len);
        assert_eq!(count, 9 - turn, "{moves}");
        let (events, value) = client.ask(&json!({ "id": id + 1, "request": "value", "threads": 1 }));
        assert_eq!((&value["value"], &value["exact"], &value["outcome"]), (&json!(0), &json!(true), &json!("draw")));
        assert!(events.iter().any(|event| event["event"] == "iteration"), "{events:?}");
        last = client.reply(&json!({ "id": "move", "request": "move", "move": value["best"] }));
        assert_eq!(last["made"], json!(last["played"][turn]));
    }
    assert_eq!((&last["turn"], &last["outcome"]), (&json!(null), &json!("draw")));
    let (_, over) = client.ask(&json!({ "id": 90, "request": "go" }));
    assert_eq!(over["error"]["code"], "A0620", "{over}");
    let undone = client.reply(&json!({ "id": 91, "request": "undo", "count": 9, "terms": true }));
    assert_eq!(undone["term"], term);
    let there = client.reply(&json!({ "id": 92, "request": "new", "position": term }));
    assert_eq!(there["played"], json!([]));
    let gone = client.reply(&json!({ "id": 93, "request": "go", "depth": 1, "threads": 1 }));
    assert_eq!(gone["game"]["played"], json!([gone["made"]]));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_request_that_runs_is_cancelled() {
    let mut client = Client::new(&["chess.pl"]);
    client.send(&json!({ "id": "long", "request": "value", "threads": 1 }));
    client.until_iteration();
    client.send(&json!({ "id": "next", "request": "perft", "depth": 1 }));
    client.send(&json!({ "id": "never", "request": "value" }));
    client.send(&json!({ "id": "c1", "request": "cancel", "cancel": "never" }));
    client.send(&json!({ "id": "c2", "request": "cancel", "cancel": "long" }));
    client.send(&json!({ "id": "c3", "request": "cancel", "cancel": "nobody" }));
    let mut answers = Vec::new();
    while answers.len() < 6 {
        let line = client.line();
        if line.get("event").is_none() {
            answers.push(line);
        }
    }
    let of = |id: &str| answers.iter().find(|line| line["id"] == id).unwrap_or_else(|| panic!("{id}: {answers:?}"));
    assert_eq!(of("c1")["cancelled"], true);
    assert_eq!(of("c2")["cancelled"], true);
    assert_eq!(of("c3")["cancelled"], false);
    assert_eq!((&of("long")["reply"], &of("long")["stopped"]), (&json!("value"), &json!(true)));
    assert_eq!(of("next")["perft"], json!([{ "depth": 1, "paths": 20 }]));
    assert!(of("never")["error"]["message"].as_str().is_some_and(|text| text.contains("cancelled")), "{answers:?}");
    // Regression test: if the last request was cancelled, the exit status was that of an interrupt.
    client.send(&json!({ "id": "last", "request": "value", "threads": 1 }));
    client.until_iteration();
    client.send(&json!({ "id": "c4", "request": "cancel" }));
    let ids = [client.answer()["id"].clone(), client.answer()["id"].clone()];
    assert!(ids.contains(&json!("last")) && ids.contains(&json!("c4")), "{ids:?}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn what_is_loaded_stays_when_a_load_fails() {
    let mut client = Client::new(&["nim.pl"]);
    let (_, wrong) = client.ask(&json!({
        "id": 1, "request": "load", "texts": [{ "name": "mine.pl", "text": "initial(0).\nmove(P, a, Q) :- Q is P + .\n" }]
    }));
    assert_eq!((&wrong["error"]["code"], &wrong["error"]["places"][0]["file"]), (&json!("A0109"), &json!("mine.pl")));
    assert_eq!(client.reply(&json!({ "id": 2, "request": "moves" }))["moves"].as_array().map(Vec::len), Some(12));
    assert_eq!(client.end(), Some(0));
}

/// Regression test: a move after the end of the game was made if the rules had such a move.
#[test]
fn a_move_after_the_end_was_made() {
    let mut client = Client::new(&["tictactoe.pl"]);
    let over = client.reply(&json!({ "id": 1, "request": "new", "position": "pos(o,[x,x,x,o,o,e,e,e,e])" }));
    assert_eq!(over["outcome"], "max");
    let (_, refused) = client.ask(&json!({ "id": 2, "request": "move", "move": 1 }));
    assert_eq!(refused["error"]["code"], "A0615", "{refused}");
    assert_eq!(client.reply(&json!({ "id": 3, "request": "show" }))["played"], json!([]));
    assert_eq!(client.end(), Some(0));
}

/// Regression test: a cancelled `go` ended in A0614, and no move was made.
#[test]
fn a_cancelled_go_plays_what_it_has_found() {
    let mut client = Client::new(&["chess.pl"]);
    client.send(&json!({ "id": "go", "request": "go", "time": 600, "threads": 1 }));
    client.until_iteration();
    client.send(&json!({ "id": "stop", "request": "cancel" }));
    let mut lines = Vec::new();
    while lines.len() < 2 {
        let line = client.line();
        if line.get("event").is_none() {
            lines.push(line);
        }
    }
    let gone = lines.iter().find(|line| line["id"] == "go").expect("both are answered");
    assert_eq!((&gone["reply"], &gone["found"]["stopped"]), (&json!("go"), &json!(true)), "{gone}");
    assert_eq!(gone["game"]["played"], json!([gone["made"]]));
    assert_eq!(client.end(), Some(0));
}

/// Regression test: a file of values was rejected as a file of another game.
#[test]
fn a_file_of_values_serves_every_front_end() {
    let path = std::env::temp_dir().join(format!("alphorn-values-{}.db", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let file = path.display().to_string();
    let saved = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["solve", "nim.pl", "--save", &file])
        .current_dir(GAMES)
        .output()
        .expect("the binary starts");
    assert!(saved.status.success(), "{}", String::from_utf8_lossy(&saved.stderr));
    let mut client = Client::new(&["nim.pl"]);
    let value = client.reply(&json!({ "id": 1, "request": "value", "table": file }));
    assert_eq!((&value["value"], &value["exact"]), (&json!(999_989), &json!(true)));
    assert_eq!(client.end(), Some(0));
    let _ = std::fs::remove_file(&path);
}

/// Regression test: the fields of requests were computed anew for each request, so a cancel waited behind
/// hundreds of requests.
#[test]
fn a_cancel_waited_behind_other_requests() {
    let mut client = Client::new(&["chess.pl"]);
    client.send(&json!({ "id": "long", "request": "value", "threads": 1 }));
    client.until_iteration();
    for number in 0..500 {
        client.send(&json!({ "id": number, "request": "show" }));
    }
    client.send(&json!({ "id": "stop", "request": "cancel", "cancel": "long" }));
    let mut answered = 0;
    while answered < 502 {
        let line = client.line();
        answered += usize::from(line.get("event").is_none());
        assert!(line["id"] != "long" || line.get("event").is_some() || line["stopped"] == true, "{line}");
    }
    assert_eq!(client.end(), Some(0));
}

/// Regression test: the search continued after the client had closed its pipes.
#[test]
fn a_client_that_is_gone_ended_no_search() {
    let mut client = Client::new(&["chess.pl"]);
    client.send(&json!({ "id": 1, "request": "value", "threads": 1 }));
    client.until_iteration();
    let Client { mut child, input, output, .. } = client;
    drop((input, output));
    for _ in 0..600 {
        if child.try_wait().expect("it can be asked").is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    panic!("it still searches");
}

#[test]
fn two_sides_play_a_match_by_requests() {
    let mut client = Client::new(&["nim.pl"]);
    let request = json!({ "id": 5, "request": "match", "a": "--depth 1", "b": { "depth": 3 }, "games": 4, "seed": 2 });
    let (events, found) = client.ask(&request);
    assert_eq!(events.iter().filter(|event| event["event"] == "game").count(), 4, "{events:?}");
    assert_eq!((&found["games"], &found["stopped"]), (&json!(4), &json!(false)));
    assert_eq!(client.end(), Some(0));
}

/// If the input ends during a search, the program carries out the request and then exits.
#[test]
fn requests_are_carried_out_when_the_input_has_ended() {
    let mut client = Client::new(&["nim.pl"]);
    client.send(&json!({ "id": 1, "request": "perft", "depth": 3 }));
    drop(client.input.take());
    std::thread::sleep(Duration::from_millis(50));
    let lines: Vec<Value> = (0..4).map(|_| client.line()).collect();
    assert_eq!(lines[3]["reply"], "perft", "{lines:?}");
    assert_eq!(client.child.wait().expect("it ends").code(), Some(0));
}

/// Regression test: ids beyond 64 bits came back rounded, and one of them cancelled another.
#[test]
fn an_id_comes_back_as_it_was_written() {
    let mut client = Client::new(&["nim.pl"]);
    for id in ["1180591620717411303425", "-9223372036854775809", "1e400", "{ \"a\": [1.50, null] }", "\"\\u0041\""] {
        let input = client.input.as_mut().expect("a pipe");
        writeln!(input, "{{\"request\": \"show\", \"id\": {id}}}").expect("the program reads");
        let mut line = String::new();
        client.output.read_line(&mut line).expect("text");
        assert!(line.starts_with(&format!("{{\"schema\":2,\"id\":{id},")), "{line}");
    }
    assert_eq!(client.end(), Some(0));
}

/// Regression test: a cancel without an id did nothing if it came before the request had begun.
#[test]
fn a_cancel_without_an_id_stops_what_has_no_answer() {
    for _ in 0..10 {
        let mut client = Client::new(&["chess.pl"]);
        let (long, stop) =
            (json!({ "id": 1, "request": "value", "threads": 1 }), json!({ "id": 2, "request": "cancel" }));
        write!(client.input.as_mut().expect("a pipe"), "{long}\n{stop}\n").expect("the program reads");
        let answers = [client.answer(), client.answer()];
        let cancelled = answers.iter().find(|line| line["id"] == 2);
        assert!(cancelled.is_some_and(|line| line["cancelled"] == true), "{answers:?}");
        assert_eq!(client.end(), Some(0));
    }
}

/// Regression test: unknown fields of a side and of a text were ignored.
#[test]
fn unknown_fields_inside_a_request_are_refused() {
    let mut client = Client::new(&["nim.pl"]);
    let texts = json!([{ "name": "a.pl", "text": "a.", "place": 1 }]);
    for request in [
        json!({ "id": 1, "request": "match", "a": { "dept": 3 }, "games": 2 }),
        json!({ "id": 2, "request": "load", "texts": texts }),
        json!({ "id": 3, "request": "check", "texts": texts }),
        json!({ "id": 4, "request": "match", "a": "--dept 3", "games": 2 }),
    ] {
        let (_, answer) = client.ask(&request);
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("dept") || message.contains("place"), "{request}: {answer}");
        assert!(!message.contains('\n'), "{request}: {answer}");
    }
    assert_eq!(client.end(), Some(0));
}

/// Regression test: `keep` kept the position of one game in another game.
#[test]
fn another_game_begins_at_its_own_position() {
    let mut client = Client::new(&["nim.pl"]);
    let moved = client.reply(&json!({ "id": 1, "request": "move", "move": 1 }));
    let again = client.reply(&json!({ "id": 2, "request": "load", "files": ["nim.pl"], "keep": true }));
    assert_eq!(again["game"]["position"], moved["position"]);
    let other = client.reply(&json!({ "id": 3, "request": "load", "files": ["tictactoe.pl"], "keep": true }));
    assert_eq!(other["game"]["played"], json!([]), "{other}");
    assert_eq!(client.end(), Some(0));
}

/// Regression test: the line of a failed load at the start had no id, against its schema.
#[test]
fn a_failed_load_at_the_start_is_a_line_of_the_protocol() {
    let mut client = Client::new(&["no_such_game.pl"]);
    let line = client.line();
    assert!(line["id"].is_null() && line["error"]["code"].is_string(), "{line}");
    assert_eq!(client.end(), Some(2));
}

const WEIGHTS: &str = ":- use_module(library(alphorn)).\n:- param(weight, 1, 0..9, \"of a stone\").\n:- param(size, 9, 5..20, \"stones at first\").\n\
    initial(heap(max, N)) :- param(size, N).\n\
    max_to_move(heap(max, _)).\n\
    move(heap(W, N), take(K), heap(O, M)) :- other(W, O), between(1, 3, K), K =< N, M is N - K.\n\
    other(max, min).\nother(min, max).\nterminal(heap(_, 0)).\n\
    static_eval(heap(_, N), V) :- param(weight, W), V is N * W.\n";

#[test]
fn other_weights_keep_the_position_and_another_board_begins_anew() {
    let mut client = Client::new(&[]);
    let text = json!({ "name": "heap", "text": WEIGHTS });
    client.ask(&json!({ "id": 1, "request": "load", "texts": [text] }));
    let (_, game) = client.ask(&json!({ "id": 2, "request": "new", "moves": "take(2) take(1)" }));
    assert_eq!(game["played"], json!(["take(2)", "take(1)"]), "{game}");
    let value = |client: &mut Client, params: Value| {
        let (_, found) = client.ask(&json!({ "id": 3, "request": "value", "depth": 0, "params": params }));
        found["value"].clone()
    };
    assert_eq!(value(&mut client, json!({})), 6);
    assert_eq!(value(&mut client, json!({ "weight": 5 })), 30);
    assert_eq!(value(&mut client, json!({ "size": 12, "weight": 2 })), 24);
    for (params, played) in [(json!({ "weight": 3 }), json!(["take(2)", "take(1)"])), (json!({ "size": 7 }), json!([]))]
    {
        let load = json!({ "id": 4, "request": "load", "texts": [text], "params": params, "keep": true });
        assert_eq!(client.ask(&load).1["game"]["played"], played, "{params}");
    }
}

#[test]
fn an_integer_of_more_than_64_bits_is_refused_or_exact() {
    let mut client = Client::new(&[]);
    let rules =
        "initial(p(18446744073709551616)).\nmax_to_move(_).\nmoves(p(_), []).\nstatic_eval(_, 0).\nterminal(_).\n";
    client.ask(&json!({ "id": 1, "request": "load", "texts": [{ "name": "big", "text": rules }] }));
    let position = |argument: Value| json!({ "functor": "p", "args": [argument] });
    let exact = position(json!({ "integer": "18446744073709551616" }));
    let (_, shown) = client.ask(&json!({ "id": 2, "request": "new", "position": exact, "terms": true }));
    assert_eq!(shown["term"], exact, "{shown}");
    let raw = r#"{"id": 3, "request": "new", "position": {"functor": "p", "args": [18446744073709551616]}}"#;
    writeln!(client.input.as_mut().expect("a pipe"), "{raw}").expect("the program reads");
    let refused = client.line();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(3), &json!("A0620")), "{refused}");
    for (line, id) in
        [(r#"[7, "request"]"#, "null"), (r#"{"id": 18446744073709551616, "request": "undo"}"#, "18446744073709551616")]
    {
        writeln!(client.input.as_mut().expect("a pipe"), "{line}").expect("the program reads");
        let mut text = String::new();
        client.output.read_line(&mut text).expect("text");
        assert!(text.contains(&format!("\"id\":{id},")) && !text.contains("64 bits"), "{text}");
    }
}

#[test]
fn the_error_of_a_goal_has_the_fields_of_other_errors() {
    let mut client = Client::new(&["nim.pl"]);
    for request in ["query", "why", "whynot"] {
        let (_, found) = client.ask(&json!({ "id": 1, "request": request, "goal": "X is foo + 1" }));
        assert_eq!(found["error"]["level"], "error", "{found}");
        assert!(found["error"]["edits"].is_array(), "{found}");
    }
    let (_, found) = client.ask(&json!({ "id": 2, "request": "go", "depth": 1 }));
    assert_eq!(found["game"]["made"], found["made"], "{found}");
    let (_, found) = client.ask(&json!({ "id": 3, "request": "move", "move": [1] }));
    let message = found["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("the label of a move") && !message.contains("enum"), "{found}");
    let (_, found) = client.ask(&json!({ "id": 4, "request": "value", "depth": 4_294_967_296_u64 }));
    assert!(found["error"]["message"].as_str().is_some_and(|message| message.contains("4294967295")), "{found}");
}

/// Regression test: moves were made after a repetition that ends the game.
#[test]
fn moves_after_a_repetition_are_refused() {
    let mut client = Client::new(&[]);
    let text = "initial(a).\nmax_to_move(_).\nmove(a, go, b).\nmove(b, back, a).\nmove(b, on, c).\noutcome(c, draw).\n\
                repetition(draw).\n";
    client.reply(&json!({ "id": 1, "request": "load", "texts": [{ "name": "shuttle.pl", "text": text }] }));
    let game = client.reply(&json!({ "id": 2, "request": "new", "moves": "go back" }));
    assert_eq!(game["repetition"], true, "{game}");
    let (_, refused) = client.ask(&json!({ "id": 3, "request": "new", "moves": "go back go on" }));
    let message = refused["error"]["message"].as_str().expect("a text");
    assert!(message.contains("the game is over after move 2: a position occurs twice"), "{refused}");
    assert_eq!(client.end(), Some(0));
}

/// Regression test: correct JSON beyond the limits of the parser was called no JSON, in the words of the parser.
#[test]
fn a_line_beyond_the_limits_of_the_parser_is_no_wrong_json() {
    let mut client = Client::new(&[]);
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    for (line, told) in [
        ("{\"id\": 1, \"request\": \"query\", \"goal\": 1e400}", "too large for a 64-bit float"),
        (&*format!("{{\"id\": 1, \"request\": \"value\", \"position\": {deep}}}"), "nested too deeply"),
        ("{\"id\": 1,", "the line is not JSON: the line ends while parsing"),
        ("nonsense", "the line is not JSON: expected true, false or null"),
    ] {
        writeln!(client.input.as_mut().expect("a pipe"), "{line}").expect("the program reads");
        let refused = client.line();
        let message = refused["error"]["message"].as_str().expect("a text");
        assert!(message.contains(told) && !message.contains("EOF"), "{line}: {message}");
    }
    assert_eq!(client.end(), Some(0));
}

/// Regression test: helps named options of the shell and commands of the prompt.
#[test]
fn helps_of_the_protocol_name_its_fields() {
    let mut client = Client::new(&[]);
    let (_, refused) = client.ask(&json!({ "id": 1, "request": "value" }));
    assert_eq!(refused["error"]["help"], "load one: {\"request\": \"load\", \"files\": [\"game.pl\"]}");
    client.reply(&json!({ "id": 2, "request": "load", "files": ["tictactoe.pl"] }));
    for request in [
        json!({ "id": 3, "request": "moves", "opening": 7 }),
        json!({ "id": 3, "request": "moves", "at": "x" }),
        json!({ "id": 3, "request": "solve", "method": "pns", "all": true }),
        json!({ "id": 3, "request": "value", "position": "t(1" }),
        json!({ "id": 3, "request": "query", "goal": "repeat, fail", "steps": 100 }),
    ] {
        let (_, refused) = client.ask(&request);
        assert!(refused.get("error").is_some() && !refused.to_string().contains("--"), "{refused}");
    }
    let idle = json!({ "id": 4, "request": "value", "depth": 1, "algorithm": "minimax", "threads": 2 });
    let (events, _) = client.ask(&idle);
    let note = events.iter().find(|event| event["event"] == "note").expect("threads have no effect");
    assert!(!note.to_string().contains("--"), "{note}");
    assert_eq!(client.end(), Some(0));
}

/// Regression test: of two ids none was repeated, and of two other fields the last was used.
#[test]
fn a_field_that_stands_twice_is_refused() {
    let mut client = Client::new(&["nim.pl"]);
    for (line, field, id) in [
        (r#"{"id": 1, "id": 2, "request": "show"}"#, "id", Value::Null),
        (r#"{"id": 3, "request": "show", "request": "undo"}"#, "request", json!(3)),
        (r#"{"id": 4, "request": "value", "depth": 1, "depth": 2}"#, "depth", json!(4)),
    ] {
        writeln!(client.input.as_mut().expect("a pipe"), "{line}").expect("the program reads");
        let refused = client.line();
        let message = refused["error"]["message"].as_str().expect("a text");
        assert_eq!((&refused["id"], message), (&id, &*format!("the field \"{field}\" stands twice in the line")));
    }
    assert_eq!(client.end(), Some(0));
}

/// Regression test: an error repeated half of a surrogate pair, which strict readers of JSON cannot read.
#[test]
fn an_id_that_no_reader_takes_is_null() {
    let mut client = Client::new(&[]);
    writeln!(client.input.as_mut().expect("a pipe"), r#"{{"id": "\ud800", "request": "show"}}"#)
        .expect("the program reads");
    assert_eq!(client.line()["id"], Value::Null);
    assert_eq!(client.end(), Some(0));
}

/// Regression test: the schema of requests took any object for a term, a parameter and the settings of a side.
#[test]
fn the_schema_of_requests_and_the_program_agree() {
    let path = format!("{}/docs/schema/protocol-request.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let mut client = Client::new(&["nim.pl"]);
    let at = |position: Value| json!({ "id": 1, "request": "perft", "depth": 1, "position": position });
    let side = |side: Value| json!({ "id": 1, "request": "match", "games": 2, "a": side, "b": { "nodes": 9 } });
    for (request, right) in [
        (at(json!({ "functor": "pos", "args": ["max", [1, 2]] })), true),
        (at(json!("pos(max, [1, 2])")), true),
        (at(json!({ "functor": "pos", "args": ["max", [{ "integer": "1" }, 2]] })), true),
        (at(json!({ "functor": "pos", "args": [] })), false),
        (at(json!({ "functor": "pos" })), false),
        (at(json!({ "functor": "pos", "args": ["max", [true]] })), false),
        (at(json!({ "functor": "pos", "args": ["max", [1]], "arity": 2 })), false),
        (at(json!({ "integer": "one" })), false),
        (json!({ "id": 1, "request": "perft", "depth": 4_294_967_296_u64 }), false),
        (json!({ "id": 1, "request": "perft", "depth": 1, "params": { "misere": "yes" } }), true),
        (json!({ "id": 1, "request": "perft", "depth": 1, "params": { "misere": ["yes"] } }), false),
        (side(json!({ "depth": 1 })), true),
        (side(json!("--depth 1")), true),
        (side(json!({ "dept": 1 })), false),
    ] {
        let (_, answer) = client.ask(&request);
        assert_eq!(
            (validator.is_valid(&request), answer.get("reply").is_some()),
            (right, right),
            "{request}: {answer}"
        );
    }
    assert_eq!(client.end(), Some(0));
}
