//! Tests of the engine protocols UGI and UCI, with scripted sessions.
//!
//! The tests run `alphorn ugi` and `alphorn uci` and compare the lines of the answers. Searches are limited by
//! depth or positions wherever the answer matters. `tests/engines/run.sh` plays with programs of other people.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

/// Moves are shown with blanks, and two of them are shown alike.
const SPOKEN: &str = "\
initial(at(max, 0)).
max_to_move(at(max, _)).
move(at(Player, N), go(K), at(Other, M)) :-
    member(K, [1, 2, 3]), M is N + K, M =< 9, turn(Player, Other).
turn(max, min).
turn(min, max).
terminal(at(_, 9)).
outcome(at(min, 9), win(max)).
outcome(at(max, 9), win(min)).
shown_move(_, go(K), Text) :- ( K =:= 1 -> Text = 'one step' ; Text = 'more steps' ).
acyclic.
";

/// The rules fail with an error from the fourth position on.
const FAULTY: &str = "\
initial(at(max, 0)).
max_to_move(at(max, _)).
move(at(Player, N), step, at(Other, M)) :- M is N + 1, turn(Player, Other), check(M).
move(at(Player, N), jump, at(Other, M)) :- M is N + 2, turn(Player, Other).
check(M) :- ( M > 3 -> atom_length(_, _) ; true ).
turn(max, min).
turn(min, max).
terminal(at(_, N)) :- N > 20.
static_eval(at(_, N), N).
acyclic.
";

pub(crate) fn engine(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C").env("NO_COLOR", "1").args(args);
    command
}

pub(crate) fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("engines");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let path = folder.join(name);
    fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("the path is UTF-8").to_string()
}

/// An engine to talk to.
struct Session {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Session {
    fn open(args: &[&str]) -> Session {
        let mut command = engine(args);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("the engine starts");
        let input = process.stdin.take().expect("it has an input");
        let output = BufReader::new(process.stdout.take().expect("it has an output")).lines();
        Session { process, input, output }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine reads");
    }

    /// The next lines up to one that begins with this text.
    fn until(&mut self, first: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for line in self.output.by_ref() {
            lines.push(line.expect("the engine writes UTF-8"));
            if lines.last().is_some_and(|line| line.starts_with(first)) {
                return lines;
            }
        }
        panic!("the engine ended before {first}: {lines:?}");
    }

    /// Asks and returns the lines of the answer.
    fn ask(&mut self, line: &str, first: &str) -> Vec<String> {
        self.send(line);
        self.until(first)
    }

    fn best(&mut self, go: &str) -> String {
        let answer = self.ask(go, "bestmove ").pop().expect("it ends with a move");
        answer.strip_prefix("bestmove ").expect("it is a move").to_string()
    }

    /// Sends a line that must be refused, and returns the reason.
    fn refused(&mut self, line: &str) -> String {
        let answer = self.ask(&format!("{line}\nisready"), "readyok");
        let reason = answer[..answer.len() - 1].iter().map(|line| line.strip_prefix("info string ").expect(line));
        let reason = reason.collect::<Vec<_>>().join("\n");
        assert!(!reason.is_empty(), "{line} was accepted");
        reason
    }

    fn accepted(&mut self, line: &str) {
        assert_eq!(self.ask(&format!("{line}\nisready"), "readyok"), ["readyok"], "{line}");
    }

    fn query(&mut self) -> [String; 3] {
        ["p1turn", "gameover", "result"].map(|what| self.ask(&format!("query {what}"), "response ").remove(0))
    }

