//! The meaning of every token of a text, for colours.

use crate::ide::analysis::{Callable, TextAnalysis};
use crate::ide::heading;
use crate::ide::occurrences::{Part, occurrences};
use crate::ide::syntax::ReadSentence;
use alphorn_lang::lang::token::TokenKind;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The meaning of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// A comment.
    Comment,
    /// A variable.
    Variable,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// The name of a predicate in a head.
    Definition,
    /// The name of a predicate of the user in a goal.
    Call,
    /// The name of a predicate that comes with Alphorn.
    Library,
    /// The name of a game predicate in a head.
    GamePredicate,
    /// A parameter.
    Param,
    /// A directive, or a control construct such as `:-`, `->` and `;`.
    Keyword,
    /// Another operator.
    Operator,
    /// A functor of a term that is not called.
    Functor,
    /// An atom.
    Atom,
}

/// The tokens of a text with their meanings, in order. Brackets and commas have none.
pub fn tokens(analysis: &TextAnalysis) -> Vec<(Range<usize>, TokenClass)> {
    let mut found: Vec<(Range<usize>, TokenClass)> =
        analysis.syntax.comments.iter().map(|comment| (comment.clone(), TokenClass::Comment)).collect();
    for sentence in &analysis.syntax.sentences {
        of_sentence(analysis, sentence, &mut found);
    }
    found.sort_by_key(|(range, _)| range.start);
    found
}

fn of_sentence(analysis: &TextAnalysis, sentence: &ReadSentence, found: &mut Vec<(Range<usize>, TokenClass)>) {
    let parts: FxHashMap<Span, (Part, Atom, usize)> =
        occurrences(analysis, sentence).into_iter().map(|one| (one.span, (one.part, one.name, one.arity))).collect();
    for (number, token) in sentence.tokens.iter().enumerate() {
        let class = match &token.word {
            TokenKind::Var(_) => TokenClass::Variable,
            TokenKind::Int(_) | TokenKind::Float(_) => TokenClass::Number,
            TokenKind::Text(_) | TokenKind::Codes(_) => TokenClass::Text,
            TokenKind::Mark('|') => TokenClass::Operator,
            TokenKind::Mark(_) | TokenKind::Broken(..) => continue,
            TokenKind::Name(name) | TokenKind::Quoted(name) => {
                let quoted = matches!(token.word, TokenKind::Quoted(_));
                let next = sentence.tokens.get(number + 1);
                let functor = next.is_some_and(|next| next.word == TokenKind::Mark('(') && !next.spaced);
                named(analysis, *name, parts.get(&token.span).copied(), quoted, functor)
            }
        };
        found.push((token.span.start as usize..token.span.end as usize, class));
    }
}

fn named(
    analysis: &TextAnalysis,
    name: Atom,
    part: Option<(Part, Atom, usize)>,
    quoted: bool,
    functor: bool,
) -> TokenClass {
    let text = name.text();
    if matches!(text, ":-" | "-->" | "->" | "*->" | ";" | "\\+" | "!" | "::" | "if" | "then") && !quoted {
        return TokenClass::Keyword;
    }
    let word = text.starts_with(char::is_alphabetic);
    match part {
        Some((Part::Param, ..)) => TokenClass::Param,
        Some((Part::Head, _, arity)) if heading::of_game(text, arity).is_some() => TokenClass::GamePredicate,
        Some((Part::Head, ..)) => TokenClass::Definition,
        Some((Part::Goal | Part::Closure | Part::Indicator, name, arity)) => match analysis.find(name, arity) {
            _ if !word && !quoted => TokenClass::Operator,
            Some(Callable::Known(_)) => TokenClass::Library,
            _ => TokenClass::Call,
        },
        _ if !word && !quoted => TokenClass::Operator,
        _ if analysis.environment.ops.is_op(name) && !functor && !quoted => TokenClass::Operator,
        _ if functor => TokenClass::Functor,
        _ if quoted => TokenClass::Text,
        _ => TokenClass::Atom,
    }
}
