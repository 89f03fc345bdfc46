//! The sentences of one text: their tokens, terms, comments and names.
//!
//! A sentence that cannot be read keeps its tokens, so that one mistake takes away no help elsewhere. The
//! module does not know what a name means.

use alphorn_lang::lang::ast::Sentence;
use alphorn_lang::lang::ops::Ops;
use alphorn_lang::lang::token::{Token, TokenKind};
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{Atom, atoms};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The source number of the spans in a [`Syntax`].
pub(super) const HERE: SourceId = SourceId(0);

/// What a sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentenceKind {
    /// `:- goal.`
    Directive,
    /// A fact, or `head :- body.`, or `head --> body.`
    Clause,
    /// A sentence that cannot be read.
    Unreadable,
}

/// Distinguishes the sentences that were read. A sentence that only moves keeps its number, so that what was
/// found out about the sentence can be kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SentenceNumber(u64);

impl SentenceNumber {
    pub(super) fn next() -> SentenceNumber {
        static LAST: AtomicU64 = AtomicU64::new(0);
        SentenceNumber(LAST.fetch_add(1, Relaxed))
    }
}

impl std::fmt::Debug for SentenceNumber {
    /// Two readings of the same text print the same.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("_")
    }
}

/// A sentence of a text.
#[derive(Clone, Debug)]
pub struct ReadSentence {
    /// The number of the sentence.
    pub number: SentenceNumber,
    /// The kind.
    pub kind: SentenceKind,
    /// The tokens without the full stop; empty only if a full stop stands alone.
    pub tokens: Vec<Token>,
    /// The term, if the sentence can be read.
    pub term: Option<Sentence>,
    /// The bytes from the first token to the end of the full stop.
    pub range: Range<usize>,
    /// Whether a full stop ends the sentence.
    pub ended: bool,
    /// Name and arity of the predicate that the clause defines. The arity of an unreadable clause is a
    /// guess.
    pub defines: Option<(Atom, usize)>,
}

/// A place from which reading depends only on the text that follows and on the operators.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// The byte.
    pub at: usize,
    /// The number of sentences before it.
    pub sentences: usize,
    /// The number of the operator table in force.
    pub ops: usize,
}

/// The sentences and comments of a text.
#[derive(Clone, Debug)]
pub struct Syntax {
    /// The text.
    pub text: Arc<str>,
    /// The sentences in order.
    pub sentences: Vec<Arc<ReadSentence>>,
    /// The comments in order.
    pub comments: Vec<Range<usize>>,
    /// The number of sentences that were read. The others were those of an older text.
    pub fresh_sentences: usize,
    /// The places from which a text can be read again, in order.
    pub(super) starts: Vec<Start>,
    /// The operators at the start, and after each `op/3`.
    pub(super) tables: Vec<Ops>,
}

impl Syntax {
    /// The sentence around a byte: the last one that begins at or before it and is not ended before it.
    pub fn sentence_at(&self, offset: usize) -> Option<&ReadSentence> {
        let last = self.sentences.partition_point(|sentence| sentence.range.start <= offset).checked_sub(1)?;
        let sentence = &self.sentences[last];
        (offset <= sentence.range.end || !sentence.ended).then_some(sentence)
    }

    /// Whether a byte lies inside a comment.
    pub fn in_comment(&self, offset: usize) -> bool {
        let before = self.comments.partition_point(|comment| comment.start < offset);
        let Some(comment) = before.checked_sub(1).map(|at| &self.comments[at]) else { return false };
        let line = self.text[comment.clone()].starts_with('%');
        offset < comment.end || line && offset == comment.end
    }

    /// The comment lines directly above a byte, without their `%`.
    pub fn comment_above(&self, offset: usize) -> Option<String> {
        let mut at = offset;
        let mut lines: Vec<&str> = Vec::new();
        let mut number = self.comments.partition_point(|comment| comment.end <= offset);
        while let Some(before) = number.checked_sub(1) {
            let comment = &self.comments[before];
            let between = &self.text[comment.end..at];
            let own_line = self.text[..comment.start].ends_with(['\n', '\r']) || comment.start == 0;
            if !own_line || !between.trim().is_empty() || between.matches('\n').count() > 1 {
                break;
            }
            lines.push(&self.text[comment.clone()]);
            (at, number) = (comment.start, before);
        }
        let bare = |line: &&str| line.trim_start_matches("%!").trim_start_matches('%').trim().to_string();
        let lines: Vec<String> = lines.iter().rev().map(bare).collect();
        let text = lines.join("\n").trim().to_string();
        (!text.is_empty() && !text.starts_with("/*")).then_some(text)
    }
}

