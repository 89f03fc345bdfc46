//! The board of a position, as squares with places, pieces on them, and what else a picture shows.
//!
//! The picture comes from `draw/2` if the game defines it (`draw`), else from the lines of `show/2` if they
//! are a grid (`picture`), else from the term of the position if it holds a grid (`cells`). For each move
//! `clicks` finds the squares that a person clicks. Nothing is drawn here: front ends do that.

mod cards;
mod cells;
mod clicks;
mod draw;
mod named;
mod outcomes;
mod picture;
mod pieces;
mod tokens;
mod values;

pub use outcomes::ShownOutcome;

use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::{GameStart, Session, SessionResult};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::Write;

/// The board of a position. `x` grows to the right and `y` downwards; the unit is the side of a square.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Board {
    /// Where the picture comes from.
    pub source: BoardSource,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The squares.
    pub squares: Vec<BoardSquare>,
    /// The pieces.
    pub pieces: Vec<BoardPiece>,
    /// The lines, such as those between points.
    pub lines: Vec<BoardLine>,
    /// The texts beside and on the board, such as coordinates.
    pub labels: Vec<BoardLabel>,
    /// The pieces beside the board.
    pub pockets: Vec<Pocket>,
    /// The dice.
    pub dice: Vec<i64>,
    /// The lines of text below the board.
    pub text: Vec<String>,
    /// Whether the rules name the squares; otherwise their names are made up.
    #[serde(skip)]
    named: bool,
    /// Whether every square holds a number of things, as in sowing games.
    #[serde(skip)]
    counts: bool,
    /// The squares to click for a move, if `draw/2` says so.
    #[serde(skip)]
    clicks: Vec<(Value, Vec<String>)>,
}

/// Where the picture of a board comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum BoardSource {
    /// From `draw/2`.
    Draw,
    /// From the lines of `show/2`.
    Show,
    /// From the term of the position.
    Term,
    /// There is no board.
    #[default]
    None,
}

/// A square, or another place for pieces.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BoardSquare {
    /// The name, which no other square has.
    pub name: String,
    /// The centre.
    pub x: f64,
    /// The centre.
    pub y: f64,
    /// The shape.
    pub shape: SquareShape,
    /// The colour of the ground; null for the plain ground.
    pub tone: Option<Tone>,
    /// Whether the game highlights the square. Missing if it does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mark: bool,
}

/// The shape of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum SquareShape {
    /// A square of side 1.
    Square,
    /// A hexagon with a corner at the top; the distance to the neighbour in its row is 1.
    Hex,
    /// A point, on which lines meet.
    Point,
    /// A place for a card: 1 wide and 1.4 high.
    Slot,
}

/// A colour, which the front end chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Tone {
    /// The light one of two.
    Light,
    /// The dark one of two.
    Dark,
    /// The first of several.
    One,
    /// The second.
    Two,
    /// The third.
    Three,
    /// The fourth.
    Four,
}

/// A piece, or several equal pieces in one place.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BoardPiece {
    /// The name of its square. Missing if it stands elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// The place of a piece that stands on no square. Missing otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// The place of a piece that stands on no square. Missing otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// What the rules call the piece.
    pub text: String,
    /// The shape.
    pub shape: PieceShape,
    /// The colour; null for none in particular.
    pub tone: Option<Tone>,
    /// The number of pieces. Missing for one.
    #[serde(skip_serializing_if = "is_one")]
    pub count: u64,
    /// The face of a card. Missing for other pieces, and for a card that lies face down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<CardFace>,
}

/// The face of a card.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CardFace {
    /// The rank, such as `A`, `10` or `Q`.
    pub rank: String,
    /// `spades`, `hearts`, `diamonds`, `clubs`, or another suit of the rules; null if the card has no suit.
    pub suit: Option<String>,
}

fn is_one(count: &u64) -> bool {
    *count == 1
}

/// The shape of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PieceShape {
    /// A filled circle.
    Disc,
    /// A circle.
    Ring,
    /// Two crossing lines.
    Cross,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A star.
    Star,
    /// A stroke, such as a match.
    Bar,
    /// Its text.
    Text,
    /// A playing card.
    Card,
    /// A king of chess.
    King,
    /// A queen of chess.
    Queen,
    /// A rook of chess.
    Rook,
    /// A bishop of chess.
    Bishop,
    /// A knight of chess.
    Knight,
    /// A pawn of chess.
    Pawn,
}

