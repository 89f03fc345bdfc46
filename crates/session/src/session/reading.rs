//! Reads what the user types at a prompt: complete or not, its sentences, and the kinds of its words.
//!
//! It takes a typed text and the loaded program. It returns what a line editor needs. The parser of the
//! language decides. It does not depend on a terminal.

use super::Session;
use alphorn_lang::lang::lexer::words;
use alphorn_lang::lang::program::{Callee, USER};
use alphorn_lang::lang::read;
use alphorn_lang::lang::token::TokenKind;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::{Origin, Source, SourceId, Sources};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// The state of a typed text that is to become a goal or a clause.
#[derive(Debug)]
pub enum InputState {
    /// The text can be read, or is empty.
    Whole,
    /// The text is incomplete.
    More,
    /// The text has an error that no further text can fix.
    Wrong(Box<Problem>, Arc<Sources>),
}

/// The kind of a word of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A variable.
    Variable,
    /// A number.
    Number,
    /// A text or an atom in quotes.
    Quoted,
    /// A name with arguments in the place of a goal, with no such predicate.
    Unknown,
    /// A word that cannot be read.
    Broken,
    /// Any other word.
    Plain,
}

impl Session {
    /// Whether a text is a complete goal or clause. A `?-` before it and a full stop after it are
    /// optional.
    pub fn reads(&self, text: &str) -> InputState {
        let mut sources = (*self.rules.program.sources).clone();
        let id = sources.add(Source::typed("goal", text));
        let Err(problem) = read::goal(id, text, &self.rules.program.ops) else { return InputState::Whole };
        let opens = problem.labels.first().and_then(|(span, _)| text.get(span.start as usize..)?.chars().next());
        let goes_on = match problem.code {
            // An open bracket, not a superfluous one.
            Code::UnmatchedBracket => matches!(opens, Some('(' | '[' | '{')),
            Code::MissingTerm => {
                problem.labels.first().is_some_and(|(span, _)| span.end as usize >= text.trim_end().len())
            }
            Code::UnclosedComment => true,
            _ => false,
        };
        let problem = match goes_on && words(id, text, 0).stop.is_none() {
            true => match self.unfixable_problem(id, text) {
                Some(problem) => problem,
                None => return InputState::More,
            },
            false => problem,
        };
        InputState::Wrong(problem, Arc::new(sources))
    }

    /// The problem with the beginning of a text that no further text can fix. Neither closing its
    /// brackets nor adding a term first makes it complete.
    fn unfixable_problem(&self, id: SourceId, text: &str) -> Option<Box<Problem>> {
        let mut open = Vec::new();
        for token in words(id, text, 0).tokens {
            match token.word {
                TokenKind::Mark('(') => open.push(')'),
                TokenKind::Mark('[') => open.push(']'),
                TokenKind::Mark('{') => open.push('}'),
                TokenKind::Mark(')' | ']' | '}') => drop(open.pop()),
                // An unfinished word may continue in any way.
                TokenKind::Broken(..) => return None,
                _ => {}
            }
        }
        let closing: String = open.into_iter().rev().collect();
        let end = text.trim_end().len();
        let mut wrong = None;
        for more in ["", " x", " :- x"] {
            match read::goal(id, &format!("{text}{more}{closing}"), &self.rules.program.ops) {
                Ok(_) => return None,
                Err(problem) => {
                    let place = problem.labels.first().map_or(end, |(span, _)| span.end as usize);
                    if place > end {
                        return None;
                    }
                    wrong = wrong.or(Some(problem));
                }
            }
        }
        wrong
    }

