//! The shipped games have the move counts, values and distances that are known of them.
//!
//! In: `tests/data/params.tsv`, games by parameters with what must come out (a `value` there is
//! what `static_eval/2` says of the end, so where the rules declare a winner its sign counts), and
//! `tests/data/reference.tsv`, published and computed numbers in the words of their sources. A row
//! is checked, or left with a reason: no row is passed over. Where a search would take too long,
//! the position is solved, or positions are merged by a walk that knows no search ([`Ply`],
//! [`winner`]).

use alphorn::game::{Score, Side};
use alphorn::rules::fault::text;
use alphorn::search::Algorithm;
use alphorn::search::outcome::{Outcome, Verdict};
use alphorn::session::Start;
use alphorn::session::solve::outcome;
use alphorn::solve::Method;
use played::{Played, Walked, leaves, open, walk, winner};
use std::collections::{BTreeSet, HashMap};

#[path = "facts/boards.rs"]
mod boards;
#[path = "facts/chess.rs"]
mod chess;
#[path = "facts/played.rs"]
mod played;

const PARAMS: &str = include_str!("data/params.tsv");
const REFERENCE: &str = include_str!("data/reference.tsv");

/// Rows of params.tsv with values that are not searched but solved, both ways, since a search
/// without a table takes too long: game, parameters, quantity.
const SOLVED: &[(&str, &str, &str)] = &[
    ("nim", "misere=no", "value opening 2"),
    ("nim", "misere=yes", "value opening 2"),
    ("dots_and_boxes", "columns=3 rows=2", "value"),
    ("dots_and_boxes", "columns=2 rows=3", "value"),
];

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
            let words: Vec<&str> = quantity.split(' ').collect();
            let opening = if words.contains(&"opening") { words[2].parse().expect("a number") } else { 1 };
            if SOLVED.contains(&(name, params, quantity)) {
                for method in [Method::Retrograde, Method::AlphaBeta] {
                    let start = Start { opening: Some(opening), ..Start::default() };
                    let solved = played.solved(&start, method, false);
                    let found = told(solved.score, solved.plies, words[0], expected);
                    assert_eq!(found, expected, "{name} {params}: {quantity} by {method}");
                }
                continue;
            }
            let found = match words[0] {
                "perft" => perft[words[1].parse::<usize>().expect("a depth") - 1].to_string(),
                _ => {
                    let value = values
                        .entry(opening)
                        .or_insert_with(|| played.value(&played.opening(opening), Algorithm::AlphaBeta));
                    told(value.value, value.plies(), words[0], expected)
                }
            };
            assert_eq!(found, expected, "{name} {params}: {quantity}");
        }
    }
}

/// A value or a distance in the words of params.tsv, where `static_eval/2` stands for the winner.
fn told(value: Option<Score>, plies: Option<u32>, quantity: &str, expected: &str) -> String {
    match (quantity, value) {
        ("distance", _) => plies.map(|plies| plies.to_string()).unwrap_or_default(),
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
const ALL_POSITIONS: &str = "tests/solve/shipped.rs solves all positions and finds it";

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
            let start = Start { opening: Some(opening), ..Start::default() };
            played.solved(&start, Method::AlphaBeta, false).score.and_then(outcome) == Some(Side::Max)
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
            // The classes of a row are in the order of the columns.
            let rows = row[2].split(' ').next().expect("a number of rows");
            let found = (1..=row[3].split(' ').count()).map(|columns| class(rows, columns));
            Row::Found(found.collect::<Vec<_>>().join(" "))
        },
    );
    assert_eq!(checked, 3);
}

#[test]
fn kalah() {
    params("kalah");
    let checked = reference(
        |name| name.starts_with("kalah("),
        |row| {
            let digits: Vec<char> = row[0].chars().filter(char::is_ascii_digit).collect();
            let capture = if row[0].contains("even if opposite empty") { "always" } else { "nonempty" };
            let played = open("kalah", &format!("houses={} seeds={} capture={capture}", digits[0], digits[1]));
            Row::Found(number_of(&played, Method::AlphaBeta))
        },
    );
    assert_eq!(checked, 22);
}

/// The value of the first opening of a game that ends in numbers.
fn number_of(played: &Played, method: Method) -> String {
    let score = played.solved(&Start::default(), method, false).score;
    score.map_or(f64::NAN, Score::to_number).to_string()
}

#[test]
fn dots_and_boxes() {
    params("dots_and_boxes");
    let mut checked = 0;
    for (rows, columns) in [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 2)] {
        let played = open("dots_and_boxes", &format!("rows={rows} columns={columns}"));
        checked += reference(
            |name| name == format!("dots-and-boxes {rows}x{columns} boxes"),
            |_| {
                let [found, again] = [Method::Retrograde, Method::AlphaBeta].map(|method| number_of(&played, method));
                assert_eq!(found, again, "{rows}x{columns} boxes");
                Row::Found(found)
            },
        );
        let walked = walk(&played, played.opening(1), if rows == 2 { 5 } else { 7 });
        let names = [
            format!("open_spiel dots_and_boxes(num_rows={rows},num_cols={columns})"),
            if rows == 2 { "open_spiel dots_and_boxes".to_string() } else { String::new() },
        ];
        checked += reference(
            |name| names.iter().any(|known| known == name),
            |row| match walked.plies.get(number(row[2])) {
                Some(_) => common(&played, &walked, row),
                None => Row::Left("a row of params.tsv"),
            },
        );
    }
    assert_eq!(checked, 6 + 4 + 7 + 5);
}

