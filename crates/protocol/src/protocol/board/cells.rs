//! Finds a grid in the term of a position: a list of rows, a flat list or structure of cells, or facts such as
//! `cell(X, Y, Piece)`.

use super::pieces::{EMPTY_NAMES, PieceSet};
use super::{Board, BoardPiece, BoardSource, TextGrid};
use crate::protocol::term::term;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::{GameStart, Session};
use serde_json::Value;
use std::cell::LazyCell;

/// The most cells in a row or column.
const LONGEST: usize = 40;

/// Names of parameters for the number of cells in a row.
const WIDTHS: &[&str] = &["width", "columns", "cols", "size", "side", "n", "w", "board_size"];

/// The board in a position; `None` if its term holds no grid.
pub(super) fn board(session: &Session, state: &Position) -> Option<Board> {
    let value = term(&state.0, || session.term(state));
    let widths: Vec<usize> = session
        .params()
        .iter()
        .filter(|param| WIDTHS.contains(&param.name.as_str()))
        .filter_map(|param| param.value.parse().ok())
        .collect();
    let rows = grid(&value, &widths)?;
    let first = || {
        let game = session.game().ok()?;
        let opening = GameStart { opening: Some(1), ..GameStart::default() };
        let first = session.position(&game, &opening).ok()?;
        grid(&term(&first.0, || session.term(&first)), &widths)
    };
    let first = LazyCell::new(first);
    let of_first = |first: &Rows| known_empty(first).or_else(|| most(first));
    let empty = known_empty(&rows).or_else(|| first.as_ref().and_then(of_first));
    let texts: Vec<&str> = rows.iter().flatten().flatten().map(String::as_str).collect();
    // Boards of 0, 1 and 2 alone hold no piece, a piece of MAX and a piece of MIN, and no numbers of things.
    let has_many = |rows: &Rows| rows.iter().flatten().flatten().any(|text| text.parse::<u64>().is_ok_and(|n| n > 2));
    let counts = has_many(&rows) || first.as_ref().is_some_and(has_many);
    let side = rows.len().max(rows[0].len());
    let set =
        PieceSet::of(&texts, side).with_empty(empty).with_players(!counts && texts.iter().all(|text| is_player(text)));
    let grid = TextGrid { rows, ..TextGrid::default() };
    let mut board = grid.board(BoardSource::Term);
    board.counts &= counts;
    board.pieces.clear();
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, text) in cells.iter().enumerate() {
            let piece = text.as_deref().and_then(|text| set.piece(text));
            let square = Some(grid.name(column, row));
            board.pieces.extend(piece.map(|piece| BoardPiece { square, ..piece }));
        }
    }
    Some(board)
}

/// Whether a text can stand for no player, or for one of two players.
fn is_player(text: &str) -> bool {
    matches!(text, "0" | "1" | "2" | "-1")
}

/// Rows of cells; `None` where there is no cell.
type Rows = Vec<Vec<Option<String>>>;

fn grid(value: &Value, widths: &[usize]) -> Option<Rows> {
    // The first grid on the level next to the top is the board.
    let mut level = vec![value];
    for _ in 0..4 {
        let found =
            level.iter().find_map(|value| facts(value).or_else(|| lists(value)).or_else(|| flat(value, widths)));
        if found.is_some() {
            return found;
        }
        level = level.into_iter().flat_map(parts).collect();
    }
    None
}

fn parts(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.get("args").and_then(Value::as_array).into_iter().flatten().collect(),
        _ => Vec::new(),
    }
}

/// The text of a cell: an atom, a number, or a small compound term.
fn cell(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) if items.is_empty() => Some("[]".to_string()),
        Value::Object(fields) => match (fields.get("functor"), fields.get("args").and_then(Value::as_array)) {
            (Some(Value::String(name)), Some(args)) if args.len() <= 3 => {
                let args: Vec<String> = args.iter().map(cell).collect::<Option<_>>()?;
                Some(format!("{name}({})", args.join(",")))
            }
            _ => fields.get("string").and_then(Value::as_str).map(str::to_string),
        },
        _ => None,
    }
}

/// A list of equally long lists, or a structure of equally long structures.
fn lists(value: &Value) -> Option<Rows> {
    let rows = parts(value);
    // Pairs such as a-1 are no rows.
    let least = if value.is_array() { 2 } else { 3 };
    let is_row = |row: &&Value| row.is_array() == value.is_array() && (least..=LONGEST).contains(&parts(row).len());
    if !(2..=LONGEST).contains(&rows.len()) || !rows.iter().all(is_row) {
        return None;
    }
    let rows: Rows = rows
        .into_iter()
        .map(|row| parts(row).into_iter().map(|value| cell(value).map(Some)).collect::<Option<_>>())
        .collect::<Option<_>>()?;
    let width = rows[0].len();
    (rows.iter().all(|row| row.len() == width) && rows.len() * width >= 6).then_some(rows)
}

