//! The meaning of every token of a text, for colours.
//!
//! [`KeptClasses`] keeps the meanings in sentences that stay when the text changes.

use crate::ide::analysis::{Callable, TextAnalysis};
use crate::ide::environment::Environment;
use crate::ide::heading;
use crate::ide::occurrences::{Part, occurrences};
use crate::ide::syntax::{ReadSentence, SentenceNumber};
use alphorn_lang::lang::token::{Token, TokenKind};
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

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

/// The classes of the tokens of a sentence. Brackets and commas have none.
type SentenceClasses = Arc<[Option<TokenClass>]>;

/// What was found out about the sentences of a text, for its next version.
#[derive(Default)]
pub struct KeptClasses {
    environment: Option<Arc<Environment>>,
    /// The predicates of the text.
    own: FxHashSet<(Atom, usize)>,
    classes: FxHashMap<SentenceNumber, SentenceClasses>,
    /// The number of sentences that were looked at so far.
    pub fresh_sentences: usize,
}

impl KeptClasses {
    /// The tokens in a range of bytes with their meanings, in order. Brackets and commas have none.
    pub fn tokens(&mut self, analysis: &TextAnalysis, wanted: Range<usize>) -> Vec<(Range<usize>, TokenClass)> {
        self.refresh(analysis);
        let syntax = &analysis.syntax;
        let sentences = part(&syntax.sentences, &wanted, |sentence| &sentence.range);
        let mut comments = part(&syntax.comments, &wanted, |comment| comment).iter().peekable();
        let mut found = Vec::new();
        for sentence in sentences {
            let classes = self.classes.entry(sentence.number).or_insert_with(|| {
                self.fresh_sentences += 1;
                of_sentence(analysis, sentence)
            });
            for (token, class) in sentence.tokens.iter().zip(classes.iter()) {
                let (Some(class), range) = (class, token.span.start as usize..token.span.end as usize) else {
                    continue;
                };
                while let Some(comment) = comments.next_if(|comment| comment.start < range.start) {
                    found.push((comment.clone(), TokenClass::Comment));
                }
                found.push((range, *class));
            }
        }
        found.extend(comments.map(|comment| (comment.clone(), TokenClass::Comment)));
        found.retain(|(range, _)| wanted.start <= range.end && range.start <= wanted.end);
        found
    }

    /// Forgets what another text, or a change of the text, makes uncertain. The meaning of a name depends on the
    /// environment and on the predicates of the text.
    fn refresh(&mut self, analysis: &TextAnalysis) {
        let sentences = &analysis.syntax.sentences;
        let same = self.environment.as_ref().is_some_and(|last| Arc::ptr_eq(last, &analysis.environment));
        if !same {
            *self = KeptClasses { fresh_sentences: self.fresh_sentences, ..KeptClasses::default() };
            self.environment = Some(analysis.environment.clone());
        }
        let own: FxHashSet<(Atom, usize)> = analysis.own.iter().map(|own| (own.name, own.arity)).collect();
        let changed: FxHashSet<Atom> = own.symmetric_difference(&self.own).map(|(name, _)| *name).collect();
        let uncertain = |token: &Token| match token.word {
            TokenKind::Name(name) | TokenKind::Quoted(name) => changed.contains(&name),
            _ => false,
        };
        // Some names stand in a text as marks, or as no token at all.
        if changed.iter().any(|name| matches!(name.text(), "," | "|" | "{}" | "[]" | ".")) {
            self.classes.clear();
        }
        if !changed.is_empty() {
            for sentence in sentences.iter().filter(|sentence| sentence.tokens.iter().any(uncertain)) {
                self.classes.remove(&sentence.number);
            }
            self.own = own;
        }
        if self.classes.len() > 2 * sentences.len() {
            let here: FxHashSet<SentenceNumber> = sentences.iter().map(|sentence| sentence.number).collect();
            self.classes.retain(|number, _| here.contains(number));
        }
    }
}

/// The items that touch a range of bytes. The items are in order.
fn part<'a, T>(items: &'a [T], wanted: &Range<usize>, range: impl Fn(&T) -> &Range<usize>) -> &'a [T] {
    let first = items.partition_point(|item| range(item).end < wanted.start);
    let count = items[first..].partition_point(|item| range(item).start <= wanted.end);
    &items[first..first + count]
}

fn of_sentence(analysis: &TextAnalysis, sentence: &ReadSentence) -> SentenceClasses {
    let parts: FxHashMap<Span, (Part, Atom, usize)> =
        occurrences(analysis, sentence).into_iter().map(|one| (one.span, (one.part, one.name, one.arity))).collect();
    let class = |(number, token): (usize, &Token)| match &token.word {
        TokenKind::Var(_) => Some(TokenClass::Variable),
        TokenKind::Int(_) | TokenKind::Float(_) => Some(TokenClass::Number),
        TokenKind::Text(_) | TokenKind::Codes(_) => Some(TokenClass::Text),
        TokenKind::Mark('|') => Some(TokenClass::Operator),
        TokenKind::Mark(_) | TokenKind::Broken(..) => None,
        TokenKind::Name(name) | TokenKind::Quoted(name) => {
            let quoted = matches!(token.word, TokenKind::Quoted(_));
            let next = sentence.tokens.get(number + 1);
            let functor = next.is_some_and(|next| next.word == TokenKind::Mark('(') && !next.spaced);
            Some(named(analysis, *name, parts.get(&token.span).copied(), quoted, functor))
        }
    };
    sentence.tokens.iter().enumerate().map(class).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_lang::lang::ProgramOptions;
    use alphorn_text::source::{Origin, Source};

    #[test]
    fn a_predicate_that_comes_or_goes_changes_the_kept_classes() {
        let (mut kept, mut last) = (KeptClasses::default(), None);
        let text = "p :- q(a), r, { s }.\nq(_).\nr.\n";
        for more in ["", "s.\n", "a, b.\n", "", "member(_, _).\n", "{ a }.\n", ""] {
            let text = format!("{text}{more}");
            let source = Source { name: "game.pl".into(), text: text.as_str().into(), origin: Origin::Typed };
            let analysis = TextAnalysis::of(&source, &[], &ProgramOptions::default(), last.as_ref());
            let fresh = KeptClasses::default().tokens(&analysis, 0..usize::MAX);
            assert_eq!(kept.tokens(&analysis, 0..usize::MAX), fresh, "{more:?}");
            last = Some(analysis);
        }
    }
}
