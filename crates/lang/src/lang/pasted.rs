//! Recognises pasted text that is not Prolog, in a sentence that cannot be read.
//!
//! Examples are merge conflict marks, line numbers, HTML entities and comments without a comment sign.
//! `parse` and `read` pass the tokens and the place where reading stopped.

use crate::lang::foreign;
use crate::lang::token::{Token, TokenKind};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;

const NESTED: &str = "comments do not nest: a comment ends at the first */; write /* where it begins, or remove \
                      the rest of the comment here";
const MERGE: &str = "git left these lines: keep one of the two versions, and remove the lines that begin with \
                     <<<<<<<, ======= and >>>>>>>";
const PROSE: &str = "write % before the line if it is a comment; in a rule, write `,` or an operator between two terms";

/// The limit of tokens in a goal that a help rewrites.
pub(super) const LONGEST_GOAL: usize = 400;

/// Marks are searched among so many tokens on each side of the unreadable one.
const NEAR: usize = 2_000;

/// The problem of tokens that were pasted or are prose; `at` is the index of the unreadable token.
pub(super) fn problem(tokens: &[Token], at: usize) -> Option<Box<Problem>> {
    let name = |number: usize| tokens.get(number).and_then(name);
    let told =
        |span, message: &str, help: &str| Some(Problem::error(Code::UnexpectedWord, span, message).help(help).into());
    let near = &tokens[at.saturating_sub(NEAR).min(tokens.len())..(at + NEAR).min(tokens.len())];
    if let Some(end) = near.iter().find(|token| self::name(token) == Some("*/")) {
        return told(end.span, "`*/` without a comment to end", NESTED);
    }
    if let Some(mark) = near.iter().find(|token| is_merge(token)) {
        return merge(mark);
    }
    let first = tokens.first()?;
    if let (TokenKind::Int(number), 1, Some(next)) = (&first.word, at, tokens.get(1))
        && next.spaced
        && matches!(next.word, TokenKind::Name(_) | TokenKind::Var(_) | TokenKind::Quoted(_))
    {
        let help = format!("remove {number}: it is a line number, not part of the rule");
        return told(first.span, "a clause cannot begin with a number", &help);
    }
    let html = name(0) == Some("<") && name(1) == Some("!");
    if html || name(0) == Some(";") {
        return told(first.span, "a clause cannot begin like this", foreign::COMMENT);
    }
    if let Some(quote @ (">" | ">>" | ">>>" | "*")) = name(0)
        && at <= 1
    {
        let help = format!("remove `{quote}`: it is probably left over from a mail or a list");
        return told(first.span, &format!("`{quote}` cannot begin a clause"), &help);
    }
    if let Some(problem) = [at, at.saturating_sub(1)].into_iter().find_map(|at| entity(tokens, at)) {
        return Some(problem);
    }
    let words = tokens.iter().take_while(|token| is_word(token)).count();
    let called = tokens.get(words).is_some_and(|next| next.word == TokenKind::Mark('(') && !next.spaced);
    if words - usize::from(called && words > 0) > 2 && at < 6 {
        let to = tokens.get(at).map_or(first.span, |token| token.span);
        let texts: Vec<&str> = tokens[..words].iter().filter_map(self::name).collect();
        let help = match &texts[..] {
            [predicate, args @ ..] if texts.len() == words && words == tokens.len() && words < 5 => {
                format!("write {predicate}({}) if it is a fact, % before it if it is a comment", args.join(", "))
            }
            _ => PROSE.to_string(),
        };
        return told(first.span.to(to), "these words are not a clause", &help);
    }
    None
}

/// The problem of a line that git writes at a merge conflict.
pub(super) fn merge(token: &Token) -> Option<Box<Problem>> {
    is_merge(token)
        .then(|| Problem::error(Code::UnexpectedWord, token.span, "this is a merge conflict").help(MERGE).into())
}

fn is_merge(token: &Token) -> bool {
    matches!(name(token), Some("<<<<<<<" | "=======" | ">>>>>>>"))
}

/// Reports an HTML entity such as `&lt;`. Symbols that touch the entity belong to the same operator.
fn entity(tokens: &[Token], at: usize) -> Option<Box<Problem>> {
    let before = name(tokens.get(at)?)?.strip_suffix('&')?;
    let touching = |number: usize| tokens.get(number).filter(|token| !token.spaced).and_then(name);
    let (entity, ";") = (touching(at + 1)?, touching(at + 2)?) else { return None };
    let meant = match entity {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" => " ",
        _ => return None,
    };
    let behind = touching(at + 3).filter(|text| !text.starts_with(char::is_alphanumeric)).unwrap_or("");
    let operator = format!("{before}{meant}{behind}");
    let operator = if operator == " " { "a blank" } else { foreign::prolog_spelling(&operator) };
    let span = tokens[at].span.to(tokens[at + 2].span);
    let message = format!("`&{entity};` is a character in the notation of HTML");
    Some(Problem::error(Code::UnexpectedWord, span, message).help(format!("write `{operator}`")).into())
}

fn name(token: &Token) -> Option<&'static str> {
    match &token.word {
        TokenKind::Name(name) => Some(name.text()),
        _ => None,
    }
}

fn is_word(token: &Token) -> bool {
    match &token.word {
        TokenKind::Var(_) => true,
        TokenKind::Name(name) => name.text().starts_with(char::is_alphabetic),
        _ => false,
    }
}

/// Whether an unclosed text in back quotes is a Markdown fence.
pub(super) fn is_fence(text: &str) -> bool {
    text.starts_with("```")
}
