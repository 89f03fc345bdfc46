//! Tests small board games: whole trees, counted and solved.

use super::played::{Ply, open, walk};
use super::{Row, TOO_BIG, TOO_LONG, common, number, params, reference};
use alphorn::game::Score;
use alphorn::search::Algorithm;
use alphorn::search::result::Verdict;
use alphorn::session::GameStart;
use alphorn::solve::Method;

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
            "4x4" => Row::Found(
                open("connect_four", "width=4 height=4")
                    .solved(&GameStart::default(), Method::Retrograde, false)
                    .positions
                    .to_string(),
            ),
            "4x5" => {
                let played = open("connect_four", "width=4 height=5");
                let found = played.solved(&GameStart::default(), Method::AlphaBeta, false);
                assert_eq!(found.score, Some(Score::Value(0.0)));
                Row::Found(format!("Draw, move {}", found.plies.unwrap_or(0)))
            }
            size => {
                let (width, height) = size.split_once('x').expect("width x height");
                Row::Left(match number(width).max(number(height)) {
                    11.. => "connect_four.pl has ten columns and rows at most",
                    _ => TOO_LONG,
                })
            }
        },
    );
    assert_eq!(checked, 8 + 8 + 7 + 3);
}
