//! Finds the board in the lines of `show/2`.
//!
//! A picture whose columns have names is read by [`named`]: it may have blanks, lines between points, and
//! texts beside the cells. Others are read by [`tokens`].

use super::named::{self, header};
use super::tokens::{self, Found};
use super::{Board, BoardSource};

/// The longest line of a picture that is searched for a board, and the most lines.
const LONGEST: usize = 400;

/// The board in the lines; `None` if they are no grid.
pub(super) fn board(lines: &[String]) -> Option<Board> {
    if lines.len() > LONGEST || lines.iter().any(|line| line.chars().count() > LONGEST) {
        return None;
    }
    let chars: Vec<Vec<char>> = lines.iter().map(|line| line.trim_end().chars().collect()).collect();
    named::board(&chars).or_else(|| {
        let headers: Vec<Option<Vec<String>>> = chars.iter().map(|line| names(line)).collect();
        let without =
            |(line, header): (&Vec<char>, &Option<_>)| if header.is_some() { Vec::new() } else { line.clone() };
        let bare: Vec<Vec<char>> = chars.iter().zip(&headers).map(without).collect();
        let (mut grid, from, to): Found = tokens::boxed(&bare).or_else(|| tokens::spaced(&bare))?;
        let width = grid.rows[0].len();
        let is_near = |at: usize| at + 2 >= from && at <= to + 1;
        let header = headers.iter().enumerate().filter(|(at, _)| is_near(*at)).find_map(|(at, names)| {
            names.as_ref().filter(|names| names.len() == width).map(|names| (at, names.clone()))
        });
        let mut used: Vec<usize> = (from..to).collect();
        if let Some((at, names)) = header {
            used.push(at);
            grid.columns = names;
        }
        let mut board = grid.board(BoardSource::Show);
        board.text = rest(lines, &used);
        Some(board)
    })
}

/// The names in a line that has only names of columns.
fn names(line: &[char]) -> Option<Vec<String>> {
    let found = header(line)?;
    (found.len() == tokens::words(line).len()).then(|| found.into_iter().map(|word| word.text).collect())
}

/// The lines that are not used, without those that have no words.
fn rest(lines: &[String], used: &[usize]) -> Vec<String> {
    let has_words = |line: &str| line.chars().any(char::is_alphanumeric);
    let left = lines.iter().enumerate().filter(|(at, line)| !used.contains(at) && has_words(line));
    left.map(|(_, line)| line.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::board;
    use crate::protocol::board::{Board, SquareShape};

    fn of(picture: &str) -> Option<Board> {
        board(&picture.lines().map(str::to_string).collect::<Vec<_>>())
    }

    /// The size, the names of the squares from the top left, and the pieces.
    fn told(picture: &str) -> String {
        let Some(board) = of(picture) else { return "none".to_string() };
        let names: Vec<&str> = board.squares.iter().map(|square| square.name.as_str()).collect();
        let pieces = board.pieces.iter().map(|piece| {
            let count = if piece.count > 1 { piece.count.to_string() } else { String::new() };
            format!("{}={}{count}", piece.square.clone().unwrap_or_default(), piece.text)
        });
        let pieces: Vec<String> = pieces.collect();
        format!(
            "{}x{}: {} | {} | {}",
            board.width,
            board.height,
            names.join(" "),
            pieces.join(" "),
            board.text.join("; ")
        )
    }

    #[test]
    fn pictures_with_names() {
        assert_eq!(told(" 2 . x\n 1 o .\n   a b\nx to move"), "2x2: a2 b2 a1 b1 | b2=x a1=o | x to move");
        assert_eq!(told("   a b c\n 1 . . .\n 2 . x ."), "3x2: a1 b1 c1 a2 b2 c2 | b2=x | ");
        assert_eq!(told(". . .\n. x .\n1 2 3"), "3x2: 1.2 2.2 3.2 1.1 2.1 3.1 | 2.1=x | ");
        assert_eq!(told("  4   3\n w2   .\n  .  b5\n  1   2"), "2x2: 4 3 1 2 | 4=w2 2=b5 | ");
    }

    #[test]
    fn pictures_without_names() {
        assert_eq!(told(". x\no ."), "2x2: a2 b2 a1 b1 | b2=x a1=o | ");
        assert_eq!(told("X.O\n..."), "3x2: a2 b2 c2 a1 b1 c1 | a2=X c2=O | ");
        assert_eq!(told(" X |   | O\n---+---+---\n   | X |  "), "3x2: a2 b2 c2 a1 b1 c1 | a2=X c2=O b1=X | ");
        assert_eq!(told("+-+-+\n|x| |\n+-+-+\n| |o|\n+-+-+"), "2x2: a2 b2 a1 b1 | a2=x b1=o | ");
        assert_eq!(told("White wins\nby far"), "none");
        assert_eq!(told("1: | | |\n2: |"), "3x2: a1 b1 c1 a2 | a1=| b1=| c1=| a2=| | ");
    }

    #[test]
    fn rows_that_are_shifted_are_hexagons() {
        let board = of("    a b\n 1  . x\n 2   . .").expect("it is a board");
        assert!(board.squares.iter().all(|square| square.shape == SquareShape::Hex));
        assert_eq!(board.squares[2].name, "a2");
        assert_eq!((board.squares[2].x - board.squares[0].x, board.pieces[0].text.as_str()), (0.5, "x"));
    }

    #[test]
    fn points_have_lines_between_them() {
        let board = of("2 .---.---.\n  |   |   |\n1 .---x---.\n  a   b   c").expect("it is a board");
        assert_eq!(board.squares.len(), 6);
        assert_eq!(board.lines.len(), 7);
        assert!(board.squares.iter().all(|square| square.shape == SquareShape::Point));
    }
}
