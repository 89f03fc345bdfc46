//! The lines around the labels of a diagnostic, as `miette` draws them.
//!
//! `miette` walks through its whole text for each label and panics in very wide lines, so it gets only the lines near
//! a label, and only a part of a very long line.

use crate::printable::{has_hidden, in_place};
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::sync::Arc;

/// A text of which lines are drawn. Very long lines are cut around the label, because miette 7.6
/// panics if a label stands beyond column 65,535.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    pub(super) text: Arc<str>,
    /// The place of the mistake, if other places are drawn too. Only the heading of its lines has the file's name.
    pub(super) mistake: Option<usize>,
}

/// Lines of up to this many bytes are drawn whole.
pub(super) const LONG_LINE: usize = 2000;
/// The number of bytes of a longer line that are drawn on each side of the label.
pub(super) const MARGIN: usize = 60;

impl Excerpt {
    /// The lines of a text around some labels.
    pub(super) fn new(name: String, text: &Arc<str>, labels: &[LabeledSpan]) -> Excerpt {
        Excerpt { name, text: visible(text, labels), mistake: None }
    }

    /// The start of the line that is `lines` lines above a place.
    fn lines_above(&self, at: usize, lines: usize) -> usize {
        let mut from = floor(&self.text, at.min(self.text.len()));
        for _ in 0..=lines {
            match self.text[..from].rfind('\n') {
                Some(before) => from = before,
                None => return 0,
            }
        }
        from + 1
    }

    /// The number of characters between the start of a line and a place.
    fn column(&self, at: usize) -> usize {
        self.text[..floor(&self.text, at.min(self.text.len()))].chars().rev().take_while(|c| *c != '\n').count()
    }

    /// The part of a long line around a label. miette would walk through the whole line for each label.
    fn cut_line(&self, span: &SourceSpan, drawn: bool) -> MietteSpanContents<'_> {
        let line = self.text[..floor(&self.text, span.offset())].rfind('\n').map_or(0, |at| at + 1);
        let start = floor(&self.text, span.offset().saturating_sub(MARGIN).max(line));
        let rest = &self.text[start..];
        let wanted = span.offset() - start + span.len().min(MARGIN) + MARGIN;
        let end = floor(rest, rest.find('\n').unwrap_or(rest.len()).min(wanted));
        let line_number = self.text[..start].bytes().filter(|byte| *byte == b'\n').count();
        // A drawing begins at its excerpt. Only a heading shows the column.
        let column = if drawn { 0 } else { self.column(span.offset()) };
        let (data, shown) = (&rest.as_bytes()[..end], (start, end).into());
        MietteSpanContents::new_named(self.name.clone(), data, shown, line_number, column, 1)
    }

    /// Whether the lines to be drawn around a place are too long.
    pub(super) fn is_long_at(&self, at: usize) -> bool {
        let (before, after) = self.text.split_at(floor(&self.text, at.min(self.text.len())));
        let is_long = |part: &str| part.len() > LONG_LINE;
        before.rsplit('\n').take(2).any(is_long) || after.split('\n').take(2).any(is_long)
    }
}

/// A text that is safe to draw around the labels. Each character keeps its place.
fn visible(text: &Arc<str>, labels: &[LabeledSpan]) -> Arc<str> {
    let start = labels.iter().map(LabeledSpan::offset).min().unwrap_or(0);
    let end = labels.iter().map(|label| label.offset() + label.len()).max().unwrap_or(0);
    let from = text[..start].rmatch_indices('\n').nth(2).map_or(0, |(at, _)| at);
    let to = text[end..].match_indices('\n').nth(2).map_or(text.len(), |(at, _)| end + at);
    let plain = |line: &str| !has_hidden(line.strip_suffix('\r').unwrap_or(line).trim_matches('\t'));
    if text[from..to].split('\n').all(plain) { text.clone() } else { in_place(text).into() }
}

/// The last character boundary at or before `at`.
pub(super) fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        if self.is_long_at(span.offset()) {
            return Ok(Box::new(self.cut_line(span, before + after > 0)));
        }
        // miette walks through its whole text, so it gets only the lines near the label.
        let from = self.lines_above(span.offset(), before + 1);
        let inside = SourceSpan::from((span.offset() - from, span.len()));
        let contents = self.text[from..].read_span(&inside, before, after)?;
        let lines_before = self.text[..from].bytes().filter(|byte| *byte == b'\n').count();
        let shown = SourceSpan::from((contents.span().offset() + from, contents.span().len()));
        let (line_number, mut column) = (contents.line() + lines_before, contents.column());
        // Columns count characters, as those of the caret do. miette counts bytes.
        if before + after == 0 {
            column = self.column(span.offset());
        }
        let (data, lines) = (contents.data(), contents.line_count());
        Ok(Box::new(match self.mistake {
            Some(at) if before + after == 0 && at != span.offset() => {
                MietteSpanContents::new(data, shown, line_number, column, lines)
            }
            _ => MietteSpanContents::new_named(self.name.clone(), data, shown, line_number, column, lines),
        }))
    }
}
