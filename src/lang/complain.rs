//! What is wrong with a text that does not read, in the reader's words.
//!
//! In: the state of the reader where it could not go on. Out: one problem with
//! the smallest span, and a help that can be typed.

use crate::lang::ast::NodeId;
use crate::lang::parse::{ARGUMENT, Reader, TOP, starts_term};
use crate::lang::token::{Token, Word};
use crate::report::Problem;
use crate::source::Span;
use crate::symbol::{Atom, atoms};

impl Reader<'_> {
    pub(super) fn left_over(&self, token: &Token) -> Box<Problem> {
        if let Some((name, infix)) = self.operator().and_then(|(name, _)| Some((name, self.ops.infix(name)?)))
            && infix.priority > TOP - 1
        {
            return Problem::error("A0108", token.span, format!("a second `{}` in one clause", name.text()))
                .help("end the clause before it with a full stop")
                .into();
        }
        self.unexpected(token, "an operator, `,` or the full stop")
    }

    pub(super) fn unexpected(&self, token: &Token, wanted: &str) -> Box<Problem> {
        if let Some(problem) = self.runs_together(token).or_else(|| self.lone_operator(token)) {
            return problem;
        }
        if let Some((name, infix)) = self.operator().and_then(|(name, _)| Some((name, self.ops.infix(name)?)))
            && name != atoms::COMMA
            && name != atoms::BAR
        {
            return self.needs_parentheses(name, infix.priority, ARGUMENT, token.span);
        }
        Problem::error("A0101", token.span, format!("expected {wanted} before `{}`", word_text(&token.word)))
            .maybe_help(self.hint(token))
            .into()
    }

    /// A number that touches a name, such as `12abc` or `1e10`.
    fn runs_together(&self, token: &Token) -> Option<Box<Problem>> {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at])?;
        if !matches!(before.word, Word::Int(_) | Word::Float(_))
            || token.spaced
            || !word_text(&token.word).starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            return None;
        }
        let text = word_text(&token.word);
        let exponent = text.strip_prefix(['e', 'E']).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
        let help = match exponent {
            true => format!("a float needs a fraction: write {}.0{text}", word_text(&before.word)),
            false => "put a blank or an operator between them".to_string(),
        };
        Some(Problem::error("A0104", before.span.to(token.span), "a number runs into a name").help(help).into())
    }

    /// An operator that was read as a term of its own, with a term behind it.
    fn lone_operator(&self, token: &Token) -> Option<Box<Problem>> {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at])?;
        let Word::Name(name) = &before.word else { return None };
        if !starts_term(token) || self.ops.infix(*name).is_none() || self.ops.prefix(*name).is_some() {
            return None;
        }
        let message = format!("`{}` lacks the term before it", name.text());
        Some(
            Problem::error("A0109", before.span, message)
                .help("write the missing term, or remove one of two operators")
                .into(),
        )
    }

    /// What is often meant where one term stands right after another.
    fn hint(&self, token: &Token) -> Option<String> {
        match &token.word {
            Word::Name(name) if matches!(name.text(), "<=" | "=>") => {
                let meant = if name.text() == "<=" { "=<" } else { ">=" };
                Some(format!("did you mean {meant}?"))
            }
            Word::Mark('(') => Some("a predicate's name and its `(` must touch".into()),
            Word::Name(name) if crate::lang::ops::Ops::is_extra(name.text()) => {
                Some(format!("`{}` becomes an operator with :- use_module(library(alphorn)).", name.text()))
            }
            _ if starts_term(token) => Some("two terms stand side by side: put `,` or an operator between them".into()),
            _ => None,
        }
    }

    pub(super) fn no_term(&self, token: &Token) -> Box<Problem> {
        let text = word_text(&token.word);
        Problem::error("A0109", token.span, format!("expected a term before `{text}`"))
            .help(match token.word {
                Word::Mark(',') => "remove the extra `,`, or write the missing term",
                Word::Mark('|') => "write at least one element before `|`",
                _ => "write the missing term, or remove the operator or `,` before it",
            })
            .into()
    }

    pub(super) fn does_not_chain(&self, name: Atom, token: &Token, left: NodeId) -> Box<Problem> {
        Problem::error("A0108", token.span, format!("`{}` cannot follow a term that binds more loosely", name.text()))
            .also(self.tree.span(left), "this term needs parentheses")
            .help(format!("write parentheses: (a {0} b) {0} c, or a {0} (b {0} c)", name.text()))
            .into()
    }

    pub(super) fn needs_parentheses(&self, name: Atom, priority: u16, max: u16, span: Span) -> Box<Problem> {
        let place = if max == ARGUMENT { "as an argument" } else { "here" };
        let help = match name.text() {
            "if" | "then" => "a rule of a table is Name :: if Condition then [Advice, ...].".to_string(),
            name => format!("put the whole term in parentheses: (... {name} ...)"),
        };
        Problem::error("A0108", span, format!("`{}` needs parentheses {place}", name.text()))
            .label(format!("priority {priority}, at most {max} is possible"))
            .help(help)
            .into()
    }
}

fn word_text(word: &Word) -> String {
    match word {
        Word::Name(name) => name.text().to_string(),
        Word::Quoted(name) => format!("'{}'", name.text()),
        Word::Var(name) => name.to_string(),
        Word::Int(value) => value.to_string(),
        Word::Float(value) => value.to_string(),
        Word::Text(text) => format!("\"{text}\""),
        Word::Codes(text) => format!("`{text}`"),
        Word::Mark(mark) => mark.to_string(),
        Word::Broken(..) => String::new(),
    }
}
