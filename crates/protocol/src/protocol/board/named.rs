//! Reads pictures whose columns have names, such as `a b c` below the board.
//!
//! The names give the places of the columns. A row has a name before its first cell, or its words stand exactly
//! below the names. Strokes between the cells are lines of a board of points.

use super::tokens::{Word, words};
use super::{
    Board, BoardLabel, BoardLine, BoardPiece, BoardSource, BoardSquare, MOST_CELLS, SquareShape, TextGrid, consecutive,
};

/// The names of columns with which a line begins.
pub(super) fn header(line: &[char]) -> Option<Vec<Word>> {
    let all = words(line);
    let run = (2..=all.len()).rev().find(|length| {
        let texts: Vec<&str> = all[..*length].iter().map(|word| word.text.as_str()).collect();
        consecutive(&texts)
    })?;
    Some(all.into_iter().take(run).collect())
}

/// A picture with the places of its columns and rows.
struct NamedPicture<'a> {
    lines: &'a [Vec<char>],
    columns: Vec<Word>,
    /// The numbers of the lines that are rows, and their names.
    rows: Vec<(usize, Option<String>)>,
    /// The numbers of the lines that name columns.
    headers: Vec<usize>,
}

/// The board in the lines; `None` if no line names the columns, or no row fits the names.
///
/// `headers` are the names with which each line begins.
pub(super) fn board(lines: &[Vec<char>], headers: &[Option<Vec<Word>>]) -> Option<Board> {
    let found: Vec<(usize, Vec<Word>)> =
        headers.iter().enumerate().filter_map(|(at, names)| Some((at, names.clone()?))).collect();
    // The names of a board stand at its edge; a row of numbers may look like names.
    let picture = found.iter().rev().find_map(|(_, columns)| NamedPicture::of(lines, &found, columns))?;
    Some(picture.board())
}

