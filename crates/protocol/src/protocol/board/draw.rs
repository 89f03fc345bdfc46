//! Reads the answer of `draw/2`: a list of items such as `square(a1, 1, 1)` and `piece(a1, disc(dark))`.
//!
//! In items `y` grows upwards, as the rows of most boards do, and the places may be any numbers. An item that
//! this file does not know becomes a line of text that says so.

use super::cards;
use super::pieces::PieceSet;
use super::values::{text, tone};
use super::{
    Board, BoardLabel, BoardLine, BoardPiece, BoardSource, BoardSquare, PieceShape, Pocket, SquareShape, TextGrid,
};
use crate::protocol::term::term;
use alphorn_prolog::term::pack::Packed;
use serde_json::Value;

/// The board of an answer of `draw/2`.
pub(super) fn board(answer: &Packed) -> Board {
    let value = term(answer, || "the picture".to_string());
    let mut board = Board { source: BoardSource::Draw, named: true, ..Board::default() };
    match value.as_array() {
        Some(items) => items.iter().for_each(|one| {
            if item(&mut board, one).is_none() {
                board.text.push(format!("draw/2 gives an item that Alphorn does not know: {}", short(one)));
            }
        }),
        None => board.text.push("draw/2 gives no list of items, or too many".to_string()),
    }
    settle(&mut board);
    let number = |piece: &BoardPiece| piece.text.parse::<u64>().ok();
    board.counts = !board.pieces.is_empty()
        && board.pieces.iter().all(|piece| number(piece).is_some())
        && board.pieces.iter().filter_map(number).any(|number| number > 2);
    board
}

/// The beginning of an item in JSON.
fn short(item: &Value) -> String {
    item.to_string().chars().take(80).collect()
}

/// Adds an item to the board; `None` if it has no known form.
fn item(board: &mut Board, item: &Value) -> Option<()> {
    let name = item.get("functor")?.as_str()?;
    let args: Vec<&Value> = item.get("args")?.as_array()?.iter().collect();
    match (name, &args[..]) {
        ("square", [place, rest @ ..]) => square(board, SquareShape::Square, place, rest)?,
        ("hex", [place, rest @ ..]) => square(board, SquareShape::Hex, place, rest)?,
        ("slot", [place, rest @ ..]) => square(board, SquareShape::Slot, place, rest)?,
        ("point", [place, rest @ ..]) => square(board, SquareShape::Point, place, rest)?,
        ("piece", [square, what]) => board.pieces.push(BoardPiece { square: Some(name_of(square)?), ..piece(what)? }),
        ("piece", [square, what, count]) => {
            let count = count.as_u64()?;
            if count > 0 {
                board.pieces.push(BoardPiece { square: Some(name_of(square)?), count, ..piece(what)? });
            }
        }
        ("piece_at", [x, y, what]) => {
            board.pieces.push(BoardPiece { x: Some(x.as_f64()?), y: Some(y.as_f64()?), ..piece(what)? });
        }
        ("line", [x1, y1, x2, y2, tones @ ..]) => {
            let tone = tones.first().map(|value| tone(value));
            let tone = if tones.is_empty() { None } else { tone? };
            let [x1, y1, x2, y2] = [x1.as_f64()?, y1.as_f64()?, x2.as_f64()?, y2.as_f64()?];
            board.lines.push(BoardLine { x1, y1, x2, y2, tone });
        }
        ("label", [x, y, label]) => {
            board.labels.push(BoardLabel { x: x.as_f64()?, y: y.as_f64()?, text: text(label)? });
        }
        ("mark", [square]) => {
            let name = name_of(square)?;
            board.squares.iter_mut().filter(|square| square.name == name).for_each(|square| square.mark = true);
        }
        ("pocket", [side, name, pieces]) => {
            let side = text(side).filter(|side| matches!(side.as_str(), "max" | "min"));
            let pieces = pieces.as_array()?.iter().map(counted).collect::<Option<_>>()?;
            board.pockets.push(Pocket { side, text: text(name)?, pieces });
        }
        ("dice", [dice]) => board.dice.extend(dice.as_array()?.iter().filter_map(Value::as_i64)),
        ("text", [line]) => board.text.push(text(line)?),
        ("click", [label, squares]) => {
            let squares = squares.as_array()?.iter().map(name_of).collect::<Option<_>>()?;
            board.clicks.push(((*label).clone(), squares));
        }
        ("grid", [rows]) => grid(board, rows)?,
        _ => return None,
    }
    Some(())
}

