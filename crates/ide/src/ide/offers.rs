//! Where the cursor stands: which names make sense there.
//!
//! Only the tokens before the cursor count, so the clause need not be complete.

use crate::ide::syntax::Syntax;
use alphorn_lang::lang::token::{Token, TokenKind};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// What may be written at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CursorContext {
    /// Nothing of the language: a comment, a text or a number.
    Nothing,
    /// The beginning of a clause.
    Clause,
    /// The name of a directive.
    Directive,
    /// The name of a library.
    Library,
    /// What `use_module/1` loads.
    Module,
    /// The claim of an expectation.
    Claim,
    /// The name of a parameter.
    Param,
    /// The value of the parameter of this name.
    ParamValue(Atom),
    /// A goal.
    Goal,
    /// An argument of this name: its number, from 0, and the arguments before it.
    Argument(Atom, usize),
}

/// The cursor in a text.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// What may be written here.
    pub context: CursorContext,
    /// The bytes of the word that the cursor is in or behind.
    pub word: Range<usize>,
    /// The variables of the sentence around the cursor.
    pub variables: Vec<String>,
    /// Whether the sentence is a directive.
    pub in_directive: bool,
}

/// Finds out where a byte of a text is.
pub fn cursor(syntax: &Syntax, offset: usize) -> Cursor {
    let (context, word) = (CursorContext::Nothing, offset..offset);
    let nothing = Cursor { context, word, variables: Vec::new(), in_directive: false };
    if syntax.in_comment(offset) {
        return nothing;
    }
    let sentence = syntax.sentence_at(offset).filter(|sentence| !sentence.ended || offset < sentence.range.end);
    let tokens = sentence.map_or(&[][..], |sentence| &sentence.tokens);
    let before = &tokens[..tokens.partition_point(|token| (token.span.start as usize) < offset)];
    let (before, word) = match before.split_last() {
        Some((last, rest)) if last.span.end as usize >= offset => match &last.word {
            TokenKind::Name(name) if is_word(name.text()) => (rest, last.span.start as usize..last.span.end as usize),
            TokenKind::Var(_) => (rest, last.span.start as usize..last.span.end as usize),
            TokenKind::Name(_) | TokenKind::Mark(_) => (before, offset..offset),
            _ => return nothing,
        },
        _ => (before, offset..offset),
    };
    let variables = variables(tokens, &word);
    let in_directive = before.first().is_some_and(is_neck);
    Cursor { context: self::context(before), word, variables, in_directive }
}

fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn variables(tokens: &[Token], word: &Range<usize>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for token in tokens.iter().filter(|token| token.span.start as usize != word.start) {
        if let TokenKind::Var(name) = &token.word
            && **name != *"_"
            && seen.insert(name.clone())
        {
            found.push(name.to_string());
        }
    }
    found
}

/// The context behind some tokens of a sentence.
fn context(before: &[Token]) -> CursorContext {
    match goal_context(before) {
        // A term follows an operator, unless the operator joins goals.
        CursorContext::Goal => match before.last().map(|token| &token.word) {
            Some(TokenKind::Name(name)) if !joins_goals(name.text()) => CursorContext::Argument(*name, 1),
            _ => CursorContext::Goal,
        },
        found => found,
    }
}

fn is_neck(token: &Token) -> bool {
    matches!(token.word, TokenKind::Name(atoms::NECK | atoms::DCG_NECK))
}

/// Whether a goal follows this operator.
fn joins_goals(name: &str) -> bool {
    matches!(name, ":-" | "-->" | "->" | "*->" | ";" | "\\+" | "not" | "^" | "!" | ":")
}

/// The context behind some tokens of a sentence, where only brackets and necks are looked at.
fn goal_context(before: &[Token]) -> CursorContext {
    let Some(first) = before.first() else { return CursorContext::Clause };
    let directive = is_neck(first);
    if directive && before.len() == 1 {
        return CursorContext::Directive;
    }
    match open_bracket(before) {
        None if directive => CursorContext::Nothing,
        None if before.iter().any(is_neck) => CursorContext::Goal,
        None => CursorContext::Nothing,
        Some((open, commas)) => match name_before(before, open) {
            Some(name) => named_context(before, open, name, commas, directive),
            // A round bracket groups goals; a list or `{}` in a body holds terms or goals.
            None if before.iter().take(open).any(is_neck) && !directive => match before[open].word {
                TokenKind::Mark('[') => CursorContext::Argument(atoms::DOT, 0),
                _ => CursorContext::Goal,
            },
            None => CursorContext::Argument(atoms::DOT, 0),
        },
    }
}

