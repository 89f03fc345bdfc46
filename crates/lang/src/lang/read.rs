//! Splits a text into sentences and reads them one at a time.
//!
//! For each sentence it returns the term or the problem, and the start of the next sentence. A clause
//! without full stop is cut where the next clause seems to begin, so that one mistake causes one
//! message.

use crate::lang::ast::Sentence;
use crate::lang::foreign;
use crate::lang::lexer::{sentences, words};
use crate::lang::ops::Ops;
use crate::lang::parse;
use crate::lang::pasted;
use crate::lang::repair;
use crate::lang::token::{Token, TokenKind, TokenList};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{Atom, atoms};
use std::collections::VecDeque;

/// The result of reading one sentence of a text.
#[derive(Debug)]
pub struct ReadResult {
    /// The sentence, if it can be read or only lacks its full stop.
    pub sentence: Option<Sentence>,
    /// The mistake in the sentence.
    pub problem: Option<Box<Problem>>,
    /// The name that the clause seems to define, also for an unreadable clause.
    pub name: Option<Atom>,
    /// The byte at which the next sentence begins.
    pub next: usize,
}

/// Reads the sentence at byte `from`; `None` if only layout is left.
pub fn clause(source: SourceId, text: &str, from: usize, ops: &Ops) -> Option<ReadResult> {
    Sentences::new(source, text).read(from, ops)
}

/// A text that is read sentence by sentence.
pub struct Sentences<'t> {
    source: SourceId,
    text: &'t str,
    /// The tokens up to the next full stop. They are kept for all clauses without full stop before it,
    /// so that a distant full stop does not cost a new scan for each clause.
    words: TokenList,
    /// The first token of the sentence that was read last.
    begun: usize,
    /// The number of tokens that are read.
    used: usize,
    /// The tokens of the next sentences, if they were scanned together with these.
    ahead: VecDeque<TokenList>,
}

/// More tokens than this before a full stop seem to be several clauses, once a clause was cut off.
const MANY_WORDS: usize = 4_000;