/// Adds a square, unless the board has a square of this name. `rest` has its coordinates, and perhaps its tone.
fn square(board: &mut Board, shape: SquareShape, place: &Value, rest: &[&Value]) -> Option<()> {
    let [x, y, tones @ ..] = rest else { return None };
    let tone = match tones {
        [] => None,
        [value] if text(value)? == "plain" => None,
        [value] => Some(tone(value)?),
        _ => return None,
    };
    let name = name_of(place)?;
    if board.square(&name).is_none() {
        board.squares.push(BoardSquare { name, x: x.as_f64()?, y: y.as_f64()?, shape, tone, mark: false });
    }
    Some(())
}

/// Adds a grid of squares with pieces, the top row first.
fn grid(board: &mut Board, rows: &Value) -> Option<()> {
    let cells = |row: &Value| row.as_array()?.iter().map(|cell| text(cell).map(Some)).collect::<Option<Vec<_>>>();
    let rows = rows.as_array()?.iter().map(cells).collect::<Option<Vec<_>>>()?;
    let height = rows.len() as f64;
    let made = TextGrid { rows, ..TextGrid::default() }.board(BoardSource::Draw);
    let up = |square: BoardSquare| BoardSquare { x: square.x + 0.5, y: height - square.y + 0.5, ..square };
    board.squares.extend(made.squares.into_iter().map(up));
    board.pieces.extend(made.pieces);
    Some(())
}

/// The name of a square: a text, or a term such as `q-spades` as labels of moves show it.
fn name_of(value: &Value) -> Option<String> {
    if let Some(text) = text(value) {
        return Some(text);
    }
    let args = value.get("args")?.as_array()?.iter().map(name_of).collect::<Option<Vec<_>>>()?;
    match (value.get("functor")?.as_str()?, &args[..]) {
        (infix @ ("-" | "/" | ":" | "+" | "*"), [left, right]) => Some(format!("{left}{infix}{right}")),
        (name, _) => Some(format!("{name}({})", args.join(","))),
    }
}

fn shape(name: &str) -> Option<PieceShape> {
    Some(match name {
        "disc" => PieceShape::Disc,
        "ring" => PieceShape::Ring,
        "cross" => PieceShape::Cross,
        "box" => PieceShape::Square,
        "triangle" => PieceShape::Triangle,
        "star" => PieceShape::Star,
        "bar" => PieceShape::Bar,
        "text" => PieceShape::Text,
        "king" => PieceShape::King,
        "queen" => PieceShape::Queen,
        "rook" => PieceShape::Rook,
        "bishop" => PieceShape::Bishop,
        "knight" => PieceShape::Knight,
        "pawn" => PieceShape::Pawn,
        _ => return None,
    })
}

/// A piece: `disc(dark)`, `king(light, 'White king')`, `text('♞')`, `text(a, dark)`, or an atom as in `show/2`.
fn piece(value: &Value) -> Option<BoardPiece> {
    if let Some(plain) = text(value) {
        if plain == "back" {
            return Some(cards::back());
        }
        return PieceSet::of(&[&plain], usize::MAX).piece(&plain);
    }
    let name = value.get("functor")?.as_str()?;
    if name == "card" {
        return cards::card(value.get("args")?.as_array()?);
    }
    let shape = shape(name)?;
    let args: Vec<&Value> = value.get("args")?.as_array()?.iter().collect();
    let made =
        |text: String, tone| BoardPiece { square: None, x: None, y: None, text, shape, tone, count: 1, card: None };
    match (shape, &args[..]) {
        (PieceShape::Text, [letters]) => Some(made(text(letters)?, None)),
        (PieceShape::Text, [letters, value]) => Some(made(text(letters)?, Some(tone(value)?))),
        (_, [value]) => Some(made(format!("{} {name}", text(value)?), Some(tone(value)?))),
        (_, [value, called]) => Some(made(text(called)?, Some(tone(value)?))),
        _ => None,
    }
}