fn named_context(before: &[Token], open: usize, name: Atom, commas: usize, directive: bool) -> CursorContext {
    match (name.text(), commas) {
        ("library", 0) => CursorContext::Library,
        ("use_module", 0) if directive => CursorContext::Module,
        ("expect", 0) if directive => CursorContext::Claim,
        ("holds" | "fails", 0) if directive => CursorContext::Goal,
        // The declaration of a parameter is new.
        ("param", _) if directive && open <= 2 => CursorContext::Nothing,
        ("param", 0) => CursorContext::Param,
        ("param", 1) => match before.get(open + 1).map(|token| &token.word) {
            Some(TokenKind::Name(param)) => CursorContext::ParamValue(*param),
            _ => CursorContext::Argument(name, commas),
        },
        _ => CursorContext::Argument(name, commas),
    }
}

/// The innermost open bracket, with the number of commas behind it.
pub(super) fn open_bracket(tokens: &[Token]) -> Option<(usize, usize)> {
    let (mut depth, mut commas) = (0_usize, 0);
    for (at, token) in tokens.iter().enumerate().rev() {
        match token.word {
            TokenKind::Mark(')' | ']' | '}') => depth += 1,
            TokenKind::Mark('(' | '[' | '{') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some((at, commas)),
            },
            TokenKind::Mark(',') if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

/// The name directly before a round bracket.
pub(super) fn name_before(tokens: &[Token], open: usize) -> Option<Atom> {
    let round = tokens[open].word == TokenKind::Mark('(') && !tokens[open].spaced;
    match tokens[..open].last().map(|token| &token.word) {
        Some(TokenKind::Name(name) | TokenKind::Quoted(name)) if round => Some(*name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_lang::lang::ops::Ops;

    /// The context at the mark `|`.
    fn at(text: &str) -> CursorContext {
        let offset = text.find('|').expect("a mark");
        let text = text.replacen('|', "", 1);
        cursor(&Syntax::read(&text.as_str().into(), &Ops::default(), None), offset).context
    }

    #[test]
    fn the_tokens_before_the_cursor_decide() {
        assert_eq!(at("|"), CursorContext::Clause);
        assert_eq!(at("a(1).\nmo|\nb(2).\n"), CursorContext::Clause);
        assert_eq!(at(":- ex|"), CursorContext::Directive);
        assert_eq!(at(":- use_module(library(gr|"), CursorContext::Library);
        assert_eq!(at(":- use_module(li|"), CursorContext::Module);
        assert_eq!(at(":- expect(|"), CursorContext::Claim);
        assert_eq!(at(":- expect(holds(|"), CursorContext::Goal);
        assert_eq!(at("a(X) :- b(X), c|"), CursorContext::Goal);
        assert_eq!(at("a(X) :- ( b(X) -> |"), CursorContext::Goal);
        assert_eq!(at("a(X) :- \\+ b|"), CursorContext::Goal);
        assert_eq!(at("a(X) :- X = b|"), CursorContext::Argument(Atom::new("="), 1));
        assert_eq!(at("a(X) :- X is 1 + |"), CursorContext::Argument(Atom::new("+"), 1));
        assert_eq!(at("a(X) :- param(s|"), CursorContext::Param);
        assert_eq!(at("a(X) :- b([1,2], |).\n"), CursorContext::Argument(Atom::new("b"), 1));
        assert_eq!(at("% a comm|ent"), CursorContext::Nothing);
        assert_eq!(at("a('te|xt')."), CursorContext::Nothing);
    }

    #[test]
    fn the_word_and_the_variables_are_those_of_the_sentence() {
        let text = "a(X, Board) :- mem(Bo";
        let found = cursor(&Syntax::read(&text.into(), &Ops::default(), None), text.len());
        assert_eq!(&text[found.word], "Bo");
        assert_eq!(found.variables, ["X", "Board"]);
    }
}