/// Name, arity and node of the head of a clause. A grammar rule has two more arguments.
pub(super) fn head(sentence: &Sentence) -> Option<(Atom, usize, alphorn_lang::lang::ast::NodeId)> {
    let tree = &sentence.tree;
    let (node, more) = match tree.binary(sentence.root, atoms::NECK) {
        Some((head, _)) => (head, 0),
        None => match tree.binary(sentence.root, atoms::DCG_NECK) {
            // A pushback stands behind the head of a grammar rule.
            Some((head, _)) => (tree.binary(head, atoms::COMMA).map_or(head, |(head, _)| head), 2),
            None => (sentence.root, 0),
        },
    };
    let node = match tree.binary(node, atoms::COLON) {
        Some((module, inner)) if tree.functor(module).is_some_and(|(name, _)| name.text() == "user") => inner,
        _ => node,
    };
    tree.functor(node).map(|(name, arity)| (name, arity + more, node))
}

/// The number of arguments of the term that begins at a token, counted by its brackets and commas.
pub(super) fn guessed_arity(tokens: &[Token], name: usize) -> usize {
    let opens = tokens.get(name + 1).is_some_and(|next| next.word == TokenKind::Mark('(') && !next.spaced);
    if !opens {
        return 0;
    }
    let (mut depth, mut commas) = (0_usize, 0);
    for token in &tokens[name + 1..] {
        match token.word {
            TokenKind::Mark('(' | '[' | '{') => depth += 1,
            TokenKind::Mark(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            TokenKind::Mark(',') if depth == 1 => commas += 1,
            _ => {}
        }
    }
    commas + 1
}

impl ReadSentence {
    /// The token that contains a byte, or ends at it: its number.
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        let offset = offset as u32;
        let after = self.tokens.partition_point(|token| token.span.start <= offset);
        let last = after.checked_sub(1)?;
        let holds = |number: usize| {
            let Span { start, end, .. } = self.tokens[number].span;
            start <= offset && offset <= end
        };
        let worded = |number: usize| !matches!(self.tokens[number].word, TokenKind::Mark(_));
        // At the border between two tokens, a word wins over a mark.
        match last.checked_sub(1) {
            Some(before) if !worded(last) && self.tokens[before].span.end == offset && worded(before) => Some(before),
            _ => holds(last).then_some(last),
        }
    }

    /// The name of a token, if the token is an atom.
    pub fn name_of(&self, token: usize) -> Option<Atom> {
        match self.tokens.get(token)?.word {
            TokenKind::Name(name) | TokenKind::Quoted(name) => Some(name),
            TokenKind::Mark(',') => Some(atoms::COMMA),
            TokenKind::Mark('|') => Some(atoms::BAR),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Syntax {
        Syntax::read(&text.into(), &Ops::default(), None)
    }

    #[test]
    fn a_mistake_stays_in_its_sentence() {
        let syntax = read("a(1).\nb(X :- c.\nd(1, 2) :- e.\n");
        let names: Vec<_> = syntax.sentences.iter().map(|one| one.defines.map(|(n, a)| (n.text(), a))).collect();
        assert_eq!(names, [Some(("a", 1)), Some(("b", 1)), Some(("d", 2))]);
        assert_eq!(syntax.sentences[1].kind, SentenceKind::Unreadable);
    }

    #[test]
    fn comments_lie_between_tokens() {
        let syntax = read("% one\n:- x. /* two\n */ a('%no') % three\n.\n% last");
        let texts: Vec<&str> = syntax.comments.iter().map(|range| &syntax.text[range.clone()]).collect();
        assert_eq!(texts, ["% one", "/* two\n */", "% three", "% last"]);
        assert!(syntax.in_comment(5) && !syntax.in_comment(7));
        assert!(syntax.in_comment(syntax.text.len()));
    }

    #[test]
    fn comments_above_a_clause_describe_it() {
        let syntax = read("% far\n\n%! p(X)  one\n%  two\np(1).\nq. % aside\nr.\n");
        let above = |number: usize| syntax.comment_above(syntax.sentences[number].range.start);
        assert_eq!(above(0).as_deref(), Some("p(X)  one\ntwo"));
        assert_eq!((above(1), above(2)), (None, None));
    }

    #[test]
    fn a_grammar_rule_defines_two_more_arguments() {
        let syntax = read("p(X), [a] --> q(X).\nuser:r(1) :- s.\n");
        let names: Vec<_> = syntax.sentences.iter().map(|one| one.defines.map(|(n, a)| (n.text(), a))).collect();
        assert_eq!(names, [Some(("p", 3)), Some(("r", 1))]);
    }

    #[test]
    fn every_offset_has_at_most_one_token() {
        let syntax = read("foo(X,Y):-bar( X ), 'é🎲'(Y).");
        let sentence = &syntax.sentences[0];
        assert_eq!(sentence.token_at(3), Some(0), "a word wins over the bracket behind it");
        assert_eq!(sentence.token_at(5), Some(2));
        assert!((0..syntax.text.len() + 2).all(|at| sentence.token_at(at).is_none_or(|n| n < sentence.tokens.len())));
    }
}
