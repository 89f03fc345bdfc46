//! Reads the sentences of a text.
//!
//! After a change of the text only the sentences that the change touches are read again (see `kept.rs`).

use crate::ide::kept::Older;
use crate::ide::syntax::{HERE, ReadSentence, SentenceKind, SentenceNumber, Start, Syntax, guessed_arity, head};
use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::format::declare;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::read::{ReadResult, Sentences};
use alphorn_lang::lang::token::Token;
use alphorn_text::source::Span;
use alphorn_text::symbol::atoms;
use std::sync::Arc;

impl Syntax {
    /// Reads a text with these operators and those that the text declares. What the text has in common with
    /// that of `last` is not read again.
    pub fn read(text: &Arc<str>, ops: &Ops, last: Option<&Syntax>) -> Syntax {
        let mut found = Syntax {
            text: text.clone(),
            sentences: Vec::new(),
            comments: Vec::new(),
            fresh_sentences: 0,
            starts: Vec::new(),
            tables: Vec::new(),
        };
        let mut older = last.and_then(|last| Older::new(last, text, ops));
        let mut at = if text.starts_with("#!") { text.find('\n').unwrap_or(text.len()) } else { 0 };
        match older.as_ref().and_then(|older| older.copy_before(&mut found)) {
            Some(start) => at = start.at,
            None => found.tables.push(ops.clone()),
        }
        let mut reader = Sentences::new(HERE, text);
        let mut end = at;
        loop {
            if end == at && reader.is_fresh() {
                let start = Start { at, sentences: found.sentences.len(), ops: found.tables.len() - 1 };
                if older.as_mut().is_some_and(|older| older.copy_after(start, &mut found)) {
                    return found;
                }
                found.starts.push(start);
            }
            let ops = found.tables.last().expect("the table at the start is there");
            let Some(reading) = reader.read(at, ops) else { break };
            at = reading.next.max(at + 1);
            end = found.add(reading, reader.tokens(), reader.stop(), end);
        }
        found.gap(end, text.len());
        found
    }

    /// Adds a sentence that was read, and returns the byte behind its last token. `end` is that of the
    /// sentence before.
    fn add(&mut self, reading: ReadResult, tokens: &[Token], stop: Option<Span>, mut end: usize) -> usize {
        let before = end;
        for token in tokens.iter().map(|token| token.span).chain(stop) {
            self.gap(end, token.start as usize);
            end = token.end as usize;
        }
        let start = tokens.first().map(|token| token.span).or(stop).map_or(before, |span| span.start as usize);
        let kind = kind(reading.sentence.as_ref());
        if let Some(sentence) = &reading.sentence
            && let Some(goal) = sentence.tree.unary(sentence.root, atoms::NECK)
            && sentence.tree.functor(goal).is_some_and(|(name, arity)| arity == 3 && name.text() == "op")
            && let Some(mut ops) = self.tables.last().cloned()
        {
            declare(&mut ops, &sentence.tree, goal);
            self.tables.push(ops);
        }
        let defines = match kind {
            SentenceKind::Directive => None,
            SentenceKind::Clause => reading.sentence.as_ref().and_then(head).map(|(name, arity, _)| (name, arity)),
            SentenceKind::Unreadable => reading.name.map(|name| (name, guessed_arity(tokens, 0))),
        };
        let (tokens, ended) = (tokens.to_vec(), stop.is_some());
        let range = start..end.max(start);
        let (number, term) = (SentenceNumber::next(), reading.sentence);
        self.sentences.push(Arc::new(ReadSentence { number, kind, tokens, term, range, ended, defines }));
        self.fresh_sentences += 1;
        end
    }

    /// Collects the comments between two tokens.
    fn gap(&mut self, from: usize, to: usize) {
        let Some(gap) = self.text.get(from..to) else { return };
        let mut at = 0;
        while let Some(next) = gap[at..].find(['%', '/']) {
            let start = at + next;
            let rest = &gap[start..];
            let length = if rest.starts_with('%') {
                rest.find(['\n', '\r']).unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                at = start + 1;
                continue;
            };
            self.comments.push(from + start..from + start + length);
            at = start + length;
        }
    }
}

fn kind(sentence: Option<&Sentence>) -> SentenceKind {
    match sentence {
        None => SentenceKind::Unreadable,
        Some(Sentence { tree, root, .. }) if tree.unary(*root, atoms::NECK).is_some() => SentenceKind::Directive,
        Some(_) => SentenceKind::Clause,
    }
}