impl<'a> NamedPicture<'a> {
    fn of(lines: &'a [Vec<char>], found: &[(usize, Vec<Word>)], columns: &[Word]) -> Option<NamedPicture<'a>> {
        let same =
            |words: &[Word]| words.len() == columns.len() && words.iter().zip(columns).all(|(a, b)| a.end == b.end);
        if columns.len() > MOST_CELLS {
            return None;
        }
        let headers: Vec<usize> = found.iter().filter(|(_, words)| same(words)).map(|(at, _)| *at).collect();
        let picture = NamedPicture { lines, columns: columns.to_vec(), rows: Vec::new(), headers };
        let rows = picture.named_rows().or_else(|| picture.aligned_rows())?;
        Some(NamedPicture { rows, ..picture })
    }

    /// The rows with consecutive names before the first column.
    fn named_rows(&self) -> Option<Vec<(usize, Option<String>)>> {
        let first = self.columns[0].start;
        let mut rows = Vec::new();
        for (at, line) in self.lines.iter().enumerate().filter(|(at, _)| !self.headers.contains(at)) {
            let words = words(line);
            let Some(name) = words.first().filter(|word| word.end <= first && word.text.len() <= 3) else { continue };
            if name.text.chars().all(char::is_alphanumeric) {
                rows.push((at, Some(name.text.clone())));
            }
        }
        let names: Vec<&str> = rows.iter().filter_map(|(_, name)| name.as_deref()).collect();
        let fits = |(at, _): &(usize, Option<String>)| self.is_aligned(*at, first);
        let is_small = (2..=MOST_CELLS).contains(&rows.len());
        (is_small && consecutive(&names) && rows.iter().all(fits)).then_some(rows)
    }

    /// The rows without names, beside a line of names.
    fn aligned_rows(&self) -> Option<Vec<(usize, Option<String>)>> {
        let is_row = |at: &usize| {
            let filled = (0..self.columns.len()).filter(|column| !self.cell(*at, *column).is_empty()).count();
            !self.headers.contains(at) && filled * 2 > self.columns.len() && self.is_aligned(*at, 0)
        };
        let from = *self.headers.first()?;
        let below: Vec<usize> = (from + 1..self.lines.len()).take_while(is_row).collect();
        let above: Vec<usize> = (0..from).rev().take_while(is_row).collect();
        let mut rows: Vec<usize> = above.into_iter().chain(below).collect();
        rows.sort_unstable();
        (1..=MOST_CELLS).contains(&rows.len()).then(|| rows.into_iter().map(|at| (at, None)).collect())
    }

    /// Whether every word of a line from this place on lies on columns only.
    fn is_aligned(&self, line: usize, from: usize) -> bool {
        let touches =
            |word: &Word| self.columns.iter().any(|column| word.start < column.end && column.start < word.end);
        let last = self.columns[self.columns.len() - 1].end;
        words(&self.lines[line]).iter().filter(|word| word.start >= from && word.start < last).all(touches)
    }

    /// The text of a cell: the character below the name of its column, with the letters and digits beside it.
    fn cell(&self, line: usize, column: usize) -> String {
        let Word { start, end, .. } = self.columns[column];
        let line = &self.lines[line];
        let at = |place: usize| line.get(place).copied().unwrap_or(' ');
        let Some(mut from) = (start..end).rev().find(|place| !at(*place).is_whitespace()) else { return String::new() };
        let mut to = from + 1;
        let left =
            if column == 0 { start.saturating_sub(1) } else { (self.columns[column - 1].end + start).div_ceil(2) };
        let right = self.columns.get(column + 1).map_or(end + 2, |next| (end + next.start).div_ceil(2));
        if at(from).is_alphanumeric() {
            while from > left && at(from - 1).is_alphanumeric() {
                from -= 1;
            }
            while to < right && at(to).is_alphanumeric() {
                to += 1;
            }
        }
        line[from..to.min(line.len())].iter().collect()
    }

    fn board(&self) -> Board {
        let cells: Vec<Vec<String>> = self.rows.iter().map(|(line, _)| self.cells(*line)).collect();
        let strokes = self.has_strokes();
        let texts = || cells.iter().flatten().filter(|text| !text.is_empty() && (!strokes || !is_stroke(text)));
        let is_points = strokes || texts().all(|text| text == "+");
        let is_blank = |text: &String| text.is_empty() || (strokes && is_stroke(text) && text != "+");
        let is_plus = texts().all(|text| text == "+");
        // On half of a chess board the other half is blank.
        let is_half = is_half(&cells);
        let kept = |text: &String| match is_blank(text) || (is_points && text == "+" && !is_plus) {
            true => (!is_points && !is_half && text.is_empty()).then(String::new),
            false => Some(text.clone()),
        };
        let two_edges = self.edge_names();
        let grid = TextGrid {
            rows: cells.iter().map(|row| row.iter().map(kept).collect()).collect(),
            columns: self.columns.iter().map(|word| word.text.clone()).collect(),
            lines: self.rows.iter().filter_map(|(_, name)| name.clone()).collect(),
            ..TextGrid::default()
        };
        let mut board = grid.board(BoardSource::Show);
        if let Some(names) = two_edges {
            rename(&mut board, &grid, &names);
        }
        if is_points {
            self.make_points(&mut board);
        }
        board.text = self.texts_beside();
        board
    }

    fn cells(&self, line: usize) -> Vec<String> {
        (0..self.columns.len()).map(|column| self.cell(line, column)).collect()
    }

    /// The names of two rows that have names of their own, above and below, as on a board of backgammon.
    fn edge_names(&self) -> Option<[Vec<String>; 2]> {
        let [(first, None), (second, None)] = &self.rows[..] else { return None };
        let of =
            |at: Option<usize>| Some(words(self.lines.get(at?)?).into_iter().map(|word| word.text).collect::<Vec<_>>());
        let (above, below) = (of(first.checked_sub(1))?, of(second.checked_add(1))?);
        let fits = |names: &Vec<String>| names.len() == self.columns.len();
        (fits(&above) && fits(&below) && above != below).then_some([above, below])
    }

    /// Whether strokes stand between the cells.
    fn has_strokes(&self) -> bool {
        let (first, last) = (self.columns[0].start, self.columns[self.columns.len() - 1].end);
        let (top, bottom) = (self.rows[0].0, self.rows[self.rows.len() - 1].0);
        let is_gap = |place: usize| self.columns.iter().all(|column| place < column.start || place >= column.end);
        (top..=bottom).any(|line| {
            let is_row = self.rows.iter().any(|(row, _)| *row == line);
            let inside = self.lines[line].iter().enumerate().filter(|(place, _)| (first..last).contains(place));
            inside.filter(|(place, _)| !is_row || is_gap(*place)).any(|(_, c)| is_stroke_char(*c))
        })
    }

    /// Turns squares into points, with the lines between them and the texts between the rows.
    fn make_points(&self, board: &mut Board) {
        board.squares.iter_mut().for_each(|square| square.shape = SquareShape::Point);
        // Every line of the picture between the first and the last row has its own place.
        let (top, bottom) = (self.rows[0].0, self.rows[self.rows.len() - 1].0);
        let rows = self.rows.len();
        let step = (bottom - top) as f64 / (rows.max(2) - 1) as f64;
        let at = |line: usize, place: usize| self.lines[line].get(place).copied().unwrap_or(' ');
        let middle = |column: usize| self.columns[column].end - 1;
        let there = |column: usize, row: usize| {
            let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
            board.squares.iter().any(|square| (square.x - x).abs() < 0.1 && (square.y - y).abs() < 0.1)
        };
        let mut lines = Vec::new();
        let width = self.columns.len();
        for (row, (line, _)) in self.rows.iter().enumerate() {
            for column in (0..width).filter(|column| there(*column, row)) {
                let (x1, y1) = (column as f64 + 0.5, row as f64 + 0.5);
                let next = (column + 1..width).find(|next| there(*next, row));
                if let Some(next) = next
                    && (middle(column) + 1..middle(next)).all(|place| matches!(at(*line, place), '-' | '=' | '─'))
                {
                    lines.push(BoardLine { x1, y1, x2: next as f64 + 0.5, y2: y1, tone: None });
                }
                let below = (row + 1..rows).find(|below| there(column, *below));
                if let Some(below) = below
                    && (line + 1..self.rows[below].0).all(|line| matches!(at(line, middle(column)), '|' | '│'))
                {
                    lines.push(BoardLine { x1, y1, x2: x1, y2: below as f64 + 0.5, tone: None });
                }
            }
        }
        board.lines = lines;
        for line in (top..bottom).filter(|line| self.rows.iter().all(|(row, _)| row != line)) {
            let bare = |c: &char| if is_stroke_char(*c) { ' ' } else { *c };
            let plain: Vec<char> = self.lines[line].iter().map(bare).collect();
            for word in words(&plain) {
                let x = self.x_of(word.start);
                board.labels.push(BoardLabel { x, y: (line - top) as f64 / step + 0.5, text: word.text });
            }
        }
    }

    /// The place of a character, measured in columns.
    fn x_of(&self, place: usize) -> f64 {
        let pitch = self.columns[1].end - self.columns[0].end;
        (place as f64 + 1.0 - self.columns[0].end as f64) / pitch as f64 + 0.5
    }

    /// The texts that are not part of the board: other lines, and words right of the last column.
    fn texts_beside(&self) -> Vec<String> {
        let last = self.columns[self.columns.len() - 1].end;
        let (top, bottom) = (self.rows[0].0, self.rows[self.rows.len() - 1].0);
        let is_names = |line: &[char]| header(line).is_some_and(|names| names.len() == words(line).len());
        let text = |(at, line): (usize, &Vec<char>)| {
            let is_inside = (top..=bottom).contains(&at);
            let beside: &[char] = if is_inside || self.headers.contains(&at) {
                line.get(last..).unwrap_or_default()
            } else if is_names(line) {
                &[]
            } else {
                line
            };
            Some(beside.iter().collect::<String>().trim().to_string()).filter(|text| !text.is_empty())
        };
        self.lines.iter().enumerate().filter_map(text).collect()
    }
}

/// Gives the squares of two rows the names at the two edges.
fn rename(board: &mut Board, grid: &TextGrid, names: &[Vec<String>; 2]) {
    let mut squares: Vec<BoardSquare> = std::mem::take(&mut board.squares);
    let mut renamed: Vec<BoardPiece> = std::mem::take(&mut board.pieces);
    for (row, of) in names.iter().enumerate() {
        for (column, name) in of.iter().enumerate() {
            let old = grid.name(column, row);
            squares.iter_mut().filter(|square| square.name == old).for_each(|square| square.name = format!("\0{name}"));
            let there = renamed.iter_mut().filter(|piece| piece.square.as_ref() == Some(&old));
            there.for_each(|piece| piece.square = Some(format!("\0{name}")));
        }
    }
    // The old names may be among the new ones, so new ones are marked until all are given.
    squares.iter_mut().for_each(|square| square.name = square.name.replace('\0', ""));
    renamed.iter_mut().for_each(|piece| piece.square = piece.square.take().map(|name| name.replace('\0', "")));
    board.labels.retain(|label| !grid.columns.contains(&label.text));
    for square in &squares {
        let y = if square.y < 1.0 { -0.4 } else { 2.4 };
        board.labels.push(BoardLabel { x: square.x, y, text: square.name.clone() });
    }
    (board.squares, board.pieces) = (squares, renamed);
}

/// Whether only every other cell is filled, as on the dark squares of a chess board.
fn is_half(cells: &[Vec<String>]) -> bool {
    let filled = |parity: usize| {
        let of = cells.iter().enumerate().flat_map(|(row, texts)| texts.iter().enumerate().map(move |one| (row, one)));
        of.filter(|(row, (column, text))| (row + column) % 2 == parity && !text.is_empty()).count()
    };
    let all: usize = cells.iter().map(Vec::len).sum();
    let halves = [filled(0), filled(1)];
    all >= 8 && halves.contains(&0) && halves.iter().sum::<usize>() * 2 + 1 >= all
}

fn is_stroke(text: &str) -> bool {
    text.chars().all(is_stroke_char)
}

fn is_stroke_char(c: char) -> bool {
    matches!(c, '-' | '|' | '=' | '/' | '\\' | '+' | '─' | '│')
}
