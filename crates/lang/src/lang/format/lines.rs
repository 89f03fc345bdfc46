//! Writes pieces to lines: line breaks, indentation, aligned comments.

use super::pieces::{Piece, PieceKind, pieces};
use super::shape::{Shape, shapes};
use super::spacing::{Role, blanks_before, is_control, roles};
use super::{NO_SOURCE, is_same, is_same_term};
use crate::lang::ast::Sentence;
use crate::lang::lexer;
use crate::lang::ops::Ops;
use crate::lang::parse;
use alphorn_text::source::Span;

/// The indentation of a body, and of everything that is one level deeper.
const INDENT: usize = 4;

/// The greatest number of empty lines between clauses, and in a clause.
const EMPTY_LINES: usize = 2;
const EMPTY_LINES_INSIDE: usize = 1;

/// Operators of at least this priority join goals.
const LOOSEST: u16 = 1000;

/// A line of the result.
#[derive(Default)]
struct Line {
    code: String,
    /// A comment behind the code: its text, its column in the input, and the blanks before it.
    comment: Option<(String, usize, usize)>,
}

impl Line {
    fn width(&self) -> usize {
        self.code.rsplit('\n').next().map_or(0, |line| line.chars().count())
    }
}

/// The result so far.
pub(super) struct Lines<'t> {
    input: &'t [&'t str],
    lines: Vec<Line>,
}

/// A bracket and what it contains.
struct Group {
    /// The column of the bracket in the result and in the input.
    column: usize,
    old_column: usize,
    /// The indentation of the line with the bracket.
    indent: usize,
    /// The column of the first piece inside, if it follows on the same line.
    content: Option<usize>,
    shape: Shape,
}

