//! Tests games in which pieces are placed and then never move.

use super::played::{open, walk};
use super::{Row, common, number, number_of, params, reference};
use alphorn::game::Side;
use alphorn::session::GameStart;
use alphorn::session::solve::score_winner;
use alphorn::solve::Method;

#[test]
fn domineering() {
    params("domineering");
    let class = |rows: &str, columns: usize| {
        let played = open("domineering", &format!("rows={rows} columns={columns}"));
        let wins = |opening| {
            let start = GameStart { opening: Some(opening), ..GameStart::default() };
            played.solved(&start, Method::AlphaBeta, false).score.and_then(score_winner) == Some(Side::Max)
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
                let found = played.solved(&GameStart::default(), Method::AlphaBeta, false);
                Row::Found(match found.score.and_then(score_winner) {
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