    fn quit(mut self) {
        self.send("quit");
        assert_eq!(self.process.wait().expect("it ends").code(), Some(0));
    }
}

/// Runs an engine on an input that ends.
fn run(args: &[&str], input: &[u8]) -> Output {
    let mut command = engine(args);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the engine starts");
    // An engine that refuses its game does not read.
    let _ = process.stdin.take().expect("it has an input").write_all(input);
    process.wait_with_output().expect("the engine ends")
}

#[test]
fn a_game_is_played_by_ugi() {
    let mut engine = Session::open(&["ugi", "games/nim.pl"]);
    let hello = engine.ask("ugi", "ugiok");
    assert!(hello[0].starts_with("id name Alphorn ") && hello[0].ends_with(" nim"), "{hello:?}");
    assert!(hello[1].starts_with("id author "));
    assert!(hello.contains(&"option name Hash type spin default 16 min 1 max 1048576".to_string()), "{hello:?}");
    assert!(hello.contains(&"option name misere type combo default no var no var yes".to_string()), "{hello:?}");
    engine.accepted("uginewgame");
    let mut moves = Vec::new();
    let result = loop {
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        let [first, over, result] = engine.query();
        let is_over = over == "response true";
        assert_eq!(is_over, result != "response none");
        if is_over {
            break result;
        }
        assert_eq!(first == "response true", moves.len() % 2 == 0);
        let answer = engine.ask("go depth 3", "bestmove ");
        let infos: Vec<&String> = answer.iter().filter(|line| line.starts_with("info depth ")).collect();
        let best = answer.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move").to_string();
        let words: Vec<&str> = infos.last().expect("a search reports").split(' ').collect();
        for word in ["depth", "score", "nodes", "time", "pv"] {
            assert!(words.contains(&word), "{words:?}");
        }
        assert!(words.contains(&best.as_str()), "{words:?} {best}");
        moves.push(best);
    };
    assert_eq!(result, if moves.len() % 2 == 1 { "response p1win" } else { "response p2win" });
    assert_eq!(engine.best("go depth 3"), "(none)");
    engine.quit();
}

#[test]
fn wrong_lines_are_refused_and_change_nothing() {
    let mut engine = Session::open(&["ugi", "games/nim.pl"]);
    engine.accepted("position fen pos(min,[1,1]) moves take(1,1)");
    for (line, said) in [
        ("position startpos moves take(1,1) take(9,9)", "move 2, take(9,9), is not legal"),
        ("position fen nothing(", "this bracket is never closed"),
        ("position fen chess(w)", "no position of the game"),
        ("position fen pos(max,[1,1]) moves take(1,1) take(2,1) take(2,1)", "the game is over"),
        ("position there", "write position startpos or position fen TEXT"),
        ("go depth many", "depth needs a whole number, not many"),
        ("go wtime 100", "go has no limit wtime"),
        ("setoption name Hash value none", "Hash is a whole number from 1 to 1048576, not none"),
        ("setoption name Hahs value 3", "there is no option Hahs; did you mean Hash?"),
        ("setoption name misere value perhaps", "misere is one of no, yes, not perhaps"),
        ("query who", "write query p1turn"),
        ("fly", "there is no command fly"),
        ("ucinewgame", "run alphorn uci"),
    ] {
        let reason = engine.refused(line);
        assert!(reason.contains(said), "{line}: {reason}");
    }
    assert_eq!(engine.query(), ["response true", "response false", "response none"]);
    assert_eq!(engine.best("go depth 2"), "take(2,1)");
    engine.quit();
}

#[test]
fn parameters_of_the_game_are_options() {
    let mut engine = Session::open(&["ugi", "games/nim.pl", "-p", "misere=yes"]);
    let hello = engine.ask("ugi", "ugiok");
    assert!(hello.contains(&"option name misere type combo default yes var no var yes".to_string()), "{hello:?}");
    engine.accepted("position fen pos(max,[1]) moves take(1,1)");
    assert_eq!(engine.query()[2], "response p2win");
    engine.accepted("setoption name MISERE value no");
    engine.accepted("position fen pos(max,[1]) moves take(1,1)");
    assert_eq!(engine.query()[2], "response p1win");
    for option in ["Hash value 1", "Threads value 2", "Algorithm value pvs", "Heuristic value false"] {
        engine.accepted(&format!("setoption name {option}"));
    }
    engine.accepted("position fen pos(max,[3,1])");
    assert_eq!(engine.best("go depth 4"), "take(1,2)");
    engine.quit();
}

#[test]
fn a_search_is_stopped_and_questions_are_answered_meanwhile() {
    let mut engine = Session::open(&["ugi", "games/checkers.pl"]);
    engine.send("go infinite");
    engine.until("info depth 1 ");
    let answer = engine.ask("isready", "readyok");
    assert!(answer.iter().all(|line| !line.starts_with("bestmove")), "{answer:?}");
    let best = engine.best("stop");
    engine.accepted(&format!("position startpos moves {best}"));
    // A solved position waits for stop too.
    engine.accepted("position startpos");
    engine.send("go infinite\nstop\nisready");
    let answer = engine.until("bestmove ");
    assert!(!answer.is_empty());
    engine.send("go infinite");
    engine.quit();
}

/// Once a depth that the limit had stopped was reported as the finished ones, with the value of a part of its moves.
#[test]
fn only_finished_depths_have_a_line() {
    let start = ["connect_four.pl", "othello.pl", "nim.pl"];
    for (game, nodes) in start.into_iter().flat_map(|game| [1, 7, 50, 300].map(|nodes| (game, nodes))) {
        let path = format!("games/{game}");
        let found = engine(&["value", &path, "--nodes", &nodes.to_string(), "--json"]).output().expect("it starts");
        let found: serde_json::Value = serde_json::from_slice(&found.stdout).expect("one object");
        let mut ugi = Session::open(&["ugi", &path]);
        let answer = ugi.ask(&format!("go nodes {nodes}"), "bestmove ");
        ugi.quit();
        let depths = answer.iter().filter_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok());
        let depths: Vec<u64> = depths.collect();
        // A value of no finished depth is that of a part of the moves.
        let finished = found["depth"].as_u64().filter(|_| found["finished"] == true);
        assert_eq!(depths.last().copied(), finished, "{game} {nodes}: {answer:?} {found}");
        assert!(depths.is_sorted_by(|one, next| one < next), "{answer:?}");
        let total = answer.iter().rev().find_map(|line| line.split_once("nodes ")?.1.split(' ').next()?.parse().ok());
        assert_eq!(total, found["nodes"].as_u64(), "{game} {nodes}: {answer:?} {found}");
    }
}

