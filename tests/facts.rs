//! The shipped games have the move counts, values and distances that are known of them.
//!
//! In: `tests/data/params.tsv`, games by parameters with what must come out (a `value` there is
//! what `static_eval/2` says of the end, so where the rules declare a winner its sign counts), and
//! `tests/data/reference.tsv`, published and computed numbers in the words of their sources. A row
//! is checked, or left with a reason: no row is passed over. Where a search would take too long,
//! positions are merged by a walk that knows no search ([`Ply`], [`winner`]).

use alphorn::game::{Score, Side};
use alphorn::rules::fault::text;
use alphorn::search::Algorithm;
use alphorn::search::outcome::{Outcome, Verdict};
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
