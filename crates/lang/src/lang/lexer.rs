//! Splits a text into tokens, one sentence at a time, with the grammar in `grammar/alphorn.pest`.
//!
//! It returns the tokens up to the next full stop, with decoded numbers and quoted texts. Text that
//! cannot be a token becomes [`TokenKind::Broken`] with the reason. Operators are unknown here.

use crate::lang::escape;
use crate::lang::foreign;
use crate::lang::numeral::{self, NumeralValue};
use crate::lang::pasted;
use crate::lang::token::{Token, TokenKind, TokenList};
use alphorn_text::code::Code;
use alphorn_text::report::grouped;
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::Atom;
use pest::Parser as _;
use pest::unicode::{TITLECASE_LETTER, UPPERCASE_LETTER};

use grammar::{Grammar, Rule};

/// The derive generates a public `Rule` without documentation.
#[allow(missing_docs)]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/alphorn.pest"]
    pub struct Grammar;
}

/// The limit of a text without a full stop, in bytes. The tokens take up to 320 times the text.
const LONGEST_CLAUSE: usize = 4 << 20;

/// Whether no full stop can be near: a `.` before layout, a comment or a character beyond ASCII.
fn is_too_long(text: &[u8]) -> bool {
    let ends = |pair: &[u8]| pair[0] == b'.' && (pair[1] <= b' ' || pair[1] == b'%' || !pair[1].is_ascii());
    text.get(..LONGEST_CLAUSE).is_some_and(|text| !text.windows(2).any(ends))
}

/// Scans the tokens of the sentence that begins at byte `from`.
pub fn words(source: SourceId, text: &str, from: usize) -> TokenList {
    sentences(source, text, from).swap_remove(0)
}

/// Scans the tokens up to the full stop. They form one sentence, or several if unclosed quotes have
/// swallowed the full stops of their lines.
pub(super) fn sentences(source: SourceId, text: &str, from: usize) -> Vec<TokenList> {
    let span = |start: usize, end: usize| Span { source, start: (from + start) as u32, end: (from + end) as u32 };
    let mut found = Vec::new();
    let mut out = TokenList { tokens: Vec::new(), stop: None, next: text.len() };
    let parsed =
        if is_too_long(&text.as_bytes()[from..]) { None } else { Grammar::parse(Rule::sentence, &text[from..]).ok() };
    let Some(mut pairs) = parsed else {
        let message = format!("no full stop in the next {} bytes, the limit", grouped(LONGEST_CLAUSE as u64));
        out.tokens.push(Token {
            word: TokenKind::Broken(Code::UnexpectedWord, message, "split it into smaller clauses".into()),
            span: span(0, text.len() - from),
            spaced: false,
        });
        return vec![out];
    };
    // The end of the token before.
    let mut end = 0;
    for pair in pairs.next().into_iter().flat_map(|sentence| sentence.into_inner()) {
        let place = pair.as_span();
        if place.start() < end {
            // This is part of an invalid number, whose token is complete.
            continue;
        }
        let here = span(place.start(), place.end());
        match pair.as_rule() {
            Rule::end => {
                out.stop = Some(here);
                out.next = from + place.end();
            }
            Rule::EOI => {}
            Rule::line_comment | Rule::block_comment => continue,
            rule => {
                // The comment covers the rest of the text; its start is enough to show.
                let here = if rule == Rule::unclosed_comment { span(place.start(), place.start() + 2) } else { here };
                let number = matches!(
                    rule,
                    Rule::integer
                        | Rule::grouped
                        | Rule::radix
                        | Rule::based
                        | Rule::float
                        | Rule::special_float
                        | Rule::char_code
                );
                if number && let Some((length, word)) = numeral::broken(place.as_str(), &text[from + place.end()..]) {
                    let spaced = place.start() > end;
                    end = place.end() + length;
                    out.tokens.push(Token { word, span: span(place.start(), end), spaced });
                    continue;
                }
                let word = word(rule, place.as_str());
                let closes = ends_line_with_stop(rule, place.as_str());
                out.tokens.push(Token { word, span: here, spaced: place.start() > end });
                if closes {
                    // An unclosed quote has swallowed the full stop of its line.
                    out.stop = Some(here.after());
                    out.next = from + place.end();
                    found.push(std::mem::replace(
                        &mut out,
                        TokenList { tokens: Vec::new(), stop: None, next: text.len() },
                    ));
                }
            }
        }
        end = place.end();
    }
    found.push(out);
    found
}

/// Reads a text that is one number; the flag says whether a minus precedes it. Creates no atoms.
fn signed(text: &str) -> Option<(bool, TokenKind)> {
    let mut negative = false;
    for part in Grammar::parse(Rule::number, text).ok()?.next()?.into_inner() {
        match part.as_rule() {
            Rule::minus => negative = true,
            Rule::line_comment | Rule::block_comment => {}
            rule => return Some((negative, word(rule, part.as_str()))),
        }
    }
    None
}