/// A line of the board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BoardLine {
    /// Where the line begins.
    pub x1: f64,
    /// Where the line begins.
    pub y1: f64,
    /// Where the line ends.
    pub x2: f64,
    /// Where the line ends.
    pub y2: f64,
    /// The colour; null for the colour of the board.
    pub tone: Option<Tone>,
}

/// A text beside or on the board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BoardLabel {
    /// The centre of the text.
    pub x: f64,
    /// The centre of the text.
    pub y: f64,
    /// The text.
    pub text: String,
}

/// Pieces beside the board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Pocket {
    /// The owner, `max` or `min`; null for nobody.
    pub side: Option<String>,
    /// The name of the place.
    pub text: String,
    /// The pieces.
    pub pieces: Vec<BoardPiece>,
}

/// The most cells in a row or column of a picture.
const MOST_CELLS: usize = 64;

/// The most positions whose pictures are compared with a picture that has numbers only.
const MOST_OTHERS: usize = 12;

/// Reads the boards of the positions of one game.
pub struct BoardReader<'a> {
    session: &'a Session,
    game: &'a RuleGame,
    /// The pictures of the first positions of the game. They say which numbers of a picture never change.
    others: OnceCell<Vec<Vec<String>>>,
}

impl<'a> BoardReader<'a> {
    /// A reader for this game.
    pub fn new(session: &'a Session, game: &'a RuleGame) -> BoardReader<'a> {
        BoardReader { session, game, others: OnceCell::new() }
    }

    /// The board of a position. If the rules draw none and the position holds no grid, the board has no squares.
    ///
    /// # Errors
    ///
    /// The rules raise an error.
    pub fn board(&self, state: &Position) -> SessionResult<Board> {
        if let Some(term) = self.session.drawing(self.game, state)? {
            return Ok(draw::board(&term));
        }
        let lines = self.session.picture(self.game, state)?.unwrap_or_default();
        if let Some(board) = picture::board(&lines, &|| self.others()) {
            return Ok(board);
        }
        let board = cells::board(self.session, state).unwrap_or_default();
        Ok(Board { text: lines, ..board })
    }

    /// The pictures of an opening, of the positions after its moves, and after the first of them. A position whose
    /// rules raise an error is left out; its own request reports the error.
    fn others(&self) -> &[Vec<String>] {
        self.others.get_or_init(|| {
            let (session, game) = (self.session, self.game);
            let opening = GameStart { opening: Some(1), ..GameStart::default() };
            let Ok(first) = session.position(game, &opening) else { return Vec::new() };
            let after = |state: &Position| -> Vec<Position> {
                let moves = session.legal_moves(game, state).unwrap_or_default();
                moves.into_iter().take(MOST_OTHERS / 2).map(|(mv, _)| mv.next).collect()
            };
            let second = after(&first);
            let third = second.last().map(after).unwrap_or_default();
            let states = std::iter::once(first).chain(second).chain(third);
            states.filter_map(|state| session.picture(game, &state).ok()?).collect()
        })
    }
}

impl Board {
    /// The square of this name.
    fn square(&self, name: &str) -> Option<&BoardSquare> {
        self.squares.iter().find(|square| square.name == name)
    }

    /// The text of what stands on each square; empty if nothing does.
    fn contents(&self) -> HashMap<&str, String> {
        let mut found: HashMap<&str, String> =
            self.squares.iter().map(|square| (square.name.as_str(), String::new())).collect();
        for piece in &self.pieces {
            if let Some(there) = piece.square.as_deref().and_then(|name| found.get_mut(name)) {
                let BoardPiece { count, text, shape, tone, .. } = piece;
                write!(there, "{count}{text}{shape:?}{tone:?}").expect("a string takes every text");
            }
        }
        found
    }
}