impl<'t> Lines<'t> {
    /// `input` are the lines of the text.
    pub(super) fn new(input: &'t [&'t str]) -> Lines<'t> {
        Lines { input, lines: Vec::new() }
    }

    /// Writes comments between clauses.
    pub(super) fn comments(&mut self, all: &[Piece<'_>]) {
        for piece in all {
            let column = if piece.column < INDENT { 0 } else { piece.column };
            self.outside(piece, column);
        }
    }

    /// Writes a sentence that cannot be read as it is.
    pub(super) fn verbatim(&mut self, all: &[Piece<'_>]) {
        let (comments, words) = all.split_at(all.iter().position(|piece| !piece.is_comment()).unwrap_or(all.len()));
        self.comments(comments);
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        self.outside(&Piece { text: "", ..*first }, first.column);
        let length = last.start + last.text.len() - first.start;
        if let Some(line) = self.lines.last_mut() {
            // All pieces are parts of one text.
            line.code.push_str(first.rest().get(..length).unwrap_or_default());
        }
    }

    /// Writes a clause.
    pub(super) fn clause(&mut self, all: &[Piece<'_>], ops: &Ops, sentence: &Sentence) {
        let (comments, words) = all.split_at(all.iter().position(|piece| !piece.is_comment()).unwrap_or(all.len()));
        self.comments(comments);
        let before = self.lines.len();
        let kept = self.lines.last().map_or(0, |line| line.code.len());
        self.words(words, ops);
        // The result must read as the input does.
        let start = self.lines.get(before.saturating_sub(1)).map_or(0, |line| line.code.len().min(kept));
        let mut written = String::new();
        for (number, line) in self.lines.iter().enumerate().skip(before.saturating_sub(1)) {
            let code = if number + 1 == before { &line.code[start..] } else { &line.code };
            written.push_str(code);
            if let Some((comment, _, blanks)) = &line.comment
                && number + 1 >= before
                && !(number + 1 == before && kept == line.code.len() && words.len() > 1)
            {
                written.push_str(&" ".repeat(*blanks));
                written.push_str(comment);
            }
            written.push('\n');
        }
        let again = lexer::words(NO_SOURCE, &written, 0);
        let empty = Span { source: NO_SOURCE, start: 0, end: 0 };
        let same = is_same(words, &pieces(&written, 0, &again))
            && parse::sentence(&again.tokens, ops, empty).is_ok_and(|again| is_same_term(sentence, &again));
        if !same {
            self.lines.truncate(before);
            if let Some(line) = self.lines.last_mut() {
                line.code.truncate(kept);
            }
            self.verbatim(words);
        }
    }

    /// Writes the words and comments of a clause.
    fn words(&mut self, words: &[Piece<'_>], ops: &Ops) {
        let roles = roles(words, ops);
        let shapes = shapes(words);
        let mut groups: Vec<Group> = Vec::new();
        let is_directive = matches!(roles.first(), Some(Role::Prefix)) && is_neck(&words[0]);
        let mut base = INDENT;
        for (at, piece) in words.iter().enumerate() {
            let closed = if piece.closes() { groups.pop() } else { None };
            if at == 0 {
                self.outside(piece, 0);
            } else if piece.breaks > 0 {
                let column = match &closed {
                    Some(group) => group.closing(piece),
                    None => inside(words, &roles, at, groups.last(), base),
                };
                self.break_line(piece.breaks.min(EMPTY_LINES_INSIDE + 1), column);
                self.push(piece);
            } else {
                let in_table = groups.last().or(closed.as_ref()).is_some_and(|group| group.shape.is_table);
                let blanks = match groups.last() {
                    _ if in_table => piece.blanks,
                    _ if closed.as_ref().is_some_and(|group| group.shape.is_called) => 0,
                    Some(group) if group.shape.is_called && words[at - 1].opens() && !piece.is_comment() => 0,
                    _ if piece.is_comment() => piece.blanks.max(1),
                    Some(group) if group.shape.is_control && self.begins_line(&words[at - 1], group.column) => {
                        (group.column + INDENT).saturating_sub(self.width()).max(1)
                    }
                    Some(group) if group.shape.keeps_commas && words[at - 1].is(PieceKind::Mark, ",") => piece.blanks,
                    Some(group) if group.shape.breaks && words[at - 1].is(PieceKind::Mark, "[") => piece.blanks.min(1),
                    _ => self.blanks(words, &roles, at, closed.is_some()),
                };
                self.append(piece, blanks);
            }
            let column = self.width().saturating_sub(piece.text.chars().count());
            match groups.last_mut() {
                Some(group) if group.content.is_none() && piece.breaks == 0 && !piece.is_comment() => {
                    group.content = Some(column);
                }
                Some(group) if group.content.is_none() => group.content = Some(usize::MAX),
                None if at == 1 && is_directive && piece.breaks == 0 => base = column,
                _ => {}
            }
            if piece.opens() {
                let (old_column, indent, content) = (piece.column, self.indent(), None);
                groups.push(Group { column, old_column, indent, content, shape: shapes[at] });
            }
        }
    }

    /// Whether a piece of alternatives, or their bracket, is the last on the line.
    fn begins_line(&self, last: &Piece<'_>, column: usize) -> bool {
        let end = self.width().saturating_sub(last.text.chars().count());
        end == column && (last.opens() || is_control(last.text))
    }

    /// The blanks before a piece on the same line.
    fn blanks(&self, words: &[Piece<'_>], roles: &[Role], at: usize, closes: bool) -> usize {
        let piece = &words[at];
        let normal = blanks_before(words, roles, at);
        if piece.blanks < 2 || closes || piece.kind == PieceKind::Stop {
            return normal;
        }
        let number = self.line_number(piece);
        let aligned = [number.checked_sub(1), Some(number + 1)].into_iter().flatten();
        let mut lines = aligned.filter_map(|at| self.input.get(at));
        if normal > 0 && lines.any(|line| begins_at(line, piece.column)) { piece.blanks } else { normal }
    }

    /// The number of the line of a piece in the input.
    fn line_number(&self, piece: &Piece<'_>) -> usize {
        let (Some(first), whole) = (self.input.first(), piece.text.as_ptr() as usize) else { return 0 };
        let offset = |line: &str| line.as_ptr() as usize;
        debug_assert!(offset(first) <= whole, "pieces are parts of the text");
        self.input.partition_point(|line| offset(line) <= whole).saturating_sub(1)
    }

    /// Writes a piece between clauses, or the first of a clause.
    fn outside(&mut self, piece: &Piece<'_>, column: usize) {
        if self.lines.is_empty() || piece.breaks > 0 {
            self.break_line(piece.breaks.min(EMPTY_LINES + 1), column);
            self.push(piece);
        } else {
            self.append(piece, piece.blanks.max(1));
        }
    }

    fn break_line(&mut self, breaks: usize, column: usize) {
        let empty = if self.lines.is_empty() { 0 } else { breaks.saturating_sub(1) };
        self.lines.extend((0..empty).map(|_| Line::default()));
        self.lines.push(Line { code: " ".repeat(column), comment: None });
    }

    fn push(&mut self, piece: &Piece<'_>) {
        self.append(piece, 0);
    }

    fn append(&mut self, piece: &Piece<'_>, blanks: usize) {
        let Some(line) = self.lines.last_mut() else { return };
        if piece.kind == PieceKind::LineComment && !line.code.trim().is_empty() {
            line.comment = Some((piece.text.trim_end().to_string(), piece.column, blanks));
            return;
        }
        line.code.extend(std::iter::repeat_n(' ', blanks));
        line.code.push_str(if piece.is_comment() { piece.text.trim_end() } else { piece.text });
    }

    /// The column behind the last piece.
    fn width(&self) -> usize {
        self.lines.last().map_or(0, Line::width)
    }

    /// The indentation of the current line.
    fn indent(&self) -> usize {
        let line = self.lines.last().map_or("", |line| line.code.rsplit('\n').next().unwrap_or(""));
        line.len() - line.trim_start_matches(' ').len()
    }

    /// The whole result.
    pub(super) fn finish(mut self) -> String {
        let mut at = 0;
        while at < self.lines.len() {
            let Some((_, column, blanks)) = self.lines[at].comment else {
                at += 1;
                continue;
            };
            let same = |line: &Line| line.comment.as_ref().is_some_and(|comment| comment.1 == column);
            let count = self.lines[at..].iter().take_while(|line| same(line)).count();
            let widest = self.lines[at..at + count].iter().map(Line::width).max().unwrap_or(0);
            let target = match count {
                1 => widest + blanks,
                _ if widest < column => column,
                _ => widest + 2,
            };
            for line in &mut self.lines[at..at + count] {
                let blanks = target.saturating_sub(line.width());
                if let Some((comment, ..)) = line.comment.take() {
                    line.code.extend(std::iter::repeat_n(' ', blanks));
                    line.code.push_str(&comment);
                }
            }
            at += count;
        }
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(line.code.trim_end_matches([' ', '\t']));
            text.push('\n');
        }
        text
    }
}

impl Group {
    /// The column of the closing bracket on a line of its own.
    fn closing(&self, piece: &Piece<'_>) -> usize {
        match self.content {
            _ if self.shape.is_table => shifted(self, piece),
            Some(column) if column != usize::MAX || self.shape.is_control => self.column,
            _ if self.shape.is_control => self.column,
            _ => self.indent,
        }
    }
}

/// A column of a table, moved as far as its bracket.
fn shifted(group: &Group, piece: &Piece<'_>) -> usize {
    (group.column + piece.column).saturating_sub(group.old_column)
}

/// The column of a piece that begins a line in a clause.
fn inside(words: &[Piece<'_>], roles: &[Role], at: usize, group: Option<&Group>, base: usize) -> usize {
    let piece = &words[at];
    if piece.kind == PieceKind::LineComment && piece.column == 0 {
        return 0;
    }
    let content = match group {
        Some(group) if group.shape.is_table => return shifted(group, piece),
        Some(group) if group.shape.is_control => match roles[at] {
            Role::Infix(_) if is_control(piece.text) => return group.column,
            _ => group.column + INDENT,
        },
        Some(group) => match group.content {
            Some(column) if column != usize::MAX && piece.column != group.indent + INDENT => column,
            _ => group.indent + INDENT,
        },
        None => base,
    };
    let before = words[..at].iter().rposition(|piece| !piece.is_comment());
    let goes_on = before.is_some_and(|before| {
        let last = &words[before];
        let ends = last.opens() || last.kind == PieceKind::Mark && matches!(last.text, "," | "|");
        let ends = ends || is_neck(last) || is_control(last.text) && matches!(roles[before], Role::Infix(_));
        !ends && !is_neck(piece) && !matches!(roles[at], Role::Infix(LOOSEST..))
    });
    // In the middle of an expression, and in a list of declarations, the author may have aligned the lines.
    if goes_on && !piece.is_comment() && piece.kind != PieceKind::Stop {
        let least = if matches!(roles[at], Role::Infix(_)) { content } else { content + 1 };
        return if piece.column >= least { piece.column } else { content + INDENT };
    }
    let declares = group.is_none() && roles.get(1) == Some(&Role::Prefix) && is_neck(&words[0]);
    if declares { piece.column.max(content) } else { content }
}

fn is_neck(piece: &Piece<'_>) -> bool {
    piece.kind == PieceKind::Name && matches!(piece.text, ":-" | "-->" | "?-")
}

/// Whether a word begins at this column of a line.
fn begins_at(line: &str, column: usize) -> bool {
    let mut chars = line.chars().skip(column.saturating_sub(1));
    column > 0 && chars.next() == Some(' ') && chars.next().is_some_and(|c| !c.is_whitespace() && c != '%')
}