/// The greatest number of decimal digits that always fit an `i64`.
const SHORT: usize = 18;

/// Reads a text that is a few digits, perhaps after a minus. Most numbers are, and need no grammar.
pub fn short_integer(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (digits, sign) = match bytes.split_first() {
        Some((b'-', digits)) => (digits, -1),
        _ => (bytes, 1),
    };
    if !(1..=SHORT).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(sign * digits.iter().fold(0, |value, digit| 10 * value + i64::from(digit - b'0')))
}

/// Reads a text that is one number, perhaps with a sign and layout before it.
pub fn number(text: &str) -> Option<NumeralValue> {
    if let Some(value) = short_integer(text) {
        return Some(NumeralValue::Int(value.into()));
    }
    let (negative, word) = signed(text)?;
    match word {
        TokenKind::Int(value) => Some(NumeralValue::Int(if negative { -value } else { value })),
        TokenKind::Float(value) => Some(NumeralValue::Float(if negative { -value } else { value })),
        _ => None,
    }
}

/// Whether an unclosed quoted text ends in the full stop of its line.
fn ends_line_with_stop(rule: Rule, text: &str) -> bool {
    matches!(rule, Rule::unclosed_quoted | Rule::unclosed_string | Rule::unclosed_codes)
        && text.trim_end().ends_with('.')
}

/// Whether a word that begins with this character is a variable.
fn begins_variable(first: char) -> bool {
    matches!(first, '_' | 'A'..='Z') || !first.is_ascii() && (UPPERCASE_LETTER(first) || TITLECASE_LETTER(first))
}

fn word(rule: Rule, text: &str) -> TokenKind {
    let inside = || &text[1..text.len() - 1];
    let decoded = |make: fn(&str) -> TokenKind, quote: char| match escape::decode(inside(), quote) {
        Ok(text) => make(&text),
        Err(message) => TokenKind::Broken(Code::MalformedNumber, message, "write \\\\ for a backslash".into()),
    };
    match rule {
        Rule::plain if text.starts_with(begins_variable) => TokenKind::Var(text.into()),
        Rule::plain | Rule::graphic | Rule::symbol | Rule::solo => TokenKind::Name(Atom::read(text)),
        Rule::quoted => decoded(|text| TokenKind::Quoted(Atom::read(text)), '\''),
        Rule::string => decoded(|text| TokenKind::Text(text.into()), '"'),
        Rule::codes => decoded(|text| TokenKind::Codes(text.into()), '`'),
        Rule::integer | Rule::grouped => TokenKind::Int(numeral::integer(text, 10)),
        Rule::radix => TokenKind::Int(numeral::radix(text)),
        Rule::based => numeral::based(text),
        Rule::float => numeral::float(text),
        Rule::special_float => TokenKind::Float(if text.ends_with("Inf") { f64::INFINITY } else { f64::NAN }),
        Rule::char_code => match escape::decode(&text[2..], '\'') {
            Ok(c) if c.chars().count() == 1 => TokenKind::Int(c.chars().map(u32::from).sum::<u32>().into()),
            _ => TokenKind::Broken(
                Code::MalformedNumber,
                "this is not a character".into(),
                "write 0'a, 0'\\n or 0''' for a quote".into(),
            ),
        },
        Rule::punctuation => TokenKind::Mark(text.chars().next().expect("the grammar gives one character")),
        Rule::unclosed_quoted => TokenKind::Broken(
            Code::UnclosedQuote,
            "this quote is never closed".into(),
            "add a ' at the end of the atom, or write '' for a quote inside it".into(),
        ),
        Rule::unclosed_string => TokenKind::Broken(
            Code::UnclosedQuote,
            "this quote is never closed".into(),
            "add a \" at the end of the text".into(),
        ),
        Rule::unclosed_codes if pasted::is_fence(text) => {
            let help = "remove this line: it was copied with the rules, but it is not part of them";
            TokenKind::Broken(Code::UnclosedQuote, "this is a fence of Markdown".into(), help.into())
        }
        Rule::unclosed_codes => TokenKind::Broken(
            Code::UnclosedQuote,
            "this quote is never closed".into(),
            "add a ` at the end of the text".into(),
        ),
        Rule::unclosed_comment => TokenKind::Broken(
            Code::UnclosedComment,
            "this comment is never closed".into(),
            "add */ where it ends".into(),
        ),
        _ => stray(text),
    }
}

/// The problem of a character that cannot begin a token.
fn stray(text: &str) -> TokenKind {
    let c = text.chars().next().unwrap_or(' ');
    if foreign::is_unseen(c) {
        let message = format!("a rule cannot contain the invisible character U+{:04X}", u32::from(c));
        return TokenKind::Broken(
            Code::InvalidCharacter,
            message,
            "remove the character, or type the line again".into(),
        );
    }
    let help = foreign::character(c).unwrap_or("put the text in 'quotes', or remove the character");
    TokenKind::Broken(Code::InvalidCharacter, format!("a rule cannot contain `{text}`"), help.into())
}