/// Facts with two coordinates: `cell(X, Y, Piece)`, in a list.
fn facts(value: &Value) -> Option<Rows> {
    let Value::Array(items) = value else { return None };
    let fact = |item: &Value| {
        let name = item.get("functor")?.as_str()?.to_string();
        let args = item.get("args")?.as_array()?;
        let [x, y, piece] = &args[..] else { return None };
        Some((name, x.as_u64()? as usize, y.as_u64()? as usize, cell(piece)?))
    };
    let found: Vec<_> = items.iter().map(fact).collect::<Option<_>>()?;
    let (name, ..) = found.first()?;
    let is_same = found.iter().all(|(other, x, y, _)| other == name && *x <= LONGEST && *y <= LONGEST);
    let (width, height) = (found.iter().map(|one| one.1).max()?, found.iter().map(|one| one.2).max()?);
    let from_zero = found.iter().any(|one| one.1 == 0 || one.2 == 0);
    if !is_same || found.len() < 4 || width < 2 {
        return None;
    }
    let shift = usize::from(!from_zero);
    let mut rows = vec![vec![None; width + 1 - shift]; height + 1 - shift];
    let last = rows.len() - 1;
    for (_, x, y, piece) in found {
        // y counts from below, as on most boards.
        let row = last.checked_sub(y.checked_sub(shift)?)?;
        *rows.get_mut(row)?.get_mut(x.checked_sub(shift)?)? = Some(piece);
    }
    Some(rows)
}

/// A flat list or structure whose cells make a rectangle: of the width of a parameter, or a square.
fn flat(value: &Value, widths: &[usize]) -> Option<Rows> {
    let items = parts(value);
    let count = items.len();
    if !(4..=LONGEST * LONGEST).contains(&count) {
        return None;
    }
    let side = count.isqrt();
    let of_param =
        widths.iter().copied().find(|width| *width >= 2 && count.is_multiple_of(*width) && count / width >= 2);
    let width = of_param.or((side * side == count && side >= 3).then_some(side))?;
    let cells: Vec<Option<String>> = items.into_iter().map(|item| cell(item).map(Some)).collect::<Option<_>>()?;
    Some(cells.chunks(width).map(<[Option<String>]>::to_vec).collect())
}

/// The text of the empty cells, if it is a usual one.
fn known_empty(rows: &Rows) -> Option<String> {
    let is_there = |name: &&&str| rows.iter().flatten().flatten().any(|text| text == **name);
    EMPTY_NAMES.iter().find(is_there).map(|name| (*name).to_string())
}

/// The text of most cells.
fn most(rows: &Rows) -> Option<String> {
    let texts = || rows.iter().flatten().flatten();
    let count = |text: &String| texts().filter(|other| *other == text).count();
    let best = texts().max_by_key(|text| count(text))?;
    (count(best) * 2 > texts().count()).then(|| best.clone())
}

#[cfg(test)]
mod tests {
    use super::grid;
    use serde_json::{Value, json};

    fn told(value: &Value, widths: &[usize]) -> String {
        let Some(rows) = grid(value, widths) else { return "none".to_string() };
        let row = |row: &Vec<Option<String>>| {
            row.iter().map(|cell| cell.as_deref().unwrap_or("#")).collect::<Vec<_>>().join(" ")
        };
        rows.iter().map(row).collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn grids_are_found_in_terms() {
        let pos = |board: Value| json!({"functor": "pos", "args": ["x", board]});
        assert_eq!(told(&pos(json!([["x", "e", "o"], ["e", "e", "e"]])), &[]), "x e o / e e e");
        assert_eq!(told(&pos(json!(["x", "e", "o", "e", "e", "e", "e", "e", "e"])), &[]), "x e o / e e e / e e e");
        let flat = json!({"functor": "b", "args": ["x", "e", "o", "e", "e", "e"]});
        assert_eq!(told(&pos(flat.clone()), &[3]), "x e o / e e e");
        assert_eq!(told(&pos(flat), &[]), "none");
        let at = |x: u64, y: u64, piece: &str| json!({"functor": "cell", "args": [x, y, piece]});
        let facts = json!([at(1, 1, "k"), at(2, 1, "b"), at(1, 2, "b"), at(3, 2, "r")]);
        assert_eq!(told(&pos(facts), &[]), "b # r / k b #");
        assert_eq!(told(&pos(json!([3, 4, 5])), &[]), "none");
        assert_eq!(told(&pos(json!([1, 3, 5, 7])), &[]), "none");
    }
}
