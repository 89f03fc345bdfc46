//! Tests that the shipped games have their known move counts, values and distances.
//!
//! `tests/data/params.tsv` contains games with parameters and the expected results. Its `value` is that of
//! `static_eval/2` at the end, so only its sign counts if the rules declare a winner.
//! `tests/data/reference.tsv` contains published and computed numbers in the words of their sources. Each row
//! is checked, or listed with the reason why not. If a search would take too long, the position is solved, or
//! a walk without a search merges equal positions ([`played`]).

use alphorn::game::{Score, Side};
use alphorn::search::Algorithm;
use alphorn::search::result::{SearchResult, Verdict};
use alphorn::session::GameStart;
use alphorn::solve::Method;
use played::{Played, Walked, open};
use std::collections::{BTreeSet, HashMap};

mod boards;
mod books;
mod chess;
mod heaps;
mod men;
mod placing;
mod played;

const PARAMS: &str = include_str!("../data/params.tsv");
const REFERENCE: &str = include_str!("../data/reference.tsv");

/// Rows of params.tsv whose values come from solving, by two methods, because a search without a table takes
/// too long: game, parameters, quantity.
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
        let mut values: HashMap<usize, SearchResult<String>> = HashMap::new();
        for row in group {
            let (quantity, expected) = (row[2], row[3]);
            let words: Vec<&str> = quantity.split(' ').collect();
            let opening = if words.contains(&"opening") { words[2].parse().expect("a number") } else { 1 };
            if SOLVED.contains(&(name, params, quantity)) {
                for method in [Method::Retrograde, Method::AlphaBeta] {
                    let start = GameStart { opening: Some(opening), ..GameStart::default() };
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

/// A value or a distance in the words of params.tsv, in which the value of `static_eval/2` stands for the
/// winner.
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

/// The treatment of a row.
enum Row {
    /// The row is checked: the value found.
    Found(String),
    /// The row is not checked, with the reason.
    Left(&'static str),
}

const TOO_LONG: &str = "takes more than a few seconds";
const TOO_BIG: &str = "cannot be searched to the end";
const ALL_POSITIONS: &str = "tests/solve/shipped.rs solves all positions and finds it";

/// Checks the rows of a game. `ours` accepts the names by which the sources call the game. Returns the number
/// of checked rows.
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
fn value_text(outcome: &SearchResult<String>) -> String {
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

/// The checks that all small games share: value, different positions, lines by depth.
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

/// The value of the first opening of a game that ends with a number.
fn number_of(played: &Played, method: Method) -> String {
    let score = played.solved(&GameStart::default(), method, false).score;
    score.map_or(f64::NAN, Score::to_number).to_string()
}

/// Every game in the tables belongs to a test; otherwise its rows would be unchecked.
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
