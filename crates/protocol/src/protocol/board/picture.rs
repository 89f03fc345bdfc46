//! Finds the board in the lines of `show/2`.
//!
//! A picture whose columns have names is read by [`named`]: it may have blanks, lines between points, and
//! texts beside the cells. Others are read by [`tokens`].

use super::named::{self, header};
use super::tokens::{self, Found, Word};
use super::{Board, BoardPiece, BoardSource, MOST_CELLS};

/// The longest line of a picture that is searched for a board, and the most lines.
const LONGEST: usize = 400;

/// The pictures of other positions of the game, which are made when they are needed.
pub(super) type Others<'a> = &'a dyn Fn() -> &'a [Vec<String>];

/// The board in the lines; `None` if they are no grid. The pictures of other positions tell a row of names such as
/// `1 2 3` from a row of pits that hold 1, 2 and 3 seeds: names do not change.
pub(super) fn board(lines: &[String], others: Others<'_>) -> Option<Board> {
    let mut board = without_counts(lines, others)?;
    let is_many = |piece: &BoardPiece| piece.text.parse::<u64>().is_ok_and(|number| number > 2);
    let has_many = |board: &Board| board.pieces.iter().any(is_many);
    // Boards of 0, 1 and 2 alone may mean no piece, a piece of MAX and a piece of MIN.
    let is_sowing = |lines: &Vec<String>| without_counts(lines, others).is_some_and(|board| has_many(&board));
    board.counts = board.counts && (has_many(&board) || others().iter().any(is_sowing));
    Some(board)
}

/// The board, where `counts` says only that all cells are numbers.
fn without_counts(lines: &[String], others: Others<'_>) -> Option<Board> {
    if lines.len() > LONGEST || lines.iter().any(|line| line.chars().count() > LONGEST) {
        return None;
    }
    let chars: Vec<Vec<char>> = lines.iter().map(|line| line.trim_end().chars().collect()).collect();
    let headers: Vec<Option<Vec<Word>>> =
        chars.iter().map(|line| header(line).filter(|names| are_names(names, others))).collect();
    named::board(&chars, &headers).or_else(|| without_columns(lines, &chars, &headers, others))
}

/// The board in lines whose columns have no names, or names in one line of their own.
fn without_columns(
    lines: &[String],
    chars: &[Vec<char>],
    headers: &[Option<Vec<Word>>],
    others: Others<'_>,
) -> Option<Board> {
    // Lines that have only names.
    let headers: Vec<Option<&Vec<Word>>> = headers
        .iter()
        .zip(chars)
        .map(|(header, line)| header.as_ref().filter(|names| names.len() == tokens::words(line).len()))
        .collect();
    let without = |(line, header): (&Vec<char>, &Option<_>)| if header.is_some() { Vec::new() } else { line.clone() };
    let bare: Vec<Vec<char>> = chars.iter().zip(&headers).map(without).collect();
    let names_rows = |names: &[String]| name_rows(names, others);
    let (mut grid, from, to): Found = tokens::boxed(&bare).or_else(|| tokens::spaced(&bare, &names_rows))?;
    let width = grid.rows[0].len();
    if grid.rows.iter().any(|row| row.len() > MOST_CELLS) || grid.rows.len() > MOST_CELLS {
        return None;
    }
    let is_near = |at: usize| at + 2 >= from && at <= to + 1;
    let header = headers.iter().enumerate().filter(|(at, _)| is_near(*at)).find_map(|(at, names)| {
        names
            .filter(|names| names.len() == width)
            .map(|names| (at, names.iter().map(|word| word.text.clone()).collect()))
    });
    let mut used: Vec<usize> = (from..to).collect();
    if let Some((at, names)) = header {
        used.push(at);
        grid.columns = names;
    }
    let mut board = grid.board(BoardSource::Show);
    board.text = rest(lines, &used);
    Some(board)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether words that may name columns do: numbers must begin a line of every other picture too.
fn are_names(names: &[Word], others: Others<'_>) -> bool {
    let begins = |line: &String| {
        let mut words = line.split_whitespace();
        names.iter().all(|name| words.next() == Some(&name.text))
    };
    !names.iter().all(|name| is_number(&name.text)) || others().iter().all(|picture| picture.iter().any(begins))
}

/// Whether the first words of consecutive lines name rows: numbers must do so in every other picture too.
fn name_rows(names: &[String], others: Others<'_>) -> bool {
    let first = |line: &String| tokens::bare_name(line.split_whitespace().next().unwrap_or_default()).to_string();
    let has_names = |picture: &Vec<String>| {
        let firsts: Vec<String> = picture.iter().map(first).collect();
        firsts.windows(names.len()).any(|window| window == names)
    };
    !names.iter().all(|name| is_number(name)) || others().iter().all(has_names)
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
        board(&picture.lines().map(str::to_string).collect::<Vec<_>>(), &|| &[])
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
        assert_eq!(told("1: | | |\n2:\n3: |"), "3x3: a1 b1 c1 a3 | a1=| b1=| c1=| a3=| | ");
        assert_eq!(told("1 2 3\nx . o"), "3x1: 1 2 3 | 1=x 3=o | ");
    }

    #[test]
    fn numbers_that_change_are_no_names() {
        let others = |text: &str| vec![text.lines().map(str::to_string).collect::<Vec<_>>()];
        let size = |text: &str, other: &str| {
            let others = others(other);
            let lines: Vec<String> = text.lines().map(str::to_string).collect();
            board(&lines, &|| &others).map(|board| (board.squares.len(), board.squares[0].name.clone(), board.counts))
        };
        let found = |squares, name: &str, counts| Some((squares, name.to_string(), counts));
        assert_eq!(size("3 3 3\n4 4 4", "0 4 4\n4 4 4"), found(6, "a2", true));
        assert_eq!(size("1 2 3\n4 4 4", "4 4 4\n4 4 4"), found(6, "a2", true));
        assert_eq!(size("1 2 3\n. x .", "1 2 3\n. . ."), found(3, "1", false));
        assert_eq!(size("1 . x\n2 . .", "1 . .\n2 . ."), found(4, "a1", false));
        assert_eq!(size("0 1 2\n2 0 0", "0 0 2\n0 0 0"), found(6, "a2", false));
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