#[test]
fn hex() {
    params("hex");
    let mut checked = 0;
    for size in 1..=3usize {
        let played = open("hex", &format!("size={size}"));
        let result = |column: usize, row: usize| {
            let cell = format!("{}{row}", ["a", "b", "c"][column]);
            let [found, again] =
                [Method::Retrograde, Method::AlphaBeta].map(|method| played.winner_after(&cell, method));
            assert_eq!(found, again, "hex of {size} after {cell}");
            if found == Some(Side::Max) { 'W' } else { 'L' }
        };
        let rows: Vec<String> = (1..=size).map(|row| (0..size).map(|column| result(column, row)).collect()).collect();
        checked += reference(
            |name| name == format!("hex {size}x{size}"),
            |row| {
                let all = rows.join(" ");
                Row::Found(if row[1].starts_with("number") { all.matches('W').count().to_string() } else { all })
            },
        );
    }
    for (size, depth) in [(3, 8), (5, 3)] {
        let played = open("hex", &format!("size={size}"));
        let walked = walk(&played, played.opening(1), depth);
        checked += reference(
            |name| name == format!("open_spiel hex(board_size={size})"),
            |row| match walked.plies.get(number(row[2])) {
                Some(_) => common(&played, &walked, row),
                None => Row::Left("a row of params.tsv"),
            },
        );
    }
    assert_eq!(checked, 6 + 8 + 3);
}

#[test]
fn gomoku() {
    params("gomoku");
    let mut checked = 0;
    for (size, params) in [("2,2,2", "width=2 height=2 row=2"), ("3,2,2", "width=3 height=2 row=2")] {
        let played = open("gomoku", params);
        let walked = walk(&played, played.opening(1), 6);
        checked += reference(
            |name| name == format!("mnk({size})"),
            |row| match walked.plies.get(row[2].parse().unwrap_or(0)) {
                Some(_) => common(&played, &walked, row),
                None => Row::Found("0 (0; 0)".to_string()),
            },
        );
    }
    for row in [3, 4] {
        let played = open("gomoku", &format!("width=4 height=4 row={row}"));
        checked += reference(
            |name| name == format!("mnk(4,4,{row})"),
            |_| {
                let found = played.solved(&Start::default(), Method::AlphaBeta, false);
                Row::Found(match found.score.and_then(outcome) {
                    Some(Side::Max) => "first player wins".to_string(),
                    Some(Side::Min) => "second player wins".to_string(),
                    None => "draw".to_string(),
                })
            },
        );
    }
    let played = open("gomoku", "-");
    let walked = walk(&played, played.opening(1), 1);
    checked += reference(
        |name| name == "open_spiel gomoku",
        |row| match number(row[2]) {
            1 => common(&played, &walked, row),
            _ => Row::Left("gomoku.pl expects it of itself"),
        },
    );
    assert_eq!(checked, 6 + 8 + 2 + 1);
}

#[test]
fn checkers() {
    params("checkers");
    let played = open("checkers", "-");
    let perft = played.perft(&played.opening(1), 6);
    let checked =
        reference(|name| name == "english draughts 8x8", |row| Row::Found(perft[number(row[2]) - 1].to_string()));
    assert_eq!(checked, 6);
}

#[test]
fn king_and_pawn() {
    let kpk = open("kpk", "-");
    let all = |side: &str| kpk.count(&format!("aggregate_all(count, position(kpk({side}, _, _, _)), N)"));
    assert_eq!([all("w"), all("b")], ["163328", "168024"]);
    let checked = reference(
        |name| name == "chess KPK",
        |_| {
            let [white, black] = kpk.solved(&Start::default(), Method::Retrograde, true).all.expect("asked for all");
            assert_eq!((white.min, black.min), (0, 0), "Black never wins");
            Row::Found(format!(
                "wtm legal {} win {} draw {} ; btm legal {} white-wins {} draw {} ; total legal {} win {}",
                white.positions,
                white.max,
                white.draw,
                black.positions,
                black.max,
                black.draw,
                white.positions + black.positions,
                white.max + black.max
            ))
        },
    );
    assert_eq!(checked, 1);
}

#[test]
fn nine_mens_morris() {
    params("nine_mens_morris");
}

#[test]
fn fox_and_geese() {
    params("fox_and_geese");
    let mut checked = 0;
    for (size, fox, at) in [(4, "b", "(1,3)"), (4, "d", "(3,3)"), (8, "d", "(3,7)")] {
        let played = open("fox_and_geese", &format!("size={size} fox={fox}"));
        let walked = walk(&played, played.opening(1), 4);
        let board = format!("fox and geese {size}x{size} ");
        checked += reference(
            |name| name.starts_with(&board) && name.contains(&format!("fox {at} moves first")),
            |row| match row[1] {
                "value" => {
                    let found = played.solved(&Start::default(), Method::Retrograde, false);
                    assert_eq!(found.score.and_then(outcome), Some(Side::Min));
                    Row::Found(format!("second player wins in {} plies", found.plies.unwrap_or(0)))
                }
                quantity if quantity.starts_with("reachable states") => {
                    Row::Found(played.census().map(|count| count.to_string()).join("/"))
                }
                _ => common(&played, &walked, row),
            },
        );
    }
    assert_eq!(checked, 6 + 6 + 5);
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
    for (game, params, quantity) in SOLVED {
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
        "mnk(",
        "open_spiel gomoku",
        "hex ",
        "open_spiel hex",
        "fox and geese ",
        "dots-and-boxes ",
        "open_spiel dots_and_boxes",
        "kalah(",
        "english draughts",
    ];
    for line in REFERENCE.lines().skip(1) {
        assert!(starts.iter().any(|start| line.starts_with(start)), "no test runs {line}");
    }
}
