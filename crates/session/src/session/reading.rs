//! What is typed at a prompt: whether it is whole, where one sentence ends, which words it is made of.
//!
//! In: a text as it is typed, and the program that it is meant for. Out: what an editor of lines
//! needs to know. The real reader decides. Knows no terminal.

use super::Session;
use alphorn_lang::lang::program::{Callee, USER};
use alphorn_lang::lang::read;
use alphorn_lang::lang::token::{TokenKind, words};
use alphorn_text::report::Problem;
use alphorn_text::source::{Origin, Source, SourceId, Sources};
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// How far a text has come that is to be a goal or a clause.
#[derive(Debug)]
pub enum InputState {
    /// It can be read, or nothing stands there.
    Whole,
    /// It may go on.
    More,
    /// Nothing that follows could fix it.
    Wrong(Box<Problem>, Arc<Sources>),
}

/// What a word of a goal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A variable.
    Variable,
    /// A number.
    Number,
    /// A text or an atom in quotes.
    Quoted,
    /// A name with arguments that is no predicate and stands where a goal does.
    Unknown,
    /// What cannot be read.
    Broken,
    /// Anything else.
    Plain,
}

impl Session {
    /// Whether a text is a whole goal or clause; a `?-` before it and a full stop behind it may be
    /// there or not.
    pub fn reads(&self, text: &str) -> InputState {
        let mut sources = (*self.rules.program.sources).clone();
        let id = sources.add(Source::typed("goal", text));
        let Err(problem) = read::goal(id, text, &self.rules.program.ops) else { return InputState::Whole };
        let opens = problem.labels.first().and_then(|(span, _)| text.get(span.start as usize..)?.chars().next());
        let goes_on = match problem.code {
            // A bracket that is open, unlike one too many.
            "A0106" => matches!(opens, Some('(' | '[' | '{')),
            "A0109" => problem.labels.first().is_some_and(|(span, _)| span.end as usize >= text.trim_end().len()),
            "A0103" => true,
            _ => false,
        };
        let problem = match goes_on && words(id, text, 0).stop.is_none() {
            true => match self.hopeless(id, text) {
                Some(problem) => problem,
                None => return InputState::More,
            },
            false => problem,
        };
        InputState::Wrong(problem, Arc::new(sources))
    }

    /// What is wrong with the beginning of a text, if nothing that follows could make it whole: neither
    /// closing its brackets, nor a term and then closing them.
    fn hopeless(&self, id: SourceId, text: &str) -> Option<Box<Problem>> {
        let mut open = Vec::new();
        for token in words(id, text, 0).tokens {
            match token.word {
                TokenKind::Mark('(') => open.push(')'),
                TokenKind::Mark('[') => open.push(']'),
                TokenKind::Mark('{') => open.push('}'),
                TokenKind::Mark(')' | ']' | '}') => drop(open.pop()),
                // What goes on within a word, nobody knows.
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

    /// The sentences of a text, each with its full stop, which the last may lack.
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

    /// How many more brackets a line opens than it closes; `None` where it ends within a word, and
    /// what follows is not to be known from its own text.
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

    /// The atoms that the user's own texts speak of, each once.
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

    /// The predicate that a typed clause belongs to, as name and arity.
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

    /// The words of a text, each with what it is; none overlap.
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

    /// Whether a name with a bracket after it stands where goals do, and no predicate has it.
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
        // Inside the brackets of a term there are no goals.
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