impl<'t> Sentences<'t> {
    /// Prepares to read the sentences of a text.
    pub fn new(source: SourceId, text: &'t str) -> Sentences<'t> {
        let words = TokenList { tokens: Vec::new(), stop: None, next: 0 };
        Sentences { source, text, words, begun: 0, used: 0, ahead: VecDeque::new() }
    }

    /// Reads the sentence at byte `from`, the [`ReadResult::next`] of the sentence before. Returns
    /// `None` if only layout is left.
    pub fn read(&mut self, from: usize, ops: &Ops) -> Option<ReadResult> {
        let goes_on = self.words.tokens.get(self.used).is_some_and(|token| token.span.start as usize == from);
        if self.used > 0 && goes_on {
            // The first token of a sentence has no layout before it.
            self.words.tokens[self.used].spaced = false;
        } else {
            if self.words.next != from || self.ahead.is_empty() {
                self.ahead = sentences(self.source, self.text, from).into();
            }
            (self.words, self.used) = (self.ahead.pop_front()?, 0);
        }
        self.begun = self.used;
        let reading = self.sentence(from, ops)?;
        let tokens = &self.words.tokens;
        self.used = match reading.next < self.words.next {
            true => tokens.partition_point(|token| (token.span.start as usize) < reading.next),
            false => tokens.len(),
        };
        Some(reading)
    }

    /// The tokens of the sentence that was read last, without its full stop.
    pub fn tokens(&self) -> &[Token] {
        &self.words.tokens[self.begun..self.used]
    }

    /// The full stop of the sentence that was read last.
    pub fn stop(&self) -> Option<Span> {
        self.words.stop.filter(|_| self.used == self.words.tokens.len())
    }

    /// Whether the next sentence depends only on the text from its start, and on the operators.
    pub fn is_fresh(&self) -> bool {
        self.used == self.words.tokens.len() && self.ahead.is_empty()
    }

    fn sentence(&self, from: usize, ops: &Ops) -> Option<ReadResult> {
        let (text, words, tokens) = (self.text, &self.words, &self.words.tokens[self.used..]);
        let here = Span { source: self.source, start: from as u32, end: from as u32 };
        let name = defined_name(tokens);
        if tokens.is_empty() {
            let stop = words.stop?;
            return Some(ReadResult {
                sentence: None,
                problem: Some(
                    Problem::error(Code::MissingTerm, stop, "a full stop without a clause")
                        .help("remove the full stop")
                        .edit(stop, "")
                        .into(),
                ),
                name: None,
                next: words.next,
            });
        }
        if self.used > 0
            && tokens.len() > MANY_WORDS
            && let Some(reading) = first_of_many(tokens, text, ops, name)
        {
            return Some(with_held_edits(reading, text, from, ops));
        }
        let read = parse::sentence(tokens, ops, here);
        match (read, words.stop) {
            (Ok(sentence), Some(_)) => {
                Some(ReadResult { sentence: Some(sentence), problem: None, name, next: words.next })
            }
            (Ok(sentence), None) => Some(ReadResult {
                problem: Some(no_full_stop(text, sentence.span, "the full stop is missing at the end of the file")),
                sentence: Some(sentence),
                name,
                next: words.next,
            }),
            (Err(problem), _) => {
                let reading = broken(tokens, text, ops, problem, words.next, name);
                Some(with_held_edits(reading, text, from, ops))
            }
        }
    }
}

/// A reading of the sentence at byte `from` whose problem has only edits that hold.
fn with_held_edits(mut reading: ReadResult, text: &str, from: usize, ops: &Ops) -> ReadResult {
    if let Some(problem) = &mut reading.problem {
        repair::verify_edits(problem, text, from..reading.next, ops);
    }
    reading
}

/// Reads the first of many clauses without full stops, up to where the next seems to begin; `None` if
/// that is not certain.
fn first_of_many(tokens: &[Token], text: &str, ops: &Ops, name: Option<Atom>) -> Option<ReadResult> {
    let later = tokens.iter().enumerate().skip(1);
    let mut heads = later.filter(|(at, token)| starts_line(text, token.span) && looks_like_head(&tokens[*at..]));
    let (at, next) = heads.next()?;
    let before = &tokens[..at];
    match parse::sentence(before, ops, before[0].span) {
        Ok(sentence) => Some(cut_clause(text, Ok(sentence), name, next)),
        // A problem at the end may disappear with the tokens that follow.
        Err(problem) => {
            let inside = problem.labels.first().is_some_and(|(span, _)| span.start < before[at - 1].span.start);
            inside.then(|| cut_clause(text, Err(problem), name, next))
        }
    }
}

/// The result for a clause without full stop that ends before the token `next`.
fn cut_clause(text: &str, read: Result<Sentence, Box<Problem>>, name: Option<Atom>, next: &Token) -> ReadResult {
    let next = next.span.start as usize;
    match read {
        Ok(sentence) => ReadResult {
            problem: Some(no_full_stop(text, sentence.span, "the full stop is missing at the end of this clause")),
            sentence: Some(sentence),
            name,
            next,
        },
        Err(problem) => ReadResult { sentence: None, problem: Some(problem), name, next },
    }
}

/// Reads a typed goal or term, with or without `?-` before it and a full stop behind it. Returns
/// `None` if the text contains only layout.
pub fn goal(source: SourceId, text: &str, ops: &Ops) -> Result<Option<Sentence>, Box<Problem>> {
    let mut words = words(source, text, 0);
    if let Some(stop) = words.stop {
        let rest = self::words(source, text, words.next);
        if let Some(extra) = rest.tokens.first() {
            return Err(Problem::error(Code::UnexpectedWord, extra.span, "there is more text after the full stop")
                .also(stop, "the goal ends here")
                .help("type one goal at a time, or join goals with `,`")
                .into());
        }
    }
    if words.tokens.first().is_some_and(|first| first.word == TokenKind::Name(atoms::QUERY)) && words.tokens.len() > 1 {
        words.tokens.remove(0);
    }
    if words.tokens.is_empty() {
        return Ok(None);
    }
    let empty = words.tokens[0].span;
    parse::sentence(&words.tokens, ops, empty).map(Some)
}

fn no_full_stop(text: &str, span: Span, message: &str) -> Box<Problem> {
    let last = text[..span.end as usize].chars().next_back().map_or(0, char::len_utf8) as u32;
    let last = Span { start: (span.end - last).max(span.start), ..span };
    let symbol = text[..span.end as usize].ends_with(|c: char| "+-*/\\^<>=~:.?@#&$".contains(c));
    let stop = if symbol { " ." } else { "." };
    Problem::error(Code::MissingFullStop, last, message)
        .help("add `.` here")
        .edit(Span { start: span.end, ..span }, stop)
        .into()
}

/// The result for an unreadable clause. If only its full stop is missing, the next clause begins at
/// the start of a later line.
fn broken(
    tokens: &[Token],
    text: &str,
    ops: &Ops,
    problem: Box<Problem>,
    next: usize,
    name: Option<Atom>,
) -> ReadResult {
    let fixed = |span: Span| repaired(&text[span.start as usize..span.end as usize], span);
    let broken = tokens.iter().find(|token| matches!(token.word, TokenKind::Broken(..))).map(|token| token.span);
    let problem =
        match broken.filter(|span| problem.labels.first().is_some_and(|label| label.0 == *span)).and_then(fixed) {
            Some((span, text)) => Box::new(problem.edit(span, text)),
            None => problem,
        };
    let trouble = problem.labels.first().map_or(0, |label| label.0.start);
    let unclosed = problem.code == Code::UnmatchedBracket;
    let cut = tokens.iter().enumerate().skip(1).find(|(_, token)| {
        // A mark or a number begins no clause.
        let begins = !matches!(token.word, TokenKind::Mark(_) | TokenKind::Int(_) | TokenKind::Float(_));
        token.span.start >= trouble && starts_line(text, token.span) && begins
    });
    let Some((at, token)) =
        cut.filter(|(at, token)| token.span.start == trouble || unclosed || looks_like_head(&tokens[*at..]))
    else {
        return ReadResult { sentence: None, problem: Some(problem), name, next };
    };
    let before = &tokens[..at];
    if let Some(problem) = pasted::merge(&before[0]) {
        return ReadResult { sentence: None, problem: Some(problem), name: None, next: token.span.start as usize };
    }
    cut_clause(text, parse::sentence(before, ops, before[0].span), name, token)
}

/// The fix of a broken token that is an invisible character: a blank.
fn repaired(word: &str, span: Span) -> Option<(Span, String)> {
    let mut characters = word.chars();
    let first = characters.next()?;
    (characters.next().is_none() && foreign::is_unseen(first)).then(|| (span, " ".to_string()))
}

fn looks_like_head(tokens: &[Token]) -> bool {
    matches!(tokens[0].word, TokenKind::Name(_))
        && tokens
            .get(1)
            .is_some_and(|next| matches!(next.word, TokenKind::Mark('(')) || next.word == TokenKind::Name(atoms::NECK))
}

fn starts_line(text: &str, span: Span) -> bool {
    span.start == 0 || text.as_bytes().get(span.start as usize - 1) == Some(&b'\n')
}

fn defined_name(tokens: &[Token]) -> Option<Atom> {
    match (&tokens.first()?.word, tokens.get(1).map(|token| &token.word)) {
        // The name of a directive counts, because parameters are called by `param`.
        (TokenKind::Name(atoms::NECK), Some(TokenKind::Name(name))) => Some(*name),
        (TokenKind::Name(atoms::NECK), _) => None,
        (TokenKind::Name(name) | TokenKind::Quoted(name), _) => Some(*name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::goal;
    use crate::lang::ops::Ops;
    use alphorn_text::source::SourceId;

    /// Regression test: loading took 30 bytes for each byte of facts, of which a quarter was never used.
    #[test]
    fn the_tree_of_a_clause_kept_memory_that_it_did_not_need() {
        for text in ["fact(1, name, [a, b, 7])", "p(X) :- q(X, Y), \\+ r(Y)", "a"] {
            let read = goal(SourceId(0), text, &Ops::default()).expect("it is a term").expect("it is not empty");
            assert_eq!(read.tree.spare(), 0, "{text}");
        }
    }
}