    /// The sentences of a text with their full stops. The last full stop may be missing.
    pub fn sentences<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut from = 0;
        while from < text.len() {
            let sentence = words(SourceId(0), text, from);
            if sentence.tokens.is_empty() && sentence.stop.is_none() {
                break;
            }
            let next = if sentence.next > from { sentence.next } else { text.len() };
            found.push(text[from..next].trim());
            from = next;
        }
        found
    }

    /// The number of brackets that a line opens and does not close. `None` if the line ends inside a
    /// word, because its own text does not decide then.
    pub fn brackets(&self, line: &str) -> Option<i64> {
        let (mut open, mut from) = (0, 0);
        while from < line.len() {
            let sentence = words(SourceId(0), line, from);
            for token in &sentence.tokens {
                open += match token.word {
                    TokenKind::Mark('(' | '[' | '{') => 1,
                    TokenKind::Mark(')' | ']' | '}') => -1,
                    TokenKind::Broken(..) => return None,
                    _ => 0,
                };
            }
            if sentence.next <= from {
                break;
            }
            from = sentence.next;
        }
        Some(open)
    }

    /// The atoms in the user's own texts, without duplicates.
    pub fn constants(&self) -> Vec<String> {
        let sources = &self.rules.program.sources;
        let all = (0..sources.len()).map(|number| SourceId(number as u16)).map(|id| (id, sources.get(id)));
        let own = all.filter(|(_, source)| matches!(source.origin, Origin::File(_) | Origin::Typed));
        let mut found: Vec<String> = Vec::new();
        let mut seen = FxHashSet::default();
        for (id, source) in own {
            let mut from = 0;
            while from < source.text.len() {
                let sentence = words(id, &source.text, from);
                let plain = sentence.tokens.iter().filter_map(|token| match &token.word {
                    TokenKind::Name(name) if name.text().starts_with(char::is_alphabetic) => Some(*name),
                    _ => None,
                });
                found.extend(plain.filter(|name| seen.insert(*name)).map(|name| name.text().to_string()));
                if sentence.next <= from {
                    break;
                }
                from = sentence.next;
            }
        }
        found
    }

    /// The predicate of a typed clause as `name/arity`.
    pub fn defines(&self, clause: &str) -> Option<String> {
        let sentence = read::goal(SourceId(0), clause, &self.rules.program.ops).ok()??;
        let rule = sentence.tree.binary(sentence.root, Atom::new(":-"));
        if let Some((head, _)) = sentence.tree.binary(sentence.root, Atom::new("-->")) {
            let (name, arity) = sentence.tree.functor(head)?;
            return Some(format!("{}/{}", name.text(), arity + 2));
        }
        let (name, arity) = sentence.tree.functor(rule.map_or(sentence.root, |(head, _)| head))?;
        Some(format!("{}/{arity}", name.text()))
    }

    /// The words of a text with their ranges and kinds. The ranges do not overlap.
    pub fn words(&self, text: &str) -> Vec<(Range<usize>, WordKind)> {
        let mut from = 0;
        let mut found = Vec::new();
        while from < text.len() {
            let sentence = words(SourceId(0), text, from);
            for (at, token) in sentence.tokens.iter().enumerate() {
                let range = token.span.start as usize..token.span.end as usize;
                let open = sentence.tokens.get(at + 1).filter(|next| !next.spaced && next.word == TokenKind::Mark('('));
                let kind = match &token.word {
                    TokenKind::Var(_) => WordKind::Variable,
                    TokenKind::Int(_) | TokenKind::Float(_) => WordKind::Number,
                    TokenKind::Quoted(_) | TokenKind::Text(_) | TokenKind::Codes(_) => WordKind::Quoted,
                    TokenKind::Broken(..) => WordKind::Broken,
                    TokenKind::Name(name) if open.is_some() && self.is_no_goal(&sentence.tokens, at, *name) => {
                        WordKind::Unknown
                    }
                    TokenKind::Name(_) | TokenKind::Mark(_) => WordKind::Plain,
                };
                found.push((range, kind));
            }
            if sentence.next <= from {
                break;
            }
            from = sentence.next;
        }
        found
    }

    /// Whether a name with a bracket after it is in the place of a goal, and no predicate has it.
    fn is_no_goal(&self, tokens: &[alphorn_lang::lang::token::Token], at: usize, name: Atom) -> bool {
        let begins = at == 0
            || match &tokens[at - 1].word {
                TokenKind::Mark(mark) => *mark == ',',
                TokenKind::Name(before) => [";", "->", "*->", "\\+", ":-", "?-"].contains(&before.text()),
                _ => false,
            };
        if !begins {
            return false;
        }
        // The arguments of a term are no goals.
        let mut depth = 0;
        let mut arity = None;
        for (place, token) in tokens.iter().enumerate() {
            match token.word {
                TokenKind::Mark('(' | '[' | '{') => depth += 1,
                TokenKind::Mark(')' | ']' | '}') => depth -= 1,
                TokenKind::Mark(',') if place > at && depth == 1 => arity = arity.map(|arity| arity + 1),
                _ => {}
            }
            if place == at && depth > 0 {
                return false;
            }
            if place == at + 1 {
                arity = Some(1);
            }
            if place > at + 1 && depth == 0 {
                let Some(arity) = arity else { return false };
                return !self.calls(name, arity);
            }
        }
        false
    }

    fn calls(&self, name: Atom, arity: usize) -> bool {
        let callee = self.rules.program.resolve(USER, name, arity);
        callee.is_some_and(|callee| match callee {
            Callee::User(id) => !self.rules.program.predicate(id).clauses.is_empty(),
            _ => true,
        })
    }
}