/// A rectangle of cells with texts, from which a board is made: rows from the top, `None` where no square is.
#[derive(Clone, Debug, Default, PartialEq)]
struct TextGrid {
    rows: Vec<Vec<Option<String>>>,
    /// The names of the columns and of the rows, if the picture shows them.
    columns: Vec<String>,
    lines: Vec<String>,
    /// The place of each row to the right, and of the first row down.
    shifts: Vec<f64>,
    hex: bool,
}

/// The distance of two rows of hexagons.
const HEX_ROW: f64 = 0.866_025_403_784_438_6;

impl TextGrid {
    /// Makes a board of the cells, whose empty ones have no piece.
    fn board(&self, source: BoardSource) -> Board {
        let height = self.rows.len();
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let shape = if self.hex { SquareShape::Hex } else { SquareShape::Square };
        let row_height = if self.hex { HEX_ROW } else { 1.0 };
        let texts: Vec<&str> = self.rows.iter().flatten().flatten().map(String::as_str).collect();
        let kind = pieces::PieceSet::of(&texts, width.max(height));
        let counts = !texts.is_empty() && texts.iter().all(|text| text.parse::<u64>().is_ok());
        let mut board = Board { source, named: !self.columns.is_empty(), counts, ..Board::default() };
        for (row, cells) in self.rows.iter().enumerate() {
            let shift = self.shifts.get(row).copied().unwrap_or(0.0);
            for (column, cell) in cells.iter().enumerate() {
                let Some(text) = cell else { continue };
                let (x, y) = (column as f64 + shift + 0.5, row as f64 * row_height + 0.5);
                let is_dark = (column + height - row - 1).is_multiple_of(2);
                let tone = kind.is_chess().then_some(if is_dark { Tone::Dark } else { Tone::Light });
                let name = self.name(column, row);
                if let Some(piece) = kind.piece(text) {
                    board.pieces.push(BoardPiece { square: Some(name.clone()), ..piece });
                }
                board.squares.push(BoardSquare { name, x, y, shape, tone, mark: false });
            }
        }
        let most = |of: fn(&BoardSquare) -> f64| board.squares.iter().map(of).fold(0.0, f64::max) + 0.5;
        (board.width, board.height) = (most(|square| square.x), most(|square| square.y));
        let bottom = board.height + 0.4;
        let last_shift = self.shifts.last().copied().unwrap_or(0.0);
        for (column, text) in self.columns.iter().enumerate() {
            board.labels.push(BoardLabel { x: column as f64 + last_shift + 0.5, y: bottom, text: text.clone() });
        }
        for (row, text) in self.lines.iter().enumerate() {
            let x = self.shifts.get(row).copied().unwrap_or(0.0) - 0.4;
            board.labels.push(BoardLabel { x, y: row as f64 * row_height + 0.5, text: text.clone() });
        }
        board
    }

    /// The name of a square: as the picture names columns and rows, or else as in chess.
    fn name(&self, column: usize, row: usize) -> String {
        if let ([_], [], Some(name)) = (&self.rows[..], &self.lines[..], self.columns.get(column)) {
            return name.clone();
        }
        let from_below = || (self.rows.len() - row).to_string();
        let column = self.columns.get(column).cloned().unwrap_or_else(|| letters(column));
        let row = self.lines.get(row).cloned().unwrap_or_else(from_below);
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match (is_number(&column), is_number(&row)) {
            (true, true) => format!("{column}.{row}"),
            (true, false) => format!("{row}{column}"),
            _ => format!("{column}{row}"),
        }
    }
}

/// The name of a column: a to z, then aa, ab and so on.
fn letters(column: usize) -> String {
    let last = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}

/// Whether texts are consecutive letters, or consecutive numbers, up or down.
fn consecutive(texts: &[&str]) -> bool {
    let numbers: Option<Vec<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
    let letter = |text: &&str| {
        let mut chars = text.chars();
        let first = chars.next().filter(|c| c.is_alphabetic())?;
        chars.next().is_none().then(|| i64::from(u32::from(first)))
    };
    let Some(values) = numbers.or_else(|| texts.iter().map(letter).collect()) else { return false };
    values.windows(2).all(|two| two[1] - two[0] == 1) || values.windows(2).all(|two| two[1] - two[0] == -1)
}
