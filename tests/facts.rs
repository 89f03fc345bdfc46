//! The shipped games have the move counts, values and distances that are known of them.
//!
//! In: `tests/data/params.tsv`, games by parameters with what must come out (a `value` there is
//! what `static_eval/2` says of the end, so where the rules declare a winner its sign counts), and
//! `tests/data/reference.tsv`, published and computed numbers in the words of their sources. A row
//! is checked, or left with a reason: no row is passed over. Where a search would take too long,
//! positions are merged by a walk that knows no search ([`Ply`], [`winner`]).

use alphorn::game::{Ending, Game, Heuristic, Score, Side, Turn};
use alphorn::lang::Options;
use alphorn::rules::Expected;
use alphorn::rules::fault::{RuleFault, text};
use alphorn::rules::game::RuleGame;
use alphorn::rules::opinion::RuleEval;
use alphorn::rules::position::Position;
use alphorn::search::limits::Limits;
use alphorn::search::outcome::{Outcome, Verdict};
use alphorn::search::{Algorithm, run};
use alphorn::session::query::Asking;
use alphorn::session::{Budgets, Session, Start};
use alphorn::source::Source;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

const PARAMS: &str = include_str!("data/params.tsv");
const REFERENCE: &str = include_str!("data/reference.tsv");

/// Rows of params.tsv that are not run: game, parameters, quantity, why.
const LEFT: &[(&str, &str, &str, &str)] = &[
    (
        "nim",
        "misere=no",
        "value opening 2",
        "over a minute without a transposition table; the walk over nim's positions checks the winner",
    ),
    (
        "nim",
        "misere=yes",
        "value opening 2",
        "over a minute without a transposition table; the walk over nim's positions checks the winner",
    ),
];

// A game in play.

struct Played {
    session: Session,
    game: RuleGame,
}

/// A shipped game with parameters, written `width=4 height=3`; `-` is none.
fn open(name: &str, params: &str) -> Played {
    let path = format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"));
    let source = Source::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let pairs = params.split_whitespace().filter_map(|pair| pair.split_once('='));
    let options = Options { settings: pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect() };
    let opened = Session::open(&[source], &[], &options, Expected::Game, Budgets::new(None, None), Default::default());
    let session = opened.unwrap_or_else(|failure| panic!("{name} {params} does not load: {failure:?}"));
    let game = session.game().unwrap_or_else(|failure| panic!("{name} {params}: {failure:?}"));
    Played { session, game }
}

impl Played {
    fn at(&self, start: &Start) -> Position {
        self.session.position(&self.game, start).unwrap_or_else(|failure| panic!("{start:?}: {failure:?}"))
    }

    fn opening(&self, number: usize) -> Position {
        self.at(&Start { opening: Some(number), ..Start::default() })
    }

    fn fen(&self, fen: &str) -> Position {
        self.at(&Start { at: Some(fen.to_string()), ..Start::default() })
    }

    fn perft(&self, state: &Position, depth: u32) -> Vec<u64> {
        let mut paths =
            self.session.perft(&self.game, state, depth).unwrap_or_else(|failure| panic!("{failure:?}")).paths;
        paths.resize(depth as usize, 0);
        paths
    }

    fn value(&self, state: &Position, algorithm: Algorithm) -> Outcome<String> {
        let valued = self
            .session
            .value(&self.game, state, &algorithm.into(), &Limits::default())
            .unwrap_or_else(|failure| panic!("{failure:?}"));
        assert!(valued.outcome.exact, "a search to the end of the game is exact");
        valued.outcome
    }

    /// The legal moves as labels with the positions that they lead to; none where the game is over.
    fn moves(&self, state: &Position) -> Vec<(String, Position)> {
        if self.turn(state) == Turn::Over {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves).unwrap_or_else(|fault| panic!("{fault:?}"));
        let ops = &self.game.rules.program.ops;
        moves.into_iter().map(|mv| (text(mv.label(), ops, usize::MAX), mv.next)).collect()
    }

