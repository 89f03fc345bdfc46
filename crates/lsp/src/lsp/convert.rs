//! Converts offsets of bytes to the positions of the protocol.

use crate::lsp::state::EditorState;
use alphorn_ide::ide::text::{Document, Encoding, Point};
use alphorn_text::source::{Source, SourceId, Sources, Span};
use lsp_types::{Position, Range};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The position of a byte.
pub fn position(document: &Document, offset: usize, encoding: Encoding) -> Position {
    let Point { line, column } = document.point(offset, encoding);
    Position { line, character: column }
}

/// The range of some bytes.
pub fn range(document: &Document, bytes: &std::ops::Range<usize>, encoding: Encoding) -> Range {
    Range { start: position(document, bytes.start, encoding), end: position(document, bytes.end, encoding) }
}

/// The byte at a position.
pub fn offset(document: &Document, at: Position, encoding: Encoding) -> usize {
    document.offset(Point { line: at.line, column: at.character }, encoding)
}

/// The bytes of a range.
pub fn bytes(document: &Document, range: Range, encoding: Encoding) -> std::ops::Range<usize> {
    let point = |at: Position| Point { line: at.line, column: at.character };
    document.range(point(range.start), point(range.end), encoding)
}

/// The texts of a report as documents, each made once.
pub struct Spans<'a> {
    state: &'a EditorState,
    /// The texts.
    pub sources: &'a Sources,
    known: RefCell<FxHashMap<SourceId, Document>>,
}

impl<'a> Spans<'a> {
    /// Prepares to convert spans of these texts.
    pub fn new(state: &'a EditorState, sources: &'a Sources) -> Spans<'a> {
        Spans { state, sources, known: RefCell::default() }
    }

    /// The text of a span, if the span lies in one of the texts.
    pub fn source(&self, span: Span) -> Option<&'a Source> {
        (usize::from(span.source.0) < self.sources.len()).then(|| self.sources.get(span.source))
    }

    /// The range of a span in its text.
    pub fn range(&self, span: Span) -> Option<Range> {
        let source = self.source(span)?;
        let mut known = self.known.borrow_mut();
        let document = known.entry(span.source).or_insert_with(|| self.state.document_of(source));
        Some(range(document, &(span.start as usize..span.end as usize), self.state.encoding))
    }
}
