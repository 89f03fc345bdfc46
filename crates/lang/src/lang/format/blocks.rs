//! Formats the versions of one text, as an editor needs it.
//!
//! A block is a part of a text between empty lines outside clauses. The lines of a block depend on nothing
//! outside it but the operators in force. So only the blocks that a change touches are formatted again.

use super::lines::Lines;
use super::pieces::{Piece, pieces};
use super::{Formatted, NO_SOURCE, PASSES, declare, pass};
use crate::lang::lexer;
use crate::lang::ops::Ops;
use crate::lang::parse;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The line breaks before a block: one empty line, or two.
const BREAKS: std::ops::RangeInclusive<usize> = 2..=3;

/// Formats the versions of one text. What stays of a version is not formatted again.
#[derive(Default)]
pub struct Formatter {
    /// The last text, with `\n` at the ends of its lines.
    text: String,
    blocks: Vec<Block>,
    /// The operators at the start, and after each `op/3`.
    tables: Vec<Ops>,
    /// The number of blocks that the last call formatted. The others were those of the text before.
    pub fresh_blocks: usize,
}

/// A part of a text between empty lines.
#[derive(Clone)]
struct Block {
    /// The start of its first line.
    start: usize,
    /// The number of the operator table at its start.
    ops: usize,
    result: Arc<BlockResult>,
}

/// A formatted block.
struct BlockResult {
    /// Its lines.
    text: String,
    /// The number of clauses that cannot be read.
    unreadable: usize,
}

impl Formatter {
    /// Formats a text, which may be a later version of the last one.
    pub fn format(&mut self, text: &str) -> Formatted {
        let crlf = text.contains("\r\n");
        self.update(normal(text));
        let mut formatted = String::with_capacity(self.text.len());
        for (number, block) in self.blocks.iter().enumerate() {
            formatted.push_str(&block.result.text);
            formatted.push_str(self.gap(number));
        }
        let text = if crlf { formatted.replace('\n', "\r\n") } else { formatted };
        Formatted { text, unreadable: self.blocks.iter().map(|block| block.result.unreadable).sum() }
    }

    /// The changes that format a text: bytes of it, and their new text. Each contains whole lines of one block.
    pub fn edits(&mut self, text: &str) -> Vec<(Range<usize>, String)> {
        let crlf = text.contains("\r\n");
        self.update(normal(text));
        // A place in the text of `self` and in the given text.
        let (mut from, mut here) = (0, 0);
        let mut edits = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let to = self.blocks.get(number + 1).map_or(self.text.len(), |next| next.start);
            let length = match crlf {
                _ if to == self.text.len() => text.len() - here,
                true => length_of_lines(&text[here..], self.text[from..to].matches('\n').count()),
                false => to - from,
            };
            let before = &text[here..here + length];
            let after: Cow<'_, str> = match (crlf, self.gap(number)) {
                (false, "") => block.result.text.as_str().into(),
                (false, gap) => format!("{}{gap}", block.result.text).into(),
                (true, gap) => format!("{}{gap}", block.result.text).replace('\n', "\r\n").into(),
            };
            edits.extend(changed_lines(before, &after).map(|(range, new)| (here + range.start..here + range.end, new)));
            (from, here) = (to, here + length);
        }
        if self.blocks.is_empty() && !text.is_empty() {
            edits.push((0..text.len(), String::new()));
        }
        edits
    }

    /// The empty lines behind a block.
    fn gap(&self, number: usize) -> &'static str {
        let Some(next) = self.blocks.get(number + 1) else { return "" };
        let before = &self.text[..next.start];
        let breaks = before[before.trim_end().len()..].matches('\n').count();
        if breaks >= *BREAKS.end() { "\n\n" } else { "\n" }
    }

    /// Formats what differs from the last text.
    fn update(&mut self, text: Cow<'_, str>) {
        let last = std::mem::take(self);
        let (old, new) = (last.text.as_bytes(), text.as_bytes());
        let before = old.iter().zip(new).take_while(|(one, other)| one == other).count();
        let shorter = old.len().min(new.len()) - before;
        let same = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(one, other)| one == other).count();
        // The last block that begins before the change is read again, because its end may have moved.
        let begun = last.blocks.partition_point(|block| block.start <= before);
        let mut from = 0;
        self.tables.push(usual());
        if let Some((again, kept)) = last.blocks[..begun].split_last() {
            from = again.start;
            self.blocks = kept.to_vec();
            self.tables = last.tables[..=again.ops].to_vec();
        }
        let input: Vec<&str> = text.lines().collect();
        let mut reader = Reader {
            text: &text,
            input: &input,
            formatter: self,
            last: &last,
            after: new.len() - same,
            moved: new.len() as i64 - old.len() as i64,
        };
        reader.read(from);
        self.text = text.into_owned();
    }
}

/// The operators at the start of a text.
pub(super) fn usual() -> Ops {
    let mut ops = Ops::default();
    ops.add_extras();
    ops
}