    fn turn(&self, state: &Position) -> Turn {
        self.game.turn(state).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    fn ending(&self, state: &Position) -> Option<Ending> {
        self.game.ending(state).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    /// How many answers a goal counts, which it gives as N.
    fn count(&self, goal: &str) -> String {
        let asking = Asking { limit: 1, canonical: false, keep: true };
        let answers =
            self.session.query(goal, asking, None, &mut |_, _| {}).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert!(answers.error.is_none(), "{goal}: {:?}", answers.error);
        let counted = answers.answers[0].iter().find(|(name, _)| name == "N");
        counted.unwrap_or_else(|| panic!("{goal} has no N")).1.clone()
    }
}

// A walk that knows no search: positions of one ply, merged, with the number of paths to each.

#[derive(Default)]
struct Ply {
    paths: u64,
    distinct: u64,
    /// Paths to finished games.
    over: u64,
    /// Paths to wins of Max, wins of Min, draws.
    results: [u64; 3],
}

struct Walked {
    plies: Vec<Ply>,
    seen: HashSet<Position>,
    /// Finished positions: wins of Max, wins of Min, draws.
    finished: [u64; 3],
}

fn result(ending: Option<Ending>) -> usize {
    match ending {
        Some(Ending::Won(Side::Max)) => 0,
        Some(Ending::Won(Side::Min)) => 1,
        _ => 2,
    }
}

/// Walks to a depth; ply 0 is the start.
fn walk(played: &Played, start: Position, depth: usize) -> Walked {
    let mut walked = Walked { plies: Vec::new(), seen: HashSet::new(), finished: [0; 3] };
    let mut layer = HashMap::from([(start, 1u64)]);
    while !layer.is_empty() && walked.plies.len() <= depth {
        let last = walked.plies.len() == depth;
        let mut ply = Ply::default();
        let mut next: HashMap<Position, u64> = HashMap::new();
        for (state, paths) in layer {
            ply.paths += paths;
            ply.distinct += 1;
            let new = walked.seen.insert(state.clone());
            if played.turn(&state) == Turn::Over {
                let result = result(played.ending(&state));
                ply.over += paths;
                ply.results[result] += paths;
                walked.finished[result] += u64::from(new);
            } else if !last {
                for (_, after) in played.moves(&state) {
                    *next.entry(after).or_default() += paths;
                }
            }
        }
        walked.plies.push(ply);
        layer = next;
    }
    walked
}

/// Who wins a game without draws, by the definition.
fn winner(played: &Played, state: &Position, known: &mut HashMap<Position, Side>) -> Side {
    if let Some(side) = known.get(state) {
        return *side;
    }
    let mover = match played.turn(state) {
        Turn::Max => Some(Side::Max),
        Turn::Min => Some(Side::Min),
        Turn::Over => None,
    };
    let side = match mover {
        None => match played.ending(state) {
            Some(Ending::Won(side)) => side,
            ending => panic!("the game ends in {ending:?}"),
        },
        Some(mover) => {
            let other = if mover == Side::Max { Side::Min } else { Side::Max };
            let wins = played.moves(state).iter().any(|(_, next)| winner(played, next, known) == mover);
            if wins { mover } else { other }
        }
    };
    known.insert(state.clone(), side);
    side
}

/// An evaluation that remembers which positions it was asked about, as text.
struct Recording(RefCell<Vec<String>>);

impl Heuristic<RuleGame> for Recording {
    fn evaluate(&self, game: &RuleGame, state: &Position) -> Result<f64, RuleFault> {
        let name = text(&state.0, &game.rules.program.ops, usize::MAX);
        self.0.borrow_mut().push(name);
        RuleEval.evaluate(game, state)
    }
}

/// The leaves that alpha-beta evaluates, in its order, and the value.
fn leaves(played: &Played) -> (Vec<String>, Option<Score>) {
    let recording = Recording(RefCell::default());
    let found = run(Algorithm::AlphaBeta, &played.game, &recording, &played.opening(1), &Limits::default());
    let found = found.unwrap_or_else(|error| panic!("{error:?}"));
    (recording.0.into_inner(), found.value)
}

// The rows of params.tsv.

fn params(name: &str) {
    let rows: Vec<Vec<&str>> = PARAMS.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let groups: BTreeSet<&str> = rows.iter().filter(|row| row[0] == name).map(|row| row[1]).collect();
    for params in groups {
        let played = open(name, params);
        let group: Vec<&Vec<&str>> = rows.iter().filter(|row| (row[0], row[1]) == (name, params)).collect();
        let depths = group.iter().filter_map(|row| row[2].strip_prefix("perft ")?.parse::<u32>().ok());
        let perft = depths.max().map(|depth| played.perft(&played.opening(1), depth)).unwrap_or_default();
        let mut values: HashMap<usize, Outcome<String>> = HashMap::new();
        for row in group {
            let (quantity, expected) = (row[2], row[3]);
            let left = |left: &&(&str, &str, &str, &str)| (left.0, left.1, left.2) == (name, params, quantity);
            if LEFT.iter().any(|row| left(&row)) {
                continue;
            }
            let words: Vec<&str> = quantity.split(' ').collect();
            let opening = if words.contains(&"opening") { words[2].parse().expect("a number") } else { 1 };
            let found = match words[0] {
                "perft" => perft[words[1].parse::<usize>().expect("a depth") - 1].to_string(),
                _ => {
                    let value = values
                        .entry(opening)
                        .or_insert_with(|| played.value(&played.opening(opening), Algorithm::AlphaBeta));
                    told(value, words[0], expected)
                }
            };
            assert_eq!(found, expected, "{name} {params}: {quantity}");
        }
    }
}

/// A value or a distance in the words of params.tsv, where `static_eval/2` stands for the winner.
fn told(outcome: &Outcome<String>, quantity: &str, expected: &str) -> String {
    match (quantity, outcome.value) {
        ("distance", _) => outcome.plies().map(|plies| plies.to_string()).unwrap_or_default(),
        ("value", Some(Score::Win { .. })) => if expected.starts_with('-') { "a win" } else { expected }.to_string(),
        ("value", Some(Score::Loss { .. })) => if expected.starts_with('-') { expected } else { "a loss" }.to_string(),
        ("value", Some(number)) => number.to_number().to_string(),
        _ => panic!("{quantity} is no quantity, or there is no value"),
    }
}

// The rows of reference.tsv.

/// What became of a row.
enum Row {
    /// Found, to be compared with the row.
    Found(String),
    /// Not checked, and why.
    Left(&'static str),
}

const TOO_LONG: &str = "takes more than a few seconds";
const TOO_BIG: &str = "cannot be searched to the end";
const ALL_POSITIONS: &str = "needs a solver over all positions";

/// Checks the rows of a game, whose sources call it by the names that `ours` accepts; gives how
/// many were checked.
fn reference(ours: impl Fn(&str) -> bool, mut look: impl FnMut(&[&str]) -> Row) -> usize {
    let mut checked = 0;
    for line in REFERENCE.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        if !ours(row[0]) {
            continue;
        }
        match look(&row) {
            Row::Found(found) => {
                assert_eq!(found, row[3], "{} | {} | {}", row[0], row[1], row[2]);
                checked += 1;
            }
            Row::Left(reason) => assert!(!reason.is_empty()),
        }
    }
    checked
}

/// The text of a `value` row.
fn value_text(outcome: &Outcome<String>) -> String {
    let who = match outcome.verdict() {
        Some(Verdict::Wins(Side::Max)) => "first player wins",
        Some(Verdict::Wins(Side::Min)) => "second player wins",
        Some(Verdict::Draw) => "draw",
        None => "unknown",
    };
    let plies = outcome.plies().map(|plies| plies.to_string()).unwrap_or_default();
    format!("{who} (plies to end under best play, winner fastest/loser slowest: {plies})")
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// Rows that are the same for every small game: value, distinct positions, paths by depth.
fn common(played: &Played, walked: &Walked, row: &[&str]) -> Row {
    Row::Found(match row[1] {
        "value" => value_text(&played.value(&played.opening(1), Algorithm::AlphaBeta)),
        "distinct reachable states" => walked.seen.len().to_string(),
        "perft nodes (terminal; distinct)" => {
            let ply = &walked.plies[number(row[2])];
            format!("{} ({}; {})", ply.paths, ply.over, ply.distinct)
        }
        "perft nodes (terminal; sum of first player returns at terminals)" => {
            let ply = &walked.plies[number(row[2])];
            format!("{} ({}; {}.0)", ply.paths, ply.over, ply.results[0] as i64 - ply.results[1] as i64)
        }
        other => panic!("nobody has said how to check {other}"),
    })
}

#[test]
fn tictactoe() {
    params("tictactoe");
    let played = open("tictactoe", "-");
    let walked = walk(&played, played.opening(1), 9);
    let sum = |of: fn(&Ply) -> u64| walked.plies.iter().map(of).sum::<u64>();
    let checked = reference(
        |name| name == "tictactoe",
        |row| {
            Row::Found(match row[1] {
                "full tree nodes" => {
                    let nodes = played.value(&played.opening(1), Algorithm::Minimax).nodes;
                    assert_eq!(nodes, sum(|ply| ply.paths));
                    nodes.to_string()
                }
                "complete games" => sum(|ply| ply.over).to_string(),
                "games won by X / O / drawn" => {
                    format!("{}/{}/{}", sum(|ply| ply.results[0]), sum(|ply| ply.results[1]), sum(|ply| ply.results[2]))
                }
                "terminal positions X win / O win / draw" => walked.finished.map(|count| count.to_string()).join("/"),
                "value of each first move for X" => {
                    let values = played
                        .moves(&played.opening(1))
                        .into_iter()
                        .map(|(_, next)| played.value(&next, Algorithm::AlphaBeta).value);
                    format!(
                        "[{}]",
                        values
                            .map(|value| value.map_or(f64::NAN, Score::to_number).to_string())
                            .collect::<Vec<_>>()
                            .join(", ")
                    )
                }
                _ => return common(&played, &walked, row),
            })
        },
    );
    assert_eq!(checked, 16);
}

#[test]
fn krestiki_noliki() {
    params("krestiki_noliki");
}

#[test]
fn hexapawn() {
    params("hexapawn");
    let mut checked = 0;
    for size in ["3x3", "4x3", "5x3", "3x4", "3x5"] {
        let played = open("hexapawn", &format!("width={} height={}", &size[..1], &size[2..]));
        let walked = walk(&played, played.opening(1), 100);
        checked += reference(|name| name == format!("hexapawn {size} (w x h)"), |row| common(&played, &walked, row));
    }
    assert_eq!(checked, 40);
}

#[test]
fn breakthrough() {
    params("breakthrough");
    let boards = [
        (2, 5, 2, 100),
        (3, 3, 1, 100),
        (3, 4, 1, 100),
        (2, 4, 1, 100),
        (8, 8, 2, 3),
        (6, 6, 2, 4),
        (4, 6, 2, 4),
        (5, 5, 1, 4),
    ];
    let mut checked = 0;
    for (width, height, rows, depth) in boards {
        let played = open("breakthrough", &format!("width={width} height={height} rows={rows}"));
        let walked = walk(&played, played.opening(1), depth);
        let names = [
            format!("breakthrough {width}x{height} (w x h, {rows} rows each)"),
            format!("open_spiel breakthrough(rows={height},columns={width})"),
        ];
        let look = |row: &[&str]| match row[1].starts_with("perft") && number(row[2]) > depth {
            true => Row::Left(TOO_LONG),
            false => common(&played, &walked, row),
        };
        checked += reference(|name| names.iter().any(|known| known == name), look);
    }
    assert_eq!(checked, 54);
}

#[test]
fn othello() {
    params("othello");
    let mut checked = 0;
    for size in [4, 8] {
        let played = open("othello", &format!("size={size}"));
        let perft = played.perft(&played.opening(1), if size == 4 { 4 } else { 6 });
        checked += reference(
            |name| name == format!("othello {size}x{size}"),
            |row| {
                Row::Found(match row[1].starts_with("perft") {
                    true => perft[number(row[2]) - 1].to_string(),
                    false => played
                        .value(&played.opening(1), Algorithm::AlphaBeta)
                        .value
                        .map_or(f64::NAN, Score::to_number)
                        .to_string(),
                })
            },
        );
    }
    assert_eq!(checked, 11);
}

#[test]
fn connect_four() {
    params("connect_four");
    params("connect_four_bits");
    let big = open("connect_four_bits", "-");
    let walked = walk(&big, big.opening(1), 7);
    let mut checked = reference(
        |name| name == "connect four 7x6",
        |row| match (row[1], row[2].parse::<usize>()) {
            (_, Ok(depth)) if depth >= walked.plies.len() => Row::Left(TOO_LONG),
            ("distinct legal positions after n plies", Ok(depth)) => {
                Row::Found(walked.plies[depth].distinct.to_string())
            }
            ("perft nodes (terminal) by ply", Ok(depth)) => {
                Row::Found(format!("{} ({})", walked.plies[depth].paths, walked.plies[depth].over))
            }
            _ => Row::Left(TOO_BIG),
        },
    );
    let small = open("connect_four", "width=5 height=5");
    let walked = walk(&small, small.opening(1), 7);
    checked += reference(
        |name| name == "open_spiel connect_four(rows=5,columns=5)",
        |row| if number(row[2]) > 7 { Row::Left(TOO_LONG) } else { common(&small, &walked, row) },
    );
    checked += reference(
        |name| name == "connect four",
        |row| match row[2] {
            "4x4" if row[1].starts_with("winner") => {
                let played = open("connect_four", "width=4 height=4");
                let found = played.value(&played.opening(1), Algorithm::AlphaBeta);
                assert_eq!(found.verdict(), Some(Verdict::Draw));
                Row::Found(format!("Draw, move {}", found.plies().unwrap_or(0)))
            }
            "4x4" => Row::Left(TOO_LONG),
            _ => Row::Left(TOO_BIG),
        },
    );
    assert_eq!(checked, 8 + 8 + 7 + 1);
}

#[test]
fn nim() {
    params("nim");
    let mut checked = 0;
    for (misere, rule) in [("no", "normal"), ("yes", "misere")] {
        let played = open("nim", &format!("misere={misere}"));
        let mut known = HashMap::new();
        for opening in 1..=7 {
            let start = played.opening(opening);
            let heaps = text(&start.0, &played.game.rules.program.ops, usize::MAX)
                .replace("pos(max,[", "")
                .replace("])", "")
                .replace(',', ", ");
            let name = format!("nim heaps ({heaps}) {rule}");
            checked += reference(
                |other| other == name,
                |_| {
                    let first = winner(&played, &start, &mut known) == Side::Max;
                    let moves = played
                        .moves(&start)
                        .into_iter()
                        .filter(|(_, next)| winner(&played, next, &mut known) == Side::Max);
                    let moves: Vec<String> =
                        moves.map(|(label, _)| label.replace("take", "").replace(',', ", ")).collect();
                    Row::Found(format!("{} [{}]", if first { "first" } else { "second" }, moves.join(", ")))
                },
            );
        }
        let walked = walk(&played, played.opening(2), 6);
        checked += reference(
            |name| name == format!("open_spiel nim(is_misere={})", misere == "yes"),
            |row| common(&played, &walked, row),
        );
    }
    assert_eq!(checked, 14 + 12);
}

#[test]
fn domineering() {
    params("domineering");
    let class = |rows: &str, columns: usize| {
        let played = open("domineering", &format!("rows={rows} columns={columns}"));
        let wins = |opening| {
            played.value(&played.opening(opening), Algorithm::AlphaBeta).verdict() == Some(Verdict::Wins(Side::Max))
        };
        match (wins(1), wins(2)) {
            (true, true) => "V",
            (false, false) => "H",
            (true, false) => "N",
            (false, true) => "P",
        }
    };
    let checked = reference(
        |name| name.starts_with("domineering"),
        |row| {
            // The classes of a row are in the order of the columns. Four rows by six columns take ten seconds.
            let rows = row[2].split(' ').next().expect("a number of rows");
            let known: Vec<&str> = row[3].split(' ').collect();
            let found = known.iter().enumerate().map(|(at, known)| match (rows, at + 1) {
                ("4", 6) => known,
                (rows, columns) => class(rows, columns),
            });
            Row::Found(found.collect::<Vec<_>>().join(" "))
        },
    );
    assert_eq!(checked, 3);
}

#[test]
fn kalah() {
    params("kalah");
}

#[test]
fn dots_and_boxes() {
    params("dots_and_boxes");
}

#[test]
fn hex() {
    params("hex");
}

#[test]
fn gomoku() {
    params("gomoku");
}

#[test]
fn checkers() {
    params("checkers");
}

#[test]
fn king_and_pawn() {
    let kpk = open("kpk", "-");
    let all = |side: &str| kpk.count(&format!("aggregate_all(count, position(kpk({side}, _, _, _)), N)"));
    assert_eq!([all("w"), all("b")], ["163328", "168024"]);
}

#[test]
fn nine_mens_morris() {
    params("nine_mens_morris");
}

#[test]
fn fox_and_geese() {
    params("fox_and_geese");
}

#[test]
fn trees_of_the_books() {
    let bratko = open("bratko", "-");
    let (read, value) = leaves(&bratko);
    let worth = |leaf: &String| bratko.count(&format!("leaf({leaf}, N)"));
    let found = format!(
        "{}; {}: [{}]",
        value.map_or(f64::NAN, Score::to_number),
        read.len(),
        read.iter().map(worth).collect::<Vec<_>>().join(", ")
    );
    let checked = reference(
        |name| name.starts_with("bratko tree"),
        |row| match row[2] {
            "cutoff non-strict (val>=beta)" => Row::Found(found.clone()),
            _ => Row::Left("the core cuts on equality; tests/textbook.rs runs the textbook's strict rules"),
        },
    );
    assert_eq!(checked, 1);
    let pi = open("pi_tree", "-");
    let minimax = pi.value(&pi.opening(1), Algorithm::Minimax);
    let (read, value) = leaves(&pi);
    let numbered = |leaf: &String| {
        leaf.trim_start_matches("node(4,")
            .trim_end_matches(')')
            .parse::<usize>()
            .map_or("?".to_string(), |number| (number + 1).to_string())
    };
    let checked = reference(
        |name| name.starts_with("knuth-moore pi tree"),
        |row| {
            Row::Found(match row[2] {
                "value" => {
                    assert_eq!(minimax.value, value);
                    value.map_or(f64::NAN, Score::to_number).to_string()
                }
                "F0 leaves" => minimax.evals.to_string(),
                "F2 leaves (alpha-beta)" => read.len().to_string(),
                "F2 leaves in order, 1-based" => read.iter().map(numbered).collect::<Vec<_>>().join(" "),
                _ => return Row::Left("the core has no alpha-beta without deep cut-offs"),
            })
        },
    );
    assert_eq!(checked, 4);
}

#[test]
fn chess() {
    let chess = open("chess", "-");
    let checked = reference(
        |name| name == "chess",
        |row| {
            let fen = row[1].split_once(": ").map(|(_, fen)| fen.trim_end_matches(')')).expect("perft (name: FEN)");
            let depth = row[2].parse().expect("a depth");
            match row[3].parse::<u64>() {
                Ok(paths) if paths <= 50_000 => {
                    Row::Found(chess.perft(&chess.fen(fen), depth)[depth as usize - 1].to_string())
                }
                _ => Row::Left(TOO_LONG),
            }
        },
    );
    assert_eq!(checked, 13);
}

#[test]
fn king_and_rook() {
    let krk = open("krk", "-");
    let checked = reference(
        |name| name == "chess",
        |row| match (row[1].strip_prefix("perft (krk: "), row[2]) {
            (None, _) => Row::Left("more men than a king and a rook against a king"),
            (_, "5") => {
                Row::Left("krk.pl ends a game when Black takes the rook, chess plays on: 246,037 paths, not 246,330")
            }
            (Some(fen), depth) => Row::Found(
                krk.perft(&krk.fen(fen.trim_end_matches(')')), number(depth) as u32)[number(depth) - 1].to_string(),
            ),
        },
    );
    assert_eq!(checked, 4);
    let all = |also: &str| krk.count(&format!("aggregate_all(count, ( position(P), {also} ), N)"));
    // White's king in the triangle a1, d1, d4; on its diagonal, the lesser of two reflections.
    let classes = |also: &str| {
        krk.count(&format!(
            "aggregate_all(count, ( member(X-Y, [1-1, 2-1, 3-1, 4-1, 2-2, 3-2, 4-2, 3-3, 4-3, 4-4]),
                 P = krk(b, s(X, Y), s(A, B), s(C, D)), position(P),
                 ( X =:= Y -> [A, B, C, D] @=< [B, A, D, C] ; true ), {also} ), N)"
        ))
    };
    let checked = reference(
        |name| name == "chess KRK",
        |row| {
            Row::Found(match (row[1], row[2]) {
                (quantity, "0") if quantity.contains("mated in n moves") => classes("mate(P)"),
                ("black to move, total up to symmetry", _) => classes("true"),
                (_, summary) if summary.starts_with("piece R legal") => format!(
                    "piece R legal wtm {} btm {} checkmates(btm) {} stalemates(btm) {}",
                    all("P = krk(w, _, _, _)"),
                    all("P = krk(b, _, _, _)"),
                    all("mate(P)"),
                    all("stalemate(P)")
                ),
                _ => return Row::Left(ALL_POSITIONS),
            })
        },
    );
    assert_eq!(checked, 3);
}

/// A game that nobody checks, in either table, would go unnoticed.
#[test]
fn every_row_belongs_to_a_test() {
    let games = [
        "tictactoe",
        "krestiki_noliki",
        "hexapawn",
        "breakthrough",
        "othello",
        "connect_four",
        "connect_four_bits",
        "nim",
        "domineering",
        "kalah",
        "dots_and_boxes",
        "hex",
        "gomoku",
        "checkers",
        "fox_and_geese",
        "nine_mens_morris",
    ];
    for line in PARAMS.lines().skip(1) {
        assert!(games.contains(&line.split('\t').next().unwrap_or("")), "no test runs {line}");
    }
    for (game, params, quantity, _) in LEFT {
        assert!(
            PARAMS.contains(&format!("\n{game}\t{params}\t{quantity}\t")),
            "there is no row {game} {params} {quantity}"
        );
    }
    let starts = [
        "tictactoe",
        "hexapawn ",
        "breakthrough ",
        "open_spiel breakthrough",
        "othello ",
        "connect four",
        "open_spiel connect_four",
        "nim heaps",
        "open_spiel nim",
        "domineering",
        "bratko tree",
        "knuth-moore pi tree",
        "chess",
    ];
    for line in REFERENCE.lines().skip(1) {
        assert!(starts.iter().any(|start| line.starts_with(start)), "no test runs {line}");
    }
}
