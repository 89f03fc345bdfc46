//! The text of an open file, with the positions that editors use.
//!
//! A [`Document`] applies the changes of an editor and converts offsets of bytes to positions and back.
//! Editors count the columns of a line in bytes, in UTF-16 units or in characters.

use std::ops::Range;
use std::sync::Arc;

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16: most characters have one, emoji have two.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    fn length(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// A position in a text: line and column, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0, in the units of an [`Encoding`].
    pub column: u32,
}

/// The text of an open file.
#[derive(Clone, Debug)]
pub struct Document {
    text: Arc<str>,
    /// The start of each line.
    lines: Arc<[usize]>,
}

impl Document {
    /// A document with this text.
    pub fn new(text: &str) -> Document {
        Document { text: text.into(), lines: line_starts(text).into() }
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The text for the language: a byte-order mark at its start becomes blanks, so that offsets stay.
    pub fn rules(&self) -> Arc<str> {
        match self.text.strip_prefix('\u{feff}') {
            Some(rest) => format!("   {rest}").into(),
            None => self.text.clone(),
        }
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Replaces the text in a range of bytes, which lies on character boundaries.
    pub fn replace(&mut self, range: Range<usize>, new: &str) {
        let mut text = String::with_capacity(self.text.len() + new.len());
        text.push_str(&self.text[..range.start]);
        text.push_str(new);
        text.push_str(&self.text[range.end..]);
        *self = Document::new(&text);
    }

    /// The range of bytes between two positions. A position outside the text moves to the nearest
    /// place in it.
    pub fn range(&self, start: Point, end: Point, encoding: Encoding) -> Range<usize> {
        let start = self.offset(start, encoding);
        start..self.offset(end, encoding).max(start)
    }

    /// The byte at a position. A column behind the end of its line means the end of the line.
    pub fn offset(&self, point: Point, encoding: Encoding) -> usize {
        let Some(start) = self.lines.get(point.line as usize) else { return self.text.len() };
        let end = self.lines.get(point.line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text[*start..end].trim_end_matches(['\n', '\r']);
        let mut left = point.column as usize;
        for (at, c) in line.char_indices() {
            // A column inside a character means the start of the character.
            if left < encoding.length(c) {
                return start + at;
            }
            left -= encoding.length(c);
        }
        start + line.len()
    }

    /// A reader that converts offsets in ascending order.
    pub fn points(&self, encoding: Encoding) -> PointReader<'_> {
        PointReader { document: self, encoding, offset: 0, point: Point { line: 0, column: 0 } }
    }

    /// The position of a byte.
    pub fn point(&self, offset: usize, encoding: Encoding) -> Point {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.lines[line]..offset];
        let column = match encoding {
            Encoding::Utf8 => before.len(),
            encoding => before.chars().map(|c| encoding.length(c)).sum(),
        };
        Point { line: line as u32, column: column as u32 }
    }
}

/// Converts offsets in ascending order, with one walk over the text.
pub struct PointReader<'a> {
    document: &'a Document,
    encoding: Encoding,
    /// The last offset, which lies in `point.line`.
    offset: usize,
    point: Point,
}

impl PointReader<'_> {
    /// The position of a byte on a character boundary, not before that of the last call.
    pub fn point(&mut self, offset: usize) -> Point {
        let Document { text, lines } = self.document;
        let line = self.point.line as usize;
        if lines.get(line + 1).is_some_and(|next| *next <= offset) {
            let line = line + lines[line..].partition_point(|start| *start <= offset) - 1;
            (self.offset, self.point) = (lines[line], Point { line: line as u32, column: 0 });
        }
        let between = text.get(self.offset..offset).unwrap_or("");
        let length = match self.encoding {
            Encoding::Utf8 => between.len(),
            _ if between.is_ascii() => between.len(),
            encoding => between.chars().map(|c| encoding.length(c)).sum(),
        };
        self.offset = offset;
        self.point.column += length as u32;
        self.point
    }
}

/// The start of each line. A line ends with `\n`, `\r\n` or `\r`.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            starts.push(at + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(line: u32, column: u32) -> Point {
        Point { line, column }
    }

    #[test]
    fn columns_count_the_units_of_the_encoding() {
        let document = Document::new("a🎲b\r\n\té漢x\rlast");
        for (encoding, column) in [(Encoding::Utf8, 5), (Encoding::Utf16, 3), (Encoding::Utf32, 2)] {
            assert_eq!(document.point(5, encoding), point(0, column));
            assert_eq!(document.offset(point(0, column), encoding), 5);
        }
        assert_eq!(document.point(8, Encoding::Utf16), point(1, 0));
        assert_eq!(document.point(14, Encoding::Utf16), point(1, 3));
        assert_eq!(document.line_count(), 3);
    }

    #[test]
    fn positions_outside_the_text_move_into_it() {
        let document = Document::new("a🎲\r\nb");
        assert_eq!(document.offset(point(0, 99), Encoding::Utf16), 5, "before the line break");
        assert_eq!(document.offset(point(9, 0), Encoding::Utf16), document.text().len());
        assert_eq!(document.offset(point(0, 2), Encoding::Utf16), 1, "inside the emoji");
        assert_eq!(document.range(point(1, 1), point(0, 0), Encoding::Utf16), 8..8);
    }

    #[test]
    fn every_boundary_converts_there_and_back() {
        let document = Document::new("\u{feff}x\n\n🂡🂢 é\r\r\n漢\n");
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (at, _) in document.text().char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
                assert_eq!(document.offset(document.point(at, encoding), encoding), at);
            }
            for step in 1..5 {
                let mut points = document.points(encoding);
                for (at, _) in document.text().char_indices().step_by(step) {
                    assert_eq!(points.point(at), document.point(at, encoding));
                }
            }
        }
    }

    #[test]
    fn a_change_replaces_a_range() {
        let mut document = Document::new("p(🎲).\n");
        document.replace(2..6, "é\n");
        assert_eq!(&**document.text(), "p(é\n).\n");
        assert_eq!(document.line_count(), 3);
    }
}