/// A text with `\n` at the ends of its lines.
fn normal(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// The bytes of the first lines of a text.
fn length_of_lines(text: &str, count: usize) -> usize {
    text.split_inclusive('\n').take(count).map(str::len).sum()
}

/// The lines of a text that differ from those of another, between equal lines at both ends.
fn changed_lines(before: &str, after: &str) -> Option<(Range<usize>, String)> {
    if before == after {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let first = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let ends = old[first..].iter().rev().zip(new[first..].iter().rev());
    let last: usize = ends.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
    let start: usize = old[..first].iter().map(|line| line.len()).sum();
    Some((start..before.len() - last, after[start..after.len() - last].to_string()))
}

/// Reads the blocks of a text.
struct Reader<'t> {
    text: &'t str,
    input: &'t [&'t str],
    formatter: &'t mut Formatter,
    /// The text before, with its blocks.
    last: &'t Formatter,
    /// The first byte behind the change.
    after: usize,
    /// The new offset of a byte behind the change, minus the old one.
    moved: i64,
}

/// A block that is being read.
struct Open<'t> {
    start: usize,
    /// The byte behind its last piece.
    end: usize,
    ops: usize,
    lines: Lines<'t>,
    unreadable: usize,
}

impl<'t> Reader<'t> {
    /// Reads blocks from a byte on, until the end of the text or a block that is known.
    fn read(&mut self, mut from: usize) {
        let text = self.text;
        let mut open: Option<Open<'t>> = None;
        while from < text.len() {
            let words = lexer::words(NO_SOURCE, text, from);
            let all = pieces(text, from, &words);
            let comments = all.iter().position(|piece| !piece.is_comment()).unwrap_or(all.len());
            // A block may begin at each comment before the clause, and at the clause.
            let mut begun = 0;
            for at in 0..all.len().min(comments + 1) {
                let first = open.is_none() && begun == at;
                if !first && all[at].breaks < *BREAKS.start() {
                    continue;
                }
                if let Some(open) = &mut open {
                    open.comments(&all[begun..at]);
                }
                self.close(open.take());
                let start = text[..all[at].start].rfind('\n').map_or(0, |line| line + 1);
                if self.copy_after(start) {
                    return;
                }
                open = Some(self.open(start));
                begun = at;
            }
            if let Some(open) = &mut open {
                self.sentence(open, &all[begun..], &words);
            }
            from = words.next.max(from + 1);
        }
        self.close(open);
    }

    fn open(&self, start: usize) -> Open<'t> {
        let ops = self.formatter.tables.len() - 1;
        Open { start, end: start, ops, lines: Lines::new(self.input), unreadable: 0 }
    }

    /// Formats a sentence with the comments before it.
    fn sentence(&mut self, open: &mut Open<'t>, all: &[Piece<'t>], words: &crate::lang::token::TokenList) {
        let Some(last) = all.last() else { return };
        open.end = last.start + last.text.len();
        let ops = self.formatter.tables.last().expect("the table at the start is there");
        let empty = Span { source: NO_SOURCE, start: 0, end: 0 };
        match parse::sentence(&words.tokens, ops, empty) {
            Ok(sentence) if words.stop.is_some() => {
                let directive = sentence.tree.unary(sentence.root, atoms::NECK);
                let declares = directive.filter(|goal| {
                    sentence.tree.functor(*goal).is_some_and(|(name, arity)| arity == 3 && name.text() == "op")
                });
                if let Some(directive) = declares {
                    let mut ops = ops.clone();
                    declare(&mut ops, &sentence.tree, directive);
                    self.formatter.tables.push(ops);
                }
                let ops = self.formatter.tables.last().expect("the table at the start is there");
                open.lines.clause(all, ops, &sentence);
            }
            _ if words.tokens.is_empty() => open.lines.comments(all),
            _ => {
                open.unreadable += 1;
                open.lines.verbatim(all);
            }
        }
    }

    /// Adds a block that is read whole.
    fn close(&mut self, open: Option<Open<'t>>) {
        let Some(Open { start, end, ops, lines, mut unreadable }) = open else { return };
        let mut formatted = lines.finish();
        let before = &self.text[start..end];
        let mut stays = formatted.strip_suffix('\n') == Some(before);
        for _ in 1..PASSES {
            if stays {
                break;
            }
            let (next, count) = pass(&formatted, &mut self.formatter.tables[ops].clone());
            stays = next == formatted;
            (formatted, unreadable) = (next, count);
        }
        self.formatter.fresh_blocks += 1;
        let result = Arc::new(BlockResult { text: formatted, unreadable });
        self.formatter.blocks.push(Block { start, ops, result });
    }

    /// Copies the blocks from a byte on, if the text before has a block there behind the change, with the
    /// same operators. Returns whether it has.
    fn copy_after(&mut self, start: usize) -> bool {
        if start < self.after || self.last.blocks.is_empty() {
            return false;
        }
        let at = (start as i64 - self.moved) as usize;
        let Ok(found) = self.last.blocks.binary_search_by_key(&at, |block| block.start) else { return false };
        let twin = self.last.blocks[found].ops;
        let now = self.formatter.tables.len() - 1;
        if self.last.tables[twin] != self.formatter.tables[now] {
            return false;
        }
        self.formatter.blocks.extend(self.last.blocks[found..].iter().map(|block| Block {
            start: (block.start as i64 + self.moved) as usize,
            ops: block.ops - twin + now,
            result: block.result.clone(),
        }));
        self.formatter.tables.extend_from_slice(&self.last.tables[twin + 1..]);
        true
    }
}

impl<'t> Open<'t> {
    /// Writes comments that stand before no clause of this block.
    fn comments(&mut self, all: &[Piece<'t>]) {
        if let Some(last) = all.last() {
            self.end = last.start + last.text.len();
            self.lines.comments(all);
        }
    }
}