/// A piece of a pocket: a piece, or `Piece-Count`.
fn counted(value: &Value) -> Option<BoardPiece> {
    let args = value.get("args").and_then(Value::as_array).filter(|args| args.len() == 2);
    match args.filter(|_| value.get("functor").and_then(Value::as_str) == Some("-")) {
        Some(args) => Some(BoardPiece { count: args[1].as_u64()?, ..piece(&args[0])? }),
        None => piece(value),
    }
}

/// Moves the board to the corner, turns it upside down, and drops pieces without a square.
fn settle(board: &mut Board) {
    let mut places: Vec<(f64, f64)> = board.squares.iter().map(|square| (square.x, square.y)).collect();
    places.extend(board.pieces.iter().filter_map(|piece| Some((piece.x?, piece.y?))));
    places.extend(board.lines.iter().flat_map(|line| [(line.x1, line.y1), (line.x2, line.y2)]));
    places.retain(|(x, y)| x.is_finite() && y.is_finite());
    let most = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let least = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::INFINITY, f64::min);
    if places.is_empty() {
        return;
    }
    let (left, right) = (least(|place| place.0), most(|place| place.0));
    let (low, high) = (least(|place| place.1), most(|place| place.1));
    (board.width, board.height) = (right - left + 1.0, high - low + 1.0);
    let (across, down) = (|x: f64| x - left + 0.5, |y: f64| high - y + 0.5);
    for square in &mut board.squares {
        (square.x, square.y) = (across(square.x), down(square.y));
    }
    for piece in &mut board.pieces {
        (piece.x, piece.y) = (piece.x.map(across), piece.y.map(down));
    }
    for line in &mut board.lines {
        (line.x1, line.y1, line.x2, line.y2) = (across(line.x1), down(line.y1), across(line.x2), down(line.y2));
    }
    for label in &mut board.labels {
        (label.x, label.y) = (across(label.x), down(label.y));
    }
    let names: Vec<&String> = board.squares.iter().map(|square| &square.name).collect();
    board.pieces.retain(|piece| piece.square.as_ref().is_none_or(|name| names.contains(&name)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_rules::rules::contract::PICTURE_ITEMS;
    use serde_json::json;

    #[test]
    fn every_item_is_known() {
        for (name, arity) in PICTURE_ITEMS {
            let (point, pieces, squares) = (json!(1), json!([{"functor": "king", "args": ["light"]}]), json!(["a1"]));
            let args = match (*name, *arity) {
                ("square" | "hex" | "point" | "slot", 3) => vec![json!("a1"), point.clone(), point],
                ("square" | "hex", _) => vec![json!("a1"), point.clone(), point, json!("dark")],
                ("grid", _) => vec![json!([["x", "o"]])],
                ("piece", 2) => vec![json!("a1"), json!("x")],
                ("piece", _) => vec![json!("a1"), json!("x"), point],
                ("piece_at", _) => vec![point.clone(), point, json!("back")],
                ("line", 4) => vec![point.clone(), point.clone(), point.clone(), point],
                ("line", _) => vec![point.clone(), point.clone(), point.clone(), point, json!("one")],
                ("label", _) => vec![point.clone(), point, json!("a")],
                ("pocket", _) => vec![json!("max"), json!("hand"), pieces],
                ("dice", _) => vec![json!([1, 6])],
                ("click", _) => vec![json!("go"), squares],
                ("mark" | "text", 1) => vec![json!("a1")],
                other => panic!("{other:?} has no example here"),
            };
            assert_eq!(args.len(), *arity, "{name}/{arity}");
            assert_eq!(
                item(&mut Board::default(), &json!({"functor": name, "args": args})),
                Some(()),
                "{name}/{arity}"
            );
        }
    }

    #[test]
    fn names_are_terms_as_labels_show_them() {
        let name = |value: Value| name_of(&value);
        assert_eq!(name(json!("a1")).as_deref(), Some("a1"));
        assert_eq!(name(json!({"functor": "-", "args": ["q", "spades"]})).as_deref(), Some("q-spades"));
        assert_eq!(name(json!({"functor": "card", "args": [10, "h"]})).as_deref(), Some("card(10,h)"));
        assert_eq!(name(json!([1, 2])), None);
    }
}