#[test]
fn the_end_of_the_input_ends_the_engine() {
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).expect("the engine writes UTF-8");
    let ended = run(&["ugi", "games/checkers.pl"], b"go infinite\n");
    assert!(ended.status.success() && text(&ended).contains("bestmove "), "{}", text(&ended));
    let ended = run(&["ugi", "games/nim.pl"], b"position fen pos(max,[2,1])\ngo depth 3");
    assert!(text(&ended).ends_with("bestmove take(1,1)\n"), "{}", text(&ended));
    let ended = run(&["ugi", "games/nim.pl"], b"quit\nugi\n");
    assert!(ended.status.success() && ended.stdout.is_empty());
}

#[test]
fn moves_are_single_words() {
    let spoken = file("spoken.pl", SPOKEN);
    let mut engine = Session::open(&["ugi", &spoken]);
    engine.accepted("position startpos moves one_step more_steps");
    engine.accepted("position startpos moves more_steps#3 more_steps#3");
    let answer = engine.ask("go depth 3", "bestmove ");
    assert_eq!(answer.last().map(String::as_str), Some("bestmove more_steps#3"), "{answer:?}");
    engine.accepted("position startpos moves more_steps#3 more_steps#3 more_steps#3");
    assert_eq!(engine.query(), ["response false", "response true", "response p1win"]);
    engine.quit();
}

#[test]
fn a_fault_of_the_rules_is_told_and_a_legal_move_is_made() {
    let faulty = file("faulty.pl", FAULTY);
    let mut engine = Session::open(&["ugi", &faulty]);
    let answer = engine.ask("go depth 9", "bestmove ");
    let told = answer.iter().find(|line| line.starts_with("info string ")).expect("the fault is told");
    assert!(told.contains("faulty.pl:5:"), "{told}");
    let best = answer.last().expect("a line");
    assert!(["bestmove step", "bestmove jump"].contains(&best.as_str()), "{best}");
    engine.accepted("position fen at(max,0) moves jump");
    assert!(engine.refused("position fen at(max,5) moves step").contains("faulty.pl:5:"));
    engine.quit();
}

#[test]
fn chess_is_played_by_uci() {
    let mut engine = Session::open(&["uci", "games/chess.pl"]);
    engine.ask("uci", "uciok");
    engine.accepted("ucinewgame");
    engine.accepted("position startpos moves e2e4 e7e5");
    let mut seen = Vec::new();
    for go in ["movetime 1", "wtime 20 btime 20", "wtime 1 btime 1 winc 0 binc 0 movestogo 1", "nodes 1", "depth 0"] {
        let best = engine.best(&format!("go {go}"));
        engine.accepted(&format!("position startpos moves e2e4 e7e5 {best}"));
        engine.accepted("position startpos moves e2e4 e7e5");
        seen.push(best);
    }
    assert!(seen.iter().all(|best| best.len() == 4), "{seen:?}");
    engine.accepted("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let answer = engine.ask("go depth 3", "bestmove ");
    assert_eq!(answer.last().map(String::as_str), Some("bestmove a1a8"));
    assert!(answer.iter().any(|line| line.contains(" score mate 1 ") && line.ends_with(" pv a1a8")), "{answer:?}");
    engine.accepted("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1 moves a1a8");
    assert_eq!(engine.best("go depth 2"), "(none)");
    assert!(engine.refused("position fen 6k1/5ppp/8/8/8/8/8 w - - 0 1").contains("cannot read the position"));
    assert!(engine.refused("position startpos moves e2e5").contains("move 1, e2e5, is not legal"));
    assert!(engine.refused("query result").contains("there is no command query"));
    engine.quit();
}

#[test]
fn uci_needs_chess_and_both_need_a_game() {
    let spoken = file("spoken_uci.pl", SPOKEN);
    for (args, said) in [
        (["uci", "games/nim.pl"], "alphorn uci needs chess"),
        (["uci", spoken.as_str()], "alphorn uci needs chess"),
        (["ugi", "nowhere.pl"], "cannot read nowhere.pl"),
        (["ugi", "lib/dice.pl"], "A0501"),
        (["ugi", "-"], "give the rules as a file"),
        (["uci", "--json"], "required"),
    ] {
        let ended = run(&args, b"uci\nugi\n");
        let told = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(said), "{args:?}: {told}");
    }
}

#[test]
fn no_input_ends_the_engine_before_its_time() {
    let long = format!("position startpos moves {}\n", "a ".repeat(1 << 19));
    let mut input =
        b"\x00\xff\xfe\nposition \xc3\x28\ngo go go\nsetoption\nsetoption name\nsetoption name value\n".to_vec();
    input.extend_from_slice(
        b"position fen (((((((\nposition fen \xf0\x9f\x98\x80\ngo depth -1\ngo nodes 0\ngo movetime -5\n",
    );
    input.extend_from_slice(long.as_bytes());
    input.extend_from_slice(b"go p1time 0 p2time 0\ngo nodes 99999999999999999999\nstop\nisready\n");
    let ended = run(&["ugi", "games/nim.pl"], &input);
    let text = String::from_utf8(ended.stdout).expect("the engine writes UTF-8");
    assert_eq!(ended.status.code(), Some(0));
    assert!(text.contains("readyok\n"), "{text}");
    assert_eq!(text.matches("bestmove take(").count(), 4, "{text}");
    assert!(text.contains("longer than 1 MiB"), "{text}");
}
